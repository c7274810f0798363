/* Plots of a report: which there are, their data files, the script, and the section of the report.
 *
 * It knows the names of the queries of plot.sql and of the templates; no table. */
#include "reports/plot.h"
#include "reports/database.h"
#include "reports/output.h"
#include "reports/plot_history.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PICTURES_MAX 32
#define NAME_BYTES   64 /* of a picture's file, without its ending */

extern const char assay_blob_reports_plot_sql[], assay_blob_reports_plot_gp[];
extern const char assay_blob_reports_plot_error_gp[], assay_blob_reports_plot_ulp_gp[],
    assay_blob_reports_plot_time_gp[], assay_blob_reports_plot_history_gp[];

static const struct kind {
    const char *query; /* and the beginning of the picture's name */
    const char *heading;
    const char *script;
    int width, height;
    bool history; /* rows go through plot_history.c */
} kinds[] = {
    {"error", "Error against the length of the sum", assay_blob_reports_plot_error_gp, 960, 700, false},
    {"ulp", "Distance from float64", assay_blob_reports_plot_ulp_gp, 960, 420, false},
    {"time", "Time against size, with the roofline", assay_blob_reports_plot_time_gp, 1100, 460, false},
    {"history", "History of single cells", assay_blob_reports_plot_history_gp, 1100, 680, true},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static const struct format {
    unsigned bit;
    const char *ending, *terminal; /* of %d x %d */
} formats[] = {
    {PLOT_SVG, "svg", "svg size %d,%d dynamic background '#ffffff' font 'sans-serif,13' noenhanced"},
    {PLOT_PNG, "png", "pngcairo size %d,%d background '#ffffff' font 'sans,11' noenhanced"},
};
#define FORMATS (sizeof formats / sizeof formats[0])

struct picture {
    const struct kind *kind;
    char *page;
    char name[NAME_BYTES];
    int series;
};

struct plotting {
    struct query_source source;
    const char *folder;
    unsigned formats;
    char work[4096]; /* a folder inside `folder` */
    struct picture picture[PICTURES_MAX];
    size_t count;
};

/* ---- names ---- */

void plot_slug(const char *name, char slug[41])
{
    size_t used = 0;
    for (const char *s = name; *s && used < 40; s++) {
        char c = *s >= 'A' && *s <= 'Z' ? (char)(*s + 32) : *s;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (plain)
            slug[used++] = c;
        else if (used && slug[used - 1] != '-')
            slug[used++] = '-';
    }
    while (used && slug[used - 1] == '-') used--;
    slug[used] = '\0';
    if (!used) strcpy(slug, "x");
}

void plot_quote(struct text *text, const char *name)
{
    struct text flat = {0};
    markdown_flat(&flat, name);
    text_put(text, "\"");
    for (const char *s = flat.data ? flat.data : ""; *s; s++)
        text_add(text, *s == '"' ? "'" : *s == '\\' ? "/" : s, 1);
    text_put(text, "\"");
    if (flat.failed) text->failed = true;
    text_free(&flat);
}

/* Two pages may have one slug: the later gets a number. */
static void picture_name(const struct plotting *plotting, struct picture *picture)
{
    char slug[41];
    plot_slug(picture->page, slug);
    for (int number = 1;; number++) {
        bool taken = false;
        if (!*picture->page)
            snprintf(picture->name, NAME_BYTES, "%s", picture->kind->query);
        else
            snprintf(picture->name, NAME_BYTES, "%s-%s", picture->kind->query, slug);
        if (number > 1)
            snprintf(picture->name, NAME_BYTES, "%s-%.30s-%d", picture->kind->query, slug, number);
        for (size_t i = 0; i < plotting->count; i++)
            taken |= strcmp(plotting->picture[i].name, picture->name) == 0;
        if (!taken) return;
    }
}

/* ---- data ---- */

static void value_put(struct text *data, sqlite3_stmt *row, int at)
{
    text_put(data, " ");
    switch (sqlite3_column_type(row, at)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
        text_printf(data, "%.9g", sqlite3_column_double(row, at));
        break;
    case SQLITE_NULL:
        text_put(data, "NaN");
        break;
    default:
        plot_quote(data, query_column(row, at));
    }
}

static enum assay_status data_write(struct plotting *plotting, const struct picture *picture,
                                    struct text *data)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.dat", plotting->work, picture->name);
    enum assay_status status = output_write(path, data, "the data of a plot", plotting->source.error);
    data->used = 0;
    return status;
}

