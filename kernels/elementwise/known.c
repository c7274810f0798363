/* Written by scripts/known-answers-elementwise.py: calls whose bits are known, for the rows of this folder, worked out
 * by rational numbers and Python's integers. Change it there. */
#include "kernels/elementwise/known.h"

static const struct assay_attr fmod_attr = {.name = "fmod", .kind = ASSAY_ATTR_INT, .i = 1};

#define DENSE(type, size)                                                                                    \
    {                                                                                                        \
        .dtype = type, .rank = 1, .shape = {12}, .stride = {1}, .bytes = 12 * size                           \
    }
#define ROWS(type, size)                                                                                     \
    {                                                                                                        \
        .dtype = type, .rank = 2, .shape = {3, 1}, .stride = {1, 1}, .bytes = 3 * size                       \
    }
#define COLUMNS(type, size)                                                                                  \
    {                                                                                                        \
        .dtype = type, .rank = 2, .shape = {1, 4}, .stride = {4, 1}, .bytes = 4 * size                       \
    }
#define MATRIX(type, size)                                                                                   \
    {                                                                                                        \
        .dtype = type, .rank = 2, .shape = {3, 4}, .stride = {4, 1}, .bytes = 12 * size                      \
    }
#define TRANSPOSED(type, size)                                                                               \
    {                                                                                                        \
        .dtype = type, .rank = 2, .shape = {3, 4}, .stride = {1, 3}, .bytes = 12 * size                      \
    }
#define LIST(...)  __VA_ARGS__
#define ATTRS(...) ATTRS_##__VA_ARGS__
#define ATTRS_
#define ATTRS_fmod_1 .attrs = &fmod_attr, .attr_count = 1,
#define ANSWER(onnx, count, y, y_words, attrs, inputs, words)                                                \
    {                                                                                                        \
        .call = {.op = onnx,                                                                                 \
                 ATTRS attrs.input = {LIST inputs},                                                          \
                 .input_count = count,                                                                       \
                 .output = {y},                                                                              \
                 .output_count = 1},                                                                         \
        .input = {LIST words}, .output = {                                                                   \
            y_words                                                                                          \
        }                                                                                                    \
    }

static const uint32_t words0[] = {0x3f800000, 0x4b800000, 0x1,        0x80000000, 0x7f800000, 0x7fc00001,
                                  0x800000,   0xc1200000, 0x7f7fffff, 0x40490fdb, 0x3f800001, 0x3};
static const uint32_t words1[] = {0x40400000, 0x3f800000, 0x807fffff, 0x0,        0xff800000, 0x3f800000,
                                  0x3f000000, 0x40400000, 0x7f7fffff, 0x402df854, 0x3f7fffff, 0x40000000};
static const uint32_t words2[] = {0x40800000, 0x4b800000, 0x807ffffe, 0x0,        0x7fc00000, 0x7fc00000,
                                  0x3f000000, 0xc0e00000, 0x7f800000, 0x40bb8418, 0x40000000, 0x40000000};
static const uint32_t words3[] = {0x7fc00001, 0x800000, 0xc1200000};
static const uint32_t words4[] = {0x3f000000, 0x40400000, 0x7f7fffff, 0x402df854};
static const uint32_t words5[] = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x3f000000, 0x40400000,
                                  0x7f7fffff, 0x402df854, 0xc1180000, 0xc0e00000, 0x7f7fffff, 0xc0e903d6};
