/* Stored digests of right outputs: "<32 hex digits> <case line>" a line, # comments. */
#include "oracles/oracle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST = 32 };

struct entry {
    const char *line, *digest;
    int number;
};

struct golden {
    size_t count;
    struct entry *entry;
    char *text;
};

static int by_line(const void *x, const void *y)
{
    return strcmp(((const struct entry *)x)->line, ((const struct entry *)y)->line);
}

/* One line of the file, ended in place. False if it is neither empty, nor a comment, nor an entry. */
static bool read_line(char *line, int number, struct golden *golden)
{
    while (*line == ' ' || *line == '\t') ++line;
    size_t length = strlen(line);
    while (length && strchr(" \t\r", line[length - 1])) line[--length] = 0;
    if (!*line || *line == '#') return true;
    const size_t hex = strspn(line, "0123456789abcdef");
    if (hex != DIGEST || (line[hex] != ' ' && line[hex] != '\t')) return false;
    line[hex] = 0;
    char *name = line + hex + 1;
    name += strspn(name, " \t");
    golden->entry[golden->count++] = (struct entry){name, line, number};
    return true;
}

enum assay_status golden_parse(const char *text, size_t bytes, const char *name, struct golden **result,
                               struct assay_error *error)
{
    *result = NULL;
    if (memchr(text, 0, bytes))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: not a text file (it has a NUL byte)", name);
    size_t lines = 1;
    for (size_t i = 0; i < bytes; ++i) lines += text[i] == '\n';
    struct golden *golden = calloc(1, sizeof *golden);
    enum assay_status status = ASSAY_OK;
    if (golden) {
        golden->text = malloc(bytes + 1);
        golden->entry = calloc(lines, sizeof *golden->entry);
    }
    if (!golden || !golden->text || !golden->entry) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for %zu bytes", name, bytes);
        goto done;
    }
    memcpy(golden->text, text, bytes);
    golden->text[bytes] = 0;
    int number = 0;
    for (char *line = golden->text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        ++number;
        if (read_line(line, number, golden)) continue;
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "%s:%d: a golden line is %d lower-case hex digits, a space and a case", name,
                                 number, DIGEST);
        goto done;
    }
    qsort(golden->entry, golden->count, sizeof *golden->entry, by_line);
    for (size_t i = 1; i < golden->count; ++i)
        if (!by_line(&golden->entry[i - 1], &golden->entry[i])) {
            status = assay_error_set(error, ASSAY_INVALID_INPUT, "%s:%d: the same case as in line %d", name,
                                     golden->entry[i].number, golden->entry[i - 1].number);
            goto done;
        }
    *result = golden;
    golden = NULL;
done:
    golden_free(golden);
    return status;
}

enum assay_status golden_load(const char *path, struct golden **golden, struct assay_error *error)
{
    char *text = NULL;
    size_t bytes = 0, room = 0;
    enum assay_status status = ASSAY_OK;
    *golden = NULL;
    FILE *file = fopen(path, "rb");
    if (!file) return assay_error_set(error, ASSAY_IO, "opening %s: %s", path, strerror(errno));
    for (;;) {
        if (bytes == room) {
            room = room ? 2 * room : 65536;
            char *more = realloc(text, room);
            if (!more) {
                status =
                    assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, room);
                goto done;
            }
            text = more;
        }
        const size_t got = fread(text + bytes, 1, room - bytes, file);
        if (!got) break;
        bytes += got;
    }
    if (ferror(file)) {
        status = assay_error_set(error, ASSAY_IO, "reading %s: %s", path, strerror(errno));
        goto done;
    }
    status = golden_parse(text, bytes, path, golden, error);
done:
    fclose(file);
    free(text);
    return status;
}

const char *golden_find(const struct golden *golden, const char *case_line)
{
    const struct entry key = {.line = case_line};
    const struct entry *found =
        golden->count ? bsearch(&key, golden->entry, golden->count, sizeof key, by_line) : NULL;
    return found ? found->digest : NULL;
}

void golden_free(struct golden *golden)
{
    if (!golden) return;
    free(golden->entry);
    free(golden->text);
    free(golden);
}