static enum assay_status no_memory(const struct plotting *plotting)
{
    return assay_error_set(plotting->source.error, ASSAY_OUT_OF_MEMORY, "no memory for the plots");
}

static enum assay_status page_open(struct plotting *plotting, const struct kind *kind, const char *page,
                                   struct picture **picture, struct text *data)
{
    struct picture *it = &plotting->picture[plotting->count];
    *it = (struct picture){.kind = kind, .page = strdup(page)};
    if (!it->page) return no_memory(plotting);
    picture_name(plotting, it);
    plotting->count++;
    plot_quote(data, page);
    text_put(data, "\nNaN NaN\n");
    *picture = it;
    return ASSAY_OK;
}

/* Columns: page, series, then a point. */
static enum assay_status rows_write(struct plotting *plotting, const struct kind *kind)
{
    sqlite3_stmt *row = NULL;
    struct text data = {0}, series = {0};
    struct picture *picture = NULL;
    int result = SQLITE_DONE;
    enum assay_status status = query_prepare(&plotting->source, kind->query, &row);
    while (!status && (result = sqlite3_step(row)) == SQLITE_ROW) {
        const bool other = !picture || strcmp(picture->page, query_column(row, 0)) != 0;
        if (other && picture) status = data_write(plotting, picture, &data);
        if (status || (other && plotting->count == PICTURES_MAX)) break;
        if (other) status = page_open(plotting, kind, query_column(row, 0), &picture, &data);
        if (status) break;
        if (other || strcmp(series.data, query_column(row, 1)) != 0) {
            series.used = 0;
            text_put(&series, query_column(row, 1));
            text_put(&data, "\n\n");
            plot_quote(&data, query_column(row, 1));
            text_put(&data, "\n");
            picture->series++;
        }
        for (int at = 2; at < sqlite3_column_count(row); at++) value_put(&data, row, at);
        text_put(&data, "\n");
        if (data.failed || series.failed) status = no_memory(plotting);
    }
    if (!status && result != SQLITE_DONE && result != SQLITE_ROW)
        status = database_fail(plotting->source.db, plotting->source.path, "read what to plot",
                               plotting->source.error);
    if (!status && picture && data.used) status = data_write(plotting, picture, &data);
    sqlite3_finalize(row);
    text_free(&data);
    text_free(&series);
    return status;
}

static enum assay_status history_write(struct plotting *plotting, const struct kind *kind)
{
    struct text data = {0};
    struct picture *picture = NULL;
    int series = 0;
    enum assay_status status = plot_history(&plotting->source, &data, &series);
    if (!status && series > 0) {
        struct text all = {0};
        status = page_open(plotting, kind, "", &picture, &all);
        text_put(&all, data.data);
        if (!status) picture->series = series;
        if (!status) status = data_write(plotting, picture, &all);
        text_free(&all);
    }
    text_free(&data);
    return status;
}

/* ---- gnuplot ---- */

static enum assay_status script_write(struct plotting *plotting)
{
    struct text script = {0};
    char path[4200];
    for (size_t i = 0; i < plotting->count; i++)
        for (size_t f = 0; f < FORMATS; f++) {
            const struct picture *it = &plotting->picture[i];
            if (!(plotting->formats & formats[f].bit)) continue;
            text_put(&script, "reset\nset terminal ");
            text_printf(&script, formats[f].terminal, it->kind->width, it->kind->height);
            text_printf(&script, "\nset output '%s.%s'\ndata = '%s.dat'\nseries = %d\n", it->name,
                        formats[f].ending, it->name, it->series);
            text_put(&script, assay_blob_reports_plot_gp);
            text_put(&script, it->kind->script);
            /* What is not finished has no such mark: gnuplot stops at its first error. */
            text_printf(&script, "unset output\nset print '%s.%s.done'\nprint 1\nunset print\n", it->name,
                        formats[f].ending);
        }
    snprintf(path, sizeof path, "%s/plots.gp", plotting->work);
    enum assay_status status = output_write(path, &script, "the script of the plots", plotting->source.error);
    text_free(&script);
    return status;
}