const struct assay_known_answer elementwise_known_add_f32[2] = {
    ANSWER("Add", 2, DENSE(ASSAY_F32, 4), words2, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Add", 2, MATRIX(ASSAY_F32, 4), words5, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
};
static const uint32_t words6[] = {0x68003c00, 0x80000001, 0x7e017c00, 0xc9000400, 0x42487bff, 0x33c01};
static const uint32_t words7[] = {0x3c004200, 0x83ff, 0x3c00fc00, 0x42003800, 0x41707bff, 0x40003bff};
static const uint32_t words8[] = {0x68004400, 0x83fe, 0x7e007e00, 0xc7003800, 0x45dc7c00, 0x40004000};
static const uint32_t words9[] = {0x4007e01, 0xc900};
static const uint32_t words10[] = {0x42003800, 0x41707bff};
static const uint32_t words11[] = {0x7e007e00, 0x7e007e00, 0x42003800, 0x41707bff, 0xc700c8c0, 0xc7487bff};
const struct assay_known_answer elementwise_known_add_f16[2] = {
    ANSWER("Add", 2, DENSE(ASSAY_F16, 2), words8, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Add", 2, MATRIX(ASSAY_F16, 2), words11, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
};
static const uint32_t words12[] = {0x43803f80, 0x80000001, 0x7fc17f80, 0xc1200080, 0x40497f7f, 0x33f81};
static const uint32_t words13[] = {0x3f804040, 0x807f, 0x3f80ff80, 0x40403f00, 0x402e7f7f, 0x40003f7f};
static const uint32_t words14[] = {0x43804080, 0x807e, 0x7fc07fc0, 0xc0e03f00, 0x40bc7f80, 0x40004000};
static const uint32_t words15[] = {0x807fc1, 0xc120};
static const uint32_t words16[] = {0x40403f00, 0x402e7f7f};
static const uint32_t words17[] = {0x7fc07fc0, 0x7fc07fc0, 0x40403f00, 0x402e7f7f, 0xc0e0c118, 0xc0e97f7f};
const struct assay_known_answer elementwise_known_add_bf16[2] = {
    ANSWER("Add", 2, DENSE(ASSAY_BF16, 2), words14, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Add", 2, MATRIX(ASSAY_BF16, 2), words17, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
};
static const uint32_t words18[] = {0x80000000, 0x80000000, 0x7, 0xfffffff9, 0x7,        0xfffffff9,
                                   0x7fffffff, 0x5,        0x0, 0xf4243,    0xffffffff, 0xb505};
static const uint32_t words19[] = {0xffffffff, 0x1, 0x3, 0x3,    0xfffffffd, 0xfffffffd,
                                   0x7fffffff, 0x0, 0x9, 0x1003, 0xffffffff, 0xb506};
static const uint32_t words20[] = {0x7fffffff, 0x80000001, 0xa, 0xfffffffc, 0x4,        0xfffffff6,
                                   0xfffffffe, 0x5,        0x9, 0xf5246,    0xfffffffe, 0x16a0b};
static const uint32_t words21[] = {0xfffffff9, 0x7fffffff, 0x5};
static const uint32_t words22[] = {0x7fffffff, 0x0, 0x9, 0x1003};
static const uint32_t words23[] = {0x7ffffff8, 0xfffffff9, 0x2,        0xffc, 0xfffffffe, 0x7fffffff,
                                   0x80000008, 0x80001002, 0x80000004, 0x5,   0xe,        0x1008};
const struct assay_known_answer elementwise_known_add_i32[2] = {
    ANSWER("Add", 2, DENSE(ASSAY_I32, 4), words20, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Add", 2, MATRIX(ASSAY_I32, 4), words23, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
};
static const uint32_t words24[] = {0x0,        0x80000000, 0x0,        0x80000000, 0x7,        0x0,
                                   0xfffffff9, 0xffffffff, 0x7,        0x0,        0xfffffff9, 0xffffffff,
                                   0xffffffff, 0x7fffffff, 0x5,        0x0,        0x0,        0x0,
                                   0xa7640009, 0xde0b6b3,  0xffffffff, 0xffffffff, 0xb504f334, 0x0};
static const uint32_t words25[] = {0xffffffff, 0xffffffff, 0x1,        0x0,        0x3,        0x0,
                                   0x3,        0x0,        0xfffffffd, 0xffffffff, 0xfffffffd, 0xffffffff,
                                   0xffffffff, 0x7fffffff, 0x0,        0x0,        0x9,        0x0,
                                   0x65a0bc01, 0x1,        0xffffffff, 0xffffffff, 0xb504f335, 0x0};
static const uint32_t words26[] = {0xffffffff, 0x7fffffff, 0x1,        0x80000000, 0xa,        0x0,
                                   0xfffffffc, 0xffffffff, 0x4,        0x0,        0xfffffff6, 0xffffffff,
                                   0xfffffffe, 0xffffffff, 0x5,        0x0,        0x9,        0x0,
                                   0xd04bc0a,  0xde0b6b5,  0xfffffffe, 0xffffffff, 0x6a09e669, 0x1};
static const uint32_t words27[] = {0xfffffff9, 0xffffffff, 0xffffffff, 0x7fffffff, 0x5, 0x0};
static const uint32_t words28[] = {0xffffffff, 0x7fffffff, 0x0, 0x0, 0x9, 0x0, 0x65a0bc01, 0x1};
static const uint32_t words29[] = {0xfffffff8, 0x7fffffff, 0xfffffff9, 0xffffffff, 0x2,        0x0,
                                   0x65a0bbfa, 0x1,        0xfffffffe, 0xffffffff, 0xffffffff, 0x7fffffff,
                                   0x8,        0x80000000, 0x65a0bc00, 0x80000001, 0x4,        0x80000000,
                                   0x5,        0x0,        0xe,        0x0,        0x65a0bc06, 0x1};
const struct assay_known_answer elementwise_known_add_i64[2] = {
    ANSWER("Add", 2, DENSE(ASSAY_I64, 8), words26, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Add", 2, MATRIX(ASSAY_I64, 8), words29, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
};
static const uint32_t words30[] = {0xf9078080, 0x57ff907, 0x33ff6400};
static const uint32_t words31[] = {0x30301ff, 0x7ffdfd, 0x34ff0b09};
static const uint32_t words32[] = {0xfc0a817f, 0x5fef604, 0x67fe6f09};
static const uint32_t words33[] = {0x57ff9};
static const uint32_t words34[] = {0xb09007f};
static const uint32_t words35[] = {0x402f978, 0x8a887ffe, 0x100e0584};
const struct assay_known_answer elementwise_known_add_i8[2] = {
    ANSWER("Add", 2, DENSE(ASSAY_I8, 1), words32, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Add", 2, MATRIX(ASSAY_I8, 1), words35, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
};
static const uint32_t words36[] = {0xf907ff80, 0x57ff907, 0x33ff6400};
static const uint32_t words37[] = {0xfc0a007f, 0x5fef604, 0x67fe6f09};
const struct assay_known_answer elementwise_known_add_u8[2] = {
    ANSWER("Add", 2, DENSE(ASSAY_U8, 1), words37, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Add", 2, MATRIX(ASSAY_U8, 1), words35, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words38[] = {0xc0000000, 0x4b7fffff, 0x800000, 0x80000000, 0x7f800000, 0x7fc00000,
                                   0xbf000000, 0xc1500000, 0x0,      0x3ed8bc38, 0x34400000, 0xc0000000};
static const uint32_t words39[] = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0xbf000000, 0xc0400000,
                                   0xff7fffff, 0xc02df854, 0xc1280000, 0xc1500000, 0xff7fffff, 0xc14b7e15};
const struct assay_known_answer elementwise_known_sub_f32[2] = {
    ANSWER("Sub", 2, DENSE(ASSAY_F32, 4), words38, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Sub", 2, MATRIX(ASSAY_F32, 4), words39, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
};
static const uint32_t words40[] = {0x67ffc000, 0x80000400, 0x7e007c00, 0xca80b800, 0x36c00000, 0xc0001600};
static const uint32_t words41[] = {0x7e007e00, 0x7e007e00, 0xc200b800, 0xc170fbff, 0xca80c940, 0xca5cfbff};
const struct assay_known_answer elementwise_known_sub_f16[2] = {
    ANSWER("Sub", 2, DENSE(ASSAY_F16, 2), words40, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Sub", 2, MATRIX(ASSAY_F16, 2), words41, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
};
static const uint32_t words42[] = {0x437fc000, 0x80000080, 0x7fc07f80, 0xc150bf00, 0x3ed80000, 0xc0003c40};
static const uint32_t words43[] = {0x7fc07fc0, 0x7fc07fc0, 0xc040bf00, 0xc02eff7f, 0xc150c128, 0xc14cff7f};
const struct assay_known_answer elementwise_known_sub_bf16[2] = {
    ANSWER("Sub", 2, DENSE(ASSAY_BF16, 2), words42, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Sub", 2, MATRIX(ASSAY_BF16, 2), words43, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
};
static const uint32_t words44[] = {0x80000001, 0x7fffffff, 0x4,        0xfffffff6, 0xa, 0xfffffffc,
                                   0x0,        0x5,        0xfffffff7, 0xf3240,    0x0, 0xffffffff};
static const uint32_t words45[] = {0x7ffffffa, 0xfffffff9, 0xfffffff0, 0xffffeff6, 0x0,        0x7fffffff,
                                   0x7ffffff6, 0x7fffeffc, 0x80000006, 0x5,        0xfffffffc, 0xfffff002};
const struct assay_known_answer elementwise_known_sub_i32[2] = {
    ANSWER("Sub", 2, DENSE(ASSAY_I32, 4), words44, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Sub", 2, MATRIX(ASSAY_I32, 4), words45, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
};
static const uint32_t words46[] = {0x1,        0x80000000, 0xffffffff, 0x7fffffff, 0x4,        0x0,
                                   0xfffffff6, 0xffffffff, 0xa,        0x0,        0xfffffffc, 0xffffffff,
                                   0x0,        0x0,        0x5,        0x0,        0xfffffff7, 0xffffffff,
                                   0x41c34408, 0xde0b6b2,  0x0,        0x0,        0xffffffff, 0xffffffff};
static const uint32_t words47[] = {0xfffffffa, 0x7fffffff, 0xfffffff9, 0xffffffff, 0xfffffff0, 0xffffffff,
                                   0x9a5f43f8, 0xfffffffe, 0x0,        0x0,        0xffffffff, 0x7fffffff,
                                   0xfffffff6, 0x7fffffff, 0x9a5f43fe, 0x7ffffffe, 0x6,        0x80000000,
                                   0x5,        0x0,        0xfffffffc, 0xffffffff, 0x9a5f4404, 0xfffffffe};
const struct assay_known_answer elementwise_known_sub_i64[2] = {
    ANSWER("Sub", 2, DENSE(ASSAY_I64, 8), words46, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Sub", 2, MATRIX(ASSAY_I64, 8), words47, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
};
static const uint32_t words48[] = {0xf6047f81, 0x500fc0a, 0xff0059f7};
static const uint32_t words49[] = {0xeef0f97a, 0x74767f00, 0xfafc0586};
const struct assay_known_answer elementwise_known_sub_i8[2] = {
    ANSWER("Sub", 2, DENSE(ASSAY_I8, 1), words48, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Sub", 2, MATRIX(ASSAY_I8, 1), words49, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
};
static const uint32_t words50[] = {0xf604fe81, 0x500fc0a, 0xff0059f7};
const struct assay_known_answer elementwise_known_sub_u8[2] = {
    ANSWER("Sub", 2, DENSE(ASSAY_U8, 1), words50, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Sub", 2, MATRIX(ASSAY_U8, 1), words49, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words51[] = {0x40400000, 0x4b800000, 0x80000000, 0x80000000, 0xff800000, 0x7fc00000,
                                   0x400000,   0xc1f00000, 0x7f800000, 0x4108a2c0, 0x3f800000, 0x6};
static const uint32_t words52[] = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x400000,   0x1400000,
                                   0x407fffff, 0x12df854,  0xc0a00000, 0xc1f00000, 0xff800000, 0xc1d97669};
const struct assay_known_answer elementwise_known_mul_f32[2] = {
    ANSWER("Mul", 2, DENSE(ASSAY_F32, 4), words51, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Mul", 2, MATRIX(ASSAY_F32, 4), words52, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
};
static const uint32_t words53[] = {0x68004200, 0x80008000, 0x7e00fc00, 0xcf800200, 0x48457c00, 0x63c00};
static const uint32_t words54[] = {0x7e007e00, 0x7e007e00, 0xa000200, 0x97043ff, 0xcf80c500, 0xceccfc00};
const struct assay_known_answer elementwise_known_mul_f16[2] = {
    ANSWER("Mul", 2, DENSE(ASSAY_F16, 2), words53, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Mul", 2, MATRIX(ASSAY_F16, 2), words54, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
};
static const uint32_t words55[] = {0x43804040, 0x80008000, 0x7fc0ff80, 0xc1f00040, 0x41097f80, 0x63f80};
static const uint32_t words56[] = {0x7fc07fc0, 0x7fc07fc0, 0x1400040, 0x12e407f, 0xc1f0c0a0, 0xc1daff80};
const struct assay_known_answer elementwise_known_mul_bf16[2] = {
    ANSWER("Mul", 2, DENSE(ASSAY_BF16, 2), words55, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Mul", 2, MATRIX(ASSAY_BF16, 2), words56, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
};
static const uint32_t words57[] = {0x80000000, 0x80000000, 0x15, 0xffffffeb, 0xffffffeb, 0x15,
                                   0x1,        0x0,        0x0,  0xf451f6c9, 0x1,        0x8000c71e};
static const uint32_t words58[] = {0x80000007, 0x0,        0xffffffc1, 0xffff8feb, 0x1,  0x0,
                                   0x7ffffff7, 0x7fffeffd, 0x7ffffffb, 0x0,        0x2d, 0x500f};
const struct assay_known_answer elementwise_known_mul_i32[2] = {
    ANSWER("Mul", 2, DENSE(ASSAY_I32, 4), words57, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Mul", 2, MATRIX(ASSAY_I32, 4), words58, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
};
static const uint32_t words59[] = {0x0,        0x80000000, 0x0,        0x80000000, 0x15,       0x0,
                                   0xffffffeb, 0xffffffff, 0xffffffeb, 0xffffffff, 0x15,       0x0,
                                   0x1,        0x0,        0x0,        0x0,        0x0,        0x0,
                                   0xaa0a9c09, 0xccc3b82d, 0x1,        0x0,        0xbdb0b5c4, 0x80000000};
static const uint32_t words60[] = {0x7,        0x80000000, 0x0,        0x0,        0xffffffc1, 0xffffffff,
                                   0x389adbf9, 0xfffffff6, 0x1,        0x0,        0x0,        0x0,
                                   0xfffffff7, 0x7fffffff, 0x9a5f43ff, 0x7ffffffe, 0xfffffffb, 0x7fffffff,
                                   0x0,        0x0,        0x2d,       0x0,        0xfc23ac05, 0x6};
const struct assay_known_answer elementwise_known_mul_i64[2] = {
    ANSWER("Mul", 2, DENSE(ASSAY_I64, 8), words59, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Mul", 2, MATRIX(ASSAY_I64, 8), words60, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
};
static const uint32_t words61[] = {0xeb158080, 0x115eb, 0x5c014c00};
static const uint32_t words62[] = {0xb3c10087, 0x75770001, 0x372d007b};
const struct assay_known_answer elementwise_known_mul_i8[2] = {
    ANSWER("Mul", 2, DENSE(ASSAY_I8, 1), words61, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Mul", 2, MATRIX(ASSAY_I8, 1), words62, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
};
static const uint32_t words63[] = {0xeb15ff80, 0x115eb, 0x5c014c00};
const struct assay_known_answer elementwise_known_mul_u8[2] = {
    ANSWER("Mul", 2, DENSE(ASSAY_U8, 1), words63, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Mul", 2, MATRIX(ASSAY_U8, 1), words62, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words64[] = {0x3eaaaaab, 0x4b800000, 0xb4000001, 0x7fc00000, 0x7fc00000, 0x7fc00000,
                                   0x1000000,  0xc0555555, 0x3f800000, 0x3f93eee0, 0x3f800002, 0x2};
static const uint32_t words65[] = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x1000000,  0x2aaaab,
                                   0x0,        0x2f16ad,   0xc1a00000, 0xc0555555, 0x81200001, 0xc06b715f};
const struct assay_known_answer elementwise_known_div_f32[2] = {
    ANSWER("Div", 2, DENSE(ASSAY_F32, 4), words64, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Div", 2, MATRIX(ASSAY_F32, 4), words65, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
};
static const uint32_t words66[] = {0x68003555, 0x7e009401, 0x7e007e00, 0xc2ab0800, 0x3c9f3c00, 0x23c02};
static const uint32_t words67[] = {0x7e007e00, 0x7e007e00, 0x1550800, 0x1790000, 0xc2abcd00, 0xc35b8901};
const struct assay_known_answer elementwise_known_div_f16[2] = {
    ANSWER("Div", 2, DENSE(ASSAY_F16, 2), words66, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Div", 2, MATRIX(ASSAY_F16, 2), words67, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
};
static const uint32_t words68[] = {0x43803eab, 0x7fc0bc01, 0x7fc07fc0, 0xc0550100, 0x3f943f80, 0x23f82};
static const uint32_t words69[] = {0x7fc07fc0, 0x7fc07fc0, 0x2b0100, 0x2f0000, 0xc055c1a0, 0xc06b8121};
const struct assay_known_answer elementwise_known_div_bf16[2] = {
    ANSWER("Div", 2, DENSE(ASSAY_BF16, 2), words68, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Div", 2, MATRIX(ASSAY_BF16, 2), words69, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
};
static const uint32_t words70[] = {0x80000000, 0x80000000, 0x2, 0xfffffffe, 0xfffffffe, 0x2,
                                   0x1,        0x0,        0x0, 0xf3,       0x1,        0x0};
static const uint32_t words71[] = {0x0, 0x0, 0x0, 0x0, 0x1, 0x0, 0xe38e38e, 0x7fe80, 0x0, 0x0, 0x0, 0x0};
const struct assay_known_answer elementwise_known_div_i32[2] = {
    ANSWER("Div", 2, DENSE(ASSAY_I32, 4), words70, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Div", 2, MATRIX(ASSAY_I32, 4), words71, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
};
static const uint32_t words72[] = {
    0x0, 0x80000000, 0x0, 0x80000000, 0x2, 0x0, 0xfffffffe, 0xffffffff, 0xfffffffe, 0xffffffff, 0x2, 0x0,
    0x1, 0x0,        0x0, 0x0,        0x0, 0x0, 0x9ef21aa,  0x0,        0x1,        0x0,        0x0, 0x0};
static const uint32_t words73[] = {0x0, 0x0, 0x0, 0x0, 0x0,        0x0,       0x0,        0x0,
                                   0x1, 0x0, 0x0, 0x0, 0x38e38e38, 0xe38e38e, 0x5ba03f80, 0x0,
                                   0x0, 0x0, 0x0, 0x0, 0x0,        0x0,       0x0,        0x0};
const struct assay_known_answer elementwise_known_div_i64[2] = {
    ANSWER("Div", 2, DENSE(ASSAY_I64, 8), words72, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Div", 2, MATRIX(ASSAY_I64, 8), words73, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
};
static const uint32_t words74[] = {0xfe028080, 0x102fe, 0x10900};
static const uint32_t words75[] = {0x0, 0xb0e0001, 0x0};
const struct assay_known_answer elementwise_known_div_i8[2] = {
    ANSWER("Div", 2, DENSE(ASSAY_I8, 1), words74, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Div", 2, MATRIX(ASSAY_I8, 1), words75, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
};
static const uint32_t words76[] = {0x5302ff00, 0x10000, 0x10900};
static const uint32_t words77[] = {0x161b0001, 0xb0e0001, 0x0};
const struct assay_known_answer elementwise_known_div_u8[2] = {
    ANSWER("Div", 2, DENSE(ASSAY_U8, 1), words76, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Div", 2, MATRIX(ASSAY_U8, 1), words77, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words78[] = {0x3f800000, 0x3f800000, 0x807fffff, 0x80000000, 0xff800000, 0x7fc00000,
                                   0x800000,   0xc1200000, 0x7f7fffff, 0x402df854, 0x3f7fffff, 0x3};
static const uint32_t words79[] = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x800000,   0x800000,
                                   0x800000,   0x800000,   0xc1200000, 0xc1200000, 0xc1200000, 0xc1200000};
const struct assay_known_answer elementwise_known_min_f32[2] = {
    ANSWER("Min", 2, DENSE(ASSAY_F32, 4), words78, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Min", 2, MATRIX(ASSAY_F32, 4), words79, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
};
static const uint32_t words80[] = {0x3c003c00, 0x800083ff, 0x7e00fc00, 0xc9000400, 0x41707bff, 0x33bff};
static const uint32_t words81[] = {0x7e007e00, 0x7e007e00, 0x4000400, 0x4000400, 0xc900c900, 0xc900c900};
const struct assay_known_answer elementwise_known_min_f16[2] = {
    ANSWER("Min", 2, DENSE(ASSAY_F16, 2), words80, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Min", 2, MATRIX(ASSAY_F16, 2), words81, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
};
static const uint32_t words82[] = {0x3f803f80, 0x8000807f, 0x7fc0ff80, 0xc1200080, 0x402e7f7f, 0x33f7f};
static const uint32_t words83[] = {0x7fc07fc0, 0x7fc07fc0, 0x800080, 0x800080, 0xc120c120, 0xc120c120};
const struct assay_known_answer elementwise_known_min_bf16[2] = {
    ANSWER("Min", 2, DENSE(ASSAY_BF16, 2), words82, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Min", 2, MATRIX(ASSAY_BF16, 2), words83, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
};
static const uint32_t words84[] = {0x80000000, 0x80000000, 0x3, 0xfffffff9, 0xfffffffd, 0xfffffff9,
                                   0x7fffffff, 0x0,        0x0, 0x1003,     0xffffffff, 0xb505};
static const uint32_t words85[] = {0xfffffff9, 0xfffffff9, 0xfffffff9, 0xfffffff9, 0x7fffffff, 0x0,
                                   0x9,        0x1003,     0x5,        0x0,        0x5,        0x5};
const struct assay_known_answer elementwise_known_min_i32[2] = {
    ANSWER("Min", 2, DENSE(ASSAY_I32, 4), words84, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Min", 2, MATRIX(ASSAY_I32, 4), words85, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
};
static const uint32_t words86[] = {0x0,        0x80000000, 0x0,        0x80000000, 0x3,        0x0,
                                   0xfffffff9, 0xffffffff, 0xfffffffd, 0xffffffff, 0xfffffff9, 0xffffffff,
                                   0xffffffff, 0x7fffffff, 0x0,        0x0,        0x0,        0x0,
                                   0x65a0bc01, 0x1,        0xffffffff, 0xffffffff, 0xb504f334, 0x0};
static const uint32_t words87[] = {0xfffffff9, 0xffffffff, 0xfffffff9, 0xffffffff, 0xfffffff9, 0xffffffff,
                                   0xfffffff9, 0xffffffff, 0xffffffff, 0x7fffffff, 0x0,        0x0,
                                   0x9,        0x0,        0x65a0bc01, 0x1,        0x5,        0x0,
                                   0x0,        0x0,        0x5,        0x0,        0x5,        0x0};
const struct assay_known_answer elementwise_known_min_i64[2] = {
    ANSWER("Min", 2, DENSE(ASSAY_I64, 8), words86, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Min", 2, MATRIX(ASSAY_I64, 8), words87, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
};
static const uint32_t words88[] = {0xf9038080, 0x7ff9fd, 0x33ff0b00};
static const uint32_t words89[] = {0xf9f9f9f9, 0xb09007f, 0x5050005};
const struct assay_known_answer elementwise_known_min_i8[2] = {
    ANSWER("Min", 2, DENSE(ASSAY_I8, 1), words88, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Min", 2, MATRIX(ASSAY_I8, 1), words89, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
};
static const uint32_t words90[] = {0x3030180, 0x7ff907, 0x33ff0b00};
static const uint32_t words91[] = {0xb09007f, 0xb09007f, 0x5050005};
const struct assay_known_answer elementwise_known_min_u8[2] = {
    ANSWER("Min", 2, DENSE(ASSAY_U8, 1), words90, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Min", 2, MATRIX(ASSAY_U8, 1), words91, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words92[] = {0x40400000, 0x4b800000, 0x1,        0x0,        0x7f800000, 0x7fc00000,
                                   0x3f000000, 0x40400000, 0x7f7fffff, 0x40490fdb, 0x3f800001, 0x40000000};
static const uint32_t words93[] = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x3f000000, 0x40400000,
                                   0x7f7fffff, 0x402df854, 0x3f000000, 0x40400000, 0x7f7fffff, 0x402df854};
const struct assay_known_answer elementwise_known_max_f32[2] = {
    ANSWER("Max", 2, DENSE(ASSAY_F32, 4), words92, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Max", 2, MATRIX(ASSAY_F32, 4), words93, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
};
static const uint32_t words94[] = {0x68004200, 0x1, 0x7e007c00, 0x42003800, 0x42487bff, 0x40003c01};
static const uint32_t words95[] = {0x7e007e00, 0x7e007e00, 0x42003800, 0x41707bff, 0x42003800, 0x41707bff};
const struct assay_known_answer elementwise_known_max_f16[2] = {
    ANSWER("Max", 2, DENSE(ASSAY_F16, 2), words94, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Max", 2, MATRIX(ASSAY_F16, 2), words95, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
};
static const uint32_t words96[] = {0x43804040, 0x1, 0x7fc07f80, 0x40403f00, 0x40497f7f, 0x40003f81};
static const uint32_t words97[] = {0x7fc07fc0, 0x7fc07fc0, 0x40403f00, 0x402e7f7f, 0x40403f00, 0x402e7f7f};
const struct assay_known_answer elementwise_known_max_bf16[2] = {
    ANSWER("Max", 2, DENSE(ASSAY_BF16, 2), words96, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Max", 2, MATRIX(ASSAY_BF16, 2), words97, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
};
static const uint32_t words98[] = {0xffffffff, 0x1, 0x7, 0x3,     0x7,        0xfffffffd,
                                   0x7fffffff, 0x5, 0x9, 0xf4243, 0xffffffff, 0xb506};
static const uint32_t words99[] = {0x7fffffff, 0x0,        0x9,        0x1003, 0x7fffffff, 0x7fffffff,
                                   0x7fffffff, 0x7fffffff, 0x7fffffff, 0x5,    0x9,        0x1003};
const struct assay_known_answer elementwise_known_max_i32[2] = {
    ANSWER("Max", 2, DENSE(ASSAY_I32, 4), words98, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Max", 2, MATRIX(ASSAY_I32, 4), words99, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
};
static const uint32_t words100[] = {0xffffffff, 0xffffffff, 0x1,        0x0,        0x7,        0x0,
                                    0x3,        0x0,        0x7,        0x0,        0xfffffffd, 0xffffffff,
                                    0xffffffff, 0x7fffffff, 0x5,        0x0,        0x9,        0x0,
                                    0xa7640009, 0xde0b6b3,  0xffffffff, 0xffffffff, 0xb504f335, 0x0};
static const uint32_t words101[] = {0xffffffff, 0x7fffffff, 0x0,        0x0,        0x9,        0x0,
                                    0x65a0bc01, 0x1,        0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffff,
                                    0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffff,
                                    0x5,        0x0,        0x9,        0x0,        0x65a0bc01, 0x1};
const struct assay_known_answer elementwise_known_max_i64[2] = {
    ANSWER("Max", 2, DENSE(ASSAY_I64, 8), words100, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Max", 2, MATRIX(ASSAY_I64, 8), words101, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
};
static const uint32_t words102[] = {0x30701ff, 0x57ffd07, 0x34ff6409};
static const uint32_t words103[] = {0xb09007f, 0x7f7f7f7f, 0xb09057f};
const struct assay_known_answer elementwise_known_max_i8[2] = {
    ANSWER("Max", 2, DENSE(ASSAY_I8, 1), words102, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Max", 2, MATRIX(ASSAY_I8, 1), words103, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
};
static const uint32_t words104[] = {0xf907ffff, 0x57ffdfd, 0x34ff6409};
static const uint32_t words105[] = {0xf9f9f9f9, 0x7f7f7f7f, 0xb09057f};
const struct assay_known_answer elementwise_known_max_u8[2] = {
    ANSWER("Max", 2, DENSE(ASSAY_U8, 1), words104, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Max", 2, MATRIX(ASSAY_U8, 1), words105, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words106[] = {0x3f800000, 0x0,        0x1, 0x7fc00000, 0x7fc00000, 0x7fc00000,
                                    0x800000,   0xbf800000, 0x0, 0x3ed8bc38, 0x34400000, 0x3};
static const uint32_t words107[] = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000, 0x800000,   0x800000,
                                    0x800000,   0x800000,   0x80000000, 0xbf800000, 0xc1200000, 0xbfec2e08};
const struct assay_known_answer elementwise_known_mod_f32[2] = {
    ANSWER("Mod", 2, DENSE(ASSAY_F32, 4), words106, (fmod_1), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Mod", 2, MATRIX(ASSAY_F32, 4), words107, (fmod_1), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
};
static const uint32_t words108[] = {0x3c00, 0x7e000001, 0x7e007e00, 0xbc000400, 0x36c00000, 0x31600};
static const uint32_t words109[] = {0x7e007e00, 0x7e007e00, 0x4000400, 0x4000400, 0xbc008000, 0xbf60c900};
const struct assay_known_answer elementwise_known_mod_f16[2] = {
    ANSWER("Mod", 2, DENSE(ASSAY_F16, 2), words108, (fmod_1), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Mod", 2, MATRIX(ASSAY_F16, 2), words109, (fmod_1), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
};
static const uint32_t words110[] = {0x3f80, 0x7fc00001, 0x7fc07fc0, 0xbf800080, 0x3ed80000, 0x33c40};
static const uint32_t words111[] = {0x7fc07fc0, 0x7fc07fc0, 0x800080, 0x800080, 0xbf808000, 0xbfecc120};
const struct assay_known_answer elementwise_known_mod_bf16[2] = {
    ANSWER("Mod", 2, DENSE(ASSAY_BF16, 2), words110, (fmod_1), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Mod", 2, MATRIX(ASSAY_BF16, 2), words111, (fmod_1), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
};
static const uint32_t words112[] = {0x0, 0x0, 0x1, 0xffffffff, 0x1, 0xffffffff,
                                    0x0, 0x0, 0x0, 0xf6a,      0x0, 0xb505};
static const uint32_t words113[] = {0xfffffff9, 0x0,   0xfffffff9, 0xfffffff9, 0x0, 0x0,
                                    0x1,        0x47f, 0x5,        0x0,        0x5, 0x5};
static const uint32_t words114[] = {0x0, 0x0, 0x1, 0x2,   0xfffffffe, 0xffffffff,
                                    0x0, 0x0, 0x0, 0xf6a, 0x0,        0xb505};
static const uint32_t words115[] = {0x7ffffff8, 0x0, 0x2, 0xffc, 0x0, 0x0, 0x1, 0x47f, 0x5, 0x0, 0x5, 0x5};
const struct assay_known_answer elementwise_known_mod_i32[4] = {
    ANSWER("Mod", 2, DENSE(ASSAY_I32, 4), words112, (fmod_1), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Mod", 2, MATRIX(ASSAY_I32, 4), words113, (fmod_1), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
    ANSWER("Mod", 2, DENSE(ASSAY_I32, 4), words114, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Mod", 2, MATRIX(ASSAY_I32, 4), words115, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
};
static const uint32_t words116[] = {0x0, 0x0, 0x0,        0x0,        0x1, 0x0, 0xffffffff, 0xffffffff,
                                    0x1, 0x0, 0xffffffff, 0xffffffff, 0x0, 0x0, 0x0,        0x0,
                                    0x0, 0x0, 0xe47c065f, 0x0,        0x0, 0x0, 0xb504f334, 0x0};
static const uint32_t words117[] = {
    0xfffffff9, 0xffffffff, 0x0, 0x0, 0xfffffff9, 0xffffffff, 0xfffffff9, 0xffffffff, 0x0, 0x0, 0x0, 0x0, 0x7,
    0x0,        0xc5bdc07f, 0x0, 0x5, 0x0,        0x0,        0x0,        0x5,        0x0, 0x5, 0x0};
static const uint32_t words118[] = {
    0x0, 0x0, 0x0, 0x0, 0x1, 0x0, 0x2,        0x0, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff,
    0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0xe47c065f, 0x0, 0x0,        0x0,        0xb504f334, 0x0};
static const uint32_t words119[] = {0xfffffff8, 0x7fffffff, 0x0, 0x0, 0x2, 0x0, 0x65a0bbfa, 0x1,
                                    0x0,        0x0,        0x0, 0x0, 0x7, 0x0, 0xc5bdc07f, 0x0,
                                    0x5,        0x0,        0x0, 0x0, 0x5, 0x0, 0x5,        0x0};
const struct assay_known_answer elementwise_known_mod_i64[4] = {
    ANSWER("Mod", 2, DENSE(ASSAY_I64, 8), words116, (fmod_1), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Mod", 2, MATRIX(ASSAY_I64, 8), words117, (fmod_1), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
    ANSWER("Mod", 2, DENSE(ASSAY_I64, 8), words118, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Mod", 2, MATRIX(ASSAY_I64, 8), words119, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
};
static const uint32_t words120[] = {0xff010000, 0xff01, 0x33000100};
static const uint32_t words121[] = {0xf9f900f9, 0x6010000, 0x5050005};
static const uint32_t words122[] = {0x2010000, 0xfffe, 0x33000100};
static const uint32_t words123[] = {0x4020078, 0x6010000, 0x5050005};
const struct assay_known_answer elementwise_known_mod_i8[4] = {
    ANSWER("Mod", 2, DENSE(ASSAY_I8, 1), words120, (fmod_1), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Mod", 2, MATRIX(ASSAY_I8, 1), words121, (fmod_1), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
    ANSWER("Mod", 2, DENSE(ASSAY_I8, 1), words122, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Mod", 2, MATRIX(ASSAY_I8, 1), words123, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
};
static const uint32_t words124[] = {0x10080, 0xf907, 0x33000100};
static const uint32_t words125[] = {0x706007a, 0x6010000, 0x5050005};
const struct assay_known_answer elementwise_known_mod_u8[4] = {
    ANSWER("Mod", 2, DENSE(ASSAY_U8, 1), words124, (fmod_1), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Mod", 2, MATRIX(ASSAY_U8, 1), words125, (fmod_1), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
    ANSWER("Mod", 2, DENSE(ASSAY_U8, 1), words124, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Mod", 2, MATRIX(ASSAY_U8, 1), words125, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words126[] = {0x1000000, 0x0, 0x1};
static const uint32_t words127[] = {0x0, 0x0, 0x0};
static const uint32_t words128[] = {0x0, 0x10000, 0x10000};
static const uint32_t words129[] = {0x0, 0x1, 0x0};
static const uint32_t words130[] = {0x1010000, 0x10100, 0x10100};
static const uint32_t words131[] = {0x1000100, 0x101, 0x1010001};
static const uint32_t words132[] = {0x1000001, 0x1000100, 0x10000};
static const uint32_t words133[] = {0x101};
static const uint32_t words134[] = {0x10000};
static const uint32_t words135[] = {0x10000, 0x10000, 0x1000101};
const struct assay_known_answer elementwise_known_equal_boolean[16] = {
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words126, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words127, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words126, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words127, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words126, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words127, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words128, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words129, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words128, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words129, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words128, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words129, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words128, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words129, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
    ANSWER("Equal", 2, DENSE(ASSAY_BOOL, 1), words132, (), (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_BOOL, 1)),
           (words130, words131)),
    ANSWER("Equal", 2, MATRIX(ASSAY_BOOL, 1), words135, (), (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_BOOL, 1)),
           (words133, words134)),
};
static const uint32_t words136[] = {0x1, 0x1010000, 0x1000000};
static const uint32_t words137[] = {0x0, 0x1010101, 0x1010101};
static const uint32_t words138[] = {0x1000101, 0x100, 0x1000001};
static const uint32_t words139[] = {0x1010101, 0x0, 0x1010001};
static const uint32_t words140[] = {0x1, 0x101, 0x1000001};
static const uint32_t words141[] = {0x0, 0x0, 0x1010001};
const struct assay_known_answer elementwise_known_less_boolean[14] = {
    ANSWER("Less", 2, DENSE(ASSAY_BOOL, 1), words136, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Less", 2, MATRIX(ASSAY_BOOL, 1), words137, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
    ANSWER("Less", 2, DENSE(ASSAY_BOOL, 1), words136, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Less", 2, MATRIX(ASSAY_BOOL, 1), words137, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
    ANSWER("Less", 2, DENSE(ASSAY_BOOL, 1), words136, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Less", 2, MATRIX(ASSAY_BOOL, 1), words137, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
    ANSWER("Less", 2, DENSE(ASSAY_BOOL, 1), words138, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Less", 2, MATRIX(ASSAY_BOOL, 1), words139, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
    ANSWER("Less", 2, DENSE(ASSAY_BOOL, 1), words138, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Less", 2, MATRIX(ASSAY_BOOL, 1), words139, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
    ANSWER("Less", 2, DENSE(ASSAY_BOOL, 1), words138, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Less", 2, MATRIX(ASSAY_BOOL, 1), words139, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
    ANSWER("Less", 2, DENSE(ASSAY_BOOL, 1), words140, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Less", 2, MATRIX(ASSAY_BOOL, 1), words141, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words142[] = {0x1000001, 0x1010000, 0x1000001};
static const uint32_t words143[] = {0x1000101, 0x10100, 0x1010001};
static const uint32_t words144[] = {0x1010101, 0x1, 0x1010001};
static const uint32_t words145[] = {0x1, 0x10101, 0x1010001};
static const uint32_t words146[] = {0x0, 0x1, 0x1010001};
const struct assay_known_answer elementwise_known_less_or_equal_boolean[14] = {
    ANSWER("LessOrEqual", 2, DENSE(ASSAY_BOOL, 1), words142, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("LessOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words137, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
    ANSWER("LessOrEqual", 2, DENSE(ASSAY_BOOL, 1), words142, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("LessOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words137, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
    ANSWER("LessOrEqual", 2, DENSE(ASSAY_BOOL, 1), words142, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("LessOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words137, (),
           (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)), (words15, words16)),
    ANSWER("LessOrEqual", 2, DENSE(ASSAY_BOOL, 1), words143, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("LessOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words144, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
    ANSWER("LessOrEqual", 2, DENSE(ASSAY_BOOL, 1), words143, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("LessOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words144, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
    ANSWER("LessOrEqual", 2, DENSE(ASSAY_BOOL, 1), words143, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("LessOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words144, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
    ANSWER("LessOrEqual", 2, DENSE(ASSAY_BOOL, 1), words145, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("LessOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words146, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words147[] = {0x10100, 0x1, 0x10100};
static const uint32_t words148[] = {0x10000, 0x1000001, 0x100};
static const uint32_t words149[] = {0x0, 0x1010100, 0x100};
static const uint32_t words150[] = {0x1010100, 0x1000000, 0x100};
static const uint32_t words151[] = {0x1010101, 0x1010100, 0x100};
const struct assay_known_answer elementwise_known_greater_boolean[14] = {
    ANSWER("Greater", 2, DENSE(ASSAY_BOOL, 1), words147, (), (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)),
           (words0, words1)),
    ANSWER("Greater", 2, MATRIX(ASSAY_BOOL, 1), words127, (), (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)),
           (words3, words4)),
    ANSWER("Greater", 2, DENSE(ASSAY_BOOL, 1), words147, (), (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)),
           (words6, words7)),
    ANSWER("Greater", 2, MATRIX(ASSAY_BOOL, 1), words127, (), (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)),
           (words9, words10)),
    ANSWER("Greater", 2, DENSE(ASSAY_BOOL, 1), words147, (), (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)),
           (words12, words13)),
    ANSWER("Greater", 2, MATRIX(ASSAY_BOOL, 1), words127, (), (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)),
           (words15, words16)),
    ANSWER("Greater", 2, DENSE(ASSAY_BOOL, 1), words148, (), (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)),
           (words18, words19)),
    ANSWER("Greater", 2, MATRIX(ASSAY_BOOL, 1), words149, (), (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)),
           (words21, words22)),
    ANSWER("Greater", 2, DENSE(ASSAY_BOOL, 1), words148, (), (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)),
           (words24, words25)),
    ANSWER("Greater", 2, MATRIX(ASSAY_BOOL, 1), words149, (), (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)),
           (words27, words28)),
    ANSWER("Greater", 2, DENSE(ASSAY_BOOL, 1), words148, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("Greater", 2, MATRIX(ASSAY_BOOL, 1), words149, (), (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)),
           (words33, words34)),
    ANSWER("Greater", 2, DENSE(ASSAY_BOOL, 1), words150, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("Greater", 2, MATRIX(ASSAY_BOOL, 1), words151, (), (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)),
           (words33, words34)),
};
static const uint32_t words152[] = {0x1010100, 0x1, 0x10101};
static const uint32_t words153[] = {0x10000, 0x1010001, 0x10100};
static const uint32_t words154[] = {0x0, 0x1010101, 0x100};
static const uint32_t words155[] = {0x1010100, 0x1010000, 0x10100};
static const uint32_t words156[] = {0x1010101, 0x1010101, 0x100};
const struct assay_known_answer elementwise_known_greater_or_equal_boolean[14] = {
    ANSWER("GreaterOrEqual", 2, DENSE(ASSAY_BOOL, 1), words152, (),
           (DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)), (words0, words1)),
    ANSWER("GreaterOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words127, (),
           (ROWS(ASSAY_F32, 4), COLUMNS(ASSAY_F32, 4)), (words3, words4)),
    ANSWER("GreaterOrEqual", 2, DENSE(ASSAY_BOOL, 1), words152, (),
           (DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)), (words6, words7)),
    ANSWER("GreaterOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words127, (),
           (ROWS(ASSAY_F16, 2), COLUMNS(ASSAY_F16, 2)), (words9, words10)),
    ANSWER("GreaterOrEqual", 2, DENSE(ASSAY_BOOL, 1), words152, (),
           (DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)), (words12, words13)),
    ANSWER("GreaterOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words127, (),
           (ROWS(ASSAY_BF16, 2), COLUMNS(ASSAY_BF16, 2)), (words15, words16)),
    ANSWER("GreaterOrEqual", 2, DENSE(ASSAY_BOOL, 1), words153, (),
           (DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)), (words18, words19)),
    ANSWER("GreaterOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words154, (),
           (ROWS(ASSAY_I32, 4), COLUMNS(ASSAY_I32, 4)), (words21, words22)),
    ANSWER("GreaterOrEqual", 2, DENSE(ASSAY_BOOL, 1), words153, (),
           (DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)), (words24, words25)),
    ANSWER("GreaterOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words154, (),
           (ROWS(ASSAY_I64, 8), COLUMNS(ASSAY_I64, 8)), (words27, words28)),
    ANSWER("GreaterOrEqual", 2, DENSE(ASSAY_BOOL, 1), words153, (), (DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)),
           (words30, words31)),
    ANSWER("GreaterOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words154, (),
           (ROWS(ASSAY_I8, 1), COLUMNS(ASSAY_I8, 1)), (words33, words34)),
    ANSWER("GreaterOrEqual", 2, DENSE(ASSAY_BOOL, 1), words155, (), (DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)),
           (words36, words31)),
    ANSWER("GreaterOrEqual", 2, MATRIX(ASSAY_BOOL, 1), words156, (),
           (ROWS(ASSAY_U8, 1), COLUMNS(ASSAY_U8, 1)), (words33, words34)),
};
static const uint32_t words157[] = {0x1000000, 0x100, 0x10000};
static const uint32_t words158[] = {0x10000, 0x10000, 0x0};
const struct assay_known_answer elementwise_known_and_boolean[2] = {
    ANSWER("And", 2, DENSE(ASSAY_BOOL, 1), words157, (), (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_BOOL, 1)),
           (words130, words131)),
    ANSWER("And", 2, MATRIX(ASSAY_BOOL, 1), words158, (), (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_BOOL, 1)),
           (words133, words134)),
};
static const uint32_t words159[] = {0x1010100, 0x10101, 0x1010101};
static const uint32_t words160[] = {0x1010101, 0x1010101, 0x10000};
const struct assay_known_answer elementwise_known_or_boolean[2] = {
    ANSWER("Or", 2, DENSE(ASSAY_BOOL, 1), words159, (), (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_BOOL, 1)),
           (words130, words131)),
    ANSWER("Or", 2, MATRIX(ASSAY_BOOL, 1), words160, (), (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_BOOL, 1)),
           (words133, words134)),
};
static const uint32_t words161[] = {0x10100, 0x10001, 0x1000101};
static const uint32_t words162[] = {0x1000101, 0x1000101, 0x10000};
const struct assay_known_answer elementwise_known_xor_boolean[2] = {
    ANSWER("Xor", 2, DENSE(ASSAY_BOOL, 1), words161, (), (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_BOOL, 1)),
           (words130, words131)),
    ANSWER("Xor", 2, MATRIX(ASSAY_BOOL, 1), words162, (), (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_BOOL, 1)),
           (words133, words134)),
};
static const uint32_t words163[] = {0x101, 0x1000001, 0x1000001};
static const uint32_t words164[] = {0x1, 0x10101, 0x1010000};
const struct assay_known_answer elementwise_known_not_boolean[2] = {
    ANSWER("Not", 1, DENSE(ASSAY_BOOL, 1), words163, (), (DENSE(ASSAY_BOOL, 1)), (words130)),
    ANSWER("Not", 1, MATRIX(ASSAY_BOOL, 1), words164, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words130)),
};
static const uint32_t words165[] = {0x3f800000, 0x4b800000, 0x1,        0x80000000, 0x7f800000, 0x0,
                                    0x800000,   0xc1200000, 0x7f7fffff, 0x40490fdb, 0x3f800001, 0x3};
static const uint32_t words166[] = {0x40400000, 0x4b800000, 0x807fffff, 0x80000000, 0x7f800000, 0x0,
                                    0x3f000000, 0x40400000, 0x7f7fffff, 0x402df854, 0x3f800001, 0x3};
static const uint32_t words167[] = {0x10001};
static const uint32_t words168[] = {0x4b800000, 0x1, 0x80000000, 0x7f800000};
static const uint32_t words169[] = {0x4b800000, 0x1,        0x80000000, 0x7f800000, 0xff800000, 0x3f800000,
                                    0x3f000000, 0x40400000, 0x4b800000, 0x1,        0x80000000, 0x7f800000};
const struct assay_known_answer elementwise_known_where_f32[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_F32, 4), words166, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_F32, 4), DENSE(ASSAY_F32, 4)), (words131, words165, words1)),
    ANSWER("Where", 3, MATRIX(ASSAY_F32, 4), words169, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_F32, 4), MATRIX(ASSAY_F32, 4)), (words167, words168, words1)),
};
static const uint32_t words170[] = {0x68003c00, 0x80000001, 0x7c00, 0xc9000400, 0x42487bff, 0x33c01};
static const uint32_t words171[] = {0x68004200, 0x800083ff, 0x7c00, 0x42003800, 0x41707bff, 0x33c01};
static const uint32_t words172[] = {0x16800, 0x7c008000};
static const uint32_t words173[] = {0x16800, 0x7c008000, 0x3c00fc00, 0x42003800, 0x16800, 0x7c008000};
const struct assay_known_answer elementwise_known_where_f16[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_F16, 2), words171, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_F16, 2), DENSE(ASSAY_F16, 2)), (words131, words170, words7)),
    ANSWER("Where", 3, MATRIX(ASSAY_F16, 2), words173, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_F16, 2), MATRIX(ASSAY_F16, 2)), (words167, words172, words7)),
};
static const uint32_t words174[] = {0x43803f80, 0x80000001, 0x7f80, 0xc1200080, 0x40497f7f, 0x33f81};
static const uint32_t words175[] = {0x43804040, 0x8000807f, 0x7f80, 0x40403f00, 0x402e7f7f, 0x33f81};
static const uint32_t words176[] = {0x14380, 0x7f808000};
static const uint32_t words177[] = {0x14380, 0x7f808000, 0x3f80ff80, 0x40403f00, 0x14380, 0x7f808000};
const struct assay_known_answer elementwise_known_where_bf16[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_BF16, 2), words175, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_BF16, 2), DENSE(ASSAY_BF16, 2)), (words131, words174, words13)),
    ANSWER("Where", 3, MATRIX(ASSAY_BF16, 2), words177, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_BF16, 2), MATRIX(ASSAY_BF16, 2)),
           (words167, words176, words13)),
};
static const uint32_t words178[] = {0xffffffff, 0x80000000, 0x3, 0xfffffff9, 0x7,        0xfffffff9,
                                    0x7fffffff, 0x0,        0x0, 0x1003,     0xffffffff, 0xb505};
static const uint32_t words179[] = {0x80000000, 0x7, 0xfffffff9, 0x7};
static const uint32_t words180[] = {0x80000000, 0x7, 0xfffffff9, 0x7, 0xfffffffd, 0xfffffffd,
                                    0x7fffffff, 0x0, 0x80000000, 0x7, 0xfffffff9, 0x7};
const struct assay_known_answer elementwise_known_where_i32[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_I32, 4), words178, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_I32, 4), DENSE(ASSAY_I32, 4)), (words131, words18, words19)),
    ANSWER("Where", 3, MATRIX(ASSAY_I32, 4), words180, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_I32, 4), MATRIX(ASSAY_I32, 4)), (words167, words179, words19)),
};
static const uint32_t words181[] = {0xffffffff, 0xffffffff, 0x0,        0x80000000, 0x3,        0x0,
                                    0xfffffff9, 0xffffffff, 0x7,        0x0,        0xfffffff9, 0xffffffff,
                                    0xffffffff, 0x7fffffff, 0x0,        0x0,        0x0,        0x0,
                                    0x65a0bc01, 0x1,        0xffffffff, 0xffffffff, 0xb504f334, 0x0};
static const uint32_t words182[] = {0x0, 0x80000000, 0x7, 0x0, 0xfffffff9, 0xffffffff, 0x7, 0x0};
static const uint32_t words183[] = {0x0,        0x80000000, 0x7,        0x0,        0xfffffff9, 0xffffffff,
                                    0x7,        0x0,        0xfffffffd, 0xffffffff, 0xfffffffd, 0xffffffff,
                                    0xffffffff, 0x7fffffff, 0x0,        0x0,        0x0,        0x80000000,
                                    0x7,        0x0,        0xfffffff9, 0xffffffff, 0x7,        0x0};
const struct assay_known_answer elementwise_known_where_i64[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_I64, 8), words181, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_I64, 8), DENSE(ASSAY_I64, 8)), (words131, words24, words25)),
    ANSWER("Where", 3, MATRIX(ASSAY_I64, 8), words183, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_I64, 8), MATRIX(ASSAY_I64, 8)), (words167, words182, words25)),
};
static const uint32_t words184[] = {0xf90380ff, 0x7ff907, 0x33ff0b00};
static const uint32_t words185[] = {0x7f90780};
static const uint32_t words186[] = {0x7f90780, 0x7ffdfd, 0x7f90780};
const struct assay_known_answer elementwise_known_where_i8[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_I8, 1), words184, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_I8, 1), DENSE(ASSAY_I8, 1)), (words131, words30, words31)),
    ANSWER("Where", 3, MATRIX(ASSAY_I8, 1), words186, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_I8, 1), MATRIX(ASSAY_I8, 1)), (words167, words185, words31)),
};
static const uint32_t words187[] = {0xf903ffff, 0x7ff907, 0x33ff0b00};
static const uint32_t words188[] = {0x7f907ff};
static const uint32_t words189[] = {0x7f907ff, 0x7ffdfd, 0x7f907ff};
const struct assay_known_answer elementwise_known_where_u8[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_U8, 1), words187, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_U8, 1), DENSE(ASSAY_U8, 1)), (words131, words36, words31)),
    ANSWER("Where", 3, MATRIX(ASSAY_U8, 1), words189, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_U8, 1), MATRIX(ASSAY_U8, 1)), (words167, words188, words31)),
};
static const uint32_t words190[] = {0x10100};
static const uint32_t words191[] = {0x10100, 0x101, 0x10100};
const struct assay_known_answer elementwise_known_where_boolean[2] = {
    ANSWER("Where", 3, DENSE(ASSAY_BOOL, 1), words157, (),
           (DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_BOOL, 1), DENSE(ASSAY_BOOL, 1)),
           (words131, words130, words131)),
    ANSWER("Where", 3, MATRIX(ASSAY_BOOL, 1), words191, (),
           (ROWS(ASSAY_BOOL, 1), COLUMNS(ASSAY_BOOL, 1), MATRIX(ASSAY_BOOL, 1)),
           (words167, words190, words131)),
};
static const uint32_t words192[] = {0x4f000000, 0xcf000000, 0x5f000000, 0xc2ff0000, 0x437f8000, 0x7fc00000,
                                    0xff800000, 0x477ff000, 0x33000001, 0x80000000, 0x3f808000, 0xbf7fffff};
