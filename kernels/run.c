/* Running an operator: check the call, pick a row of the kernel table, compile its programs once, try its known answers
 * once, submit and wait.
 *
 * Knows rows and plans, no operator and no driver. */
#include "devices/clock.h"
#include "kernels/engine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- the call ---- */

static const char *op_name(const struct assay_call *call)
{
    return call->op ? call->op : "?";
}

/* Is the call well formed? with_buffers: must every tensor have memory of this engine too? */
static enum assay_status check_call(const struct assay_engine *engine, const struct assay_call *call,
                                    bool with_buffers, struct assay_error *error)
{
    if (!call->op || !call->op[0])
        return assay_error_set(error, ASSAY_INVALID_INPUT, "the call names no operator");
    if (call->input_count > ASSAY_INPUTS_MAX || call->output_count > ASSAY_OUTPUTS_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: %zu inputs and %zu outputs, at most %d and %d", call->op,
                               call->input_count, call->output_count, ASSAY_INPUTS_MAX, ASSAY_OUTPUTS_MAX);
    for (size_t i = 0; i < call->input_count + call->output_count; i++) {
        bool is_output = i >= call->input_count;
        size_t index = is_output ? i - call->input_count : i;
        const struct assay_tensor *tensor = is_output ? &call->output[index] : &call->input[index];
        char name[80];
        snprintf(name, sizeof name, "%s %zu of %.40s", is_output ? "output" : "input", index, call->op);
        enum assay_status status = assay_tensor_check(tensor, name, error);
        if (status != ASSAY_OK) return status;
        if (!with_buffers) continue;
        const struct engine_buffer *live = engine_buffer_find(engine, tensor->buffer);
        if (!live)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s has no buffer of this engine", name);
        if (tensor->bytes > live->bytes)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s says that its buffer has %" PRIu64 " bytes, it has %" PRIu64, name,
                                   tensor->bytes, live->bytes);
    }
    return ASSAY_OK;
}

/* First and past-the-last byte of a view. */
static void view_range(const struct assay_tensor *tensor, uint64_t range[2])
{
    uint64_t size = assay_dtype_bytes(tensor->dtype);
    range[0] = (uint64_t)tensor->offset * size;
    range[1] = assay_tensor_elems(tensor) ? (uint64_t)assay_tensor_extent(tensor) * size : range[0];
}

static enum assay_status check_overlap(const struct assay_call *call, struct assay_error *error)
{
    size_t count = call->input_count + call->output_count;
    for (size_t o = 0; o < call->output_count; o++)
        for (size_t i = 0; i < count; i++) {
            const struct assay_tensor *other =
                i < call->input_count ? &call->input[i] : &call->output[i - call->input_count];
            const struct assay_tensor *output = &call->output[o];
            uint64_t a[2], b[2];
            if (other == output || other->buffer != output->buffer) continue;
            view_range(output, a);
            view_range(other, b);
            if (a[0] < b[1] && b[0] < a[1])
                return assay_error_set(error, ASSAY_INVALID_INPUT,
                                       "%s: output %zu overlaps another tensor of the call", call->op, o);
        }
    return ASSAY_OK;
}

/* ---- the row ---- */

static bool ASSAY_PRINTF(2, 3) not_taken(char why[256], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, 256, format, args);
    va_end(args);
    return false;
}

/* Does this row take the call as asked? */
static bool row_takes(const struct assay_engine *engine, const struct engine_row *row,
                      const struct assay_call *call, char why[256])
{
    const struct assay_kernel *kernel = row->kernel;
    char reason[160] = "";
    if (!row->present) return not_taken(why, "%s", row->why);
    if (kernel->variants && !(kernel->variants >> engine->variant & 1))
        return not_taken(why, "has no %s form of the fused multiply-add",
                         assay_variant_name(engine->variant));
    if (call->output_count && call->output[0].dtype != kernel->dtype)
        return not_taken(why, "output is %s, the kernel makes %s", assay_dtype_name(call->output[0].dtype),
                         assay_dtype_name(kernel->dtype));
    if (!kernel->supports(&engine->device->info, call, reason)) return not_taken(why, "%s", reason);
    return true;
}

/* The cheapest row that takes the call. When there is none, the text gives each candidate's reason. A row that failed its
 * known answers stays where it is in this order: another one never stands in for it unasked. */
