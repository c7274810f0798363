/* The verbs run, verify and replay: choose devices, open them in workers, plan, run, record, and say how it ended. */
#include "harness/run.h"
#include "harness/clock.h"
#include "harness/embedded.h"
#include "harness/passport.h"
#include "harness/node_test.h"
#include "harness/resume.h"
#include "reports/report.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIBE_TIMEOUT_NS (120 * UINT64_C(1000000000))
#define SHRINK_MOST         20

/* Work of the contract oracle a case, above which rows are sampled; by level. */
static const double flops_allowed[LEVEL_COUNT] = {4e8, 4e9, 4e10};

static atomic_int interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
    worker_cancel_all();
}

const atomic_int *run_catch_signals(void)
{
    /* A second Ctrl-C ends the program at once. */
    const struct sigaction stop = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    interrupted = 0;
    worker_cancel_reset();
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* a file that cannot grow is an error of a write, not the end */
    return &interrupted;
}

static int complain(int exit_code, const struct assay_error *error)
{
    fprintf(stderr, "assay: %s\n", error->text);
    return exit_code;
}

/* ---- choosing ---- */

/* A verify or run of a file judges its matrices, in place of the built-in corpus. */
static enum assay_status read_gguf(struct run *run, struct assay_error *error)
{
    const struct options *options = run->options;
    enum assay_status status = gguf_case_open(options->gguf, options->gguf_hash, &run->gguf, error);
    if (status != ASSAY_OK) return status;
    return run->kind == RUN_REPLAY ? ASSAY_OK
                                   : gguf_case_add(&run->gguf, options->level, &run->corpus, error);
}

enum assay_status run_cases_read(struct run *run, struct assay_error *error)
{
    const struct options *options = run->options;
    enum assay_status status = ASSAY_OK;
    if (options->gguf_hash && !options->gguf)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "--gguf-hash needs --gguf FILE, whose hash it is");
    if (options->gguf) status = read_gguf(run, error);
    if (status == ASSAY_OK && run->kind != RUN_REPLAY && (options->corpus || !options->gguf))
        status = run->kind == RUN_BENCH && !options->corpus
                     ? corpus_load_bench(&run->corpus, error)
                     : corpus_load(&run->corpus, options->corpus, error);
    if (status == ASSAY_OK)
        status = corpus_select(&run->corpus, options->arg, options->arg_count, options->level, error);
    if (status != ASSAY_OK) return status;
    for (size_t at = 0; at < run->corpus.count; at++) {
        struct corpus_entry *entry = &run->corpus.entry[at];
        struct assay_tensor unused;
        if (entry->onnx) node_test_op(options->onnx_data, entry->line, entry->onnx_op, entry->onnx_dtype);
        if (entry->onnx || !entry->spec.file[0]) continue;
        status = gguf_case_tensor(run->gguf.path ? &run->gguf : NULL, &entry->spec, &unused, error);
        if (status != ASSAY_OK) return status;
    }
    if (!options->seed_given) return status;
    for (size_t at = 0; at < run->corpus.count; at++) {
        struct corpus_entry *entry = &run->corpus.entry[at];
        if (entry->onnx) continue;
        char text[CASE_LINE_MAX];
        entry->spec.seed = options->seed;
        char *line = strdup(case_print(&entry->spec, text));
        if (!line) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the seeds");
        entry->line = line;
        run->seeded = at + 1;
    }
    return ASSAY_OK;
}

/* The devices of the machine, asked of a worker: a driver that crashes in discovery must not end the program. */
enum assay_status run_describe(struct run *run, struct assay_error *error)
{
    struct adapter_options adapter_options = {.size = sizeof adapter_options};
    const struct worker_params params = {.engine = run->options->engine, .options = &adapter_options};
    struct worker *worker = NULL;
    char *json = NULL;
    options_adapter(run->options, &adapter_options);
    enum assay_status status = worker_new(&params, &worker, error);
    if (status == ASSAY_OK) status = worker_describe(worker, DESCRIBE_TIMEOUT_NS, &json, error);
    if (status == ASSAY_OK)
        status = inventory_parse(json, run->options->allow_software, &run->inventory, error);
    if (status == ASSAY_OK) status = inventory_limit(&run->inventory, run->options, error);
    free(json);
    worker_free(worker);
    return status;
}

