/* The verb bench: judge each kernel on each case, then time those that are right, in processes of their own, turn by turn.
 *
 * An invocation is one process a device and side; it goes through all cells, forwards in odd ones and backwards in even
 * ones, so that sides and kernels meet as A B B A. One device at a time. */
#include "harness/bench_run.h"
#include "harness/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOPS_ALLOWED      4e8 /* of the contract oracle a case, above which rows are sampled */
#define RESTART_TIMEOUT_NS (120 * UINT64_C(1000000000))
#define MEASURE_TIMEOUT_NS (120 * UINT64_C(1000000000))
#define INVOCATIONS        5
#define ROUNDS_AB          4

double bench_ceiling(const struct bench_run *bench, size_t device, const char *name)
{
    for (size_t at = 0; at < bench->ceiling_count[device]; at++)
        if (strcmp(bench->ceiling[device][at].name, name) == 0) return bench->ceiling[device][at].value;
    return NAN;
}

static struct session *session_of(const struct bench_run *bench, size_t side, size_t device)
{
    return side == 0 ? &bench->run->session[device] : &bench->session[side][device];
}

static const struct inventory_kernel *find_kernel(const struct bench_run *bench, const char *name)
{
    const struct inventory *inventory = &bench->run->inventory;
    for (size_t at = 0; at < inventory->kernel_count; at++)
        if (strcmp(inventory->kernel[at].name, name) == 0) return &inventory->kernel[at];
    return NULL;
}

/* ---- opening ---- */

