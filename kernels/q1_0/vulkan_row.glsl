/* One lane of one element, or all eight: the sums of rule 11 in both texts.
 *
 * With finite scales every number here is a multiple of 2^-48 below 2^120, so neither flushing nor overflow can touch it
 * and the emulated multiply-add needs no check (exact.h). Others, and the integer variant, take checked_lane. */

#if defined(ASSAY_TEXT_emulated)
#define FMA xf_fma_safe
#define ADD xf_hw_add
#define MUL xf_hw_mul
#else
#define FMA xf_fma
#define ADD xf_add
#define MUL xf_mul
#endif

#if defined(ASSAY_TEXT_emulated)
/* Lane `lane` with every step checked. One body of the checked multiply-add serves the four of a sub-block and the outer
 * one: drivers inline it, and many copies take LLVM minutes. fma(d1, s, +0) has the value of d1 * s; the sign of a zero is
 * lost, which no later sum shows, since acc starts at +0. */
float checked_lane(uint w, uint x, uint lane)
{
    float acc = 0.0, ab = 0.0;
    uint steps = push.blocks * 5u, k = 0u;
    [[dont_unroll]] for (uint i = 0u; i < steps; i++)
    {
        float a, b, c;
        if (k < SUBS) {
            a = xf_float(q1_half_word(x_two(x)));
            b = float(lane_sum(x_four(x + 2u + 4u * lane), w_four(w + 2u + 4u * k) >> (4u * lane)));
            c = ab;
            x += X_BLOCK;
        } else {
            a = xf_float(q1_half_word(w_two(w)));
            b = ab;
            c = acc;
            w += W_BLOCK;
        }
        float r = xf_fma(a, b, c);
        if (k < SUBS) {
            ab = r;
            k++;
        } else {
            acc = r;
            ab = 0.0;
            k = 0u;
        }
    }
    return acc;
}
#endif

/* The sum of the lanes in the CPU's order, as a word. */
uint joined(float a[LANES], bool checked)
{
#if defined(ASSAY_TEXT_emulated)
    if (checked) {
        float t[LANES] = float[LANES](a[0], a[4], a[2], a[6], a[1], a[5], a[3], a[7]);
        uint width = 4u, i = 0u;
        [[dont_unroll]] for (uint step = 0u; step < 7u; step++) /* pairs, pairs of those, the last */
        {
            t[i] = xf_add_integer(t[2u * i], t[2u * i + 1u]);
            i++;
            if (i == width) {
                i = 0u;
                width /= 2u;
            }
        }
        return xf_bits(t[0]);
    }
#endif
    float even = ADD(ADD(a[0], a[4]), ADD(a[2], a[6])), odd = ADD(ADD(a[1], a[5]), ADD(a[3], a[7]));
    return xf_bits(ADD(even, odd));
}

/* Must every step be checked because of what a scale is? */
bool scale_unsafe(uint h)
{
#if defined(ASSAY_TEXT_emulated)
    return !half_finite(h);
#else
    return false;
#endif
}
bool always_checked()
{
#if defined(ASSAY_TEXT_emulated)
    return xf_variant == XF_INTEGER;
#else
    return false;
#endif
}
