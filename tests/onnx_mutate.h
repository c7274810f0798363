/* Real ONNX files damaged at random, for test_onnx.c (thousands) and long_onnx.c (a hundred thousand). The readers must
 * give either a result that can be walked to the last byte or an error that names the file. */
#ifndef TESTS_ONNX_MUTATE_H
#define TESTS_ONNX_MUTATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/graph/onnx.h"

static const char *const mutate_paths[] = {
    "/usr/share/libonnx-testdata/data/node/test_matmul_2d/model.onnx",
    "/usr/share/libonnx-testdata/data/node/test_gemm_all_attributes/model.onnx",
    "/usr/share/libonnx-testdata/data/node/test_basic_conv_with_padding/model.onnx",
    "/usr/share/libonnx-testdata/data/node/test_constant/model.onnx",
    "/usr/share/libonnx-testdata/data/node/test_strnormalizer_nostopwords_nochangecase/model.onnx",
    "/usr/share/libonnx-testdata/data/node/test_loop11/model.onnx",
    "/usr/share/libonnx-testdata/data/node/test_matmul_2d/test_data_set_0/input_0.pb",
    "/usr/share/libonnx-testdata/data/node/test_matmulinteger/test_data_set_0/input_0.pb",
};
enum { MUTATE_FILES = sizeof mutate_paths / sizeof mutate_paths[0] };

static volatile unsigned mutate_sum;

static inline void mutate_touch(const char *text)
{
    for (; *text; ++text) mutate_sum += (unsigned char)*text;
}

static inline void mutate_walk_tensor(const struct onnx_tensor *tensor)
{
    struct assay_error error = {0};
    mutate_touch(tensor->name);
    if (!tensor->tensor.dtype) return;
    assert_int_equal(assay_tensor_check(&tensor->tensor, "tensor", &error), ASSAY_OK);
    for (uint64_t i = 0; i < tensor->tensor.bytes; ++i)
        mutate_sum += ((unsigned char *)tensor->tensor.data)[i];
}

static inline void mutate_walk_values(const struct onnx_value *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        mutate_touch(values[i].name);
        for (uint32_t d = 0; d < values[i].rank; ++d) mutate_touch(values[i].symbol[d]);
    }
}

static inline void mutate_walk_model(const struct onnx_model *model)
{
    for (size_t i = 0; i < model->node_count; ++i) {
        const struct onnx_node *node = &model->node[i];
        mutate_touch(node->op);
        mutate_touch(node->name);
        for (size_t j = 0; j < node->input_count; ++j) mutate_touch(node->input[j]);
        for (size_t j = 0; j < node->output_count; ++j) mutate_touch(node->output[j]);
        for (size_t j = 0; j < node->attr_count; ++j) {
            const struct onnx_attr *attr = &node->attr[j];
            mutate_touch(attr->name);
            if (attr->s) mutate_touch(attr->s);
            if (attr->tensor) mutate_walk_tensor(attr->tensor);
            for (size_t k = 0; attr->ints && k < attr->count; ++k) mutate_sum += (unsigned)attr->ints[k];
            for (size_t k = 0; attr->floats && k < attr->count; ++k) mutate_sum += attr->floats[k] > 0;
            for (size_t k = 0; attr->strings && k < attr->count; ++k) mutate_touch(attr->strings[k]);
        }
    }
    for (size_t i = 0; i < model->initializer_count; ++i) mutate_walk_tensor(&model->initializer[i]);
    mutate_walk_values(model->input, model->input_count);
    mutate_walk_values(model->output, model->output_count);
    mutate_walk_values(model->value, model->value_count);
}

