/* Memory that a kernel takes for its own sake: as many buffers of one size as a plan asks for or the device has, and the
 * dispatches that go through them.
 *
 * Knows plans and buffers, no operator. The end of memory is no failure here as long as there is one buffer. */
#include "kernels/engine.h"

#include <stdlib.h>
#include <string.h>

void engine_parts_free(struct assay_engine *engine)
{
    const struct assay_backend *backend = engine->device->backend;
    for (uint32_t i = 0; i < engine->part_count; i++)
        backend->buffer_destroy(engine->device, engine->parts[i]);
    free(engine->parts);
    engine->parts = NULL;
    engine->part_count = 0;
    engine->part_bytes = 0;
}

enum assay_status engine_parts_take(struct assay_engine *engine, const struct assay_plan *plan,
                                    struct assay_error *error)
{
    const struct assay_backend *backend = engine->device->backend;
    struct assay_error full = {0};
    enum assay_status status = ASSAY_OK;
    engine_parts_free(engine);
    engine->parts = calloc(plan->part_count, sizeof *engine->parts);
    if (!engine->parts)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory to list %u buffers",
                               plan->part_count);
    engine->part_bytes = plan->part_bytes;
    while (engine->part_count < plan->part_count && status == ASSAY_OK) {
        status = backend->buffer_create(engine->device, plan->part_bytes, &engine->parts[engine->part_count],
                                        &full);
        if (status == ASSAY_OK) engine->part_count++;
    }
    if (status == ASSAY_OK) return ASSAY_OK;
    /* Drivers end in many ways: no memory, no mapping, too many allocations. What there is serves, but for the last
     * buffer, which is left to the driver: it needs memory for every submission. */
    if (status != ASSAY_DEVICE_LOST && engine->part_count > 0) {
        if (engine->part_count > 1)
            backend->buffer_destroy(engine->device, engine->parts[--engine->part_count]);
        return ASSAY_OK;
    }
    engine_parts_free(engine);
    return assay_error_set(error, status, "%s", full.text);
}

/* One dispatch a part from `from` to below `to`. */
static size_t expand_step(const struct assay_engine *engine, const struct assay_step *step,
                          const struct assay_dispatch *made, uint32_t from, uint32_t to,
                          struct assay_dispatch *out)
{
    for (uint32_t i = 0; out && i < to - from; i++) {
        const uint32_t part = step->descending ? to - 1 - i : from + i;
        out[i] = *made;
        memcpy(out[i].push, &part, sizeof part);
        for (uint32_t b = 0; b < step->program.bindings; b++)
            if (step->bind[b].role == ASSAY_ROLE_PART)
                out[i].binding[b].buffer = engine->parts[part % engine->part_count];
    }
    return to - from;
}

size_t engine_parts_expand(const struct assay_engine *engine, const struct assay_plan *plan,
                           const struct assay_dispatch *made, struct assay_dispatch *out)
{
    size_t count = 0;
    for (size_t s = 0; s < plan->step_count; s++) {
        if (plan->step[s].each_part) continue;
        if (out) out[count] = made[s];
        count++;
    }
    for (uint32_t from = 0; from < plan->part_count; from += engine->part_count) {
        const uint32_t left = plan->part_count - from;
        const uint32_t to = from + (left < engine->part_count ? left : engine->part_count);
        for (size_t s = 0; s < plan->step_count; s++)
            if (plan->step[s].each_part)
                count += expand_step(engine, &plan->step[s], made ? &made[s] : NULL, from, to,
                                     out ? out + count : NULL);
    }
    return count;
}