static enum assay_status pick_row(struct assay_engine *engine, const struct assay_call *call,
                                  const struct assay_run_params *params, struct engine_row **picked,
                                  struct assay_error *error)
{
    char label[24], name[64], why[256], reasons[400] = "", last[256] = "";
    size_t used = 0, candidates = 0;
    double best = 0;
    bool known_op = false;
    assay_device_label(&engine->device->info, label);
    *picked = NULL;
    for (size_t i = 0; i < engine->row_count; i++) {
        struct engine_row *row = &engine->rows[i];
        const struct assay_kernel *kernel = row->kernel;
        if (strcmp(kernel->op, call->op) != 0) continue;
        known_op = true;
        if (kernel->mode != params->mode) continue;
        if (params->technique && strcmp(params->technique, kernel->technique) != 0) continue;
        candidates++;
        if (row_takes(engine, row, call, why)) {
            double cost = kernel->cost(&engine->device->info, call);
            if (*picked && cost >= best) continue;
            best = cost;
            *picked = row;
            continue;
        }
        if (used < sizeof reasons && strcmp(why, last) != 0)
            used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s: %s", used ? "; " : "",
                                     assay_kernel_name(kernel, name), why);
        snprintf(last, sizeof last, "%s", why);
    }
    if (*picked) return ASSAY_OK;
    if (!known_op)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: no kernel computes %.60s", label, call->op);
    if (!candidates)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: no %s kernel of %.60s is called %.60s", label,
                               assay_mode_name(params->mode), call->op,
                               params->technique ? params->technique : "?");
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %s", label, reasons);
}

/* ---- programs ---- */

static bool same_program(const struct assay_program_params *a, const struct assay_program_params *b)
{
    return a->codes == b->codes && a->code_count == b->code_count && a->bindings == b->bindings &&
           a->push_bytes == b->push_bytes && memcmp(a->group, b->group, sizeof a->group) == 0 &&
           a->shared_bytes == b->shared_bytes && a->waits_itself == b->waits_itself &&
           a->controls == b->controls && a->spec_count == b->spec_count &&
           memcmp(a->spec, b->spec, a->spec_count * sizeof *a->spec) == 0;
}

static enum assay_status hash_program(const struct assay_program_params *params,
                                      const struct assay_code *code, uint64_t *hash,
                                      struct assay_error *error)
{
    uint32_t *patched = NULL;
    size_t words = 0;
    const void *data = code->data;
    size_t bytes = assay_code_bytes(code);
    if (code->kind == ASSAY_CODE_SPIRV) {
        enum assay_status status =
            assay_spirv_patch(code->data, bytes / 4, params->controls, &patched, &words, error);
        if (status != ASSAY_OK) return status;
        data = patched;
        bytes = 4 * words;
    }
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, code->name, strlen(code->name) + 1);
    if (bytes) XXH3_64bits_update(&state, data, bytes);
    XXH3_64bits_update(&state, &params->controls, sizeof params->controls);
    XXH3_64bits_update(&state, params->group, sizeof params->group);
    XXH3_64bits_update(&state, &params->shared_bytes, sizeof params->shared_bytes);
    XXH3_64bits_update(&state, params->spec, params->spec_count * sizeof *params->spec);
    *hash = XXH3_64bits_digest(&state);
    free(patched);
    return ASSAY_OK;
}

static enum assay_variant row_form(const struct assay_engine *engine, const struct assay_kernel *kernel)
{
    return assay_exact_form(&engine->traits, kernel, engine->variant);
}

/* A step's program with what the engine adds: controls, and the variant as specialisation constant 3 (exact/exact.h). */
static struct assay_program_params step_params(const struct assay_engine *engine,
                                               const struct assay_kernel *kernel,
                                               const struct assay_step *step)
{
    struct assay_program_params params = step->program;
    const enum assay_variant form = row_form(engine, kernel);
    params.controls =
        form == engine->variant ? engine->controls : assay_exact_controls(&engine->traits, form);
    if (kernel->variants) {
        params.spec[0] = form;
        if (!params.spec_count) params.spec_count = 1;
    }
    return params;
}

