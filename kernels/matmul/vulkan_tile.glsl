/* Matrix product by tiles, a text for several sizes. The including shader defines
 *   TILE_M TILE_N   outputs of a workgroup      REG_M REG_N   outputs of an invocation (multiples of 4)
 *   DEPTH           k staged at once (divides 32)
 * The workgroup has TILE_M / REG_M * TILE_N / REG_N invocations. It walks over tiles, so any grid will do.
 *
 * Exactness: docs/exactness.md rule 2. Chains of 32 fused multiply-adds from +0, groups of four chains, totals of groups,
 * k ascending; each addition rounds once. Rows and columns beyond M and N are computed from repeated operands and not
 * stored; the end of K is a loop bound, never padding (0 * infinity is NaN). Split (push.extra[0],
 * groups a workgroup, is not 0): the sum of every group is stored and added up, in order, by vulkan_join.comp. A product
 * whose loops would be too long for a driver comes in ranges of k, one a dispatch: from push.extra[2] (a group's first)
 * to push.k, each going on from the totals in Y. */
#include "kernels/matmul/vulkan_args.glsl"

/* How an operand is read: 4 neighbours in k (0) or in m / n (1); + 2 as one 16-byte load. */
#define ALONG_OUTER 1u
#define AS_VECTOR 2u
#if defined(ASSAY_TEXT_emulated)
/* From the arguments: one pipeline for all, since a software renderer needs a second for each. */
#define a_mode (push.extra[1] & 3u)
#define b_mode (push.extra[1] >> 2)
#define split (push.extra[0] != 0u)
#else
/* Specialised for both operands in whole quads, for the rest from the arguments too: few programs, since each is a
 * compilation that must prove itself (docs/exactness.md). */
#define ANY_MODE 4u
layout(constant_id = 4) const uint a_mode_given = ANY_MODE;
layout(constant_id = 5) const uint b_mode_given = ANY_MODE;
layout(constant_id = 6) const bool split = false;
#define a_mode (a_mode_given == ANY_MODE ? push.extra[1] & 3u : a_mode_given)
#define b_mode (b_mode_given == ANY_MODE ? push.extra[1] >> 2 : b_mode_given)
#endif

#define THREADS ((TILE_M / REG_M) * (TILE_N / REG_N))
#define A_QUADS (TILE_M * DEPTH / 4 / THREADS)
#define B_QUADS (TILE_N * DEPTH / 4 / THREADS)
#define M_QUADS (REG_M / 4)
#define N_QUADS (REG_N / 4)
#define BAND 8u /* rows of tiles walked together, so that operands stay in the cache */

/* [k][m / 4] and [k][n / 4]; one quad of padding spreads transposed stores over the banks */
shared uvec4 a_stage[2][DEPTH][TILE_M / 4 + 1];
shared uvec4 b_stage[2][DEPTH][TILE_N / 4 + 1];
#if defined(ASSAY_TEXT_emulated)
shared uint a_unsafe[TILE_M], b_unsafe[TILE_N]; /* rows and columns with a factor outside xf_factor_safe */
#define FMA xf_fma_safe
#define ADD xf_hw_add
#else
#define FMA xf_fma
#define ADD xf_add
#endif

struct tile {
    uint batch, m, n, begin, end; /* first row and column, range of k */
};

/* Quad e of a stage covers 4 k of one row, or 4 rows of one k. */
uint quad_k(uint mode, uint e, uint tile_size) { return (mode & ALONG_OUTER) != 0u ? e / (tile_size / 4u) : e % (DEPTH / 4u) * 4u; }
uint quad_outer(uint mode, uint e, uint tile_size) { return (mode & ALONG_OUTER) != 0u ? e % (tile_size / 4u) * 4u : e / (DEPTH / 4u); }