static bool is_card(const struct inventory_device *device)
{
    return strcmp(device->backend, "cpu") != 0;
}

/* verify without a word about devices means the cards of this machine. */
static enum assay_status choose_devices(struct run *run, struct assay_error *error)
{
    const struct options *options = run->options;
    enum assay_status status =
        inventory_select(&run->inventory, options, run->chosen, sizeof run->chosen / sizeof run->chosen[0],
                         &run->chosen_count, error);
    if (run->kind != RUN_VERIFY || options->all || options->device_count > 0) return status;
    size_t kept = 0;
    if (status == ASSAY_OK)
        for (size_t at = 0; at < run->chosen_count; at++)
            if (is_card(&run->inventory.device[run->chosen[at]])) run->chosen[kept++] = run->chosen[at];
    run->chosen_count = kept;
    if (kept > 0) return ASSAY_OK;
    return assay_error_set(
        error, ASSAY_DEVICE_UNSUPPORTED,
        "no usable GPU found; nothing is verified (`assay devices` says why; --device cpu or --all "
        "judges the CPU)");
}

/* A device that was named must be one that can be judged. */
enum assay_status run_check_named(const struct run *run, struct assay_error *error)
{
    for (size_t at = 0; at < run->chosen_count; at++) {
        const struct inventory_device *device = &run->inventory.device[run->chosen[at]];
        if (device->software && !run->options->allow_software)
            return assay_error_set(
                error, ASSAY_DEVICE_UNSUPPORTED,
                "%s (%s) is a software renderer: it earns no trust, and is judged only with"
                " --allow-software",
                device->label, device->name);
        if (!device->usable && !device->software)
            return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s (%s) is not usable: %.300s",
                                   device->label, device->name, device->why);
    }
    return ASSAY_OK;
}

/* Nothing was picked from the corpus. */
static bool whole_corpus(const struct options *options)
{
    return !options->arg_count && !options->kernel && !options->gguf;
}

/* ---- trust ---- */

/* The file first: where it cannot be written nothing is trusted, whatever the history says. */
static enum assay_status withdraw_trust(struct run *run, struct run_device *device, const char *reason,
                                        struct assay_error *error)
{
    struct trust *trust = &device->trust;
    enum assay_status status = trust_withdraw(trust, reason, error);
    if (status != ASSAY_OK || !trust->kept || !run->store) return status;
    return store_trust_add(run->store, run->run_id, device->device_id, false, reason, trust->path,
                           trust->text, error);
}

static enum assay_status grant_trust(struct run *run, struct run_device *device,
                                     const struct session *session, struct assay_error *error)
{
    const struct options *options = run->options;
    struct trust *trust = &device->trust;
    char hash[17];
    corpus_hash(&run->corpus, hash);
    const struct trust_facts facts = {.probe_json = session->probe_json,
                                      .level = level_name(options->level),
                                      .corpus = options->corpus ? options->corpus : "built-in",
                                      .corpus_hash = hash,
                                      .command = options->command,
                                      .database = options->db,
                                      .run_id = run->run_id,
                                      .planned = device->planned,
                                      .passed = device->tally.passed,
                                      .not_judged = device->tally.not_judged,
                                      .capped = device->capped};
    enum assay_status status = trust_grant(trust, &facts, error);
    if (status == ASSAY_OK && run->store)
        status = store_trust_add(run->store, run->run_id, device->device_id, true, "", trust->path,
                                 trust->text, error);
    return status;
}

/* The end of a verify, device by device. `broken` NULL: all that was counted can be believed. What goes wrong here leaves
 * a device without trust and is told in *error. */
static void settle_trust(struct run *run, const char *broken, struct assay_error *error)
{
    const struct options *options = run->options;
    for (size_t at = 0; run->kind == RUN_VERIFY && at < run->session_count; at++) {
        struct run_device *device = &run->device[at];
        const struct judge_tally *tally = &device->tally;
        struct assay_error why = {0};
        enum assay_status status;
        if (!device->trust.kept) continue;
        if (tally->failed || tally->errors || tally->unexpected_pass)
            status = withdraw_trust(run, device,
                                    device->first_failure[0] ? device->first_failure : "it failed", &why);
        else if (broken)
            status = withdraw_trust(run, device, broken, &why);
        else if (tally->passed == 0 || device->recorded != device->planned)
            status = withdraw_trust(
                run, device, tally->passed ? "not all planned cases were judged" : "nothing was judged",
                &why);
        else if (!whole_corpus(options) || options->shards > 1)
            status = trust_restore(&device->trust, &why);
        else
            status = grant_trust(run, device, &run->session[at], &why);
        if (status == ASSAY_OK) continue;
        *error = why;
        struct assay_error unused = {0};
        if (device->trust.granted) (void)trust_withdraw(&device->trust, why.text, &unused);
        snprintf(device->trust.outcome, sizeof device->trust.outcome, "NOT TRUSTED — %.370s", why.text);
    }
}