/* The program of a step, compiled when it is not there yet. The pointer holds until the next call. */
static enum assay_status get_program(struct assay_engine *engine, const struct assay_kernel *kernel,
                                     const struct assay_step *step, const struct engine_program **found,
                                     struct assay_error *error)
{
    struct assay_program_params params = step_params(engine, kernel, step);
    for (size_t i = 0; i < engine->program_count; i++)
        if (same_program(&engine->programs[i].params, &params)) {
            *found = &engine->programs[i];
            return ASSAY_OK;
        }
    if (engine->program_count == engine->program_cap) {
        size_t cap = engine->program_cap ? 2 * engine->program_cap : 16;
        struct engine_program *more = realloc(engine->programs, cap * sizeof *more);
        if (!more)
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory to list %zu programs", cap);
        engine->programs = more;
        engine->program_cap = cap;
    }
    struct engine_program *entry = &engine->programs[engine->program_count];
    const struct assay_code *loaded = NULL;
    params.loaded = &loaded;
    enum assay_status status =
        engine->device->backend->program_create(engine->device, &params, &entry->program, error);
    if (status != ASSAY_OK) return status;
    params.loaded = NULL;
    entry->params = params;
    status = hash_program(&params, loaded ? loaded : params.codes, &entry->hash, error);
    if (status != ASSAY_OK) {
        engine->device->backend->program_destroy(engine->device, entry->program);
        return status;
    }
    engine->program_count++;
    *found = entry;
    return ASSAY_OK;
}

/* ---- one submission ---- */

static enum assay_status grow_scratch(struct assay_engine *engine, uint64_t bytes, struct assay_error *error)
{
    const struct assay_backend *backend = engine->device->backend;
    if (bytes <= engine->scratch.bytes) return ASSAY_OK;
    backend->buffer_destroy(engine->device, engine->scratch.buffer);
    engine->scratch = (struct engine_buffer){0};
    enum assay_status status = backend->buffer_create(engine->device, bytes, &engine->scratch.buffer, error);
    if (status == ASSAY_OK) engine->scratch.bytes = bytes;
    return status;
}

static struct assay_buffer *role_buffer(const struct assay_engine *engine, const struct assay_call *call,
                                        enum assay_role role, uint32_t index)
{
    if (role == ASSAY_ROLE_SCRATCH) return engine->scratch.buffer;
    if (role == ASSAY_ROLE_PART) return NULL; /* parts.c */
    return role == ASSAY_ROLE_INPUT ? call->input[index].buffer : call->output[index].buffer;
}

/* Plan, compile and submit. *hash covers every program of the plan; *submitted is false when there was nothing to run. */
static enum assay_status submit_row(struct assay_engine *engine, const struct assay_kernel *kernel,
                                    const struct assay_call *call, const struct assay_run_params *params,
                                    uint64_t *hash, bool *submitted, struct assay_error *error)
{
    const struct assay_backend *backend = engine->device->backend;
    struct assay_plan *plan = malloc(sizeof *plan);
    struct assay_dispatch *dispatches = NULL, made[ASSAY_STEPS_MAX] = {0};
    enum assay_status status;
    uint64_t hashes[ASSAY_STEPS_MAX];
    size_t repeat = params->repeat ? params->repeat : 1, lead = 0;
    *hash = 0;
    *submitted = false;
    if (!plan) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for a plan");
    memset(plan, 0, sizeof *plan);
    status = kernel->plan(&engine->device->info, call, row_form(engine, kernel), plan, error);
    if (status != ASSAY_OK || !plan->step_count) goto out;
    if ((status = grow_scratch(engine, plan->scratch_bytes, error)) != ASSAY_OK) goto out;
    if (plan->part_count && (status = engine_parts_take(engine, plan, error)) != ASSAY_OK) goto out;

    if (params->lead == ASSAY_LEAD_FLUSH && (status = engine_meter(engine, error)) != ASSAY_OK) goto out;
    const size_t count = engine_parts_expand(engine, plan, NULL, NULL);
    if (repeat > SIZE_MAX / sizeof *dispatches / count - 1 ||
        !(dispatches = calloc((repeat + 1) * count, sizeof *dispatches))) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                                 "no host memory for %zu repeats of %zu dispatches", repeat, count);
        goto out;
    }
    for (size_t s = 0; s < plan->step_count; s++) {
        const struct assay_step *step = &plan->step[s];
        const struct engine_program *program = NULL;
        if ((status = get_program(engine, kernel, step, &program, error)) != ASSAY_OK) goto out;
        hashes[s] = program->hash;
        struct assay_dispatch *dispatch = &made[s];
        dispatch->program = program->program;
        for (uint32_t b = 0; b < step->program.bindings; b++)
            dispatch->binding[b] = (struct assay_binding){
                .buffer = role_buffer(engine, call, step->bind[b].role, step->bind[b].index),
                .offset_bytes = step->bind[b].offset_bytes,
                .bytes = step->bind[b].bytes,
            };
        memcpy(dispatch->push, step->push, sizeof dispatch->push);
        memcpy(dispatch->groups, step->groups, sizeof dispatch->groups);
    }
    *hash = plan->step_count == 1 ? hashes[0] : XXH3_64bits(hashes, plan->step_count * sizeof *hashes);
    engine_parts_expand(engine, plan, made, dispatches);
    for (size_t r = 1; r <= repeat; r++)
        memcpy(dispatches + r * count, dispatches, count * sizeof *dispatches);

    /* What leads lies in the first run's place; a flush is one dispatch, the last of it. */
    if (params->lead == ASSAY_LEAD_FLUSH) assay_meter_flush(engine->meter, &dispatches[count - 1]);
    lead = params->lead == ASSAY_LEAD_ONCE ? count : params->lead == ASSAY_LEAD_FLUSH ? 1 : 0;
    engine->device->lead = lead;
    engine->device->untimed = params->untimed;
    status = backend->submit(engine->device, dispatches + count - lead, repeat * count + lead, error);
    engine->device->lead = 0;
    engine->device->untimed = false;
    *submitted = status == ASSAY_OK;