static const uint32_t words193[] = {0x4f000000, 0xc2ff0000, 0xff800000, 0x80000000, 0xcf000000, 0x437f8000,
                                    0x477ff000, 0x3f808000, 0x5f000000, 0x7fc00000, 0x33000001, 0xbf7fffff};
static const uint32_t words194[] = {0xd8085bf8, 0x7e007bff, 0x1fc00, 0x3bff8000, 0x5800c1ff, 0xd7ff3c01};
static const uint32_t words195[] = {0x437f0000, 0xc3010000, 0x477fe000, 0x7fc00000, 0xff800000, 0x33800000,
                                    0x80000000, 0x3f7fe000, 0xc03fe000, 0x43000000, 0x3f802000, 0xc2ffe000};
static const uint32_t words196[] = {0x437f0000, 0x7fc00000, 0x80000000, 0x43000000, 0xc3010000, 0xff800000,
                                    0x3f7fe000, 0x3f802000, 0x477fe000, 0x33800000, 0xc03fe000, 0xc2ffe000};
static const uint32_t words197[] = {0xcf004f00, 0xc3005f00, 0x7fc04380, 0x1ff80, 0x3f7f8000, 0x42ffc020};
static const uint32_t words198[] = {0x4f000000, 0xcf000000, 0x5f000000, 0xc3000000, 0x43800000, 0x7fc00000,
                                    0xff800000, 0x10000,    0x80000000, 0x3f7f0000, 0xc0200000, 0x42ff0000};