/* ---- opening ---- */

static enum assay_status open_device(struct run *run, const struct inventory_device *device,
                                     struct assay_error *error)
{
    struct session *session = &run->session[run->session_count];
    struct run_device *record = &run->device[run->session_count];
    const bool named = run->options->device_count > 0;
    *record = (struct run_device){.device = device};
    enum assay_status status = ASSAY_OK;
    if (run->kind == RUN_VERIFY)
        status = trust_begin(run->options, run->inventory.engine, device, &record->trust, error);
    if (status != ASSAY_OK) return status;
    status = session_open(run->options, device, session, error);
    /* Lacking what exact mode needs is a property of a device; anything else is a fault. */
    const bool fault = session->status != ASSAY_DEVICE_UNSUPPORTED && session->status != ASSAY_UNSUPPORTED;
    if (status == ASSAY_OK)
        status = record_device(run, device, session,
                               session->opened ? "used"
                               : fault         ? "fault"
                                               : "not opened",
                               session->why, &record->device_id, error);
    if (status != ASSAY_OK) {
        session_close(session);
        trust_free(&record->trust);
        return status;
    }
    if (session->opened) {
        run->session_count++;
        struct plan_device *planned = &run->plan_device[run->session_count - 1];
        status = plan_device_make(&run->inventory, (size_t)(device - run->inventory.device),
                                  run->options->kernel, session->probe_json, planned, error);
        if (status == ASSAY_OK && planned->formless[0] && !run->options->json)
            printf("%s: left out, without a form for %s arithmetic: %s\n", device->label, session->variant,
                   planned->formless);
        return status;
    }
    if (!run->options->json) printf("%s %s: not opened: %s\n", device->label, device->name, session->why);
    if (run->kind == RUN_VERIFY && !run->options->json)
        printf("%s: NOT VERIFIED — %s; assay will not use this card\n", device->label, session->why);
    if (run->kind == RUN_VERIFY) status = withdraw_trust(run, record, session->why, error);
    trust_free(&record->trust);
    if (status != ASSAY_OK) {
        session_close(session);
        return status;
    }
    if (named || fault) {
        run->open_errors += fault;
        snprintf(run->open_error, sizeof run->open_error, "%s cannot be opened: %.500s", device->label,
                 session->why);
    }
    session_close(session);
    return ASSAY_OK;
}

static enum assay_status open_devices(struct run *run, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    for (size_t at = 0; status == ASSAY_OK && at < run->chosen_count && !interrupted; at++)
        status = open_device(run, &run->inventory.device[run->chosen[at]], error);
    return status == ASSAY_OK ? record_left_out(run, error) : status;
}

/* ---- running ---- */

static void load_golden(struct run *run)
{
    for (const struct embedded *text = assay_blob_table; text->path; text++)
        if (strcmp(text->path, "corpus/golden.txt") == 0)
            golden_parse(text->start, (size_t)(text->end - text->start), text->path, &run->golden,
                         &run->broken);
}

static bool failed(enum verdict verdict, enum verdict expected)
{
    struct judge_tally tally = {0};
    judge_tally_add(&tally, verdict, expected);
    return tally.failed > 0;
}

static enum assay_status note_trust(struct run_device *device, const struct crew_outcome *outcome,
                                    struct assay_error *error)
{
    const bool onnx = outcome->row->entry->onnx;
    const char *kernel = outcome->result->reply.kernel;
    return trust_note(&device->trust, onnx ? "onnx" : outcome->spec->op.op->name,
                      assay_dtype_name(outcome->dtype), onnx ? "" : outcome->spec->fill,
                      *kernel ? kernel : outcome->row->kernel, outcome->result->judgement.elems, error);
}