static enum assay_status make_sides(struct bench_run *bench, struct assay_error *error)
{
    static const char *const names[BENCH_SIDES] = {"A", "B"};
    const struct options *options = bench->run->options;
    bench->side_count = options->ab[0] ? 2 : 1;
    bench->invocations = options->invocations ? options->invocations
                         : options->ab[0]     ? ROUNDS_AB
                                              : INVOCATIONS;
    bench->side[0] = (struct bench_side){.name = "", .text = "", .options = *options};
    for (size_t side = 0; side < bench->side_count && options->ab[0]; side++) {
        bench->side[side].name = names[side];
        const enum assay_status status =
            bench_side_parse(options->ab[side], options, &bench->run->inventory, &bench->side[side], error);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

/* Every device that opens for every side; the others are told. */
static enum assay_status open_devices(struct bench_run *bench, const atomic_int *stop,
                                      struct assay_error *error)
{
    struct run *run = bench->run;
    if (bench->side_count > 1 && !(bench->session[1] = calloc(OPTIONS_LIST_MAX, sizeof *bench->session[1])))
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for sessions");
    for (size_t at = 0; at < run->chosen_count && !*stop; at++) {
        const struct inventory_device *device = &run->inventory.device[run->chosen[at]];
        const size_t place = run->session_count;
        bool opened = true;
        const char *why = "";
        for (size_t side = 0; side < bench->side_count && opened; side++) {
            struct session *session = session_of(bench, side, place);
            const enum assay_status status = session_open(&bench->side[side].options, device, session, error);
            if (status != ASSAY_OK) return status;
            opened = session->opened;
            why = session->why;
        }
        run->device[place] = (struct run_device){.device = device};
        enum assay_status status =
            record_device(run, device, &run->session[place], NULL, why, &run->device[place].device_id, error);
        if (status == ASSAY_OK && !opened) {
            fprintf(stderr, "%s %s: not opened: %s\n", device->label, device->name, why);
            run->open_errors++;
            snprintf(run->open_error, sizeof run->open_error, "%s cannot be opened: %.500s", device->label,
                     why);
        }
        if (status == ASSAY_OK && opened) {
            status = plan_device_make(&run->inventory, run->chosen[at], run->options->kernel,
                                      run->session[place].probe_json, &run->plan_device[place], error);
            /* Without --kernel a case is timed on the engine's own choice. */
            if (!run->options->kernel) run->plan_device[place].kernel_count = 0;
            run->session_count++;
        } else {
            for (size_t side = 0; side < bench->side_count; side++)
                session_close(session_of(bench, side, place));
        }
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

/* ---- cells ---- */

static enum assay_status add_cell(struct bench_run *bench, const struct plan_row *row, size_t side,
                                  struct assay_error *error)
{
    struct bench_cell *list = realloc(bench->cell, (bench->cell_count + 1) * sizeof *list);
    if (!list) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the cells");
    bench->cell = list;
    const char *kernel = bench->side[side].kernel ? bench->side[side].kernel : row->kernel;
    const struct inventory_kernel *described = find_kernel(bench, kernel);
    list[bench->cell_count++] =
        (struct bench_cell){.entry = (size_t)(row->entry - bench->run->corpus.entry),
                            .device = row->device,
                            .side = side,
                            .kernel = kernel,
                            .mode = described && *described->mode ? described->mode : "exact"};
    return ASSAY_OK;
}

static enum assay_status make_cells(struct bench_run *bench, struct assay_error *error)
{
    struct run *run = bench->run;
    for (size_t at = 0; at < run->corpus.count; at++)
        if (run->corpus.entry[at].onnx)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: bench times case lines; node tests of ONNX are too small to time",
                                   run->corpus.entry[at].line);
    enum assay_status status =
        plan_make(&run->corpus, run->plan_device, run->session_count, run->options->level,
                  run->options->kernel != NULL, &run->plan, error);
    for (size_t device = 0; device < run->session_count; device++)
        for (size_t at = 0; at < run->plan.row_count && status == ASSAY_OK; at++)
            for (size_t side = 0; side < bench->side_count && status == ASSAY_OK; side++)
                if (run->plan.row[at].device == device)
                    status = add_cell(bench, &run->plan.row[at], side, error);
    for (size_t at = 0; at < run->plan.capped_count && !run->options->json && !run->options->quiet; at++)
        printf("%s: not timed: %s: %s\n", run->session[run->plan.capped[at].device].device->label,
               run->plan.capped[at].entry->line, run->plan.capped[at].reason);
    bench->prepared = calloc(run->corpus.count + 1, sizeof *bench->prepared);
    if (status == ASSAY_OK && !bench->prepared)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for %zu cases", run->corpus.count);
    return status;
}

/* ---- judging ---- */

static struct judge_case *prepare(struct bench_run *bench, size_t entry, struct assay_error *error)
{
    struct run *run = bench->run;
    const struct corpus_entry *source_entry = &run->corpus.entry[entry];
    struct assay_tensor captured;
    struct judge_source source = {
        .line = source_entry->line, .spec = source_entry->spec, .flops_allowed = FLOPS_ALLOWED};
    if (bench->prepared[entry]) return bench->prepared[entry];
    if (source_entry->spec.file[0]) {
        if (gguf_case_tensor(run->gguf.path ? &run->gguf : NULL, &source_entry->spec, &captured, error) !=
            ASSAY_OK)
            return NULL;
        source.captured = &captured;
    }
    if (judge_prepare(&source, run->pool, &bench->prepared[entry], error) != ASSAY_OK) return NULL;
    bench->prepared[entry]->source.captured = NULL;
    return bench->prepared[entry];
}

/* The row of a cell that is not timed: wrong, or broken. */
static enum bench_verdict refusal(enum verdict verdict)
{
    return verdict == VERDICT_NONDET                             ? BENCH_NONDET
           : verdict == VERDICT_DIFF || verdict == VERDICT_GUARD ? BENCH_DIFF
                                                                 : BENCH_ERROR;
}

static bool is_right(enum verdict verdict)
{
    return verdict == VERDICT_PASS || verdict == VERDICT_REFLIMITED;
}

static bool was_not_judged(enum verdict verdict)
{
    return verdict == VERDICT_SKIP || verdict == VERDICT_DEADREF || verdict == VERDICT_UNPROVEN;
}

/* ---- recording ---- */

static enum assay_status store_result_row(struct bench_run *bench, const struct bench_result *result,
                                          const struct bench_timing *timing, struct assay_error *error)
{
    struct run *run = bench->run;
    const struct bench_cell *cell = &bench->cell[result->cell];
    const struct corpus_entry *entry = &run->corpus.entry[cell->entry];
    const struct judge_case *c = bench->prepared[cell->entry];
    const char *name = *cell->ran ? cell->ran : *cell->kernel ? cell->kernel : "(none ran)";
    const struct inventory_kernel *kernel = find_kernel(bench, name);
    struct store_sample *sample = NULL;
    char dtype[64] = "";
    double points = 0;
    if (!run->store) return ASSAY_OK;
    if (timing && timing->count && !(sample = calloc(timing->count, sizeof *sample)))
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for %zu samples", timing->count);
    for (size_t at = 0; timing && at < timing->count; at++) {
        const struct bench_sample *from = &timing->sample[at];
        sample[at] = (struct store_sample){
            from->ns,      from->clock_before_mhz, from->clock_after_mhz, from->throttle, from->temperature_c,
            from->power_w, from->rejected,         from->digest};
    }
    for (size_t at = 0; at < entry->spec.op.dtype_count; at++)
        snprintf(dtype + strlen(dtype), sizeof dtype - strlen(dtype), "%s%s", at ? "." : "",
                 assay_dtype_name(entry->spec.op.dtype[at]));
    for (size_t at = 0; c && at < c->sig.input_count; at++)
        points += (double)assay_tensor_elems(&c->sig.input[at].tensor);
    const struct bench_summary none = {0, NAN, NAN, NAN, NAN, NAN, NAN};
    const struct bench_summary *summary = timing ? &timing->summary : &none;
    const struct store_bench row = {
        .device_id = run->device[cell->device].device_id,
        .line = entry->line,
        .op_name = entry->spec.op.op->name,
        .case_dtype = dtype,
        .fill = entry->spec.fill,
        .kernel = name,
        .kernel_hash = cell->kernel_hash,
        .variant = cell->variant,
        .op = kernel ? kernel->op : "",
        .backend = run->device[cell->device].device->backend,
        .technique = kernel ? kernel->technique : "",
        .mode = cell->mode,
        .dtype = kernel ? kernel->dtype : "",
        .lane = result->cold ? "cold" : "hot",
        .side = bench->side[cell->side].name,
        .invocation = result->invocation,
        .warmups = timing ? timing->warmups : 0,
        .calls = timing ? timing->calls : 0,
        .rejected = result->rejected,
        .median_ns = summary->median_ns,
        .mad_ns = summary->mad_ns,
        .q1_ns = summary->q1_ns,
        .q3_ns = summary->q3_ns,
        .min_ns = summary->min_ns,
        .lag1 = summary->lag1,
        .launch_ns = result->launch_ns,
        .host_record_ns = result->record_ns,
        .host_submit_ns = result->submit_ns,
        .host_other_ns = result->other_ns,
        .dispatches = result->dispatches,
        .transfers = timing ? timing->transfers : 0,
        .points = points,
        .flops = plan_flops(entry),
        .bytes = (double)plan_bytes(entry),
        .roofline = result->roofline,
        .digest = timing && timing->count ? timing->sample[timing->count - 1].digest : cell->digest,
        .verdict = bench_verdict_name(result->verdict),
        .reason = result->reason,
        .sample = sample,
        .sample_count = timing ? timing->count : 0,
    };
    const enum assay_status status = store_bench_add(run->store, run->run_id, &row, error);
    free(sample);
    return status;
}

static enum assay_status add_result(struct bench_run *bench, const struct bench_result *result,
                                    const struct bench_timing *timing, struct assay_error *error)
{
    struct bench_result *list = realloc(bench->result, (bench->result_count + 1) * sizeof *list);
    if (!list) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the results");
    bench->result = list;
    list[bench->result_count++] = *result;
    return store_result_row(bench, result, timing, error);
}

static enum assay_status judge_cell(struct bench_run *bench, size_t at, struct assay_error *error)
{
    struct run *run = bench->run;
    struct bench_cell *cell = &bench->cell[at];
    struct assay_error why = {0};
    const struct judge_case *c = prepare(bench, cell->entry, &why);
    struct session_result result = {0};
    struct session *session = session_of(bench, cell->side, cell->device);
    cell->verdict = VERDICT_ERROR;
    if (!c) {
        snprintf(cell->reason, sizeof cell->reason, "%.290s", why.text);
    } else {
        const struct session_call call = {.c = c,
                                          .kernel = *cell->kernel ? cell->kernel : NULL,
                                          .mode = cell->mode,
                                          .timeout_ns = run->options->timeout_s * UINT64_C(1000000000),
                                          .rest_name = "",
                                          .pool = run->pool};
        session_run(session, &call, &result);
        cell->verdict = result.judgement.verdict;
        snprintf(cell->reason, sizeof cell->reason, "%.290s", result.judgement.reason);
        snprintf(cell->ran, sizeof cell->ran, "%s", result.reply.kernel);
        snprintf(cell->kernel_hash, sizeof cell->kernel_hash, "%s", result.reply.kernel_hash);
        snprintf(cell->variant, sizeof cell->variant, "%s", result.reply.variant);
        if (is_right(cell->verdict))
            snprintf(cell->digest, sizeof cell->digest, "%s", result.judgement.digest);
        session_take_back(session, &result);
    }
    const char *line = run->corpus.entry[cell->entry].line;
    if (is_right(cell->verdict)) return ASSAY_OK;
    if (was_not_judged(cell->verdict)) {
        bench->skipped++;
        if (!run->options->json)
            progress_say(&run->progress, "%s: %s %s: %s, not timed: %s\n", session->device->label,
                         cell->kernel, line, verdict_name(cell->verdict), cell->reason);
        return ASSAY_OK;
    }
    bench->refused++;
    if (!run->options->json)
        progress_say(&run->progress, "%-5s %s\n  kernel   %s %s\n  reason   not timed: %s\n",
                     verdict_name(cell->verdict), line, session->device->label,
                     *cell->ran ? cell->ran : cell->kernel, cell->reason);
    struct bench_result row = {.cell = at,
                               .cold = strcmp(run->options->lane, "hot") != 0,
                               .invocation = 1,
                               .median_ns = NAN,
                               .mad_ns = NAN,
                               .launch_ns = NAN,
                               .roofline = NAN,
                               .record_ns = NAN,
                               .submit_ns = NAN,
                               .other_ns = NAN,
                               .verdict = refusal(cell->verdict)};
    snprintf(row.reason, sizeof row.reason, "%s: %.280s", verdict_name(cell->verdict),
             *cell->reason ? cell->reason : "the output is not the contract's");
    return add_result(bench, &row, NULL, error);
}

/* Row H12: speed is compared where answers are equal. What was not judged has none, and is not timed either. */
static void compare_sides(struct bench_run *bench)
{
    struct run *run = bench->run;
    for (size_t at = 0; at + 1 < bench->cell_count && bench->side_count == 2; at += 2) {
        struct bench_cell *a = &bench->cell[at], *b = &bench->cell[at + 1];
        if (was_not_judged(a->verdict) || was_not_judged(b->verdict)) {
            a->digest[0] = b->digest[0] = 0;
            continue;
        }
        if (*a->digest && strcmp(a->digest, b->digest) == 0) continue;
        bench->differ = true;
        fprintf(stderr, "%s: A and B have different answers (%s %s, %s %s): speed is not compared\n",
                run->corpus.entry[a->entry].line, verdict_name(a->verdict), a->digest,
                verdict_name(b->verdict), b->digest);
    }
}

/* ---- timing ---- */

static const char *known_name(const char *name)
{
    static const char *const names[] = {"copy", "copy_hot", "fma_f32", "launch", "timer"};
    for (size_t at = 0; at < sizeof names / sizeof names[0]; at++)
        if (name && strcmp(name, names[at]) == 0) return names[at];
    return NULL;
}

/* The ceilings as this process measures them. An engine that measures none is timed without a roofline. */
static enum assay_status measure(struct bench_run *bench, size_t device, uint32_t invocation,
                                 struct assay_error *error)
{
    struct run *run = bench->run;
    struct assay_error why = {0};
    char *json = NULL;
    const json_t *item;
    size_t at;
    enum assay_status status = worker_measure(run->session[device].worker, MEASURE_TIMEOUT_NS, &json, &why);
    if (status == ASSAY_UNSUPPORTED || status == ASSAY_DEVICE_UNSUPPORTED) {
        if (invocation == 1)
            fprintf(stderr, "%s: no ceilings: %s\n", run->session[device].device->label, why.text);
        return ASSAY_OK;
    }
    if (status != ASSAY_OK) {
        if (error) *error = why;
        return status;
    }
    json_t *root = json_loads(json, 0, NULL);
    bench->ceiling_count[device] = 0;
    json_array_foreach(json_object_get(root, "ceilings"), at, item)
    {
        const char *name = known_name(json_string_value(json_object_get(item, "name")));
        const double value = json_number_value(json_object_get(item, "value"));
        if (!name || !(value > 0) || bench->ceiling_count[device] == BENCH_CEILINGS) continue;
        const bool flops = strcmp(name, "fma_f32") == 0, copy = strncmp(name, "copy", 4) == 0;
        bench->ceiling[device][bench->ceiling_count[device]++] = (struct store_ceiling){name,
                                                                                        flops  ? "flop/s"
                                                                                        : copy ? "bytes/s"
                                                                                               : "ns",
                                                                                        value};
    }
    json_decref(root);
    free(json);
    if (!run->store) return ASSAY_OK;
    return store_ceilings_add(run->store, run->run_id, run->device[device].device_id, invocation,
                              bench->ceiling[device], bench->ceiling_count[device], error);
}

static enum assay_status time_cell(struct bench_run *bench, size_t at, bool cold, uint32_t invocation,
                                   double budget_ns, const atomic_int *stop, struct bench_timing *timing,
                                   struct assay_error *error)
{
    struct run *run = bench->run;
    struct bench_cell *cell = &bench->cell[at];
    struct session *session = session_of(bench, cell->side, cell->device);
    const struct corpus_entry *entry = &run->corpus.entry[cell->entry];
    const double timer_ns = bench_ceiling(bench, cell->device, "timer");
    const struct bench_source source = {.worker = session->worker,
                                        .c = bench->prepared[cell->entry],
                                        .kernel = *cell->kernel ? cell->kernel : NULL,
                                        .mode = cell->mode,
                                        .digest = cell->digest,
                                        .flops = plan_flops(entry),
                                        .timer_ns = timer_ns > 0 ? timer_ns : 1000,
                                        .budget_ns = budget_ns,
                                        .timeout_ns = run->options->timeout_s * UINT64_C(1000000000),
                                        .cold = cold,
                                        .stop = stop};
    struct assay_error unused = {0};
    if (worker_state(session->worker) != WORKER_READY)
        worker_restart(session->worker, RESTART_TIMEOUT_NS, &unused);
    bench_time(&source, timing);
    if (*stop) return ASSAY_OK; /* a cell that was cut short is none */
    if (timing->no_entry) {
        if (!bench->no_cold++)
            fprintf(stderr, "%s: no cold lane: %s\n", session->device->label, timing->reason);
        return ASSAY_OK;
    }
    if (*timing->kernel) snprintf(cell->ran, sizeof cell->ran, "%s", timing->kernel);
    if (*timing->kernel_hash)
        snprintf(cell->kernel_hash, sizeof cell->kernel_hash, "%s", timing->kernel_hash);
    struct bench_result result = {.cell = at,
                                  .cold = cold,
                                  .invocation = invocation,
                                  .samples = (uint32_t)timing->count,
                                  .rejected = (uint32_t)timing->rejected,
                                  .median_ns = timing->summary.median_ns,
                                  .mad_ns = timing->summary.mad_ns,
                                  .launch_ns = bench_ceiling(bench, cell->device, "launch"),
                                  .record_ns = timing->record_ns,
                                  .submit_ns = timing->submit_ns,
                                  .other_ns = timing->other_ns,
                                  .dispatches = timing->dispatches,
                                  .verdict = timing->verdict};
    /* Operands of the hot lane may lie in a cache: its roof is the higher one. */
    const double copy = bench_ceiling(bench, cell->device, "copy");
    result.roofline =
        bench_roofline(timing->summary.median_ns, plan_flops(entry), (double)plan_bytes(entry),
                       bench_ceiling(bench, cell->device, "fma_f32"),
                       cold ? copy : fmax(copy, bench_ceiling(bench, cell->device, "copy_hot")));
    snprintf(result.reason, sizeof result.reason, "%s", timing->reason);
    progress_step(&run->progress, timing->verdict != BENCH_PASS);
    return add_result(bench, &result, timing, error);
}

/* The cells of a device in one process a side. */
static enum assay_status invoke(struct bench_run *bench, size_t device, uint32_t invocation, double budget_ns,
                                const atomic_int *stop, struct assay_error *error)
{
    struct run *run = bench->run;
    const bool lane[2] = {strcmp(run->options->lane, "hot") != 0, strcmp(run->options->lane, "cold") != 0};
    enum assay_status status = ASSAY_OK;
    struct bench_timing *timing = calloc(1, sizeof *timing);
    if (!timing) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to time a kernel");
    for (size_t side = 0; side < bench->side_count && status == ASSAY_OK; side++) {
        struct session *session = session_of(bench, side, device);
        session->staged = 0;
        status = worker_restart(session->worker, RESTART_TIMEOUT_NS, error);
    }
    if (status == ASSAY_OK) status = measure(bench, device, invocation, error);
    for (size_t step = 0; step < bench->cell_count && status == ASSAY_OK && !*stop; step++) {
        const size_t at = invocation % 2 ? step : bench->cell_count - 1 - step;
        const struct bench_cell *cell = &bench->cell[at];
        if (cell->device != device || !*cell->digest) continue;
        for (int hot = 0; hot < 2 && status == ASSAY_OK && !*stop; hot++)
            if (lane[hot]) status = time_cell(bench, at, !hot, invocation, budget_ns, stop, timing, error);
    }
    free(timing);
    return status;
}

static enum assay_status time_all(struct bench_run *bench, const atomic_int *stop, struct assay_error *error)
{
    struct run *run = bench->run;
    const int lanes = strcmp(run->options->lane, "both") == 0 ? 2 : 1;
    enum assay_status status = ASSAY_OK;
    int64_t cells = 0;
    for (size_t at = 0; at < bench->cell_count; at++) cells += *bench->cell[at].digest != 0;
    const int64_t total = cells * lanes * bench->invocations;
    const double budget_ns = total > 0 ? 1e9 * run->options->seconds / (double)total : 0;
    progress_begin(&run->progress, total, run->options->quiet || run->options->json);
    for (uint32_t invocation = 1; invocation <= bench->invocations; invocation++)
        for (size_t device = 0; device < run->session_count && status == ASSAY_OK && !*stop; device++)
            status = invoke(bench, device, invocation, budget_ns, stop, error);
    progress_clear(&run->progress);
    return *stop ? ASSAY_OK : status;
}

static enum assay_status judge_all(struct bench_run *bench, const atomic_int *stop, struct assay_error *error)
{
    struct run *run = bench->run;
    enum assay_status status = ASSAY_OK;
    run->pool = oracle_pool_new(run->options->threads);
    progress_begin(&run->progress, (int64_t)bench->cell_count, run->options->quiet || run->options->json);
    for (size_t at = 0; at < bench->cell_count && status == ASSAY_OK && !*stop; at++) {
        status = judge_cell(bench, at, error);
        progress_step(&run->progress, bench->refused > 0);
    }
    progress_clear(&run->progress);
    if (status == ASSAY_OK && !*stop) compare_sides(bench);
    return status;
}

/* ---- the end ---- */

static int decide_exit(const struct bench_run *bench, bool stopped, const struct assay_error *error,
                       char reason[512])
{
    int64_t count[BENCH_VERDICTS] = {0};
    for (size_t at = 0; at < bench->result_count; at++) count[bench->result[at].verdict]++;
    snprintf(reason, 512,
             "%lld timings, %lld of them wrong, %lld inconclusive, %lld errors; %lld cells not judged",
             (long long)bench->result_count, (long long)(count[BENCH_DIFF] + count[BENCH_NONDET]),
             (long long)count[BENCH_INCONCLUSIVE], (long long)count[BENCH_ERROR], (long long)bench->skipped);
    if (bench->differ) {
        snprintf(reason, 512, "the answers of A and B differ: their speed is not compared");
        return EXIT_FAILED;
    }
    if (count[BENCH_DIFF] + count[BENCH_NONDET] > 0) return EXIT_FAILED;
    /* What went wrong then is the interruption's doing. */
    if (stopped) {
        snprintf(reason, 512, "interrupted: %zu timings are kept", bench->result_count);
        return EXIT_ERROR;
    }
    if (error->status != ASSAY_OK) {
        snprintf(reason, 512, "%.500s", error->text);
        return EXIT_ERROR;
    }
    if (bench->run->open_errors) {
        snprintf(reason, 512, "%.500s", bench->run->open_error);
        return EXIT_NOTHING;
    }
    if (count[BENCH_ERROR] > 0) return EXIT_ERROR;
    if (bench->result_count == 0 && bench->no_cold > 0)
        snprintf(reason, 512,
                 "nothing was timed: the engine has no entry for timed samples, and its run() has "
                 "no cold lane; --lane hot takes the repeats of run()");
    return count[BENCH_PASS] > 0 ? EXIT_PASS : EXIT_NOTHING;
}

static int finish(struct bench_run *bench, bool stopped, const struct assay_error *error)
{
    struct run *run = bench->run;
    struct assay_error end_error = {0};
    char reason[512];
    int exit_code = decide_exit(bench, stopped, error, reason);
    if (run->store && run->run_id &&
        store_run_end(run->store, run->run_id, exit_code, reason, &end_error) != ASSAY_OK) {
        fprintf(stderr, "assay: %s\n", end_error.text);
        if (exit_code != EXIT_FAILED) exit_code = EXIT_ERROR;
    }
    if (run->options->json) {
        bench_show_json(bench, exit_code, reason);
    } else {
        bench_show_table(bench);
        printf("exit %d: %s\n", exit_code, reason);
    }
    return verb_finish(exit_code);
}

static void bench_free(struct bench_run *bench)
{
    if (!bench) return;
    for (size_t device = 0; bench->session[1] && device < OPTIONS_LIST_MAX; device++)
        if (bench->session[1][device].worker) session_close(&bench->session[1][device]);
    for (size_t at = 0; bench->prepared && at < bench->run->corpus.count; at++)
        judge_case_free(bench->prepared[at]);
    if (bench->run) run_free(bench->run);
    free(bench->session[1]);
    free(bench->prepared);
    free(bench->cell);
    free(bench->result);
    free(bench);
}

int verb_bench(const struct options *options)
{
    struct assay_error error = {0};
    struct bench_run *bench = calloc(1, sizeof *bench);
    struct run *run = bench ? calloc(1, sizeof *run) : NULL;
    int exit_code = EXIT_ERROR;
    if (!run) {
        fprintf(stderr, "assay: out of memory\n");
        free(bench);
        return EXIT_ERROR;
    }
    bench->run = run;
    run->options = options;
    run->kind = RUN_BENCH;
    run->start_ns = clock_now_ns();
    const atomic_int *stop = run_catch_signals();
    enum assay_status status = run_cases_read(run, &error);
    if (status == ASSAY_OK) status = run_describe(run, &error);
    if (status == ASSAY_OK) status = make_sides(bench, &error);
    if (status == ASSAY_OK)
        status = inventory_select(&run->inventory, options, run->chosen,
                                  sizeof run->chosen / sizeof run->chosen[0], &run->chosen_count, &error);
    if (status == ASSAY_OK && options->device_count > 0) status = run_check_named(run, &error);
    if (status == ASSAY_OK) status = store_open(options->db, false, &run->store, &error);
    if (status != ASSAY_OK) {
        exit_code = verb_fail(&error);
        bench_free(bench);
        return exit_code;
    }
    status = oracle_f64_selftest(&error);
    if (status == ASSAY_OK) status = record_begin(run, &error);
    if (status == ASSAY_OK) status = open_devices(bench, stop, &error);
    if (status == ASSAY_OK) status = make_cells(bench, &error);
    if (status == ASSAY_OK) status = judge_all(bench, stop, &error);
    if (status == ASSAY_OK && !*stop && !bench->differ) status = time_all(bench, stop, &error);
    if (status != ASSAY_OK) fprintf(stderr, "assay: %s\n", error.text);
    exit_code = finish(bench, *stop != 0, &error);
    bench_free(bench);
    return exit_code;
}
