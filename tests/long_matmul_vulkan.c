/* The native text of the Vulkan matrix products, on the software renderer. That device does not fuse, so exact mode never
 * takes this text there; on small integers every order and rounding gives the same bits, so tiles, tails, transposes,
 * offsets and splits can be judged anywhere. Long: the renderer compiles each tile for seconds. */
#include "kernels/matmul/vulkan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define OK(call)                                                                                             \
    do {                                                                                                     \
        if ((call) != ASSAY_OK) fail_msg("%s", error.text);                                                  \
    } while (0)

static struct assay_device *device;
static struct assay_error error;

static int open_software(void **unused)
{
    struct assay_driver_params params = {0};
    struct assay_device_info list[8];
    char note[256];
    size_t count = 0;
    (void)unused;
    assay_backend_vulkan.discover(&params, list, 8, &count, note);
    for (size_t i = 0; i < count && !device; i++)
        if (list[i].software && assay_backend_vulkan.open(&params, &list[i], &device, &error) != ASSAY_OK)
            return 1;
    return 0;
}

static int close_device(void **unused)
{
    (void)unused;
    if (device) device->backend->close(device);
    return 0;
}

static void run_plan(const struct assay_plan *plan, struct assay_buffer *const memory[3])
{
    struct assay_dispatch dispatch[ASSAY_STEPS_MAX] = {0};
    struct assay_buffer *scratch = NULL;
    const struct assay_backend *backend = device->backend;
    if (plan->scratch_bytes) OK(backend->buffer_create(device, plan->scratch_bytes, &scratch, &error));
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct assay_step *step = &plan->step[i];
        OK(backend->program_create(device, &step->program, &dispatch[i].program, &error));
        for (uint32_t b = 0; b < step->program.bindings; b++) {
            struct assay_buffer *buffer = step->bind[b].role == ASSAY_ROLE_SCRATCH ? scratch
                                          : step->bind[b].role == ASSAY_ROLE_OUTPUT
                                              ? memory[2]
                                              : memory[step->bind[b].index];
            dispatch[i].binding[b] =
                (struct assay_binding){buffer, step->bind[b].offset_bytes, step->bind[b].bytes};
        }
        memcpy(dispatch[i].push, step->push, sizeof step->push);
        memcpy(dispatch[i].groups, step->groups, sizeof step->groups);
    }
    OK(backend->submit(device, dispatch, plan->step_count, &error));
    OK(backend->wait(device, 0, NULL, &error));
    for (size_t i = 0; i < plan->step_count; i++) backend->program_destroy(device, dispatch[i].program);
    backend->buffer_destroy(device, scratch);
}

struct shape {
    int64_t m, n, k, offset, pad;
    bool a_turned, b_turned;
};

static void set(struct assay_tensor *t, int64_t rows, int64_t columns, bool turned, const struct shape *s)
{
    assay_tensor_dense(t, ASSAY_F32, 2, (int64_t[]){rows, columns});
    t->stride[0] = turned ? 1 : columns + s->pad;
    t->stride[1] = turned ? rows + s->pad : 1;
    t->offset = s->offset;
    t->bytes = (uint64_t)(assay_tensor_extent(t) + 4) * 4;
}

typedef enum assay_status (*plan_fn)(const struct assay_device_info *, const struct assay_call *,
                                     enum assay_variant, struct assay_plan *, struct assay_error *);

static void judge(plan_fn plan_of, const struct shape *s)
{
    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor *t[3] = {&call.input[0], &call.input[1], &call.output[0]};
    struct assay_buffer *memory[3];
    float *host[3];
    static struct assay_plan plan;
    uint64_t state = 1 + (uint64_t)s->m;
    set(t[0], s->m, s->k, s->a_turned, s);
    set(t[1], s->k, s->n, s->b_turned, s);
    set(t[2], s->m, s->n, false, s);
    for (int i = 0; i < 3; i++) {
        host[i] = malloc(t[i]->bytes);
        for (uint64_t e = 0; e < t[i]->bytes / 4; e++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            host[i][e] = i == 2 ? -77 : (float)((int)(state >> 60) - 7);
        }
        OK(device->backend->buffer_create(device, t[i]->bytes, &memory[i], &error));
        OK(device->backend->write(device, memory[i], 0, host[i], t[i]->bytes, &error));
    }
    OK(plan_of(&device->info, &call, ASSAY_VARIANT_NATIVE, &plan, &error));
    run_plan(&plan, memory);
    float *got = malloc(t[2]->bytes);
    OK(device->backend->read(device, memory[2], 0, got, t[2]->bytes, &error));
    for (int64_t m = 0; m < s->m; m++)
        for (int64_t n = 0; n < s->n; n++) {
            float sum = 0;
            for (int64_t k = 0; k < s->k; k++)
                sum += host[0][t[0]->offset + m * t[0]->stride[0] + k * t[0]->stride[1]] *
                       host[1][t[1]->offset + k * t[1]->stride[0] + n * t[1]->stride[1]];
            host[2][t[2]->offset + m * t[2]->stride[0] + n * t[2]->stride[1]] = sum;
        }
    /* what lies between and around the rows of Y is compared too */
    for (uint64_t e = 0; e < t[2]->bytes / 4; e++)
        if (got[e] != host[2][e])
            fail_msg("m=%d n=%d k=%d: element %d is %g, not %g", (int)s->m, (int)s->n, (int)s->k, (int)e,
                     got[e], host[2][e]);
    free(got);
    for (int i = 0; i < 3; i++) {
        device->backend->buffer_destroy(device, memory[i]);
        free(host[i]);
    }
}

static const struct shape shapes[] = {
    {128, 128, 128, 0, 0, false, false}, /* whole tiles, 16-byte loads */
    {130, 70, 300, 0, 0, false, true},   /* tails, no common multiple of 4; B along k */
    {257, 132, 20, 4, 4, true, false},   /* a chain that is not full; A along m */
    {132, 260, 261, 1, 3, true, true},   /* unaligned everything */
    {1, 129, 513, 0, 0, false, false},   /* one row */
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

#define ROW(name)                                                                                            \
    static void name(void **unused)                                                                          \
    {                                                                                                        \
        char why[160];                                                                                       \
        (void)unused;                                                                                        \
        if (!device) skip();                                                                                 \
        if (!matmul_vulkan_##name##_present(&device->info, why)) {                                           \
            print_message("%s: %s\n", #name, why);                                                           \
            skip();                                                                                          \
        }                                                                                                    \
        for (int i = 0; i < SHAPES; i++)                                                                     \
            if (shapes[i].k > 128 || strcmp(#name, "split") != 0)                                            \
                judge(matmul_vulkan_##name##_plan, &shapes[i]);                                              \
    }
ROW(plain)
ROW(tile32)
ROW(tile64)
ROW(tile128)
ROW(tile128d8)
ROW(split)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain), cmocka_unit_test(tile32),  cmocka_unit_test(tile64),
        cmocka_unit_test(split), cmocka_unit_test(tile128), cmocka_unit_test(tile128d8),
    };
    return cmocka_run_group_tests(tests, open_software, close_device);
}
