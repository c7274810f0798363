/* The arithmetic probe on the CPU: text of traits_native.c and traits_avx2.c, which compile it for different
 * instruction sets. TRAITS_NATIVE names the function. */
#include <math.h>
#include <string.h>

#include "devices/device.h"
#include "devices/traits.h"

void TRAITS_NATIVE(void *const *buffers, const void *push_bytes, const uint32_t group[3]);

static inline float as_float(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline uint32_t as_word(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline __attribute__((always_inline)) uint32_t apply(uint32_t operation, uint32_t ua, uint32_t ub,
                                                            uint32_t uc)
{
    float a = as_float(ua), b = as_float(ub), c = as_float(uc);
    switch (operation) {
    case TRAIT_ADD:
        return as_word(a + b);
    case TRAIT_SUB:
        return as_word(a - b);
    case TRAIT_MUL:
        return as_word(a * b);
    case TRAIT_FMA:
        return as_word(fmaf(a, b, c));
    case TRAIT_MULADD:
        return as_word(a * b + c);
    case TRAIT_DIV:
        return as_word(a / b);
    case TRAIT_SQRT:
        return as_word(sqrtf(a));
    case TRAIT_TWO_SUM: {
        float s = a + b, t = s - a;
        return as_word((a - (s - t)) + (b - t));
    }
    case TRAIT_ADD_ZERO:
        return as_word(a + 0.0f);
    case TRAIT_MUL_ZERO:
        return as_word(a * 0.0f);
    default:
        return ua;
    }
}

void TRAITS_NATIVE(void *const *buffers, const void *push_bytes, const uint32_t group[3])
{
    struct {
        uint32_t count, operation, literal;
    } push;
    const uint32_t *operands = buffers[0];
    uint32_t *results = buffers[1];
    memcpy(&push, push_bytes, sizeof push);
    for (uint32_t i = group[0] * TRAIT_GROUP; i < (group[0] + 1) * TRAIT_GROUP && i < push.count; i++) {
        const uint32_t *t = operands + 3 * (size_t)i;
        float x;
        if (push.literal) {
            uint32_t k = 0;
#define LITERAL(a, b, c)                                                                                     \
    if (i == k++) results[i] = apply(push.operation, a, b, c);
            TRAIT_LITERALS(LITERAL)
#undef LITERAL
        } else if (push.operation == TRAIT_LOAD || push.operation == TRAIT_STORE) {
            memcpy(&x, t, sizeof x);
            memcpy(results + i, &x, sizeof x);
        } else {
            results[i] = apply(push.operation, t[0], t[1], t[2]);
        }
    }
}