static bool take_outcome(void *context, const struct crew_outcome *outcome)
{
    struct run *run = context;
    struct run_device *device = &run->device[outcome->row->device];
    const enum verdict expected = outcome->spec->expect;
    struct session_result placed = *outcome->result; /* with the place of a failure in words */
    struct crew_outcome mine = *outcome;
    char place[400];
    if (coverage_place(outcome, place, sizeof place, NULL, NULL))
        snprintf(placed.judgement.reason, sizeof placed.judgement.reason, "%s", place);
    coverage_note(&run->coverage, outcome);
    mine.result = &placed;
    outcome = &mine;
    const struct judgement *judgement = &placed.judgement;
    const bool bad = failed(judgement->verdict, expected) || judgement->verdict == VERDICT_ERROR;
    char *repro = bad ? record_repro(run, outcome) : NULL;
    enum assay_status status = record_outcome(run, outcome, repro, &run->broken);
    if (status == ASSAY_OK) {
        judge_tally_add(&run->tally, judgement->verdict, expected);
        judge_tally_add(&device->tally, judgement->verdict, expected);
        device->wall_ns += outcome->result->wall_ns;
        device->recorded++;
        run->recorded++;
        if (judgement->verdict == VERDICT_PASS) status = note_trust(device, outcome, &run->broken);
        if (bad && !device->first_failure[0])
            snprintf(device->first_failure, sizeof device->first_failure, "%s %.100s: %.60s",
                     verdict_name(judgement->verdict), outcome->row->entry->line,
                     judgement->reason[0] ? judgement->reason : "it was expected to fail");
        show_outcome(run, outcome, repro);
        progress_step(&run->progress, bad);
    }
    free(repro);
    return status == ASSAY_OK;
}

bool run_sweeps(const struct run *run)
{
    return run->kind == RUN_VERIFY && whole_corpus(run->options) && run->options->shard <= 1;
}

enum assay_status run_plan_sweeps(struct run *run, struct plan *plan, struct assay_error *error)
{
    const struct options *options = run->options;
    return coverage_plan(&run->coverage, run->session, run->plan_device, run->session_count, options->level,
                         options->seed_given ? options->seed : 0, plan, error);
}

static enum assay_status make_plan(struct run *run, enum level level, struct assay_error *error)
{
    const struct options *options = run->options;
    const bool every_kernel = options->kernel || run->kind == RUN_REPLAY;
    enum assay_status status =
        plan_make(&run->corpus, run->plan_device, run->session_count, level, every_kernel, &run->plan, error);
    if (status != ASSAY_OK) return status;
    if (options->shards) plan_shard(&run->plan, options->shard, options->shards);
    if (run_sweeps(run)) status = run_plan_sweeps(run, &run->plan, error);
    if (status != ASSAY_OK) return status;
    for (size_t at = 0; at < run->plan.capped_count; at++) run->device[run->plan.capped[at].device].capped++;
    for (size_t at = 0; at < run->plan.row_count; at++) run->device[run->plan.row[at].device].planned++;
    return record_plan(run, error);
}

static enum assay_status run_plan(struct run *run, struct assay_error *error)
{
    const struct options *options = run->options;
    const enum level level = run->kind == RUN_REPLAY ? LEVEL_FULL : options->level;
    enum assay_status status = run->past.run_id ? ASSAY_OK : make_plan(run, level, error);
    if (status != ASSAY_OK) return status;
    run->pool = oracle_pool_new(options->threads);
    const struct crew_params params = {.options = options,
                                       .inventory = &run->inventory,
                                       .plan = &run->plan,
                                       .session = run->session,
                                       .session_count = run->session_count,
                                       .golden = run->golden,
                                       .gguf = run->gguf.path ? &run->gguf : NULL,
                                       .pool = run->pool,
                                       .flops_allowed = flops_allowed[level],
                                       .shrink_most = run->kind == RUN_REPLAY ? 0 : SHRINK_MOST,
                                       .stop = &interrupted,
                                       .outcome = take_outcome,
                                       .context = run};
    progress_begin(&run->progress, (int64_t)run->plan.row_count - run->kept, options->quiet || options->json);
    status = crew_run(&params, error);
    if (record_coverage(run, error) != ASSAY_OK && status == ASSAY_OK) status = error->status;
    progress_clear(&run->progress);
    return status;
}

/* ---- the end ---- */

