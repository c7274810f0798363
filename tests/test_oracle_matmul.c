/* The matrix product's definition and its exact bits, against a second evaluation by MPFR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "kernels/graph/onnx.h"
#include "tests/oracle_help.h"

static const enum matmul_path paths[] = {MATMUL_PATH_PLAIN, MATMUL_PATH_AVX2, MATMUL_PATH_AVX512,
                                         MATMUL_PATH_AUTO};
enum { PATHS = sizeof paths / sizeof paths[0] };

/* All ways of compiling the contract against MPFR, every element. */
static void check_against_mpfr(struct help_exact *x, int64_t m, int64_t n, int64_t k, enum help_kind a_kind,
                               enum help_kind b_kind, uint64_t seed)
{
    float *a = help_data(m * k, a_kind, seed), *b = help_data(k * n, b_kind, seed + 1);
    float *want = help_data(m * n, HELP_NORMAL, 0), *y = help_data(m * n, HELP_NORMAL, 0);
    const struct assay_tensor in[2] = {help_matrix(m, k, a), help_matrix(k, n, b)};
    struct assay_tensor out = help_matrix(m, n, y);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) want[i * n + j] = help_sum(x, a + i * k, 1, b + j, n, k);
    for (int p = 0; p < PATHS; ++p) {
        for (int64_t i = 0; i < m * n; ++i) y[i] = -1234.5f;
        if (!matmul_contract_by(paths[p], in, &out, 0, m)) continue;
        for (int64_t i = 0; i < m * n; ++i) {
            uint32_t bits;
            memcpy(&bits, &y[i], sizeof bits);
            if (bits != help_bits(want[i]))
                fail_msg("path %d, m=%d n=%d k=%d kinds %d %d: element %d is %08x, MPFR says %08x", p, (int)m,
                         (int)n, (int)k, a_kind, b_kind, (int)i, bits, help_bits(want[i]));
        }
    }
    free(a);
    free(b);
    free(want);
    free(y);
}

/* Row K17's depths, and one over and under the ends of chains and groups. */
static void depths(void **state)
{
    (void)state;
    static const int64_t k[] = {0,  1,   2,   31,  32,  33,  63,  64,  65,  96,
                                97, 127, 128, 129, 160, 255, 256, 257, 384, 385};
    struct help_exact x;
    help_open(&x);
    for (size_t i = 0; i < sizeof k / sizeof k[0]; ++i)
        for (int kind = 0; kind < HELP_KINDS; ++kind)
            check_against_mpfr(&x, 2, 5, k[i], (enum help_kind)kind, (enum help_kind)kind,
                               100 * i + (unsigned)kind);
    for (int kind = 0; kind < HELP_KINDS; ++kind) {
        check_against_mpfr(&x, 1, 2, 4096, (enum help_kind)kind, HELP_NORMAL, 7);
        check_against_mpfr(&x, 1, 2, 4097, HELP_NORMAL, (enum help_kind)kind, 8);
    }
    help_close(&x);
}

/* Around the widths of the panels and bands that contract.c works in. */
static void widths(void **state)
{
    (void)state;
    static const int64_t n[] = {1, 7, 15, 16, 17, 31, 33, 63, 64, 65, 80, 81, 127, 128, 129};
    struct help_exact x;
    help_open(&x);
    for (size_t i = 0; i < sizeof n / sizeof n[0]; ++i)
        check_against_mpfr(&x, 3, n[i], 41, HELP_HOSTILE, HELP_HOSTILE, 900 + i);
    check_against_mpfr(&x, 130, 3, 33, HELP_HOSTILE, HELP_NORMAL, 77);
    help_close(&x);
}

