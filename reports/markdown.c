/* Text for Markdown and the SQL functions that make it. It knows no table of the database. */
#include "reports/markdown.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a growing text ---- */

static bool text_reserve(struct text *text, size_t count)
{
    if (text->failed) return false;
    if (text->used + count + 1 <= text->size) return true;
    size_t size = text->size ? text->size : 4096;
    while (size < text->used + count + 1) size *= 2;
    char *data = realloc(text->data, size);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->size = size;
    return true;
}

void text_add(struct text *text, const char *bytes, size_t count)
{
    if (!text_reserve(text, count)) return;
    memcpy(text->data + text->used, bytes, count);
    text->used += count;
    text->data[text->used] = '\0';
}

void text_put(struct text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int count = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (count < 0 || !text_reserve(text, (size_t)count)) return;
    va_start(args, format);
    vsnprintf(text->data + text->used, (size_t)count + 1, format, args);
    va_end(args);
    text->used += (size_t)count;
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

/* ---- escaping ---- */

size_t markdown_utf8_bytes(const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    if (s[0] < 0x80) return 1;
    size_t count = s[0] >= 0xc2 && s[0] <= 0xdf   ? 2
                   : s[0] >= 0xe0 && s[0] <= 0xef ? 3
                   : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4
                                                  : 0;
    for (size_t i = 1; i < count; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return count;
}

/* Copy one character, or write it as \xNN (with `backslash` in front of the x) if it is no printable text. Returns the
 * number of bytes taken. */
static size_t visible(struct text *text, const char *s, const char *backslash)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t count = markdown_utf8_bytes(s);
    /* U+0080 to U+009F are control characters too; U+200E and its like turn the direction of a whole line. */
    bool control = *u < 0x20 || *u == 0x7f || (u[0] == 0xc2 && u[1] < 0xa0);
    bool direction = u[0] == 0xe2 &&
                     ((u[1] == 0x80 && ((u[2] >= 0x8e && u[2] <= 0x8f) || (u[2] >= 0xa8 && u[2] <= 0xae))) ||
                      (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9));
    if (count == 0) count = 1, control = true;
    if (control || direction)
        for (size_t i = 0; i < count; i++) text_printf(text, "%sx%02x", backslash, u[i]);
    else
        text_add(text, s, count);
    return count;
}

void markdown_escape(struct text *text, const char *string)
{
    for (const char *s = string; *s;) {
        if (strchr("\\`*_{}[]<>#|~&$", *s)) {
            text_printf(text, "\\%c", *s++);
        } else {
            s += visible(text, s, "\\\\");
        }
    }
}

void markdown_flat(struct text *text, const char *string)
{
    while (*string) string += visible(text, string, "\\");
}

void markdown_html(struct text *text, const char *string)
{
    for (const char *s = string; *s;) {
        switch (*s) {
        case '&':
            text_put(text, "&amp;");
            s++;
            break;
        case '<':
            text_put(text, "&lt;");
            s++;
            break;
        case '>':
            text_put(text, "&gt;");
            s++;
            break;
        case '"':
            text_put(text, "&quot;");
            s++;
            break;
        default:
            s += visible(text, s, "\\");
        }
    }
}

/* Longest run of backticks. */
static size_t longest_ticks(const char *string)
{
    size_t longest = 0;
    for (const char *s = string; *s;) {
        size_t run = strspn(s, "`");
        if (run > longest) longest = run;
        s += run ? run : 1;
    }
    return longest;
}

static void put_ticks(struct text *text, size_t count)
{
    while (count--) text_put(text, "`");
}

void markdown_code(struct text *text, const char *string)
{
    if (!*string) return;
    size_t ticks = longest_ticks(string) + 1;
    bool pad = *string == '`' || string[strlen(string) - 1] == '`';
    put_ticks(text, ticks);
    if (pad) text_put(text, " ");
    for (const char *s = string; *s;) {
        if (*s == '|') {
            text_put(text, "\\|");
            s++;
        } else {
            s += visible(text, s, "\\");
        }
    }
    if (pad) text_put(text, " ");
    put_ticks(text, ticks);
}

void markdown_fence(struct text *text, const char *string)
{
    size_t ticks = longest_ticks(string) + 1;
    if (ticks < 3) ticks = 3;
    put_ticks(text, ticks);
    text_put(text, "text\n");
    for (const char *s = string; *s;) {
        if (*s == '\n') {
            text_put(text, "\n");
            s++;
        } else {
            s += visible(text, s, "\\");
        }
    }
    if (*string && string[strlen(string) - 1] != '\n') text_put(text, "\n");
    put_ticks(text, ticks);
    text_put(text, "\n\n");
}

/* ---- numbers ---- */

static void put_number(struct text *text, double value)
{
    if (isnan(value))
        text_put(text, "nan");
    else if (isinf(value))
        text_put(text, value < 0 ? "-inf" : "inf");
    else
        text_printf(text, "%.3g", value);
}

static void put_integer(struct text *text, int64_t value)
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, value < 0 ? -(uint64_t)value : (uint64_t)value);
    if (value < 0) text_put(text, "-");
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0) text_put(text, ",");
        text_add(text, &digits[i], 1);
    }
}