/* True if it was read. Either way everything is freed. */
static inline bool mutate_try(bool model_file, const unsigned char *bytes, size_t size)
{
    struct assay_error error = {0};
    struct onnx_model *model = NULL;
    struct onnx_tensor *tensor = NULL;
    const enum assay_status status = model_file ? onnx_model_parse(bytes, size, "mutant", &model, &error)
                                                : onnx_tensor_parse(bytes, size, "mutant", &tensor, &error);
    assert_int_equal(status, error.status);
    if (status)
        assert_memory_equal(error.text, "mutant: ", 8);
    else if (model)
        mutate_walk_model(model);
    else
        mutate_walk_tensor(tensor);
    onnx_model_free(model);
    onnx_tensor_free(tensor);
    return !status;
}

static inline unsigned char *mutate_read(const char *path, size_t *size, bool *model_file)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot read %s (package libonnx-testdata)", path);
    unsigned char *bytes = malloc(1 << 16);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 15, file);
    assert_true(*size > 0);
    fclose(file);
    *model_file = strstr(path, ".onnx") != NULL;
    return bytes;
}

static inline uint32_t mutate_next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

static inline size_t mutate_once(unsigned char *bytes, size_t size, uint64_t *state)
{
    static const unsigned char nasty[] = {0,    1,    0x7f, 0x80, 0xff, 0x08, 0x0a,
                                          0x1a, 0x22, 0x2a, 0x32, 0x3a, 0x4a};
    const size_t at = mutate_next(state) % size;
    const uint32_t draw = mutate_next(state);
    switch (mutate_next(state) % 6) {
    case 0:
        bytes[at] ^= (unsigned char)(1u << draw % 8);
        break;
    case 1:
        bytes[at] = nasty[draw % sizeof nasty];
        break;
    case 2:
        bytes[at] = (unsigned char)draw;
        break;
    case 3: /* remove a few bytes */
        if (size > 8) {
            const size_t cut = 1 + draw % 4, end = at + cut < size ? at + cut : size;
            memmove(bytes + at, bytes + end, size - end);
            size -= end - at;
        }
        break;
    case 4: /* repeat a stretch */
        if (size < 1 << 15) {
            size_t length = 1 + draw % 40;
            if (at + length > size) length = size - at;
            memmove(bytes + at + length, bytes + at, size - at);
            size += length;
        }
        break;
    default: /* a long number: 2^63 and beyond */
        for (size_t i = at; i < size && i < at + 9; ++i) bytes[i] = 0xff;
        break;
    }
    return size;
}

static inline void mutate_files(int rounds, uint64_t seed)
{
    uint64_t state = seed;
    int read = 0;
    for (int f = 0; f < MUTATE_FILES; ++f) {
        size_t size;
        bool model_file;
        unsigned char *original = mutate_read(mutate_paths[f], &size, &model_file), *mutant = malloc(1 << 17);
        assert_non_null(mutant);
        assert_true(mutate_try(model_file, original, size));
        for (int i = 0; i < rounds / MUTATE_FILES; ++i) {
            size_t length = size;
            memcpy(mutant, original, size);
            for (uint32_t n = 1 + mutate_next(&state) % 4; n > 0; --n)
                length = mutate_once(mutant, length, &state);
            /* Exactly as long as it is, so that a sanitizer sees a byte read past the end. */
            unsigned char *tight = malloc(length);
            assert_non_null(tight);
            memcpy(tight, mutant, length);
            read += mutate_try(model_file, tight, length);
            free(tight);
        }
        free(mutant);
        free(original);
    }
    /* Some damage is harmless and some is not: were all alike, the mutants would not be near the format. */
    assert_true(read > rounds / 100);
    assert_true(read < rounds * 9 / 10);
}

/* Every file cut after every byte. */
static inline void mutate_files_cut(void)
{
    for (int f = 0; f < MUTATE_FILES; ++f) {
        size_t size;
        bool model_file;
        unsigned char *original = mutate_read(mutate_paths[f], &size, &model_file);
        size_t read = 0;
        for (size_t length = 0; length < size; ++length) {
            unsigned char *tight = malloc(length ? length : 1);
            assert_non_null(tight);
            memcpy(tight, original, length);
            read += mutate_try(model_file, tight, length);
            free(tight);
        }
        assert_true(read < size / 4);
        free(original);
    }
}

#endif