out:
    if (status != ASSAY_OK) engine_parts_free(engine);
    free(dispatches);
    free(plan);
    return status;
}

/* Submit and wait. *hash is 0 when there was nothing to run. */
static enum assay_status run_row(struct assay_engine *engine, const struct assay_kernel *kernel,
                                 const struct assay_call *call, const struct assay_run_params *params,
                                 uint64_t *hash, uint64_t *device_ns, struct assay_error *error)
{
    bool submitted;
    *device_ns = 0;
    enum assay_status status = submit_row(engine, kernel, call, params, hash, &submitted, error);
    if (status != ASSAY_OK || !submitted) return status;
    status = engine->device->backend->wait(engine->device, params->timeout_ns, device_ns, error);
    if (status == ASSAY_TIMEOUT)
        engine->in_flight = true;
    else
        engine_parts_free(engine);
    return status;
}

/* ---- code ---- */

/* Fold the code of every candidate of a plan's programs, with all that shapes them, into *code. */
static enum assay_status fold_plan(struct assay_engine *engine, const struct assay_kernel *kernel,
                                   const struct assay_call *call, struct assay_plan *plan, uint64_t *code,
                                   struct assay_error *error)
{
    memset(plan, 0, sizeof *plan);
    enum assay_status status =
        kernel->plan(&engine->device->info, call, row_form(engine, kernel), plan, error);
    for (size_t s = 0; s < plan->step_count && status == ASSAY_OK; s++) {
        struct assay_program_params params = step_params(engine, kernel, &plan->step[s]);
        for (size_t c = 0; c < params.code_count && status == ASSAY_OK; c++) {
            uint64_t pair[2] = {*code, 0};
            status = hash_program(&params, &params.codes[c], &pair[1], error);
            *code = XXH3_64bits(pair, sizeof pair);
        }
    }
    return status;
}

enum assay_status engine_row_code(struct assay_engine *engine, const struct engine_row *row, uint64_t *code,
                                  struct assay_error *error)
{
    const struct assay_kernel *kernel = row->kernel;
    struct assay_plan *plan = malloc(sizeof *plan);
    enum assay_status status = ASSAY_OK;
    char why[256];
    *code = 0;
    if (!plan) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for a plan");
    for (size_t i = 0; i < kernel->known_count && status == ASSAY_OK; i++) {
        struct assay_call call = kernel->known[i].call;
        if (!row_takes(engine, row, &call, why)) continue;
        for (size_t t = 0; t < call.input_count + call.output_count; t++) {
            struct assay_tensor *tensor =
                t < call.input_count ? &call.input[t] : &call.output[t - call.input_count];
            tensor->bytes = (uint64_t)assay_tensor_elems(tensor) * assay_dtype_bytes(tensor->dtype);
        }
        status = fold_plan(engine, kernel, &call, plan, code, error);
    }
    free(plan);
    return status;
}

/* ---- known answers ---- */

static uint32_t canonical(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits;
}

