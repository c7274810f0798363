/* Going on with a run; see resume.h. */
#include "harness/resume.h"
#include "harness/settings.h"
#include "build/gen/version.h"
#include "reports/markdown.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAY_OUT "start a new run"

/* ---- the lock ---- */

static bool same_file(int file, const char *path)
{
    struct stat open_file, named;
    return fstat(file, &open_file) == 0 && stat(path, &named) == 0 && open_file.st_ino == named.st_ino &&
           open_file.st_dev == named.st_dev;
}

/* Held until the process ends, whichever way. *busy: another process holds it. */
static enum assay_status take_lock(struct run *run, const char *key, bool *busy, struct assay_error *error)
{
    const char *folder = run->options->lock_dir ? run->options->lock_dir : "/tmp";
    char path[sizeof run->lock_path];
    *busy = false;
    snprintf(path, sizeof path, "%s/assay-run-%s.lock", folder, key);
    for (;;) {
        const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0)
            return assay_error_set(error, ASSAY_IO,
                                   "cannot lock the run by %.300s: %s; --lock-dir names another folder", path,
                                   strerror(errno));
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            *busy = errno == EWOULDBLOCK;
            const int code = errno;
            close(file);
            return *busy ? ASSAY_OK
                         : assay_error_set(error, ASSAY_IO, "cannot lock the run by %.300s: %s", path,
                                           strerror(code));
        }
        /* Its holder before may have removed it between our open and our lock. */
        if (same_file(file, path)) {
            run->lock_file = file;
            snprintf(run->lock_path, sizeof run->lock_path, "%s", path);
            return ASSAY_OK;
        }
        close(file);
    }
}

static void drop_lock(struct run *run)
{
    if (!run->lock_path[0]) return;
    unlink(run->lock_path);
    close(run->lock_file);
    run->lock_path[0] = 0;
}

enum assay_status resume_lock_new(struct run *run, struct assay_error *error)
{
    bool busy = false;
    struct store_past past;
    enum assay_status status = store_past_read(run->store, run->run_id, &past, error);
    if (status != ASSAY_OK) return status;
    status = take_lock(run, past.key, &busy, error);
    if (status == ASSAY_OK && busy)
        status = assay_error_set(error, ASSAY_INTERNAL, "the lock of the new run %" PRId64 " is taken",
                                 run->run_id);
    store_past_free(&past);
    return status;
}

/* ---- which run ---- */

static enum assay_status check_run(const struct run *run, struct assay_error *error)
{
    const struct store_past *past = &run->past;
    if (strcmp(past->verb, run->options->verb) != 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "run %" PRId64
                               " is a %.20s, not a %s; run and verify are gone on with by `assay"
                               " run --resume` and `assay verify --resume`, others cannot be",
                               past->run_id, past->verb, run->options->verb);
    if (!past->planned)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "run %" PRId64
                               " %s before its plan was written, so there is nothing to go on with:"
                               " start it again with `%.250s`",
                               past->run_id, past->ended ? "ended" : "was cut off", past->command);
    if (past->ended && past->missing == 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "run %" PRId64 " is finished: all %" PRId64
                               " planned cases have their result; `assay report %" PRId64 "` shows them",
                               past->run_id, past->rows, past->run_id);
    if (strcmp(past->revision, ASSAY_BUILD_REVISION) != 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "run %" PRId64
                               " was begun by revision %.60s of this program, and this is %.60s:"
                               " go on with that one, or " WAY_OUT,
                               past->run_id, past->revision, ASSAY_BUILD_REVISION);
    return ASSAY_OK;
}

/* The lock of run->past is taken, and nothing stands against going on with it but what resume_check finds. */
static enum assay_status take_run(struct run *run, struct assay_error *error)
{
    bool busy = false;
    enum assay_status status = take_lock(run, run->past.key, &busy, error);
    if (status == ASSAY_OK && busy)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "run %" PRId64 " is at work in another process: let it end, or end it first",
                               run->past.run_id);
    return status == ASSAY_OK ? check_run(run, error) : status;
}

/* The newest run that can go on; those that were passed over are told, a line each. */
static enum assay_status find_newest(struct run *run, struct text *passed, struct assay_error *error)
{
    const char *verb = run->options->verb;
    struct assay_error first = {0}, why = {0};
    enum assay_status status = store_past_newest(run->store, verb, 0, &run->past, error);
    for (size_t count = 0; status == ASSAY_OK; count++) {
        status = take_run(run, &why);
        if (status == ASSAY_OK) return status;
        if (count == 0) first = why;
        const int64_t before = run->past.run_id;
        drop_lock(run);
        store_past_free(&run->past);
        if (status == ASSAY_INVALID_INPUT) {
            text_printf(passed, "passed over: %s\n", why.text);
            status = store_past_newest(run->store, verb, before, &run->past, &why);
            if (status == ASSAY_OK) continue;
        }
        if (status != ASSAY_INVALID_INPUT) first = why;
        *error = first;
        if (status == ASSAY_INVALID_INPUT && count > 0)
            assay_error_set(error, status,
                            "%.360s; nor can %zu older ones go on, and `assay %s --resume RUN` says why",
                            first.text, count, verb);
    }
    return status;
}

