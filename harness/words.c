/* Words in error texts; see words.h. */
#include "harness/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *words_quote(char out[WORDS_QUOTE_MAX], const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;
    out[used++] = '\'';
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (used + 4 + 5 > WORDS_QUOTE_MAX) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (c >= 0x20 && c < 0x7f) {
            out[used++] = (char)c;
        } else {
            out[used++] = '\\';
            out[used++] = 'x';
            out[used++] = digits[c >> 4];
            out[used++] = digits[c & 15];
        }
    }
    out[used++] = '\'';
    out[used] = 0;
    return out;
}

#define WORD_MAX 32

/* Levenshtein distance of two short words. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[WORD_MAX + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replace = diagonal + (a[i - 1] != b[j - 1]);
            size_t insert = row[j - 1] + 1, erase = row[j] + 1;
            diagonal = row[j];
            row[j] = replace < insert ? replace : insert;
            if (erase < row[j]) row[j] = erase;
        }
    }
    return row[b_length];
}

const char *words_nearest(const char *text, size_t length, const char *(*name)(const void *context, size_t i),
                          const void *context)
{
    const char *best = NULL, *candidate;
    size_t best_distance = length <= 3 ? 2 : 3;
    if (length == 0 || length > WORD_MAX) return NULL;
    for (size_t i = 0; (candidate = name(context, i)) != NULL; i++) {
        size_t candidate_length = strlen(candidate);
        if (candidate_length > WORD_MAX) continue;
        size_t d = distance(text, length, candidate, candidate_length);
        if (d < best_distance && d < candidate_length) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}

void words_append(char *out, size_t size, size_t *used, const char *format, ...)
{
    if (*used >= size) return;
    va_list arguments;
    va_start(arguments, format);
    int wrote = vsnprintf(out + *used, size - *used, format, arguments);
    va_end(arguments);
    if (wrote > 0) *used += (size_t)wrote < size - *used ? (size_t)wrote : size - *used - 1;
}

void words_append_names(char *out, size_t size, size_t *used,
                        const char *(*name)(const void *context, size_t i), const void *context)
{
    const char *candidate;
    for (size_t i = 0; (candidate = name(context, i)) != NULL; i++)
        words_append(out, size, used, "%s%s", i ? ", " : "", candidate);
}

bool words_integer(const char *text, size_t length, int64_t *value)
{
    bool minus = length && text[0] == '-';
    size_t i = minus;
    if (i == length) return false;
    int64_t sum = 0;
    for (; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        if (__builtin_mul_overflow(sum, 10, &sum)) return false;
        if (__builtin_sub_overflow(sum, text[i] - '0', &sum)) return false;
    }
    if (!minus && sum == INT64_MIN) return false;
    *value = minus ? sum : -sum;
    return true;
}

bool words_hex(const char *text, size_t length, uint64_t *value)
{
    uint64_t sum = 0;
    if (length == 0 || length > 16) return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        unsigned digit;
        if (c >= '0' && c <= '9')
            digit = (unsigned)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (unsigned)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            digit = (unsigned)(c - 'A' + 10);
        else
            return false;
        sum = sum << 4 | digit;
    }
    *value = sum;
    return true;
}

bool words_glob(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}
