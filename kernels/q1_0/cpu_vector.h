/* The Q1_0 product with vector instructions, one text for each instruction set: the including file says how a sub-block's
 * lane sums are made.
 *
 * Exactness: rule 11. A vector of 8 holds the lanes; sums of codes are exact integers, -128 staying -128 when it is
 * negated; p = d1 * s is exact, ab = p, then RN(ab + p) as a fused multiply-add, which has the same bits; acc = fma(d0, ab,
 * acc) from +0, blocks ascending; lanes as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
 *
 * To define before inclusion: SIGNS (a type for 32 signs), signs_load(bytes); codes_prepare(code, first, second), which lays
 * out 32 codes in twice 32 bytes as codes_sum(signs, first, second) -> __m256i of 8 lane sums wants them; scale_at(bytes) of
 * an f16, and scale_everywhere(bytes), in 8 lanes; SECTION, SECTION_NAME, KERNELS. */
#include "kernels/q1_0/cpu.h"

#include <string.h>

#define KERNEL   static __attribute__((section(SECTION)))
#define UNROLLED _Pragma("GCC unroll 4")
#define INLINED  static inline __attribute__((always_inline))

/* A block of X as multiply reads it; scratch holds [column][block]. */
struct prepared {
    int8_t first[Q1_SUBS][Q8_NUMBERS];
    int8_t second[Q1_SUBS][Q8_NUMBERS];
    float scale[Q1_SUBS];
    float unused[4]; /* to whole vectors */
};
_Static_assert(sizeof(struct prepared) == Q1_CPU_PREPARED_BYTES, "size of scratch");

KERNEL void prepare(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct q1_push *p = push;
    const uint8_t *x = (const uint8_t *)buffers[0] + p->x_offset + (int64_t)group[0] * p->x_row;
    struct prepared *to = (struct prepared *)buffers[1] + (int64_t)group[0] * p->blocks;
    for (int64_t b = 0; b < p->blocks; b++, to++)
        for (int k = 0; k < Q1_SUBS; k++, x += Q8_BYTES) {
            codes_prepare(_mm256_loadu_si256((const __m256i *)(x + 2)), to->first[k], to->second[k]);
            to->scale[k] = scale_at(x);
        }
}

INLINED float join(__m256 acc)
{
    __m128 r = _mm_add_ps(_mm256_castps256_ps128(acc), _mm256_extractf128_ps(acc, 1));
    __m128 u = _mm_add_ps(r, _mm_movehl_ps(r, r));
    return _mm_cvtss_f32(_mm_add_ss(u, _mm_movehdup_ps(u)));
}

/* `rows` rows of W by `columns` columns of X; constants after inlining. */
INLINED void tile(const uint8_t *w, int64_t w_row, const struct prepared *x, int64_t blocks, float *y,
                  int64_t y_row, int rows, int columns)
{
    __m256 acc[4][4]; /* a variable size would keep it in memory */
    UNROLLED
    for (int i = 0; i < rows; i++) UNROLLED
    for (int j = 0; j < columns; j++) acc[i][j] = _mm256_setzero_ps();
    for (int64_t b = 0; b < blocks; b++) {
        UNROLLED
        for (int i = 0; i < rows; i++) {
            const uint8_t *block = w + i * w_row + b * Q1_BYTES;
            _mm_prefetch((const char *)block + 1024, _MM_HINT_T0);
            __m256 d0 = scale_everywhere(block);
            SIGNS signs[Q1_SUBS];
            UNROLLED
            for (int k = 0; k < Q1_SUBS; k++) signs[k] = signs_load(block + 2 + 4 * k);
            UNROLLED
            for (int j = 0; j < columns; j++) {
                const struct prepared *from = x + j * blocks + b;
                __m256 ab = _mm256_setzero_ps();
                UNROLLED
                for (int k = 0; k < Q1_SUBS; k++) {
                    __m256 s = _mm256_cvtepi32_ps(codes_sum(signs[k], from->first[k], from->second[k]));
                    __m256 d1 = _mm256_broadcast_ss(&from->scale[k]);
                    ab = k ? _mm256_fmadd_ps(d1, s, ab) : _mm256_mul_ps(d1, s);
                }
                acc[i][j] = _mm256_fmadd_ps(d0, ab, acc[i][j]);
            }
        }
    }
    UNROLLED
    for (int i = 0; i < rows; i++) UNROLLED
    for (int j = 0; j < columns; j++) y[j * y_row + i] = join(acc[i][j]);
}

/* Workgroup g: Q1_CPU_ROWS rows of W by all columns. */
KERNEL void multiply(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct q1_push *p = push;
    int64_t row = (int64_t)group[0] * Q1_CPU_ROWS, blocks = p->blocks;
    int64_t end = row + Q1_CPU_ROWS < p->m ? row + Q1_CPU_ROWS : p->m;
    const uint8_t *w = (const uint8_t *)buffers[0] + p->w_offset;
    const struct prepared *x = buffers[1];
    float *y = (float *)buffers[2] + p->y_offset;
    int64_t column = 0;
    for (; column + 4 <= p->n; column += 4)
        for (int64_t i = row; i < end; i++)
            tile(w + i * p->w_row, 0, x + column * blocks, blocks, y + column * p->y_row + i, p->y_row, 1, 4);
    for (; column < p->n; column++) {
        int64_t i = row;
        for (; i + 4 <= end; i += 4)
            tile(w + i * p->w_row, p->w_row, x + column * blocks, blocks, y + column * p->y_row + i, 0, 4, 1);
        for (; i < end; i++)
            tile(w + i * p->w_row, 0, x + column * blocks, blocks, y + column * p->y_row + i, 0, 1, 1);
    }
}

/* Where the linker put this instruction set's code: what the kernel hash is made of. */
#define SECTION_SYMBOL_(edge, name) edge##name
#define SECTION_SYMBOL(edge, name)  SECTION_SYMBOL_(edge, name)
extern const char SECTION_SYMBOL(__start_, SECTION_NAME)[] __attribute__((visibility("hidden")));
extern const char SECTION_SYMBOL(__stop_, SECTION_NAME)[] __attribute__((visibility("hidden")));

#define CODE(name_, function)                                                                                \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = name_, .data = SECTION_SYMBOL(__start_, SECTION_NAME),            \
        .end = SECTION_SYMBOL(__stop_, SECTION_NAME), .native = function                                     \
    }

const struct q1_cpu_kernels KERNELS = {{
    [Q1_CPU_PREPARE] = CODE("q1_0.cpu." TECHNIQUE ".prepare", prepare),
    [Q1_CPU_MULTIPLY] = CODE("q1_0.cpu." TECHNIQUE ".multiply", multiply),
}};
