/* What the queries of a report call: how a verdict counts, axes of case lines, medians. It knows no table. */
#include "reports/report_functions.h"
#include "reports/markdown.h"
#include "reports/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *argument(sqlite3_value *value)
{
    const char *string = (const char *)sqlite3_value_text(value);
    return string ? string : "";
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

static void sql_outcome(sqlite3_context *context, int count, sqlite3_value **value)
{
    static const char *const unjudged[] = {"SKIP", "DEADREF", "UNPROVEN", "ERROR", NULL};
    static const char *const good[] = {"PASS", "REFLIMITED", NULL};
    (void)count;
    char verdict[16] = "", expected[16] = "";
    const char *outcome = "failed";
    strncat(verdict, argument(value[0]), sizeof verdict - 1);
    strncat(expected, argument(value[1]), sizeof expected - 1);
    const bool same = strcmp(verdict, expected) == 0;
    if (!*verdict)
        outcome = "not run";
    else if (same && !one_of(verdict, unjudged))
        outcome = "passed";
    else if (one_of(verdict, good))
        outcome = *expected && !one_of(expected, good) ? "failed" : "passed";
    else if (strcmp(verdict, "ERROR") == 0 && !same)
        outcome = "errored";
    else if (strcmp(verdict, "SKIP") == 0)
        outcome = "skipped";
    else if (one_of(verdict, unjudged))
        outcome = "not judged";
    sqlite3_result_text(context, outcome, -1, SQLITE_STATIC);
}

static void sql_axis(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    char name[32];
    const char *line = argument(value[0]);
    int length = snprintf(name, sizeof name, "%s=", argument(value[1]));
    line = argument(value[0]);
    for (const char *at = line; length < (int)sizeof name && (at = strstr(at, name)) != NULL; at += length) {
        if (at != line && at[-1] != '/' && at[-1] != ',') continue;
        char *end = NULL;
        const long long number = strtoll(at + length, &end, 10);
        if (end == at + length || (*end && *end != '/' && *end != ',')) continue;
        sqlite3_result_int64(context, number);
        return;
    }
    sqlite3_result_null(context);
}

static void sql_shell(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct text text = {0};
    text_put(&text, "'");
    for (const char *s = argument(value[0]); *s; s++)
        if (*s == '\'')
            text_put(&text, "'\\''");
        else
            text_add(&text, s, 1);
    text_put(&text, "'");
    if (text.failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text(context, text.data, (int)text.used, SQLITE_TRANSIENT);
    text_free(&text);
}

/* ---- aggregates of a list of numbers ---- */

struct list {
    double *x;
    size_t count, size;
};

static void list_step(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct list *list = sqlite3_aggregate_context(context, sizeof *list);
    const int type = sqlite3_value_type(value[0]);
    if (!list || (type != SQLITE_INTEGER && type != SQLITE_FLOAT)) return;
    const double number = sqlite3_value_double(value[0]);
    if (!isfinite(number)) return;
    if (list->count == list->size) {
        const size_t size = list->size ? 2 * list->size : 16;
        double *x = realloc(list->x, size * sizeof *x);
        if (!x) {
            sqlite3_result_error_nomem(context);
            return;
        }
        list->x = x;
        list->size = size;
    }
    list->x[list->count++] = number;
}

static void list_final(sqlite3_context *context, bool spread)
{
    struct list *list = sqlite3_aggregate_context(context, 0);
    if (!list || !list->count) return;
    double result = statistics_median(list->x, list->count);
    if (spread) {
        for (size_t i = 0; i < list->count; i++) list->x[i] = fabs(list->x[i] - result);
        result = 1.4826 * statistics_median(list->x, list->count);
    }
    free(list->x);
    *list = (struct list){0};
    sqlite3_result_double(context, result);
}

static void median_final(sqlite3_context *context)
{
    list_final(context, false);
}

static void mad_final(sqlite3_context *context)
{
    list_final(context, true);
}

struct rate {
    double work, ns;
};

static void rate_step(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    struct rate *rate = sqlite3_aggregate_context(context, sizeof *rate);
    const double work = sqlite3_value_double(value[0]), ns = sqlite3_value_double(value[1]);
    if (!rate || !(work > 0) || !(ns > 0)) return;
    if (work < rate->work || (work == rate->work && ns >= rate->ns)) return;
    *rate = (struct rate){work, ns};
}

static void rate_final(sqlite3_context *context)
{
    const struct rate *rate = sqlite3_aggregate_context(context, 0);
    if (rate && rate->ns > 0) sqlite3_result_double(context, rate->work / rate->ns);
}

enum assay_status report_functions_register(sqlite3 *db, struct assay_error *error)
{
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *context, int count, sqlite3_value **value);
        void (*step)(sqlite3_context *context, int count, sqlite3_value **value);
        void (*final)(sqlite3_context *context);
    } functions[] = {
        {"outcome", 2, sql_outcome, NULL, NULL}, {"axis", 2, sql_axis, NULL, NULL},
        {"shell", 1, sql_shell, NULL, NULL},     {"median", 1, NULL, list_step, median_final},
        {"mad", 1, NULL, list_step, mad_final},  {"rate", 2, NULL, rate_step, rate_final},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (sqlite3_create_function(db, functions[i].name, functions[i].arguments,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, functions[i].call,
                                    functions[i].step, functions[i].final) != SQLITE_OK)
            return assay_error_set(error, ASSAY_INTERNAL, "cannot register the SQL function %s: %s",
                                   functions[i].name, sqlite3_errmsg(db));
    return ASSAY_OK;
}
