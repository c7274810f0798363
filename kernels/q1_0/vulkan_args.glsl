/* What every Q1_0 shader starts with: arguments, buffers, bytes at any alignment, lane sums.
 *
 * Buffers are words; blocks of 18 and 34 bytes are put together from them by shifts. Nothing is read past the word that
 * holds the last byte. */
#extension GL_EXT_control_flow_attributes : require
#include "kernels/exact/exact.h"
#include "kernels/q1_0/half.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(set = 0, binding = 0) readonly buffer WWords { uint w_words[]; };
layout(set = 0, binding = 1) readonly buffer XWords { uint x_words[]; };
layout(set = 0, binding = 2) writeonly buffer YWords { uint y_words[]; };

layout(push_constant) uniform Push /* struct q1_push */
{
    uint m, n, blocks;
    uint w_row, w_offset;
    uint x_row, x_offset;
    uint y_row, y_offset;
    uint extra[3];
}
push;

#define W_BLOCK 18u
#define X_BLOCK 34u
#define SUBS    4u
#define LANES   8u

/* Four bytes from byte `at`, and the two from there in the low half. */
uint w_four(uint at)
{
    uint word = w_words[at >> 2], turn = (at & 3u) * 8u;
    return turn == 0u ? word : (word >> turn) | (w_words[(at >> 2) + 1u] << (32u - turn));
}
uint w_two(uint at)
{
    uint word = w_words[at >> 2] >> ((at & 3u) * 8u);
    return (at & 3u) == 3u ? word | (w_words[(at >> 2) + 1u] << 8) : word & 0xFFFFu;
}
uint x_four(uint at)
{
    uint word = x_words[at >> 2], turn = (at & 3u) * 8u;
    return turn == 0u ? word : (word >> turn) | (x_words[(at >> 2) + 1u] << (32u - turn));
}
uint x_two(uint at)
{
    uint word = x_words[at >> 2] >> ((at & 3u) * 8u);
    return (at & 3u) == 3u ? word | (x_words[(at >> 2) + 1u] << 8) : word & 0xFFFFu;
}

/* The exact sum of a lane's four codes, each negated where its bit of `signs` is 0; -(-128) stays -128. Bytes are negated
 * side by side: (q ^ flip) + 1 without a carry from byte to byte. */
int lane_sum(uint codes, uint signs)
{
    uint one = ~(((signs & 15u) * 0x00204081u)) & 0x01010101u, flip = one * 255u, q = codes ^ flip;
    q = ((q & 0x7F7F7F7Fu) + one) ^ (q & 0x80808080u);
    return bitfieldExtract(int(q), 0, 8) + bitfieldExtract(int(q), 8, 8) + bitfieldExtract(int(q), 16, 8) +
           bitfieldExtract(int(q), 24, 8);
}

bool half_finite(uint h) { return (h & 0x7C00u) != 0x7C00u; }