/* Facts of docs/exactness.md rule 2 that a wrong order or a wrong zero would break, as numbers that can be checked by hand. */
static void by_hand(void **state)
{
    (void)state;
    static float a[4097], b[4097];
    float y;
    const struct op_case c = help_case(1, 1, 0);
#define PRODUCT(depth)                                                                                       \
    do {                                                                                                     \
        const struct assay_tensor in[2] = {help_matrix(1, depth, a), help_matrix(depth, 1, b)};              \
        struct assay_tensor out = help_matrix(1, 1, &y);                                                     \
        y = -7;                                                                                              \
        c.op->contract(&c, in, &out, 0, 1);                                                                  \
    } while (0)

    PRODUCT(0); /* an empty sum is +0 */
    assert_int_equal(help_bits(y), 0);
    a[0] = -0x1p-100f; /* a chain that underflows to -0 is added to +0 */
    b[0] = 0x1p-100f;
    PRODUCT(1);
    assert_int_equal(help_bits(y), 0);
    a[0] = -0.0f;
    b[0] = 1;
    PRODUCT(1);
    assert_int_equal(help_bits(y), 0);

    /* Fused: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 and not 0. */
    a[0] = -(1 + 0x1p-11f);
    b[0] = 1;
    a[1] = b[1] = 1 + 0x1p-12f;
    PRODUCT(2);
    assert_true(y == 0x1p-24f);

    /* 2^24, then ones: lost one by one in the first chain, kept by the chains after it. */
    for (int i = 0; i < 4097; ++i) a[i] = b[i] = 1;
    a[0] = 0x1p24f;
    PRODUCT(32);
    assert_true(y == 0x1p24f);
    PRODUCT(64);
    assert_true(y == 0x1p24f + 32);
    PRODUCT(128); /* three chains of 32 added one after the other to 2^24 */
    assert_true(y == 0x1p24f + 96);
    PRODUCT(256); /* the second group is 128 */
    assert_true(y == 0x1p24f + 96 + 128);
    PRODUCT(33); /* a chain of one: 2^24 + 1 is a tie, to even */
    assert_true(y == 0x1p24f);

    /* mozilla-ai/llamafile#1004: 128 * 1 + 128 * 100. ROCm/rocm-libraries#8469: 256 + 256 ones. */
    for (int i = 0; i < 256; ++i) a[i] = i < 128 ? 1 : 100;
    PRODUCT(256);
    assert_true(y == 12928);
    for (int i = 0; i < 257; ++i) a[i] = i ? 1 : 256;
    PRODUCT(257);
    assert_true(y == 512);
    /* Overflow inside a chain stays, and meets its opposite as NaN; 0 still multiplies. */
    for (int i = 0; i < 64; ++i) a[i] = i < 32 ? 0x1p127f : -0x1p127f;
    PRODUCT(32);
    assert_int_equal(help_bits(y), 0x7f800000);
    PRODUCT(64);
    assert_int_equal(help_bits(y), 0x7fc00000);
    a[0] = 0;
    b[0] = INFINITY;
    PRODUCT(1);
    assert_int_equal(help_bits(y), 0x7fc00000);
#undef PRODUCT
}

struct split {
    const struct op_case *c;
    const struct assay_tensor *in;
    struct assay_tensor *out;
};

static void some_rows(void *context, int64_t i0, int64_t i1)
{
    struct split *s = context;
    s->c->op->contract(s->c, s->in, s->out, i0, i1);
}

/* Row O21: threads, ranges and ways of compiling give one digest. It is MPFR's, so builds by gcc and by clang agree. */
static void one_digest(void **state)
{
    (void)state;
    enum { M = 70, N = 83, K = 133 };
    struct help_exact x;
    float *a = help_data(M * K, HELP_HOSTILE, 5), *b = help_data(K * N, HELP_NORMAL, 6),
          *y = help_data(M * N, 0, 0);
    const struct assay_tensor in[2] = {help_matrix(M, K, a), help_matrix(K, N, b)};
    struct assay_tensor out = help_matrix(M, N, y);
    const struct op_case c = help_case(M, N, K);
    struct split split = {&c, in, &out};
    char want[33], digest[33];
    help_open(&x);
    for (int64_t i = 0; i < M; ++i)
        for (int64_t j = 0; j < N; ++j) y[i * N + j] = help_sum(&x, a + i * K, 1, b + j, N, K);
    oracle_digest(&out, want);
    help_close(&x);
    static const unsigned threads[] = {1, 2, 3, 4, 16};
    static const int64_t grains[] = {1, 7, 64, 1000};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; ++t) {
        struct oracle_pool *pool = oracle_pool_new(threads[t]);
        assert_non_null(pool);
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; ++g) {
            memset(y, 0x55, M * N * sizeof *y);
            oracle_pool_for(pool, M, grains[g], some_rows, &split);
            oracle_digest(&out, digest);
            assert_string_equal(digest, want);
        }
        oracle_pool_free(pool);
    }
    for (int p = 0; p < PATHS; ++p) {
        if (!matmul_contract_by(paths[p], in, &out, 0, M)) continue;
        oracle_digest(&out, digest);
        assert_string_equal(digest, want);
    }
    free(a);
    free(b);
    free(y);
}