static const uint32_t words199[] = {0x4f000000, 0xc3000000, 0xff800000, 0x3f7f0000, 0xcf000000, 0x43800000,
                                    0x10000,    0xc0200000, 0x5f000000, 0x7fc00000, 0x80000000, 0x42ff0000};
static const uint32_t words200[] = {0x80000000, 0x7fffffff, 0xffffffff, 0x0,        0x1000001, 0x1000003,
                                    0xffef,     0xfff0,     0x100,      0xffffff7f, 0x101,     0x80};
static const uint32_t words201[] = {0xcf000000, 0x4f000000, 0xbf800000, 0x0,        0x4b800000, 0x4b800002,
                                    0x477fef00, 0x477ff000, 0x43800000, 0xc3010000, 0x43808000, 0x43000000};
static const uint32_t words202[] = {0xcf000000, 0x0,        0x477fef00, 0xc3010000, 0x4f000000, 0x4b800000,
                                    0x477ff000, 0x43808000, 0xbf800000, 0x4b800002, 0x43800000, 0x43000000};
static const uint32_t words203[] = {0x0,        0x80000000, 0xffffffff, 0x7fffffff, 0xffffffff, 0xffffffff,
                                    0x0,        0x0,        0x1000001,  0x0,        0x40000001, 0x400000,
                                    0xfff0,     0x0,        0x0,        0x1,        0x1ff,      0x0,
                                    0xffff000f, 0xffffffff, 0x10000,    0x100,      0x80,       0x0};
