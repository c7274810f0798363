#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native
/* Arg-max and arg-min: a workgroup a row. Each invocation keeps its best key and where it was, then the best of those.
 *
 * Exactness: integers only; the first NaN wins, else the first or the last of the equal largest keys. */
#include "kernels/reduce/vulkan_args.glsl"

shared int keys[LANES];
shared uint places[LANES];

void main()
{
    uint join = RE_JOIN(push.operation), t = gl_LocalInvocationID.x, row = gl_WorkGroupID.x;
    bool last = RE_LAST(push.operation) != 0u;
    uint from = push.x_offset + place(row, push.kept_n, push.kept_x);
    int best = RE_LEAST_KEY;
    uint at = 0u;
    for (uint j = t; j < push.k; j += LANES) {
        int key = re_key(element(from, j), join);
        if (re_later_wins(key, best, last)) {
            best = key;
            at = j;
        }
    }
    keys[t] = best;
    places[t] = at;
    for (uint half_width = LANES / 2u; half_width > 0u; half_width /= 2u) {
        barrier();
        if (t < half_width) {
            int other = keys[t + half_width];
            uint other_at = places[t + half_width];
            bool latest = last && best != RE_NAN_KEY && best != RE_LEAST_KEY;
            if (other > best || (other == best && (latest ? other_at > at : other_at < at))) {
                keys[t] = best = other;
                places[t] = at = other_at;
            }
        }
    }
    if (t != 0u) return;
    uint to = 2u * (push.y_offset + place(row, push.kept_n, push.kept_y));
    y_words[to] = at;
    y_words[to + 1u] = 0u;
}
