# ruff: noqa: E741 (l is the sum of a row, as everywhere in the literature)
"""What runs on the GPU. The launchers beside this file decide shapes and constants; here is the arithmetic.

Scores are kept in units of log 2, since the hardware's exponential is a power of two: with s the scores times
log₂e and m their running maximum, p = 2^(s-m) is a row's weights before they are divided by their sum.
"""

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)
LN2 = tl.constexpr(0.6931471805599453)
LENGTHS = ["heads", "queries", "keys", "left", "right"]  # another length is no reason to compile again
LANES = tl.constexpr(8)  # columns after which the layout of a product in registers repeats
RULER = tl.constexpr(16)  # columns by which distances are measured
NEVER = tl.constexpr(-1.0e30)  # the score of a key that may not be seen: finite, so that no NaN can arise


@triton.jit
def allowed(
    rows, cols, lo, hi, left, right, holes, PADDED: tl.constexpr, LEFT: tl.constexpr, RIGHT: tl.constexpr
):
    """Whether keys `cols` may be seen from queries `rows`; the two broadcast against each other.

    Keys from `lo` to `hi` are, all of them or those within reach. The two may be others in each row.
    """
    may = (cols >= lo) & (cols < hi)
    if LEFT:
        may = may & (cols >= rows - left)
    if RIGHT:
        may = may & (cols <= rows + right)
    if PADDED == 2:
        may = may & (tl.load(holes + cols, mask=(cols >= lo) & (cols < hi), other=0) != 0)
    return may


@triton.jit
def bounds(runs, b, rows, queries, lo, hi, RUNS: tl.constexpr):
    """The first key that the queries `rows` may see and the one past the last: others for each where the mask
    says so by runs, which is (batch query 3): first key, the one past the last, the query's own place."""
    if RUNS:
        at = runs + (b * queries + rows) * 3
        first = tl.load(at, mask=rows < queries, other=0)
        past = tl.load(at + 1, mask=rows < queries, other=0)
        lo, hi = tl.maximum(first, lo), tl.minimum(past, hi)
    return lo, hi


@triton.jit
def vectors(at, row, rows, length, D: tl.constexpr, DP: tl.constexpr, CHECKED: tl.constexpr):
    """row dim: zero past the ends of either, if rows past the ends are asked for at all."""
    d = tl.arange(0, DP)
    where = at + rows[:, None] * row + d[None, :]
    if CHECKED:
        inside = ((rows >= 0) & (rows < length))[:, None] & (d < D)[None, :]
        values = tl.load(where, mask=inside, other=0)
    elif D < DP:
        values = tl.load(where, mask=(d < D)[None, :], other=0)
    else:
        values = tl.load(where)
    return values


@triton.jit
def rest_of(
    at, row, rows, length, first, D: tl.constexpr, REST: tl.constexpr, RP: tl.constexpr, CHECKED: tl.constexpr
):
    """row dim: what of a head's vectors lies past D, where its size is the sum of two powers of two (192 is
    128 and 64); where it is not, nobody reads this, and it is `first`."""
    return vectors(at + D, row, rows, length, REST, RP, CHECKED) if REST else first


@triton.jit
def dot_products(query, query_rest, key, key_rest, REST: tl.constexpr, PRECISION: tl.constexpr):
    """row column"""
    dots = tl.dot(query, tl.trans(key), input_precision=PRECISION)
    if REST:
        dots = tl.dot(query_rest, tl.trans(key_rest), dots, input_precision=PRECISION)
    return dots


@triton.jit
def in_units_of_log2(
    dots, rows, cols, queries, keys, scale, cap, bias, bias_row, CAP: tl.constexpr, BIAS: tl.constexpr
):
    """Soft-capped and biased scores. Plain ones stay dot products: their scale is applied later, for free.
    BIAS is 1 where every query has its own, 2 where all share that of a key."""
    if CAP:
        # tanh x = 1 - 2 / (1 + e^2x)
        dots = cap * (1 - 2 / (1 + tl.exp2(tl.minimum(dots * scale * (2 * LOG2E / cap), 126.0))))
        if not BIAS:
            dots = dots * LOG2E
    if BIAS:
        if BIAS == 1:
            inside = (rows < queries) & (cols >= 0) & (cols < keys)
            extra = tl.load(bias + rows.to(tl.int64) * bias_row + cols, mask=inside, other=0).to(tl.float32)
        else:
            extra = tl.load(bias + cols, mask=(cols >= 0) & (cols < keys), other=0).to(tl.float32)
        dots = (dots if CAP else dots * scale) * LOG2E + extra * LOG2E
    return dots