#define LOAD_OPERAND(words, quads, mode, count, tile_size, first, limit, index, target)                      \
    [[unroll]] for (uint q = 0u; q < count; q++)                                                             \
    {                                                                                                        \
        uint e = q * THREADS + gl_LocalInvocationIndex;                                                      \
        uint k = k0 + quad_k(mode, e, tile_size), outer = first + quad_outer(mode, e, tile_size);            \
        uvec4 v = uvec4(0u);                                                                                 \
        if ((mode & AS_VECTOR) != 0u) {                                                                      \
            if (k < t.end) v = quads[index(t.batch, k, min(outer, limit - 1u)) / 4u];                        \
        } else if ((mode & ALONG_OUTER) != 0u) {                                                             \
            if (k < t.end)                                                                                   \
                v = uvec4(words[index(t.batch, k, min(outer, limit - 1u))],                                  \
                          words[index(t.batch, k, min(outer + 1u, limit - 1u))],                             \
                          words[index(t.batch, k, min(outer + 2u, limit - 1u))],                             \
                          words[index(t.batch, k, min(outer + 3u, limit - 1u))]);                            \
        } else {                                                                                             \
            uint at = min(outer, limit - 1u);                                                                \
            if (k < t.end) v.x = words[index(t.batch, k, at)];                                               \
            if (k + 1u < t.end) v.y = words[index(t.batch, k + 1u, at)];                                     \
            if (k + 2u < t.end) v.z = words[index(t.batch, k + 2u, at)];                                     \
            if (k + 3u < t.end) v.w = words[index(t.batch, k + 3u, at)];                                     \
        }                                                                                                    \
        target[q] = v;                                                                                       \
    }

#define A_INDEX(batch, k, m) a_index(batch, m, k)
#define B_INDEX(batch, k, n) b_index(batch, k, n)

#if defined(ASSAY_TEXT_emulated)
bool quad_safe(uvec4 v)
{
    return xf_factor_safe(xf_float(v.x)) && xf_factor_safe(xf_float(v.y)) && xf_factor_safe(xf_float(v.z)) &&
           xf_factor_safe(xf_float(v.w));
}
/* A quad along m or n marks its four rows: more than needed, never less. What is marked is summed again elsewhere and is
 * zero here, so that no subnormal slows the others down. */
#define MARK(unsafe, mode, outer, v)                                                                         \
    if (!quad_safe(v)) {                                                                                     \
        atomicOr(unsafe[outer], 1u);                                                                         \
        if ((mode & ALONG_OUTER) != 0u) {                                                                    \
            atomicOr(unsafe[outer + 1u], 1u);                                                                \
            atomicOr(unsafe[outer + 2u], 1u);                                                                \
            atomicOr(unsafe[outer + 3u], 1u);                                                                \
        }                                                                                                    \
        v = uvec4(0u);                                                                                       \
    }
#else
#define MARK(unsafe, mode, outer, v)
#endif

#define STAGE_OPERAND(stage, unsafe, mode, count, tile_size, source)                                         \
    [[unroll]] for (uint q = 0u; q < count; q++)                                                             \
    {                                                                                                        \
        uint e = q * THREADS + gl_LocalInvocationIndex;                                                      \
        uint k = quad_k(mode, e, tile_size), outer = quad_outer(mode, e, tile_size);                         \
        uvec4 v = source[q];                                                                                 \
        MARK(unsafe, mode, outer, v)                                                                         \
        if ((mode & ALONG_OUTER) != 0u) {                                                                    \
            stage[buffer_index][k][outer / 4u] = v;                                                          \
        } else {                                                                                             \
            stage[buffer_index][k][outer / 4u][outer % 4u] = v.x;                                            \
            stage[buffer_index][k + 1u][outer / 4u][outer % 4u] = v.y;                                       \
            stage[buffer_index][k + 2u][outer / 4u][outer % 4u] = v.z;                                       \
            stage[buffer_index][k + 3u][outer / 4u][outer % 4u] = v.w;                                       \
        }                                                                                                    \
    }

#define EACH_OUTPUT                                                                                          \
    [[unroll]] for (uint i = 0u; i < REG_M; i++)                                                             \
        [[unroll]] for (uint j = 0u; j < REG_N; j++)

