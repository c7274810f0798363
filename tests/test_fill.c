/* Fills: the bits that the definition in fill.c gives (computed by another implementation of it), and what each fill
 * promises of its values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/fill.h"

/* A case and its two filled inputs. */
struct filled {
    struct case_spec spec;
    struct op_signature sig;
    struct assay_tensor in[2];
};

static void fill_case(const char *line, struct oracle_pool *pool, struct filled *f)
{
    struct assay_error error = {0};
    if (case_parse(line, &f->spec, &error)) fail_msg("%s: %s", line, error.text);
    f->sig = (struct op_signature){0};
    assert_int_equal(f->spec.op.op->signature(&f->spec.op, &f->sig, &error), ASSAY_OK);
    for (int i = 0; i < 2; i++) {
        f->in[i] = f->sig.input[i].tensor;
        f->in[i].data = malloc(f->in[i].bytes + 1);
        memset(f->in[i].data, 0xa5, f->in[i].bytes + 1);
        if (fill_tensor(&f->spec, &f->sig, i, &f->in[i], pool, &error)) fail_msg("%s: %s", line, error.text);
    }
}

static void fill_done(struct filled *f)
{
    free(f->in[0].data);
    free(f->in[1].data);
}

static uint32_t word_at(const struct assay_tensor *t, int64_t i, int64_t j, int64_t k)
{
    int64_t index[3] = {i, j, k}, at = t->offset;
    for (uint32_t d = 0; d < t->rank; d++) at += index[d + 3 - t->rank] * t->stride[d];
    return ((const uint32_t *)t->data)[at];
}

static float value_at(const struct assay_tensor *t, int64_t i, int64_t j, int64_t k)
{
    uint32_t word = word_at(t, i, j, k);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Every element of matmul/f32/m=17,n=19,k=67,b=2 with seed 1f, joined by mix(sum + word), from a separate
 * implementation of the definition. */
static const struct golden_fill {
    const char *name;
    uint64_t a, b;
} golden[] = {
    {"ones", 0x4d189db5a966d9b2u, 0xc8f35817f2e4dc1au},
    {"rows", 0x305c24265dca7389u, 0xc8f35817f2e4dc1au},
    {"integer", 0xa00a95a5a12ebe39u, 0x425e800f77529012u},
    {"onehot", 0xd95eee559018ffc0u, 0x76296589f4e98b41u},
    {"permutation", 0xafefac547d2305bdu, 0x391b273fd6c3e33cu},
    {"normal", 0xd0ec6d33269e2391u, 0x5734d791cb5f8790u},
    {"uniform", 0x43701c255d083d01u, 0xae85d6391e91d047u},
    {"wide", 0x9ec830640eb147c9u, 0xb592662fea17c195u},
    {"cancel", 0x93c6e5a2376b5f53u, 0x76e302c1d3401badu},
    {"ties", 0x325a1a608c56f6f1u, 0xd1581646bc6675e3u},
    {"subnormal", 0x977d9260d6e57002u, 0xb3b1affd09992ea5u},
    {"special", 0x176105161d6a936fu, 0x263ed30eedc5e13cu},
    {"layer", 0xb24e46dcf14aac22u, 0x4f7fff8f344d2f25u},
    {"codes", 0xc6292145fe496dc6u, 0xbb989b841a020b41u},
    {"place", 0xa329ad4c50468c2cu, 0xdb178362dee797efu},
    {"bits", 0x9fda4dac5045ee83u, 0xc86100e705ed0999u},
    {"hard", 0xaeafe9182cb7632eu, 0x50594dbcb97962aau},
    {"edges", 0x8047b03e656bb3eau, 0x35ca04f549a2eb00u},
    {"tiny", 0x9e42fa66486245f9u, 0x0ce5a1d2086011b8u},
};

static uint64_t digest(const struct assay_tensor *t)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < t->shape[0]; i++)
        for (int64_t j = 0; j < t->shape[1]; j++)
            for (int64_t k = 0; k < t->shape[2]; k++) sum = mix(sum + word_at(t, i, j, k));
    return sum;
}

