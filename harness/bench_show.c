/* What bench tells people and programs: a line a device, kernel, case and lane, over all processes. */
#include "harness/bench_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLAIM_SPREADS 2 /* a gain counts beyond so many times the spread (row H13) */

/* A cell in one lane over its processes. */
struct row {
    const struct bench_cell *cell;
    bool cold;
    size_t processes, passed;
    uint32_t samples, rejected;
    double median_ns;   /* of the processes' medians */
    double mad_share;   /* median of the processes' MAD / median */
    double apart_share; /* MAD of the processes' medians / median */
    double launch_ns, roofline, record_ns, submit_ns, other_ns;
    uint64_t dispatches;
    enum bench_verdict verdict; /* the worst */
    const char *reason;
};

static double median_of(const double *value, size_t count)
{
    double *copy = malloc((count + 1) * sizeof *copy);
    if (!copy) return NAN;
    memcpy(copy, value, count * sizeof *copy);
    const double median = bench_median(copy, count);
    free(copy);
    return median;
}

/* Worst first: a wrong answer, an error, doubt, then PASS. */
static int badness(enum bench_verdict verdict)
{
    static const int order[BENCH_VERDICTS] = {
        [BENCH_PASS] = 0, [BENCH_INCONCLUSIVE] = 1, [BENCH_ERROR] = 2, [BENCH_NONDET] = 3, [BENCH_DIFF] = 4};
    return order[verdict];
}

static bool make_row(const struct bench_run *bench, size_t cell, bool cold, struct row *row)
{
    enum { MEDIAN, MAD, LAUNCH, ROOF, RECORD, SUBMIT, OTHER, FIELDS };
    double *value = calloc(bench->result_count + 1, FIELDS * sizeof *value);
    const size_t stride = bench->result_count + 1;
    *row = (struct row){.cell = &bench->cell[cell], .cold = cold, .reason = ""};
    if (!value) return false;
    for (size_t at = 0; at < bench->result_count; at++) {
        const struct bench_result *result = &bench->result[at];
        if (result->cell != cell || result->cold != cold) continue;
        row->processes++;
        if (badness(result->verdict) > badness(row->verdict) || !*row->reason) {
            if (badness(result->verdict) >= badness(row->verdict)) row->reason = result->reason;
            if (badness(result->verdict) > badness(row->verdict)) row->verdict = result->verdict;
        }
        if (result->verdict != BENCH_PASS && result->verdict != BENCH_INCONCLUSIVE) continue;
        if (!(result->median_ns > 0)) continue;
        const double got[FIELDS] = {result->median_ns, result->mad_ns / result->median_ns,
                                    result->launch_ns, result->roofline,
                                    result->record_ns, result->submit_ns,
                                    result->other_ns};
        for (int field = 0; field < FIELDS; field++) value[field * stride + row->passed] = got[field];
        row->passed++;
        row->samples += result->samples;
        row->rejected += result->rejected;
        row->dispatches = result->dispatches;
    }
    row->median_ns = median_of(value + MEDIAN * stride, row->passed);
    row->mad_share = median_of(value + MAD * stride, row->passed);
    row->launch_ns = median_of(value + LAUNCH * stride, row->passed);
    row->roofline = median_of(value + ROOF * stride, row->passed);
    row->record_ns = median_of(value + RECORD * stride, row->passed);
    row->submit_ns = median_of(value + SUBMIT * stride, row->passed);
    row->other_ns = median_of(value + OTHER * stride, row->passed);
    double *off = value + MEDIAN * stride;
    for (size_t at = 0; at < row->passed; at++) off[at] = fabs(off[at] - row->median_ns);
    row->apart_share = 1.4826 * median_of(off, row->passed) / row->median_ns;
    free(value);
    return row->processes > 0;
}

/* "12.3 us": three digits and a unit. */
static char *time_text(double ns, char text[24])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    if (!isfinite(ns)) return strcpy(text, "-");
    for (; ns >= 1000 && unit < 3; unit++) ns /= 1000;
    snprintf(text, 24, "%.*f %s", ns >= 100 ? 0 : ns >= 10 ? 1 : 2, ns, units[unit]);
    return text;
}

static char *number_text(double value, const char *format, char text[24])
{
    if (!isfinite(value)) return strcpy(text, "-");
    snprintf(text, 24, format, value);
    return text;
}

static double flops_of(const struct bench_run *bench, const struct row *row)
{
    return plan_flops(&bench->run->corpus.entry[row->cell->entry]);
}
static double bytes_of(const struct bench_run *bench, const struct row *row)
{
    return (double)plan_bytes(&bench->run->corpus.entry[row->cell->entry]);
}

