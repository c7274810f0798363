/* Named queries of an embedded .sql file, and their rows as Markdown: the parts that a report, a comparison and a history
 * are made of. A line '-- query: NAME' opens a query; the text before the first one is for people.
 *
 * It knows SQLite and Markdown, and no table. */
#ifndef ASSAY_QUERY_H
#define ASSAY_QUERY_H

#include "reports/markdown.h"

struct query_source {
    sqlite3 *db;
    const char *path; /* of the database, for messages */
    const char *file; /* text of the .sql file */
    struct assay_error *error;
};

/* What becomes of a query's rows. Names of columns are headings; one that ends in '>' is set to the right. */
enum query_shape {
    QUERY_TABLE,  /* one Markdown table */
    QUERY_FOLD,   /* the same, folded away when it is long */
    QUERY_LINES,  /* the one column as paragraphs */
    QUERY_BLOCKS, /* the one column in fenced blocks */
};

struct query_section {
    const char *query;
    enum query_shape shape;
    const char *heading; /* NULL: belongs to the section above */
    const char *empty;   /* what to say without rows; NULL: leave the section out */
};

/* Prepare query NAME; the statement is the caller's to finalize. A missing name is our own mistake. */
enum assay_status query_prepare(const struct query_source *source, const char *name,
                                sqlite3_stmt **statement);
/* Run query NAME, which may be several statements, for its effect. */
enum assay_status query_run(const struct query_source *source, const char *name);
/* Text of a column, "" for NULL. */
const char *query_column(sqlite3_stmt *statement, int at);
/* Append sections to `text`. */
enum assay_status query_write(const struct query_source *source, const struct query_section *section,
                              size_t count, struct text *text);

#endif
