/* Attention with its row statistics in one pass, and sums over pairs of heads: what `native.py` compiles.

   The lanes of a vector are queries. Keys and values are then read as they lie, one number at a time, for a
   whole block of queries; sums over keys stay within a lane; and a key that is padding is simply left out.

   Every entry point is a worker: any number of threads may call it with the same job, and each takes the next
   item until none is left. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__AVX512F__)
enum { LANES = 16, RUN = 8 };
#define EACH_LANE {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
#elif defined(__AVX__)
enum { LANES = 8, RUN = 4 };
#define EACH_LANE {0, 1, 2, 3, 4, 5, 6, 7}
#else
enum { LANES = 4, RUN = 8 };
#define EACH_LANE {0, 1, 2, 3}
#endif
/* RUN keys (or columns of the values) against two vectors of queries: that many sums fit in the registers. */
enum { QUERIES = 2 * LANES, TILE = 128 };

typedef float vec __attribute__((vector_size(4 * LANES), may_alias));
typedef int32_t ints __attribute__((vector_size(4 * LANES), may_alias));
typedef struct { vec half[2]; } block; /* one number for each query of a block */

/* Scores are in units of log 2. A masked score loses to every real one, but a row of nothing else is uniform. */
static const float MASKED = -1e30f, ABSENT = -3e38f;
static const float LOG_2 = 0.69314718056f, LOG2_E = 1.44269504089f;

static inline vec all(float x) { return (vec){0} + x; }

static inline vec larger(vec a, vec b) {
  for (int l = 0; l < LANES; l++) a[l] = a[l] > b[l] ? a[l] : b[l];
  return a;
}

/* 2^x for -127 <= x <= 0, exactly 0 at -127: a polynomial on [-1/2, 1/2] (relative error 8e-8) times 2^round(x). */
static inline vec power_of_2(vec x) {
  const float shift = 12582912.f; /* 1.5 * 2^23: adding it leaves round(x) in the lowest bits */
  vec shifted = x + shift, f = x - (shifted - shift);
  vec p = all(1.327647141e-3f);
  p = p * f + 9.675541330e-3f;
  p = p * f + 5.550713275e-2f;
  p = p * f + 2.402211972e-1f;
  p = p * f + 6.931469671e-1f;
  p = p * f + 1.000000072f;
  return p * (vec)(((ints)shifted + 127) << 23);
}

/* log2(x) for x >= 0, finite at 0: the exponent, and a polynomial around 1 on [sqrt(1/2), sqrt(2)). */
static inline vec log_2(vec x) {
  ints exponent = ((ints)x - 0x3f3504f3) >> 23; /* 0x3f3504f3 is sqrt(1/2) */
  vec f = (vec)((ints)x - (exponent << 23)) - 1.f;
  vec p = all(1.256960882e-1f);
  p = p * f - 2.100603695e-1f;
  p = p * f + 2.171333301e-1f;
  p = p * f - 2.385506397e-1f;
  p = p * f + 2.876938661e-1f;
  p = p * f - 3.607201532e-1f;
  p = p * f + 4.809206531e-1f;
  p = p * f - 7.213471371e-1f;
  p = p * f + 1.442694896f;
  return p * f + __builtin_convertvector(exponent, vec);
}

/* Exchanges rows and lanes, quarter by quarter of ever smaller squares. */
static inline __attribute__((always_inline)) void transpose(vec square[LANES]) {
#if defined(__has_builtin) && __has_builtin(__builtin_shuffle)
  const ints lane = EACH_LANE;
#pragma GCC unroll 4
  for (int side = LANES / 2; side; side /= 2)
#pragma GCC unroll 16
    for (int i = 0; i < LANES; i++)
      if (!(i & side)) {
        vec a = square[i], b = square[i + side];
        ints right = (lane & side) != 0;
        square[i] = __builtin_shuffle(a, b, (lane & ~right) | ((LANES + (lane ^ side)) & right));
        square[i + side] = __builtin_shuffle(a, b, ((lane ^ side) & ~right) | ((LANES + lane) & right));
      }
#else
  vec turned[LANES];
  for (int i = 0; i < LANES; i++)
    for (int l = 0; l < LANES; l++) turned[l][i] = square[i][l];
  memcpy(square, turned, sizeof turned);
#endif
}