static const uint32_t words204[] = {0xdf000000, 0x5f000000, 0xbf800000, 0x0,        0x4b800000, 0x5a800001,
                                    0x477ff000, 0x4f800000, 0x43ff8000, 0xc77ff100, 0x53800000, 0x43000000};
static const uint32_t words205[] = {0xdf000000, 0x0,        0x477ff000, 0xc77ff100, 0x5f000000, 0x4b800000,
                                    0x4f800000, 0x53800000, 0xbf800000, 0x5a800001, 0x43ff8000, 0x43000000};
static const uint32_t words206[] = {0xff7f80, 0xc0408101, 0x9c64f50b};
static const uint32_t words207[] = {0xc3000000, 0x42fe0000, 0xbf800000, 0x0,        0x3f800000, 0xc2fe0000,
                                    0x42800000, 0xc2800000, 0x41300000, 0xc1300000, 0x42c80000, 0xc2c80000};
static const uint32_t words208[] = {0xc3000000, 0x0,        0x42800000, 0xc1300000, 0x42fe0000, 0x3f800000,
                                    0xc2800000, 0x42c80000, 0xbf800000, 0xc2fe0000, 0x41300000, 0xc2c80000};
static const uint32_t words209[] = {0x43000000, 0x42fe0000, 0x437f0000, 0x0,        0x3f800000, 0x43010000,
                                    0x42800000, 0x43400000, 0x41300000, 0x43750000, 0x42c80000, 0x431c0000};
