/* The dashboard: reads the database, writes pages and the data that they load. What is on a page is dashboard.js's
 * business; here are the files and their order. It knows nothing of devices and kernels but what the database says. */
#include "reports/dashboard_inside.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "reports/database.h"
#include "reports/history.h"
#include "reports/output.h"

#define FAILURES_A_FILE 2000
#define MARK            "<meta name=\"generator\" content=\"assay dashboard\">"

extern const char assay_blob_reports_dashboard_sql[], assay_blob_reports_dashboard_html[],
    assay_blob_reports_dashboard_css[], assay_blob_reports_dashboard_js[],
    assay_blob_reports_dashboard_view_js[], assay_blob_reports_dashboard_pages_js[];

static const struct page {
    const char *file, *name, *title;
} pages[] = {
    {"cells.html", "cells", "Cells"},
    {"failures.html", "failures", "Failures"},
    {"cell.html", "cell", "Cell"},
    {"index.html", "overview", "Overview"}, /* last: it says that the rest is there */
};

static const struct asset {
    const char *file, *text;
} assets[] = {
    {"dashboard.css", assay_blob_reports_dashboard_css},
    {"dashboard.js", assay_blob_reports_dashboard_js},
    {"dashboard_view.js", assay_blob_reports_dashboard_view_js},
    {"dashboard_pages.js", assay_blob_reports_dashboard_pages_js},
};

/* ---- files ---- */

static enum assay_status file_write(struct dashboard_site *site, const char *name, const struct text *text)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/%s", site->folder, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return assay_error_set(site->source.error, ASSAY_INVALID_INPUT,
                               "%.300s: the path of the folder is too long", site->folder);
    site->counts->files++;
    site->counts->bytes += (int64_t)text->used;
    return output_write(path, text, "the dashboard", site->source.error);
}

void dashboard_string(struct text *out, const char *string)
{
    struct text flat = {0};
    text_put(out, "\"");
    const char *plain_end = string;
    while (*plain_end >= ' ' && *plain_end <= '~' && *plain_end != '"' && *plain_end != '\\') plain_end++;
    text_add(out, string, (size_t)(plain_end - string));
    if (!*plain_end) {
        text_put(out, "\"");
        return;
    }
    markdown_flat(&flat, plain_end);
    for (const char *s = flat.data ? flat.data : ""; *s;) {
        const size_t plain = strcspn(s, "\"\\");
        text_add(out, s, plain);
        s += plain;
        if (*s) text_add(out, *s == '"' ? "\\\"" : "\\\\", 2), s++;
    }
    text_put(out, "\"");
    out->failed |= flat.failed;
    text_free(&flat);
}

/* JSON that means nothing in HTML, nor ends a line in JavaScript: '<', U+2028 and U+2029 stand in strings alone. */
static void put_harmless(struct text *out, const char *json, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        size_t plain = at;
        while (plain < bytes && json[plain] != '<' && json[plain] != '\xe2') plain++;
        text_add(out, json + at, plain - at);
        at = plain;
        if (at == bytes) break;
        if (json[at] == '<') {
            text_put(out, "\\u003c");
            at++;
        } else if (bytes - at >= 3 && json[at + 1] == '\x80' &&
                   (json[at + 2] == '\xa8' || json[at + 2] == '\xa9')) {
            text_put(out, json[at + 2] == '\xa8' ? "\\u2028" : "\\u2029");
            at += 3;
        } else {
            text_add(out, json + at++, 1);
        }
    }
}

enum assay_status dashboard_data(struct dashboard_site *site, const char *name, const struct text *json)
{
    struct text out = {.failed = json->failed};
    char file[64];
    snprintf(file, sizeof file, "data/%s.js", name);
    text_printf(&out, "assay_data(\"%s\",", name);
    put_harmless(&out, json->data ? json->data : "null", json->data ? json->used : 4);
    text_put(&out, ");\n");
    const enum assay_status status = file_write(site, file, &out);
    text_free(&out);
    return status;
}

/* ---- the folder ---- */

/* Somebody else's index.html stays what it is. */
static enum assay_status check_folder(struct dashboard_site *site)
{
    char path[4096], head[1024];
    snprintf(path, sizeof path, "%s/index.html", site->folder);
    FILE *file = fopen(path, "rb");
    if (!file) return ASSAY_OK;
    const size_t got = fread(head, 1, sizeof head - 1, file);
    head[got] = '\0';
    fclose(file);
    if (strstr(head, MARK)) return ASSAY_OK;
    return assay_error_set(site->source.error, ASSAY_INVALID_INPUT,
                           "%.300s is no page of a dashboard and would be lost; name another folder", path);
}