static int decide_exit(struct run *run, const struct assay_error *error, char reason[512])
{
    const int64_t planned = (int64_t)run->plan.row_count, missing = planned - run->recorded;
    int64_t count[VERDICT_COUNT], stored_planned = planned, stored_missing = missing;
    struct assay_error unused = {0};
    char why[256];
    int exit_code = judge_exit(&run->tally, planned, missing, why);
    snprintf(reason, 512, "%s", why);
    if (exit_code == EXIT_FAILED) return exit_code;
    if (error->status != ASSAY_OK || run->broken.status != ASSAY_OK) {
        snprintf(reason, 512, "%.500s", error->status != ASSAY_OK ? error->text : run->broken.text);
        return EXIT_ERROR;
    }
    if (interrupted) return EXIT_ERROR;
    if (run->open_error[0] && (run->open_errors > 0 || run->session_count == 0)) {
        snprintf(reason, 512, "%.500s", run->open_error);
        return run->open_errors > 0 ? EXIT_ERROR : EXIT_NOTHING;
    }
    if (run->open_error[0]) {
        snprintf(reason, 512, "%.500s", run->open_error);
        return EXIT_NOTHING;
    }
    if (run->session_count == 0) {
        snprintf(reason, 512, "no device could be opened");
        return EXIT_NOTHING;
    }
    /* The record must say the same as we counted. */
    if (run->store &&
        store_counts(run->store, run->run_id, count, &stored_planned, &stored_missing, &unused) == ASSAY_OK)
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            if (count[verdict] != run->tally.count[verdict] || stored_planned != planned) {
                snprintf(reason, 512, "the database holds %lld %s, %lld were counted",
                         (long long)count[verdict], verdict_name((enum verdict)verdict),
                         (long long)run->tally.count[verdict]);
                return EXIT_ERROR;
            }
    return exit_code;
}

static enum assay_status write_report(const struct run *run, struct assay_error *error)
{
    char word[32];
    if (!run->options->out || !run->store) return ASSAY_OK;
    snprintf(word, sizeof word, "run=%lld", (long long)run->run_id);
    const struct report_options how = {
        .run = word, .folder = run->options->out, .plots = run->options->plots};
    enum assay_status status = report_write(run->options->db, &how, error);
    if (status == ASSAY_OK && !run->options->json) printf("report: %s/report.md\n", run->options->out);
    return status;
}

static int finish(struct run *run, struct assay_error *error)
{
    char reason[512], words[600];
    struct assay_error end_error = {0}, trust_error = {0};
    int exit_code = decide_exit(run, error, reason);
    const bool broken = interrupted || error->status != ASSAY_OK || run->broken.status != ASSAY_OK ||
                        (exit_code == EXIT_ERROR && run->tally.errors == 0);
    settle_trust(run, interrupted ? "its check was interrupted" : broken ? reason : NULL, &trust_error);
    if (trust_error.status != ASSAY_OK && exit_code != EXIT_FAILED) {
        exit_code = EXIT_ERROR;
        snprintf(reason, sizeof reason, "%.500s", trust_error.text);
    }
    snprintf(words, sizeof words, "%s%s%s", interrupted ? "interrupted" : "", interrupted ? ": " : "",
             reason);
    if (run->store && run->run_id &&
        store_run_end(run->store, run->run_id, exit_code, words, &end_error) != ASSAY_OK) {
        fprintf(stderr, "assay: %s\n", end_error.text);
        for (size_t at = 0; at < run->session_count; at++)
            if (run->device[at].trust.granted)
                (void)trust_withdraw(&run->device[at].trust, end_error.text, NULL);
        if (exit_code != EXIT_FAILED) exit_code = EXIT_ERROR;
    }
    if (error->status != ASSAY_OK || run->broken.status != ASSAY_OK)
        fprintf(stderr, "assay: %s\n", error->status != ASSAY_OK ? error->text : run->broken.text);
    if (!run->options->json) show_devices(run);
    if (run->run_id && run->session_count > 0 && write_report(run, &end_error) != ASSAY_OK) {
        fprintf(stderr, "assay: %s\n", end_error.text);
        if (exit_code != EXIT_FAILED) {
            exit_code = EXIT_ERROR;
            snprintf(words, sizeof words, "%.500s; the results are recorded", end_error.text);
            if (run->store) store_run_end(run->store, run->run_id, exit_code, words, &end_error);
        }
    }
    if (run->options->json)
        show_json(run, exit_code, words);
    else
        show_end(run, exit_code, words);
    if (!run->options->json && run->run_id && run->recorded < (int64_t)run->plan.row_count)
        printf("to go on: assay %s --resume %" PRId64 " --db '%s'\n", run->options->verb, run->run_id,
               run->options->db);
    const int finished = verb_finish(exit_code);
    if (finished != exit_code && run->store && run->run_id)
        store_run_end(run->store, run->run_id, finished,
                      "cannot write to standard output; the results are recorded", &end_error);
    return finished;
}