/* Three significant digits and never an exponent: value is at least 1 and below 1000, or there is no better unit. */
static void put_scaled(struct text *text, double value, const char *unit)
{
    int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    text_printf(text, "%.*f %s", digits, value, unit);
}

static void put_duration(struct text *text, double ns)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (ns >= units[i].ns) {
            put_scaled(text, ns / units[i].ns, units[i].unit);
            return;
        }
    text_printf(text, "%.0f ns", ns);
}

static void put_bytes(struct text *text, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    if (bytes == floor(bytes))
        text_printf(text, "%.0f %s", bytes, units[unit]);
    else
        put_scaled(text, bytes, units[unit]);
}

/* ---- as SQL functions ---- */

static void finish(sqlite3_context *context, struct text *text)
{
    if (text->failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, text->data ? text->data : "", (int)text->used, SQLITE_TRANSIENT);
    text_free(text);
}

static const char *argument(sqlite3_value *value)
{
    const char *string = (const char *)sqlite3_value_text(value);
    return string ? string : "";
}

static void sql_md(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    markdown_escape(&text, argument(value[0]));
    finish(context, &text);
}

static void sql_code(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    markdown_code(&text, argument(value[0]));
    finish(context, &text);
}

static void sql_flat(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    markdown_flat(&text, argument(value[0]));
    finish(context, &text);
}

static void sql_html(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    markdown_html(&text, argument(value[0]));
    finish(context, &text);
}

static void sql_pattern(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    for (const char *s = argument(value[0]); *s;) {
        size_t digits = strspn(s, "0123456789");
        text_add(&text, digits ? "#" : s, 1);
        s += digits ? digits : 1;
    }
    finish(context, &text);
}

/* Words hold what is no number: a NaN must neither hide the largest number nor be hidden by it. */
struct worst {
    double largest;
    int64_t numbers, infinite, nan;
};

static void worst_step(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct worst *worst = sqlite3_aggregate_context(context, sizeof *worst);
    if (!worst || sqlite3_value_type(value[0]) == SQLITE_NULL) return;
    if (sqlite3_value_type(value[0]) == SQLITE_TEXT) {
        if (strcmp(argument(value[0]), "nan") == 0)
            worst->nan++;
        else
            worst->infinite++;
        return;
    }
    double number = sqlite3_value_double(value[0]);
    if (worst->numbers++ == 0 || number > worst->largest) worst->largest = number;
}

