/* Inputs that are bytes of blocks (struct op_operand's `block`): scales and codes out of the counter of fill.c, in
 * integers only. It knows layouts of blocks and names of fills, and no operator, kernel or verdict. This is their
 * definition, complete enough to write it again in another language; words as in fill.c, whose rand, scale and N it uses.
 *
 * A q1_0 block is 128 numbers: an f16 scale d, then 16 bytes of signs. A q8_0 block is 32: an f16 scale d, then 32 codes.
 * Places, in the parent case: o = row, k = place of the block in its row, K = blocks a row, e = o * K + k. z = rand(e,0).
 * ratio(a, b) is the f16 nearest to a / b, ties to even, +0 for 0. E = scale(rand(2^64 - 1,3), 9) - 4, one a tensor.
 *
 *   signs        rand(e,1), then rand(e,2), each as 8 bytes, least significant first
 *   codes        number i has c = rand(e, 1 + (i >> 2)) >> 16 * (i & 3): a = c & ff, b = c >> 8 & ff;
 *                even = (a * 255 >> 8) - 127
 *
 *                d of q1_0                                  d of q8_0                                 code
 *   uniform      ratio(scale(z,2000) - 1000, 100000)        ratio(500 + scale(z,501), 12700)          even
 *   layer        (z & 1 ? -1 : 1) *                         field 3 + scale(z,9), fraction z & 3ff    (a + b - 255) / 2,
 *                ratio(1 + scale(z,1900), 100000)                                                     towards 0
 *   wide         sign z >> 63, field scale(z << 8, 31),     the same                                  even
 *                fraction z & 3ff
 *   cancel       as layer; with k' = K - 1 - k for q1_0 and K - 4 - k + 2 * (k & 3) for q8_0, where k > k' >= 0: the
 *                block at k' instead, all signs of a q1_0 block flipped and its d ^= z >> 40 & 3
 *   minus128     as uniform                                 as uniform                                b & 3 = 0: -128,
 *                                                                                                     else even
 *   bytes        as layer                                   as layer, sign z >> 63                    a as a signed byte
 *   integer      sign z >> 63, 2^E                          2^E                                       (a * (2R + 1) >> 8) - R,
 *                                                                          R = min(7, (2^24 - 1) / numbers a row), at least 1
 *   special      h = rand(2^63 + (o >> 3), 1), g = rand(2^63 + (o >> 3), 2), k1 = scale(g,K), k2 = scale(g << 32, K).
 *                Where o & 7 = 1 + scale(h,7), by h & 7: 0 7e00 | (g & 1ff) at k1; 1 fe01 at k1; 2 7c01 at k1;
 *                3 7c00 at k1; 4 fc00 at k1; 5 7c00 at k1 and fc00 at k2 (k1 first); 6 7bff at k1 and k2; 7 zeros of
 *                sign z >> 63 everywhere. Else, by rand(e,9) & 7: 0 a zero of sign z >> 63; 1 sign z >> 63, the subnormal
 *                of fraction 1 + scale(z << 8, 1023); all others as uniform. Codes: even
 *   h02          as uniform; but the first q8_0 block of a row has d = 7c00 and codes 0, number 3 has -127: what 32
 *                activations become, one of which is -1e9 */
#include "harness/fill.h"

#include <string.h>

#define WHOLE_TENSOR UINT64_MAX
#define GROUPS       (UINT64_C(1) << 63)

enum { HALF_INFINITE = 0x7c00, HALF_MINUS = 0x8000, HALF_FRACTION = 0x3ff };

struct format {
    const char *name;
    int64_t numbers, bytes;
};
static const struct format format_table[] = {{"q1_0", 128, 18}, {"q8_0", 32, 34}};
enum { Q1_0, Q8_0 };

/* A block and where it stands. */
struct place {
    uint64_t seed;
    int operand, format; /* index of format_table */
    uint64_t e, z;
    int64_t o, k, length; /* length: blocks a row */
};

static uint64_t draw(const struct place *p, uint64_t element, uint32_t number)
{
    return fill_random(p->seed, p->operand, element, number);
}

static int64_t scale(uint64_t x, int64_t n)
{
    return (int64_t)(((x >> 32) * (uint64_t)n) >> 32);
}

/* ---- scales: f16 words ---- */

static uint32_t half_word(uint64_t sign, int64_t field, uint64_t fraction)
{
    return (uint32_t)(sign << 15 | (uint64_t)field << 10 | (fraction & HALF_FRACTION));
}