static void test_golden(void **state)
{
    (void)state;
    char line[CASE_LINE_MAX];
    assert_int_equal(sizeof golden / sizeof *golden, fill_count);
    for (size_t i = 0; i < fill_count; i++) {
        struct filled f;
        assert_string_equal(golden[i].name, fill_table[i].name);
        /* Layout changes no element. */
        for (int layout = 0; layout < 2; layout++) {
            snprintf(line, sizeof line, "matmul/f32/m=17,n=19,k=67,b=2%s/fill=%s/seed=1f",
                     layout ? ",ta=1,tb=1,pada=3,padb=5,offa=1,offb=2" : "", golden[i].name);
            fill_case(line, NULL, &f);
            if (digest(&f.in[0]) != golden[i].a || digest(&f.in[1]) != golden[i].b)
                fail_msg("%s: other bits than the definition's", line);
            fill_done(&f);
        }
    }
}

static void test_element_function(void **state)
{
    (void)state;
    char line[CASE_LINE_MAX];
    for (size_t i = 0; i < fill_count; i++) {
        struct filled f;
        snprintf(line, sizeof line, "matmul/f32/m=5,n=6,k=40,b=2/of=9x8x70x3,at=2x1x30x1/fill=%s/seed=7",
                 fill_table[i].name);
        fill_case(line, NULL, &f);
        const int64_t a_shape[3] = {3, 9, 70}, b_shape[3] = {3, 70, 8};
        for (int64_t b = 0; b < 2; b++)
            for (int64_t k = 0; k < 40; k++) {
                for (int64_t m = 0; m < 5; m++) {
                    const int64_t index[3] = {b + 1, m + 2, k + 30};
                    assert_int_equal(word_at(&f.in[0], b, m, k),
                                     fill_table[i].bits(7, 0, &f.sig.input[0], index, a_shape));
                }
                for (int64_t n = 0; n < 6; n++) {
                    const int64_t index[3] = {b + 1, k + 30, n + 1};
                    assert_int_equal(word_at(&f.in[1], b, k, n),
                                     fill_table[i].bits(7, 1, &f.sig.input[1], index, b_shape));
                }
            }
        fill_done(&f);
    }
}

/* A window holds the parent's elements. */
static void test_window(void **state)
{
    (void)state;
    struct filled parent, window;
    for (size_t i = 0; i < fill_count; i++) {
        char line[CASE_LINE_MAX];
        snprintf(line, sizeof line, "matmul/f32/m=33,n=7,k=300/fill=%s/seed=1f", fill_table[i].name);
        fill_case(line, NULL, &parent);
        snprintf(line, sizeof line, "matmul/f32/m=2,n=3,k=33/of=33x7x300,at=4x1x64/fill=%s/seed=1f",
                 fill_table[i].name);
        fill_case(line, NULL, &window);
        for (int64_t k = 0; k < 33; k++) {
            for (int64_t m = 0; m < 2; m++)
                assert_int_equal(word_at(&window.in[0], 0, m, k), word_at(&parent.in[0], 0, m + 4, k + 64));
            for (int64_t n = 0; n < 3; n++)
                assert_int_equal(word_at(&window.in[1], 0, k, n), word_at(&parent.in[1], 0, k + 64, n + 1));
        }
        fill_done(&parent);
        fill_done(&window);
    }
}

static void test_threads_and_padding(void **state)
{
    (void)state;
    struct oracle_pool *pool = oracle_pool_new(4);
    assert_non_null(pool);
    for (size_t i = 0; i < fill_count; i++) {
        char line[CASE_LINE_MAX];
        struct filled one, many;
        snprintf(line, sizeof line, "matmul/f32/m=301,n=257,k=129,pada=3,padb=2,offa=5/fill=%s/seed=3",
                 fill_table[i].name);
        fill_case(line, NULL, &one);
        fill_case(line, pool, &many);
        /* Gaps keep what was there: 0xa5 in both. */
        for (int t = 0; t < 2; t++) assert_memory_equal(one.in[t].data, many.in[t].data, one.in[t].bytes + 1);
        assert_int_equal(((uint32_t *)one.in[0].data)[4], 0xa5a5a5a5u);
        assert_int_equal(((uint32_t *)one.in[0].data)[5 + 129], 0xa5a5a5a5u);
        assert_int_equal(((uint8_t *)one.in[0].data)[one.in[0].bytes], 0xa5);
        fill_done(&one);
        fill_done(&many);
    }
    oracle_pool_free(pool);
}

