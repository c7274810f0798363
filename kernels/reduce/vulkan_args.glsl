/* What both shaders of the reductions share: arguments (struct reduce_push), where elements lie, and the text of text.h.
 * Functions of pairs of floats are compiled without a fused multiply-add, which is right on every device. */
#define XM_FUSED 0
#define XM_SHORT 0
#include "kernels/reduce/text.h"

#define DIMS  4
#define BLOCK 4096u
#define LANES 128u

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

/* Words, not floats: some drivers flush subnormals on load. */
layout(set = 0, binding = 0) readonly buffer XWords
{
    uint x_words[];
};
layout(set = 0, binding = 1) writeonly buffer YWords
{
    uint y_words[];
};

layout(push_constant) uniform Push
{
    uint rows, blocks;
    uint k, k_high;
    uint x_offset, y_offset;
    uint operation, count, each;
    uint kept_n[DIMS], kept_x[DIMS], kept_y[DIMS];
    uint reduced_n[DIMS], reduced_x[DIMS];
}
push;

uint place(uint number, uint n[DIMS], uint step[DIMS])
{
    uint at = 0u;
    if (n[3] > 1u || n[2] > 1u || n[1] > 1u) {
        uint whole = number / n[3];
        at = (number - whole * n[3]) * step[3];
        number = whole;
        whole = number / n[2];
        at += (number - whole * n[2]) * step[2];
        number = whole;
        whole = number / n[1];
        at += (number - whole * n[1]) * step[1];
        number = whole;
    }
    return at + number * step[0];
}
/* Element j of a row that begins at `from`. */
xf_f element(uint from, uint j)
{
    bool line = push.reduced_n[0] == 1u && push.reduced_n[1] == 1u && push.reduced_n[2] == 1u;
    return xf_float(
        x_words[from + (line ? j * push.reduced_x[3] : place(j, push.reduced_n, push.reduced_x))]);
}
