/* Verbs of the program called from tests. */
#include "tests/verbs.h"

#include "harness/worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void verbs_begin(struct verbs *verbs)
{
    memset(verbs, 0, sizeof *verbs);
    snprintf(verbs->folder, sizeof verbs->folder, "/tmp/assay-test-XXXXXX");
    if (!mkdtemp(verbs->folder)) abort();
    snprintf(verbs->db, sizeof verbs->db, "%s/assay.sqlite", verbs->folder);
}

void verbs_end(struct verbs *verbs)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", verbs->folder);
    if (system(command) != 0) abort();
}

int verbs_worker(int argc, char **argv)
{
    struct options options;
    struct assay_error error = {0};
    if (options_parse(argc, argv, NULL, &options, &error) != ASSAY_OK) return EXIT_ERROR;
    return verb_worker(&options);
}

static int catch_output(int number, const char *path, int *saved)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    *saved = dup(number);
    if (file < 0 || *saved < 0 || dup2(file, number) < 0) abort();
    return file;
}

static void give_output(int number, int file, int saved, char *text, size_t bytes)
{
    dup2(saved, number);
    close(saved);
    ssize_t got = pread(file, text, bytes - 1, 0);
    text[got > 0 ? got : 0] = 0;
    close(file);
}

static int run_verb(const struct options *options)
{
    static const struct {
        const char *name;
        int (*run)(const struct options *options);
    } row[] = {{"bench", verb_bench},
               {"compare", verb_compare},
               {"history", verb_history},
               {"dashboard", verb_dashboard}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(options->verb, row[i].name) == 0) return row[i].run(options);
    return verb_run(options);
}

int verbs_call(struct verbs *verbs, const char *const *words)
{
    char *argv[80] = {(char *)"assay"}, path[96];
    int argc = 1, out, err;
    struct options options;
    struct assay_error error = {0};
    while (*words) argv[argc++] = (char *)*words++;
    argv[argc++] = (char *)"--db";
    argv[argc++] = verbs->db;
    fflush(stdout);
    fflush(stderr);
    snprintf(path, sizeof path, "%s/out", verbs->folder);
    const int out_file = catch_output(1, path, &out);
    snprintf(path, sizeof path, "%s/err", verbs->folder);
    const int err_file = catch_output(2, path, &err);
    int code = EXIT_ERROR;
    if (options_parse(argc, argv, NULL, &options, &error) == ASSAY_OK)
        code = run_verb(&options);
    else
        fprintf(stderr, "assay: %s\n", error.text);
    fflush(stdout);
    fflush(stderr);
    give_output(1, out_file, out, verbs->out, sizeof verbs->out);
    give_output(2, err_file, err, verbs->err, sizeof verbs->err);
    return code;
}

static sqlite3_stmt *first_row(const struct verbs *verbs, const char *sql, sqlite3 **db)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_open_v2(verbs->db, db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(*db, 10000) != SQLITE_OK ||
        sqlite3_prepare_v2(*db, sql, -1, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(*db));
        abort();
    }
    if (sqlite3_step(statement) == SQLITE_ROW) return statement;
    sqlite3_finalize(statement);
    return NULL;
}

int64_t verbs_number(const struct verbs *verbs, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement = first_row(verbs, sql, &db);
    const int64_t number = statement ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

const char *verbs_text(const struct verbs *verbs, const char *sql)
{
    static char text[4096];
    sqlite3 *db;
    sqlite3_stmt *statement = first_row(verbs, sql, &db);
    const unsigned char *found = statement ? sqlite3_column_text(statement, 0) : NULL;
    snprintf(text, sizeof text, "%s", found ? (const char *)found : "");
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return text;
}