/* The f16 nearest to a / b, for |a / b| < 65504 and b < 2^20. */
static uint32_t half_ratio(int64_t a, int64_t b)
{
    const uint32_t sign = a < 0 ? HALF_MINUS : 0;
    const uint64_t size = (uint64_t)(a < 0 ? -a : a);
    int field = 1; /* of a value below 2^(field - 14) */
    while (field < 30 && size << 14 >= (uint64_t)b << field) field++;
    /* In units of 2^(field - 25), the last place of that field. */
    const uint64_t scaled = size << 25, unit = (uint64_t)b << field;
    uint64_t kept = scaled / unit;
    const uint64_t left = scaled % unit;
    kept += 2 * left > unit || (2 * left == unit && (kept & 1));
    return sign | (uint32_t)(((uint64_t)(field - 1) << 10) + kept);
}

static uint32_t d_uniform(const struct place *p)
{
    return p->format == Q1_0 ? half_ratio(scale(p->z, 2000) - 1000, 100000)
                             : half_ratio(500 + scale(p->z, 501), 12700);
}

static uint32_t d_layer(const struct place *p)
{
    if (p->format == Q8_0) return half_word(0, 3 + scale(p->z, 9), p->z);
    const int64_t size = 1 + scale(p->z, 1900);
    return half_ratio(p->z & 1 ? -size : size, 100000);
}

static uint32_t d_wide(const struct place *p)
{
    return half_word(p->z >> 63, scale(p->z << 8, 31), p->z);
}

/* The block that this one cancels, -1 if it is the other's turn. Four q8_0 blocks meet a q1_0 block, in their order. */
static int64_t cancelled(const struct place *p)
{
    const int64_t other = p->format == Q1_0 ? p->length - 1 - p->k : p->length - 4 - p->k + 2 * (p->k & 3);
    return p->k > other ? other : -1;
}

static uint32_t d_cancel(const struct place *p)
{
    const bool second = p->format == Q1_0 && cancelled(p) >= 0;
    return d_layer(p) ^ (second ? (uint32_t)(p->z >> 40 & 3) : 0);
}

static uint32_t d_bytes(const struct place *p)
{
    return d_layer(p) | (p->format == Q8_0 ? half_word(p->z >> 63, 0, 0) : 0);
}

static uint32_t d_integer(const struct place *p)
{
    const int64_t exponent = scale(draw(p, WHOLE_TENSOR, 3), 9) - 4;
    return half_word(p->format == Q1_0 ? p->z >> 63 : 0, 15 + exponent, 0);
}

static uint32_t d_special(const struct place *p)
{
    const uint64_t group = GROUPS + (uint64_t)(p->o >> 3), h = draw(p, group, 1);
    const uint32_t zero = half_word(p->z >> 63, 0, 0);
    if ((p->o & 7) == 1 + scale(h, 7)) {
        const uint64_t g = draw(p, group, 2);
        const uint32_t first[8] = {
            0x7e00 | (uint32_t)(g & 0x1ff), 0xfe01, 0x7c01, 0x7c00, 0xfc00, 0x7c00, 0x7bff, zero};
        const uint32_t second[8] = {[5] = 0xfc00, [6] = 0x7bff};
        const unsigned kind = h & 7;
        if (kind == 7 || p->k == scale(g, p->length)) return first[kind];
        if (second[kind] && p->k == scale(g << 32, p->length)) return second[kind];
    }
    const uint64_t kind = draw(p, p->e, 9) & 7;
    if (kind == 0) return zero;
    return kind == 1 ? zero | (uint32_t)(1 + scale(p->z << 8, 1023)) : d_uniform(p);
}

static bool outlier(const struct place *p)
{
    return p->format == Q8_0 && p->k == 0;
}

static uint32_t d_h02(const struct place *p)
{
    return outlier(p) ? HALF_INFINITE : d_uniform(p);
}

/* ---- codes ---- */

static int even(unsigned a)
{
    return (int)(a * 255 >> 8) - 127;
}

static int code_even(const struct place *p, int i, unsigned a, unsigned b)
{
    (void)p, (void)i, (void)b;
    return even(a);
}

static int code_layer(const struct place *p, int i, unsigned a, unsigned b)
{
    (void)p, (void)i;
    return ((int)a + (int)b - 255) / 2;
}

static int code_minus128(const struct place *p, int i, unsigned a, unsigned b)
{
    (void)p, (void)i;
    return b & 3 ? even(a) : -128;
}

static int code_bytes(const struct place *p, int i, unsigned a, unsigned b)
{
    (void)p, (void)i, (void)b;
    return (int)a;
}

