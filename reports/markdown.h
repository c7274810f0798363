/* Text for Markdown: a growing buffer, escaping of names that others chose, numbers with units, and all of that as SQL
 * functions, so that a report's tables are made by its queries.
 *
 * It knows SQLite's functions and no table. */
#ifndef ASSAY_MARKDOWN_H
#define ASSAY_MARKDOWN_H

#include "devices/types.h"
#include <sqlite3.h>

/* A growing text. All-zero is empty; `failed` is set when memory ran out and stays set. */
struct text {
    char *data; /* NUL-terminated once something was added */
    size_t used, size;
    bool failed;
};
void text_add(struct text *text, const char *bytes, size_t count);
void text_put(struct text *text, const char *string);
void text_printf(struct text *text, const char *format, ...) ASSAY_PRINTF(2, 3);
void text_free(struct text *text);

/* Bytes of the well-formed UTF-8 sequence at `string`, 0 if there is none (Unicode 15, table 3-7). */
size_t markdown_utf8_bytes(const char *string);

/* Prose or a table cell: markup characters escaped, line breaks and control bytes made visible, bytes that are no
 * UTF-8 written as \xNN. */
void markdown_escape(struct text *text, const char *string);
/* Plain text on one line: what is no printable text is written as \xNN. For terminals and fenced blocks. */
void markdown_flat(struct text *text, const char *string);
/* Text inside HTML, a summary of a fold: there Markdown's escapes do not count. */
void markdown_html(struct text *text, const char *string);
/* A code span that also holds inside a table. "" gives nothing. */
void markdown_code(struct text *text, const char *string);
/* A fenced block around lines that are kept; the fence is longer than any run of backticks inside. */
void markdown_fence(struct text *text, const char *string);

/* Register on `db`, each NULL for NULL unless said:
 *   md(x) code(x)      as above
 *   html(x)            text inside HTML
 *   flat(x)            plain text on one line, for fenced blocks: what is no printable text is written as \xNN
 *   num(x)             a number with 3 significant digits, the words nan, inf, -inf as they are; NULL gives '-'
 *   n(x)               an integer with thousands separated; NULL gives '-'
 *   dur(ns) bytes(x)   '1.25 ms', '139 GiB'; NULL gives '-'
 *   f32hex(bits)       the value of eight hex digits, as '+0x1.02p+0'; '' for anything else
 *   worst(x)           aggregate: the largest number, and how many were no number: '0.001 (nan: 3)'; '-' for none at all
 *   pattern(x)         the text with every run of digits as one '#'
 *   xorhex(a, b)       the exclusive or of two equally long hex words; '' for anything else
 */
enum assay_status markdown_register(sqlite3 *db, struct assay_error *error);

#endif