/* Run one known call on fresh buffers. *differs tells of a wrong answer, in words. */
static enum assay_status try_known(struct assay_engine *engine, const struct assay_kernel *kernel,
                                   const struct assay_known_answer *known, uint64_t *hash, char differs[160],
                                   struct assay_error *error)
{
    const struct assay_backend *backend = engine->device->backend;
    struct assay_call call = known->call;
    struct assay_buffer *buffer[ASSAY_INPUTS_MAX + ASSAY_OUTPUTS_MAX] = {0};
    size_t count = call.input_count + call.output_count;
    uint32_t *got = NULL;
    uint64_t device_ns;
    enum assay_status status = ASSAY_OK;
    differs[0] = '\0';
    for (size_t i = 0; i < count && status == ASSAY_OK; i++) {
        bool is_input = i < call.input_count;
        struct assay_tensor *tensor = is_input ? &call.input[i] : &call.output[i - call.input_count];
        uint64_t bytes = (uint64_t)assay_tensor_elems(tensor) * assay_dtype_bytes(tensor->dtype);
        status = backend->buffer_create(engine->device, bytes < 4 ? 4 : bytes, &buffer[i], error);
        tensor->buffer = buffer[i];
        tensor->data = NULL;
        tensor->bytes = bytes;
        if (status != ASSAY_OK || !bytes) continue;
        if (is_input) {
            status = backend->write(engine->device, buffer[i], 0, known->input[i], bytes, error);
            continue;
        }
        if (!(got = malloc(bytes))) {
            status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for a known answer");
            break;
        }
        memset(got, 0xff, bytes);
        status = backend->write(engine->device, buffer[i], 0, got, bytes, error);
        free(got);
        got = NULL;
    }
    static const struct assay_run_params once;
    if (status == ASSAY_OK) status = run_row(engine, kernel, &call, &once, hash, &device_ns, error);
    for (size_t o = 0; o < call.output_count && status == ASSAY_OK && !differs[0]; o++) {
        const struct assay_tensor *output = &call.output[o];
        uint64_t bytes = (uint64_t)assay_tensor_elems(output) * assay_dtype_bytes(output->dtype);
        uint64_t words = (bytes + 3) / 4;
        if (!bytes) continue;
        got = calloc(words, 4);
        if (!got) {
            status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for a known answer");
            break;
        }
        status = backend->read(engine->device, output->buffer, 0, got, bytes, error);
        bool floats = output->dtype == ASSAY_F32;
        for (uint64_t w = 0; w < words && status == ASSAY_OK; w++) {
            uint32_t is = floats ? canonical(got[w]) : got[w], right = known->output[o][w];
            if (is == (floats ? canonical(right) : right)) continue;
            snprintf(differs, 160, "%s %" PRIu64 " is %08" PRIx32 ", %08" PRIx32 " is right",
                     assay_dtype_bytes(output->dtype) == 4 ? "element" : "word", w, got[w], right);
            break;
        }
        free(got);
        got = NULL;
    }
    for (size_t i = 0; i < count; i++) backend->buffer_destroy(engine->device, buffer[i]);
    return status;
}

/* Before a row's first use: every known answer that it takes, and at least one. The verdict stays. */
static enum assay_status prove_row(struct assay_engine *engine, struct engine_row *row,
                                   struct assay_error *error)
{
    const struct assay_kernel *kernel = row->kernel;
    char why[256], differs[160], name[64], label[24];
    size_t taken = 0;
    for (size_t i = 0; i < kernel->known_count && !row->tried; i++) {
        if (!row_takes(engine, row, &kernel->known[i].call, why)) continue;
        uint64_t hash;
        enum assay_status status = try_known(engine, kernel, &kernel->known[i], &hash, differs, error);
        if (status != ASSAY_OK) return status;
        if (!row->hash) row->hash = hash;
        taken++;
        if (!differs[0]) continue;
        row->refused = row->tried = true;
        snprintf(row->why, sizeof row->why, "its %s form fails known answer %zu: %s",
                 assay_variant_name(row_form(engine, kernel)), i, differs);
    }
    if (!row->tried && !taken) {
        row->refused = true;
        snprintf(row->why, sizeof row->why, "it takes none of its %zu known answers", kernel->known_count);
    }
    row->tried = true;
    if (!row->refused) return ASSAY_OK;
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: kernel %s is refused: %s",
                           assay_device_label(&engine->device->info, label), assay_kernel_name(kernel, name),
                           row->why);
}

/* ---- the public calls ---- */

static const struct assay_run_params run_defaults;

enum assay_status assay_supports(struct assay_engine *engine, const struct assay_call *call,
                                 const struct assay_run_params *params, struct assay_error *error)
{
    struct engine_row *row;
    enum assay_status status = check_call(engine, call, false, error);
    if (status != ASSAY_OK) return status;
    return pick_row(engine, call, params ? params : &run_defaults, &row, error);
}