static const char *kernel_of(const struct row *row)
{
    return *row->cell->ran ? row->cell->ran : *row->cell->kernel ? row->cell->kernel : "(engine's choice)";
}

/* ---- A and B ---- */

struct comparison_ab {
    double ratio, spread; /* B / A; the larger spread of both, as a share */
    const char *why;      /* no claim is made of it; "" = one may be */
};

/* Row H13: only beyond the noise measured here, and from a run in which nothing failed. */
static bool compare_ab(const struct bench_run *bench, const struct row *a, const struct row *b,
                       struct comparison_ab *out)
{
    bool failed = bench->refused > 0 || bench->differ;
    for (size_t at = 0; at < bench->result_count; at++)
        failed |= badness(bench->result[at].verdict) > badness(BENCH_INCONCLUSIVE);
    *out = (struct comparison_ab){.ratio = b->median_ns / a->median_ns};
    out->spread = fmax(fmax(a->mad_share, b->mad_share), fmax(a->apart_share, b->apart_share));
    out->why = failed                                                 ? "something in this run failed"
               : a->verdict != BENCH_PASS || b->verdict != BENCH_PASS ? "a side is inconclusive"
               : fabs(out->ratio - 1) <= CLAIM_SPREADS * out->spread  ? "within the noise"
                                                                      : "";
    return isfinite(out->ratio);
}

/* ---- the table ---- */

static void show_ceilings(const struct bench_run *bench)
{
    char text[24];
    for (size_t device = 0; device < bench->run->session_count; device++) {
        const struct inventory_device *it = bench->run->session[device].device;
        if (!bench->ceiling_count[device]) continue;
        printf(
            "%s %s: copy %.1f GB/s, in cache %.1f GB/s, multiply-adds %.1f GFLOP/s, launch %s, clock %.0f "
            "ns\n",
            it->label, it->name, bench_ceiling(bench, device, "copy") * 1e-9,
            bench_ceiling(bench, device, "copy_hot") * 1e-9, bench_ceiling(bench, device, "fma_f32") * 1e-9,
            time_text(bench_ceiling(bench, device, "launch"), text), bench_ceiling(bench, device, "timer"));
    }
}

/* Notes of rows that passed, each said once, below the table. */
struct notes {
    const char *text[16];
    size_t count;
};

/* Its number from 1; 0 for none, and where there is no room. */
static size_t note(struct notes *notes, const struct row *row)
{
    if (row->verdict != BENCH_PASS || !*row->reason) return 0;
    for (size_t at = 0; at < notes->count; at++)
        if (strcmp(notes->text[at], row->reason) == 0) return at + 1;
    if (notes->count == sizeof notes->text / sizeof notes->text[0]) return 0;
    notes->text[notes->count++] = row->reason;
    return notes->count;
}

static void show_row(const struct bench_run *bench, const struct row *row, struct notes *notes)
{
    char time[24], spread[24], flops[24], bytes[24], roof[24], launch[24], side[8] = "", mark[24] = "";
    const char *label = bench->run->session[row->cell->device].device->label;
    const size_t number = note(notes, row);
    if (bench->side_count > 1) snprintf(side, sizeof side, "%s ", bench->side[row->cell->side].name);
    if (number) snprintf(mark, sizeof mark, "  [%zu]", number);
    printf("%-9s %-28s %-4s %2s%10s %7s %9s %9s %6s %9s  %s%s%s%s\n", label, kernel_of(row),
           row->cold ? "cold" : "hot", side, time_text(row->median_ns, time),
           number_text(100 * fmax(row->mad_share, row->apart_share), "%.1f", spread),
           number_text(flops_of(bench, row) / row->median_ns, "%.1f", flops),
           number_text(bytes_of(bench, row) / row->median_ns, "%.1f", bytes),
           number_text(100 * row->roofline, "%.1f", roof), time_text(row->launch_ns, launch),
           bench->run->corpus.entry[row->cell->entry].line, row->verdict == BENCH_PASS ? "" : "  ",
           row->verdict == BENCH_PASS ? "" : bench_verdict_name(row->verdict), mark);
    if (row->verdict != BENCH_PASS && *row->reason) printf("%10s%s\n", "", row->reason);
}

static void show_ab(const struct bench_run *bench, const struct row *a, const struct row *b)
{
    struct comparison_ab ab;
    if (!compare_ab(bench, a, b, &ab)) return;
    printf("          B takes %.3f times A's time (%s lane; spread %.1f %%): %s%s\n", ab.ratio,
           a->cold ? "cold" : "hot", 100 * ab.spread, *ab.why ? "no claim: " : "",
           *ab.why        ? ab.why
           : ab.ratio < 1 ? "B is faster"
                          : "A is faster");
}

