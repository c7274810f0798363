/* The Markdown report of a run, or of the runs of a label: the verdict on one screen, then the details in folds.
 *
 * It knows the names of the queries and the order of the sections; what is in a table is the query's business. It knows
 * nothing of devices, kernels and the harness: only what they left in the database. */
#include "reports/report.h"
#include "reports/database.h"
#include "reports/output.h"
#include "reports/pick.h"
#include "reports/plot.h"
#include "reports/query.h"
#include "reports/report_functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

extern const char assay_blob_reports_report_sql[], assay_blob_reports_report_time_sql[];

const char *const report_plot_names[] = {"none", "svg", "png", "all", NULL};

struct report {
    struct query_source source, times;
    struct text text;
};

/* Sections under one heading. A fold shows its summary alone until it is opened; without rows it is left out. */
struct part {
    const char *heading; /* NULL: none */
    const char *fold;    /* summary; NULL: open */
    const struct query_section *section;
    size_t count;
};
#define SECTIONS(list) (list), sizeof(list) / sizeof((list)[0])

/* ---- the sections ---- */

static const struct query_section answers[] = {
    {"title", QUERY_LINES, NULL, NULL},
    {"verdict", QUERY_LINES, NULL, NULL},
    {"cards", QUERY_TABLE, NULL, "No device was chosen."},
    {"answers", QUERY_LINES, NULL, NULL},
    {"runs", QUERY_TABLE, NULL, NULL},
};
static const struct query_section failed[] = {
    {"failures", QUERY_BLOCKS, NULL, NULL},
    {"more_failures", QUERY_FOLD, "### Further failures", NULL},
    {"failed_by", QUERY_TABLE, "### Failures by device, kernel and fill", NULL},
    {"wrong_times", QUERY_TABLE, "### Timings that do not count", NULL},
    {"digests", QUERY_TABLE, "### Different bits for one case", NULL},
};
static const struct query_section changed[] = {
    {"base_runs", QUERY_LINES, NULL,
     "There is no earlier run of this verb, level and engine on these devices."},
    {"changed_by", QUERY_TABLE, "Verdicts:", NULL},
    {"changed_digests", QUERY_FOLD, "Bits of the results:", NULL},
    {"changed_drivers", QUERY_TABLE, "Drivers:", NULL},
    {"changed_kernels", QUERY_FOLD, "Kernels whose code as loaded has another hash:", NULL},
    {"changed_oracles", QUERY_FOLD, "What the cases were judged by:", NULL},
    {"changed_cases", QUERY_FOLD, "Cases that appeared or are gone:", NULL},
};
static const struct query_section unvalidated[] = {
    {"backends", QUERY_TABLE,
     "A backend counts as validated when a run of this database on a device of it had passes and no failure.",
     NULL},
    {"skip_reasons", QUERY_FOLD,
     "Skipped, by reason; where reasons differ in numbers alone, the first:", NULL},
    {"unjudged", QUERY_FOLD, "Dead references, and nothing to prove by:", NULL},
    {"capped", QUERY_FOLD, "Left out by the level's work cap:", NULL},
    {"not_run", QUERY_FOLD, "Planned and not run:", NULL},
};
static const struct query_section each_skip[] = {{"skips", QUERY_TABLE, NULL, NULL}};
static const struct query_section known[] = {
    {"known_failures", QUERY_FOLD,
     "Declared with the case; where another verdict came, the run failed:", NULL},
};
static const struct query_section limited[] = {
    {"reference_limited", QUERY_FOLD,
     "Here the reference itself is as far from float64 as the kernel: the floor is what a proof allows.",
     NULL}};