/* ---- attention -------------------------------------------------------------------------------------------- */

enum { MASS, OFFSET, ENTROPY, LARGEST, DISTANCE, REST_DISTANCE };

/* Mirrored field by field in native.py. Strides are in floats; the last axis is contiguous. */
typedef struct {
  const float *query, *key, *value;                         /* batch head query dim; batch group key dim, twice */
  int64_t query_stride[3], key_stride[3], value_stride[3];  /* batch, head or group, token */
  int64_t batch, heads, groups, queries, keys, dim;
  float scaling;
  int32_t causal;
  const uint8_t *real;     /* batch key: 0 on padding; null where there is none */
  const int32_t *kind;     /* batch key: keys of one kind belong to the same classes */
  const float *belongs;    /* kind class: 0 or 1 */
  const int32_t *first;    /* batch: the segment's first key; null where nobody asks for distances */
  int64_t kinds, classes;
  const int32_t *function; /* function 2: which, and of what (a class, an offset, or the power of distances) */
  int64_t functions;
  float *output;           /* batch query head dim */
  float *rows;             /* batch head function query */
  int64_t next;            /* the next item to take */
} attention;

/* What one thread holds while it works on one block of queries. */
typedef struct {
  block scores[TILE];  /* key: scores, then weights up to a factor */
  const float *keys[TILE + RUN], *values[TILE];
  int32_t listed[TILE], place[TILE]; /* the tile's keys in use; where in that list each key of the tile is */
  block top, expected;               /* the largest score; sum of weight * (score - top) */
  block far[2];                      /* sum of weight * distance, and of its square, but for the first key */
  block parked;                      /* the weight of the first key */
  block *query;   /* dim */
  block *mixed;   /* dim: the output up to a factor */
  block *sums;    /* kind: weight on the keys of each kind */
  block *chosen;  /* function: the score at an offset */
} scratch;

/* RUN keys against the block of queries. */
static inline void score(const float *const *keys, const block *query, int64_t dim, block *scores) {
  vec sum[RUN][2] = {0};
  for (int64_t d = 0; d < dim; d++) {
    vec left = query[d].half[0], right = query[d].half[1];
    for (int r = 0; r < RUN; r++) {
      float k = keys[r][d];
      sum[r][0] += left * k;
      sum[r][1] += right * k;
    }
  }
  for (int r = 0; r < RUN; r++) scores[r] = (block){{sum[r][0], sum[r][1]}};
}

/* Adds the weighted values of `count` keys to `columns` columns of the output, from column `first` on. */
static inline __attribute__((always_inline)) void mix(const block *weights, const float *const *values, int count,
                                                      int64_t first, const int columns, block *mixed) {
  vec sum[RUN][2];
  for (int r = 0; r < columns; r++) sum[r][0] = mixed[first + r].half[0], sum[r][1] = mixed[first + r].half[1];
  for (int j = 0; j < count; j++) {
    const float *value = values[j] + first;
    vec left = weights[j].half[0], right = weights[j].half[1];
    for (int r = 0; r < columns; r++) {
      sum[r][0] += left * value[r];
      sum[r][1] += right * value[r];
    }
  }
  for (int r = 0; r < columns; r++) mixed[first + r] = (block){{sum[r][0], sum[r][1]}};
}

/* Lists the keys of a tile that this block may see, and points at them. */
static int list_keys(const attention *job, scratch *at, int64_t b, int64_t group, int64_t start, int64_t stop,
                     const uint8_t *real) {
  int count = 0;
  for (int64_t j = start; j < stop; j++) {
    at->place[j - start] = count;
    at->listed[count] = (int32_t)j;
    count += real ? real[j] : 1;
  }
  const float *key = job->key + b * job->key_stride[0] + group * job->key_stride[1];
  const float *value = job->value + b * job->value_stride[0] + group * job->value_stride[1];
  for (int i = 0; i < count; i++) {
    at->keys[i] = key + at->listed[i] * job->key_stride[2];
    at->values[i] = value + at->listed[i] * job->value_stride[2];
  }
  for (int i = count; i < count + RUN && count; i++) at->keys[i] = at->keys[count - 1];
  return count;
}

