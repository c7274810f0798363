/* Text of an export in the quoting of its format. Names in a database may be anything; whatever a format cannot carry is
 * written as \xNN, so that every export can be read by a strict parser. */
#include "reports/export_form.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "reports/markdown.h"

/* What a character becomes in each quoting; NULL = itself. */
static const char *replacement(enum export_quoting quoting, char c)
{
    switch (quoting) {
    case QUOTE_JSON:
        return c == '"'    ? "\\\""
               : c == '\\' ? "\\\\"
               : c == '\n' ? "\\n"
               : c == '\r' ? "\\r"
               : c == '\t' ? "\\t"
                           : NULL;
    case QUOTE_XML:
        return c == '&'    ? "&amp;"
               : c == '<'  ? "&lt;"
               : c == '>'  ? "&gt;"
               : c == '"'  ? "&quot;"
               : c == '\n' ? "&#10;"
               : c == '\r' ? "&#13;"
               : c == '\t' ? "&#9;"
                           : NULL;
    case QUOTE_TAP:
        return c == '\\' ? "\\\\" : c == '#' ? "\\#" : NULL;
    case QUOTE_GITHUB_PROPERTY:
        if (c == ':') return "%3A";
        if (c == ',') return "%2C";
        /* fall through */
    case QUOTE_GITHUB_MESSAGE:
        return c == '%' ? "%25" : c == '\r' ? "%0D" : c == '\n' ? "%0A" : NULL;
    case QUOTE_PROMETHEUS:
        return c == '\\' ? "\\\\" : c == '"' ? "\\\"" : c == '\n' ? "\\n" : NULL;
    }
    return NULL;
}

/* Characters that are no text in any of the formats: control characters, and in XML U+FFFE and U+FFFF. */
static bool no_text(const unsigned char *s, size_t count)
{
    return (count == 1 && (*s < 0x20 || *s == 0x7f)) || (count == 2 && s[0] == 0xc2 && s[1] < 0xa0) ||
           (count == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
}

void export_put(FILE *out, enum export_quoting quoting, const char *text)
{
    const char *backslash = replacement(quoting, '\\');
    for (const char *s = text; *s;) {
        const char *instead = replacement(quoting, *s);
        size_t count = markdown_utf8_bytes(s);
        if (instead) {
            fputs_unlocked(instead, out);
            s++;
        } else if (count == 0 || no_text((const unsigned char *)s, count)) {
            for (size_t i = 0; i < (count ? count : 1); i++)
                fprintf(out, "%sx%02x", backslash ? backslash : "\\", (unsigned char)s[i]);
            s += count ? count : 1;
        } else {
            while (count--) putc_unlocked(*s++, out);
        }
    }
}

void export_printf(FILE *out, enum export_quoting quoting, const char *format, ...)
{
    char text[4000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    export_put(out, quoting, text);
}

void export_json(FILE *out, sqlite3_stmt *row, int column)
{
    const int type = sqlite3_column_type(row, column);
    const double real = type == SQLITE_FLOAT ? sqlite3_column_double(row, column) : 0;
    fprintf(out, "\"%s\":", sqlite3_column_name(row, column));
    if (type == SQLITE_NULL) {
        fputs_unlocked("null", out);
    } else if (type == SQLITE_INTEGER) {
        fprintf(out, "%lld", (long long)sqlite3_column_int64(row, column));
    } else if (type == SQLITE_FLOAT && isfinite(real)) {
        fprintf(out, "%.17g", real);
    } else {
        putc_unlocked('"', out);
        export_put(out, QUOTE_JSON, (const char *)sqlite3_column_text(row, column));
        putc_unlocked('"', out);
    }
}

void export_csv(FILE *out, const char *text)
{
    bool plain = strpbrk(text, ",\"\r\n") == NULL;
    if (!plain) putc_unlocked('"', out);
    for (const char *s = text; *s;) {
        size_t count = markdown_utf8_bytes(s);
        if (count == 0) {
            fprintf(out, "\\x%02x", (unsigned char)*s++);
            continue;
        }
        if (*s == '"') putc_unlocked('"', out);
        while (count--) putc_unlocked(*s++, out);
    }
    if (!plain) putc_unlocked('"', out);
}

bool export_source(const char *source, char *file, size_t file_bytes, int64_t *line)
{
    char *end = NULL;
    const char *colon = strrchr(source, ':');
    if (!colon || colon == source || colon[1] < '1' || colon[1] > '9') return false;
    *line = strtoll(colon + 1, &end, 10);
    if (*end) return false;
    const char *folder = strchr(source, '/') ? "" : "corpus/";
    int length = snprintf(file, file_bytes, "%s%.*s", folder, (int)(colon - source), source);
    return length > 0 && (size_t)length < file_bytes;
}
