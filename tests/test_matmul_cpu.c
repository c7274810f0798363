/* Matrix product: reading of calls, the CPU rows and their plans, the written known answers. The right bits come from
 * product.c's scalar loop; the known answers are compared with it and with the contract oracle too. */
#include "kernels/matmul/matmul.h"
#include "oracles/oracle.h"
#include "tests/product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading a call ---- */

#define SHAPE(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)

static struct assay_tensor dense(const int64_t *shape, size_t rank)
{
    struct assay_tensor tensor = {0};
    assay_tensor_dense(&tensor, ASSAY_F32, (uint32_t)rank, shape);
    return tensor;
}

static struct assay_call product_of(struct assay_tensor a, struct assay_tensor b, struct assay_tensor y)
{
    return (struct assay_call){
        .op = "MatMul", .input = {a, b}, .input_count = 2, .output = {y}, .output_count = 1};
}

static struct matmul_problem taken(struct assay_tensor a, struct assay_tensor b, struct assay_tensor y)
{
    struct assay_call call = product_of(a, b, y);
    struct matmul_problem problem;
    char why[160] = "";
    if (!matmul_problem_read(&call, &problem, why)) fail_msg("%s", why);
    return problem;
}

static void refused(const char *words, struct assay_tensor a, struct assay_tensor b, struct assay_tensor y)
{
    struct assay_call call = product_of(a, b, y);
    struct matmul_problem problem;
    char why[160] = "";
    assert_false(matmul_problem_read(&call, &problem, why));
    if (!strstr(why, words)) fail_msg("'%s' does not say '%s'", why, words);
}

static void test_batches_taken(void **state)
{
    (void)state;
    /* Row K15: only A, equal on both, only B. */
    struct matmul_problem p = taken(dense(SHAPE(4, 2, 3)), dense(SHAPE(3, 5)), dense(SHAPE(4, 2, 5)));
    assert_int_equal(p.batch, 4);
    assert_int_equal(p.a_batch, 6);
    assert_int_equal(p.b_batch, 0);
    assert_int_equal(p.y_batch, 10);
    p = taken(dense(SHAPE(4, 2, 3)), dense(SHAPE(4, 3, 5)), dense(SHAPE(4, 2, 5)));
    assert_int_equal(p.b_batch, 15);
    p = taken(dense(SHAPE(2, 3)), dense(SHAPE(4, 3, 5)), dense(SHAPE(4, 2, 5)));
    assert_int_equal(p.a_batch, 0);
    assert_int_equal(p.batch, 4);

    /* Several dimensions flatten; ones are nothing. */
    p = taken(dense(SHAPE(2, 3, 4, 5)), dense(SHAPE(2, 3, 5, 6)), dense(SHAPE(2, 3, 4, 6)));
    assert_int_equal(p.batch, 6);
    p = taken(dense(SHAPE(1, 7, 4, 5)), dense(SHAPE(7, 5, 6)), dense(SHAPE(1, 7, 4, 6)));
    assert_int_equal(p.batch, 7);
    p = taken(dense(SHAPE(2, 1, 3, 4, 5)), dense(SHAPE(1, 1, 5, 6)), dense(SHAPE(2, 1, 3, 4, 6)));
    assert_int_equal(p.batch, 6);
    assert_int_equal(p.b_batch, 0);

    /* A stride of 0 is a broadcast. */
    struct assay_tensor wide = dense(SHAPE(4, 2, 3));
    wide.stride[0] = 0;
    p = taken(wide, dense(SHAPE(4, 3, 5)), dense(SHAPE(4, 2, 5)));
    assert_int_equal(p.a_batch, 0);

    refused("broadcast", dense(SHAPE(4, 1, 2, 3)), dense(SHAPE(1, 4, 3, 5)), dense(SHAPE(4, 4, 2, 5)));
    refused("broadcast", dense(SHAPE(2, 4, 2, 3)), dense(SHAPE(4, 3, 5)), dense(SHAPE(2, 4, 2, 5)));
    refused("batch dimension 0", dense(SHAPE(4, 2, 3)), dense(SHAPE(5, 3, 5)), dense(SHAPE(4, 2, 5)));
    struct assay_tensor holes = dense(SHAPE(2, 3, 4, 5));
    holes.stride[0] += 1;
    refused("do not flatten", holes, dense(SHAPE(2, 3, 5, 6)), dense(SHAPE(2, 3, 4, 6)));
}

