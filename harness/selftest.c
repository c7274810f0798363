/* The verb selftest: this program checked without hardware before its verdicts are believed. Float64, the contract
 * against stored digests, digests, case lines, a CPU device on small cases, and planted faults that must be caught. */
#include "harness/engine_load.h"
#include "harness/judge.h"
#include "harness/options.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const small_cases[] = {
    "matmul/f32/m=1,n=1,k=1/fill=normal/seed=1",     "matmul/f32/m=3,n=5,k=7/fill=normal/seed=2",
    "matmul/f32/m=33,n=7,k=257/fill=cancel/seed=1f", "matmul/f32/m=17,n=33,k=129/fill=wide/seed=4",
    "matmul/f32/m=9,n=9,k=65/fill=subnormal/seed=5", "matmul/f32/m=31,n=8,k=40/fill=special/seed=6",
    "matmul/f32/m=16,n=16,k=64/fill=integer/seed=7", "q1_0/u8/m=33,n=3,k=384/fill=layer/seed=8",
    "q1_0/u8/m=65,n=1,k=256/fill=minus128/seed=9",   "q1_0/u8/m=17,n=2,k=256/fill=special/seed=a",
    "q8_0/f32/n=7,k=160/fill=codes/seed=b",
};
#define SMALL_COUNT (sizeof small_cases / sizeof small_cases[0])

static bool fail(char *why, size_t bytes, const char *text)
{
    snprintf(why, bytes, "%s", text);
    return false;
}

static bool prepare_line(const char *line, struct judge_case **c, char *why, size_t bytes)
{
    struct assay_error error = {0};
    struct judge_source source = {.line = line};
    *c = NULL;
    if (case_parse(line, &source.spec, &error) != ASSAY_OK ||
        judge_prepare(&source, NULL, c, &error) != ASSAY_OK)
        return fail(why, bytes, error.text);
    if ((*c)->refused == VERDICT_NONE) return true;
    return fail(why, bytes, (*c)->why);
}

/* ---- checks ---- */

static bool check_float64(char *why, size_t bytes)
{
    struct assay_error error = {0};
    return oracle_f64_selftest(&error) == ASSAY_OK || fail(why, bytes, error.text);
}

static bool check_lines(char *why, size_t bytes)
{
    for (size_t at = 0; at < SMALL_COUNT; at++) {
        struct case_spec spec;
        struct assay_error error = {0};
        char text[CASE_LINE_MAX];
        if (case_parse(small_cases[at], &spec, &error) != ASSAY_OK) return fail(why, bytes, error.text);
        if (strcmp(case_print(&spec, text), small_cases[at]) != 0) {
            snprintf(why, bytes, "'%s' is printed as '%s'", small_cases[at], text);
            return false;
        }
    }
    return true;
}

/* A digest does not depend on the payload of a NaN nor on strides, and depends on everything else. */
static bool check_digests(char *why, size_t bytes)
{
    const uint32_t plain[3] = {0x3f800000, 0x7fc00000, 0}, payload[3] = {0x3f800000, 0xffdeadbe, 0};
    const uint32_t strided[6] = {0x3f800000, 1, 0x7fc00000, 2, 0, 3},
                   minus[3] = {0x3f800000, 0x7fc00000, 0x80000000};
    const int64_t shape[1] = {3};
    const struct {
        const uint32_t *words;
        int64_t stride;
        bool equal;
    } vector[] = {{payload, 1, true}, {strided, 2, true}, {minus, 1, false}};
    char base[33], other[33];
    struct assay_tensor tensor;
    assay_tensor_dense(&tensor, ASSAY_F32, 1, shape);
    tensor.data = (void *)plain;
    tensor.bytes = sizeof plain;
    tensor.buffer = NULL;
    oracle_digest(&tensor, base);
    for (size_t at = 0; at < sizeof vector / sizeof vector[0]; at++) {
        tensor.data = (void *)vector[at].words;
        tensor.stride[0] = vector[at].stride;
        tensor.bytes = (uint64_t)(2 * vector[at].stride + 1) * 4;
        oracle_digest(&tensor, other);
        if ((strcmp(base, other) == 0) != vector[at].equal)
            return fail(why, bytes, "a digest is not canonical");
    }
    return true;
}

