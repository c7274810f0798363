/* Running a plan: preparing cases, a thread a group of devices, and shrinking what fails. */
#include "harness/crew.h"
#include "harness/node_test.h"
#include "harness/shrink.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHRINK_TRIES 40

struct crew;

/* Devices that take turns. */
struct group {
    struct crew *crew;
    const char *key;
    bool host; /* the host's own processor works here */
    bool busy; /* has a case to run */
    pthread_t thread;
};

/* The case at work. */
struct work {
    size_t first, end; /* rows of the plan */
    struct judge_source source;
    struct node_test node_test;
    struct assay_tensor captured; /* of a case with file= */
    struct judge_case *c;
    enum verdict refused; /* the case could not be prepared: this verdict for every row */
    struct assay_error why;
    uint8_t *rest_memory;
    struct assay_tensor rest; /* output of a CPU kernel that passed, where rows are sampled */
    char rest_name[96];
};

struct crew {
    const struct crew_params *params;
    struct group *group;
    size_t group_count;
    size_t *group_of;      /* by session */
    struct work *work;     /* what the groups work at */
    pthread_mutex_t mutex; /* groups' busy, leave */
    pthread_cond_t begin, end;
    bool leave;
    pthread_mutex_t outcome_mutex;
    atomic_bool ended;
    atomic_int shrunk;
};

static bool stopped(struct crew *crew)
{
    return atomic_load(&crew->ended) || *crew->params->stop;
}

static const struct inventory_kernel *find_kernel(const struct inventory *inventory, const char *name)
{
    for (size_t at = 0; at < inventory->kernel_count; at++)
        if (strcmp(inventory->kernel[at].name, name) == 0) return &inventory->kernel[at];
    return NULL;
}

static bool on_cpu(const struct crew *crew, const struct plan_row *row)
{
    return strcmp(crew->params->session[row->device].device->backend, "cpu") == 0;
}

/* A row with its result from before is run again only where its output judges the rest of the others' rows. */
static bool wanted(const struct crew *crew, const struct plan_row *row)
{
    const struct work *work = crew->work;
    if (!row->done) return true;
    return work->c && work->c->rows && !work->rest.data && on_cpu(crew, row);
}

/* ---- one row ---- */

static void call_session(struct crew *crew, struct session *session, const struct judge_case *c,
                         const char *kernel, uint32_t samples, bool with_rest, struct session_result *result)
{
    const struct inventory_kernel *described = find_kernel(crew->params->inventory, kernel);
    const struct options *options = crew->params->options;
    struct session_call call = {.c = c,
                                .kernel = *kernel ? kernel : NULL,
                                .mode = described && *described->mode ? described->mode : "exact",
                                .samples = samples,
                                .timeout_ns = options->timeout_s * UINT64_C(1000000000),
                                .rest = with_rest && crew->work->rest.data ? &crew->work->rest : NULL,
                                .rest_name = crew->work->rest_name,
                                .pool = crew->params->pool};
    session_run(session, &call, result);
}

struct shrinking {
    struct crew *crew;
    struct session *session;
    const char *kernel;
    enum verdict verdict;
};

static bool still_fails(void *context, const struct case_spec *candidate)
{
    struct shrinking *shrinking = context;
    char line[CASE_LINE_MAX];
    struct judge_source source = {.line = case_print(candidate, line),
                                  .spec = *candidate,
                                  .captured = shrinking->crew->work->source.captured};
    struct judge_case *c = NULL;
    struct session_result result;
    if (stopped(shrinking->crew)) return false;
    source.spec.dead = NULL;
    if (judge_prepare(&source, shrinking->crew->params->pool, &c, NULL) != ASSAY_OK) return false;
    call_session(shrinking->crew, shrinking->session, c, shrinking->kernel, 0, false, &result);
    const bool fails = result.judgement.verdict == shrinking->verdict;
    session_take_back(shrinking->session, &result);
    judge_case_free(c);
    return fails;
}

/* The smallest line that fails the same way, while there are not too many failures yet. */
static void shrink(struct crew *crew, struct session *session, const char *kernel,
                   const struct session_result *result, char small[CASE_LINE_MAX])
{
    const struct judgement *judgement = &result->judgement;
    struct shrinking shrinking = {crew, session, kernel, judgement->verdict};
    const struct case_spec *spec = &crew->work->source.spec;
    struct case_spec smaller;
    const bool by_value = judgement->verdict == VERDICT_DIFF || judgement->verdict == VERDICT_NONDET ||
                          judgement->verdict == VERDICT_GUARD;
    if (!by_value || judgement->first < 0 || crew->work->source.sig || spec->expect == judgement->verdict ||
        atomic_fetch_add(&crew->shrunk, 1) >= crew->params->shrink_most)
        return;
    if (!shrink_case(spec, judgement->first, SHRINK_TRIES, still_fails, &shrinking, &smaller)) return;
    smaller.dead = NULL;
    case_print(&smaller, small);
}