static void test_vectors(void **state)
{
    (void)state;
    struct matmul_problem p = taken(dense(SHAPE(3)), dense(SHAPE(3)), dense(NULL, 0));
    assert_int_equal(p.m * p.n * p.batch, 1);
    assert_int_equal(p.k, 3);
    p = taken(dense(SHAPE(3)), dense(SHAPE(3, 5)), dense(SHAPE(5)));
    assert_int_equal(p.m, 1);
    assert_int_equal(p.n, 5);
    assert_int_equal(p.y_col, 1);
    p = taken(dense(SHAPE(4, 2, 3)), dense(SHAPE(3)), dense(SHAPE(4, 2)));
    assert_int_equal(p.batch, 4);
    assert_int_equal(p.m, 2);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.y_row, 1);
    assert_int_equal(p.y_batch, 2);
    p = taken(dense(SHAPE(3)), dense(SHAPE(4, 3, 5)), dense(SHAPE(4, 5)));
    assert_int_equal(p.batch, 4);
    assert_int_equal(p.y_batch, 5);
}

static void test_refused(void **state)
{
    (void)state;
    refused("A's K is 3, B's is 4", dense(SHAPE(2, 3)), dense(SHAPE(4, 5)), dense(SHAPE(2, 5)));
    refused("the product is 2 x 5", dense(SHAPE(2, 3)), dense(SHAPE(3, 5)), dense(SHAPE(2, 6)));
    refused("dimensions", dense(SHAPE(2, 3)), dense(SHAPE(3, 5)), dense(SHAPE(1, 2, 5)));
    refused("scalar", dense(NULL, 0), dense(SHAPE(3, 5)), dense(SHAPE(5)));
    struct assay_tensor half = dense(SHAPE(2, 3));
    half.dtype = ASSAY_F16;
    refused("A is f16", half, dense(SHAPE(3, 5)), dense(SHAPE(2, 5)));
    struct assay_tensor folded = dense(SHAPE(2, 5));
    folded.stride[0] = 0;
    refused("share one place", dense(SHAPE(2, 3)), dense(SHAPE(3, 5)), folded);
    folded.stride[0] = 4; /* the last column of a row is the first of the next */
    refused("share one place", dense(SHAPE(2, 3)), dense(SHAPE(3, 5)), folded);
    folded.stride[0] = 1;
    folded.stride[1] = 2;
    taken(dense(SHAPE(2, 3)), dense(SHAPE(3, 5)), folded); /* transposed */
}

static void test_arguments(void **state)
{
    (void)state;
    struct assay_tensor a = dense(SHAPE(2, 3)), b = dense(SHAPE(3, 5)), y = dense(SHAPE(2, 5));
    a.offset = 130;
    struct assay_call call = product_of(a, b, y);
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step step = {0};
    char why[160] = "";
    assert_true(matmul_problem_read(&call, &problem, why));
    assert_true(matmul_push_fill(&problem, &push, &step, why));
    assert_int_equal(sizeof push, 76);
    assert_int_equal(step.bind[0].offset_bytes, 512);
    assert_int_equal(push.a_offset, 2);
    assert_int_equal(step.bind[0].bytes, 4 * (2 + 6));
    assert_int_equal(step.bind[2].role, ASSAY_ROLE_OUTPUT);
    assert_int_equal(push.b_row, 5);

    const struct assay_device_info small = {.limits = {.binding_bytes = 59}};
    assert_false(matmul_bindings_fit(&small, &step, why));
    assert_non_null(strstr(why, "B takes a binding of 60 bytes, the storage-binding limit is 59"));

    call.input[0].stride[0] = (int64_t)1 << 32;
    assert_true(matmul_problem_read(&call, &problem, why));
    assert_false(matmul_push_fill(&problem, &push, &step, why));
    assert_non_null(strstr(why, "A spans 4294967299 elements"));
    call.input[0].stride[0] = INT64_MAX;
    assert_true(matmul_problem_read(&call, &problem, why));
    assert_false(matmul_push_fill(&problem, &push, &step, why));
}

/* ---- the rows ---- */

static struct assay_engine *open_cpu(bool no_simd, uint32_t threads, enum assay_variant variant)
{
    const struct assay_driver_params driver = {.no_cpu_simd = no_simd, .cpu_threads = threads};
    const struct assay_open_params params = {.device = "cpu", .driver = &driver, .variant = variant};
    struct assay_engine *engine = NULL;
    OK(assay_open(&params, &engine, &error));
    return engine;
}

static const char *const techniques[] = {"avx512", "avx2", "plain"};

/* Every combination of packed, local and in-place operands: blocks of a few rows or columns, tails of tiles. */
static void test_plans(void **state)
{
    (void)state;
    static const int64_t rows[] = {1, 5, 14, 15, 28, 29, 72, 73, 84, 85, 170};
    static const int64_t cols[] = {1, 16, 33, 128, 129, 300};
    struct assay_engine *engine = open_cpu(false, 2, ASSAY_VARIANT_AUTO);
    int ran = 0;
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            for (size_t j = 0; j < sizeof cols / sizeof *cols; j++) {
                struct assay_error error = {0};
                struct product product = {
                    .m = rows[i], .n = cols[j], .k = 3 + (int64_t)((i + 5 * j) % 4) * 89};
                product.b_turned = (i + j) % 3 == 1;
                product.a_turned = (i + j) % 3 == 2;
                product.pad = (int64_t)(i % 3);
                ran += product_run(engine, &product, techniques[t], NULL, &error) == ASSAY_OK;
            }
    /* Nothing to run on a processor without AVX2, and then the reason is that. */
    const uint32_t simd = assay_engine_device(engine)->simd;
    assert_int_equal(ran, 66 * (!!(simd & ASSAY_SIMD_AVX2) + !!(simd & ASSAY_SIMD_AVX512)));
    assay_close(engine);
}

