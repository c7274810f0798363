/* Element types, statuses, the error record, and checks on views with hostile shapes, strides and offsets. */
#include "devices/types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void dtypes(void **state)
{
    (void)state;
    const struct {
        enum assay_dtype dtype;
        const char *name;
        size_t bytes;
    } table[] = {
        {ASSAY_F32, "f32", 4}, {ASSAY_F16, "f16", 2}, {ASSAY_BF16, "bf16", 2},
        {ASSAY_F64, "f64", 8}, {ASSAY_I8, "i8", 1},   {ASSAY_U8, "u8", 1},
        {ASSAY_I32, "i32", 4}, {ASSAY_I64, "i64", 8}, {ASSAY_BOOL, "bool", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_string_equal(assay_dtype_name(table[i].dtype), table[i].name);
        assert_int_equal(assay_dtype_parse(table[i].name), table[i].dtype);
        assert_int_equal(assay_dtype_bytes(table[i].dtype), table[i].bytes);
    }
    assert_string_equal(assay_dtype_name((enum assay_dtype)0), "?");
    assert_string_equal(assay_dtype_name((enum assay_dtype)99), "?");
    assert_string_equal(assay_dtype_name((enum assay_dtype) - 1), "?");
    assert_int_equal(assay_dtype_bytes((enum assay_dtype)99), 0);
    assert_int_equal(assay_dtype_parse("F32"), 0);
    assert_int_equal(assay_dtype_parse(""), 0);
    assert_int_equal(assay_dtype_parse("?"), 0);
    assert_int_equal(assay_dtype_parse(NULL), 0);
}

static void statuses(void **state)
{
    (void)state;
    for (int s = 0; s < ASSAY_STATUS_COUNT; s++)
        for (int t = 0; t < s; t++)
            assert_string_not_equal(assay_status_name((enum assay_status)s),
                                    assay_status_name((enum assay_status)t));
    assert_string_equal(assay_status_name(ASSAY_DEVICE_FAILURE), "DeviceFailure");
    assert_string_equal(assay_status_name(ASSAY_DEVICE_UNSUPPORTED), "DeviceUnsupported");
    assert_string_equal(assay_status_name(ASSAY_INVALID_INPUT), "InvalidInput");
    assert_string_equal(assay_status_name(ASSAY_UNSUPPORTED), "Unsupported");
    assert_string_equal(assay_status_name((enum assay_status)77), "?");
}

static void errors(void **state)
{
    (void)state;
    struct assay_error error = {0};
    char longer[2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(assay_error_set(&error, ASSAY_IO, "file %s: %d", "a.db", 5), ASSAY_IO);
    assert_int_equal(error.status, ASSAY_IO);
    assert_string_equal(error.text, "file a.db: 5");
    assert_int_equal(assay_error_set(&error, ASSAY_INTERNAL, "%s", longer), ASSAY_INTERNAL);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(assay_error_set(NULL, ASSAY_TIMEOUT, "%s", "nobody listens"), ASSAY_TIMEOUT);
}

static void dense(void **state)
{
    (void)state;
    struct assay_tensor t = {.bytes = 96, .data = (void *)1, .offset = 9};
    assay_tensor_dense(&t, ASSAY_F32, 3, (int64_t[]){2, 3, 4});
    assert_int_equal(t.offset, 0);
    assert_int_equal(t.bytes, 96);
    assert_ptr_equal(t.data, (void *)1);
    assert_int_equal(t.stride[0], 12);
    assert_int_equal(t.stride[1], 4);
    assert_int_equal(t.stride[2], 1);
    assert_int_equal(assay_tensor_elems(&t), 24);
    assert_int_equal(assay_tensor_extent(&t), 24);
    assert_int_equal(assay_tensor_check(&t, "t", NULL), ASSAY_OK);
    t.bytes = 95;
    assert_int_equal(assay_tensor_check(&t, "t", NULL), ASSAY_INVALID_INPUT);

    struct assay_tensor scalar = {.bytes = 4, .data = (void *)1};
    assay_tensor_dense(&scalar, ASSAY_F32, 0, NULL);
    assert_int_equal(assay_tensor_elems(&scalar), 1);
    assert_int_equal(assay_tensor_extent(&scalar), 1);
    assert_int_equal(assay_tensor_check(&scalar, "s", NULL), ASSAY_OK);

    struct assay_tensor empty = {0};
    assay_tensor_dense(&empty, ASSAY_F64, 3, (int64_t[]){5, 0, 7});
    assert_int_equal(assay_tensor_elems(&empty), 0);
    assert_int_equal(assay_tensor_extent(&empty), 0);
    assert_int_equal(assay_tensor_check(&empty, "e", NULL), ASSAY_OK);
}

#define BIG INT64_MAX

static void checks(void **state)
{
    (void)state;
    static int memory[4];
    const struct {
        struct assay_tensor tensor;
        enum assay_status status;
        const char *words;
    } table[] = {
        /* a broadcast row, a padded view, a view that ends exactly at the end */
        {{.dtype = ASSAY_F32, .rank = 2, .shape = {1000, 4}, .stride = {0, 1}, .bytes = 16}, ASSAY_OK, ""},
        {{.dtype = ASSAY_F32, .rank = 2, .shape = {2, 3}, .stride = {10, 1}, .offset = 3, .bytes = 64},
         ASSAY_OK,
         ""},
        {{.dtype = ASSAY_F32, .rank = 2, .shape = {2, 3}, .stride = {10, 1}, .offset = 4, .bytes = 64},
         ASSAY_INVALID_INPUT,
         "needs 17 elements of memory but has 16"},
        {{.dtype = ASSAY_F32, .rank = 1, .shape = {4}, .stride = {1}, .bytes = 15},
         ASSAY_INVALID_INPUT,
         "needs 4 elements of memory but has 3 (15 bytes)"},
        {{.dtype = (enum assay_dtype)0, .bytes = 4}, ASSAY_INVALID_INPUT, "element type 0"},
        {{.dtype = (enum assay_dtype)1000, .bytes = 4}, ASSAY_INVALID_INPUT, "element type 1000"},
        {{.dtype = ASSAY_F32, .rank = 9, .bytes = 4}, ASSAY_INVALID_INPUT, "rank 9"},
        {{.dtype = ASSAY_F32, .rank = UINT32_MAX, .bytes = 4}, ASSAY_INVALID_INPUT, "rank 4294967295"},
        {{.dtype = ASSAY_F32, .rank = 1, .shape = {-1}, .stride = {1}, .bytes = 4},
         ASSAY_INVALID_INPUT,
         "dimension 0 is -1"},
        {{.dtype = ASSAY_F32, .rank = 2, .shape = {0, INT64_MIN}, .stride = {1, 1}, .bytes = 4},
         ASSAY_INVALID_INPUT,
         "dimension 1"},
        {{.dtype = ASSAY_F32, .rank = 1, .shape = {2}, .stride = {-1}, .offset = 1, .bytes = 8},
         ASSAY_INVALID_INPUT,
         "stride 0 is -1"},
        {{.dtype = ASSAY_F32, .offset = -1, .bytes = 4}, ASSAY_INVALID_INPUT, "offset is -1"},
        {{.dtype = ASSAY_F32, .offset = BIG, .bytes = UINT64_MAX}, ASSAY_INVALID_INPUT, "overflow"},
        /* products and sums that leave 64 bits */
        {{.dtype = ASSAY_U8, .rank = 3, .shape = {BIG, BIG, BIG}, .stride = {0, 0, 0}, .bytes = 1},
         ASSAY_INVALID_INPUT,
         "number of elements overflows"},
        {{.dtype = ASSAY_U8, .rank = 2, .shape = {1ll << 32, 1ll << 31}, .stride = {0, 0}, .bytes = 1},
         ASSAY_INVALID_INPUT,
         "number of elements overflows"},
        {{.dtype = ASSAY_U8, .rank = 1, .shape = {3}, .stride = {BIG}, .bytes = 1},
         ASSAY_INVALID_INPUT,
         "overflow"},
        {{.dtype = ASSAY_U8, .rank = 1, .shape = {2}, .stride = {BIG - 5}, .offset = 100, .bytes = 1},
         ASSAY_INVALID_INPUT,
         "overflow"},
        {{.dtype = ASSAY_F64, .rank = 1, .shape = {1ll << 61}, .stride = {1}, .bytes = 64},
         ASSAY_INVALID_INPUT,
         "needs 2305843009213693952 elements of memory but has 8"},
        /* one element: its stride does not matter */
        {{.dtype = ASSAY_F32, .rank = 1, .shape = {1}, .stride = {BIG}, .bytes = 4}, ASSAY_OK, ""},
        /* empty views touch nothing, but may not point outside either */
        {{.dtype = ASSAY_F32, .rank = 2, .shape = {0, BIG}, .stride = {BIG, BIG}, .bytes = 0}, ASSAY_OK, ""},
        {{.dtype = ASSAY_F32, .rank = 1, .shape = {0}, .stride = {1}, .offset = 4, .bytes = 16},
         ASSAY_OK,
         ""},
        {{.dtype = ASSAY_F32, .rank = 1, .shape = {0}, .stride = {1}, .offset = 5, .bytes = 16},
         ASSAY_INVALID_INPUT,
         "needs 5 elements"},
        {{.dtype = ASSAY_F32, .bytes = 4, .data = memory, .buffer = (struct assay_buffer *)memory},
         ASSAY_INVALID_INPUT,
         "both host data and a device buffer"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assay_error error = {0};
        enum assay_status status = assay_tensor_check(&table[i].tensor, "weights", &error);
        if (status != table[i].status) fail_msg("row %zu: %s '%s'", i, assay_status_name(status), error.text);
        if (status == ASSAY_OK) continue;
        if (!strstr(error.text, table[i].words) || !strstr(error.text, "weights"))
            fail_msg("row %zu: '%s' does not say '%s'", i, error.text, table[i].words);
    }
}

static void dense_of_hostile_shape(void **state)
{
    (void)state;
    struct assay_tensor t = {.bytes = UINT64_MAX};
    assay_tensor_dense(&t, ASSAY_U8, 3, (int64_t[]){BIG, BIG, 2});
    assert_int_equal(assay_tensor_elems(&t), BIG);
    assert_int_equal(assay_tensor_extent(&t), BIG);
    assert_int_equal(assay_tensor_check(&t, "t", NULL), ASSAY_INVALID_INPUT);
    assay_tensor_dense(&t, ASSAY_U8, 2, (int64_t[]){-3, 2});
    assert_int_equal(assay_tensor_elems(&t), 0);
    assert_int_equal(assay_tensor_check(&t, "t", NULL), ASSAY_INVALID_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dtypes), cmocka_unit_test(statuses), cmocka_unit_test(errors),
        cmocka_unit_test(dense),  cmocka_unit_test(checks),   cmocka_unit_test(dense_of_hostile_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
