/* See product.h. Shares no code with kernels or oracles: it is a third reading of rule 2. */
#include "tests/product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define POISON 0xff

float product_element(const float *a, int64_t a_col, const float *b, int64_t b_row, int64_t k)
{
    float total = 0;
    for (int64_t group = 0; group < k; group += 128) {
        float sum = 0;
        for (int64_t chain = group; chain < k && chain < group + 128; chain += 32) {
            float c = 0;
            for (int64_t i = chain; i < k && i < chain + 32; i++) c = fmaf(a[i * a_col], b[i * b_row], c);
            sum += c;
        }
        total += sum;
    }
    return total;
}

/* Depends on the operand and the element number in the stored order, so that item 0 of a batch is always the same. */
static float element(enum product_fill fill, int operand, int64_t index)
{
    uint64_t x = ((uint64_t)index * 2 + (uint64_t)operand + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 32;
    /* Biased exponents: around 1; over 2^60; so low that products and sums are subnormal or nearly so. */
    static const uint32_t lowest[] = {[FILL_ORDINARY] = 122, [FILL_WIDE] = 97, [FILL_TINY] = 46};
    static const uint32_t range[] = {[FILL_ORDINARY] = 8, [FILL_WIDE] = 60, [FILL_TINY] = 24};
    if (fill == FILL_ONES) return 1;
    uint32_t bits = (uint32_t)(x & 0x807fffffu) | (lowest[fill] + (uint32_t)(x >> 40) % range[fill]) << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Lay out batch x rows x cols: dense rows with `pad` elements after each, transposed or interleaved as asked. */
static void lay_out(struct assay_tensor *tensor, const struct product *p, int64_t batch, int64_t rows,
                    int64_t cols, bool turned, bool interleaved, int64_t offset)
{
    uint32_t matrix = batch > 0;
    int64_t line = (turned ? rows : cols) + p->pad, lines = turned ? cols : rows;
    memset(tensor, 0, sizeof *tensor);
    tensor->dtype = ASSAY_F32;
    tensor->rank = matrix + 2;
    tensor->shape[matrix] = rows;
    tensor->shape[matrix + 1] = cols;
    tensor->stride[matrix] = turned ? 1 : line;
    tensor->stride[matrix + 1] = turned ? line : 1;
    tensor->offset = offset;
    if (matrix) {
        tensor->shape[0] = batch;
        tensor->stride[0] = line * lines;
    }
    if (interleaved && matrix) {
        tensor->stride[0] = line;
        tensor->stride[1] = line * batch;
    }
    /* Memory goes on past the view, unaligned, so that stray writes have somewhere to land. */
    tensor->bytes = (uint64_t)(offset + line * lines * (batch ? batch : 1) + 13) * 4;
}

static void must(enum assay_status status, const struct assay_error *error)
{
    if (status != ASSAY_OK) fail_msg("%s", error->text);
}

static int64_t batch_stride(const struct assay_tensor *tensor)
{
    return tensor->rank == 3 ? tensor->stride[0] : 0;
}

/* Y's right memory: poison everywhere but in its elements. */
static void expect(const struct assay_tensor tensor[3], const float *a, const float *b, float *y,
                   int64_t batch, int64_t m, int64_t n, int64_t k)
{
    const struct assay_tensor *ta = &tensor[0], *tb = &tensor[1], *ty = &tensor[2];
    uint32_t ra = ta->rank - 2, rb = tb->rank - 2, ry = ty->rank - 2;
    for (int64_t i = 0; i < batch; i++)
        for (int64_t row = 0; row < m; row++)
            for (int64_t col = 0; col < n; col++) {
                const float *from_a = a + ta->offset + i * batch_stride(ta) + row * ta->stride[ra];
                const float *from_b = b + tb->offset + i * batch_stride(tb) + col * tb->stride[rb + 1];
                y[ty->offset + i * batch_stride(ty) + row * ty->stride[ry] + col * ty->stride[ry + 1]] =
                    product_element(from_a, ta->stride[ra + 1], from_b, tb->stride[rb], k);
            }
}

enum assay_status product_run(struct assay_engine *engine, const struct product *p, const char *technique,
                              uint64_t *digest, struct assay_error *error)
{
    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor tensor[3];
    lay_out(&tensor[0], p, p->a_shared ? 0 : p->batch, p->m, p->k, p->a_turned, p->interleaved, p->offset[0]);
    lay_out(&tensor[1], p, p->b_shared ? 0 : p->batch, p->k, p->n, p->b_turned, false, p->offset[1]);
    lay_out(&tensor[2], p, p->batch, p->m, p->n, p->y_turned, false, p->offset[2]);
    const struct assay_run_params params = {.technique = technique};
    for (int t = 0; t < 3; t++) *(t < 2 ? &call.input[t] : &call.output[0]) = tensor[t];
    enum assay_status status = assay_supports(engine, &call, &params, error);
    if (status != ASSAY_OK) {
        assert_int_equal(status, ASSAY_UNSUPPORTED);
        assert_true(error->text[0] != '\0');
        return status;
    }

    float *host[3], *back[3];
    for (int t = 0; t < 3; t++) {
        host[t] = malloc(tensor[t].bytes);
        back[t] = malloc(tensor[t].bytes);
        assert_true(host[t] && back[t]);
        for (int64_t i = 0; t < 2 && i < (int64_t)(tensor[t].bytes / 4); i++)
            host[t][i] = element(p->fill, t, i - tensor[t].offset);
        if (t == 2) memset(host[t], POISON, tensor[t].bytes);
        must(assay_alloc(engine, tensor[t].bytes, &tensor[t].buffer, error), error);
        must(assay_upload(engine, tensor[t].buffer, 0, host[t], tensor[t].bytes, error), error);
        *(t < 2 ? &call.input[t] : &call.output[0]) = tensor[t];
    }
    struct assay_run_report report;
    status = assay_run(engine, &call, &params, &report, error);
    must(status, error);
    for (int t = 0; t < 3; t++)
        must(assay_download(engine, tensor[t].buffer, 0, back[t], tensor[t].bytes, error), error);
    expect(tensor, host[0], host[1], host[2], p->batch ? p->batch : 1, p->m, p->n, p->k);
    for (int t = 0; t < 3; t++)
        if (memcmp(host[t], back[t], tensor[t].bytes) != 0) {
            size_t at = 0;
            while (memcmp(&host[t][at], &back[t][at], 4) == 0) at++;
            uint32_t got, want;
            memcpy(&got, &back[t][at], 4);
            memcpy(&want, &host[t][at], 4);
            fail_msg("%s %s, m=%d n=%d k=%d batch=%d: %c differs at element %zu: got %08x, right is %08x",
                     report.kernel, report.variant, (int)p->m, (int)p->n, (int)p->k, (int)p->batch, "ABY"[t],
                     at, got, want);
        }
    /* Item 0 only, so that batches of different sizes can be compared. */
    int64_t item = p->batch ? tensor[2].stride[0] : (int64_t)(tensor[2].bytes / 4) - tensor[2].offset;
    if (digest) *digest = XXH3_64bits(back[2] + tensor[2].offset, (size_t)item * 4);
    for (int t = 0; t < 3; t++) {
        assay_free(engine, tensor[t].buffer);
        free(host[t]);
        free(back[t]);
    }
    return ASSAY_OK;
}
