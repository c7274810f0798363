/* See table_rows.h. */
#include "tests/table_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define LIMITS                                                                                               \
    {                                                                                                        \
        .binding_bytes = 1u << 30, .allocation_bytes = 1u << 30, .groups = {65535, 65535, 65535},            \
        .group_invocations = 1024, .shared_bytes = 49152, .push_bytes = 128                                  \
    }
static const struct assay_device_info devices[] = {
    {.backend = "cpu", .compute_units = 2, .simd = ASSAY_SIMD_AVX2 | ASSAY_SIMD_FMA, .limits = LIMITS},
    {.backend = "vulkan", .compute_units = 132, .limits = LIMITS},
    {.backend = "cuda", .cc_major = 9, .compute_units = 132, .limits = LIMITS},
};

const struct assay_device_info *table_rows_device(const struct assay_kernel *row)
{
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        if (strcmp(devices[d].backend, row->backend) == 0) return &devices[d];
    fail_msg("no device for %s", row->backend);
    return NULL;
}

void table_rows_check(const struct assay_kernel_table *table)
{
    for (size_t r = 0; r < table->count; r++) {
        const struct assay_kernel *row = &table->rows[r];
        const struct assay_device_info *info = table_rows_device(row);
        int taken = 0;
        for (size_t k = 0; k < row->known_count; k++) {
            char why[160] = "";
            struct assay_plan plan;
            struct assay_error error = {0};
            assert_string_equal(row->known[k].call.op, row->op);
            if (!row->supports(info, &row->known[k].call, why)) continue;
            taken++;
            for (int v = ASSAY_VARIANT_NATIVE; v < ASSAY_VARIANT_COUNT; v++) {
                if (row->variants && !(row->variants >> v & 1)) continue;
                assert_int_equal(row->plan(info, &row->known[k].call, (enum assay_variant)v, &plan, &error),
                                 ASSAY_OK);
                for (size_t s = 0; s < plan.step_count; s++) {
                    const struct assay_step *step = &plan.step[s];
                    assert_true(step->program.push_bytes <= info->limits.push_bytes);
                    assert_true(step->groups[0] >= 1 && step->groups[0] <= info->limits.groups[0]);
                    assert_non_null(step->program.codes);
                    for (uint32_t b = 0; b < step->program.bindings; b++) {
                        assert_int_equal(step->bind[b].offset_bytes % 256, 0);
                        if (step->bind[b].role == ASSAY_ROLE_SCRATCH)
                            assert_true(step->bind[b].offset_bytes + step->bind[b].bytes <=
                                        plan.scratch_bytes);
                    }
                }
            }
        }
        if (taken < 3) fail_msg("%s %s takes %d known answers", row->backend, row->technique, taken);
    }
}