static enum assay_status find_run(struct run *run, struct assay_error *error)
{
    const struct options *options = run->options;
    struct text passed = {0};
    if (options->arg_count > 1)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "--resume takes one run, as RUN of the other verbs; the cases are its own");
    if (access(options->db, F_OK) != 0)
        return assay_error_set(error, ASSAY_IO, "cannot open database '%s': %s", options->db,
                               strerror(errno));
    enum assay_status status = store_open(options->db, false, &run->store, error);
    if (status != ASSAY_OK) return status;
    if (options->arg_count && *options->arg[0]) {
        status = store_past_find(run->store, options->arg[0], &run->past, error);
        return status == ASSAY_OK ? take_run(run, error) : status;
    }
    status = find_newest(run, &passed, error);
    if (status == ASSAY_OK && passed.data) fputs(passed.data, options->json ? stderr : stdout);
    text_free(&passed);
    return status;
}

enum assay_status resume_find(struct run *run, struct assay_error *error)
{
    json_error_t where;
    enum assay_status status = find_run(run, error);
    if (status != ASSAY_OK) return status;
    run->settings = json_loads(run->past.settings, 0, &where);
    if (!run->settings)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "the settings of run %" PRId64 " are damaged (%s): " WAY_OUT, run->past.run_id,
                               where.text);
    run->restored = *run->options;
    status = settings_restore(run->settings, run->past.run_id, &run->restored, error);
    if (status != ASSAY_OK) return status;
    snprintf(run->restored.command, sizeof run->restored.command, "%s", run->past.command);
    run->options = &run->restored;
    run->run_id = run->past.run_id;
    return ASSAY_OK;
}

/* ---- what it rests on ---- */

static enum assay_status changed(const struct run *run, const char *what, const char *then, const char *now,
                                 struct assay_error *error)
{
    return assay_error_set(error, ASSAY_INVALID_INPUT,
                           "cannot go on with run %" PRId64
                           ": %.120s was %.120s when it began and is %.120s now;"
                           " " WAY_OUT,
                           run->past.run_id, what, *then ? then : "none", *now ? now : "none");
}

static const struct inventory_device *find_device(const struct inventory *inventory,
                                                  const struct store_past_device *past)
{
    for (size_t at = 0; at < inventory->device_count; at++) {
        const struct inventory_device *device = &inventory->device[at];
        char key[RECORD_KEY_MAX];
        record_key(inventory, device, key);
        if (strcmp(device->backend, past->backend) == 0 && strcmp(key, past->key) == 0) return device;
    }
    return NULL;
}

static enum assay_status take_device(void *context, const struct store_past_device *past,
                                     struct assay_error *error)
{
    struct run *run = context;
    char what[64];
    const struct inventory_device *device = find_device(&run->inventory, past);
    if (!device)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED,
                               "cannot go on with run %" PRId64
                               ": its device %.30s, %.80s (%.80s), is not here;"
                               " `assay devices` lists those that are, or " WAY_OUT,
                               run->past.run_id, past->label, past->name, past->key);
    if (run->chosen_count == OPTIONS_LIST_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "more than %d devices are chosen",
                               OPTIONS_LIST_MAX);
    snprintf(what, sizeof what, "the driver of %.30s", past->label);
    if (strcmp(device->driver, past->driver) != 0)
        return changed(run, what, past->driver, device->driver, error);
    snprintf(what, sizeof what, "the name of %.30s", past->label);
    if (strcmp(device->name, past->name) != 0) return changed(run, what, past->name, device->name, error);
    snprintf(what, sizeof what, "the UUID of %.30s", past->label);
    if (strcmp(device->uuid, past->uuid) != 0) return changed(run, what, past->uuid, device->uuid, error);
    struct run_past_device *kept = &run->past_device[run->chosen_count];
    *kept = (struct run_past_device){past->device_id, past->capped, strdup(past->probe_json)};
    if (!kept->probe_json) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the probes");
    run->chosen[run->chosen_count++] = (size_t)(device - run->inventory.device);
    return ASSAY_OK;
}