/* A finished picture to its place, in one step. */
static bool picture_place(const struct plotting *plotting, const struct picture *picture, char why[256])
{
    char from[4300], to[4300], done[4300];
    for (size_t f = 0; f < FORMATS; f++) {
        if (!(plotting->formats & formats[f].bit)) continue;
        snprintf(from, sizeof from, "%s/%s.%s", plotting->work, picture->name, formats[f].ending);
        snprintf(done, sizeof done, "%.4290s.done", from);
        snprintf(to, sizeof to, "%s/%s.%s", plotting->folder, picture->name, formats[f].ending);
        if (access(done, F_OK) == 0 && rename(from, to) == 0) continue;
        if (!*why) snprintf(why, 256, "%.150s cannot be written: %s", to, strerror(errno));
        return false;
    }
    return true;
}

static void work_remove(const struct plotting *plotting)
{
    char path[4400];
    DIR *folder = *plotting->work ? opendir(plotting->work) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", plotting->work, entry->d_name);
        unlink(path);
    }
    if (folder) closedir(folder);
    if (*plotting->work) rmdir(plotting->work);
}

/* ---- the section ---- */

static enum assay_status sentences_write(struct plotting *plotting, const struct picture *picture,
                                         struct text *text)
{
    sqlite3_stmt *row = NULL;
    char name[32];
    snprintf(name, sizeof name, "%s_says", picture->kind->query);
    enum assay_status status = query_prepare(&plotting->source, name, &row);
    if (status) return status;
    sqlite3_bind_text(row, 1, picture->page, -1, SQLITE_STATIC);
    int result = sqlite3_step(row);
    if (result == SQLITE_ROW) text_printf(text, "%s\n\n", query_column(row, 0));
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        status = database_fail(plotting->source.db, plotting->source.path, "describe a plot",
                               plotting->source.error);
    sqlite3_finalize(row);
    return status;
}

static enum assay_status section_write(struct plotting *plotting, char why[256], struct text *text)
{
    const char *ending = plotting->formats & PLOT_SVG ? "svg" : "png";
    enum assay_status status = ASSAY_OK;
    size_t drawn = 0;
    for (size_t i = 0; i < plotting->count && !status; i++) {
        const struct picture *it = &plotting->picture[i];
        if (!picture_place(plotting, it, why)) continue;
        drawn++;
        text_printf(text, "### %s%s", it->kind->heading, *it->page ? ": " : "");
        markdown_escape(text, it->page);
        text_printf(text, "\n\n![%s%s", it->kind->heading, *it->page ? ": " : "");
        markdown_escape(text, it->page);
        text_printf(text, "](%s.%s)\n\n", it->name, ending);
        status = sentences_write(plotting, it, text);
    }
    if (drawn == plotting->count) return status;
    text_put(text, drawn ? "Some plots are missing: " : "There are no plots: ");
    markdown_escape(text, why);
    text_put(text, ".\n\n");
    return status;
}

enum assay_status plot_write(const struct query_source *source, const char *folder, unsigned formats,
                             struct text *text)
{
    char why[256] = "";
    struct plotting plotting = {.source = *source, .folder = folder, .formats = formats};
    plotting.source.file = assay_blob_reports_plot_sql;
    snprintf(plotting.work, sizeof plotting.work, "%.4000s/.plots-%ld", folder, (long)getpid());
    if (mkdir(plotting.work, 0777) && errno != EEXIST)
        return assay_error_set(source->error, ASSAY_IO, "cannot make %.300s: %s", plotting.work,
                               strerror(errno));
    enum assay_status status = query_run(&plotting.source, "prepare");
    for (size_t i = 0; i < KINDS && !status; i++)
        status = kinds[i].history ? history_write(&plotting, &kinds[i]) : rows_write(&plotting, &kinds[i]);
    if (!status && plotting.count) {
        status = script_write(&plotting);
        text_put(text, "## Plots\n\n");
        if (!status) {
            plot_run("gnuplot", plotting.work, "plots.gp", why);
            status = section_write(&plotting, why, text);
        }
    }
    for (size_t i = 0; i < plotting.count; i++) free(plotting.picture[i].page);
    work_remove(&plotting);
    return status;
}