static const uint32_t words210[] = {0x43000000, 0x0,        0x42800000, 0x43750000, 0x42fe0000, 0x3f800000,
                                    0x43400000, 0x42c80000, 0x437f0000, 0x43010000, 0x41300000, 0x431c0000};
static const uint32_t words211[] = {0x10100, 0x1000001, 0x1000101};
static const uint32_t words212[] = {0x0, 0x3f800000, 0x3f800000, 0x0,        0x3f800000, 0x0,
                                    0x0, 0x3f800000, 0x3f800000, 0x3f800000, 0x0,        0x3f800000};
static const uint32_t words213[] = {0x0,        0x0, 0x0,        0x3f800000, 0x3f800000, 0x3f800000,
                                    0x3f800000, 0x0, 0x3f800000, 0x0,        0x3f800000, 0x3f800000};
const struct assay_known_answer elementwise_known_cast_f32[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words192, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words193, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words195, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words196, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words198, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words199, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words201, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words202, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words204, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words205, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words207, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words208, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words209, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words210, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_F32, 4), words212, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F32, 4), words213, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
static const uint32_t words214[] = {0xfc007c00, 0xd7f87c00, 0x7e005bfc, 0x7c00fc00, 0x80000001, 0xbc003c04};
static const uint32_t words215[] = {0xd7f87c00, 0x8000fc00, 0x5bfcfc00, 0x3c047c00, 0x7e007c00, 0xbc000001};
static const uint32_t words216[] = {0x7e005bf8, 0x58008000, 0xfc00d808, 0x3c013bff, 0x17bff, 0xd7ffc1ff};
static const uint32_t words217[] = {0xfc007c00, 0xd8007c00, 0x7e005c00, 0xfc00, 0x3bf88000, 0x57f8c100};
static const uint32_t words218[] = {0xd8007c00, 0x3bf8fc00, 0x5c00fc00, 0xc1000000, 0x7e007c00, 0x57f88000};
static const uint32_t words219[] = {0x7c00fc00, 0xbc00, 0x7c007c00, 0x7c007bff, 0xd8085c00, 0x58005c04};
static const uint32_t words220[] = {0xfc00, 0xd8087bff, 0x7c007c00, 0x5c047c00, 0x7c00bc00, 0x58005c00};
static const uint32_t words221[] = {0x7c00fc00, 0xbc00, 0x7c007c00, 0x7c007c00, 0xfc005ffc, 0x58007c00};
static const uint32_t words222[] = {0xfc00, 0xfc007c00, 0x7c007c00, 0x7c007c00, 0x7c00bc00, 0x58005ffc};
static const uint32_t words223[] = {0x57f0d800, 0xbc00, 0xd7f03c00, 0xd4005400, 0xc9804980, 0xd6405640};
static const uint32_t words224[] = {0xd800, 0xc9805400, 0x3c0057f0, 0x5640d400, 0xd7f0bc00, 0xd6404980};
static const uint32_t words225[] = {0x57f05800, 0x5bf8, 0x58083c00, 0x5a005400, 0x5ba84980, 0x58e05640};
static const uint32_t words226[] = {0x5800, 0x5ba85400, 0x3c0057f0, 0x56405a00, 0x58085bf8, 0x58e04980};
static const uint32_t words227[] = {0x3c000000, 0x3c00, 0x3c00, 0x3c000000, 0x3c003c00, 0x3c000000};
static const uint32_t words228[] = {0x0, 0x3c000000, 0x3c003c00, 0x3c00, 0x3c00, 0x3c003c00};
const struct assay_known_answer elementwise_known_cast_f16[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words214, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words215, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words194, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words216, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words217, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words218, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words219, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words220, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words221, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words222, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words223, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words224, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words225, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words226, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_F16, 2), words227, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_F16, 2), words228, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
static const uint32_t words229[] = {0xcf004f00, 0xc2ff5f00, 0x7fc04380, 0x4780ff80, 0x80003300, 0xbf803f80};
static const uint32_t words230[] = {0xc2ff4f00, 0x8000ff80, 0x4380cf00, 0x3f804780, 0x7fc05f00, 0xbf803300};
static const uint32_t words231[] = {0xc301437f, 0x7fc04780, 0x3380ff80, 0x3f808000, 0x4300c040, 0xc3003f80};
static const uint32_t words232[] = {0x7fc0437f, 0x43008000, 0xff80c301, 0x3f803f80, 0x33804780, 0xc300c040};
static const uint32_t words233[] = {0xc3004f00, 0x3f7fff80, 0x4380cf00, 0xc0200001, 0x7fc05f00, 0x42ff8000};
static const uint32_t words234[] = {0x4f00cf00, 0xbf80, 0x4b804b80, 0x47804780, 0xc3014380, 0x43004380};
static const uint32_t words235[] = {0xcf00, 0xc3014780, 0x4b804f00, 0x43804780, 0x4b80bf80, 0x43004380};
static const uint32_t words236[] = {0x5f00df00, 0xbf80, 0x5a804b80, 0x4f804780, 0xc7804400, 0x43005380};
static const uint32_t words237[] = {0xdf00, 0xc7804780, 0x4b805f00, 0x53804f80, 0x5a80bf80, 0x43004400};
static const uint32_t words238[] = {0x42fec300, 0xbf80, 0xc2fe3f80, 0xc2804280, 0xc1304130, 0xc2c842c8};
static const uint32_t words239[] = {0xc300, 0xc1304280, 0x3f8042fe, 0x42c8c280, 0xc2febf80, 0xc2c84130};
static const uint32_t words240[] = {0x42fe4300, 0x437f, 0x43013f80, 0x43404280, 0x43754130, 0x431c42c8};
static const uint32_t words241[] = {0x4300, 0x43754280, 0x3f8042fe, 0x42c84340, 0x4301437f, 0x431c4130};
static const uint32_t words242[] = {0x3f800000, 0x3f80, 0x3f80, 0x3f800000, 0x3f803f80, 0x3f800000};
static const uint32_t words243[] = {0x0, 0x3f800000, 0x3f803f80, 0x3f80, 0x3f80, 0x3f803f80};
const struct assay_known_answer elementwise_known_cast_bf16[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words229, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words230, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words231, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words232, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words197, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words233, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words234, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words235, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words236, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words237, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words238, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words239, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words240, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words241, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_BF16, 2), words242, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BF16, 2), words243, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
static const uint32_t words244[] = {0x7fffffff, 0x80000000, 0x7fffffff, 0xffffff81, 0xff, 0x0,
                                    0x80000000, 0xfff0,     0x0,        0x0,        0x1,  0x0};