static const struct query_section of_kernels[] = {
    {"kernels", QUERY_TABLE, NULL, NULL},
    {"errors", QUERY_TABLE,
     "Scaled errors against float64 by case, and how many are smaller than those of the CPU in exact mode:",
     NULL},
};
static const struct query_section of_worst[] = {
    {"worst_cases", QUERY_TABLE, NULL, NULL},
};
static const struct query_section of_device[] = {
    {"passport", QUERY_TABLE, NULL, NULL},
    {"traits", QUERY_FOLD,
     "Measured arithmetic (operands tried, results that are not IEEE-754's):", "No traits are recorded."},
};
static const struct query_section not_opened[] = {{"not_opened", QUERY_TABLE, NULL, NULL}};
static const struct query_section coverage[] = {
    {"coverage", QUERY_TABLE,
     "Every compute unit does the same exact work, memory is written and read back in a pattern and its "
     "complement, copies are checked on the other side. Units and bytes.",
     NULL},
};
static const struct query_section rests_on[] = {{"rungs", QUERY_TABLE, NULL, "Nothing passed."}};
static const struct query_section fills[] = {{"fills", QUERY_TABLE, NULL, NULL}};
static const struct query_section builds[] = {{"builds", QUERY_TABLE, NULL, NULL}};
static const struct query_section published[] = {{"published", QUERY_TABLE, NULL, NULL}};
static const struct query_section mutants[] = {{"mutants", QUERY_FOLD, NULL, NULL}};
static const struct query_section of_run[] = {
    {"command", QUERY_BLOCKS, NULL, NULL},
    {"run", QUERY_TABLE, NULL, NULL},
};
static const struct query_section of_settings[] = {{"settings", QUERY_TABLE, NULL, NULL}};
static const struct query_section times[] = {
    {"ceilings", QUERY_TABLE, "What the devices can do, measured in the same processes:", NULL},
    {"times", QUERY_FOLD,
     "Medians over the processes; the spread is the larger of the MAD within and between processes:", NULL},
    {"beside", QUERY_FOLD,
     "Each device's fastest kernel beside the processor's on the same case. A speed is claimable from a run "
     "in which nothing failed, and beyond twice the spread:",
     NULL},
    {"doubtful", QUERY_FOLD, "Without a conclusion:", NULL},
};

static const struct part opening[] = {
    {NULL, NULL, SECTIONS(answers)},
    {"## What failed", NULL, SECTIONS(failed)},
    {"## What changed", NULL, SECTIONS(changed)},
    {"## What was not validated", NULL, SECTIONS(unvalidated)},
    {NULL, "Skipped cases, the first 1,000", SECTIONS(each_skip)},
    {"## Known failures", NULL, SECTIONS(known)},
    {"## Limited by the reference", NULL, SECTIONS(limited)},
};
static const struct part timing[] = {{"## Timing", NULL, SECTIONS(times)}};
static const struct part of_family[] = {
    {NULL, NULL, SECTIONS(of_kernels)},
    {NULL, "Worst cases, with the line to see each again", SECTIONS(of_worst)},
};
static const struct part of_one_device[] = {{NULL, NULL, SECTIONS(of_device)}};
static const struct part closing[] = {
    {"### Devices that were not opened", NULL, SECTIONS(not_opened)},
    {"## What was covered of each device", NULL, SECTIONS(coverage)},
    {"## What the passes rest on", NULL, SECTIONS(rests_on)},
    {NULL, "Judged cases by device and fill", SECTIONS(fills)},
    {NULL, "Builds of the kernels, by the hash of the code as loaded", SECTIONS(builds)},
    {NULL, "Against tensors that others published", SECTIONS(published)},
    {"## Mutation score", NULL, SECTIONS(mutants)},
};
static const struct part of_one_run[] = {
    {NULL, NULL, SECTIONS(of_run)},
    {NULL, "Every setting", SECTIONS(of_settings)},
};

/* ---- writing ---- */

static enum assay_status part_write(struct report *report, const struct query_source *source,
                                    const struct part *part)
{
    struct text text = {0};
    enum assay_status status = query_write(source, part->section, part->count, &text);
    if (!status && text.used) {
        if (part->heading) text_printf(&report->text, "%s\n\n", part->heading);
        if (part->fold)
            text_printf(&report->text, "<details><summary>%s</summary>\n\n%s</details>\n\n", part->fold,
                        text.data);
        else
            text_put(&report->text, text.data);
    }
    if (text.failed) report->text.failed = true;
    text_free(&text);
    return status;
}

static enum assay_status parts_write(struct report *report, const struct query_source *source,
                                     const struct part *part, size_t count)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < count && !status; i++) status = part_write(report, source, &part[i]);
    return status;
}

/* What is told once a device, an operator or a run: query `list` gives them, `choose` puts one into `this`. */
struct loop {
    const char *heading, *list, *choose, *empty;
    const struct part *part;
    size_t count;
    bool fold; /* each in a fold of its own */
};

static const struct loop families = {
    "## Operators\n\nErrors are against float64: scaled is the largest error over the largest value, ulp in "
    "units of the output format, the bound a proven one (above 1 breaks the proof). Times are device times "
    "of "
    "one run, of the few samples beside each judged case.",
    "families",
    "UPDATE this SET op = ?1",
    NULL,
    SECTIONS(of_family),
    false};