/* Every layout that a case can ask for: same numbers, same bits, and nothing else in memory is touched. */
static void layouts(void **state)
{
    (void)state;
    enum { M = 5, N = 19, K = 37, B = 3 };
    struct help_exact x;
    help_open(&x);
    for (int layout = 0; layout < 3 * 16; ++layout) {
        struct op_case c = help_case(M, N, K);
        struct op_signature sig;
        struct assay_error error = {0};
        c.axis[MATMUL_B] = B;
        c.axis[MATMUL_IN] = layout % 3;
        c.axis[MATMUL_TA] = layout / 3 & 1;
        c.axis[MATMUL_TB] = layout / 6 & 1;
        if (layout / 12 & 1) {
            c.axis[MATMUL_PADA] = 3;
            c.axis[MATMUL_PADB] = 1;
            c.axis[MATMUL_PADY] = 5;
        }
        if (layout / 24 & 1) {
            c.axis[MATMUL_OFFA] = 1;
            c.axis[MATMUL_OFFB] = 2;
            c.axis[MATMUL_OFFY] = 9;
        }
        memcpy(c.of, c.axis, sizeof c.of);
        assert_int_equal(c.op->signature(&c, &sig, &error), ASSAY_OK);
        assert_int_equal(c.op->rows(&c), B * M);
        struct assay_tensor in[2] = {sig.input[0].tensor, sig.input[1].tensor}, out = sig.output[0].tensor;
        float *a = help_data((int64_t)in[0].bytes / 4, HELP_HOSTILE, 1),
              *b = help_data((int64_t)in[1].bytes / 4, 0, 2);
        float *y = help_data((int64_t)out.bytes / 4, HELP_NORMAL, 3);
        for (size_t i = 0; i < out.bytes / 4; ++i) y[i] = -1234.5f;
        in[0].data = a;
        in[1].data = b;
        out.data = y;
        assert_int_equal(assay_tensor_check(&in[0], "A", &error), ASSAY_OK);
        assert_int_equal(assay_tensor_check(&in[1], "B", &error), ASSAY_OK);
        assert_int_equal(assay_tensor_check(&out, "Y", &error), ASSAY_OK);
        c.op->contract(&c, in, &out, 0, 7);
        c.op->contract(&c, in, &out, 7, B * M);
        int64_t written = 0;
        for (size_t i = 0; i < out.bytes / 4; ++i) written += y[i] != -1234.5f;
        assert_int_equal(written, B * M * N);
        const struct assay_tensor *A = &in[0], *W = &in[1];
        for (int64_t i = 0; i < B; ++i)
            for (int64_t r = 0; r < M; r += 2)
                for (int64_t j = 0; j < N; j += 9) {
                    const int64_t ab = A->rank == 3 ? i * A->stride[0] : 0,
                                  bb = W->rank == 3 ? i * W->stride[0] : 0;
                    const float want =
                        help_sum(&x, a + A->offset + ab + r * A->stride[A->rank - 2], A->stride[A->rank - 1],
                                 b + W->offset + bb + j * W->stride[W->rank - 1], W->stride[W->rank - 2], K);
                    assert_int_equal(help_bits(y[out.offset + i * out.stride[0] + r * out.stride[1] + j]),
                                     help_bits(want));
                }
        free(a);
        free(b);
        free(y);
    }
    help_close(&x);
}