static const uint32_t words245[] = {0x7fffffff, 0xffffff81, 0x80000000, 0x0, 0x80000000, 0xff,
                                    0xfff0,     0x1,        0x7fffffff, 0x0, 0x0,        0x0};
static const uint32_t words246[] = {0xff, 0xffffff7f, 0xffe0,     0x0,  0x80000000, 0x0,
                                    0x0,  0x0,        0xfffffffe, 0x80, 0x1,        0xffffff81};
static const uint32_t words247[] = {0xff, 0x0, 0x0,    0x80, 0xffffff7f, 0x80000000,
                                    0x0,  0x1, 0xffe0, 0x0,  0xfffffffe, 0xffffff81};
static const uint32_t words248[] = {0x7fffffff, 0x80000000, 0x7fffffff, 0xffffff80, 0x100,      0x0,
                                    0x80000000, 0x0,        0x0,        0x0,        0xfffffffe, 0x7f};
static const uint32_t words249[] = {0x7fffffff, 0xffffff80, 0x80000000, 0x0, 0x80000000, 0x100,
                                    0x0,        0xfffffffe, 0x7fffffff, 0x0, 0x0,        0x7f};
static const uint32_t words250[] = {0x80000000, 0x0,   0xffef,     0xffffff7f, 0x7fffffff, 0x1000001,
                                    0xfff0,     0x101, 0xffffffff, 0x1000003,  0x100,      0x80};
static const uint32_t words251[] = {0x0,    0xffffffff, 0xffffffff, 0x0,        0x1000001, 0x40000001,
                                    0xfff0, 0x0,        0x1ff,      0xffff000f, 0x10000,   0x80};
static const uint32_t words252[] = {0x0, 0x0,     0xfff0,     0xffff000f, 0xffffffff, 0x1000001,
                                    0x0, 0x10000, 0xffffffff, 0x40000001, 0x1ff,      0x80};
static const uint32_t words253[] = {0xffffff80, 0x7f,       0xffffffff, 0x0,        0x1,  0xffffff81,
                                    0x40,       0xffffffc0, 0xb,        0xfffffff5, 0x64, 0xffffff9c};
static const uint32_t words254[] = {0xffffff80, 0x0,  0x40,       0xfffffff5, 0x7f, 0x1,
                                    0xffffffc0, 0x64, 0xffffffff, 0xffffff81, 0xb,  0xffffff9c};
static const uint32_t words255[] = {0x80, 0x7f, 0xff, 0x0, 0x1, 0x81, 0x40, 0xc0, 0xb, 0xf5, 0x64, 0x9c};
static const uint32_t words256[] = {0x80, 0x0, 0x40, 0xf5, 0x7f, 0x1, 0xc0, 0x64, 0xff, 0x81, 0xb, 0x9c};
static const uint32_t words257[] = {0x0, 0x1, 0x1, 0x0, 0x1, 0x0, 0x0, 0x1, 0x1, 0x1, 0x0, 0x1};
static const uint32_t words258[] = {0x0, 0x0, 0x0, 0x1, 0x1, 0x1, 0x1, 0x0, 0x1, 0x0, 0x1, 0x1};
const struct assay_known_answer elementwise_known_cast_i32[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words244, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words245, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words246, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words247, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words248, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words249, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words200, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words250, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words251, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words252, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words253, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words254, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words255, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words256, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_I32, 4), words257, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I32, 4), words258, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
static const uint32_t words259[] = {0x80000000, 0x0,        0x80000000, 0xffffffff, 0xffffffff, 0x7fffffff,
                                    0xffffff81, 0xffffffff, 0xff,       0x0,        0x0,        0x0,
                                    0x0,        0x80000000, 0xfff0,     0x0,        0x0,        0x0,
                                    0x0,        0x0,        0x1,        0x0,        0x0,        0x0};