/* A CPU kernel's output, judged on the sampled rows, serves for the others. */
static void keep_rest(struct crew *crew, const struct session *session, const char *kernel,
                      struct session_result *result)
{
    struct work *work = crew->work;
    if (!work->c->rows || work->rest.data || result->judgement.verdict != VERDICT_PASS ||
        strcmp(session->device->backend, "cpu") != 0)
        return;
    work->rest = judge_output(work->c, &result->trial);
    work->rest_memory = result->trial.output[1][0];
    result->trial.output[1][0] = NULL;
    snprintf(work->rest_name, sizeof work->rest_name, "%s %s", session->device->label,
             *kernel ? kernel : result->reply.kernel);
}

static void run_row(struct crew *crew, size_t seq)
{
    struct work *work = crew->work;
    const struct plan_row *row = &crew->params->plan->row[seq];
    struct session *session = &crew->params->session[row->device];
    struct session_result result = {.judgement = {.oracle = "", .first = -1, .published_differing = -1}};
    struct crew_outcome outcome = {.seq = (int64_t)seq,
                                   .row = row,
                                   .session = session,
                                   .spec = &work->source.spec,
                                   .c = work->c,
                                   .result = &result};
    if (work->c) {
        outcome.dtype = work->c->sig.output[0].tensor.dtype;
        outcome.output = &work->c->output[0].tensor;
        outcome.want = &work->c->want[0];
        call_session(crew, session, work->c, row->kernel, crew->params->options->samples, true, &result);
    } else {
        result.judgement.verdict = work->refused;
        snprintf(result.judgement.reason, sizeof result.judgement.reason, "%s", work->why.text);
    }
    snprintf(outcome.small, sizeof outcome.small, "%s", row->entry->line);
    const char *kernel = *row->kernel ? row->kernel : result.reply.kernel;
    outcome.kernel = find_kernel(crew->params->inventory, kernel);
    if (work->c && !row->done) shrink(crew, session, row->kernel, &result, outcome.small);
    /* A wait that was cut short by an interrupt says nothing about the device. */
    if (!*crew->params->stop && !row->done) {
        pthread_mutex_lock(&crew->outcome_mutex);
        if (!atomic_load(&crew->ended) && !crew->params->outcome(crew->params->context, &outcome))
            atomic_store(&crew->ended, true);
        pthread_mutex_unlock(&crew->outcome_mutex);
    }
    if (work->c) keep_rest(crew, session, row->kernel, &result);
    session_take_back(session, &result);
}

/* ---- groups ---- */