static void worst_final(sqlite3_context *context)
{
    static const struct worst none;
    const struct worst *worst = sqlite3_aggregate_context(context, 0);
    struct text text = {0};
    if (!worst) worst = &none;
    if (worst->numbers)
        put_number(&text, worst->largest);
    else
        text_put(&text, "-");
    if (worst->infinite || worst->nan) text_put(&text, " (");
    if (worst->infinite) text_printf(&text, "inf: %" PRId64 "%s", worst->infinite, worst->nan ? ", " : "");
    if (worst->nan) text_printf(&text, "nan: %" PRId64, worst->nan);
    if (worst->infinite || worst->nan) text_put(&text, ")");
    finish(context, &text);
}

/* Numbers share one shape: '-' for NULL, a word as it is, else the printer that came with the function. */
struct number_printer {
    void (*put)(struct text *text, double value);
};

static void sql_number(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    const struct number_printer *printer = sqlite3_user_data(context);
    struct text text = {0};
    switch (sqlite3_value_type(value[0])) {
    case SQLITE_NULL:
        text_put(&text, "-");
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        markdown_escape(&text, argument(value[0]));
        break;
    default:
        printer->put(&text, sqlite3_value_double(value[0]));
    }
    finish(context, &text);
}

static void sql_integer(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    if (sqlite3_value_type(value[0]) == SQLITE_NULL)
        text_put(&text, "-");
    else
        put_integer(&text, sqlite3_value_int64(value[0]));
    finish(context, &text);
}

static bool hex_word(const char *string, uint64_t *word)
{
    size_t count = strlen(string);
    if (count == 0 || count > 16 || strspn(string, "0123456789abcdefABCDEF") != count) return false;
    *word = strtoull(string, NULL, 16);
    return true;
}

static void sql_f32hex(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    uint64_t word;
    const char *string = argument(value[0]);
    if (strlen(string) == 8 && hex_word(string, &word)) {
        uint32_t bits = (uint32_t)word;
        float number;
        memcpy(&number, &bits, 4);
        if (isnan(number))
            text_put(&text, "nan");
        else
            text_printf(&text, "%+a", (double)number);
    }
    finish(context, &text);
}

static void sql_xorhex(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    char a[17] = "";
    uint64_t x, y;
    /* The first argument's text may move when the second is read. */
    snprintf(a, sizeof a, "%s", argument(value[0]));
    const char *b = argument(value[1]);
    if (strlen(a) == strlen(b) && hex_word(a, &x) && hex_word(b, &y))
        text_printf(&text, "%0*" PRIx64, (int)strlen(a), x ^ y);
    finish(context, &text);
}

enum assay_status markdown_register(sqlite3 *db, struct assay_error *error)
{
    static struct number_printer number = {put_number}, duration = {put_duration}, bytes = {put_bytes};
    static const struct {
        const char *name;
        int arguments;
        void *data;
        void (*call)(sqlite3_context *context, int count, sqlite3_value **value);
    } functions[] = {
        {"md", 1, NULL, sql_md},         {"code", 1, NULL, sql_code},       {"num", 1, &number, sql_number},
        {"n", 1, NULL, sql_integer},     {"dur", 1, &duration, sql_number}, {"bytes", 1, &bytes, sql_number},
        {"f32hex", 1, NULL, sql_f32hex}, {"xorhex", 2, NULL, sql_xorhex},   {"flat", 1, NULL, sql_flat},
        {"html", 1, NULL, sql_html},     {"pattern", 1, NULL, sql_pattern},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (sqlite3_create_function(db, functions[i].name, functions[i].arguments,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC, functions[i].data, functions[i].call,
                                    NULL, NULL) != SQLITE_OK)
            return assay_error_set(error, ASSAY_INTERNAL, "cannot register the SQL function %s: %s",
                                   functions[i].name, sqlite3_errmsg(db));
    if (sqlite3_create_function(db, "worst", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, worst_step,
                                worst_final) != SQLITE_OK)
        return assay_error_set(error, ASSAY_INTERNAL, "cannot register the SQL function worst: %s",
                               sqlite3_errmsg(db));
    return ASSAY_OK;
}
