/* The known answers of the matrix product reach every kernel row: a row that takes none would be refused on its first
 * use, and a program that no known answer runs would be trusted unseen. Without a device, for every backend. */
#include "kernels/kernel.h"
#include "kernels/matmul/matmul.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define LIMITS                                                                                               \
    {                                                                                                        \
        .binding_bytes = 4294967292, .allocation_bytes = 1ull << 40, .groups = {2147483647, 65535, 65535},   \
        .group_invocations = 1024, .shared_bytes = 49152, .push_bytes = 256                                  \
    }
static const struct assay_device_info devices[] = {
    {.backend = "cuda", .cc_major = 9, .compute_units = 132, .limits = LIMITS},
    {.backend = "vulkan", .compute_units = 132, .limits = LIMITS},
    {.backend = "cpu", .compute_units = 2, .limits = LIMITS},
};

#define PROGRAMS_MAX 256

/* What tells programs apart: code and specialisation, without sizes. */
struct programs {
    struct assay_program_params list[PROGRAMS_MAX];
    size_t count;
};

static bool seen(const struct programs *programs, const struct assay_program_params *p)
{
    for (size_t i = 0; i < programs->count; i++) {
        const struct assay_program_params *other = &programs->list[i];
        if (other->codes == p->codes && other->spec_count == p->spec_count &&
            memcmp(other->spec, p->spec, p->spec_count * sizeof *p->spec) == 0)
            return true;
    }
    return false;
}

/* Does some known answer of this row run its code, and some known answer of the backend each of its specialised values?
 * Texts that are specialised by the layouts of both operands would need an answer for every pair. */
static bool covered(const struct programs *row, const struct programs *backend,
                    const struct assay_program_params *p)
{
    bool code = false;
    for (size_t i = 0; i < row->count; i++) code |= row->list[i].codes == p->codes;
    for (size_t s = 0; s < p->spec_count && code; s++) {
        bool value = false;
        for (size_t i = 0; i < backend->count; i++)
            value |= backend->list[i].codes == p->codes && backend->list[i].spec[s] == p->spec[s];
        code = value;
    }
    return code;
}

static bool add_programs(const struct assay_device_info *info, const struct assay_kernel *row,
                         const struct assay_call *call, enum assay_variant variant, struct programs *programs)
{
    struct assay_plan plan;
    struct assay_error error = {0};
    char why[160];
    if (!row->supports(info, call, why)) return false;
    if (row->plan(info, call, variant, &plan, &error) != ASSAY_OK) fail_msg("%s", error.text);
    for (size_t s = 0; s < plan.step_count; s++) {
        if (seen(programs, &plan.step[s].program)) continue;
        assert_true(programs->count < PROGRAMS_MAX);
        programs->list[programs->count++] = plan.step[s].program;
    }
    return true;
}

/* rows x cols with a row stride past the row's end, or transposed so. */
static void lay_out(struct assay_tensor *t, int64_t rows, int64_t cols, bool turned, int64_t pad,
                    int64_t offset)
{
    assay_tensor_dense(t, ASSAY_F32, 2, (int64_t[]){rows, cols});
    t->stride[0] = turned ? 1 : cols + pad;
    t->stride[1] = turned ? rows + pad : 1;
    t->offset = offset;
    t->bytes = (uint64_t)assay_tensor_extent(t) * 4;
}

/* Many calls: all layouts, aligned and not, one group and several, a vector, large enough for every way of splitting. */
static bool call_of(size_t index, struct assay_call *call)
{
    static const int64_t shapes[][3] = {{1, 64, 512},   {1, 1, 1},          {64, 64, 64},    {200, 64, 4096},
                                        {64, 1, 16384}, {2048, 2048, 2048}, {5, 7, 161},     {16, 1000, 700},
                                        {3, 4, 0},      {4, 4096, 16384},   {1500, 768, 132}};
    static const int64_t pads[] = {0, 1, 4};
    const int64_t *s = shapes[index % 11];
    size_t rest = index / 11, turns = rest % 8, pad = rest / 8 % 3, offset = rest / 24;
    if (offset > 2) return false;
    *call = (struct assay_call){.op = "MatMul", .input_count = 2, .output_count = 1};
    lay_out(&call->input[0], s[0], s[2], turns & 1, pads[pad], (int64_t)offset * 2);
    lay_out(&call->input[1], s[2], s[1], turns & 2, pads[pad], (int64_t)offset * 2);
    lay_out(&call->output[0], s[0], s[1], turns & 4, pads[pad], (int64_t)offset);
    return true;
}

