/* Which runs a word means. It knows the table `run` alone. */
#include "reports/pick.h"
#include "reports/database.h"
#include "reports/markdown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PREFIX_DIGITS 6 /* of a run's key: 32 hex digits, random */
#define LISTED_RUNS   6
#define LISTED_LABELS 6

/* In files that were merged the numbers say nothing about the order in time. */
#define LATEST_FIRST " ORDER BY started_utc DESC, run_id DESC "

static const char insert_latest[] = "INSERT INTO temp.picked SELECT run_id FROM run" LATEST_FIRST "LIMIT 1";
static const char insert_previous[] = "WITH last AS (SELECT * FROM run" LATEST_FIRST "LIMIT 1)"
                                      " INSERT INTO temp.picked SELECT r.run_id FROM run r, last l WHERE "
                                      "r.run_id <> l.run_id AND r.verb = l.verb"
                                      " AND r.level = l.level AND r.engine = l.engine AND r.shard = l.shard "
                                      "AND (r.label = '' OR r.label <> l.label)"
                                      " ORDER BY r.started_utc DESC, r.run_id DESC LIMIT 1";

/* A word with several readings: each is tried, and two that find different runs are refused. */
static const struct reading {
    const char *name; /* "run" in run=12 */
    const char *what;
    const char *where; /* ?1 is the word */
    const char *digits;
    size_t least, most;
    bool one; /* more than one run is too many */
} readings[] = {
    {"run", "the number of a run", "run_id = CAST(?1 AS INTEGER)", "0123456789", 1, 18, true},
    {"key", "the start of a key", "substr(key, 1, length(?1)) = lower(?1)", "0123456789abcdefABCDEF",
     PREFIX_DIGITS, 32, true},
    {"label", "a label", "label = ?1", NULL, 1, SIZE_MAX, false},
};
#define READINGS (sizeof readings / sizeof readings[0])

const char *pick_file(const char *path, const char *word, char *file, size_t file_bytes, const char **rest)
{
    struct stat info;
    const char *colon = word ? strrchr(word, ':') : NULL;
    *rest = word;
    if (!colon || colon == word || (size_t)(colon - word) >= file_bytes) return path;
    memcpy(file, word, (size_t)(colon - word));
    file[colon - word] = '\0';
    if (stat(file, &info) != 0) return path;
    *rest = colon + 1;
    return file;
}

/* Append the first column of every row, separated by commas. */
static void list(sqlite3 *db, const char *sql, struct text *text)
{
    sqlite3_stmt *statement = NULL;
    bool first = true;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK)
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(statement, 0);
            text_put(text, first ? "" : ", ");
            markdown_flat(text, name ? name : "");
            first = false;
        }
    sqlite3_finalize(statement);
}

static enum assay_status refuse(sqlite3 *db, const char *path, const char *word, const char *why,
                                struct assay_error *error)
{
    struct text text = {0};
    int64_t runs = 0, labels = 0;
    char sql[256];
    enum assay_status status = database_integer(db, path, "SELECT count(*) FROM run", &runs, error);
    if (!status)
        status = database_integer(db, path, "SELECT count(DISTINCT label) FROM run WHERE label <> ''",
                                  &labels, error);
    if (status) return status;
    text_printf(&text, "%.100s: '", path);
    char cut[64];
    snprintf(cut, sizeof cut, "%s", word);
    markdown_flat(&text, cut);
    text_printf(&text, "' %s; there %s %" PRId64 " run%s, the latest are ", why, runs == 1 ? "is" : "are",
                runs, runs == 1 ? "" : "s");
    snprintf(sql, sizeof sql,
             "SELECT run_id || ' (' || substr(key, 1, 8) || ', ' || verb || ' ' || level || ')' FROM run" //
             LATEST_FIRST "LIMIT %d",
             LISTED_RUNS);
    list(db, sql, &text);
    if (labels > 0) text_printf(&text, "; labels: ");
    snprintf(sql, sizeof sql,
             "SELECT substr(label, 1, 24) FROM run WHERE label <> '' GROUP BY label"
             " ORDER BY max(started_utc) DESC LIMIT %d",
             LISTED_LABELS);
    list(db, sql, &text);
    if (labels > LISTED_LABELS) text_put(&text, ", ...");
    if (text.failed)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to choose a run");
    else
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "%s", text.data);
    text_free(&text);
    return status;
}