static void signatures(void **state)
{
    (void)state;
    struct op_signature sig;
    struct assay_error error = {0};
    struct op_case c = help_case(33, 7, 4096);
    assert_int_equal(c.op->signature(&c, &sig, &error), ASSAY_OK);
    assert_string_equal(sig.onnx, "MatMul");
    assert_int_equal(sig.input[0].tensor.rank, 2);
    assert_int_equal(sig.input[0].reduced, 1);
    assert_int_equal(sig.input[1].reduced, 0);
    assert_int_equal(sig.output[0].reduced, -1);
    assert_int_equal(sig.input[1].axis_of[0], MATMUL_K);
    assert_int_equal(sig.input[1].tensor.bytes, 4096 * 7 * 4);
    assert_true(c.op->flops(&c) == 2.0 * 33 * 7 * 4096);
    int64_t first;
    assert_int_equal(c.op->row_elems(&c, 4, &first), 7);
    assert_int_equal(first, 28);

    /* A window of a batched case has its parent's rank. */
    c.of[MATMUL_B] = 4;
    assert_int_equal(c.op->signature(&c, &sig, &error), ASSAY_OK);
    assert_int_equal(sig.input[0].tensor.rank, 3);
    assert_int_equal(sig.input[0].reduced, 2);
    c = help_case(33, 7, 4096);
    c.axis[MATMUL_IN] = MATMUL_IN_B;
    assert_int_equal(c.op->signature(&c, &sig, &error), ASSAY_OK);
    assert_int_equal(sig.input[0].tensor.rank, 2);
    assert_int_equal(sig.input[1].tensor.rank, 3);
    assert_int_equal(sig.output[0].tensor.rank, 3);

    for (int axis = 0; axis < MATMUL_AXES; ++axis) {
        c = help_case(2, 2, 2);
        c.axis[axis] = c.op->axes[axis].most + 1;
        assert_int_equal(c.op->signature(&c, &sig, &error), ASSAY_INVALID_INPUT);
        assert_non_null(strstr(error.text, c.op->axes[axis].name));
    }
    c = help_case(INT64_C(1) << 24, 2, INT64_C(1) << 24);
    assert_int_equal(c.op->signature(&c, &sig, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "A has more than"));

    /* Nothing to do is legal. */
    c = help_case(0, 5, 5);
    assert_int_equal(c.op->signature(&c, &sig, &error), ASSAY_OK);
    assert_int_equal(c.op->rows(&c), 0);
    c = help_case(5, 0, 5);
    assert_int_equal(c.op->rows(&c), 0);
    assert_int_equal(assay_tensor_elems(&sig.output[0].tensor), 0);
}

/* ONNX's own tests of MatMul, through the case that their node is. */
static void nodes(void **state)
{
    (void)state;
    static const char *const names[] = {"test_matmul_2d", "test_matmul_3d", "test_matmul_4d"};
    static const int64_t rows[] = {3, 6, 6};
    for (size_t i = 0; i < 3; ++i) {
        char folder[200];
        snprintf(folder, sizeof folder, "/usr/share/libonnx-testdata/data/node/%s", names[i]);
        struct onnx_node_test test;
        struct assay_error error = {0};
        struct op_case c;
        assert_int_equal(onnx_node_test_load(folder, 0, &test, &error), ASSAY_OK);
        assert_int_equal(op_case_from_node(test.node->op, test.attr, test.attr_count, test.input,
                                           test.input_count, test.output, test.output_count, &c, &error),
                         ASSAY_OK);
        assert_int_equal(c.op->rows(&c), rows[i]);
        const int64_t elems = assay_tensor_elems(&test.output[0]);
        float *y = help_data(elems, HELP_NORMAL, 1);
        double *value = calloc((size_t)elems, sizeof *value),
               *magnitude = calloc((size_t)elems, sizeof *value);
        struct assay_tensor out = test.output[0];
        out.data = y;
        c.op->contract(&c, test.input, &out, 0, rows[i]);
        assert_int_equal(c.op->f64(&c, test.input, true, value, NULL, magnitude, 0, rows[i], &error),
                         ASSAY_OK);
        for (int64_t e = 0; e < elems; ++e) {
            assert_true(fabs(y[e] - value[e]) <= c.op->contract_bound(&c, magnitude[e]));
            assert_true(fabs(((float *)test.output[0].data)[e] - value[e]) <= 4 * 0x1p-24 * magnitude[e]);
        }
        struct accuracy published;
        oracle_accuracy(&c, &test.output[0], value, NULL, 0, rows[i], &published);
        assert_int_equal(published.elems, elems);
        assert_true(published.scaled < 1e-6);
        free(y);
        free(value);
        free(magnitude);
        onnx_node_test_free(&test);
    }
}