/* ---- other element types ---- */

/* Elements of add/DTYPE/n=4096 with this fill, as the format's bits. */
static void other_elements(const char *dtype, const char *fill, uint64_t *bits)
{
    char line[CASE_LINE_MAX];
    struct filled f;
    snprintf(line, sizeof line, "%s/%s/n=4096/fill=%s/seed=9", strcmp(dtype, "bool") ? "add" : "and", dtype,
             fill);
    fill_case(line, NULL, &f);
    const size_t size = assay_dtype_bytes(f.in[0].dtype);
    for (int i = 0; i < 4096; i++) {
        bits[i] = 0;
        memcpy(&bits[i], (const uint8_t *)f.in[0].data + (size_t)i * size, size);
    }
    fill_done(&f);
}

static bool has(const uint64_t *bits, uint64_t wanted)
{
    for (int i = 0; i < 4096; i++)
        if (bits[i] == wanted) return true;
    return false;
}

/* Limits of integers are there, small integers are small, halves are the rounded words. */
static void test_other_types(void **state)
{
    (void)state;
    static uint64_t bits[4096], words[4096];
    other_elements("i32", "edges", bits);
    assert_true(has(bits, 0x80000000u) && has(bits, 0x7fffffffu) && has(bits, 0xffffffffu) && has(bits, 0));
    other_elements("i64", "edges", bits);
    assert_true(has(bits, UINT64_C(1) << 63) && has(bits, UINT64_MAX >> 1) && has(bits, UINT64_C(1) << 32));
    other_elements("u8", "edges", bits);
    assert_true(has(bits, 0) && has(bits, 255) && has(bits, 254) && has(bits, 16));
    other_elements("i32", "integer", bits);
    for (int i = 0; i < 4096; i++) assert_in_range((int32_t)bits[i] + 100, 0, 200);
    other_elements("i64", "normal", bits);
    uint64_t sizes = 0;
    for (int i = 0; i < 4096; i++) {
        const int64_t value = (int64_t)bits[i];
        if (value > 0) sizes |= UINT64_C(1) << (63 - __builtin_clzll((uint64_t)value));
    }
    assert_int_equal(sizes, UINT64_MAX >> 1); /* every size */
    other_elements("bool", "bits", bits);
    int set = 0;
    for (int i = 0; i < 4096; i++) {
        assert_in_range(bits[i], 0, 1);
        set += (int)bits[i];
    }
    assert_in_range(set, 1800, 2300);
    other_elements("f32", "edges", words);
    other_elements("bf16", "edges", bits);
    for (int i = 0; i < 4096; i++)
        if (!(words[i] & 0xffff))
            assert_int_equal(bits[i], (words[i] & 0x7fffffff) > 0x7f800000 ? 0x7fc0 : words[i] >> 16);
    other_elements("f16", "edges", bits);
    for (int i = 0; i < 4096; i++) {
        if (words[i] == 0x3f800000) assert_int_equal(bits[i], 0x3c00);
        if (words[i] == 0x477fe000) assert_int_equal(bits[i], 0x7bff);
        if (words[i] == 0x477ff000) assert_int_equal(bits[i], 0x7c00); /* halfway to what f16 cannot hold */
        if (words[i] == 0x33800000) assert_int_equal(bits[i], 1);
        if (words[i] == 0x80000001) assert_int_equal(bits[i], 0x8000);
    }
}

/* ---- what the fills promise ---- */

static void test_exact_sums(void **state)
{
    (void)state;
    static const int depths[] = {1, 33, 256, 16384};
    for (size_t i = 0; i < fill_count; i++)
        for (size_t d = 0; d < 4 && fill_table[i].exact_sums; d++) {
            char line[CASE_LINE_MAX];
            struct filled f;
            snprintf(line, sizeof line, "matmul/f32/m=3,n=3,k=%d/fill=%s/seed=5", depths[d],
                     fill_table[i].name);
            fill_case(line, NULL, &f);
            for (int64_t m = 0; m < 3; m++)
                for (int64_t n = 0; n < 3; n++) {
                    float up = 0, down = 0;
                    double exact = 0;
                    for (int64_t k = 0; k < depths[d]; k++) {
                        double term = (double)value_at(&f.in[0], 0, m, k) * value_at(&f.in[1], 0, k, n);
                        exact += term;
                        up += (float)term;
                    }
                    for (int64_t k = depths[d]; k-- > 0;)
                        down += value_at(&f.in[0], 0, m, k) * value_at(&f.in[1], 0, k, n);
                    assert_true((double)up == exact && (double)down == exact);
                }
            fill_done(&f);
        }
}

