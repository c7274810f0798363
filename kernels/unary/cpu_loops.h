/* The loops of one form on the CPU: UNARY_TABLE is the name of its table, UNARY_SECTION of its section, UNARY_NAME its name
 * in records. A group does tiles of TILE elements: pieces of them are widened into a buffer, computed there, and stored.
 *
 * Exactness: text.h; elements do not depend on each other. */
#include "kernels/unary/unary.h"

#define HERE    __attribute__((section(UNARY_SECTION)))
#define XM_LONG static __attribute__((noinline, unused)) HERE
#include "kernels/unary/text.h"

#define TILE  4096
#define PIECE 256

static inline float load_one(const void *from, uint64_t at, uint32_t dtype)
{
    if (dtype == ASSAY_F32) return xf_float(((const uint32_t *)from)[at]);
    const uint32_t half = ((const uint16_t *)from)[at];
    return dtype == ASSAY_F16 ? un_from_half(half) : un_from_brain(half);
}

static HERE void load_piece(const void *from, uint64_t at, uint64_t step, uint32_t dtype, float *v,
                            uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) v[i] = load_one(from, at + i * step, dtype);
}

static HERE void store_piece(void *to, uint64_t at, uint64_t step, uint32_t dtype, const float *v, uint32_t n)
{
    if (dtype == ASSAY_F32)
        for (uint32_t i = 0; i < n; i++) ((uint32_t *)to)[at + i * step] = xf_bits(v[i]);
    else if (dtype == ASSAY_F16)
        for (uint32_t i = 0; i < n; i++) ((uint16_t *)to)[at + i * step] = (uint16_t)un_to_half(v[i]);
    else
        for (uint32_t i = 0; i < n; i++) ((uint16_t *)to)[at + i * step] = (uint16_t)un_to_brain(v[i]);
}

typedef void (*piece_fn)(float *v, uint32_t n, float a, float b);

static HERE void walk(void *const *buffers, const struct unary_push *p, uint32_t group, piece_fn apply)
{
    const uint64_t elems = p->rows * p->cols;
    float v[PIECE];
    const float a = p->bounds & UNARY_HAS_LO ? load_one(buffers[2], p->lo_from, p->dtype) : xf_float(p->a);
    const float b = p->bounds & UNARY_HAS_HI ? load_one(buffers[3], p->hi_from, p->dtype) : xf_float(p->b);
    for (uint64_t from = (uint64_t)group * TILE; from < elems; from += (uint64_t)p->groups * TILE) {
        const uint64_t end = from + TILE < elems ? from + TILE : elems;
        uint64_t row = from / p->cols, col = from % p->cols;
        for (uint64_t i = from, n; i < end; i += n) {
            n = end - i < PIECE ? end - i : PIECE;
            if (n > p->cols - col) n = p->cols - col;
            load_piece(buffers[0], p->x_from + row * p->x_row + col * p->x_col, p->x_col, p->dtype, v,
                       (uint32_t)n);
            apply(v, (uint32_t)n, a, b);
            store_piece(buffers[1], p->y_from + row * p->y_row + col * p->y_col, p->y_col, p->dtype, v,
                        (uint32_t)n);
            col += n;
            if (col == p->cols) {
                col = 0;
                row++;
            }
        }
    }
}

#define LOOP(name, onnx, beside)                                                                             \
    static HERE void piece_##name(float *v, uint32_t n, float a, float b)                                    \
    {                                                                                                        \
        for (uint32_t i = 0; i < n; i++) v[i] = un_##name(v[i], a, b);                                       \
    }                                                                                                        \
    static HERE void run_##name(void *const *buffers, const void *push, const uint32_t group[3])             \
    {                                                                                                        \
        walk(buffers, push, group[0], piece_##name);                                                         \
    }
UNARY_PROGRAMS(LOOP)

/* The linker knows where a section begins and ends. */
#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define START        PASTE(__start_, UNARY_SYMBOL)
#define STOP         PASTE(__stop_, UNARY_SYMBOL)
extern const char START[] __attribute__((visibility("hidden")));
extern const char STOP[] __attribute__((visibility("hidden")));

#define CODE(name_, onnx, beside)                                                                            \
    [UNARY_##name_] = {.kind = ASSAY_CODE_NATIVE,                                                            \
                       .name = "unary.cpu." UNARY_NAME "." #name_,                                           \
                       .data = START,                                                                        \
                       .end = STOP,                                                                          \
                       .native = run_##name_},
const struct assay_code UNARY_TABLE[UNARY_COUNT] = {UNARY_PROGRAMS(CODE)};