/* K through several blocks of 256, in every row. */
static void test_long_sums(void **state)
{
    (void)state;
    struct assay_engine *engine = open_cpu(false, 1, ASSAY_VARIANT_AUTO);
    static const int64_t lengths[] = {1, 31, 32, 33, 127, 128, 129, 255, 256, 257, 4096, 4097};
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            struct assay_error error = {0};
            struct product product = {
                .m = 3, .n = 35, .k = lengths[i], .fill = i % 2 ? FILL_WIDE : FILL_TINY};
            (void)product_run(engine, &product, techniques[t], NULL, &error);
        }
    assay_close(engine);
}

static void test_threads(void **state)
{
    (void)state;
    uint64_t digest[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct assay_error error = {0};
        struct assay_engine *engine = open_cpu(false, i ? 7 : 1, ASSAY_VARIANT_AUTO);
        struct product product = {.m = 200, .n = 300, .k = 150, .fill = FILL_WIDE};
        assert_int_equal(product_run(engine, &product, NULL, &digest[i], &error), ASSAY_OK);
        assay_close(engine);
    }
    assert_int_equal(digest[0], digest[1]);
}

static void test_hidden_simd(void **state)
{
    (void)state;
    struct assay_engine *engine = open_cpu(true, 1, ASSAY_VARIANT_AUTO);
    struct product product = {.m = 20, .n = 70, .k = 140};
    for (int t = 0; t < 2; t++) {
        struct assay_error error = {0};
        assert_int_equal(product_run(engine, &product, techniques[t], NULL, &error), ASSAY_UNSUPPORTED);
        assert_non_null(strstr(error.text, "lacks (or is told to hide)"));
    }
    struct assay_error error = {0};
    assert_int_equal(product_run(engine, &product, NULL, NULL, &error), ASSAY_OK);
    assay_close(engine);
}

/* ---- the known answers ---- */

static uint32_t canonical(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits;
}

static void test_known(void **state)
{
    (void)state;
    const struct op *op = op_find("matmul");
    assert_non_null(op);
    size_t subnormal = 0, infinite = 0, nan = 0;
    for (size_t i = 0; i < MATMUL_KNOWN_COUNT; i++) {
        const struct assay_known_answer *known = &matmul_known[i];
        int64_t m = known->call.output[0].shape[0], n = known->call.output[0].shape[1];
        int64_t k = known->call.input[0].shape[1];
        struct op_case c = {.op = op, .dtype = {ASSAY_F32}, .dtype_count = 1};
        for (size_t a = 0; a < op->axis_count; a++) {
            const char *name = op->axes[a].name;
            c.axis[a] = strcmp(name, "m") == 0   ? m
                        : strcmp(name, "n") == 0 ? n
                        : strcmp(name, "k") == 0 ? k
                                                 : op->axes[a].standard;
            c.of[a] = c.axis[a];
        }
        struct assay_tensor in[2] = {known->call.input[0], known->call.input[1]}, out = known->call.output[0];
        uint32_t *bits = malloc((size_t)(m * n) * 4);
        in[0].data = (void *)(uintptr_t)known->input[0];
        in[1].data = (void *)(uintptr_t)known->input[1];
        out.data = bits;
        memset(bits, 0xff, (size_t)(m * n) * 4);
        op->contract(&c, in, &out, 0, op->rows(&c));
        for (int64_t e = 0; e < m * n; e++) {
            uint32_t want = known->output[0][e], own;
            float value =
                product_element((const float *)in[0].data + e / n * in[0].stride[0], in[0].stride[1],
                                (const float *)in[1].data + e % n * in[1].stride[1], in[1].stride[0], k);
            memcpy(&own, &value, 4);
            assert_int_equal(canonical(own), canonical(want));
            assert_int_equal(canonical(bits[e]), canonical(want));
            assert_int_not_equal(want, 0x80000000u);
            subnormal += (want & 0x7f800000u) == 0 && (want & 0x7fffffu);
            infinite += (want & 0x7fffffffu) == 0x7f800000u;
            nan += (want & 0x7fffffffu) > 0x7f800000u;
        }
        free(bits);
    }
    assert_true(subnormal && infinite && nan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_taken), cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_plans),         cmocka_unit_test(test_long_sums),
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_hidden_simd),
        cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