static int code_integer(const struct place *p, int i, unsigned a, unsigned b)
{
    (void)i, (void)b;
    const int64_t most = 0xffffff / (p->length * format_table[p->format].numbers);
    const int range = most > 7 ? 7 : most < 1 ? 1 : (int)most;
    return ((int)a * (2 * range + 1) >> 8) - range;
}

static int code_h02(const struct place *p, int i, unsigned a, unsigned b)
{
    (void)b;
    if (outlier(p)) return i == 3 ? -127 : 0;
    return even(a);
}

/* ---- the table ---- */

struct maker {
    uint32_t (*d)(const struct place *p);
    int (*code)(const struct place *p, int i, unsigned a, unsigned b);
};

#define FILLS(FILL)                                                                                          \
    FILL(uniform, "scales of either sign up to 0.01, codes of any size", false, false, d_uniform, code_even) \
    FILL(layer, "scales that vary from block to block, small codes more often, as in trained layers", false, \
         false, d_layer, code_layer)                                                                         \
    FILL(wide, "every finite scale there is, subnormal ones too", false, false, d_wide, code_even)           \
    FILL(cancel, "block k and block K - 1 - k cancel but for the scale's last bits", false, false, d_cancel, \
         code_layer)                                                                                         \
    FILL(minus128, "every fourth code is -128, which no finite number becomes", false, false, d_uniform,     \
         code_minus128)                                                                                      \
    FILL(bytes, "codes are any byte, scales of either sign", false, false, d_bytes, code_bytes)              \
    FILL(integer, "small integers times a power of two: sums are exact in any order", true, false,           \
         d_integer, code_integer)                                                                            \
    FILL(special, "scales that are NaN, infinite, zero, subnormal or the largest", false, true, d_special,   \
         code_even)                                                                                          \
    FILL(h02, "an outlier of -1e9 in each vector: its scale is infinite and every result NaN", false, true,  \
         d_h02, code_h02)

#define ROW(NAME, WHAT, EXACT, NONFINITE, D, CODE) {#NAME, WHAT, EXACT, NONFINITE},
const struct fill_block fill_block_table[] = {FILLS(ROW)};
const size_t fill_block_count = sizeof fill_block_table / sizeof *fill_block_table;

#define MAKER(NAME, WHAT, EXACT, NONFINITE, D, CODE) {D, CODE},
static const struct maker maker_table[] = {FILLS(MAKER)};

const struct fill_block *fill_block_find(const char *name)
{
    for (size_t i = 0; i < fill_block_count; i++)
        if (strcmp(fill_block_table[i].name, name) == 0) return &fill_block_table[i];
    return NULL;
}

bool fill_takes_blocks(const struct op_signature *sig)
{
    bool blocks = false;
    for (size_t i = 0; i < sig->input_count; i++) blocks |= sig->input[i].block != NULL;
    return blocks;
}

/* ---- blocks and tensors ---- */

static void make_block(struct place *p, const struct maker *maker, uint8_t *bytes)
{
    uint8_t signs = 0;
    p->e = (uint64_t)(p->o * p->length + p->k);
    if (maker->d == d_cancel && cancelled(p) >= 0) {
        p->e = (uint64_t)(p->o * p->length + cancelled(p));
        signs = 0xff;
    }
    p->z = draw(p, p->e, 0);
    const uint32_t d = maker->d(p);
    bytes[0] = (uint8_t)d;
    bytes[1] = (uint8_t)(d >> 8);
    bytes += 2;
    if (p->format == Q1_0) {
        for (uint32_t i = 0; i < 16; i++)
            bytes[i] = signs ^ (uint8_t)(draw(p, p->e, 1 + (i >> 3)) >> 8 * (i & 7));
        return;
    }
    for (int i = 0; i < 32; i++) {
        const uint64_t c = draw(p, p->e, 1 + ((uint32_t)i >> 2)) >> 16 * (i & 3);
        bytes[i] = (uint8_t)maker->code(p, i, c & 0xff, c >> 8 & 0xff);
    }
}

struct job {
    struct place place;
    const struct maker *maker;
    const struct format *format;
    const struct assay_tensor *tensor;
    int64_t parent_shape[ASSAY_RANK_MAX], at[ASSAY_RANK_MAX]; /* in blocks along the last dimension */
};

