#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Softmax and the norms: an invocation a lane, a workgroup a line; of lines with fewer than 128 elements a workgroup takes
 * several. Lines are read once a pass; softmax keeps its exponentials in Y.
 *
 * Exactness: docs/exactness.md, rules 3, 5 and 6: lane l adds elements l, l + 128, ... of a block from +0, lanes are joined by
 * halving in shared memory, block results by the same rule; exponential, logarithm, root and quotient correctly rounded,
 * without a fused multiply-add, which is right on every device. */
#define XM_FUSED 0
#define XM_SHORT 0
#include "kernels/exact/divide.h"
#include "kernels/exact/function.h"

#define KEPT      4
#define INNER     3
#define BLOCK     4096u
#define LANES     128u
#define BLOCKS    1024u /* of a line */
#define SOFTMAX   0u
#define LAYER     2u
#define RMS       3u
#define AS_IS     0u
#define EXPONENT  1u
#define CENTRED   2u
#define CENTRED2  3u

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 4) const uint kind = 0u; /* enum normalize_kind */

layout(set = 0, binding = 0) readonly buffer XWords { uint x_words[]; };
layout(set = 0, binding = 1) buffer YWords { uint y_words[]; };
layout(set = 0, binding = 2) readonly buffer ScaleWords { uint scale_words[]; };
layout(set = 0, binding = 3) readonly buffer BiasWords { uint bias_words[]; };

layout(push_constant) uniform Push /* struct normalize_push */
{
    uint lines, k;
    uint x_offset, y_offset, scale_offset, bias_offset;
    uint operation, epsilon, count, each, unused;
    uint kept_n[KEPT], kept_x[KEPT], kept_y[KEPT];
    uint inner_n[INNER], inner_x[INNER], inner_y[INNER];
}
push;

shared uint lane[LANES];
shared uint result[BLOCKS];

uint line_place(uint number, uint step[KEPT])
{
    uint at = 0u;
    for (int d = KEPT - 1; d > 0; d--) {
        if (push.kept_n[d] == 1u) continue;
        uint whole = number / push.kept_n[d];
        at += (number - whole * push.kept_n[d]) * step[d];
        number = whole;
    }
    return at + number * step[0];
}
uint element_place(uint j, uint step[INNER])
{
    uint at = 0u;
    for (int d = INNER - 1; d > 0; d--) {
        if (push.inner_n[d] == 1u) continue;
        uint whole = j / push.inner_n[d];
        at += (j - whole * push.inner_n[d]) * step[d];
        j = whole;
    }
    return at + j * step[0];
}

uint t, l, width, from, to;
bool there;
xf_f m, c;

xf_f element(uint j)
{
    return xf_float(x_words[from + element_place(j, push.inner_x)]);
}
/* What a pass adds; kept in Y where later passes need it. */
xf_f value(uint j, uint pass)
{
    xf_f x = element(j);
    if (pass == AS_IS) return x;
    x = xf_sub(x, m);
    if (pass == CENTRED2) x = xf_sub(x, c);
    if (pass == EXPONENT) {
        x = xm_exp(x);
        if (there && kind == SOFTMAX) y_words[to + element_place(j, push.inner_y)] = xf_bits(x);
    }
    return x;
}

/* Lanes joined by halving; the same sum for all of a line. */
xf_f tree(xf_f v)
{
    barrier();
    lane[t] = xf_bits(v);
    for (uint half_width = width / 2u; half_width > 0u; half_width /= 2u) {
        barrier();
        if (l < half_width) lane[t] = xf_bits(xf_add(xf_float(lane[t]), xf_float(lane[t + half_width])));
    }
    barrier();
    return xf_float(lane[t - l]);
}
xf_f total(uint pass, bool squares)
{
    uint blocks = (push.k - 1u) / BLOCK + 1u;
    xf_f sum = 0.0;
    for (uint b = 0u; b < blocks; b++) {
        uint end = min(push.k, (b + 1u) * BLOCK);
        sum = 0.0;
        for (uint j = b * BLOCK + l; j < end; j += LANES) {
            xf_f x = value(j, pass);
            if (squares)
                sum = xf_fma(x, x, sum);
            else
                sum = xf_add(sum, x);
        }
        sum = tree(sum);
        if (blocks > 1u && t == 0u) result[b] = xf_bits(sum);
    }
    if (blocks == 1u) return sum;
    barrier();
    sum = 0.0;
    for (uint b = t; b < blocks; b += LANES) sum = xf_add(sum, xf_float(result[b]));
    sum = tree(sum);
    barrier();
    return sum;
}
/* The largest element as its key in the order of integers, NaN above all. */
xf_f largest()
{
    int best = -0x7FFFFFFF - 1;
    for (uint j = l; j < push.k; j += LANES) {
        xf_f x = element(j);
        uint u = xf_bits(x);
        int key = int((u >> 31) != 0u ? u ^ 0x7FFFFFFFu : u);
        if (xf_is_nan(x)) key = 0x7FFFFFFF;
        best = max(best, key);
    }
    lane[t] = uint(best);
    for (uint half_width = width / 2u; half_width > 0u; half_width /= 2u) {
        barrier();
        if (l < half_width) lane[t] = uint(max(int(lane[t]), int(lane[t + half_width])));
    }
    barrier();
    uint u = lane[t - l];
    if (u == 0x7FFFFFFFu) return xf_float(XF_NAN);
    return xf_float((u >> 31) != 0u ? u ^ 0x7FFFFFFFu : u);
}

void main()
{
    width = LANES / push.each;
    t = gl_LocalInvocationID.x;
    l = t % width;
    uint line = gl_WorkGroupID.x * push.each + t / width;
    there = line < push.lines;
    line = min(line, push.lines - 1u);
    from = push.x_offset + line_place(line, push.kept_x);
    to = push.y_offset + line_place(line, push.kept_y);
    m = 0.0;
    c = 0.0;
    xf_f s, n = xf_float(push.count);
    if (kind < LAYER) {
        m = largest();
        s = total(EXPONENT, false);
        if (kind != SOFTMAX) s = xm_log(s);
    } else {
        if (kind == LAYER) {
            m = xm_divide(total(AS_IS, false), n);
            c = xm_divide(total(CENTRED, false), n);
        }
        s = xm_divide(total(kind == LAYER ? CENTRED2 : AS_IS, true), n);
        s = xm_sqrt(xf_add(s, xf_float(push.epsilon)));
    }
    if (!there) return;
    for (uint j = l; j < push.k; j += LANES) {
        uint at = to + element_place(j, push.inner_y);
        xf_f y;
        if (kind < LAYER) {
            y = kind == SOFTMAX ? xm_divide(xf_float(y_words[at]), s) : xf_sub(xf_sub(element(j), m), s);
        } else {
            y = xm_divide(value(j, kind == LAYER ? CENTRED2 : AS_IS), s);
            y = xf_mul(y, xf_float(scale_words[push.scale_offset + j]));
            if ((push.operation & 16u) != 0u) y = xf_add(y, xf_float(bias_words[push.bias_offset + j]));
        }
        y_words[at] = xf_bits(xf_canonical(y));
    }
}
