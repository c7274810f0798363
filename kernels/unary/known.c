/* Written by scripts/known-answers-unary.py: elementwise operators whose bits were worked out with 150 digits and exact
 * fractions. The first call of an operator is dense; the second has X by columns and other attributes.
 *
 * A kernel must give these on a device before it is used there. */
#include "kernels/unary/unary.h"

/* clang-format off */

static const uint32_t dense_f32[41] = {
    0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000,
    0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x3f000000, 0xbf000000, 0x40490fdb, 0xc0490fdb,
    0x42aeac50, 0xc2ce8ed0, 0x33000001, 0xb3000001, 0x3f0d642e, 0x3b8c972e, 0xbbea1345, 0x3f7fffff, 0x3f800001, 0x41100000,
    0xc1100000, 0x40a00000, 0xc0a00000, 0x3d9a827a, 0xbd9a827a, 0x3fb504f3, 0xc1660000, 0x4b000001, 0x80ffffff, 0xba83126f,
    0x42800000,
};
static const uint32_t turned_f32[21] = {
    0x3fc00000, 0xbf2147ae, 0x39800000, 0xbfc00000, 0x412ccccd, 0xb9800000, 0x40000000, 0xc12ccccd, 0x00012345, 0xc0000000,
    0x3c23d70a, 0x80012345, 0x3eaaaaab, 0xbc23d70a, 0x477fe000, 0xbeaaaaab, 0x41f00000, 0xc77fe000, 0x3f2147ae, 0xc1f00000,
    0x3f490fdb,
};
static const uint32_t lo_f32[1] = {
    0xbf666666,
};
static const uint32_t hi_f32[1] = {
    0x40200000,
};
static const uint32_t exp_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x00000000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000,
    0x3f800000, 0x3f800000, 0x402df854, 0x3ebc5ab2, 0x7f800000, 0x00000000, 0x3fd3094c, 0x3f1b4598, 0x41b92025, 0x3d310113,
    0x7e80001a, 0x00000001, 0x3f800000, 0x3f7fffff, 0x3fde5e93, 0x3f808ce5, 0x3f7e2d85, 0x402df854, 0x402df856, 0x45fd38ac,
    0x39016791, 0x431469c5, 0x3bdcc9ff, 0x3f8a07cd, 0x3f6d6599, 0x40839fbf, 0x3519693c, 0x7f800000, 0x3f800000, 0x3f7fbe7f,
    0x6da12cc1,
};
static const uint32_t exp_f32_turned[21] = {
    0x408f69ff, 0x3e647c3c, 0x40ec7326, 0x3e0a9555, 0x3fb2a36e, 0x3f376e98, 0x3ff0558b, 0x3f0857f0, 0x473f7ccf, 0x37ab1f97,
    0x3f814953, 0x3f7d73e8, 0x551b8238, 0x29d2b706, 0x3f800800, 0x3f7ff000, 0x3f800000, 0x3f800000, 0x7f800000, 0x00000000,
    0x400c5eb3,
};
const struct assay_known_answer unary_known_exp_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Exp", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {exp_f32_dense}},
    {.call = {.op = "Exp", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {exp_f32_turned}},
};
static const uint32_t exp2_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x00000000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000,
    0x3f800000, 0x3f800000, 0x40000000, 0x3f000000, 0x7f800000, 0x00000000, 0x3fb504f3, 0x3f3504f3, 0x410d331d, 0x3de8118d,
    0x6b21a12f, 0x0bd2fee2, 0x3f800000, 0x3f800000, 0x3fbbb409, 0x3f806198, 0x3f7ebc4e, 0x3fffffff, 0x40000001, 0x44000000,
    0x3b000000, 0x42000000, 0x3d000000, 0x3f86df2a, 0x3f72f4ef, 0x402a91b9, 0x3845672a, 0x7f800000, 0x3f800000, 0x3f7fd297,
    0x5f800000,
};
static const uint32_t exp2_f32_turned[21] = {
    0x403504f3, 0x3eb504f3, 0x40800000, 0x3e800000, 0x3fa14518, 0x3f4b2ff5, 0x3fc6169c, 0x3f256bd1, 0x44dedc69, 0x3a13088b,
    0x3f80e3eb, 0x3f7e3b4f, 0x4e800000, 0x30800000, 0x3f80058c, 0x3f7ff4e9, 0x3f800000, 0x3f800000, 0x7f800000, 0x00000000,
    0x3fdc9de0,
};
const struct assay_known_answer unary_known_exp2_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Exp2", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {exp2_f32_dense}},
    {.call = {.op = "Exp2", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {exp2_f32_turned}},
};
static const uint32_t expm1_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0xbf800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000,
    0x00800000, 0x80800000, 0x3fdbf0a9, 0xbf21d2a7, 0x7f800000, 0xbf800000, 0x3f261299, 0xbec974d0, 0x41b12025, 0xbf74efef,
    0x7e80001a, 0xbf800000, 0x33000001, 0xb3000001, 0x3f3cbd27, 0x3b8ce480, 0xbbe93dc0, 0x3fdbf0a7, 0x3fdbf0ab, 0x45fd30ac,
    0xbf7ff7ea, 0x431369c5, 0xbf7e466c, 0x3da07ccc, 0xbd94d33a, 0x40473f7e, 0xbf7ffff6, 0x7f800000, 0x80ffffff, 0xba8301a9,
    0x6da12cc1,
};
static const uint32_t expm1_f32_turned[21] = {
    0x405ed3fe, 0xbf46e0f1, 0x40cc7326, 0xbf5d5aab, 0x3eca8db7, 0xbe9122cf, 0x3f60ab16, 0xbeef5021, 0x473f7bcf, 0xbf7ffeaa,
    0x3c24a974, 0xbc230605, 0x551b8238, 0xbf800000, 0x39800400, 0xb97ff800, 0x00012345, 0x80012345, 0x7f800000, 0xbf800000,
    0x3f98bd67,
};
const struct assay_known_answer unary_known_expm1_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Expm1", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {expm1_f32_dense}},
    {.call = {.op = "Expm1", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {expm1_f32_turned}},
};
static const uint32_t log_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x7fc00000, 0xff800000, 0xff800000, 0xc2ce8ed0, 0x7fc00000, 0xc2aeac50, 0x7fc00000,
    0xc2aeac50, 0x7fc00000, 0x00000000, 0x7fc00000, 0x42b17218, 0x7fc00000, 0xbf317218, 0x7fc00000, 0x3f928683, 0x7fc00000,
    0x408f0859, 0x7fc00000, 0xc18aa123, 0x7fc00000, 0xbf17f930, 0xc0ae7182, 0x7fc00000, 0xb3800000, 0x33ffffff, 0x400c9f54,
    0x7fc00000, 0x3fce0210, 0x7fc00000, 0xc0256631, 0x7fc00000, 0x3eb17217, 0x7fc00000, 0x417f1403, 0x7fc00000, 0x7fc00000,
    0x40851592,
};
static const uint32_t log_f32_turned[21] = {
    0x3ecf991f, 0x7fc00000, 0x3f317218, 0x7fc00000, 0xbf8c9f54, 0x7fc00000, 0xbeec8fea, 0x7fc00000, 0x40184a7c, 0x7fc00000,
    0xc0935d8e, 0x7fc00000, 0x4059ad38, 0x7fc00000, 0xc1051592, 0x7fc00000, 0xc2b81e77, 0x7fc00000, 0x41317018, 0x7fc00000,
    0xbe775cac,
};
const struct assay_known_answer unary_known_log_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {log_f32_dense}},
    {.call = {.op = "Log", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {log_f32_turned}},
};
static const uint32_t log2_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x7fc00000, 0xff800000, 0xff800000, 0xc3150000, 0x7fc00000, 0xc2fc0000, 0x7fc00000,
    0xc2fc0000, 0x7fc00000, 0x00000000, 0x7fc00000, 0x43000000, 0x7fc00000, 0xbf800000, 0x7fc00000, 0x3fd3643a, 0x7fc00000,
    0x40ce5a39, 0x7fc00000, 0xc1c80000, 0x7fc00000, 0xbf5b4052, 0xc0fbab2a, 0x7fc00000, 0xb3b8aa3c, 0x3438aa3a, 0x404ae00d,
    0x7fc00000, 0x40149a78, 0x7fc00000, 0xc06e9edf, 0x7fc00000, 0x3effffff, 0x7fc00000, 0x41b80000, 0x7fc00000, 0x7fc00000,
    0x40c00000,
};
static const uint32_t log2_f32_turned[21] = {
    0x3f15c01a, 0x7fc00000, 0x3f800000, 0x7fc00000, 0xbfcae00d, 0x7fc00000, 0xbf2aa4be, 0x7fc00000, 0x405bb59b, 0x7fc00000,
    0xc0d49a78, 0x7fc00000, 0x409d053f, 0x7fc00000, 0xc1400000, 0x7fc00000, 0xc304d054, 0x7fc00000, 0x417ffd1d, 0x7fc00000,
    0xbeb26f18,
};
const struct assay_known_answer unary_known_log2_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log2", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {log2_f32_dense}},
    {.call = {.op = "Log2", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {log2_f32_turned}},
};
static const uint32_t log1p_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x7fc00000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000,
    0x00800000, 0x80800000, 0x3f317218, 0xff800000, 0x42b17218, 0x7fc00000, 0x3ecf991f, 0xbf317218, 0x3fb5e5f7, 0x7fc00000,
    0x408f659d, 0x7fc00000, 0x33000001, 0xb3000001, 0x3ee12622, 0x3b8c4a31, 0xbbeaea53, 0x3f317217, 0x3f317219, 0x40135d8e,
    0x7fc00000, 0x3fe55860, 0x7fc00000, 0x3d94f571, 0xbda0a61f, 0x3f61a1b3, 0x7fc00000, 0x417f1403, 0x80ffffff, 0xba832339,
    0x40859495,
};
static const uint32_t log1p_f32_turned[21] = {
    0x3f6a9208, 0x7fc00000, 0x3f8c9f54, 0x7fc00000, 0x3e934b11, 0xbecf9920, 0x3efa2729, 0xbf7e8751, 0x401df558, 0x7fc00000,
    0x3c2306b6, 0xbc24aa2a, 0x405bc672, 0x7fc00000, 0x397ff800, 0xb9800400, 0x00012345, 0x80012345, 0x41317028, 0x7fc00000,
    0x3f146362,
};
const struct assay_known_answer unary_known_log1p_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log1p", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {log1p_f32_dense}},
    {.call = {.op = "Log1p", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {log1p_f32_turned}},
};
static const uint32_t tanh_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000,
    0x00800000, 0x80800000, 0x3f42f7d6, 0xbf42f7d6, 0x3f800000, 0xbf800000, 0x3eec9a9f, 0xbeec9a9f, 0x3f7f0bb0, 0xbf7f0bb0,
    0x3f800000, 0xbf800000, 0x33000001, 0xb3000001, 0x3f00936b, 0x3b8c96f5, 0xbbea1240, 0x3f42f7d5, 0x3f42f7d6, 0x3f7fffff,
    0xbf7fffff, 0x3f7ffa0d, 0xbf7ffa0d, 0x3d9a379a, 0xbd9a379a, 0x3f636d3c, 0xbf800000, 0x3f800000, 0x80ffffff, 0xba83126c,
    0x3f800000,
};
static const uint32_t tanh_f32_turned[21] = {
    0x3f67b7cc, 0xbf67b7cc, 0x3f76ca83, 0xbf76ca83, 0x3ea49d52, 0xbea49d52, 0x3f0edc83, 0xbf0edc83, 0x3f800000, 0xbf800000,
    0x3c23d5a4, 0xbc23d5a4, 0x3f800000, 0xbf800000, 0x39800000, 0xb9800000, 0x00012345, 0x80012345, 0x3f800000, 0xbf800000,
    0x3f27e221,
};
const struct assay_known_answer unary_known_tanh_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Tanh", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {tanh_f32_dense}},
    {.call = {.op = "Tanh", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {tanh_f32_turned}},
};
static const uint32_t erf_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00906eb9, 0x8048375d,
    0x00906ebb, 0x80906ebb, 0x3f57bb3d, 0xbf57bb3d, 0x3f800000, 0xbf800000, 0x3f053f7b, 0xbf053f7b, 0x3f7fff6b, 0xbf7fff6b,
    0x3f800000, 0xbf800000, 0x33106ebc, 0xb3106ebc, 0x3f10b407, 0x3b9ea373, 0xbc040f82, 0x3f57bb3d, 0x3f57bb3e, 0x3f800000,
    0xbf800000, 0x3f800000, 0xbf800000, 0x3dae03e9, 0xbdae03e9, 0x3f745a18, 0xbf800000, 0x3f800000, 0x81106eba, 0xba93e61c,
    0x3f800000,
};
static const uint32_t erf_f32_turned[21] = {
    0x3f7752ab, 0xbf7752ab, 0x3f7ecd71, 0xbf7ecd71, 0x3eb9ad04, 0xbeb9ad04, 0x3f20861e, 0xbf20861e, 0x3f800000, 0xbf800000,
    0x3c38de13, 0xbc38de13, 0x3f800000, 0xbf800000, 0x39906eba, 0xb9906eba, 0x000148aa, 0x800148aa, 0x3f800000, 0xbf800000,
    0x3f3bba4c,
};
const struct assay_known_answer unary_known_erf_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Erf", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {erf_f32_dense}},
    {.call = {.op = "Erf", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {erf_f32_turned}},
};
static const uint32_t sigmoid_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x3f800000, 0x00000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000,
    0x3f000000, 0x3f000000, 0x3f3b26a8, 0x3e89b2b1, 0x3f800000, 0x00000000, 0x3f1f597f, 0x3ec14d03, 0x3f75653f, 0x3d29ac08,
    0x3f800000, 0x00000001, 0x3f000000, 0x3f000000, 0x3f2279d2, 0x3f00464c, 0x3eff15ed, 0x3f3b26a7, 0x3f3b26a8, 0x3f7ff7ea,
    0x3901637b, 0x3f7e4961, 0x3bdb4fb4, 0x3f04d37e, 0x3ef65904, 0x3f4def1a, 0x35196936, 0x3f800000, 0x3f000000, 0x3effdf3b,
    0x3f800000,
};
static const uint32_t sigmoid_f32_turned[21] = {
    0x3f514c90, 0x3e3acdc2, 0x3f617beb, 0x3df420a9, 0x3f152352, 0x3ed5b95c, 0x3f27098d, 0x3eb1ece7, 0x3f7ffeaa, 0x37ab1eb3,
    0x3f00a3d7, 0x3efeb853, 0x3f800000, 0x29d2b706, 0x3f000400, 0x3efff800, 0x3f000000, 0x3f000000, 0x3f800000, 0x00000000,
    0x3f2fd4e7,
};
const struct assay_known_answer unary_known_sigmoid_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Sigmoid", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {sigmoid_f32_dense}},
    {.call = {.op = "Sigmoid", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {sigmoid_f32_turned}},
};
static const uint32_t silu_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x80000000, 0x00000000, 0x80000000, 0x00000001, 0x80000000, 0x00400000, 0x80200000,
    0x00400000, 0x80400000, 0x3f3b26a8, 0xbe89b2b1, 0x7f7fffff, 0x80000000, 0x3e9f597f, 0xbe414d03, 0x4040bbb2, 0xbe054295,
    0x42aeac50, 0x80000067, 0x32800001, 0xb2800001, 0x3eb3795b, 0x3b0ce464, 0xbb693d3e, 0x3f3b26a7, 0x3f3b26aa, 0x410ffb74,
    0xba918fea, 0x409eeddc, 0xbd0911d0, 0x3d2055d9, 0xbd14af1b, 0x3f919e09, 0xb709d487, 0x4b000001, 0x807fffff, 0xba0301a8,
    0x42800000,
};
static const uint32_t silu_f32_turned[21] = {
    0x3f9cf96c, 0xbe8c1a51, 0x3fe17beb, 0xbe7420a9, 0x3e46d9c3, 0xbe0e7b93, 0x3ed2778d, 0xbe602f9e, 0x412ccbe6, 0xb967030b,
    0x3ba4a8c1, 0xbba30553, 0x41f00000, 0xac458b96, 0x39000400, 0xb8fff800, 0x000091a3, 0x800091a2, 0x477fe000, 0x80000000,
    0x3f0a190d,
};
const struct assay_known_answer unary_known_silu_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Silu", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {silu_f32_dense}},
    {.call = {.op = "Silu", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {silu_f32_turned}},
};
static const uint32_t softplus_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x00000000, 0x3f317218, 0x3f317218, 0x3f317218, 0x3f317218, 0x3f317218, 0x3f317218,
    0x3f317218, 0x3f317218, 0x3fa818f5, 0x3ea063d6, 0x7f7fffff, 0x00000000, 0x3f795d1c, 0x3ef2ba38, 0x404bc500, 0x3d2d4952,
    0x42aeac50, 0x00000001, 0x3f317218, 0x3f317218, 0x3f80e3ff, 0x3f31fed6, 0x3f308870, 0x3fa818f5, 0x3fa818f6, 0x41100081,
    0x39016586, 0x40a03703, 0x3bdc0c6d, 0x3f3b48dd, 0x3f27f88e, 0x3fd0dffa, 0x35196939, 0x4b000001, 0x3f317218, 0x3f315155,
    0x42800000,
};
static const uint32_t softplus_f32_turned[21] = {
    0x3fd9c7e9, 0x3e4e3f48, 0x40081f97, 0x3e01f96b, 0x3f5fa6cd, 0x3f0a5177, 0x3f874a7a, 0x3eda9a8a, 0x412ccce2, 0x37ab1f25,
    0x3f32ba98, 0x3f302b3c, 0x41f00000, 0x29d2b706, 0x3f317a18, 0x3f316a18, 0x3f317218, 0x3f317218, 0x477fe000, 0x00000000,
    0x3f949d3e,
};
const struct assay_known_answer unary_known_softplus_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Softplus", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {softplus_f32_dense}},
    {.call = {.op = "Softplus", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {softplus_f32_turned}},
};
static const uint32_t gelu_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x80000000, 0x00000000, 0x80000000, 0x00000001, 0x80000000, 0x00400000, 0x80200000,
    0x00400000, 0x80400000, 0x3f57625f, 0xbe227686, 0x7f7fffff, 0x80000000, 0x3eb103af, 0xbe1df8a2, 0x4048e49c, 0xbb2cfa5b,
    0x42aeac50, 0x80000000, 0x32800001, 0xb2800001, 0x3ec8abef, 0x3b0d1263, 0xbb68bdbc, 0x3f57625d, 0x3f576261, 0x41100000,
    0xa195e52e, 0x409ffffd, 0xb5c05e5d, 0x3d23cd3b, 0xbd1137b9, 0x3fa6c840, 0x80000000, 0x4b000001, 0x807fffff, 0xba02f7a9,
    0x42800000,
};
static const uint32_t gelu_f32_turned[21] = {
    0x3fb32529, 0xbdcdad6b, 0x3ffa3042, 0xbd39f7c5, 0x3e573a13, 0xbdfc3687, 0x3eed45af, 0xbe2a935a, 0x412ccccd, 0x80000000,
    0x3ba525b1, 0xbba28863, 0x41f00000, 0x80000000, 0x39000662, 0xb8fff33c, 0x000091a3, 0x800091a2, 0x477fe000, 0x80000000,
    0x3f1d9710,
};
static const struct assay_attr gelu_f32_turned_attr[1] = {{.name = "approximate", .kind = ASSAY_ATTR_STRING, .s = "tanh"}};
const struct assay_known_answer unary_known_gelu_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Gelu", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {gelu_f32_dense}},
    {.call = {.op = "Gelu", .attrs = gelu_f32_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {gelu_f32_turned}},
};
static const uint32_t sqrt_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x7fc00000, 0x00000000, 0x80000000, 0x1a3504f3, 0x7fc00000, 0x1fffffff, 0x7fc00000,
    0x20000000, 0x7fc00000, 0x3f800000, 0x7fc00000, 0x5f7fffff, 0x7fc00000, 0x3f3504f3, 0x7fc00000, 0x3fe2dfc5, 0x7fc00000,
    0x411586c5, 0x7fc00000, 0x393504f4, 0x7fc00000, 0x3f3e40c0, 0x3d8625cc, 0x7fc00000, 0x3f7fffff, 0x3f800000, 0x40400000,
    0x7fc00000, 0x400f1bbd, 0x7fc00000, 0x3e8ca1af, 0x7fc00000, 0x3f9837f0, 0x7fc00000, 0x453504f4, 0x7fc00000, 0x7fc00000,
    0x41000000,
};
static const uint32_t sqrt_f32_turned[21] = {
    0x3f9cc471, 0x7fc00000, 0x3fb504f3, 0x7fc00000, 0x3f13cd3a, 0x7fc00000, 0x3f4b3196, 0x7fc00000, 0x40525352, 0x7fc00000,
    0x3dcccccd, 0x7fc00000, 0x40af456f, 0x7fc00000, 0x3c800000, 0x7fc00000, 0x1e411636, 0x7fc00000, 0x437fefff, 0x7fc00000,
    0x3f62dfc5,
};
const struct assay_known_answer unary_known_sqrt_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Sqrt", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {sqrt_f32_dense}},
    {.call = {.op = "Sqrt", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {sqrt_f32_turned}},
};
static const uint32_t rsqrt_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x00000000, 0x7fc00000, 0x7f800000, 0xff800000, 0x64b504f3, 0x7fc00000, 0x5f000001, 0x7fc00000,
    0x5f000000, 0x7fc00000, 0x3f800000, 0x7fc00000, 0x1f800000, 0x7fc00000, 0x3fb504f3, 0x7fc00000, 0x3f106eba, 0x7fc00000,
    0x3ddb252b, 0x7fc00000, 0x45b504f2, 0x7fc00000, 0x3fac3bdf, 0x417444a7, 0x7fc00000, 0x3f800000, 0x3f7fffff, 0x3eaaaaab,
    0x7fc00000, 0x3ee4f92e, 0x7fc00000, 0x40690189, 0x7fc00000, 0x3f5744fd, 0x7fc00000, 0x39b504f2, 0x7fc00000, 0x7fc00000,
    0x3e000000,
};
static const uint32_t rsqrt_f32_turned[21] = {
    0x3f5105ec, 0x7fc00000, 0x3f3504f3, 0x7fc00000, 0x3fddb3d7, 0x7fc00000, 0x3fa143cd, 0x7fc00000, 0x3e9bcbf0, 0x7fc00000,
    0x41200000, 0x7fc00000, 0x3e3af4ba, 0x7fc00000, 0x42800000, 0x7fc00000, 0x60a9b4c2, 0x7fc00000, 0x3b800801, 0x7fc00000,
    0x3f906eba,
};
const struct assay_known_answer unary_known_rsqrt_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Rsqrt", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {rsqrt_f32_dense}},
    {.call = {.op = "Rsqrt", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {rsqrt_f32_turned}},
};
static const uint32_t rcp_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7f800000, 0xff800000, 0x7e800001, 0xff000000,
    0x7e800000, 0xfe800000, 0x3f800000, 0xbf800000, 0x00200000, 0x80200000, 0x40000000, 0xc0000000, 0x3ea2f983, 0xbea2f983,
    0x3c3b989d, 0xbc1ea36b, 0x4bfffffe, 0xcbfffffe, 0x3fe7c104, 0x436912f1, 0xc30bfd39, 0x3f800001, 0x3f7ffffe, 0x3de38e39,
    0xbde38e39, 0x3e4ccccd, 0xbe4ccccd, 0x415413cc, 0xc15413cc, 0x3f3504f3, 0xbd8e7835, 0x33fffffe, 0xfe000001, 0xc479ffff,
    0x3c800000,
};
static const uint32_t rcp_f32_turned[21] = {
    0x3f2aaaab, 0xbf2aaaab, 0x3f000000, 0xbf000000, 0x40400000, 0xc0400000, 0x3fcb2cb3, 0xbfcb2cb3, 0x3dbda12f, 0xbdbda12f,
    0x42c80000, 0xc2c80000, 0x3d088889, 0xbd088889, 0x45800000, 0xc5800000, 0x7f800000, 0xff800000, 0x37801002, 0xb7801002,
    0x3fa2f983,
};
const struct assay_known_answer unary_known_rcp_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Reciprocal", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {rcp_f32_dense}},
    {.call = {.op = "Reciprocal", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {rcp_f32_turned}},
};
static const uint32_t relu_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x00000000, 0x00000000, 0x00000000, 0x00000001, 0x00000000, 0x007fffff, 0x00000000,
    0x00800000, 0x00000000, 0x3f800000, 0x00000000, 0x7f7fffff, 0x00000000, 0x3f000000, 0x00000000, 0x40490fdb, 0x00000000,
    0x42aeac50, 0x00000000, 0x33000001, 0x00000000, 0x3f0d642e, 0x3b8c972e, 0x00000000, 0x3f7fffff, 0x3f800001, 0x41100000,
    0x00000000, 0x40a00000, 0x00000000, 0x3d9a827a, 0x00000000, 0x3fb504f3, 0x00000000, 0x4b000001, 0x00000000, 0x00000000,
    0x42800000,
};
static const uint32_t relu_f32_turned[21] = {
    0x3fc00000, 0x00000000, 0x40000000, 0x00000000, 0x3eaaaaab, 0x00000000, 0x3f2147ae, 0x00000000, 0x412ccccd, 0x00000000,
    0x3c23d70a, 0x00000000, 0x41f00000, 0x00000000, 0x39800000, 0x00000000, 0x00012345, 0x00000000, 0x477fe000, 0x00000000,
    0x3f490fdb,
};
const struct assay_known_answer unary_known_relu_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Relu", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {relu_f32_dense}},
    {.call = {.op = "Relu", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {relu_f32_turned}},
};
static const uint32_t leaky_relu_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x00000001, 0x80000000, 0x007fffff, 0x8000a3d7,
    0x00800000, 0x800147ae, 0x3f800000, 0xbc23d70a, 0x7f7fffff, 0xfc23d709, 0x3f000000, 0xbba3d70a, 0x40490fdb, 0xbd00adfd,
    0x42aeac50, 0xbf843270, 0x33000001, 0xafa3d70b, 0x3f0d642e, 0x3b8c972e, 0xb895cee4, 0x3f7fffff, 0x3f800001, 0x41100000,
    0xbdb851eb, 0x40a00000, 0xbd4ccccc, 0x3d9a827a, 0xba45c5bb, 0x3fb504f3, 0xbe133333, 0x4b000001, 0x80028f5c, 0xb727c5ad,
    0x42800000,
};
static const uint32_t leaky_relu_f32_turned[21] = {
    0x3fc00000, 0x3f666667, 0x40000000, 0x3f99999a, 0x3eaaaaab, 0x3e4cccce, 0x3f2147ae, 0x3ec18938, 0x412ccccd, 0x40cf5c2a,
    0x3c23d70a, 0x3bc49ba6, 0x41f00000, 0x41900000, 0x39800000, 0x3919999a, 0x00012345, 0x0000aec3, 0x477fe000, 0x47198667,
    0x3f490fdb,
};
static const struct assay_attr leaky_relu_f32_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = -0x1.3333340000000p-1f}};
const struct assay_known_answer unary_known_leaky_relu_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "LeakyRelu", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {leaky_relu_f32_dense}},
    {.call = {.op = "LeakyRelu", .attrs = leaky_relu_f32_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {leaky_relu_f32_turned}},
};
static const uint32_t elu_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0xbf800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000,
    0x00800000, 0x80800000, 0x3f800000, 0xbf21d2a7, 0x7f7fffff, 0xbf800000, 0x3f000000, 0xbec974d0, 0x40490fdb, 0xbf74efef,
    0x42aeac50, 0xbf800000, 0x33000001, 0xb3000001, 0x3f0d642e, 0x3b8c972e, 0xbbe93dc0, 0x3f7fffff, 0x3f800001, 0x41100000,
    0xbf7ff7ea, 0x40a00000, 0xbf7e466c, 0x3d9a827a, 0xbd94d33a, 0x3fb504f3, 0xbf7ffff6, 0x4b000001, 0x80ffffff, 0xba8301a9,
    0x42800000,
};
static const uint32_t elu_f32_turned[21] = {
    0x3fc00000, 0xbfe4b5e2, 0x40000000, 0xbffe8eab, 0x3eaaaaab, 0xbf26e807, 0x3f2147ae, 0xbf899ae0, 0x412ccccd, 0xc013326e,
    0x3c23d70a, 0xbcbb7a1f, 0x41f00000, 0xc0133333, 0x39800000, 0xba132e99, 0x00012345, 0x80029deb, 0x477fe000, 0xc0133333,
    0x3f490fdb,
};
static const struct assay_attr elu_f32_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.2666660000000p+1f}};
const struct assay_known_answer unary_known_elu_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Elu", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {elu_f32_dense}},
    {.call = {.op = "Elu", .attrs = elu_f32_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {elu_f32_turned}},
};
static const uint32_t hard_sigmoid_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x3f800000, 0x00000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000,
    0x3f000000, 0x3f000000, 0x3f333333, 0x3e99999a, 0x3f800000, 0x00000000, 0x3f19999a, 0x3ecccccd, 0x3f800000, 0x00000000,
    0x3f800000, 0x00000000, 0x3f000000, 0x3f000000, 0x3f1c473c, 0x3f00383c, 0x3eff44bd, 0x3f333333, 0x3f333334, 0x3f800000,
    0x00000000, 0x3f800000, 0x00000000, 0x3f03dcdd, 0x3ef84647, 0x3f486861, 0x00000000, 0x3f800000, 0x3f000000, 0x3effe5c9,
    0x3f800000,
};
static const uint32_t hard_sigmoid_f32_turned[21] = {
    0x3f400000, 0x3ee66667, 0x3f4ccccd, 0x3eccccce, 0x3f222223, 0x3f111111, 0x3f29ba5f, 0x3f0978d5, 0x3f800000, 0x00000000,
    0x3f19db23, 0x3f195811, 0x3f800000, 0x00000000, 0x3f199b34, 0x3f199800, 0x3f19999a, 0x3f19999a, 0x3f800000, 0x00000000,
    0x3f2db4ca,
};
static const struct assay_attr hard_sigmoid_f32_turned_attr[2] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.99999a0000000p-4f}, {.name = "beta", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.3333340000000p-1f}};
const struct assay_known_answer unary_known_hard_sigmoid_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "HardSigmoid", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {hard_sigmoid_f32_dense}},
    {.call = {.op = "HardSigmoid", .attrs = hard_sigmoid_f32_turned_attr, .attr_count = 2, .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {hard_sigmoid_f32_turned}},
};
static const uint32_t hard_swish_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x7fc00000, 0x00000000, 0x80000000, 0x00000000, 0x80000000, 0x00400000, 0x80200000,
    0x00400000, 0x80400000, 0x3f2aaaab, 0xbeaaaaaa, 0x7f7fffff, 0x80000000, 0x3e955555, 0xbe555555, 0x40490fdb, 0x80000000,
    0x42aeac50, 0x80000000, 0x32800001, 0xb2800001, 0x3ea76c04, 0x3b0ccaa7, 0xbb698495, 0x3f2aaaaa, 0x3f2aaaac, 0x41100000,
    0x80000000, 0x40a00000, 0x80000000, 0x3d1e6532, 0xbd169fc2, 0x3f852d24, 0x80000000, 0x4b000001, 0x80800000, 0xba030740,
    0x42800000,
};
static const uint32_t hard_swish_f32_turned[21] = {
    0x3f900000, 0xbec00000, 0x3fd55556, 0xbeaaaaaa, 0x3e3da130, 0xbe17b426, 0x3ec32618, 0xbe7ed289, 0x412ccccd, 0x80000000,
    0x3ba462d9, 0xbba34b3b, 0x41f00000, 0x80000000, 0x390002ab, 0xb8fffaab, 0x000091a2, 0x800091a2, 0x477fe000, 0x80000000,
    0x3efdb329,
};
const struct assay_known_answer unary_known_hard_swish_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "HardSwish", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {hard_swish_f32_dense}},
    {.call = {.op = "HardSwish", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {hard_swish_f32_turned}},
};
static const uint32_t softsign_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000,
    0x00800000, 0x80800000, 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x3eaaaaab, 0xbeaaaaab, 0x3f423022, 0xbf423022,
    0x3f7d1a1c, 0xbf7d8b88, 0x33000001, 0xb3000001, 0x3eb62b40, 0x3b8bfd6c, 0xbbe86a40, 0x3effffff, 0x3f000001, 0x3f666666,
    0xbf666666, 0x3f555555, 0xbf555555, 0x3d8fabaa, 0xbd8fabaa, 0x3f15f619, 0xbf6f597f, 0x3f7ffffe, 0x80ffffff, 0xba82f0e9,
    0x3f7c0fc1,
};
static const uint32_t softsign_f32_turned[21] = {
    0x3f19999a, 0xbf19999a, 0x3f2aaaab, 0xbf2aaaab, 0x3e800000, 0xbe800000, 0x3ec5e3bb, 0xbec5e3bb, 0x3f6a4e1a, 0xbf6a4e1a,
    0x3c2237c3, 0xbc2237c3, 0x3f77bdef, 0xbf77bdef, 0x397ff001, 0xb97ff001, 0x00012345, 0x80012345, 0x3f7fff00, 0xbf7fff00,
    0x3ee13aaf,
};
const struct assay_known_answer unary_known_softsign_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Softsign", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {softsign_f32_dense}},
    {.call = {.op = "Softsign", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {softsign_f32_turned}},
};
static const uint32_t thresholded_relu_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x7f7fffff, 0x00000000, 0x00000000, 0x00000000, 0x40490fdb, 0x00000000,
    0x42aeac50, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x3f800001, 0x41100000,
    0x00000000, 0x40a00000, 0x00000000, 0x00000000, 0x00000000, 0x3fb504f3, 0x00000000, 0x4b000001, 0x00000000, 0x00000000,
    0x42800000,
};
static const uint32_t thresholded_relu_f32_turned[21] = {
    0x3fc00000, 0x00000000, 0x40000000, 0x00000000, 0x3eaaaaab, 0x00000000, 0x3f2147ae, 0x00000000, 0x412ccccd, 0x00000000,
    0x3c23d70a, 0xbc23d70a, 0x41f00000, 0x00000000, 0x39800000, 0xb9800000, 0x00012345, 0x80012345, 0x477fe000, 0x00000000,
    0x3f490fdb,
};
static const struct assay_attr thresholded_relu_f32_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = -0x1.3333340000000p-2f}};
const struct assay_known_answer unary_known_thresholded_relu_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "ThresholdedRelu", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {thresholded_relu_f32_dense}},
    {.call = {.op = "ThresholdedRelu", .attrs = thresholded_relu_f32_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {thresholded_relu_f32_turned}},
};
static const uint32_t clip_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x40200000, 0xbf666666, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x80400000,
    0x00800000, 0x80800000, 0x3f800000, 0xbf666666, 0x40200000, 0xbf666666, 0x3f000000, 0xbf000000, 0x40200000, 0xbf666666,
    0x40200000, 0xbf666666, 0x33000001, 0xb3000001, 0x3f0d642e, 0x3b8c972e, 0xbbea1345, 0x3f7fffff, 0x3f800001, 0x40200000,
    0xbf666666, 0x40200000, 0xbf666666, 0x3d9a827a, 0xbd9a827a, 0x3fb504f3, 0xbf666666, 0x40200000, 0x80ffffff, 0xba83126f,
    0x40200000,
};
static const uint32_t clip_f32_turned[21] = {
    0x3fc00000, 0xbf666666, 0x40000000, 0xbf666666, 0x3eaaaaab, 0xbeaaaaab, 0x3f2147ae, 0xbf2147ae, 0x412ccccd, 0xbf666666,
    0x3c23d70a, 0xbc23d70a, 0x41f00000, 0xbf666666, 0x39800000, 0xb9800000, 0x00012345, 0x80012345, 0x477fe000, 0xbf666666,
    0x3f490fdb,
};
const struct assay_known_answer unary_known_clip_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Clip", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}, {.dtype = ASSAY_F32, .rank = 0, .shape = {0}, .stride = {0}}, {.dtype = ASSAY_F32, .rank = 0, .shape = {0}, .stride = {0}}}, .input_count = 3, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32, lo_f32, hi_f32}, .output = {clip_f32_dense}},
    {.call = {.op = "Clip", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}, {.dtype = ASSAY_F32, .rank = 0, .shape = {0}, .stride = {0}}}, .input_count = 2, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32, lo_f32}, .output = {clip_f32_turned}},
};
static const uint32_t neg_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0xff800000, 0x7f800000, 0x80000000, 0x00000000, 0x80000001, 0x00000001, 0x807fffff, 0x00400000,
    0x80800000, 0x00800000, 0xbf800000, 0x3f800000, 0xff7fffff, 0x7f7fffff, 0xbf000000, 0x3f000000, 0xc0490fdb, 0x40490fdb,
    0xc2aeac50, 0x42ce8ed0, 0xb3000001, 0x33000001, 0xbf0d642e, 0xbb8c972e, 0x3bea1345, 0xbf7fffff, 0xbf800001, 0xc1100000,
    0x41100000, 0xc0a00000, 0x40a00000, 0xbd9a827a, 0x3d9a827a, 0xbfb504f3, 0x41660000, 0xcb000001, 0x00ffffff, 0x3a83126f,
    0xc2800000,
};
static const uint32_t neg_f32_turned[21] = {
    0xbfc00000, 0x3fc00000, 0xc0000000, 0x40000000, 0xbeaaaaab, 0x3eaaaaab, 0xbf2147ae, 0x3f2147ae, 0xc12ccccd, 0x412ccccd,
    0xbc23d70a, 0x3c23d70a, 0xc1f00000, 0x41f00000, 0xb9800000, 0x39800000, 0x80012345, 0x00012345, 0xc77fe000, 0x477fe000,
    0xbf490fdb,
};
const struct assay_known_answer unary_known_neg_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Neg", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {neg_f32_dense}},
    {.call = {.op = "Neg", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {neg_f32_turned}},
};
static const uint32_t abs_f32_dense[41] = {
    0x7fc00000, 0x7fc00000, 0x7f800000, 0x7f800000, 0x00000000, 0x00000000, 0x00000001, 0x00000001, 0x007fffff, 0x00400000,
    0x00800000, 0x00800000, 0x3f800000, 0x3f800000, 0x7f7fffff, 0x7f7fffff, 0x3f000000, 0x3f000000, 0x40490fdb, 0x40490fdb,
    0x42aeac50, 0x42ce8ed0, 0x33000001, 0x33000001, 0x3f0d642e, 0x3b8c972e, 0x3bea1345, 0x3f7fffff, 0x3f800001, 0x41100000,
    0x41100000, 0x40a00000, 0x40a00000, 0x3d9a827a, 0x3d9a827a, 0x3fb504f3, 0x41660000, 0x4b000001, 0x00ffffff, 0x3a83126f,
    0x42800000,
};
static const uint32_t abs_f32_turned[21] = {
    0x3fc00000, 0x3fc00000, 0x40000000, 0x40000000, 0x3eaaaaab, 0x3eaaaaab, 0x3f2147ae, 0x3f2147ae, 0x412ccccd, 0x412ccccd,
    0x3c23d70a, 0x3c23d70a, 0x41f00000, 0x41f00000, 0x39800000, 0x39800000, 0x00012345, 0x00012345, 0x477fe000, 0x477fe000,
    0x3f490fdb,
};
const struct assay_known_answer unary_known_abs_f32[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Abs", .input = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f32}, .output = {abs_f32_dense}},
    {.call = {.op = "Abs", .input = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F32, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f32}, .output = {abs_f32_turned}},
};
static const uint32_t dense_f16[21] = {
    0x7e007e00, 0xfc007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xbc003c00, 0xfc007c00, 0xb8003800, 0xc2484248,
    0xd6745575, 0x80010001, 0x1c65386b, 0x3c009f51, 0x48803c00, 0x4500c880, 0x2cd4c500, 0x3da8acd4, 0x7c00cb30, 0x94198000,
    0x00005400,
};
static const uint32_t turned_f16[11] = {
    0xb90a3e00, 0xbe000c00, 0x8c004966, 0xc9664000, 0xc0000000, 0x8000211f, 0xa11f3555, 0xb5557bff, 0xfbff4f80, 0xcf80390a,
    0x00003a48,
};
static const uint32_t lo_f16[1] = {
    0x0000bb33,
};
static const uint32_t hi_f16[1] = {
    0x00004100,
};
static const uint32_t exp_f16_dense[21] = {
    0x7e007e00, 0x00007c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x35e34170, 0x00007c00, 0x38da3e98, 0x29894dc8,
    0x00007c00, 0x3c003c00, 0x3c043ef3, 0x41703bf1, 0x6fea4170, 0x58a3080b, 0x3c501ee6, 0x441d3b6b, 0x7c00000a, 0x3bfe3c00,
    0x00007c00,
};
static const uint32_t exp_f16_turned[11] = {
    0x3324447b, 0x30554764, 0x39bc3d95, 0x38433f82, 0x015779f7, 0x3bec3c0a, 0x00007c00, 0x3c003c00, 0x3c003c00, 0x00007c00,
    0x00004063,
};
const struct assay_known_answer unary_known_exp_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Exp", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {exp_f16_dense}},
    {.call = {.op = "Exp", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {exp_f16_turned}},
};
static const uint32_t exp2_f16_dense[21] = {
    0x7e007e00, 0x00007c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x38004000, 0x00007c00, 0x39a83da8, 0x2f424869,
    0x00007c00, 0x3c003c00, 0x3c033dde, 0x40003bf6, 0x60004000, 0x50001800, 0x3c372800, 0x41543b98, 0x7c000316, 0x3bff3c00,
    0x00007c00,
};
static const uint32_t exp2_f16_turned[11] = {
    0x35a841a8, 0x34004400, 0x3a5a3d0a, 0x392b3e31, 0x109b66f3, 0x3bf23c07, 0x00007c00, 0x3c003c00, 0x3c003c00, 0x00007c00,
    0x00003ee5,
};
const struct assay_known_answer unary_known_exp2_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Exp2", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {exp2_f16_dense}},
    {.call = {.op = "Exp2", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {exp2_f16_turned}},
};
static const uint32_t expm1_f16_dense[21] = {
    0x7e007e00, 0xbc007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xb90f3ee0, 0xbc007c00, 0xb64c3931, 0xbba74d88,
    0xbc007c00, 0x80010001, 0x1c6739e6, 0x3ee09f4a, 0x6fea3ee0, 0x589bbc00, 0x2d04bbf2, 0x423aaca7, 0x7c00bc00, 0x94188000,
    0x00007c00,
};
static const uint32_t expm1_f16_turned[11] = {
    0xba3742f7, 0xbaeb4664, 0xb4893654, 0xb77a3b05, 0xbc0079f7, 0xa1182126, 0xbc007c00, 0x8c000c00, 0x80000000, 0xbc007c00,
    0x00003cc5,
};
const struct assay_known_answer unary_known_expm1_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Expm1", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {expm1_f16_dense}},
    {.call = {.op = "Expm1", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {expm1_f16_turned}},
};
static const uint32_t log_f16_dense[21] = {
    0x7e007e00, 0x7e007c00, 0xfc00fc00, 0xfc00fc00, 0xfc00fc00, 0xfc00fc00, 0x7e000000, 0x7e007c00, 0x7e00b98c, 0x7e003c94,
    0x7e004478, 0x7e00cc29, 0xc573b8c0, 0x00007e00, 0x40650000, 0x3e707e00, 0xc12b7e00, 0x358b7e00, 0x7c007e00, 0x7e00fc00,
    0x00004429,
};
static const uint32_t log_f16_turned[11] = {
    0x7e00367d, 0x7e00398c, 0x7e00bc65, 0x7e00b765, 0x7e0040c2, 0x7e00c49b, 0x7e0042cd, 0x7e00c829, 0xfc00fc00, 0x7e00498c,
    0x0000b3bd,
};
const struct assay_known_answer unary_known_log_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {log_f16_dense}},
    {.call = {.op = "Log", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {log_f16_turned}},
};
static const uint32_t log2_f16_dense[21] = {
    0x7e007e00, 0x7e007c00, 0xfc00fc00, 0xfc00fc00, 0xfc00fc00, 0xfc00fc00, 0x7e000000, 0x7e007c00, 0x7e00bc00, 0x7e003e9b,
    0x7e004673, 0x7e00ce00, 0xc7ddbada, 0x00007e00, 0x42570000, 0x40a57e00, 0xc3757e00, 0x37ff7e00, 0x7c007e00, 0x7e00fc00,
    0x00004600,
};
static const uint32_t log2_f16_turned[11] = {
    0x7e0038ae, 0x7e003c00, 0x7e00be57, 0x7e00b956, 0x7e0042dd, 0x7e00c6a5, 0x7e0044e8, 0x7e00ca00, 0xfc00fc00, 0x7e004c00,
    0x0000b595,
};
const struct assay_known_answer unary_known_log2_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log2", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {log2_f16_dense}},
    {.call = {.op = "Log2", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {log2_f16_turned}},
};
static const uint32_t log1p_f16_dense[21] = {
    0x7e007e00, 0x7e007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xfc00398c, 0x7e007c00, 0xb98c367d, 0x7e003daf,
    0x7e00447b, 0x80010001, 0x1c633709, 0x398c9f58, 0x409b398c, 0x3f2b7e00, 0x2ca87e00, 0x3b0dad05, 0x7c007e00, 0x941a8000,
    0x0000442d,
};
static const uint32_t log1p_f16_turned[11] = {
    0x7e003b55, 0x7e003c65, 0xb67c349a, 0xbbf437d1, 0x7e0040f0, 0xa1262118, 0x7e0042de, 0x8c000c00, 0x80000000, 0x7e00498c,
    0x000038a3,
};
const struct assay_known_answer unary_known_log1p_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log1p", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {log1p_f16_dense}},
    {.call = {.op = "Log1p", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {log1p_f16_turned}},
};
static const uint32_t tanh_f16_dense[21] = {
    0x7e007e00, 0xbc003c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xba183a18, 0xbc003c00, 0xb7653765, 0xbbf83bf8,
    0xbc003c00, 0x80010001, 0x1c653805, 0x3a189f51, 0x3c003a18, 0x3c00bc00, 0x2cd2bc00, 0x3b1bacd2, 0x3c00bc00, 0x94198000,
    0x00003c00,
};
static const uint32_t tanh_f16_turned[11] = {
    0xbb3e3b3e, 0xbbb63bb6, 0xb5253525, 0xb8773877, 0xbc003c00, 0xa11f211f, 0xbc003c00, 0x8c000c00, 0x80000000, 0xbc003c00,
    0x0000393f,
};
const struct assay_known_answer unary_known_tanh_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Tanh", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {tanh_f16_dense}},
    {.call = {.op = "Tanh", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {tanh_f16_turned}},
};
static const uint32_t erf_f16_dense[21] = {
    0x7e007e00, 0xbc003c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xbabe3abe, 0xbc003c00, 0xb82a382a, 0xbc003c00,
    0xbc003c00, 0x80010001, 0x1cf53886, 0x3abea021, 0x3c003abe, 0x3c00bc00, 0x2d70bc00, 0x3ba3ad70, 0x3c00bc00, 0x94a08000,
    0x00003c00,
};
static const uint32_t erf_f16_turned[11] = {
    0xbbbb3bbb, 0xbbf63bf6, 0xb5cd35cd, 0xb9043904, 0xbc003c00, 0xa1c721c7, 0xbc003c00, 0x8c830c83, 0x80000000, 0xbc003c00,
    0x000039de,
};
const struct assay_known_answer unary_known_erf_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Erf", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {erf_f16_dense}},
    {.call = {.op = "Erf", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {erf_f16_turned}},
};
static const uint32_t sigmoid_f16_dense[21] = {
    0x7e007e00, 0x00003c00, 0x38003800, 0x38003800, 0x38003800, 0x38003800, 0x344e39d9, 0x00003c00, 0x360a38fb, 0x294f3bab,
    0x00003c00, 0x38003800, 0x38023914, 0x39d937f9, 0x3c0039d9, 0x3bf2080b, 0x38271eda, 0x3a6f37b3, 0x3c00000a, 0x37ff3800,
    0x00003c00,
};
static const uint32_t sigmoid_f16_turned[11] = {
    0x31d63a8a, 0x2fa13b0c, 0x36ae38a9, 0x35903938, 0x01573c00, 0x37f63805, 0x00003c00, 0x38003800, 0x38003800, 0x00003c00,
    0x0000397f,
};
const struct assay_known_answer unary_known_sigmoid_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Sigmoid", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {sigmoid_f16_dense}},
    {.call = {.op = "Sigmoid", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {sigmoid_f16_turned}},
};
static const uint32_t silu_f16_dense[21] = {
    0x7e007e00, 0x80007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xb44e39d9, 0x80007c00, 0xb20a34fb, 0xb02b4205,
    0x80005575, 0x80000000, 0x1867359c, 0x39d99b4a, 0x488039d9, 0x44f7948c, 0x2903a849, 0x3c8da8a5, 0x7c00808a, 0x90188000,
    0x00005400,
};
static const uint32_t silu_f16_turned[11] = {
    0xb4613ce8, 0xb3a13f0c, 0xb0743236, 0xb3013693, 0x8b3d4966, 0x9d181d26, 0x80004f80, 0x88000800, 0x80000000, 0x80007bff,
    0x00003850,
};
const struct assay_known_answer unary_known_silu_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Silu", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {silu_f16_dense}},
    {.call = {.op = "Silu", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {silu_f16_turned}},
};
static const uint32_t softplus_f16_dense[21] = {
    0x7e007e00, 0x00007c00, 0x398c398c, 0x398c398c, 0x398c398c, 0x398c398c, 0x35033d41, 0x00007c00, 0x37963bcb, 0x296c425e,
    0x00005575, 0x398c398c, 0x39903c07, 0x3d413984, 0x48803d41, 0x4502080b, 0x39da1ee0, 0x3e873940, 0x7c00000a, 0x398b398c,
    0x00005400,
};
static const uint32_t softplus_f16_turned[11] = {
    0x32723ece, 0x30104041, 0x38533afd, 0x36d53c3a, 0x01574966, 0x39813996, 0x00004f80, 0x398b398c, 0x398c398c, 0x00007bff,
    0x00003ca5,
};
const struct assay_known_answer unary_known_softplus_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Softplus", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {softplus_f16_dense}},
    {.call = {.op = "Softplus", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {softplus_f16_turned}},
};
static const uint32_t gelu_f16_dense[21] = {
    0x7e007e00, 0x80007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xb1143abb, 0x80007c00, 0xb0f03588, 0x996c4247,
    0x80005575, 0x80000000, 0x18693645, 0x3abb9b46, 0x48803abb, 0x45008000, 0x291e8018, 0x3d36a88a, 0x7c008000, 0x90188000,
    0x00005400,
};
static const uint32_t gelu_f16_turned[11] = {
    0xae6d3d99, 0xa9d03fd2, 0xafe132b9, 0xb155376a, 0x80004966, 0x9d151d29, 0x80004f80, 0x88000800, 0x80000000, 0x80007bff,
    0x000038ec,
};
static const struct assay_attr gelu_f16_turned_attr[1] = {{.name = "approximate", .kind = ASSAY_ATTR_STRING, .s = "tanh"}};
const struct assay_known_answer unary_known_gelu_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Gelu", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {gelu_f16_dense}},
    {.call = {.op = "Gelu", .attrs = gelu_f16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {gelu_f16_turned}},
};
static const uint32_t sqrt_f16_dense[21] = {
    0x7e007e00, 0x7e007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x7e003c00, 0x7e007c00, 0x7e0039a8, 0x7e003f17,
    0x7e0048ac, 0x7e000c00, 0x2c3139f2, 0x3c007e00, 0x42003c00, 0x40797e00, 0x34657e00, 0x3cc27e00, 0x7c007e00, 0x7e008000,
    0x00004800,
};
static const uint32_t sqrt_f16_turned[11] = {
    0x7e003ce6, 0x7e003da8, 0x7e00389e, 0x7e003a59, 0x7e004292, 0x7e002e67, 0x7e00457a, 0x7e002400, 0x80000000, 0x7e005bff,
    0x00003b17,
};
const struct assay_known_answer unary_known_sqrt_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Sqrt", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {sqrt_f16_dense}},
    {.call = {.op = "Sqrt", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {sqrt_f16_turned}},
};
static const uint32_t rsqrt_f16_dense[21] = {
    0x7e007e00, 0x7e000000, 0xfc007c00, 0xfc007c00, 0xfc007c00, 0xfc007c00, 0x7e003c00, 0x7e000000, 0x7e003da8, 0x7e003884,
    0x7e002ed9, 0x7e006c00, 0x4ba23d62, 0x3c007e00, 0x35553c00, 0x37287e00, 0x43487e00, 0x3aba7e00, 0x00007e00, 0x7e00fc00,
    0x00003000,
};
static const uint32_t rsqrt_f16_turned[11] = {
    0x7e003a88, 0x7e0039a8, 0x7e003eee, 0x7e003d0a, 0x7e0034df, 0x7e004900, 0x7e0031d8, 0x7e005400, 0xfc007c00, 0x7e001c00,
    0x00003c84,
};
const struct assay_known_answer unary_known_rsqrt_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Rsqrt", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {rsqrt_f16_dense}},
    {.call = {.op = "Rsqrt", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {rsqrt_f16_turned}},
};
static const uint32_t rcp_f16_dense[21] = {
    0x7e007e00, 0x80000000, 0xfc007c00, 0xfc007c00, 0xfc007c00, 0xfc007c00, 0xbc003c00, 0x80000000, 0xc0004000, 0xb5183518,
    0xa0f521dd, 0xfc007c00, 0x5b483f3e, 0x3c00d860, 0x2f1c3c00, 0x3266af1c, 0x4aa1b266, 0x39a8caa1, 0x0000ac74, 0xe3cffc00,
    0x00002400,
};
static const uint32_t rcp_f16_turned[11] = {
    0xb9553955, 0xb8003800, 0xc2004200, 0xbe5a3e5a, 0xaded2ded, 0xd6405640, 0xa8442844, 0xec006c00, 0xfc007c00, 0x81000100,
    0x00003d18,
};
const struct assay_known_answer unary_known_rcp_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Reciprocal", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {rcp_f16_dense}},
    {.call = {.op = "Reciprocal", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {rcp_f16_turned}},
};
static const uint32_t relu_f16_dense[21] = {
    0x7e007e00, 0x00007c00, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00003c00, 0x00007c00, 0x00003800, 0x00004248,
    0x00005575, 0x00000001, 0x1c65386b, 0x3c000000, 0x48803c00, 0x45000000, 0x2cd40000, 0x3da80000, 0x7c000000, 0x00000000,
    0x00005400,
};
static const uint32_t relu_f16_turned[11] = {
    0x00003e00, 0x00004000, 0x00003555, 0x0000390a, 0x00004966, 0x0000211f, 0x00004f80, 0x00000c00, 0x00000000, 0x00007bff,
    0x00003a48,
};
const struct assay_known_answer unary_known_relu_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Relu", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {relu_f16_dense}},
    {.call = {.op = "Relu", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {relu_f16_turned}},
};
static const uint32_t leaky_relu_f16_dense[21] = {
    0x7e007e00, 0xfc007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xa11f3c00, 0xfc007c00, 0x9d1f3800, 0xa8054248,
    0xbc215575, 0x80000001, 0x1c65386b, 0x3c0084af, 0x48803c00, 0x4500adc3, 0x2cd4aa66, 0x3da8922e, 0x7c00b09a, 0x80a88000,
    0x00005400,
};
static const uint32_t leaky_relu_f16_turned[11] = {
    0x3b333e00, 0x3ccd4000, 0x32663555, 0x360c390a, 0x467a4966, 0x1e25211f, 0x4c804f80, 0x08cd0c00, 0x80000000, 0x78cc7bff,
    0x00003a48,
};
static const struct assay_attr leaky_relu_f16_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = -0x1.3333340000000p-1f}};
const struct assay_known_answer unary_known_leaky_relu_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "LeakyRelu", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {leaky_relu_f16_dense}},
    {.call = {.op = "LeakyRelu", .attrs = leaky_relu_f16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {leaky_relu_f16_turned}},
};
static const uint32_t elu_f16_dense[21] = {
    0x7e007e00, 0xbc007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xb90f3c00, 0xbc007c00, 0xb64c3800, 0xbba74248,
    0xbc005575, 0x80010001, 0x1c65386b, 0x3c009f4a, 0x48803c00, 0x4500bc00, 0x2cd4bbf2, 0x3da8aca7, 0x7c00bc00, 0x94188000,
    0x00005400,
};
static const uint32_t elu_f16_turned[11] = {
    0xbf263e00, 0xbff44000, 0xb9373555, 0xbc4d390a, 0xc09a4966, 0xa5dc211f, 0xc09a4f80, 0x90990c00, 0x80000000, 0xc09a7bff,
    0x00003a48,
};
static const struct assay_attr elu_f16_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.2666660000000p+1f}};
const struct assay_known_answer unary_known_elu_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Elu", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {elu_f16_dense}},
    {.call = {.op = "Elu", .attrs = elu_f16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {elu_f16_turned}},
};
static const uint32_t hard_sigmoid_f16_dense[21] = {
    0x7e007e00, 0x00003c00, 0x38003800, 0x38003800, 0x38003800, 0x38003800, 0x34cd399a, 0x00003c00, 0x366638cd, 0x00003c00,
    0x00003c00, 0x38003800, 0x380238e2, 0x399a37fa, 0x3c00399a, 0x3c000000, 0x381f0000, 0x3a4337c2, 0x3c000000, 0x37ff3800,
    0x00003c00,
};
static const uint32_t hard_sigmoid_f16_turned[11] = {
    0x37333a00, 0x36663a66, 0x38893911, 0x384c394e, 0x00003c00, 0x38cb38cf, 0x00003c00, 0x38cd38cd, 0x38cd38cd, 0x00003c00,
    0x0000396e,
};
static const struct assay_attr hard_sigmoid_f16_turned_attr[2] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.99999a0000000p-4f}, {.name = "beta", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.3333340000000p-1f}};
const struct assay_known_answer unary_known_hard_sigmoid_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "HardSigmoid", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {hard_sigmoid_f16_dense}},
    {.call = {.op = "HardSigmoid", .attrs = hard_sigmoid_f16_turned_attr, .attr_count = 2, .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {hard_sigmoid_f16_turned}},
};
static const uint32_t hard_swish_f16_dense[21] = {
    0x7e007e00, 0x7e007c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xb5553955, 0x7e007c00, 0xb2ab34ab, 0x80004248,
    0x80005575, 0x80000000, 0x1867353b, 0x39559b4d, 0x48803955, 0x45008000, 0x28f38000, 0x3c29a8b5, 0x7c008000, 0x90198000,
    0x00005400,
};
static const uint32_t hard_swish_f16_turned[11] = {
    0xb6003c80, 0xb5553eab, 0xb0bd31ed, 0xb3f63619, 0x80004966, 0x9d1b1d23, 0x80004f80, 0x88000800, 0x80000000, 0x80007bff,
    0x000037ed,
};
const struct assay_known_answer unary_known_hard_swish_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "HardSwish", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {hard_swish_f16_dense}},
    {.call = {.op = "HardSwish", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {hard_swish_f16_turned}},
};
static const uint32_t softsign_f16_dense[21] = {
    0x7e007e00, 0xbc003c00, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xb8003800, 0xbc003c00, 0xb5553555, 0xba113a11,
    0xbbec3be9, 0x80010001, 0x1c6035b1, 0x38009f44, 0x3b333800, 0x3aabbb33, 0x2c7dbaab, 0x38b0ac7d, 0x3c00bb7b, 0x94188000,
    0x00003be0,
};
static const uint32_t softsign_f16_turned[11] = {
    0xb8cd38cd, 0xb9553955, 0xb4003400, 0xb62f362f, 0xbb523b52, 0xa1122112, 0xbbbe3bbe, 0x8c000c00, 0x80000000, 0xbc003c00,
    0x0000370a,
};
const struct assay_known_answer unary_known_softsign_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Softsign", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {softsign_f16_dense}},
    {.call = {.op = "Softsign", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {softsign_f16_turned}},
};
static const uint32_t thresholded_relu_f16_dense[21] = {
    0x7e007e00, 0x00007c00, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00007c00, 0x00000000, 0x00004248,
    0x00005575, 0x00000000, 0x00000000, 0x00000000, 0x48800000, 0x45000000, 0x00000000, 0x3da80000, 0x7c000000, 0x00000000,
    0x00005400,
};
static const uint32_t thresholded_relu_f16_turned[11] = {
    0x00003e00, 0x00004000, 0x00003555, 0x0000390a, 0x00004966, 0xa11f211f, 0x00004f80, 0x8c000c00, 0x80000000, 0x00007bff,
    0x00003a48,
};
static const struct assay_attr thresholded_relu_f16_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = -0x1.3333340000000p-2f}};
const struct assay_known_answer unary_known_thresholded_relu_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "ThresholdedRelu", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {thresholded_relu_f16_dense}},
    {.call = {.op = "ThresholdedRelu", .attrs = thresholded_relu_f16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {thresholded_relu_f16_turned}},
};
static const uint32_t clip_f16_dense[21] = {
    0x7e007e00, 0xbb334100, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xbb333c00, 0xbb334100, 0xb8003800, 0xbb334100,
    0xbb334100, 0x80010001, 0x1c65386b, 0x3c009f51, 0x41003c00, 0x4100bb33, 0x2cd4bb33, 0x3da8acd4, 0x4100bb33, 0x94198000,
    0x00004100,
};
static const uint32_t clip_f16_turned[11] = {
    0xbb333e00, 0xbb334000, 0xb5553555, 0xb90a390a, 0xbb334966, 0xa11f211f, 0xbb334f80, 0x8c000c00, 0x80000000, 0xbb337bff,
    0x00003a48,
};
const struct assay_known_answer unary_known_clip_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Clip", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}, {.dtype = ASSAY_F16, .rank = 0, .shape = {0}, .stride = {0}}, {.dtype = ASSAY_F16, .rank = 0, .shape = {0}, .stride = {0}}}, .input_count = 3, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16, lo_f16, hi_f16}, .output = {clip_f16_dense}},
    {.call = {.op = "Clip", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}, {.dtype = ASSAY_F16, .rank = 0, .shape = {0}, .stride = {0}}}, .input_count = 2, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16, lo_f16}, .output = {clip_f16_turned}},
};
static const uint32_t neg_f16_dense[21] = {
    0x7e007e00, 0x7c00fc00, 0x00008000, 0x00008000, 0x00008000, 0x00008000, 0x3c00bc00, 0x7c00fc00, 0x3800b800, 0x4248c248,
    0x5674d575, 0x00018001, 0x9c65b86b, 0xbc001f51, 0xc880bc00, 0xc5004880, 0xacd44500, 0xbda82cd4, 0xfc004b30, 0x14190000,
    0x0000d400,
};
static const uint32_t neg_f16_turned[11] = {
    0x3e00be00, 0x4000c000, 0x3555b555, 0x390ab90a, 0x4966c966, 0x211fa11f, 0x4f80cf80, 0x0c008c00, 0x00008000, 0x7bfffbff,
    0x0000ba48,
};
const struct assay_known_answer unary_known_neg_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Neg", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {neg_f16_dense}},
    {.call = {.op = "Neg", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {neg_f16_turned}},
};
static const uint32_t abs_f16_dense[21] = {
    0x7e007e00, 0x7c007c00, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x3c003c00, 0x7c007c00, 0x38003800, 0x42484248,
    0x56745575, 0x00010001, 0x1c65386b, 0x3c001f51, 0x48803c00, 0x45004880, 0x2cd44500, 0x3da82cd4, 0x7c004b30, 0x14190000,
    0x00005400,
};
static const uint32_t abs_f16_turned[11] = {
    0x3e003e00, 0x40004000, 0x35553555, 0x390a390a, 0x49664966, 0x211f211f, 0x4f804f80, 0x0c000c00, 0x00000000, 0x7bff7bff,
    0x00003a48,
};
const struct assay_known_answer unary_known_abs_f16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Abs", .input = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_f16}, .output = {abs_f16_dense}},
    {.call = {.op = "Abs", .input = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_F16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_f16}, .output = {abs_f16_turned}},
};
static const uint32_t dense_bf16[21] = {
    0x7fc07fc0, 0xff807f80, 0x80000000, 0x80000000, 0x80400080, 0x80800080, 0xbf803f80, 0xff807f80, 0xbf003f00, 0xc0494049,
    0xc2cf42af, 0xb3003300, 0x3b8d3f0d, 0x3f80bbea, 0x41103f80, 0x40a0c110, 0x3d9bc0a0, 0x3fb5bd9b, 0x4b00c166, 0xba838100,
    0x00004280,
};
static const uint32_t turned_bf16[11] = {
    0xbf213fc0, 0xbfc03980, 0xb980412d, 0xc12d4000, 0xc0000001, 0x80013c24, 0xbc243eab, 0xbeab4780, 0xc78041f0, 0xc1f03f21,
    0x00003f49,
};
static const uint32_t lo_bf16[1] = {
    0x0000bf66,
};
static const uint32_t hi_bf16[1] = {
    0x00004020,
};
static const uint32_t exp_bf16_dense[21] = {
    0x7fc07fc0, 0x00007f80, 0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3ebc402e, 0x00007f80, 0x3f1b3fd3, 0x3d3141b9,
    0x00007e97, 0x3f803f80, 0x3f813fde, 0x402e3f7e, 0x45fd402e, 0x43143901, 0x3f8a3bdd, 0x40843f6d, 0x7f803519, 0x3f803f80,
    0x00006da1,
};
static const uint32_t exp_bf16_turned[11] = {
    0x3e64408f, 0x3e0b40ec, 0x3f373fb3, 0x3f083ff0, 0x37a94742, 0x3f7d3f81, 0x29d3551c, 0x3f803f80, 0x3f803f80, 0x00007f80,
    0x0000400c,
};
const struct assay_known_answer unary_known_exp_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Exp", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {exp_bf16_dense}},
    {.call = {.op = "Exp", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {exp_bf16_turned}},
};
static const uint32_t exp2_bf16_dense[21] = {
    0x7fc07fc0, 0x00007f80, 0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f004000, 0x00007f80, 0x3f353fb5, 0x3de8410d,
    0x0bb56b35, 0x3f803f80, 0x3f803fbc, 0x40003f7f, 0x44004000, 0x42003b00, 0x3f873d00, 0x402b3f73, 0x7f803845, 0x3f803f80,
    0x00005f80,
};
static const uint32_t exp2_bf16_turned[11] = {
    0x3eb54035, 0x3e804080, 0x3f4b3fa1, 0x3f263fc6, 0x3a1244e1, 0x3f7e3f81, 0x30804e80, 0x3f803f80, 0x3f803f80, 0x00007f80,
    0x00003fdd,
};
const struct assay_known_answer unary_known_exp2_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Exp2", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {exp2_bf16_dense}},
    {.call = {.op = "Exp2", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {exp2_bf16_turned}},
};
static const uint32_t expm1_bf16_dense[21] = {
    0x7fc07fc0, 0xbf807f80, 0x80000000, 0x80000000, 0x80400080, 0x80800080, 0xbf223fdc, 0xbf807f80, 0xbec93f26, 0xbf7541b1,
    0xbf807e97, 0xb3003300, 0x3b8d3f3c, 0x3fdcbbe9, 0x45fd3fdc, 0x4313bf80, 0x3da1bf7e, 0x4047bd95, 0x7f80bf80, 0xba838100,
    0x00006da1,
};
static const uint32_t expm1_bf16_turned[11] = {
    0xbf47405f, 0xbf5d40cc, 0xbe913ecb, 0xbeef3f60, 0xbf804742, 0xbc233c25, 0xbf80551c, 0xb9803980, 0x80010001, 0xbf807f80,
    0x00003f99,
};
const struct assay_known_answer unary_known_expm1_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Expm1", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {expm1_bf16_dense}},
    {.call = {.op = "Expm1", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {expm1_bf16_turned}},
};
static const uint32_t log_bf16_dense[21] = {
    0x7fc07fc0, 0x7fc07f80, 0xff80ff80, 0xff80ff80, 0x7fc0c2af, 0x7fc0c2af, 0x7fc00000, 0x7fc07f80, 0x7fc0bf31, 0x7fc03f92,
    0x7fc0408f, 0x7fc0c18b, 0xc0aebf19, 0x00007fc0, 0x400d0000, 0x3fce7fc0, 0xc0257fc0, 0x3eb17fc0, 0x417f7fc0, 0x7fc07fc0,
    0x00004085,
};
static const uint32_t log_bf16_turned[11] = {
    0x7fc03ed0, 0x7fc03f31, 0x7fc0bf8c, 0x7fc0beed, 0x7fc04018, 0x7fc0c093, 0x7fc0405a, 0x7fc0c105, 0x7fc0c2b8, 0x7fc04131,
    0x0000be78,
};
const struct assay_known_answer unary_known_log_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {log_bf16_dense}},
    {.call = {.op = "Log", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {log_bf16_turned}},
};
static const uint32_t log2_bf16_dense[21] = {
    0x7fc07fc0, 0x7fc07f80, 0xff80ff80, 0xff80ff80, 0x7fc0c2fc, 0x7fc0c2fc, 0x7fc00000, 0x7fc07f80, 0x7fc0bf80, 0x7fc03fd3,
    0x7fc040ce, 0x7fc0c1c8, 0xc0fcbf5c, 0x00007fc0, 0x404b0000, 0x40157fc0, 0xc06e7fc0, 0x3f007fc0, 0x41b87fc0, 0x7fc07fc0,
    0x000040c0,
};
static const uint32_t log2_bf16_turned[11] = {
    0x7fc03f16, 0x7fc03f80, 0x7fc0bfcb, 0x7fc0bf2b, 0x7fc0405c, 0x7fc0c0d5, 0x7fc0409d, 0x7fc0c140, 0x7fc0c305, 0x7fc04180,
    0x0000beb3,
};
const struct assay_known_answer unary_known_log2_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log2", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {log2_bf16_dense}},
    {.call = {.op = "Log2", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {log2_bf16_turned}},
};
static const uint32_t log1p_bf16_dense[21] = {
    0x7fc07fc0, 0x7fc07f80, 0x80000000, 0x80000000, 0x80400080, 0x80800080, 0xff803f31, 0x7fc07f80, 0xbf313ed0, 0x7fc03fb6,
    0x7fc0408f, 0xb3003300, 0x3b8d3ee1, 0x3f31bbeb, 0x40133f31, 0x3fe57fc0, 0x3d957fc0, 0x3f62bda1, 0x417f7fc0, 0xba838100,
    0x00004086,
};
static const uint32_t log1p_bf16_turned[11] = {
    0x7fc03f6b, 0x7fc03f8d, 0xbed03e94, 0xbf7e3efa, 0x7fc0401e, 0xbc253c23, 0x7fc0405c, 0xb9803980, 0x80010001, 0x7fc04131,
    0x00003f14,
};
const struct assay_known_answer unary_known_log1p_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Log1p", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {log1p_bf16_dense}},
    {.call = {.op = "Log1p", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {log1p_bf16_turned}},
};
static const uint32_t tanh_bf16_dense[21] = {
    0x7fc07fc0, 0xbf803f80, 0x80000000, 0x80000000, 0x80400080, 0x80800080, 0xbf433f43, 0xbf803f80, 0xbeed3eed, 0xbf7f3f7f,
    0xbf803f80, 0xb3003300, 0x3b8d3f00, 0x3f43bbea, 0x3f803f43, 0x3f80bf80, 0x3d9bbf80, 0x3f63bd9b, 0x3f80bf80, 0xba838100,
    0x00003f80,
};
static const uint32_t tanh_bf16_turned[11] = {
    0xbf683f68, 0xbf773f77, 0xbea53ea5, 0xbf0f3f0f, 0xbf803f80, 0xbc243c24, 0xbf803f80, 0xb9803980, 0x80010001, 0xbf803f80,
    0x00003f28,
};
const struct assay_known_answer unary_known_tanh_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Tanh", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {tanh_bf16_dense}},
    {.call = {.op = "Tanh", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {tanh_bf16_turned}},
};
static const uint32_t erf_bf16_dense[21] = {
    0x7fc07fc0, 0xbf803f80, 0x80000000, 0x80000000, 0x80480090, 0x80900090, 0xbf583f58, 0xbf803f80, 0xbf053f05, 0xbf803f80,
    0xbf803f80, 0xb3103310, 0x3b9f3f10, 0x3f58bc04, 0x3f803f58, 0x3f80bf80, 0x3dafbf80, 0x3f74bdaf, 0x3f80bf80, 0xba948110,
    0x00003f80,
};
static const uint32_t erf_bf16_turned[11] = {
    0xbf773f77, 0xbf7f3f7f, 0xbeba3eba, 0xbf203f20, 0xbf803f80, 0xbc393c39, 0xbf803f80, 0xb9903990, 0x80010001, 0xbf803f80,
    0x00003f3c,
};
const struct assay_known_answer unary_known_erf_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Erf", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {erf_bf16_dense}},
    {.call = {.op = "Erf", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {erf_bf16_turned}},
};
static const uint32_t sigmoid_bf16_dense[21] = {
    0x7fc07fc0, 0x00003f80, 0x3f003f00, 0x3f003f00, 0x3f003f00, 0x3f003f00, 0x3e8a3f3b, 0x00003f80, 0x3ec13f1f, 0x3d2a3f75,
    0x00003f80, 0x3f003f00, 0x3f003f22, 0x3f3b3eff, 0x3f803f3b, 0x3f7e3901, 0x3f053bdb, 0x3f4e3ef6, 0x3f803519, 0x3f003f00,
    0x00003f80,
};
static const uint32_t sigmoid_bf16_turned[11] = {
    0x3e3b3f51, 0x3df43f61, 0x3ed63f15, 0x3eb23f27, 0x37a93f80, 0x3eff3f01, 0x29d33f80, 0x3f003f00, 0x3f003f00, 0x00003f80,
    0x00003f30,
};
const struct assay_known_answer unary_known_sigmoid_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Sigmoid", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {sigmoid_bf16_dense}},
    {.call = {.op = "Sigmoid", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {sigmoid_bf16_turned}},
};
static const uint32_t silu_bf16_dense[21] = {
    0x7fc07fc0, 0x80007f80, 0x80000000, 0x80000000, 0x80200040, 0x80400040, 0xbe8a3f3b, 0x80007f80, 0xbe413e9f, 0xbe054041,
    0x800042af, 0xb2803280, 0x3b0d3eb3, 0x3f3bbb69, 0x41103f3b, 0x409fba92, 0x3d21bd09, 0x3f92bd15, 0x4b00b70a, 0xba038080,
    0x00004280,
};
static const uint32_t silu_bf16_turned[11] = {
    0xbe8c3f9d, 0xbe743fe1, 0xbe0f3e47, 0xbe603ed2, 0xb964412d, 0xbba33ba5, 0xac4641f0, 0xb9003900, 0x80000000, 0x80004780,
    0x00003f0a,
};
const struct assay_known_answer unary_known_silu_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Silu", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {silu_bf16_dense}},
    {.call = {.op = "Silu", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {silu_bf16_turned}},
};
static const uint32_t softplus_bf16_dense[21] = {
    0x7fc07fc0, 0x00007f80, 0x3f313f31, 0x3f313f31, 0x3f313f31, 0x3f313f31, 0x3ea03fa8, 0x00007f80, 0x3ef33f79, 0x3d2d404c,
    0x000042af, 0x3f313f31, 0x3f323f81, 0x3fa83f31, 0x41103fa8, 0x40a03901, 0x3f3b3bdc, 0x3fd13f28, 0x4b003519, 0x3f313f31,
    0x00004280,
};
static const uint32_t softplus_bf16_turned[11] = {
    0x3e4e3fda, 0x3e024008, 0x3f0a3f60, 0x3edb3f87, 0x37a9412d, 0x3f303f33, 0x29d341f0, 0x3f313f31, 0x3f313f31, 0x00004780,
    0x00003f95,
};
const struct assay_known_answer unary_known_softplus_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Softplus", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {softplus_bf16_dense}},
    {.call = {.op = "Softplus", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {softplus_bf16_turned}},
};
static const uint32_t gelu_bf16_dense[21] = {
    0x7fc07fc0, 0x80007f80, 0x80000000, 0x80000000, 0x80200040, 0x80400040, 0xbe223f57, 0x80007f80, 0xbe1e3eb1, 0xbb2d4049,
    0x800042af, 0xb2803280, 0x3b0d3ec8, 0x3f57bb69, 0x41103f57, 0x40a0a196, 0x3d24b5c0, 0x3fa7bd12, 0x4b008000, 0xba038080,
    0x00004280,
};
static const uint32_t gelu_bf16_turned[11] = {
    0xbdce3fb3, 0xbd3a3ffa, 0xbdfd3e58, 0xbe2b3eed, 0x8000412d, 0xbba33ba5, 0x800041f0, 0xb9003900, 0x80000000, 0x80004780,
    0x00003f1e,
};
static const struct assay_attr gelu_bf16_turned_attr[1] = {{.name = "approximate", .kind = ASSAY_ATTR_STRING, .s = "tanh"}};
const struct assay_known_answer unary_known_gelu_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Gelu", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {gelu_bf16_dense}},
    {.call = {.op = "Gelu", .attrs = gelu_bf16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {gelu_bf16_turned}},
};
static const uint32_t sqrt_bf16_dense[21] = {
    0x7fc07fc0, 0x7fc07f80, 0x80000000, 0x80000000, 0x7fc02000, 0x7fc02000, 0x7fc03f80, 0x7fc07f80, 0x7fc03f35, 0x7fc03fe3,
    0x7fc04116, 0x7fc03935, 0x3d863f3e, 0x3f807fc0, 0x40403f80, 0x400f7fc0, 0x3e8d7fc0, 0x3f987fc0, 0x45357fc0, 0x7fc07fc0,
    0x00004100,
};
static const uint32_t sqrt_bf16_turned[11] = {
    0x7fc03f9d, 0x7fc03fb5, 0x7fc03f14, 0x7fc03f4b, 0x7fc04052, 0x7fc03dcd, 0x7fc040af, 0x7fc03c80, 0x7fc01e35, 0x7fc04380,
    0x00003f63,
};
const struct assay_known_answer unary_known_sqrt_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Sqrt", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {sqrt_bf16_dense}},
    {.call = {.op = "Sqrt", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {sqrt_bf16_turned}},
};
static const uint32_t rsqrt_bf16_dense[21] = {
    0x7fc07fc0, 0x7fc00000, 0xff807f80, 0xff807f80, 0x7fc05f00, 0x7fc05f00, 0x7fc03f80, 0x7fc00000, 0x7fc03fb5, 0x7fc03f10,
    0x7fc03ddb, 0x7fc045b5, 0x41743fac, 0x3f807fc0, 0x3eab3f80, 0x3ee57fc0, 0x40697fc0, 0x3f577fc0, 0x39b57fc0, 0x7fc07fc0,
    0x00003e00,
};
static const uint32_t rsqrt_bf16_turned[11] = {
    0x7fc03f51, 0x7fc03f35, 0x7fc03fdd, 0x7fc03fa1, 0x7fc03e9c, 0x7fc04120, 0x7fc03e3b, 0x7fc04280, 0x7fc060b5, 0x7fc03b80,
    0x00003f90,
};
const struct assay_known_answer unary_known_rsqrt_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Rsqrt", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {rsqrt_bf16_dense}},
    {.call = {.op = "Rsqrt", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {rsqrt_bf16_turned}},
};
static const uint32_t rcp_bf16_dense[21] = {
    0x7fc07fc0, 0x80000000, 0xff807f80, 0xff807f80, 0xff007e80, 0xfe807e80, 0xbf803f80, 0x80000000, 0xc0004000, 0xbea33ea3,
    0xbc1e3c3b, 0xcc004c00, 0x43683fe8, 0x3f80c30c, 0x3de43f80, 0x3e4dbde4, 0x4153be4d, 0x3f35c153, 0x3400bd8e, 0xc47afe00,
    0x00003c80,
};
static const uint32_t rcp_bf16_turned[11] = {
    0xbf2b3f2b, 0xbf003f00, 0xc0404040, 0xbfcc3fcc, 0xbdbd3dbd, 0xc2c842c8, 0xbd093d09, 0xc5804580, 0xff807f80, 0xb7803780,
    0x00003fa3,
};
const struct assay_known_answer unary_known_rcp_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Reciprocal", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {rcp_bf16_dense}},
    {.call = {.op = "Reciprocal", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {rcp_bf16_turned}},
};
static const uint32_t relu_bf16_dense[21] = {
    0x7fc07fc0, 0x00007f80, 0x00000000, 0x00000000, 0x00000080, 0x00000080, 0x00003f80, 0x00007f80, 0x00003f00, 0x00004049,
    0x000042af, 0x00003300, 0x3b8d3f0d, 0x3f800000, 0x41103f80, 0x40a00000, 0x3d9b0000, 0x3fb50000, 0x4b000000, 0x00000000,
    0x00004280,
};
static const uint32_t relu_bf16_turned[11] = {
    0x00003fc0, 0x00004000, 0x00003eab, 0x00003f21, 0x0000412d, 0x00003c24, 0x000041f0, 0x00003980, 0x00000001, 0x00004780,
    0x00003f49,
};
const struct assay_known_answer unary_known_relu_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Relu", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {relu_bf16_dense}},
    {.call = {.op = "Relu", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {relu_bf16_turned}},
};
static const uint32_t leaky_relu_bf16_dense[21] = {
    0x7fc07fc0, 0xff807f80, 0x80000000, 0x80000000, 0x80010080, 0x80010080, 0xbc243f80, 0xff807f80, 0xbba43f00, 0xbd014049,
    0xbf8442af, 0xafa43300, 0x3b8d3f0d, 0x3f80b896, 0x41103f80, 0x40a0bdb8, 0x3d9bbd4d, 0x3fb5ba46, 0x4b00be13, 0xb7288003,
    0x00004280,
};
static const uint32_t leaky_relu_bf16_turned[11] = {
    0x3f663fc0, 0x3f9a4000, 0x3e4d3eab, 0x3ec13f21, 0x40d0412d, 0x3bc53c24, 0x419041f0, 0x391a3980, 0x00010001, 0x471a4780,
    0x00003f49,
};
static const struct assay_attr leaky_relu_bf16_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = -0x1.3333340000000p-1f}};
const struct assay_known_answer unary_known_leaky_relu_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "LeakyRelu", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {leaky_relu_bf16_dense}},
    {.call = {.op = "LeakyRelu", .attrs = leaky_relu_bf16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {leaky_relu_bf16_turned}},
};
static const uint32_t elu_bf16_dense[21] = {
    0x7fc07fc0, 0xbf807f80, 0x80000000, 0x80000000, 0x80400080, 0x80800080, 0xbf223f80, 0xbf807f80, 0xbec93f00, 0xbf754049,
    0xbf8042af, 0xb3003300, 0x3b8d3f0d, 0x3f80bbe9, 0x41103f80, 0x40a0bf80, 0x3d9bbf7e, 0x3fb5bd95, 0x4b00bf80, 0xba838100,
    0x00004280,
};
static const uint32_t elu_bf16_turned[11] = {
    0xbfe53fc0, 0xbfff4000, 0xbf273eab, 0xbf893f21, 0xc013412d, 0xbcbc3c24, 0xc01341f0, 0xba133980, 0x80020001, 0xc0134780,
    0x00003f49,
};
static const struct assay_attr elu_bf16_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.2666660000000p+1f}};
const struct assay_known_answer unary_known_elu_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Elu", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {elu_bf16_dense}},
    {.call = {.op = "Elu", .attrs = elu_bf16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {elu_bf16_turned}},
};
static const uint32_t hard_sigmoid_bf16_dense[21] = {
    0x7fc07fc0, 0x00003f80, 0x3f003f00, 0x3f003f00, 0x3f003f00, 0x3f003f00, 0x3e9a3f33, 0x00003f80, 0x3ecd3f1a, 0x00003f80,
    0x00003f80, 0x3f003f00, 0x3f003f1c, 0x3f333eff, 0x3f803f33, 0x3f800000, 0x3f040000, 0x3f483ef8, 0x3f800000, 0x3f003f00,
    0x00003f80,
};
static const uint32_t hard_sigmoid_bf16_turned[11] = {
    0x3ee63f40, 0x3ecd3f4d, 0x3f113f22, 0x3f0a3f2a, 0x00003f80, 0x3f193f1a, 0x00003f80, 0x3f1a3f1a, 0x3f1a3f1a, 0x00003f80,
    0x00003f2e,
};
static const struct assay_attr hard_sigmoid_bf16_turned_attr[2] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.99999a0000000p-4f}, {.name = "beta", .kind = ASSAY_ATTR_FLOAT, .f = 0x1.3333340000000p-1f}};
const struct assay_known_answer unary_known_hard_sigmoid_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "HardSigmoid", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {hard_sigmoid_bf16_dense}},
    {.call = {.op = "HardSigmoid", .attrs = hard_sigmoid_bf16_turned_attr, .attr_count = 2, .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {hard_sigmoid_bf16_turned}},
};
static const uint32_t hard_swish_bf16_dense[21] = {
    0x7fc07fc0, 0x7fc07f80, 0x80000000, 0x80000000, 0x80200040, 0x80400040, 0xbeab3f2b, 0x7fc07f80, 0xbe553e95, 0x80004049,
    0x800042af, 0xb2803280, 0x3b0d3ea7, 0x3f2bbb69, 0x41103f2b, 0x40a08000, 0x3d1f8000, 0x3f85bd17, 0x4b008000, 0xba038080,
    0x00004280,
};
static const uint32_t hard_swish_bf16_turned[11] = {
    0xbec03f90, 0xbeab3fd5, 0xbe183e3e, 0xbe7e3ec3, 0x8000412d, 0xbba33ba5, 0x800041f0, 0xb9003900, 0x80000000, 0x80004780,
    0x00003efe,
};
const struct assay_known_answer unary_known_hard_swish_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "HardSwish", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {hard_swish_bf16_dense}},
    {.call = {.op = "HardSwish", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {hard_swish_bf16_turned}},
};
static const uint32_t softsign_bf16_dense[21] = {
    0x7fc07fc0, 0xbf803f80, 0x80000000, 0x80000000, 0x80400080, 0x80800080, 0xbf003f00, 0xbf803f80, 0xbeab3eab, 0xbf423f42,
    0xbf7e3f7d, 0xb3003300, 0x3b8c3eb6, 0x3f00bbe8, 0x3f663f00, 0x3f55bf66, 0x3d90bf55, 0x3f16bd90, 0x3f80bf6f, 0xba838100,
    0x00003f7c,
};
static const uint32_t softsign_bf16_turned[11] = {
    0xbf1a3f1a, 0xbf2b3f2b, 0xbe803e80, 0xbec63ec6, 0xbf6a3f6a, 0xbc223c22, 0xbf783f78, 0xb9803980, 0x80010001, 0xbf803f80,
    0x00003ee1,
};
const struct assay_known_answer unary_known_softsign_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Softsign", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {softsign_bf16_dense}},
    {.call = {.op = "Softsign", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {softsign_bf16_turned}},
};
static const uint32_t thresholded_relu_bf16_dense[21] = {
    0x7fc07fc0, 0x00007f80, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00007f80, 0x00000000, 0x00004049,
    0x000042af, 0x00000000, 0x00000000, 0x00000000, 0x41100000, 0x40a00000, 0x00000000, 0x3fb50000, 0x4b000000, 0x00000000,
    0x00004280,
};
static const uint32_t thresholded_relu_bf16_turned[11] = {
    0x00003fc0, 0x00004000, 0x00003eab, 0x00003f21, 0x0000412d, 0xbc243c24, 0x000041f0, 0xb9803980, 0x80010001, 0x00004780,
    0x00003f49,
};
static const struct assay_attr thresholded_relu_bf16_turned_attr[1] = {{.name = "alpha", .kind = ASSAY_ATTR_FLOAT, .f = -0x1.3333340000000p-2f}};
const struct assay_known_answer unary_known_thresholded_relu_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "ThresholdedRelu", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {thresholded_relu_bf16_dense}},
    {.call = {.op = "ThresholdedRelu", .attrs = thresholded_relu_bf16_turned_attr, .attr_count = 1, .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {thresholded_relu_bf16_turned}},
};
static const uint32_t clip_bf16_dense[21] = {
    0x7fc07fc0, 0xbf664020, 0x80000000, 0x80000000, 0x80400080, 0x80800080, 0xbf663f80, 0xbf664020, 0xbf003f00, 0xbf664020,
    0xbf664020, 0xb3003300, 0x3b8d3f0d, 0x3f80bbea, 0x40203f80, 0x4020bf66, 0x3d9bbf66, 0x3fb5bd9b, 0x4020bf66, 0xba838100,
    0x00004020,
};
static const uint32_t clip_bf16_turned[11] = {
    0xbf663fc0, 0xbf664000, 0xbeab3eab, 0xbf213f21, 0xbf66412d, 0xbc243c24, 0xbf6641f0, 0xb9803980, 0x80010001, 0xbf664780,
    0x00003f49,
};
const struct assay_known_answer unary_known_clip_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Clip", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}, {.dtype = ASSAY_BF16, .rank = 0, .shape = {0}, .stride = {0}}, {.dtype = ASSAY_BF16, .rank = 0, .shape = {0}, .stride = {0}}}, .input_count = 3, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16, lo_bf16, hi_bf16}, .output = {clip_bf16_dense}},
    {.call = {.op = "Clip", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}, {.dtype = ASSAY_BF16, .rank = 0, .shape = {0}, .stride = {0}}}, .input_count = 2, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16, lo_bf16}, .output = {clip_bf16_turned}},
};
static const uint32_t neg_bf16_dense[21] = {
    0x7fc07fc0, 0x7f80ff80, 0x00008000, 0x00008000, 0x00408080, 0x00808080, 0x3f80bf80, 0x7f80ff80, 0x3f00bf00, 0x4049c049,
    0x42cfc2af, 0x3300b300, 0xbb8dbf0d, 0xbf803bea, 0xc110bf80, 0xc0a04110, 0xbd9b40a0, 0xbfb53d9b, 0xcb004166, 0x3a830100,
    0x0000c280,
};
static const uint32_t neg_bf16_turned[11] = {
    0x3fc0bfc0, 0x4000c000, 0x3eabbeab, 0x3f21bf21, 0x412dc12d, 0x3c24bc24, 0x41f0c1f0, 0x3980b980, 0x00018001, 0x4780c780,
    0x0000bf49,
};
const struct assay_known_answer unary_known_neg_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Neg", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {neg_bf16_dense}},
    {.call = {.op = "Neg", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {neg_bf16_turned}},
};
static const uint32_t abs_bf16_dense[21] = {
    0x7fc07fc0, 0x7f807f80, 0x00000000, 0x00000000, 0x00400080, 0x00800080, 0x3f803f80, 0x7f807f80, 0x3f003f00, 0x40494049,
    0x42cf42af, 0x33003300, 0x3b8d3f0d, 0x3f803bea, 0x41103f80, 0x40a04110, 0x3d9b40a0, 0x3fb53d9b, 0x4b004166, 0x3a830100,
    0x00004280,
};
static const uint32_t abs_bf16_turned[11] = {
    0x3fc03fc0, 0x40004000, 0x3eab3eab, 0x3f213f21, 0x412d412d, 0x3c243c24, 0x41f041f0, 0x39803980, 0x00010001, 0x47804780,
    0x00003f49,
};
const struct assay_known_answer unary_known_abs_bf16[UNARY_KNOWN_COUNT] = {
    {.call = {.op = "Abs", .input = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 1, .shape = {41}, .stride = {1}}}, .output_count = 1}, .input = {dense_bf16}, .output = {abs_bf16_dense}},
    {.call = {.op = "Abs", .input = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {1, 3}}}, .input_count = 1, .output = {{.dtype = ASSAY_BF16, .rank = 2, .shape = {3, 7}, .stride = {7, 1}}}, .output_count = 1}, .input = {turned_bf16}, .output = {abs_bf16_turned}},
};