static inline void mask(block *scores, int64_t lanes) {
  float *score = (float *)scores;
  for (int64_t l = 0; l < lanes && l < QUERIES; l++) score[l] = MASKED;
}

/* Keeps the scores that an offset asks for before they become weights. */
static void keep_chosen(const attention *job, scratch *at, int64_t first, int64_t start, int64_t stop,
                        const uint8_t *real) {
  for (int64_t f = 0; f < job->functions; f++) {
    if (job->function[2 * f] != OFFSET) continue;
    int64_t target = first + job->function[2 * f + 1]; /* the key of lane 0 */
    int64_t from = start > target ? start : target;
    int64_t to = stop < target + QUERIES ? stop : target + QUERIES;
    for (int64_t j = from; j < to; j++)
      if (!real || real[j])
        ((float *)&at->chosen[f])[j - target] = ((float *)&at->scores[at->place[j - start]])[j - target];
  }
}

/* A tile may raise the largest score so far; what was summed before shrinks accordingly. */
static void raise_top(const attention *job, scratch *at, int count, int fresh) {
  block even = at->top, odd = at->top; /* two at a time: one would wait for the other */
  for (int j = 0; j < count; j += 2) {
    const block *next = &at->scores[j + 1 < count ? j + 1 : j];
    for (int h = 0; h < 2; h++) {
      even.half[h] = larger(even.half[h], at->scores[j].half[h]);
      odd.half[h] = larger(odd.half[h], next->half[h]);
    }
  }
  for (int h = 0; h < 2; h++) {
    vec top = larger(even.half[h], odd.half[h]);
    vec fall = at->top.half[h] - top, shrink = power_of_2(larger(fall, all(-127)));
    at->top.half[h] = top;
    if (fresh) continue;
    vec total = {0};
    for (int64_t k = 0; k < job->kinds; k++) {
      total += at->sums[k].half[h];
      at->sums[k].half[h] *= shrink;
    }
    at->expected.half[h] = shrink * (at->expected.half[h] + fall * total);
    for (int i = 0; i < 2; i++) at->far[i].half[h] *= shrink;
    at->parked.half[h] *= shrink;
    for (int64_t d = 0; d < job->dim; d++) at->mixed[d].half[h] *= shrink;
  }
}

static void weigh(scratch *at, int count, const int32_t *kind) {
  block top = at->top, expected = at->expected;
  for (int j = 0; j < count; j++) {
    block *sum = at->sums + kind[at->listed[j]];
    for (int h = 0; h < 2; h++) {
      vec below = larger(at->scores[j].half[h] - top.half[h], all(-127));
      vec weight = power_of_2(below);
      expected.half[h] += weight * below;
      sum->half[h] += weight;
      at->scores[j].half[h] = weight;
    }
  }
  at->expected = expected;
}

/* How far from the block's queries, of which the first stands at `place`, the weights fall. */
static void measure(scratch *at, int count, int64_t place, int32_t first) {
  const ints lane = EACH_LANE;
  block near = at->far[0], far = at->far[1];
  for (int j = 0; j < count; j++) {
    if (at->listed[j] == first) {
      at->parked = at->scores[j];
      continue;
    }
    for (int h = 0; h < 2; h++) {
      vec apart = __builtin_convertvector(lane + (int32_t)(place + h * LANES - at->listed[j]), vec);
      vec weighed = at->scores[j].half[h] * larger(apart, -apart);
      near.half[h] += weighed;
      far.half[h] += weighed * larger(apart, -apart);
    }
  }
  at->far[0] = near;
  at->far[1] = far;
}

static vec distance(const scratch *at, int power, int with_first, int half, int64_t place) {
  vec result = at->far[power - 1].half[half];
  if (!with_first) return result;
  vec apart = __builtin_convertvector((ints)EACH_LANE + (int32_t)(place + half * LANES), vec);
  apart = larger(apart, -apart);
  if (power == 2) apart *= apart;
  return result + at->parked.half[half] * apart;
}