enum assay_status assay_start(struct assay_engine *engine, const struct assay_call *call,
                              const struct assay_run_params *params, struct assay_error *error)
{
    struct engine_row *row = NULL;
    const uint64_t begin_ns = assay_clock_ns();
    struct assay_run_report *report = &engine->started.report;
    uint64_t hash = 0;
    if (!params) params = &run_defaults;
    enum assay_status status = engine_ready(engine, op_name(call), params->timeout_ns, error);
    if (status != ASSAY_OK) return status;
    engine->started.known = true;
    memset(report, 0, sizeof *report);
    status = check_call(engine, call, true, error);
    if (status == ASSAY_OK) status = check_overlap(call, error);
    if (status == ASSAY_OK) status = pick_row(engine, call, params, &row, error);
    if (status != ASSAY_OK) return status;
    assay_kernel_name(row->kernel, report->kernel);
    snprintf(report->variant, sizeof report->variant, "%s",
             row->kernel->variants ? assay_variant_name(row_form(engine, row->kernel)) : "");
    status = prove_row(engine, row, error);
    if (status == ASSAY_OK)
        status = submit_row(engine, row->kernel, call, params, &hash, &engine->started.running, error);
    report->kernel_hash = hash ? hash : row->hash;
    if (engine->part_count) report->part_bytes = engine->part_count * engine->part_bytes;
    engine->started.active = status == ASSAY_OK;
    if (engine->started.running) {
        const struct assay_device *device = engine->device;
        report->dispatches = device->recorded;
        report->submit_ns = device->submit_ns;
        report->record_ns = assay_clock_ns() - begin_ns - device->submit_ns;
    }
    return status;
}

enum assay_status engine_settle(struct assay_engine *engine, uint64_t timeout_ns, struct assay_error *error)
{
    struct engine_started *started = &engine->started;
    if (!started->running) return ASSAY_OK;
    const uint64_t begin_ns = assay_clock_ns();
    enum assay_status status =
        engine->device->backend->wait(engine->device, timeout_ns, &started->report.device_ns, error);
    started->report.other_ns += assay_clock_ns() - begin_ns;
    if (status == ASSAY_TIMEOUT) return status;
    engine_parts_free(engine);
    started->running = false;
    if (status != ASSAY_OK) started->active = false;
    return status;
}

static enum assay_status check_started(const struct assay_engine *engine, const char *act,
                                       struct assay_error *error)
{
    char label[24];
    if (engine->started.active) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s, but nothing was started",
                           assay_device_label(&engine->device->info, label), act);
}

enum assay_status assay_poll(struct assay_engine *engine, bool *done, struct assay_error *error)
{
    struct assay_error late = {0};
    *done = false;
    enum assay_status status = check_started(engine, "poll", error);
    if (status != ASSAY_OK) return status;
    status = engine_settle(engine, 1, &late); /* a nanosecond: no backend takes 0 as "do not wait" */
    if (status == ASSAY_TIMEOUT) return ASSAY_OK;
    *done = status == ASSAY_OK;
    return status == ASSAY_OK ? status : assay_error_set(error, status, "%s", late.text);
}

enum assay_status assay_collect(struct assay_engine *engine, uint64_t timeout_ns,
                                struct assay_run_report *report, struct assay_error *error)
{
    if (report) memset(report, 0, sizeof *report);
    enum assay_status status = check_started(engine, "collect", error);
    if (status == ASSAY_OK) status = engine_settle(engine, timeout_ns, error);
    if (status == ASSAY_OK && report) *report = engine->started.report;
    if (status == ASSAY_OK) engine->started.active = false;
    return status;
}

enum assay_status assay_run(struct assay_engine *engine, const struct assay_call *call,
                            const struct assay_run_params *params, struct assay_run_report *report,
                            struct assay_error *error)
{
    if (!params) params = &run_defaults;
    engine->started.known = false;
    enum assay_status status = assay_start(engine, call, params, error);
    /* A refused or failed run tells what it would have been; one that found the handle busy knows nothing. */
    if (report) *report = engine->started.known ? engine->started.report : (struct assay_run_report){0};
    if (status != ASSAY_OK) return status;
    status = engine_settle(engine, params->timeout_ns, error);
    if (report) report->device_ns = engine->started.report.device_ns;
    if (report) report->other_ns = engine->started.report.other_ns;
    if (status == ASSAY_TIMEOUT) { /* nobody collects it: the next call waits for it */
        engine->started.running = false;
        engine->in_flight = true;
    }
    engine->started.active = false;
    return status;
}