/* One k of the staged ones: the outer product of a column of A and a row of B. */
#define STEP(k)                                                                                              \
    {                                                                                                        \
        float a[REG_M], b[REG_N];                                                                            \
        [[unroll]] for (uint q = 0u; q < M_QUADS; q++)                                                       \
        {                                                                                                    \
            vec4 v = uintBitsToFloat(a_stage[buffer_index][k][q * (TILE_M / 4 / M_QUADS) + row]);            \
            a[4 * q] = v.x, a[4 * q + 1] = v.y, a[4 * q + 2] = v.z, a[4 * q + 3] = v.w;                      \
        }                                                                                                    \
        [[unroll]] for (uint q = 0u; q < N_QUADS; q++)                                                       \
        {                                                                                                    \
            vec4 v = uintBitsToFloat(b_stage[buffer_index][k][q * (TILE_N / 4 / N_QUADS) + column]);         \
            b[4 * q] = v.x, b[4 * q + 1] = v.y, b[4 * q + 2] = v.z, b[4 * q + 3] = v.w;                      \
        }                                                                                                    \
        EACH_OUTPUT chain[i][j] = FMA(a[i], b[j], chain[i][j]);                                              \
    }

/* Row and column, within the tile, of output i, j of this invocation. */
uint row_of(uint i, uint row) { return i / 4u * (TILE_M / M_QUADS) + row * 4u + i % 4u; }
uint column_of(uint j, uint column) { return j / 4u * (TILE_N / N_QUADS) + column * 4u + j % 4u; }

/* Where the sum of the group that starts at k goes when K is split. */
uint part_index(tile t, uint k, uint m, uint n)
{
    uint groups = (push.k + GROUP - 1u) / GROUP;
    return ((t.batch * groups + k / GROUP) * push.m + m) * push.n + n;
}