static void write_rows(const attention *job, scratch *at, int64_t b, int64_t h, int64_t first, const block *share) {
  int64_t count = job->queries - first < QUERIES ? job->queries - first : QUERIES;
  for (int64_t f = 0; f < job->functions; f++) {
    block result = {{{0}}};
    const float *belongs = job->belongs + job->function[2 * f + 1];
    for (int i = 0; i < 2; i++) {
      vec one = share->half[i];
      switch (job->function[2 * f]) {
      case MASS:
        for (int64_t k = 0; k < job->kinds; k++) result.half[i] += at->sums[k].half[i] * belongs[k * job->classes];
        result.half[i] *= one;
        break;
      case OFFSET:
        result.half[i] = power_of_2(larger(at->chosen[f].half[i] - at->top.half[i], all(-127))) * one;
        break;
      /* with t the top, log-sum-exp minus expected score: (t + log(total)) - (t + expected below t) */
      case ENTROPY: result.half[i] = (-log_2(one) - at->expected.half[i] * one) * LOG_2; break;
      case LARGEST: result.half[i] = one; break;
      case DISTANCE:
      case REST_DISTANCE:
        result.half[i] = one * distance(at, job->function[2 * f + 1], job->function[2 * f] == DISTANCE, i,
                                        first - job->first[b]);
        break;
      }
    }
    float *row = job->rows + ((b * job->heads + h) * job->functions + f) * job->queries + first;
    if (count == QUERIES) memcpy(row, &result, sizeof result);
    else memcpy(row, &result, 4 * count);
  }
}

/* The queries, scaled: lanes past the last one repeat it, and are never written. */
static void read_queries(const attention *job, scratch *at, int64_t b, int64_t h, int64_t first) {
  const float *query = job->query + b * job->query_stride[0] + h * job->query_stride[1];
  float scale = job->scaling * LOG2_E;
  for (int i = 0; i < 2; i++) {
    const float *row[LANES];
    for (int l = 0; l < LANES; l++) {
      int64_t q = first + i * LANES + l;
      row[l] = query + (q < job->queries ? q : job->queries - 1) * job->query_stride[2];
    }
    int64_t d = 0;
    for (; d + LANES <= job->dim; d += LANES) {
      vec square[LANES];
      for (int l = 0; l < LANES; l++) memcpy(&square[l], row[l] + d, sizeof(vec));
      transpose(square);
      for (int l = 0; l < LANES; l++) at->query[d + l].half[i] = square[l] * scale;
    }
    for (; d < job->dim; d++)
      for (int l = 0; l < LANES; l++) at->query[d].half[i][l] = row[l][d] * scale;
  }
}

static void write_output(const attention *job, scratch *at, int64_t b, int64_t h, int64_t first, const block *share) {
  for (int i = 0; i < 2; i++) {
    int64_t start = first + i * LANES, count = job->queries - start < LANES ? job->queries - start : LANES;
    float *output = job->output + ((b * job->queries + start) * job->heads + h) * job->dim;
    int64_t stride = job->heads * job->dim, d = 0;
    for (; d + LANES <= job->dim; d += LANES) {
      vec square[LANES];
      for (int l = 0; l < LANES; l++) square[l] = at->mixed[d + l].half[i] * share->half[i];
      transpose(square);
      for (int l = 0; l < count; l++) memcpy(output + l * stride + d, &square[l], sizeof(vec));
    }
    for (; d < job->dim; d++)
      for (int l = 0; l < count; l++) output[l * stride + d] = at->mixed[d].half[i][l] * share->half[i][l];
  }
}

