/* Named queries and their rows as Markdown. It knows no table. */
#include "reports/query.h"
#include "reports/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLD_ROWS 12

/* From behind the heading line to the next heading. */
static const char *query_find(const struct query_source *source, const char *name, size_t *bytes)
{
    static const char mark[] = "-- query: ";
    size_t length = strlen(name);
    for (const char *at = source->file; (at = strstr(at, mark)) != NULL;) {
        at += sizeof mark - 1;
        if (strncmp(at, name, length) != 0 || at[length] != '\n') continue;
        at += length;
        const char *end = strstr(at, mark);
        *bytes = end ? (size_t)(end - at) : strlen(at);
        return at;
    }
    assay_error_set(source->error, ASSAY_INTERNAL, "no query is called %s", name);
    return NULL;
}

static enum assay_status query_fail(const struct query_source *source, const char *act, const char *name)
{
    char text[80];
    snprintf(text, sizeof text, "%s the query %.40s", act, name);
    return database_fail(source->db, source->path, text, source->error);
}

enum assay_status query_prepare(const struct query_source *source, const char *name, sqlite3_stmt **statement)
{
    size_t bytes;
    const char *sql = query_find(source, name, &bytes);
    *statement = NULL;
    if (!sql) return ASSAY_INTERNAL;
    if (sqlite3_prepare_v2(source->db, sql, (int)bytes, statement, NULL) != SQLITE_OK)
        return query_fail(source, "prepare", name);
    return ASSAY_OK;
}

enum assay_status query_run(const struct query_source *source, const char *name)
{
    size_t bytes;
    const char *sql = query_find(source, name, &bytes);
    if (!sql) return ASSAY_INTERNAL;
    char *copy = strndup(sql, bytes);
    if (!copy) return assay_error_set(source->error, ASSAY_OUT_OF_MEMORY, "no memory for the query %s", name);
    int result = sqlite3_exec(source->db, copy, NULL, NULL, NULL);
    free(copy);
    return result == SQLITE_OK ? ASSAY_OK : query_fail(source, "run", name);
}

const char *query_column(sqlite3_stmt *statement, int at)
{
    const char *string = (const char *)sqlite3_column_text(statement, at);
    return string ? string : "";
}

static void table_head(struct text *text, sqlite3_stmt *statement)
{
    int columns = sqlite3_column_count(statement);
    for (int at = 0; at < columns; at++) {
        const char *name = sqlite3_column_name(statement, at);
        text_printf(text, "| %.*s ", (int)(strlen(name) - (name[0] && name[strlen(name) - 1] == '>')), name);
    }
    text_put(text, "|\n");
    for (int at = 0; at < columns; at++) {
        const char *name = sqlite3_column_name(statement, at);
        text_put(text, name[0] && name[strlen(name) - 1] == '>' ? "| ---: " : "| --- ");
    }
    text_put(text, "|\n");
}

static void row_write(struct text *rows, sqlite3_stmt *statement, enum query_shape shape)
{
    if (shape == QUERY_BLOCKS) {
        markdown_fence(rows, query_column(statement, 0));
    } else if (shape == QUERY_LINES) {
        text_printf(rows, "%s\n\n", query_column(statement, 0));
    } else {
        for (int at = 0; at < sqlite3_column_count(statement); at++)
            text_printf(rows, "| %s ", query_column(statement, at));
        text_put(rows, "|\n");
    }
}

static enum assay_status section_write(const struct query_source *source, const struct query_section *section,
                                       struct text *text)
{
    sqlite3_stmt *statement = NULL;
    struct text rows = {0};
    int64_t count = 0;
    int result;
    bool table = section->shape == QUERY_TABLE || section->shape == QUERY_FOLD;
    enum assay_status status = query_prepare(source, section->query, &statement);
    if (status) return status;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count++ == 0 && table) table_head(&rows, statement);
        row_write(&rows, statement, section->shape);
    }
    if (result != SQLITE_DONE) {
        status = query_fail(source, "run", section->query);
        goto done;
    }
    if (count == 0 && !section->empty) goto done;
    if (section->heading) text_printf(text, "%s\n\n", section->heading);
    if (count == 0) {
        text_printf(text, "%s\n\n", section->empty);
        goto done;
    }
    bool fold = section->shape == QUERY_FOLD && count > FOLD_ROWS;
    if (fold) text_printf(text, "<details><summary>%" PRId64 " rows</summary>\n\n", count);
    text_put(text, rows.data ? rows.data : "");
    if (fold) text_put(text, "\n</details>\n");
    if (table) text_put(text, "\n");
    if (rows.failed || text->failed)
        status = assay_error_set(source->error, ASSAY_OUT_OF_MEMORY, "no memory for the text of %s",
                                 section->query);

done:
    text_free(&rows);
    sqlite3_finalize(statement);
    return status;
}

enum assay_status query_write(const struct query_source *source, const struct query_section *section,
                              size_t count, struct text *text)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < count && !status; i++) status = section_write(source, &section[i], text);
    return status;
}