/* Rows [i0, i1) of the tensor. */
static void fill_rows(void *context, int64_t i0, int64_t i1)
{
    const struct job *job = context;
    const struct assay_tensor *t = job->tensor;
    const uint32_t last = t->rank - 1;
    const int64_t step = t->stride[last], count = t->shape[last] / job->format->bytes;
    struct place place = job->place;
    for (int64_t i = i0; i < i1; i++) {
        int64_t offset = t->offset, rest = i, size = 1;
        place.o = 0;
        for (uint32_t d = last; d-- > 0;) {
            const int64_t local = rest % t->shape[d];
            rest /= t->shape[d];
            offset += local * t->stride[d];
            place.o += (local + job->at[d]) * size;
            size *= job->parent_shape[d];
        }
        for (int64_t b = 0; b < count; b++) {
            uint8_t bytes[34], *to = (uint8_t *)t->data + offset + b * job->format->bytes * step;
            place.k = job->at[last] + b;
            make_block(&place, job->maker, bytes);
            for (int64_t at = 0; at < job->format->bytes; at++) to[at * step] = bytes[at];
        }
    }
}

enum assay_status fill_block_tensor(const struct case_spec *spec, const struct op_operand *layout,
                                    int operand, struct assay_tensor *tensor, struct oracle_pool *pool,
                                    struct assay_error *error)
{
    const struct fill_block *fill = spec->fill ? fill_block_find(spec->fill) : NULL;
    int format = 0;
    if (!fill)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "there is no fill '%s' of blocks",
                               spec->fill ? spec->fill : "");
    while (format <= Q8_0 && strcmp(layout->block, format_table[format].name) != 0) format++;
    if (format > Q8_0 || tensor->dtype != ASSAY_U8)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "fill %s makes no %s blocks of %s for input %s",
                               fill->name, layout->block, assay_dtype_name(tensor->dtype), layout->name);
    enum assay_status status = assay_tensor_check(tensor, layout->name, error);
    if (status) return status;
    const struct format *shape = &format_table[format];
    struct job job = {.place = {.seed = spec->seed, .operand = operand, .format = format},
                      .maker = &maker_table[fill - fill_block_table],
                      .format = shape,
                      .tensor = tensor};
    if (tensor->rank == 0 || tensor->rank != layout->tensor.rank ||
        tensor->shape[tensor->rank - 1] % shape->bytes)
        return assay_error_set(error, ASSAY_INTERNAL, "fill: input %s is not made of whole %s blocks",
                               layout->name, layout->block);
    const uint32_t last = tensor->rank - 1;
    for (uint32_t d = 0; d <= last; d++) {
        const int axis = layout->axis_of[d];
        job.parent_shape[d] = axis < 0 ? layout->tensor.shape[d] : spec->op.of[axis];
        job.at[d] = axis < 0 ? 0 : spec->op.at[axis];
    }
    job.at[last] /= shape->numbers;
    job.place.length = layout->axis_of[last] < 0 ? layout->tensor.shape[last] / shape->bytes
                                                 : job.parent_shape[last] / shape->numbers;
    const int64_t elems = assay_tensor_elems(tensor);
    if (elems == 0) return ASSAY_OK;
    const int64_t line = tensor->shape[last], grain = line >= 8192 ? 1 : 8192 / line;
    oracle_pool_for(pool, elems / line, grain, fill_rows, &job);
    return ASSAY_OK;
}

enum assay_status fill_captured(const struct case_spec *spec, const struct op_operand *layout,
                                const struct assay_tensor *whole, struct assay_tensor *tensor,
                                struct assay_error *error)
{
    int format = 0;
    while (format <= Q8_0 && (!layout->block || strcmp(layout->block, format_table[format].name) != 0))
        format++;
    if (format > Q8_0 || tensor->rank != 2 || whole->rank != 2 || layout->axis_of[0] < 0 ||
        layout->axis_of[1] < 0 || tensor->stride[1] != 1 || whole->stride[1] != 1)
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "input %s is no matrix of blocks that a file can give", layout->name);
    const struct format *shape = &format_table[format];
    const int64_t row = spec->op.at[layout->axis_of[0]],
                  byte = spec->op.at[layout->axis_of[1]] / shape->numbers * shape->bytes;
    const int64_t rows = tensor->shape[0], bytes = tensor->shape[1];
    if (row > whole->shape[0] || rows > whole->shape[0] - row || byte > whole->shape[1] ||
        bytes > whole->shape[1] - byte)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "the window of %s ends outside the %lld x %lld bytes of the file",
                               layout->name, (long long)whole->shape[0], (long long)whole->shape[1]);
    for (int64_t i = 0; i < rows; i++)
        memcpy((uint8_t *)tensor->data + tensor->offset + i * tensor->stride[0],
               (const uint8_t *)whole->data + whole->offset + (row + i) * whole->stride[0] + byte,
               (size_t)bytes);
    return ASSAY_OK;
}