static const struct loop devices = {"## Devices",
                                    "devices",
                                    "UPDATE this SET device_id = ?1, run_id = ?3",
                                    "No device was opened.",
                                    SECTIONS(of_one_device),
                                    true};
static const struct loop runs = {
    "## How to reproduce\n\nThe program at the git revision below, in the repository's root:",
    "each_run",
    "UPDATE this SET run_id = ?1",
    NULL,
    SECTIONS(of_one_run),
    false};

static enum assay_status loop_choose(struct report *report, const struct loop *loop, sqlite3_stmt *row)
{
    sqlite3_stmt *choose = NULL;
    int result = sqlite3_prepare_v2(report->source.db, loop->choose, -1, &choose, NULL);
    for (int at = 0; result == SQLITE_OK && at < sqlite3_column_count(row); at++)
        if (at < sqlite3_bind_parameter_count(choose))
            result = sqlite3_bind_value(choose, at + 1, sqlite3_column_value(row, at));
    if (result == SQLITE_OK) result = sqlite3_step(choose);
    sqlite3_finalize(choose);
    if (result == SQLITE_DONE) return ASSAY_OK;
    return database_fail(report->source.db, report->source.path, "go through the report's parts",
                         report->source.error);
}

/* Columns of the list: key, title, more. */
static enum assay_status loop_write(struct report *report, const struct loop *loop)
{
    sqlite3_stmt *statement = NULL;
    int result = SQLITE_DONE;
    int64_t count = 0;
    enum assay_status status = query_prepare(&report->source, loop->list, &statement);
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count++ == 0) text_printf(&report->text, "%s\n\n", loop->heading);
        const char *title = query_column(statement, 1);
        if (loop->fold)
            text_printf(&report->text, "<details><summary>%s</summary>\n\n", title);
        else if (*title)
            text_printf(&report->text, "### %s\n\n", title);
        status = loop_choose(report, loop, statement);
        if (!status) status = parts_write(report, &report->source, loop->part, loop->count);
        if (loop->fold) text_put(&report->text, "</details>\n\n");
    }
    if (!status && result != SQLITE_DONE)
        status = database_fail(report->source.db, report->source.path, "list the report's parts",
                               report->source.error);
    if (count == 0 && loop->empty) text_printf(&report->text, "%s\n\n%s\n\n", loop->heading, loop->empty);
    sqlite3_finalize(statement);
    return status;
}

static enum assay_status report_make(struct report *report, const char *folder, unsigned formats)
{
    enum assay_status status = query_run(&report->source, "prepare");
    if (!status) status = query_run(&report->times, "prepare");
    if (!status) status = parts_write(report, &report->source, SECTIONS(opening));
    if (!status && formats && folder) status = plot_write(&report->source, folder, formats, &report->text);
    if (!status) status = parts_write(report, &report->times, SECTIONS(timing));
    if (!status) status = loop_write(report, &families);
    if (!status) status = loop_write(report, &devices);
    if (!status) status = parts_write(report, &report->source, SECTIONS(closing));
    if (!status) status = loop_write(report, &runs);
    if (!status && report->text.failed)
        status = assay_error_set(report->source.error, ASSAY_OUT_OF_MEMORY, "no memory for the report");
    return status;
}

static unsigned plot_formats(const char *name)
{
    for (unsigned bits = 0; name && report_plot_names[bits]; bits++)
        if (strcmp(report_plot_names[bits], name) == 0) return bits;
    return 0;
}

enum assay_status report_write(const char *db_path, const struct report_options *options,
                               struct assay_error *error)
{
    char file[4096], path[4200];
    const char *word;
    struct report report = {
        .source = {.path = pick_file(db_path, options->run, file, sizeof file, &word), .error = error}};
    enum assay_status status = pick_open(db_path, options->run, &report.source.db, error);
    if (!status) status = markdown_register(report.source.db, error);
    if (!status) status = report_functions_register(report.source.db, error);
    report.times = report.source;
    report.source.file = assay_blob_reports_report_sql;
    report.times.file = assay_blob_reports_report_time_sql;
    if (!status) status = report_make(&report, options->folder, plot_formats(options->plots));
    sqlite3_close(report.source.db);
    snprintf(path, sizeof path, "%s/report.md", options->folder ? options->folder : "");
    if (!status && options->text && !options->folder) {
        *options->text = report.text.data;
        report.text.data = NULL;
        return ASSAY_OK;
    }
    if (!status) status = output_write(options->folder ? path : NULL, &report.text, "the report", error);
    text_free(&report.text);
    return status;
}