void run_free(struct run *run)
{
    for (size_t at = 0; at < run->session_count; at++) {
        session_close(&run->session[at]);
        plan_device_free(&run->plan_device[at]);
        trust_free(&run->device[at].trust);
    }
    plan_free(&run->plan);
    coverage_free(&run->coverage);
    resume_free(run);
    skipped_free(&run->skipped);
    store_close(run->store);
    oracle_pool_free(run->pool);
    golden_free(run->golden);
    for (size_t at = 0; at < run->seeded; at++)
        if (!run->corpus.entry[at].onnx) free(run->corpus.entry[at].line);
    corpus_free(&run->corpus);
    gguf_close(&run->gguf);
    inventory_free(&run->inventory);
    free(run);
}

int verb_run(const struct options *options)
{
    if (options->trusted) return passport_trusted(options);
    struct assay_error error = {0};
    int exit_code = EXIT_ERROR;
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        fprintf(stderr, "assay: out of memory\n");
        return EXIT_ERROR;
    }
    run->options = options;
    run->kind = strcmp(options->verb, "verify") == 0   ? RUN_VERIFY
                : strcmp(options->verb, "replay") == 0 ? RUN_REPLAY
                                                       : RUN_RUN;
    run->start_ns = clock_now_ns();
    run_catch_signals();
    if (options->resume && resume_find(run, &error) != ASSAY_OK) goto refused;
    options = run->options; /* of a run that is gone on with: as it was begun */
    if (run_cases_read(run, &error) != ASSAY_OK) goto refused;
    /* Before anything is judged, so that a word that names no folder costs no run. */
    if (options->out && verb_folder(options->out, &error) != ASSAY_OK) goto refused;
    if (run_describe(run, &error) != ASSAY_OK) goto refused;
    if (options->resume ? resume_check(run, &error) != ASSAY_OK
                        : choose_devices(run, &error) != ASSAY_OK ||
                              (options->device_count > 0 && run_check_named(run, &error) != ASSAY_OK)) {
        exit_code = error.status == ASSAY_DEVICE_UNSUPPORTED ? EXIT_NOTHING : EXIT_ERROR;
        goto refused;
    }
    /* Replaying is looking, not recording, unless a database is named. */
    if (!options->resume && (run->kind != RUN_REPLAY || strcmp(options->db, "assay.db") != 0) &&
        store_open(options->db, false, &run->store, &error) != ASSAY_OK)
        goto refused;
    load_golden(run);
    enum assay_status status = oracle_f64_selftest(&error);
    if (options->resume && (status != ASSAY_OK || resume_begin(run, &error) != ASSAY_OK)) goto refused;
    if (status == ASSAY_OK && !options->resume) status = record_begin(run, &error);
    if (status == ASSAY_OK && !options->resume) status = open_devices(run, &error);
    if (status == ASSAY_OK && run->session_count > 0 && !interrupted &&
        !(run->open_error[0] && options->device_count > 0))
        status = run_plan(run, &error);
    exit_code = finish(run, &error);
    run_free(run);
    return exit_code;
refused:
    if (run->kind == RUN_VERIFY && exit_code == EXIT_NOTHING && !options->json)
        printf("NOT VERIFIED — %s; assay will not use this card\n", error.text);
    complain(exit_code, &error);
    run_free(run);
    return exit_code;
}

int verb_worker(const struct options *options)
{
    struct assay_error error = {0};
    if (options->arg_count < 2) {
        assay_error_set(&error, ASSAY_INVALID_INPUT, "worker is started by this program itself, not by hand");
        return complain(EXIT_ERROR, &error);
    }
    /* Die with the parent, even if it went before this took hold. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (options->arg_count > 2 && getppid() != atoi(options->arg[2])) return EXIT_ERROR;
    return worker_serve(atoi(options->arg[0]), atoi(options->arg[1]));
}