/* Data of an earlier dashboard, which may have had more files. */
static enum assay_status clear_data(struct dashboard_site *site)
{
    static const char *const ours[] = {"cells-", "history-", "failures-", "index.js", "changes.js"};
    char path[4096];
    snprintf(path, sizeof path, "%s/data", site->folder);
    if (mkdir(path, 0777) && errno != EEXIST)
        return assay_error_set(site->source.error, ASSAY_IO, "cannot make the folder %.300s: %s", path,
                               strerror(errno));
    DIR *folder = opendir(path);
    if (!folder)
        return assay_error_set(site->source.error, ASSAY_IO, "cannot read the folder %.300s: %s", path,
                               strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        bool match = false;
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
            match |= strncmp(entry->d_name, ours[i], strlen(ours[i])) == 0;
        if (match && end && strcmp(end, ".js") == 0) unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
    return ASSAY_OK;
}

/* ---- pages ---- */

/* The template with @NAME@ and @TITLE@ replaced. */
static enum assay_status page_write(struct dashboard_site *site, const struct page *page)
{
    struct text out = {0};
    for (const char *s = assay_blob_reports_dashboard_html; *s;) {
        const size_t plain = strcspn(s, "@");
        text_add(&out, s, plain);
        s += plain;
        if (strncmp(s, "@NAME@", 6) == 0)
            text_put(&out, page->name), s += 6;
        else if (strncmp(s, "@TITLE@", 7) == 0)
            text_put(&out, page->title), s += 7;
        else if (*s)
            text_add(&out, s++, 1);
    }
    const enum assay_status status = file_write(site, page->file, &out);
    text_free(&out);
    return status;
}

static enum assay_status pages_write(struct dashboard_site *site)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < sizeof assets / sizeof *assets && !status; i++) {
        struct text text = {.data = (char *)assets[i].text, .used = strlen(assets[i].text)};
        status = file_write(site, assets[i].file, &text);
    }
    for (size_t i = 0; i < sizeof pages / sizeof *pages && !status; i++) status = page_write(site, &pages[i]);
    return status;
}

/* ---- lists ---- */

static enum assay_status failures_write(struct dashboard_site *site)
{
    const struct dashboard_notes *failures = &site->failures;
    enum assay_status status = ASSAY_OK;
    for (size_t at = 0; at < failures->count && !status; at += FAILURES_A_FILE) {
        struct text json = {0};
        char name[32];
        text_put(&json, "[");
        for (size_t i = at; i < failures->count && i < at + FAILURES_A_FILE; i++) {
            text_printf(&json, "%s[\"%016" PRIx64 "\",", i > at ? ",\n" : "", failures->note[i].hash);
            text_add(&json, failures->text.data + failures->note[i].at, failures->note[i].bytes);
            text_put(&json, "]");
        }
        text_put(&json, "]");
        snprintf(name, sizeof name, "failures-%zu", site->failure_files++);
        status = dashboard_data(site, name, &json);
        text_free(&json);
    }
    return status;
}

/* New alerts first, then the newest. */
static int by_news(const void *left, const void *right)
{
    const struct dashboard_note *a = left, *b = right;
    const bool a_new = a->alert && a->fresh, b_new = b->alert && b->fresh;
    if (a_new != b_new) return a_new ? -1 : 1;
    if (a->slot != b->slot) return a->slot > b->slot ? -1 : 1;
    if (a->alert != b->alert) return a->alert ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static enum assay_status changes_write(struct dashboard_site *site)
{
    const struct dashboard_notes *events = &site->events;
    struct text json = {0};
    if (events->count) qsort(events->note, events->count, sizeof *events->note, by_news);
    text_put(&json, "[");
    for (size_t i = 0; i < events->count && i < DASHBOARD_CHANGES; i++) {
        const struct dashboard_note *note = &events->note[i];
        const struct dashboard_card *card = &site->card[note->card];
        const char *line = site->line[note->case_id], *kernel = site->kernel[note->kernel];
        text_printf(&json, "%s[\"%016" PRIx64 "\",%u,%u,%" PRIu32 ",", i ? ",\n" : "",
                    dashboard_hash(card->backend, card->key, kernel, line), note->card, note->kernel,
                    site->op[note->case_id]);
        dashboard_string(&json, line);
        text_put(&json, ",");
        text_add(&json, events->text.data + note->at, note->bytes);
        text_put(&json, "]");
    }
    text_put(&json, "]");
    const enum assay_status status = dashboard_data(site, "changes", &json);
    text_free(&json);
    return status;
}

/* "NAME":[JSON of every row], */
static enum assay_status list(struct dashboard_site *site, const char *query, struct text *out)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_ERROR;
    bool first = true;
    enum assay_status status = query_prepare(&site->source, query, &row);
    text_printf(out, "\"%s\":[", query);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        text_printf(out, "%s%s", first ? "" : ",\n", query_column(row, 0));
        first = false;
    }
    if (!status && code != SQLITE_DONE) status = dashboard_read_fail(site);
    sqlite3_finalize(row);
    text_put(out, "],\n");
    return status;
}

