/* What error texts do with words that a person typed: quote them safely, and name the one that was probably meant.
 * Pure functions; they know no case, option or operator. */
#ifndef ASSAY_WORDS_H
#define ASSAY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDS_QUOTE_MAX 64

/* `length` bytes of text between single quotes, cut at about 50 characters, with bytes that are not printable ASCII as
 * \xNN, so that hostile input cannot reach a terminal. Returns out. */
char *words_quote(char out[WORDS_QUOTE_MAX], const char *text, size_t length);

/* The nearest name within two edits of text (one for words of up to three letters), or NULL. name(context, i) gives
 * the names, NULL ends them. */
const char *words_nearest(const char *text, size_t length, const char *(*name)(const void *context, size_t i),
                          const void *context);

/* Append formatted text at *used of a buffer of `size` bytes; what does not fit is cut. */
void words_append(char *out, size_t size, size_t *used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Append every name, separated by ", ". */
void words_append_names(char *out, size_t size, size_t *used,
                        const char *(*name)(const void *context, size_t i), const void *context);

/* A whole decimal integer, optional minus sign, nothing after it. False: not one, or beyond int64_t. */
bool words_integer(const char *text, size_t length, int64_t *value);
/* 1 to 16 hex digits, nothing else. */
bool words_hex(const char *text, size_t length, uint64_t *value);
/* Glob over a whole text: * and ? (any characters, / too), everything else literal. */
bool words_glob(const char *pattern, const char *text);

#endif