static bool is_row_of(const struct assay_kernel *row, const struct assay_device_info *info)
{
    return strcmp(row->family, "matmul") == 0 && strcmp(row->backend, info->backend) == 0;
}

static size_t known_programs(const struct assay_device_info *info, const struct assay_kernel *row,
                             enum assay_variant variant, struct programs *programs)
{
    size_t taken = 0;
    for (size_t a = 0; a < row->known_count; a++)
        taken += add_programs(info, row, &row->known[a].call, variant, programs);
    return taken;
}

static void check_row(const struct assay_device_info *info, const struct assay_kernel *row,
                      enum assay_variant variant, const struct programs *backend)
{
    static struct programs known, all;
    struct assay_call call;
    char name[64];
    /* a Vulkan driver may choose for each program anew what it fuses: each must prove itself */
    bool vulkan = strcmp(info->backend, "vulkan") == 0;
    known.count = all.count = 0;
    assay_kernel_name(row, name);
    if (!known_programs(info, row, variant, &known)) fail_msg("%s takes no known answer", name);
    for (size_t c = 0; call_of(c, &call); c++) add_programs(info, row, &call, variant, &all);
    assert_true(all.count > 0);
    for (size_t p = 0; p < all.count; p++)
        if (vulkan ? !seen(&known, &all.list[p]) : !covered(&known, backend, &all.list[p]))
            fail_msg("%s, %s: no known answer runs %s (specialised to %u %u %u %u)", name,
                     assay_variant_name(variant), all.list[p].codes[0].name, all.list[p].spec[0],
                     all.list[p].spec[1], all.list[p].spec[2], all.list[p].spec[3]);
}

static void test_every_program_has_a_known_answer(void **state)
{
    (void)state;
    size_t rows = 0;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (int v = ASSAY_VARIANT_NATIVE; v < ASSAY_VARIANT_COUNT; v++) {
            static struct programs backend;
            backend.count = 0;
            for (int pass = 0; pass < 2; pass++)
                for (size_t f = 0; f < assay_kernel_family_count; f++)
                    for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
                        const struct assay_kernel *row = &assay_kernel_families[f]->rows[i];
                        if (!is_row_of(row, &devices[d]) || !(row->variants >> v & 1)) continue;
                        if (pass == 0)
                            known_programs(&devices[d], row, v, &backend);
                        else
                            check_row(&devices[d], row, v, &backend);
                        rows += (size_t)pass;
                    }
        }
    assert_true(rows >= 30);
}

/* Known calls have the operands they say they have: as many words as elements, no gaps. */
static void test_known_operands_are_dense(void **state)
{
    (void)state;
    for (size_t i = 0; i < MATMUL_KNOWN_COUNT; i++) {
        const struct assay_call *call = &matmul_known[i].call;
        const struct assay_tensor *tensor[] = {&call->input[0], &call->input[1], &call->output[0]};
        for (int t = 0; t < 3; t++) {
            struct assay_error error = {0};
            assert_int_equal(assay_tensor_check(tensor[t], "operand", &error), ASSAY_OK);
            if (!assay_tensor_elems(tensor[t])) continue;
            assert_int_equal(assay_tensor_extent(tensor[t]), assay_tensor_elems(tensor[t]));
            assert_int_equal(tensor[t]->bytes, (uint64_t)assay_tensor_elems(tensor[t]) * 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_program_has_a_known_answer),
        cmocka_unit_test(test_known_operands_are_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