static void *group_main(void *argument)
{
    struct group *group = argument;
    struct crew *crew = group->crew;
    const size_t own = (size_t)(group - crew->group);
    pthread_mutex_lock(&crew->mutex);
    for (;;) {
        while (!group->busy && !crew->leave) pthread_cond_wait(&crew->begin, &crew->mutex);
        if (!group->busy) break;
        pthread_mutex_unlock(&crew->mutex);
        for (size_t seq = crew->work->first; seq < crew->work->end && !stopped(crew); seq++)
            if (crew->group_of[crew->params->plan->row[seq].device] == own &&
                wanted(crew, &crew->params->plan->row[seq]))
                run_row(crew, seq);
        pthread_mutex_lock(&crew->mutex);
        group->busy = false;
        pthread_cond_broadcast(&crew->end);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

static const char *group_key(const struct inventory_device *device)
{
    if (device->software || strcmp(device->backend, "cpu") == 0) return "host";
    return *device->pci ? device->pci : device->label;
}

static enum assay_status make_groups(struct crew *crew, struct assay_error *error)
{
    const struct crew_params *params = crew->params;
    crew->group = calloc(params->session_count + 1, sizeof *crew->group);
    crew->group_of = calloc(params->session_count + 1, sizeof *crew->group_of);
    if (!crew->group || !crew->group_of)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot make the device threads: out of memory");
    size_t count = 0;
    for (size_t at = 0; at < params->session_count; at++) {
        const char *key = group_key(params->session[at].device);
        size_t found = 0;
        while (found < count && strcmp(crew->group[found].key, key) != 0) found++;
        if (found == count)
            crew->group[count++] = (struct group){.crew = crew, .key = key, .host = strcmp(key, "host") == 0};
        crew->group_of[at] = found;
    }
    for (; crew->group_count < count; crew->group_count++)
        if (pthread_create(&crew->group[crew->group_count].thread, NULL, group_main,
                           &crew->group[crew->group_count]) != 0)
            return assay_error_set(error, ASSAY_INTERNAL, "cannot start a device thread");
    return ASSAY_OK;
}

/* Let the wanted groups begin on the rows of the case at work. Returns false if there is nothing for them to do. */
static bool begin_groups(struct crew *crew, bool host, bool others)
{
    bool busy = false;
    pthread_mutex_lock(&crew->mutex);
    for (size_t seq = crew->work->first; seq < crew->work->end; seq++) {
        const struct plan_row *row = &crew->params->plan->row[seq];
        struct group *group = &crew->group[crew->group_of[row->device]];
        if ((group->host ? host : others) && wanted(crew, row)) group->busy = busy = true;
    }
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->mutex);
    return busy;
}

static void await_groups(struct crew *crew)
{
    bool busy = true;
    pthread_mutex_lock(&crew->mutex);
    while (busy) {
        busy = false;
        for (size_t at = 0; at < crew->group_count; at++) busy |= crew->group[at].busy;
        if (busy) pthread_cond_wait(&crew->end, &crew->mutex);
    }
    pthread_mutex_unlock(&crew->mutex);
}

/* ---- cases ---- */

/* Prepare the case that begins at row `first` of the plan. */
static void prepare(struct crew *crew, struct work *work, size_t first)
{
    const struct plan *plan = crew->params->plan;
    const struct corpus_entry *entry = plan->row[first].entry;
    enum assay_status status = ASSAY_OK;
    size_t end = first + 1;
    while (end < plan->row_count && plan->row[end].entry == entry) end++;
    *work = (struct work){.first = first, .end = end, .source = {.line = entry->line, .spec = entry->spec}};
    if (entry->onnx)
        status = node_test_load(crew->params->options->onnx_data, entry->line, &work->node_test,
                                &work->source, &work->why);
    if (status == ASSAY_OK && entry->spec.file[0]) {
        status = gguf_case_tensor(crew->params->gguf, &entry->spec, &work->captured, &work->why);
        work->source.captured = &work->captured;
    }
    work->source.flops_allowed = crew->params->flops_allowed;
    if (crew->params->golden) work->source.golden = golden_find(crew->params->golden, entry->line);
    work->refused =
        status == ASSAY_UNSUPPORTED || (entry->onnx && status == ASSAY_IO) ? VERDICT_SKIP : VERDICT_ERROR;
    if (status == ASSAY_OK) judge_prepare(&work->source, crew->params->pool, &work->c, &work->why);
}

/* The first row, at or behind `first`, of a case that lacks a result. */
static size_t next_case(const struct plan *plan, size_t first)
{
    size_t at = first;
    while (at < plan->row_count && plan->row[at].done) at++;
    while (at < plan->row_count && at > first && plan->row[at - 1].entry == plan->row[at].entry) at--;
    return at;
}

static void work_free(struct work *work)
{
    free(work->rest_memory);
    judge_case_free(work->c);
    node_test_free(&work->node_test);
    *work = (struct work){0};
}

static void run_cases(struct crew *crew)
{
    const struct plan *plan = crew->params->plan;
    const size_t row_count = plan->row_count;
    struct work slot[2] = {0};
    bool prepared = false;
    for (size_t first = next_case(plan, 0), at = 0; first < row_count && !stopped(crew); at = 1 - at) {
        struct work *next = &slot[1 - at];
        crew->work = &slot[at];
        if (!prepared) prepare(crew, crew->work, first);
        first = next_case(plan, crew->work->end);
        prepared = false;
        /* Where rows are sampled the CPU goes first: its output judges the rest of the others'. */
        const bool in_turn = crew->work->c && crew->work->c->rows;
        const bool host = begin_groups(crew, true, false);
        if (host && in_turn) await_groups(crew);
        begin_groups(crew, false, true);
        /* The next case is made ready while cards work; never while the host's own devices are timed. */
        if ((!host || in_turn) && first < row_count && !stopped(crew)) {
            prepare(crew, next, first);
            prepared = true;
        }
        await_groups(crew);
        work_free(crew->work);
    }
    work_free(&slot[0]);
    work_free(&slot[1]);
}

enum assay_status crew_run(const struct crew_params *params, struct assay_error *error)
{
    struct crew crew = {.params = params,
                        .mutex = PTHREAD_MUTEX_INITIALIZER,
                        .begin = PTHREAD_COND_INITIALIZER,
                        .end = PTHREAD_COND_INITIALIZER,
                        .outcome_mutex = PTHREAD_MUTEX_INITIALIZER};
    enum assay_status status = make_groups(&crew, error);
    if (status == ASSAY_OK) run_cases(&crew);
    pthread_mutex_lock(&crew.mutex);
    crew.leave = true;
    pthread_cond_broadcast(&crew.begin);
    pthread_mutex_unlock(&crew.mutex);
    for (size_t at = 0; at < crew.group_count; at++) pthread_join(crew.group[at].thread, NULL);
    free(crew.group);
    free(crew.group_of);
    return status;
}