static void put_names(struct text *out, const char *name, char *const *text, size_t count)
{
    text_printf(out, "\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        if (i) text_put(out, ",");
        dashboard_string(out, text[i] ? text[i] : "");
    }
    text_put(out, "],\n");
}

static enum assay_status index_write(struct dashboard_site *site)
{
    struct text *out = &site->index;
    const struct dashboard_counts *counts = site->counts;
    char made[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(made, sizeof made, "%Y-%m-%dT%H:%M:%SZ", &utc);
    enum assay_status status = list(site, "slots", out);
    if (!status) status = list(site, "runs", out);
    if (status) return status;
    put_names(out, "ops", site->op_name, site->ops);
    put_names(out, "kernels", site->kernel, site->kernels);
    put_names(out, "codes", site->code, site->codes);
    put_names(out, "drivers", site->driver, site->drivers);
    text_put(out, "\"db\":");
    dashboard_string(out, site->source.path);
    text_printf(out,
                ",\"made\":\"%s\",\"cells\":%" PRId64 ",\"cell_files\":%zu,\"points\":%" PRId64
                ",\"failures\":%" PRId64 ",\"failures_shown\":%zu,\"failure_files\":%zu,\"changes\":%" PRId64
                ",\"changes_shown\":%" PRId64 ",\"history_digits\":%u}",
                made, counts->cells, site->cell_files, counts->points, counts->failures, site->failures.count,
                site->failure_files, counts->changes,
                counts->changes < DASHBOARD_CHANGES ? counts->changes : DASHBOARD_CHANGES,
                site->history_digits);
    return dashboard_data(site, "index", out);
}

/* What `assay history` says of the same file, so that both tell the same changes. */
static enum assay_status history_read(const char *path, struct text *json, struct assay_error *error)
{
    const struct history_request request = {.db = path};
    struct history *history = NULL;
    enum assay_status status = history_make(&request, &history, error);
    if (!status) status = history_json(history, json, error);
    if (!status && json->failed)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the history of %.200s", path);
    history_free(history);
    return status;
}

enum assay_status dashboard_write(const char *db_path, const char *folder, struct dashboard_counts *counts,
                                  struct assay_error *error)
{
    *counts = (struct dashboard_counts){0};
    struct dashboard_site site = {
        .source = {.path = db_path, .file = assay_blob_reports_dashboard_sql, .error = error},
        .folder = folder,
        .counts = counts,
    };
    struct text history = {0};
    text_put(&site.index, "{");
    enum assay_status status = check_folder(&site);
    if (!status) status = history_read(db_path, &history, error);
    if (!status) status = database_open(db_path, &site.source.db, error);
    if (!status) status = markdown_register(site.source.db, error);
    if (!status) status = database_execute(site.source.db, db_path, "BEGIN", "begin to read it", error);
    if (!status) status = dashboard_read(&site, history.data);
    text_free(&history);
    if (!status)
        status = database_integer(site.source.db, db_path, "SELECT count(*) FROM temp.slot_run",
                                  &counts->runs, error);
    counts->devices = (int64_t)site.cards;
    if (!status) status = clear_data(&site);
    if (!status) status = dashboard_cells(&site);
    if (!status) status = failures_write(&site);
    if (!status) status = changes_write(&site);
    if (!status) status = index_write(&site);
    if (!status) status = pages_write(&site);
    dashboard_unread(&site);
    sqlite3_close(site.source.db);
    return status;
}