/* Arrays of registers stay local to one function, so that every compiler keeps them in registers. */
void multiply_tile(tile t)
{
    const uint columns = TILE_N / REG_N;
    uint row = gl_LocalInvocationIndex / columns, column = gl_LocalInvocationIndex % columns;
    uint stages = (t.end - t.begin + DEPTH - 1u) / DEPTH;
    uvec4 a_next[A_QUADS], b_next[B_QUADS];
    float chain[REG_M][REG_N], group[REG_M][REG_N], total[REG_M][REG_N];
    EACH_OUTPUT
    {
        chain[i][j] = 0.0;
        group[i][j] = 0.0;
        total[i][j] = 0.0;
    }
    bool going_on = !split && t.begin != 0u;
    if (going_on) {
        EACH_OUTPUT
        {
            uint m = t.m + row_of(i, row), n = t.n + column_of(j, column);
            if (m < push.m && n < push.n) total[i][j] = xf_float(y_words[y_index(t.batch, m, n)]);
        }
    }
#if defined(ASSAY_TEXT_emulated)
    for (uint i = gl_LocalInvocationIndex; i < TILE_M; i += THREADS) a_unsafe[i] = 0u;
    for (uint i = gl_LocalInvocationIndex; i < TILE_N; i += THREADS) b_unsafe[i] = 0u;
    barrier();
    if (xf_variant == XF_INTEGER) stages = 0u;
    uint again = 0u; /* a bit for each output that is to be summed again, checked */
    EACH_OUTPUT if (!xf_sum_safe(total[i][j])) again |= 1u << (i * REG_N + j);
#endif
    /* Turn s fetches stage s, works on stage s - 1, and puts stage s where nobody reads. */
    [[dont_unroll]] for (uint s = 0u; s <= stages; s++)
    {
        if (s < stages) {
            uint k0 = t.begin + s * DEPTH;
            LOAD_OPERAND(a_words, a_quads, a_mode, A_QUADS, TILE_M, t.m, push.m, A_INDEX, a_next)
            LOAD_OPERAND(b_words, b_quads, b_mode, B_QUADS, TILE_N, t.n, push.n, B_INDEX, b_next)
        }
        if (s > 0u) {
            uint k0 = t.begin + (s - 1u) * DEPTH, buffer_index = (s - 1u) % 2u, ahead = min(t.end - k0, DEPTH);
#if defined(ASSAY_TEXT_emulated)
            /* nothing to gain where all outputs of this invocation are to be summed again */
            bool rows_unsafe = true, columns_unsafe = true;
            [[unroll]] for (uint i = 0u; i < REG_M; i++) rows_unsafe = rows_unsafe && a_unsafe[row_of(i, row)] != 0u;
            [[unroll]] for (uint j = 0u; j < REG_N; j++)
                columns_unsafe = columns_unsafe && b_unsafe[column_of(j, column)] != 0u;
            if (rows_unsafe || columns_unsafe) ahead = 0u;
            [[dont_unroll]] for (uint k = 0u; k < ahead; k++) STEP(k)
#else
            if (ahead == DEPTH) {
                [[unroll]] for (uint k = 0u; k < DEPTH; k++) STEP(k)
            } else {
                [[dont_unroll]] for (uint k = 0u; k < ahead; k++) STEP(k)
            }
#endif
            if (s == stages || (k0 + DEPTH) % CHAIN == 0u) {
                EACH_OUTPUT
                {
                    group[i][j] = ADD(group[i][j], chain[i][j]);
                    chain[i][j] = 0.0;
                }
            }
            if (s == stages || (k0 + DEPTH) % GROUP == 0u) {
                EACH_OUTPUT
                {
                    uint m = t.m + row_of(i, row), n = t.n + column_of(j, column);
                    if (!split)
                        total[i][j] = ADD(total[i][j], group[i][j]);
                    else if (m < push.m && n < push.n)
                        y_words[part_index(t, k0, m, n)] = sum_word(group[i][j]);
                    group[i][j] = 0.0;
                }
            }
        }
        if (s < stages) {
            uint buffer_index = s % 2u;
            STAGE_OPERAND(a_stage, a_unsafe, a_mode, A_QUADS, TILE_M, a_next)
            STAGE_OPERAND(b_stage, b_unsafe, b_mode, B_QUADS, TILE_N, b_next)
        }
        barrier();
    }
#if defined(ASSAY_TEXT_emulated)
    EACH_OUTPUT
    {
        bool unsafe = xf_variant == XF_INTEGER || (a_unsafe[row_of(i, row)] | b_unsafe[column_of(j, column)]) != 0u;
        if (unsafe && t.begin < t.end) /* an empty sum is what it was set to */
            again |= 1u << (i * REG_N + j);
    }
#define IS_FINAL(i, j) ((again >> (i * REG_N + j) & 1u) == 0u)
#else
#define IS_FINAL(i, j) true
#endif
    if (!split) {
        EACH_OUTPUT
        {
            uint m = t.m + row_of(i, row), n = t.n + column_of(j, column);
            if (m < push.m && n < push.n && IS_FINAL(i, j)) y_words[y_index(t.batch, m, n)] = sum_word(total[i][j]);
        }
    }
#if defined(ASSAY_TEXT_emulated)
    [[dont_unroll]] for (uint o = 0u; o < REG_M * REG_N; o++)
    {
        uint m = t.m + row_of(o / REG_N, row), n = t.n + column_of(o % REG_N, column);
        if ((again >> o & 1u) == 0u || m >= push.m || n >= push.n) continue;
        [[dont_unroll]] for (uint k = t.begin; k < t.end;)
        {
            uint end = split ? min(t.end - k, GROUP) + k : t.end;
            uint to = split ? part_index(t, k, m, n) : y_index(t.batch, m, n);
            float given = going_on ? xf_float(y_words[to]) : 0.0;
            y_words[to] = sum_word(checked_sum(given, t.batch, m, n, k, end));
            k = end;
        }
    }
    barrier(); /* the next tile clears the marks */
#endif
}

void main()
{
    uint tiles_m = (push.m + TILE_M - 1u) / TILE_M, tiles_n = (push.n + TILE_N - 1u) / TILE_N;
    uint span = split ? push.extra[0] * GROUP : push.k;
    uint spans = split ? (push.k + span - 1u) / span : 1u;
    uint per_batch = tiles_m * tiles_n * spans, tiles = per_batch * push.batch;
    [[dont_unroll]] for (uint i = WORKGROUP; i < tiles; i += WORKGROUPS)
    {
        uint in_batch = i % per_batch, in_plane = in_batch % (tiles_m * tiles_n);
        uint band = in_plane / (BAND * tiles_n), in_band = in_plane % (BAND * tiles_n);
        uint rows = min(BAND, tiles_m - band * BAND);
        tile t;
        t.batch = i / per_batch;
        t.m = (band * BAND + in_band % rows) * TILE_M;
        t.n = in_band / rows * TILE_N;
        t.begin = split ? in_batch / (tiles_m * tiles_n) * span : push.extra[2];
        t.end = split ? min(push.k - t.begin, span) + t.begin : push.k;
        multiply_tile(t);
    }
}