/* How many runs the reading finds; they are put into temp.picked when `insert` is set. */
static enum assay_status read_as(sqlite3 *db, const char *path, const struct reading *reading,
                                 const char *word, bool insert, int64_t *found, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    char sql[160];
    size_t length = strlen(word);
    *found = 0;
    if (length < reading->least || length > reading->most) return ASSAY_OK;
    if (reading->digits && strspn(word, reading->digits) != length) return ASSAY_OK;
    snprintf(sql, sizeof sql, "%s %s FROM run WHERE %s", insert ? "INSERT INTO temp.picked SELECT" : "SELECT",
             insert ? "run_id" : "count(*)", reading->where);
    int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (result == SQLITE_OK) result = sqlite3_bind_text(statement, 1, word, -1, SQLITE_STATIC);
    if (result == SQLITE_OK) result = sqlite3_step(statement);
    if (result == SQLITE_ROW) *found = sqlite3_column_int64(statement, 0);
    if (sqlite3_finalize(statement) != SQLITE_OK) return database_fail(db, path, "choose the run", error);
    return ASSAY_OK;
}

static enum assay_status read_word(sqlite3 *db, const char *path, const char *word, struct assay_error *error)
{
    const struct reading *chosen = NULL, *asked = NULL;
    const char *value = word;
    char why[200];
    for (size_t i = 0; i < READINGS && !asked; i++) {
        size_t length = strlen(readings[i].name);
        if (strncmp(word, readings[i].name, length) != 0 || word[length] != '=') continue;
        asked = &readings[i];
        value = word + length + 1;
    }
    for (size_t i = 0; i < READINGS; i++) {
        int64_t found;
        if (asked && asked != &readings[i]) continue;
        enum assay_status status = read_as(db, path, &readings[i], value, false, &found, error);
        if (status) return status;
        if (found == 0) continue;
        if (found > 1 && readings[i].one) {
            snprintf(why, sizeof why, "is %s of %" PRId64 " runs: write more digits", readings[i].what,
                     found);
            return refuse(db, path, word, why, error);
        }
        if (chosen) {
            snprintf(why, sizeof why, "is %s and %s: write %s=%.32s or %s=%.32s", chosen->what,
                     readings[i].what, chosen->name, value, readings[i].name, value);
            return refuse(db, path, word, why, error);
        }
        chosen = &readings[i];
    }
    if (!chosen)
        return refuse(db, path, word,
                      "is no run: not latest, previous or all, no number, no start of a key, no label",
                      error);
    int64_t ignored;
    return read_as(db, path, chosen, value, true, &ignored, error);
}

bool pick_is_label(const char *label)
{
    static const char *const taken[] = {"latest", "previous", "all"};
    struct text text = {0};
    const size_t length = strlen(label);
    if (length == 0 || length > PICK_LABEL_MAX || label[strspn(label, "0123456789")] == '\0') return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(label, taken[i]) == 0) return false;
    for (size_t i = 0; i < READINGS; i++) {
        const size_t name = strlen(readings[i].name);
        if (strncmp(label, readings[i].name, name) == 0 && label[name] == '=') return false;
    }
    markdown_flat(&text, label);
    const bool printable = !text.failed && strcmp(text.data, label) == 0;
    text_free(&text);
    return printable;
}

enum assay_status pick_runs(sqlite3 *db, const char *path, const char *word, struct assay_error *error)
{
    int64_t count = 0;
    enum assay_status status =
        database_execute(db, path,
                         "CREATE TEMP TABLE IF NOT EXISTS picked (run_id INTEGER PRIMARY KEY);"
                         "DELETE FROM temp.picked",
                         "choose the run", error);
    if (!status) status = database_integer(db, path, "SELECT count(*) FROM run", &count, error);
    if (status) return status;
    if (count == 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%.300s holds no run; `assay verify` and `assay run` record one", path);
    if (!word || !*word || strcmp(word, "latest") == 0)
        return database_execute(db, path, insert_latest, "choose the run", error);
    if (strcmp(word, "all") == 0)
        return database_execute(db, path, "INSERT INTO temp.picked SELECT run_id FROM run", "choose the runs",
                                error);
    if (strcmp(word, "previous") != 0) return read_word(db, path, word, error);
    status = database_execute(db, path, insert_previous, "choose the run", error);
    if (!status) status = database_integer(db, path, "SELECT count(*) FROM temp.picked", &count, error);
    if (!status && count == 0)
        status = refuse(db, path, word,
                        "is no run: none before the latest has its verb, level, engine and shard", error);
    return status;
}

enum assay_status pick_open(const char *path, const char *word, sqlite3 **db, struct assay_error *error)
{
    char file[4096];
    const char *rest, *where = pick_file(path, word, file, sizeof file, &rest);
    enum assay_status status = database_open(where, db, error);
    if (!status) status = database_execute(*db, where, "BEGIN", "begin to read it", error);
    if (!status) status = pick_runs(*db, where, rest, error);
    if (status) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return status;
}
