"""What runs on the GPU once a call's log-sums are known: α is then 2^(s - log-sum), wherever it is needed."""

import triton
import triton.language as tl

from attlas.tap import totals
from attlas.tap.triton.code import (
    LENGTHS,
    LN2,
    LOG2E,
    allowed,
    bounds,
    dot_products,
    in_units_of_log2,
    rest_of,
    vectors,
)

LEAST = tl.constexpr(totals.LEAST)


@triton.jit
def weights_of(
    query, query_rest, key, key_rest, logsum, rows, cols, lo, hi, left, right, holes, bias, bias_row, queries,
    keys, scale, cap,
    REST: tl.constexpr, PADDED: tl.constexpr, LEFT: tl.constexpr, RIGHT: tl.constexpr, CAP: tl.constexpr,
    BIAS: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """row column: the weights of a tile; 0 where a key may not be seen."""
    s = dot_products(query, query_rest, key, key_rest, REST, PRECISION)
    return softmax_of(
        s, logsum[:, None], rows[:, None], cols[None, :], lo, hi, left, right, holes, bias, bias_row,
        queries, keys, scale, cap, PADDED, LEFT, RIGHT, CAP, BIAS,
    )  # fmt: skip


@triton.jit
def softmax_of(
    dots, logsum, rows, cols, lo, hi, left, right, holes, bias, bias_row, queries, keys, scale, cap,
    PADDED: tl.constexpr, LEFT: tl.constexpr, RIGHT: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr,
):  # fmt: skip
    """Dot products become weights; everything broadcasts."""
    s = in_units_of_log2(dots, rows, cols, queries, keys, scale, cap, bias, bias_row, CAP, BIAS)
    if not (CAP or BIAS):
        s = s * (scale * LOG2E)
    may = allowed(rows, cols, lo, hi, left, right, holes, PADDED, LEFT, RIGHT) & (rows < queries)
    return tl.where(may, tl.exp2(tl.minimum(s - logsum, 0.0)), 0.0)


@triton.jit(do_not_specialize=LENGTHS)
def add_columns(
    q, k, lse, weights, sums, spans, holes, runs, bias,
    q_batch, q_head, q_row, k_batch, k_head, k_row, bias_batch, bias_head, bias_row,
    heads, queries, keys, scale, cap, left, right,
    BM: tl.constexpr, BN: tl.constexpr, SHARED: tl.constexpr, D: tl.constexpr, DP: tl.constexpr,
    REST: tl.constexpr, RP: tl.constexpr, PADDED: tl.constexpr, RUNS: tl.constexpr, LEFT: tl.constexpr,
    RIGHT: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, PRECISION: tl.constexpr,
    ABSOLUTE: tl.constexpr,
):  # fmt: skip
    """A block of keys of one head: over the queries i, with `weights` w, Σ wᵢ αᵢⱼ, or Σ wᵢ |qᵢ·kⱼ|.

    The second is gradient importance, for with O = αV, dL/dα is dL/dO Vᵀ. `sums` is (batch head key).
    """
    blocks = tl.cdiv(keys, BN)
    pid = tl.program_id(0)
    block = pid % blocks
    flat = pid // blocks
    b, h = (flat // heads).to(tl.int64), (flat % heads).to(tl.int64)
    q += b * q_batch + h * q_head
    k += b * k_batch + h // SHARED * k_head
    holes += b * keys
    bias += b * bias_batch + h * bias_head
    lse += flat.to(tl.int64) * queries
    weights += b * queries
    cols = block * BN + tl.arange(0, BN)
    key = vectors(k, k_row, cols, keys, D, DP, True)
    key_rest = rest_of(k, k_row, cols, keys, key, D, REST, RP, True)
    lo, hi = 0, keys
    if PADDED == 1:
        lo, hi = tl.load(spans + 2 * b), tl.load(spans + 2 * b + 1)
    begin, end = 0, queries
    if RIGHT:
        begin = tl.maximum(begin, block * BN - right)
    if LEFT:
        end = tl.minimum(end, block * BN + BN + left)
    total = tl.zeros([BN], tl.float32)
    for n in range(begin // BM * BM, end, BM):
        rows = n + tl.arange(0, BM)
        first, past = bounds(runs, b, rows[:, None], queries, lo, hi, RUNS)
        seen = True
        if RUNS:
            seen = (tl.min(tl.min(first, 1), 0) < block * BN + BN) & (tl.max(tl.max(past, 1), 0) > block * BN)
        if seen:
            query = vectors(q, q_row, rows, queries, D, DP, True)
            query_rest = rest_of(q, q_row, rows, queries, query, D, REST, RP, True)
            weight = tl.load(weights + rows, mask=rows < queries, other=0)
            if ABSOLUTE:
                p = tl.abs(dot_products(query, query_rest, key, key_rest, REST, PRECISION))
                may = allowed(
                    rows[:, None], cols[None, :], first, past, left, right, holes, PADDED, LEFT, RIGHT
                )
                p = tl.where(may, p, 0.0)
            else:
                logsum = tl.load(lse + rows, mask=rows < queries, other=0)
                p = weights_of(
                    query, query_rest, key, key_rest, logsum, rows, cols, first, past, left, right, holes,
                    bias, bias_row, queries, keys, scale, cap, REST, PADDED, LEFT, RIGHT, CAP, BIAS,
                    PRECISION,
                )  # fmt: skip
            total += tl.sum(p * weight[:, None], 0)
    tl.store(sums + flat.to(tl.int64) * keys + cols, total, mask=cols < keys)


@triton.jit(do_not_specialize=LENGTHS)
def keep_strongest(
    q, k, lse, kept, places, spans, holes, runs, bias,
    q_batch, q_head, q_row, k_batch, k_head, k_row, bias_batch, bias_head, bias_row,
    heads, queries, keys, scale, cap, left, right,
    BM: tl.constexpr, BN: tl.constexpr, SHARED: tl.constexpr, D: tl.constexpr, DP: tl.constexpr,
    REST: tl.constexpr, RP: tl.constexpr, PADDED: tl.constexpr, RUNS: tl.constexpr, LEFT: tl.constexpr,
    RIGHT: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, PRECISION: tl.constexpr,
    K: tl.constexpr, KP: tl.constexpr,
):  # fmt: skip
    """A block of queries of one head: the K largest weights of each row and their keys, in no order.

    `kept` and `places` are (batch head query K).
    """
    blocks = tl.cdiv(queries, BM)
    pid = tl.program_id(0)
    block = blocks - 1 - pid % blocks
    flat = pid // blocks
    b, h = (flat // heads).to(tl.int64), (flat % heads).to(tl.int64)
    q += b * q_batch + h * q_head
    k += b * k_batch + h // SHARED * k_head
    holes += b * keys
    bias += b * bias_batch + h * bias_head
    rows = block * BM + tl.arange(0, BM)
    query = vectors(q, q_row, rows, queries, D, DP, True)
    query_rest = rest_of(q, q_row, rows, queries, query, D, REST, RP, True)
    logsum = tl.load(lse + flat.to(tl.int64) * queries + rows, mask=rows < queries, other=0)
    lo, hi = 0, keys
    if PADDED == 1:
        lo, hi = tl.load(spans + 2 * b), tl.load(spans + 2 * b + 1)
    begin, end = lo, hi
    if RUNS:
        lo, hi = bounds(runs, b, rows[:, None], queries, lo, hi, RUNS)
        begin = tl.min(tl.min(tl.where((rows < queries)[:, None], lo, keys), 1), 0)
        end = tl.max(tl.max(hi, 1), 0)
    if LEFT:
        begin = tl.maximum(begin, block * BM - left)
    if RIGHT:
        end = tl.minimum(end, block * BM + BM + right)
    # at least K keys, if only of weight 0, so that every slot is taken by a key of its own
    begin = tl.maximum(tl.minimum(begin, keys - K), 0)
    end = tl.minimum(tl.maximum(end, begin + K), keys)
    slots = tl.arange(0, KP)[None, :]
    best = tl.where(slots < K, -1.0, 2.0) + tl.zeros([BM, KP], tl.float32)  # those past K are never the least
    place = tl.zeros([BM, KP], tl.int32)
    offsets = tl.arange(0, BN)
    for n in range(begin // BN * BN, end, BN):
        cols = n + offsets
        key = vectors(k, k_row, cols, keys, D, DP, True)
        key_rest = rest_of(k, k_row, cols, keys, key, D, REST, RP, True)
        p = weights_of(
            query, query_rest, key, key_rest, logsum, rows, cols, lo, hi, left, right, holes, bias, bias_row,
            queries, keys, scale, cap, REST, PADDED, LEFT, RIGHT, CAP, BIAS, PRECISION,
        )  # fmt: skip
        p = tl.where((cols < keys)[None, :], p, -1.0)
        top, at = tl.max(p, 1, return_indices=True)
        least, slot = tl.min(best, 1, return_indices=True)
        # as long as some row's largest beats the least that it keeps: seldom, once a few blocks were seen
        while tl.max((top > least).to(tl.int32), 0) > 0:
            here = (slots == slot[:, None]) & (top > least)[:, None]
            best = tl.where(here, top[:, None], best)
            place = tl.where(here, (n + at)[:, None], place)
            p = tl.where(offsets[None, :] == at[:, None], -1.0, p)
            top, at = tl.max(p, 1, return_indices=True)
            least, slot = tl.min(best, 1, return_indices=True)
    target = (flat.to(tl.int64) * queries + rows)[:, None] * K + slots
    inside = (rows < queries)[:, None] & (slots < K)
    tl.store(kept + target, best, mask=inside)
    tl.store(places + target, place, mask=inside)


@triton.jit
def products(first, second, there, D: tl.constexpr, DP: tl.constexpr):
    """pair: the products of the vectors that begin at `first` and at `second`."""
    d = tl.arange(0, DP)[None, :]
    inside = there[:, None] & (d < D)
    left = tl.load(first[:, None] + d, mask=inside, other=0).to(tl.float32)
    return tl.sum(left * tl.load(second[:, None] + d, mask=inside, other=0).to(tl.float32), 1)


@triton.jit(do_not_specialize=[*LENGTHS, "pairs"])
def at_pairs(
    q, k, lse, segment, query, key, weights, spans, holes, runs, bias,
    q_batch, q_head, q_row, k_batch, k_head, k_row, bias_batch, bias_head, bias_row,
    heads, queries, keys, scale, cap, left, right, pairs,
    BP: tl.constexpr, SHARED: tl.constexpr, D: tl.constexpr, DP: tl.constexpr,
    REST: tl.constexpr, RP: tl.constexpr, PADDED: tl.constexpr, RUNS: tl.constexpr, LEFT: tl.constexpr,
    RIGHT: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """A block of chosen pairs in one head. `segment`, `query` and `key` are (pair), `weights` (pair head)."""
    blocks = tl.cdiv(pairs, BP)
    pid = tl.program_id(0)
    h = (pid // blocks).to(tl.int64)
    number = pid % blocks * BP + tl.arange(0, BP)
    there = number < pairs
    b = tl.load(segment + number, mask=there, other=0)
    i = tl.load(query + number, mask=there, other=0)
    j = tl.load(key + number, mask=there, other=0)
    query_at = q + b * q_batch + h * q_head + i * q_row
    key_at = k + b * k_batch + h // SHARED * k_head + j * k_row
    dots = products(query_at, key_at, there, D, DP)
    if REST:
        dots += products(query_at + D, key_at + D, there, REST, RP)
    lo, hi = tl.zeros([BP], tl.int32), tl.zeros([BP], tl.int32) + keys
    if PADDED == 1:
        lo, hi = tl.load(spans + 2 * b), tl.load(spans + 2 * b + 1)
    lo, hi = bounds(runs, b, i, queries, lo, hi, RUNS)
    logsum = tl.load(lse + (b * heads + h) * queries + i, mask=there, other=0)
    p = softmax_of(
        dots, logsum, i, j, lo, hi, left, right, holes + b * keys, bias + (b * bias_batch + h * bias_head),
        bias_row, queries, keys, scale, cap, PADDED, LEFT, RIGHT, CAP, BIAS,
    )  # fmt: skip
    tl.store(weights + number.to(tl.int64) * heads + h, p, mask=there)


@triton.jit(do_not_specialize=[*LENGTHS, "size", "high", "wide"])
def add_tiles(
    q, k, lse, sums, spans, holes, runs, bias,
    q_batch, q_head, q_row, k_batch, k_head, k_row, bias_batch, bias_head, bias_row,
    heads, queries, keys, scale, cap, left, right, size, high, wide,
    BM: tl.constexpr, BN: tl.constexpr, SHARED: tl.constexpr, D: tl.constexpr, DP: tl.constexpr,
    REST: tl.constexpr, RP: tl.constexpr, PADDED: tl.constexpr, RUNS: tl.constexpr, LEFT: tl.constexpr,
    RIGHT: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    """One square of `size` queries and `size` keys of one head: the sum of its weights.

    `sums` is (batch head high wide).
    """
    pid = tl.program_id(0)
    flat = pid // (high * wide)
    first, start = pid // wide % high * size, pid % wide * size
    b, h = (flat // heads).to(tl.int64), (flat % heads).to(tl.int64)
    q += b * q_batch + h * q_head
    k += b * k_batch + h // SHARED * k_head
    holes += b * keys
    bias += b * bias_batch + h * bias_head
    lse += flat.to(tl.int64) * queries
    lo, hi = 0, keys
    if PADDED == 1:
        lo, hi = tl.load(spans + 2 * b), tl.load(spans + 2 * b + 1)
    last, stop = tl.minimum(first + size, queries), tl.minimum(start + size, keys)
    total = tl.zeros([BM], tl.float32)
    for m in range(first, last, BM):
        rows = m + tl.arange(0, BM)
        query = vectors(q, q_row, rows, last, D, DP, True)
        query_rest = rest_of(q, q_row, rows, last, query, D, REST, RP, True)
        logsum = tl.load(lse + rows, mask=rows < last, other=0)
        begin, end = start, stop
        above, below = bounds(runs, b, rows[:, None], queries, lo, hi, RUNS)
        if RUNS:
            earliest = tl.min(tl.min(tl.where((rows < last)[:, None], above, keys), 1), 0)
            begin = tl.maximum(begin, start + (earliest - start) // BN * BN)
            end = tl.minimum(end, tl.max(tl.max(below, 1), 0))
        if LEFT:
            begin = tl.maximum(begin, start + (m - left - start) // BN * BN)
        if RIGHT:
            end = tl.minimum(end, m + BM + right)
        for n in range(begin, end, BN):
            cols = n + tl.arange(0, BN)
            key = vectors(k, k_row, cols, stop, D, DP, True)
            key_rest = rest_of(k, k_row, cols, stop, key, D, REST, RP, True)
            p = weights_of(
                query, query_rest, key, key_rest, logsum, rows, cols, above, below, left, right, holes, bias,
                bias_row, queries, keys, scale, cap, REST, PADDED, LEFT, RIGHT, CAP, BIAS, PRECISION,
            )  # fmt: skip
            total += tl.sum(tl.where((rows < last)[:, None] & (cols < stop)[None, :], p, 0.0), 1)
    tl.store(sums + pid, tl.sum(total, 0))


@triton.jit
def _add_up(at, there, place):
    """segment mean, float64: what lies at the means' places, added up over blocks. `at` is segment block."""
    values = tl.load(
        at[:, :, None] + place[None, None, :],
        mask=there[:, :, None] & (place >= 0)[None, None, :],
        other=0,
    )
    return tl.sum(values.to(tl.float64), 1)


@triton.jit(do_not_specialize=["layers", "batch", "heads", "several", "width", "means"])
def by_item(
    values, counted, blocks, places, per, layers, batch, heads, several, width, means,
    SEGMENTS: tl.constexpr, BLOCKS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """One head of one layer, all means and segments: total / per, as `attlas.tap.totals.TotalPlaces` has it.

    `values` and `counted` are (batch layer head mean), `blocks` (layer batch head block place), `per` (mean
    batch), `places` (3 mean).
    """
    layer, head = tl.program_id(0) // heads, tl.program_id(0) % heads
    s = tl.arange(0, WIDTH)
    place = tl.load(places + s, mask=s < means, other=-1)
    over = tl.load(places + means + s, mask=s < means, other=-1)
    squared = tl.load(places + 2 * means + s, mask=s < means, other=-1)
    for start in range(0, batch, SEGMENTS):
        b = start + tl.arange(0, SEGMENTS)
        total = tl.zeros([SEGMENTS, WIDTH], tl.float64)
        part = tl.zeros([SEGMENTS, WIDTH], tl.float64)
        root = tl.zeros([SEGMENTS, WIDTH], tl.float64)
        first = ((layer * batch + b) * heads + head).to(tl.int64) * several
        for n in range(0, several, BLOCKS):
            block = n + tl.arange(0, BLOCKS)
            there = (b < batch)[:, None] & (block < several)[None, :]
            at = blocks + (first[:, None] + block[None, :]) * width
            total += _add_up(at, there, place)
            part += _add_up(at, there, over)
            root += _add_up(at, there, squared)
        inside = (b < batch)[:, None] & (s < means)[None, :]
        by = tl.load(per + s[None, :] * batch + b[:, None], mask=inside, other=0)
        whole = (over < 0)[None, :]
        present = inside & (by > 0) & (place >= 0)[None, :] & (whole | (part >= LEAST * by))
        by = tl.where(present, tl.where(whole, by, part), 1.0)
        value = tl.where(present, total / by, 0.0)
        variance = tl.maximum(value - (root / by) * (root / by), 0.0)
        value = tl.where(present & (squared >= 0)[None, :], variance, value)
        here = ((b.to(tl.int64) * layers + layer) * heads + head) * means
        tl.store(values + here[:, None] + s[None, :], value, mask=inside)
        tl.store(counted + here[:, None] + s[None, :], present, mask=inside)


@triton.jit
def diverge(weights, sums, heads, size, chunk, BH: tl.constexpr, BE: tl.constexpr):
    """Two tiles of heads of one segment, over a chunk of its weights: Σ JS(p, q) in nats, every pair.

    `weights` is (segment head element), `sums` is (segment chunk head head); pairs below the diagonal of
    tiles stay unwritten.
    """
    pair, part, segment = tl.program_id(0), tl.program_id(1), tl.program_id(2).to(tl.int64)
    # the pair-th of (0,0), (0,1), (1,1), (0,2), ...
    second = ((tl.sqrt(8.0 * pair + 1.0) - 1.0) * 0.5).to(tl.int32)
    second += tl.where((second + 1) * (second + 2) // 2 <= pair, 1, 0)
    second -= tl.where(second * (second + 1) // 2 > pair, 1, 0)
    first = pair - second * (second + 1) // 2
    i, j = first * BH + tl.arange(0, BH), second * BH + tl.arange(0, BH)
    weights += segment * heads * size
    total = tl.zeros([BH, BH, BE], tl.float32)
    for start in range(part * chunk, tl.minimum(size, part * chunk + chunk), BE):
        e = start + tl.arange(0, BE)
        here = e < size
        p = tl.load(
            weights + i[:, None].to(tl.int64) * size + e[None, :],
            mask=(i < heads)[:, None] & here[None, :],
            other=0,
        )
        q = tl.load(
            weights + j[:, None].to(tl.int64) * size + e[None, :],
            mask=(j < heads)[:, None] & here[None, :],
            other=0,
        )
        # JS = ½ Σ p log p + q log q - (p+q) log (p+q) + (p+q), in bits; 0 log 0 is 0
        own_p = p * tl.log2(tl.maximum(p, 1.0e-37)) + p
        own_q = q * tl.log2(tl.maximum(q, 1.0e-37)) + q
        both = p[:, None, :] + q[None, :, :]
        total += (own_p[:, None, :] + own_q[None, :, :]) - both * tl.log2(tl.maximum(both, 1.0e-37))
    sums += (segment * tl.num_programs(1) + part) * heads * heads
    inside = (i < heads)[:, None] & (j < heads)[None, :]
    tl.store(sums + i[:, None] * heads + j[None, :], tl.sum(total, 2) * (0.5 * LN2), mask=inside)