/* Shapes that only a node can have: broadcast batches and vectors. */
static void broadcasts(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct op_case c;
    struct help_exact x;
    help_open(&x);
    float *a = help_data(4 * 1 * 3 * 5, HELP_NORMAL, 1), *b = help_data(2 * 5 * 6, HELP_NORMAL, 2),
          y[4 * 2 * 3 * 6];
    struct assay_tensor in[2] = {{0}, {0}}, out = {0};
    assay_tensor_dense(&in[0], ASSAY_F32, 4, (int64_t[]){4, 1, 3, 5});
    assay_tensor_dense(&in[1], ASSAY_F32, 3, (int64_t[]){2, 5, 6});
    assay_tensor_dense(&out, ASSAY_F32, 4, (int64_t[]){4, 2, 3, 6});
    in[0].data = a;
    in[1].data = b;
    out.data = y;
    in[0].bytes = 240;
    in[1].bytes = 240;
    out.bytes = sizeof y;
    if (op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error)) fail_msg("%s", error.text);
    assert_int_equal(c.op->rows(&c), 24);
    c.op->contract(&c, in, &out, 0, 24);
    for (int i = 0; i < 4; ++i)
        for (int h = 0; h < 2; ++h)
            assert_int_equal(help_bits(y[((i * 2 + h) * 3 + 1) * 6 + 4]),
                             help_bits(help_sum(&x, a + i * 15 + 5, 1, b + h * 30 + 4, 6, 5)));

    /* A vector on the right, one on the left, both. */
    assay_tensor_dense(&in[1], ASSAY_F32, 1, (int64_t[]){5});
    assay_tensor_dense(&out, ASSAY_F32, 3, (int64_t[]){4, 1, 3});
    assert_int_equal(op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_OK);
    c.op->contract(&c, in, &out, 0, c.op->rows(&c));
    assert_int_equal(help_bits(y[7]), help_bits(help_sum(&x, a + 35, 1, b, 1, 5)));
    assay_tensor_dense(&in[0], ASSAY_F32, 1, (int64_t[]){5});
    assay_tensor_dense(&out, ASSAY_F32, 0, NULL);
    assert_int_equal(op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_OK);
    c.op->contract(&c, in, &out, 0, c.op->rows(&c));
    assert_int_equal(help_bits(y[0]), help_bits(help_sum(&x, a, 1, b, 1, 5)));
    assay_tensor_dense(&in[1], ASSAY_F32, 3, (int64_t[]){2, 5, 6});
    assay_tensor_dense(&out, ASSAY_F32, 2, (int64_t[]){2, 6});
    assert_int_equal(op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_OK);
    c.op->contract(&c, in, &out, 0, c.op->rows(&c));
    assert_int_equal(help_bits(y[8]), help_bits(help_sum(&x, a, 1, b + 30 + 2, 6, 5)));

    /* What does not fit is refused, with the reason. */
    assay_tensor_dense(&in[0], ASSAY_F32, 2, (int64_t[]){3, 4});
    assert_int_equal(op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "4 columns but B has 5 rows"));
    assay_tensor_dense(&in[0], ASSAY_F32, 3, (int64_t[]){3, 1, 5});
    assert_int_equal(op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "batch dimension 0 is 3 in A and 2 in B"));
    assay_tensor_dense(&in[0], ASSAY_F32, 2, (int64_t[]){3, 5});
    assert_int_equal(op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "shape"));
    in[0].dtype = ASSAY_I32;
    assert_int_equal(op_case_from_node("MatMul", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_UNSUPPORTED);
    assert_int_equal(op_case_from_node("Conv", NULL, 0, in, 2, &out, 1, &c, &error), ASSAY_UNSUPPORTED);
    free(a);
    free(b);
    help_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths),     cmocka_unit_test(widths),     cmocka_unit_test(by_hand),
        cmocka_unit_test(one_digest), cmocka_unit_test(layouts),    cmocka_unit_test(signatures),
        cmocka_unit_test(nodes),      cmocka_unit_test(broadcasts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