static bool check_references(char *why, size_t bytes)
{
    for (size_t at = 0; at < SMALL_COUNT; at++) {
        struct judge_case *c;
        const bool fine = prepare_line(small_cases[at], &c, why, bytes);
        judge_case_free(c);
        if (!fine) return false;
    }
    return true;
}

/* ---- planted faults ---- */

/* Damage to memory that holds the right answer; element is one of the output's. */
struct planted {
    const char *name;
    enum verdict verdict;
    int runs; /* bit mask of the runs that are damaged */
    void (*damage)(const struct judge_case *c, uint8_t *arena);
};

static uint32_t *output_word(const struct judge_case *c, uint8_t *arena, int64_t flat)
{
    return (uint32_t *)(void *)(arena + c->output[0].arena_bytes) + judge_element(&c->output[0].tensor, flat);
}

static void damage_nothing(const struct judge_case *c, uint8_t *arena)
{
    (void)c, (void)arena;
}
static void damage_bit(const struct judge_case *c, uint8_t *arena)
{
    *output_word(c, arena, c->elems / 2) ^= 1;
}
static void damage_nan(const struct judge_case *c, uint8_t *arena)
{
    *output_word(c, arena, 1) = 0x7fc00000;
}
static void damage_sign(const struct judge_case *c, uint8_t *arena)
{
    *output_word(c, arena, 0) ^= 0x80000000;
}
static void damage_past(const struct judge_case *c, uint8_t *arena)
{
    output_word(c, arena, c->elems - 1)[1] = 0;
}
static void damage_before(const struct judge_case *c, uint8_t *arena)
{
    output_word(c, arena, 0)[-1] = 0;
}
static void damage_far(const struct judge_case *c, uint8_t *arena)
{
    arena[c->output[0].arena_bytes + c->output[0].tensor.bytes - 1] ^= 1;
}
static void damage_input(const struct judge_case *c, uint8_t *arena)
{
    arena[c->input[1].arena_bytes + c->input[1].tensor.bytes / 2] ^= 0x40;
}

static const struct planted planted_table[] = {
    {"the right answer", VERDICT_PASS, 3, damage_nothing},
    {"one flipped bit", VERDICT_DIFF, 3, damage_bit},
    {"one NaN", VERDICT_DIFF, 3, damage_nan},
    {"one wrong sign", VERDICT_DIFF, 3, damage_sign},
    {"a bit flipped once", VERDICT_NONDET, 2, damage_bit},
    {"a write past the end", VERDICT_GUARD, 1, damage_past},
    {"a write before the start", VERDICT_GUARD, 2, damage_before},
    {"a write at the end of the guard", VERDICT_GUARD, 3, damage_far},
    {"a changed input", VERDICT_GUARD, 3, damage_input},
};

static void write_answer(const struct judge_case *c, uint8_t *arena, int64_t count)
{
    for (int64_t flat = 0; flat < count; flat++)
        *output_word(c, arena, flat) = ((const uint32_t *)c->want[0].data)[judge_element(&c->want[0], flat)];
}

static enum verdict judge_planted(const struct judge_case *c, const struct planted *planted, int64_t count)
{
    struct judge_trial trial = {0};
    struct judgement judgement = {.verdict = VERDICT_ERROR};
    uint8_t *arena = malloc(c->arena_bytes);
    bool kept = arena != NULL;
    for (int run = 0; run < 2 && kept; run++) {
        judge_stage(c, run, arena);
        write_answer(c, arena, count);
        if (planted->runs >> run & 1) planted->damage(c, arena);
        kept = judge_collect(c, run, arena, &trial, NULL) == ASSAY_OK;
    }
    if (kept) judge_decide(c, &trial, "exact", "", NULL, "", NULL, &judgement);
    judge_trial_free(&trial);
    free(arena);
    return judgement.verdict;
}