static const uint32_t words260[] = {0x80000000, 0x0, 0xffffff81, 0xffffffff, 0x0,        0x80000000,
                                    0x0,        0x0, 0x80000000, 0xffffffff, 0xff,       0x0,
                                    0xfff0,     0x0, 0x1,        0x0,        0xffffffff, 0x7fffffff,
                                    0x0,        0x0, 0x0,        0x0,        0x0,        0x0};
static const uint32_t words261[] = {
    0xff, 0x0, 0xffffff7f, 0xffffffff, 0xffe0,     0x0,  0x0, 0x0, 0x0, 0x80000000, 0x0,       0x0, 0x0,
    0x0,  0x0, 0x0,        0xfffffffe, 0xffffffff, 0x80, 0x0, 0x1, 0x0, 0xffffff81, 0xffffffff};
static const uint32_t words262[] = {
    0xff, 0x0, 0x0, 0x0, 0x0,    0x0, 0x80, 0x0, 0xffffff7f, 0xffffffff, 0x0,        0x80000000,
    0x0,  0x0, 0x1, 0x0, 0xffe0, 0x0, 0x0,  0x0, 0xfffffffe, 0xffffffff, 0xffffff81, 0xffffffff};
static const uint32_t words263[] = {0x80000000, 0x0,        0x80000000, 0xffffffff, 0xffffffff, 0x7fffffff,
                                    0xffffff80, 0xffffffff, 0x100,      0x0,        0x0,        0x0,
                                    0x0,        0x80000000, 0x0,        0x0,        0x0,        0x0,
                                    0x0,        0x0,        0xfffffffe, 0xffffffff, 0x7f,       0x0};
static const uint32_t words264[] = {0x80000000, 0x0, 0xffffff80, 0xffffffff, 0x0,        0x80000000,
                                    0x0,        0x0, 0x80000000, 0xffffffff, 0x100,      0x0,
                                    0x0,        0x0, 0xfffffffe, 0xffffffff, 0xffffffff, 0x7fffffff,
                                    0x0,        0x0, 0x0,        0x0,        0x7f,       0x0};
static const uint32_t words265[] = {0x80000000, 0xffffffff, 0x7fffffff, 0x0, 0xffffffff, 0xffffffff,
                                    0x0,        0x0,        0x1000001,  0x0, 0x1000003,  0x0,
                                    0xffef,     0x0,        0xfff0,     0x0, 0x100,      0x0,
                                    0xffffff7f, 0xffffffff, 0x101,      0x0, 0x80,       0x0};
static const uint32_t words266[] = {0x80000000, 0xffffffff, 0x0,        0x0, 0xffef,     0x0,
                                    0xffffff7f, 0xffffffff, 0x7fffffff, 0x0, 0x1000001,  0x0,
                                    0xfff0,     0x0,        0x101,      0x0, 0xffffffff, 0xffffffff,
                                    0x1000003,  0x0,        0x100,      0x0, 0x80,       0x0};
static const uint32_t words267[] = {0x0,        0x80000000, 0x0,        0x0,        0xfff0,     0x0,
                                    0xffff000f, 0xffffffff, 0xffffffff, 0x7fffffff, 0x1000001,  0x0,
                                    0x0,        0x1,        0x10000,    0x100,      0xffffffff, 0xffffffff,
                                    0x40000001, 0x400000,   0x1ff,      0x0,        0x80,       0x0};
static const uint32_t words268[] = {0xffffff80, 0xffffffff, 0x7f,       0x0,        0xffffffff, 0xffffffff,
                                    0x0,        0x0,        0x1,        0x0,        0xffffff81, 0xffffffff,
                                    0x40,       0x0,        0xffffffc0, 0xffffffff, 0xb,        0x0,
                                    0xfffffff5, 0xffffffff, 0x64,       0x0,        0xffffff9c, 0xffffffff};
static const uint32_t words269[] = {0xffffff80, 0xffffffff, 0x0,  0x0, 0x40,       0x0,
                                    0xfffffff5, 0xffffffff, 0x7f, 0x0, 0x1,        0x0,
                                    0xffffffc0, 0xffffffff, 0x64, 0x0, 0xffffffff, 0xffffffff,
                                    0xffffff81, 0xffffffff, 0xb,  0x0, 0xffffff9c, 0xffffffff};
static const uint32_t words270[] = {0x80, 0x0, 0x7f, 0x0, 0xff, 0x0, 0x0,  0x0, 0x1,  0x0, 0x81, 0x0,
                                    0x40, 0x0, 0xc0, 0x0, 0xb,  0x0, 0xf5, 0x0, 0x64, 0x0, 0x9c, 0x0};
static const uint32_t words271[] = {0x80, 0x0, 0x0,  0x0, 0x40, 0x0, 0xf5, 0x0, 0x7f, 0x0, 0x1,  0x0,
                                    0xc0, 0x0, 0x64, 0x0, 0xff, 0x0, 0x81, 0x0, 0xb,  0x0, 0x9c, 0x0};
static const uint32_t words272[] = {0x0, 0x0, 0x1, 0x0, 0x1, 0x0, 0x0, 0x0, 0x1, 0x0, 0x0, 0x0,
                                    0x0, 0x0, 0x1, 0x0, 0x1, 0x0, 0x1, 0x0, 0x0, 0x0, 0x1, 0x0};
static const uint32_t words273[] = {0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x1, 0x0, 0x1, 0x0, 0x1, 0x0,
                                    0x1, 0x0, 0x0, 0x0, 0x1, 0x0, 0x0, 0x0, 0x1, 0x0, 0x1, 0x0};
const struct assay_known_answer elementwise_known_cast_i64[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words259, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words260, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words261, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words262, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words263, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words264, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words265, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words266, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words203, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words267, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words268, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words269, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words270, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words271, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_I64, 8), words272, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I64, 8), words273, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
static const uint32_t words274[] = {0x817f807f, 0x7f80007f, 0x10000};
static const uint32_t words275[] = {0x80817f, 0x17f7f80, 0x7f};
static const uint32_t words276[] = {0x7f807f, 0x80, 0x81017ffe};
static const uint32_t words277[] = {0x7f00007f, 0x1008080, 0x81fe007f};
static const uint32_t words278[] = {0x807f807f, 0x80007f, 0x7ffe0000};
static const uint32_t words279[] = {0x80807f, 0xfe007f80, 0x7f00007f};
static const uint32_t words280[] = {0xffff00, 0xf0ef0301, 0x80017f00};
static const uint32_t words281[] = {0x7fef0000, 0x1f001ff, 0x800003ff};
static const uint32_t words282[] = {0xffff00, 0xf00101, 0x80000fff};
static const uint32_t words283[] = {0xff00000, 0x1ff, 0x80ff01ff};
static const uint32_t words284[] = {0xf5400080, 0x64c0017f, 0x9c0b81ff};
static const uint32_t words285[] = {0x1000000, 0x10101, 0x1010001};
const struct assay_known_answer elementwise_known_cast_i8[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words274, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words275, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words276, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words277, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words278, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words279, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words280, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words281, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words282, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words283, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words206, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words284, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words206, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words284, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_I8, 1), words211, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_I8, 1), words285, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
static const uint32_t words286[] = {0xff00ff, 0xff0000ff, 0x10000};
static const uint32_t words287[] = {0xff, 0x1ffff00, 0xff};
static const uint32_t words288[] = {0xff00ff, 0x0, 0x18000};
static const uint32_t words289[] = {0x800000ff, 0x1000000, 0xff};
static const uint32_t words290[] = {0xff00ff, 0xff, 0x7f000000};
static const uint32_t words291[] = {0xff, 0xff00, 0x7f0000ff};
const struct assay_known_answer elementwise_known_cast_u8[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words286, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words287, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words288, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words289, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words290, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words291, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words280, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words281, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words282, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words283, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words206, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words284, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words206, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words284, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_U8, 1), words211, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_U8, 1), words285, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
static const uint32_t words292[] = {0x1010101, 0x1010101, 0x1010001};
static const uint32_t words293[] = {0x10101, 0x1010101, 0x1010101};
static const uint32_t words294[] = {0x1010101, 0x1000101, 0x1010101};
static const uint32_t words295[] = {0x1000101, 0x1010101, 0x1010101};
static const uint32_t words296[] = {0x1010101, 0x1010101, 0x1010100};
static const uint32_t words297[] = {0x1010101, 0x1010101, 0x1000101};
static const uint32_t words298[] = {0x1010001, 0x1010101, 0x1010101};
const struct assay_known_answer elementwise_known_cast_boolean[16] = {
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words292, (), (DENSE(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words293, (), (TRANSPOSED(ASSAY_F32, 4)), (words192)),
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words294, (), (DENSE(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words295, (), (TRANSPOSED(ASSAY_F16, 2)), (words194)),
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words296, (), (DENSE(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words297, (), (TRANSPOSED(ASSAY_BF16, 2)), (words197)),
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words293, (), (DENSE(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words298, (), (TRANSPOSED(ASSAY_I32, 4)), (words200)),
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words293, (), (DENSE(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words298, (), (TRANSPOSED(ASSAY_I64, 8)), (words203)),
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words293, (), (DENSE(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words298, (), (TRANSPOSED(ASSAY_I8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words293, (), (DENSE(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words298, (), (TRANSPOSED(ASSAY_U8, 1)), (words206)),
    ANSWER("Cast", 1, DENSE(ASSAY_BOOL, 1), words211, (), (DENSE(ASSAY_BOOL, 1)), (words211)),
    ANSWER("Cast", 1, MATRIX(ASSAY_BOOL, 1), words285, (), (TRANSPOSED(ASSAY_BOOL, 1)), (words211)),
};