static void attend_block(const attention *job, scratch *at, int64_t b, int64_t h, int64_t first) {
  int64_t dim = job->dim;
  read_queries(job, at, b, h, first);
  at->top = (block){{all(ABSENT), all(ABSENT)}};
  memset(&at->expected, 0, sizeof(block));
  memset(at->far, 0, sizeof at->far);
  memset(&at->parked, 0, sizeof(block));
  memset(at->mixed, 0, sizeof(block) * dim);
  memset(at->sums, 0, sizeof(block) * job->kinds);
  for (int64_t f = 0; f < job->functions; f++) at->chosen[f] = at->top;

  const uint8_t *real = job->real ? job->real + b * job->keys : NULL;
  int64_t end = job->causal && first + QUERIES < job->keys ? first + QUERIES : job->keys, sees = 0;
  while (real && sees < job->keys && !real[sees]) sees++;
  /* a row that may see nothing is uniform over every key: then padding and the future must be there, masked */
  int blank = real && (sees == job->keys || (job->causal && first < sees));
  if (blank) end = job->keys;
  const uint8_t *used = blank ? NULL : real;

  for (int64_t start = 0; start < end; start += TILE) {
    int64_t stop = start + TILE < end ? start + TILE : end;
    int listed = list_keys(job, at, b, h / (job->heads / job->groups), start, stop, used);
    if (!listed) continue;
    for (int j = 0; j < listed; j += RUN) score(at->keys + j, at->query, dim, at->scores + j);
    if (blank || job->causal)
      for (int j = 0; j < listed; j++) {
        int64_t key = at->listed[j];
        mask(&at->scores[j], blank && !real[key] ? QUERIES : job->causal ? key - first : 0);
      }
    keep_chosen(job, at, first, start, stop, used);
    raise_top(job, at, listed, start == 0);
    weigh(at, listed, job->kind + b * job->keys);
    if (job->first) measure(at, listed, first, job->first[b]);
    int64_t d = 0;
    for (; d + RUN <= dim; d += RUN) mix(at->scores, at->values, listed, d, RUN, at->mixed);
    for (; d < dim; d++) mix(at->scores, at->values, listed, d, 1, at->mixed);
  }

  block share = {{{0}}}; /* the weight of the largest score: one over the sum of all */
  for (int64_t k = 0; k < job->kinds; k++)
    for (int i = 0; i < 2; i++) share.half[i] += at->sums[k].half[i];
  for (int i = 0; i < 2; i++) share.half[i] = 1.f / share.half[i];
  write_output(job, at, b, h, first, &share);
  write_rows(job, at, b, h, first, &share);
}

/* One item is a block of queries of one head. A thread that gets no memory takes none. */
void attend(attention *job) {
  int64_t blocks = (job->queries + QUERIES - 1) / QUERIES;
  int64_t spare = 2 * job->dim + job->kinds + job->functions;
  scratch *at = aligned_alloc(64, (sizeof(scratch) + spare * sizeof(block) + 63) / 64 * 64);
  if (!at) return;
  at->query = (block *)(at + 1);
  at->mixed = at->query + job->dim;
  at->sums = at->mixed + job->dim;
  at->chosen = at->sums + job->kinds;
  for (;;) {
    int64_t item = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
    if (item >= job->batch * job->heads * blocks) break;
    int64_t head = item / blocks;
    attend_block(job, at, head / job->heads, head % job->heads, item % blocks * QUERIES);
  }
  free(at);
}

/* ---- pairs of heads --------------------------------------------------------------------------------------- */

typedef struct {
  const float *weights; /* head size: all rows of a head, end to end */
  int64_t heads, size;
  double *sums;         /* head head: sum of x log2 x with x = p + q, for heads i <= j */
  int64_t next;
} joint;

static inline __attribute__((always_inline)) vec x_log_x(const float *p, const float *q, const size_t bytes) {
  vec x = {0}, y = {0};
  memcpy(&x, p, bytes);
  memcpy(&y, q, bytes);
  x += y;
  return x * log_2(x);
}

static inline float sum_x_log_x(const float *p, const float *q, int64_t count) {
  vec sum = {0};
  int64_t k = 0;
  for (; k + LANES <= count; k += LANES) sum += x_log_x(p + k, q + k, sizeof(vec));
  if (k < count) sum += x_log_x(p + k, q + k, 4 * (count - k));
  float total = 0;
  for (int l = 0; l < LANES; l++) total += sum[l];
  return total;
}

/* One item is a few rows of the matrix, summed in one order whoever takes it: a run repeated gives the same
   bits. Within it, stretches are short enough that those of all heads stay in the cache. */
void joint_sums(joint *job) {
  enum { STRETCH = 512, ROWS = 8 };
  for (;;) {
    int64_t first = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED) * ROWS;
    if (first >= job->heads) break;
    int64_t past = first + ROWS < job->heads ? first + ROWS : job->heads;
    for (int64_t start = 0; start < job->size; start += STRETCH) {
      int64_t count = job->size - start < STRETCH ? job->size - start : STRETCH;
      for (int64_t i = first; i < past; i++)
        for (int64_t j = i; j < job->heads; j++)
          job->sums[i * job->heads + j] +=
              sum_x_log_x(job->weights + i * job->size + start, job->weights + j * job->size + start, count);
    }
  }
}