enum assay_status resume_check(struct run *run, struct assay_error *error)
{
    const struct store_past *past = &run->past;
    char hash[17];
    if (strcmp(past->engine, run->inventory.engine) != 0)
        return changed(run, "the engine", past->engine, run->inventory.engine, error);
    if (strcmp(past->engine_version, run->inventory.version) != 0)
        return changed(run, "the version of the engine", past->engine_version, run->inventory.version, error);
    corpus_hash(&run->corpus, hash);
    if (strcmp(past->corpus_hash, hash) != 0)
        return changed(run, "the hash of its cases", past->corpus_hash, hash, error);
    return store_past_devices(run->store, run->run_id, take_device, run, error);
}

static const json_t *kernel_row(const json_t *probe, const char *name)
{
    const json_t *row;
    size_t at;
    json_array_foreach(json_object_get(probe, "kernels"), at, row)
    {
        const char *found = json_string_value(json_object_get(row, "name"));
        if (found && strcmp(found, name) == 0) return row;
    }
    return NULL;
}

static const char *word_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

/* Kernels by the code that would be loaded, and the form of arithmetic that they would use. */
static enum assay_status check_probe(const struct run *run, const char *label, const char *before,
                                     const char *after, struct assay_error *error)
{
    json_t *then = json_loads(before, 0, NULL), *now = json_loads(after, 0, NULL), *row;
    enum assay_status status = ASSAY_OK;
    char what[160];
    size_t at;
    snprintf(what, sizeof what, "the fused multiply-add of %.30s", label);
    if (strcmp(word_of(then, "variant"), word_of(now, "variant")) != 0)
        status = changed(run, what, word_of(then, "variant"), word_of(now, "variant"), error);
    json_array_foreach(json_object_get(then, "kernels"), at, row)
    {
        const char *name = word_of(row, "name");
        const json_t *other = kernel_row(now, name);
        if (status != ASSAY_OK) break;
        snprintf(what, sizeof what, "the code of %.64s on %.30s", name, label);
        if (strcmp(word_of(row, "code"), word_of(other, "code")) != 0)
            status = changed(run, what, word_of(row, "code"), word_of(other, "code"), error);
        else if (json_is_false(json_object_get(row, "present")) !=
                 json_is_false(json_object_get(other, "present")))
            status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                     "cannot go on with run %" PRId64
                                     ": %.64s on %.30s was %s when it began; " WAY_OUT,
                                     run->past.run_id, name, label,
                                     json_is_false(json_object_get(row, "present")) ? "absent" : "present");
    }
    json_decref(then);
    json_decref(now);
    return status;
}

static enum assay_status open_one(struct run *run, size_t at, struct assay_error *error)
{
    const struct inventory_device *device = &run->inventory.device[run->chosen[at]];
    const struct run_past_device *past = &run->past_device[at];
    struct session *session = &run->session[at];
    struct run_device *record = &run->device[at];
    struct trust trust = {0};
    enum assay_status status = ASSAY_OK;
    if (run->kind == RUN_VERIFY)
        status = trust_begin(run->options, run->inventory.engine, device, &trust, error);
    if (status != ASSAY_OK) return status;
    *record = (struct run_device){
        .device = device, .device_id = past->device_id, .capped = past->capped, .trust = trust};
    run->session_count++;
    status = session_open(run->options, device, session, error);
    if (status != ASSAY_OK) return status;
    if (!session->opened)
        return assay_error_set(error, session->status,
                               "cannot go on with run %" PRId64 ": %.30s cannot be opened: %.300s",
                               run->past.run_id, device->label, session->why);
    status = check_probe(run, device->label, past->probe_json, session->probe_json, error);
    if (status != ASSAY_OK) return status;
    return plan_device_make(&run->inventory, run->chosen[at], run->options->kernel, session->probe_json,
                            &run->plan_device[at], error);
}

/* ---- plan and results ---- */

/* Sweeps of a card are run again: the shares that they come to are known when all of them have run in one process. */
static const struct corpus_entry *find_sweep(const struct run *run, size_t device, const char *line)
{
    for (size_t at = 0; at < run->coverage.count; at++)
        if (run->coverage.device_of[at] == device && strcmp(run->coverage.entry[at].line, line) == 0)
            return &run->coverage.entry[at];
    return NULL;
}

/* Lines of the plan come in the order of the corpus, several rows each. */
static const struct corpus_entry *find_entry(struct run *run, const char *line)
{
    const struct corpus *corpus = &run->corpus;
    for (size_t tried = 0; tried < corpus->count; tried++, run->past_entry++) {
        if (run->past_entry >= corpus->count) run->past_entry = 0;
        if (strcmp(corpus->entry[run->past_entry].line, line) == 0) return &corpus->entry[run->past_entry];
    }
    return NULL;
}

static const char *find_kernel(const struct inventory *inventory, const char *name)
{
    for (size_t at = 0; at < inventory->kernel_count; at++)
        if (strcmp(inventory->kernel[at].name, name) == 0) return inventory->kernel[at].name;
    return *name ? NULL : "";
}