static void test_pickers(void **state)
{
    (void)state;
    struct filled f;
    static const char *const names[] = {"onehot", "permutation"};
    for (int i = 0; i < 2; i++) {
        char line[CASE_LINE_MAX];
        bool row_hit[67] = {false};
        snprintf(line, sizeof line, "matmul/f32/m=2,n=67,k=67/fill=%s/seed=2", names[i]);
        fill_case(line, NULL, &f);
        for (int64_t n = 0; n < 67; n++) {
            int ones = 0;
            for (int64_t k = 0; k < 67; k++) {
                uint32_t word = word_at(&f.in[1], 0, k, n);
                assert_true(word == 0 || word == 0x3f800000u);
                ones += word != 0;
                if (word) row_hit[k] = true;
            }
            assert_int_equal(ones, 1);
        }
        /* A permutation reaches every row; A's elements all differ. */
        for (int64_t k = 0; i == 1 && k < 67; k++) assert_true(row_hit[k]);
        for (int64_t k = 0; i == 1 && k < 67; k++) assert_true(value_at(&f.in[0], 0, 1, k) == 68 + k);
        fill_done(&f);
    }
}

static void test_moments(void **state)
{
    (void)state;
    struct filled f;
    fill_case("matmul/f32/m=500,n=1,k=400/fill=normal/seed=1", NULL, &f);
    double sum = 0, square = 0, largest = 0;
    for (int64_t m = 0; m < 500; m++)
        for (int64_t k = 0; k < 400; k++) {
            double x = value_at(&f.in[0], 0, m, k);
            sum += x;
            square += x * x;
            largest = fmax(largest, fabs(x));
        }
    assert_true(fabs(sum / 200000) < 0.01);
    assert_true(fabs(square / 200000 - 1) < 0.01);
    assert_true(largest <= 3 && largest > 2.8);
    fill_done(&f);
    fill_case("matmul/f32/m=500,n=1,k=400/fill=uniform/seed=1", NULL, &f);
    sum = largest = 0;
    for (int64_t m = 0; m < 500; m++)
        for (int64_t k = 0; k < 400; k++) {
            double x = value_at(&f.in[0], 0, m, k);
            assert_true(x >= 0 && x < 1);
            sum += x;
        }
    assert_true(fabs(sum / 200000 - 0.5) < 0.005);
    fill_done(&f);
    fill_case("matmul/f32/m=500,n=1,k=400/fill=wide/seed=1", NULL, &f);
    int least = 1000, most = -1000;
    for (int64_t m = 0; m < 500; m++)
        for (int64_t k = 0; k < 400; k++) {
            int x = ilogbf(value_at(&f.in[0], 0, m, k));
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
    assert_int_equal(least, -44);
    assert_int_equal(most, 44);
    fill_done(&f);
}

/* How often a step of the chain rounds an exact tie, has a subnormal product or sum, ends as -0. */
struct steps {
    int64_t all, tie, subnormal, negative_zero;
};

static struct steps walk(const char *line)
{
    struct filled f;
    struct steps s = {0};
    fill_case(line, NULL, &f);
    const int64_t *axis = f.spec.op.axis;
    for (int64_t m = 0; m < axis[0]; m++)
        for (int64_t n = 0; n < axis[1]; n++) {
            float c = 0;
            for (int64_t k = 0; k < axis[2]; k++) {
                if (k % 32 == 0) c = 0;
                float a = value_at(&f.in[0], 0, m, k), b = value_at(&f.in[1], 0, k, n);
                double exact = (double)a * b + c;
                float next = fmaf(a, b, c);
                /* Halfway when the distances to both neighbours are the same (doubles hold these sums exactly). */
                double above = (double)nextafterf(next, INFINITY),
                       below = (double)nextafterf(next, -INFINITY);
                double off = fabs(exact - next);
                s.tie += off != 0 && (off == fabs(above - exact) || off == fabs(exact - below));
                s.subnormal += next != 0 && fabsf(next) < 0x1p-126f;
                s.negative_zero += next == 0 && signbit(next);
                s.all++;
                c = next;
            }
        }
    fill_done(&f);
    return s;
}

static void test_arithmetic_edges(void **state)
{
    (void)state;
    struct steps s = walk("matmul/f32/m=33,n=17,k=129/fill=ties/seed=5");
    print_message("ties: %.1f %% of %lld steps\n", 100.0 * (double)s.tie / (double)s.all, (long long)s.all);
    assert_true(s.tie * 12 > s.all);
    s = walk("matmul/f32/m=33,n=17,k=129/fill=normal/seed=5");
    assert_true(s.tie * 100 < s.all);
    s = walk("matmul/f32/m=33,n=17,k=129/fill=subnormal/seed=5");
    print_message("subnormal: %.1f %% of steps\n", 100.0 * (double)s.subnormal / (double)s.all);
    assert_true(s.subnormal * 8 > s.all && s.subnormal < s.all);
    s = walk("matmul/f32/m=33,n=17,k=129/fill=tiny/seed=5");
    print_message("tiny: %.1f %% of steps are -0\n", 100.0 * (double)s.negative_zero / (double)s.all);
    assert_true(s.negative_zero * 5 > s.all && s.negative_zero * 2 < s.all);
}

static void test_cancel(void **state)
{
    (void)state;
    static const int depths[] = {2, 33, 300, 4096};
    for (int d = 0; d < 4; d++) {
        char line[CASE_LINE_MAX];
        struct filled f;
        double worst = 0;
        snprintf(line, sizeof line, "matmul/f32/m=4,n=4,k=%d/fill=cancel/seed=5", depths[d]);
        fill_case(line, NULL, &f);
        for (int64_t m = 0; m < 4; m++)
            for (int64_t n = 0; n < 4; n++) {
                double sum = 0, magnitude = 0;
                for (int64_t k = 0; k < depths[d]; k++) {
                    double term = (double)value_at(&f.in[0], 0, m, k) * value_at(&f.in[1], 0, k, n);
                    sum += term;
                    magnitude += fabs(term);
                }
                assert_true(sum != 0);
                worst = fmax(worst, fabs(sum) / magnitude);
            }
        assert_true(worst < 1e-5);
        fill_done(&f);
    }
}

static void test_special(void **state)
{
    (void)state;
    struct filled f;
    bool nan = false, plus = false, minus = false, zero = false, largest = false;
    int finite_rows = 0;
    fill_case("matmul/f32/m=400,n=3,k=50/fill=special/seed=5", NULL, &f);
    for (int64_t m = 0; m < 400; m++) {
        bool finite = true;
        for (int64_t k = 0; k < 50; k++) {
            float x = value_at(&f.in[0], 0, m, k);
            finite &= isfinite(x) != 0;
            nan |= isnan(x) != 0;
            plus |= isinf(x) && x > 0;
            minus |= isinf(x) && x < 0;
            zero |= x == 0 && signbit(x);
            largest |= x == 0x1.fffffep127f;
        }
        finite_rows += finite;
    }
    assert_true(nan && plus && minus && zero && largest);
    assert_in_range(finite_rows, 340, 380);
    fill_done(&f);
}

static void test_refusals(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct filled f;
    fill_case("matmul/f32/m=3,n=3,k=3/fill=ones/seed=1", NULL, &f);
    struct assay_tensor t = f.in[0];
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 2, &t, NULL, &error), ASSAY_INTERNAL);
    t.bytes = 8;
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 0, &t, NULL, &error), ASSAY_INVALID_INPUT);
    t = f.in[0];
    t.dtype = ASSAY_F64;
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 0, &t, NULL, &error), ASSAY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "f64"));
    f.spec.fill = "noise";
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 0, &f.in[0], NULL, &error), ASSAY_INVALID_INPUT);
    assert_null(fill_find("noise"));
    fill_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),           cmocka_unit_test(test_element_function),
        cmocka_unit_test(test_window),           cmocka_unit_test(test_threads_and_padding),
        cmocka_unit_test(test_other_types),      cmocka_unit_test(test_exact_sums),
        cmocka_unit_test(test_pickers),          cmocka_unit_test(test_moments),
        cmocka_unit_test(test_arithmetic_edges), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_special),          cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