static bool check_planted(char *why, size_t bytes)
{
    const struct planted unwritten = {"an output that was not written to its end", VERDICT_GUARD, 0,
                                      damage_nothing};
    struct judge_case *c;
    bool fine = prepare_line("matmul/f32/m=5,n=6,k=64/fill=normal/seed=9", &c, why, bytes);
    for (size_t at = 0; fine && at <= sizeof planted_table / sizeof planted_table[0]; at++) {
        const bool table = at < sizeof planted_table / sizeof planted_table[0];
        const struct planted *planted = table ? &planted_table[at] : &unwritten;
        const enum verdict verdict = judge_planted(c, planted, table ? c->elems : c->elems - 1);
        if (verdict == planted->verdict) continue;
        snprintf(why, bytes, "%s is judged %s, not %s", planted->name, verdict_name(verdict),
                 verdict_name(planted->verdict));
        fine = false;
    }
    judge_case_free(c);
    return fine;
}

/* ---- the engine on the CPU ---- */

static bool run_case(const struct adapter *adapter, void *session, const char *line, char *why, size_t bytes)
{
    struct judge_case *c;
    struct judge_trial trial = {0};
    struct judgement judgement = {.verdict = VERDICT_ERROR};
    struct assay_error error = {0};
    uint8_t *arena = NULL;
    bool fine = prepare_line(line, &c, why, bytes);
    if (fine) arena = malloc(c->arena_bytes);
    for (int run = 0; run < 2 && fine; run++) {
        struct assay_tensor tensors[2 * OP_TENSORS_MAX];
        struct adapter_node node;
        struct adapter_reply reply = {.size = sizeof reply};
        const struct adapter_request request = {
            .size = sizeof request, .mode = "exact", .timeout_ns = 60 * UINT64_C(1000000000)};
        fine = arena != NULL;
        if (!fine) break;
        judge_stage(c, run, arena);
        judge_node(c, arena, tensors, &node);
        fine = adapter->run(session, &node, &request, &reply, &error) == ASSAY_OK &&
               judge_collect(c, run, arena, &trial, &error) == ASSAY_OK;
        if (!fine) fail(why, bytes, error.text);
    }
    if (fine) {
        judge_decide(c, &trial, "exact", "", NULL, "", NULL, &judgement);
        fine = judgement.verdict == VERDICT_PASS;
        if (!fine)
            snprintf(why, bytes, "%s: %s, %.200s", line, verdict_name(judgement.verdict), judgement.reason);
    }
    judge_trial_free(&trial);
    free(arena);
    judge_case_free(c);
    return fine;
}

static const struct options *selftest_options;

static bool check_cpu(char *why, size_t bytes)
{
    const struct adapter *adapter = NULL;
    struct adapter_options adapter_options;
    struct assay_error error = {0};
    void *session = NULL;
    options_adapter(selftest_options, &adapter_options);
    if (engine_load(NULL, &adapter, &error) != ASSAY_OK ||
        adapter->open(&adapter_options, "cpu:0", &session, &error) != ASSAY_OK)
        return fail(why, bytes, error.text);
    bool fine = true;
    for (size_t at = 0; fine && at < SMALL_COUNT; at++)
        fine = run_case(adapter, session, small_cases[at], why, bytes);
    adapter->close(session);
    return fine;
}

static const struct check {
    const char *name;
    bool (*run)(char *why, size_t bytes);
} check_table[] = {
    {"float64 products on exact integers", check_float64},
    {"case lines print as they parse", check_lines},
    {"digests are canonical", check_digests},
    {"the contract stays within its bound of float64", check_references},
    {"planted faults are caught", check_planted},
    {"the CPU device gives the contract's bits", check_cpu},
};

int verb_selftest(const struct options *options)
{
    json_t *list = json_array();
    int exit_code = EXIT_PASS;
    selftest_options = options;
    for (size_t at = 0; at < sizeof check_table / sizeof check_table[0]; at++) {
        char why[600] = "";
        const bool fine = check_table[at].run(why, sizeof why);
        if (!fine) exit_code = EXIT_ERROR;
        if (options->json)
            json_array_append_new(list, json_pack("{s:s, s:b, s:s}", "check", check_table[at].name, "ok",
                                                  (int)fine, "why", why));
        else if (!fine || !options->quiet)
            printf("%s  %s%s%s\n", fine ? "ok  " : "FAIL", check_table[at].name, fine ? "" : ": ", why);
    }
    char *text = options->json ? json_dumps(list, JSON_INDENT(2)) : NULL;
    if (text) puts(text);
    free(text);
    json_decref(list);
    return verb_finish(exit_code);
}