static enum assay_status note_trust(struct run_device *device, const struct corpus_entry *entry,
                                    const struct store_past_row *past, struct assay_error *error)
{
    struct op_signature sig = {0};
    const char *dtype = past->dtype;
    if (!entry->onnx && entry->spec.op.op->signature(&entry->spec.op, &sig, NULL) == ASSAY_OK)
        dtype = assay_dtype_name(sig.output[0].tensor.dtype);
    return trust_note(&device->trust, entry->onnx ? "onnx" : entry->spec.op.op->name, dtype,
                      entry->onnx ? "" : entry->spec.fill, *past->ran ? past->ran : past->kernel, past->elems,
                      error);
}

/* A result from before counts as if it came now. */
static enum assay_status keep_result(struct run *run, const struct plan_row *row,
                                     const struct store_past_row *past, struct assay_error *error)
{
    struct run_device *device = &run->device[row->device];
    const int64_t bad_before = run->tally.failed + run->tally.errors;
    judge_tally_add(&run->tally, past->verdict, past->expected);
    judge_tally_add(&device->tally, past->verdict, past->expected);
    device->wall_ns += past->wall_ns;
    device->recorded++;
    run->recorded++;
    run->kept++;
    if (past->verdict == VERDICT_PASS) return note_trust(device, row->entry, past, error);
    if (past->verdict == VERDICT_SKIP)
        (void)skipped_add(&run->skipped, device->device->label, row->kernel, past->line, past->reason);
    if (run->tally.failed + run->tally.errors == bad_before) return ASSAY_OK;
    if (!device->first_failure[0])
        snprintf(device->first_failure, sizeof device->first_failure, "%s %.100s: %.60s",
                 verdict_name(past->verdict), past->line,
                 *past->reason ? past->reason : "it was expected to fail");
    if (!run->options->json)
        printf("%-5s %s\n  kernel   %s %s (recorded before)\n  reason   %s\n  repro    %s\n",
               verdict_name(past->verdict), past->line, device->device->label,
               *past->ran ? past->ran : past->kernel, past->reason, past->repro);
    return ASSAY_OK;
}

static enum assay_status take_row(void *context, const struct store_past_row *past, struct assay_error *error)
{
    struct run *run = context;
    size_t device = 0;
    while (device < run->session_count && run->device[device].device_id != past->device_id) device++;
    const struct corpus_entry *sweep = find_sweep(run, device, past->line),
                              *entry = sweep ? sweep : find_entry(run, past->line);
    const bool done = past->done && !sweep;
    const char *kernel = find_kernel(&run->inventory, past->kernel);
    if (device == run->session_count || !entry || !kernel || past->seq != (int64_t)run->plan.row_count ||
        past->seq >= run->past.rows)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "cannot go on with run %" PRId64 ": row %" PRId64
                               " of its plan (%.200s, kernel %.64s) is not to be found again; " WAY_OUT,
                               run->past.run_id, past->seq, past->line, past->kernel);
    struct plan_row *row = &run->plan.row[run->plan.row_count++];
    *row = (struct plan_row){
        .entry = entry, .device = device, .kernel = kernel, .done = done, .attempts = past->attempts};
    run->device[device].planned++;
    return done ? keep_result(run, row, past, error) : ASSAY_OK;
}

enum assay_status resume_begin(struct run *run, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    struct assay_error unused = {0};
    for (size_t at = 0; at < run->chosen_count && status == ASSAY_OK; at++) status = open_one(run, at, error);
    struct plan sweeps = {0}; /* its rows are in the stored plan already: what is wanted are the cases */
    if (status == ASSAY_OK && run_sweeps(run)) status = run_plan_sweeps(run, &sweeps, error);
    plan_free(&sweeps);
    run->plan.row = calloc((size_t)run->past.rows + 1, sizeof *run->plan.row);
    if (status == ASSAY_OK && !run->plan.row)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the plan");
    if (status == ASSAY_OK && !run->options->json)
        printf("going on with run %" PRId64 ": %" PRId64 " of %" PRId64 " planned have their result\n",
               run->run_id, run->past.rows - run->past.missing, run->past.rows);
    if (status == ASSAY_OK) status = store_past_rows(run->store, run->run_id, take_row, run, error);
    if (status == ASSAY_OK) status = store_past_resume(run->store, run->run_id, error);
    for (size_t at = 0; status != ASSAY_OK && at < run->session_count; at++)
        if (run->device[at].trust.kept) (void)trust_restore(&run->device[at].trust, &unused);
    return status;
}

void resume_free(struct run *run)
{
    drop_lock(run);
    store_past_free(&run->past);
    json_decref(run->settings);
    for (size_t at = 0; at < OPTIONS_LIST_MAX; at++) free(run->past_device[at].probe_json);
}