@triton.jit
def by_lane(x, BM: tl.constexpr, BN: tl.constexpr):
    """row column -> row LANES."""
    return tl.sum(tl.reshape(x, [BM, BN // LANES, LANES]), 1)


@triton.jit
def step(
    n, q, q_rest, rows, place, m, l, e, acc, mass, far, best,
    k, v, features, rulers, holes, bias,
    k_row, v_row, bias_row, lo, hi, left, right, queries, keys, scale, cap, factor,
    D: tl.constexpr, DP: tl.constexpr, REST: tl.constexpr, RP: tl.constexpr, DV: tl.constexpr,
    DVP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, MASSES: tl.constexpr,
    FC: tl.constexpr, PADDED: tl.constexpr, LEFT: tl.constexpr, RIGHT: tl.constexpr, CAP: tl.constexpr,
    BIAS: tl.constexpr, BEST: tl.constexpr, ENTROPY: tl.constexpr, FAR: tl.constexpr, AHEAD: tl.constexpr,
    MASKED: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """One block of keys: the online softmax, and beside it the expected score and the mass on classes.

    `l` and `e` are (row LANES): sums over every LANES-th column, which the matrix units leave in one thread,
    so that nothing goes from thread to thread before the last block.
    """
    cols = n + tl.arange(0, BN)
    key = vectors(k, k_row, cols, keys, D, DP, MASKED)
    key_rest = rest_of(k, k_row, cols, keys, key, D, REST, RP, MASKED)
    s = dot_products(q, q_rest, key, key_rest, REST, PRECISION)
    s = in_units_of_log2(
        s, rows[:, None], cols[None, :], queries, keys, scale, cap, bias, bias_row, CAP, BIAS
    )
    if MASKED:
        # scaled before it is masked: NEVER · factor - m, fused and rounded once, need not be 0 for equal m
        may = allowed(rows[:, None], cols[None, :], lo, hi, left, right, holes, PADDED, LEFT, RIGHT)
        s = tl.where(may, s * factor, NEVER)
        unit = 1.0
    else:
        unit = factor
    if BEST:
        top, at = tl.max(s, 1, return_indices=True)
        best = tl.where(top * unit > m, n + at, best)
        fresh = tl.maximum(m, top * unit)
    else:
        fresh = tl.maximum(m, tl.max(s, 1) * unit)
    x = s * unit - fresh[:, None]
    p = tl.exp2(x)
    shift = m - fresh
    shrink = tl.exp2(shift)
    if ENTROPY:
        # Σ p (s - m), carried over to the new m
        e = shrink[:, None] * (e + l * shift[:, None]) + by_lane(p * x, BM, BN)
    l = l * shrink[:, None] + by_lane(p, BM, BN)
    acc = acc * shrink[:, None]
    value = vectors(v, v_row, cols, keys, DV, DVP, MASKED)
    p = p.to(value.dtype)
    acc = tl.dot(p, value, acc, input_precision=PRECISION)
    if MASSES:
        c = tl.arange(0, FC)
        if MASKED:
            feature = tl.load(
                features + cols[:, None] * FC + c[None, :], mask=(cols < keys)[:, None], other=0
            )
        else:
            feature = tl.load(features + cols[:, None] * FC + c[None, :])
        mass = tl.dot(p, feature, mass * shrink[:, None], input_precision=PRECISION)
    else:
        mass = mass * shrink[:, None]
    if FAR:
        far = far * shrink[:, None] + distances(n, place, cols, p, rulers, keys, BN, AHEAD, MASKED, PRECISION)
    return fresh, l, e, acc, mass, far, best


@triton.jit
def distances(
    n, place, cols, p, rulers, keys,
    BN: tl.constexpr, AHEAD: tl.constexpr, MASKED: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """row RULER: what the keys from n on add to Σ p d² (the first four columns), to Σ p |d| (the next four),
    and to the same without the first token (the last eight), if each four are added up.

    With x = place - n and j a key's place after n, d = x - j: so d² = x² - 2xj + j², of which `rulers` holds
    what depends on the key: 1, j, and j² as 64a + b, since narrow types hold all of these exactly.
    """
    c = tl.arange(0, RULER)
    at = rulers + cols[:, None] * RULER + c[None, :]
    ruler = tl.load(at, mask=(cols < keys)[:, None], other=0) if MASKED else tl.load(at)
    sums = tl.dot(p, ruler, input_precision=PRECISION)
    i = c[None, :] % 8
    if AHEAD:  # where a key lies ahead, |d| is -d
        turned = tl.where(cols[None, :] > place[:, None], -p, p)
        sums = tl.where(i < 4, sums, tl.dot(turned, ruler, input_precision=PRECISION))
    x = (place - n).to(tl.float32)[:, None]
    square = tl.where(i == 0, 1.0, 0.0)
    linear = tl.where(i == 1, -2.0, tl.where(i == 4, 1.0, 0.0))
    constant = tl.where(i == 2, 64.0, tl.where(i == 3, 1.0, tl.where(i == 5, -1.0, 0.0)))
    return sums * ((square * x + linear) * x + constant)


@triton.jit(do_not_specialize=LENGTHS)
def attend(
    q, k, v, out, features, rulers, members, spans, holes, runs, bias, sinks, sums, lse, top, peaks,
    q_batch, q_head, q_row, k_batch, k_head, k_row, v_batch, v_head, v_row, bias_batch, bias_head, bias_row,
    heads, queries, keys, scale, cap, left, right,
    BM: tl.constexpr, BN: tl.constexpr, SHARED: tl.constexpr, D: tl.constexpr, DP: tl.constexpr,
    REST: tl.constexpr, RP: tl.constexpr, PADDED: tl.constexpr, RUNS: tl.constexpr, LEFT: tl.constexpr,
    RIGHT: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, PRECISION: tl.constexpr, DV: tl.constexpr,
    DVP: tl.constexpr, MASSES: tl.constexpr, OFFSETS: tl.constexpr, FC: tl.constexpr,
    BY: tl.constexpr, GROUPS: tl.constexpr, GP: tl.constexpr, EVEN: tl.constexpr, SINKS: tl.constexpr,
    ROWS: tl.constexpr, BACKWARD: tl.constexpr, FAR: tl.constexpr,
):  # fmt: skip
    """A block of queries of one head: its output, and its row functions summed over groups of queries.

    `sums` is (batch head block group column); columns are the masses, the offsets, entropy, largest weight,
    and from FC on the four distances.
    """
    blocks = tl.cdiv(queries, BM)
    pid = tl.program_id(0)
    block = blocks - 1 - pid % blocks  # under a causal mask the last ones take longest, so they go first
    flat = pid // blocks
    b, h = (flat // heads).to(tl.int64), (flat % heads).to(tl.int64)
    g = h // SHARED  # the group of query heads that share keys and values
    q += b * q_batch + h * q_head
    k += b * k_batch + g * k_head
    v += b * v_batch + g * v_head
    features += b * keys * FC
    rulers += b * keys * RULER
    holes += b * keys
    bias += b * bias_batch + h * bias_head
    rows = block * BM + tl.arange(0, BM)
    query = vectors(q, q_row, rows, queries, D, DP, True)
    query_rest = rest_of(q, q_row, rows, queries, query, D, REST, RP, True)
    factor = 1.0 if CAP or BIAS else scale * LOG2E

    # the keys that some query of the block may see, and among them the blocks that all of them see whole
    lo, hi = 0, keys
    if PADDED == 1:
        lo, hi = tl.load(spans + 2 * b), tl.load(spans + 2 * b + 1)
    begin, end, whole, past = lo, hi, lo, hi
    place = rows
    if RUNS:
        lo, hi = bounds(runs, b, rows, queries, lo, hi, RUNS)
        place = tl.load(runs + (b * queries + rows) * 3 + 2, mask=rows < queries, other=0)
        begin = tl.min(tl.where(rows < queries, lo, keys), 0)
        end = tl.max(hi, 0)
        whole = tl.max(lo, 0)
        past = tl.min(tl.where(rows < queries, hi, keys), 0)
    if LEFT:
        begin = tl.maximum(begin, block * BM - left)
        whole = tl.maximum(whole, block * BM + BM - 1 - left)
    if RIGHT:
        end = tl.minimum(end, block * BM + BM + right)
        past = tl.minimum(past, block * BM + right + 1)
    begin = begin // BN * BN
    whole = tl.cdiv(whole, BN) * BN
    past = past // BN * BN
    if PADDED == 2:
        past = whole
    empty = past <= whole
    whole = tl.where(empty, begin, whole)
    past = tl.where(empty, begin, past)

    m = tl.full([BM], NEVER, tl.float32)
    l = tl.zeros([BM, LANES], tl.float32)
    e = tl.zeros([BM, LANES], tl.float32)
    best = tl.zeros([BM], tl.int32)
    acc = tl.zeros([BM, DVP], tl.float32)
    mass = tl.zeros([BM, FC], tl.float32)
    far = tl.zeros([BM, RULER], tl.float32)
    c = tl.arange(0, FC)[None, :]
    # the weights at offsets are known before any other: they wait as p among the masses, and shrink with them
    for o in tl.static_range(OFFSETS):
        if not (BACKWARD and BY[o] > 0):  # no query sees a key ahead of it
            cols = place + BY[o]
            there = (cols >= 0) & (cols < keys)
            key = vectors(k, k_row, cols, keys, D, DP, True)
            s = tl.sum(query.to(tl.float32) * key.to(tl.float32), 1)
            if REST:
                key = vectors(k + D, k_row, cols, keys, REST, RP, True)
                s += tl.sum(query_rest.to(tl.float32) * key.to(tl.float32), 1)
            s = in_units_of_log2(
                s,
                rows,
                cols,
                queries,
                keys,
                scale,
                cap,
                bias,
                bias_row,
                CAP,
                BIAS,
            )
            may = there & allowed(rows, cols, lo, hi, left, right, holes, PADDED, LEFT, RIGHT)
            s = tl.where(may, s * factor, NEVER)
            best = tl.where(s > m, cols, best)
            fresh = tl.maximum(m, s)
            p = tl.where(may, tl.exp2(s - fresh), 0.0)
            mass = tl.where(c == MASSES + o, p[:, None], mass * tl.exp2(m - fresh)[:, None])
            m = fresh
    if RUNS:
        lo, hi = lo[:, None], hi[:, None]
    for n in range(whole, past, BN):
        m, l, e, acc, mass, far, best = step(
            n, query, query_rest, rows, place, m, l, e, acc, mass, far, best, k, v, features, rulers, holes,
            bias, k_row, v_row, bias_row, lo, hi, left, right, queries, keys, scale, cap, factor,
            D, DP, REST, RP, DV, DVP, BM, BN, MASSES, FC, PADDED, LEFT, RIGHT, CAP, BIAS, ROWS,
            GROUPS > 0, FAR, not BACKWARD, False, PRECISION,
        )  # fmt: skip
    if PADDED or RUNS or LEFT or RIGHT or not EVEN:
        before = (whole - begin) // BN
        after = tl.cdiv(tl.maximum(end - past, 0), BN)
        for t in range(0, before + after):
            n = tl.where(t < before, begin + t * BN, past + (t - before) * BN)
            m, l, e, acc, mass, far, best = step(
                n, query, query_rest, rows, place, m, l, e, acc, mass, far, best, k, v, features, rulers,
                holes, bias, k_row, v_row, bias_row, lo, hi, left, right, queries, keys, scale, cap, factor,
                D, DP, REST, RP, DV, DVP, BM, BN, MASSES, FC, PADDED, LEFT, RIGHT, CAP, BIAS, ROWS,
                GROUPS > 0, FAR, not BACKWARD, True, PRECISION,
            )  # fmt: skip

    l, e = tl.sum(l, 1), tl.sum(e, 1)
    total = l
    peak = m
    if SINKS:
        sink = tl.load(sinks + h).to(tl.float32) * LOG2E
        peak = tl.maximum(m, sink)
        total = l * tl.exp2(m - peak) + tl.exp2(sink - peak)
    logsum = peak + tl.log2(tl.maximum(total, 1.0e-30))
    largest = tl.where(l > 0, tl.exp2(m - logsum), 0.0)  # also what every p is to be multiplied by
    d = tl.arange(0, DVP)
    inside = (rows < queries)[:, None] & (d < DV)[None, :]
    target = out + ((b * queries + rows) * heads + h)[:, None] * DV + d[None, :]
    tl.store(target, (acc * largest[:, None]).to(out.dtype.element_ty), mask=inside)
    if ROWS:
        here = flat.to(tl.int64) * queries + rows
        tl.store(lse + here, logsum, mask=rows < queries)
        tl.store(top + here, best, mask=rows < queries)
        tl.store(peaks + here, largest, mask=rows < queries)

    if GROUPS:
        values = mass * largest[:, None]
        entropy = LN2 * largest * ((logsum - m) * l - e)  # Σ α (ln Σ e^s - s)
        values = tl.where(c == MASSES + OFFSETS, entropy[:, None], values)
        values = tl.where(c == MASSES + OFFSETS + 1, largest[:, None], values)
        i = tl.arange(0, GP)[:, None]
        whose = members + (b * GROUPS + i) * queries + rows[None, :]
        member = tl.load(whose, mask=(i < GROUPS) & (rows < queries)[None, :], other=0)  # group query
        WIDTH: tl.constexpr = FC + 4 if FAR else FC
        sums += (flat.to(tl.int64) * blocks + block) * GROUPS * WIDTH
        if FAR:  # squares of distances need a float32's range
            total = tl.dot(member, far * largest[:, None], input_precision="tf32x3")
            total = tl.sum(tl.reshape(total, [GP, 4, RULER // 4]), 2)
            f = tl.arange(0, 4)[None, :]
            tl.store(sums + i * WIDTH + FC + f, total, mask=i < GROUPS)
        # values are at most 20, so that two float16s hold what a float32 does; 0 and 1 are exact
        member = member.to(tl.float16)
        high = values.to(tl.float16)
        low = (values - high.to(tl.float32)).to(tl.float16)
        total = tl.dot(member, low, tl.dot(member, high))
        tl.store(sums + i * WIDTH + c, total, mask=i < GROUPS)