void bench_show_table(const struct bench_run *bench)
{
    struct row row, other;
    struct notes notes = {.count = 0};
    if (bench->result_count == 0) return;
    show_ceilings(bench);
    if (bench->side_count > 1) printf("A: %s\nB: %s\n", bench->side[0].text, bench->side[1].text);
    printf("%-9s %-28s %-4s %2s%10s %7s %9s %9s %6s %9s  %s\n", "device", "kernel", "lane", "", "median",
           "MAD %", "GFLOP/s", "GB/s", "roof %", "launch", "case");
    for (size_t cell = 0; cell < bench->cell_count; cell++)
        for (int cold = 1; cold >= 0; cold--) {
            if (!make_row(bench, cell, cold, &row)) continue;
            show_row(bench, &row, &notes);
            if (bench->side_count == 2 && cell % 2 && make_row(bench, cell - 1, cold, &other))
                show_ab(bench, &other, &row);
        }
    for (size_t at = 0; at < notes.count; at++) printf("[%zu] %s\n", at + 1, notes.text[at]);
}

/* ---- JSON ---- */

static void put_number(json_t *object, const char *name, double value)
{
    json_object_set_new(object, name, isfinite(value) ? json_real(value) : json_null());
}

static json_t *row_json(const struct bench_run *bench, const struct row *row)
{
    const double flops = flops_of(bench, row), bytes = bytes_of(bench, row);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:I, s:s, s:s}", "device",
                               bench->run->session[row->cell->device].device->label, "kernel", kernel_of(row),
                               "kernel_hash", row->cell->kernel_hash, "case",
                               bench->run->corpus.entry[row->cell->entry].line, "lane",
                               row->cold ? "cold" : "hot", "side", bench->side[row->cell->side].name,
                               "processes", (json_int_t)row->processes, "samples", (int)row->samples,
                               "rejected", (int)row->rejected, "dispatches", (json_int_t)row->dispatches,
                               "verdict", bench_verdict_name(row->verdict), "reason", row->reason);
    json_object_set_new(object, "digest", json_string(row->cell->digest));
    put_number(object, "median_ns", row->median_ns);
    put_number(object, "mad_share", row->mad_share);
    put_number(object, "process_mad_share", row->apart_share);
    put_number(object, "gflops", flops / row->median_ns);
    put_number(object, "gbytes", bytes / row->median_ns);
    put_number(object, "roofline", row->roofline);
    put_number(object, "launch_ns", row->launch_ns);
    put_number(object, "host_record_ns", row->record_ns);
    put_number(object, "host_submit_ns", row->submit_ns);
    put_number(object, "host_other_ns", row->other_ns);
    return object;
}

static json_t *devices_json(const struct bench_run *bench)
{
    json_t *devices = json_array();
    for (size_t device = 0; device < bench->run->session_count; device++) {
        json_t *ceilings = json_object();
        for (size_t at = 0; at < bench->ceiling_count[device]; at++)
            put_number(ceilings, bench->ceiling[device][at].name, bench->ceiling[device][at].value);
        json_array_append_new(
            devices, json_pack("{s:s, s:s, s:o}", "label", bench->run->session[device].device->label, "name",
                               bench->run->session[device].device->name, "ceilings", ceilings));
    }
    return devices;
}

void bench_show_json(const struct bench_run *bench, int exit_code, const char *reason)
{
    json_t *rows = json_array(), *pairs = json_array();
    struct row row, other;
    struct comparison_ab ab;
    for (size_t cell = 0; cell < bench->cell_count; cell++)
        for (int cold = 1; cold >= 0; cold--) {
            if (!make_row(bench, cell, cold, &row)) continue;
            json_array_append_new(rows, row_json(bench, &row));
            if (bench->side_count < 2 || !(cell % 2) || !make_row(bench, cell - 1, cold, &other) ||
                !compare_ab(bench, &other, &row, &ab))
                continue;
            json_t *pair =
                json_pack("{s:s, s:s, s:s, s:f, s:b, s:s}", "device",
                          bench->run->session[row.cell->device].device->label, "case",
                          bench->run->corpus.entry[row.cell->entry].line, "lane", cold ? "cold" : "hot",
                          "ratio", ab.ratio, "claimable", (int)!*ab.why, "why", ab.why);
            put_number(pair, "spread", ab.spread);
            json_array_append_new(pairs, pair);
        }
    json_t *root =
        json_pack("{s:s, s:I, s:i, s:s, s:i, s:o, s:o, s:o}", "verb", "bench", "run",
                  (json_int_t)bench->run->run_id, "exit", exit_code, "reason", reason, "invocations",
                  (int)bench->invocations, "devices", devices_json(bench), "rows", rows, "ab", pairs);
    char *text = json_dumps(root, JSON_INDENT(2));
    if (text) puts(text);
    free(text);
    json_decref(root);
}
