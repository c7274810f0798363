/* Reading .cases files: comments that say why, levels, brace expansion, choice by glob. It knows case lines; it knows
 * no device and runs nothing. */
#include "harness/corpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "harness/embedded.h"
#include "harness/words.h"

#define FILE_BYTES_MAX   (64u << 20)
#define WRITTEN_LINE_MAX 4096
#define EXPANSION_MAX    4096

static const char *const level_names[LEVEL_COUNT] = {"quick", "standard", "full"};

const char *level_name(enum level level)
{
    return (unsigned)level < LEVEL_COUNT ? level_names[level] : "?";
}

enum level level_parse(const char *name)
{
    int level = 0;
    while (level < LEVEL_COUNT && strcmp(name, level_names[level]) != 0) level++;
    return (enum level)level;
}

/* ---- strings of a corpus: a list of pieces that are freed together ---- */

struct piece {
    struct piece *next;
    char text[];
};

static char *keep(struct corpus *corpus, const char *text, size_t length)
{
    struct piece *piece = malloc(sizeof *piece + length + 1);
    if (!piece) return NULL;
    memcpy(piece->text, text, length);
    piece->text[length] = 0;
    piece->next = corpus->memory;
    corpus->memory = piece;
    return piece->text;
}

void corpus_free(struct corpus *corpus)
{
    if (!corpus) return;
    for (struct piece *piece = corpus->memory, *next; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    free(corpus->entry);
    memset(corpus, 0, sizeof *corpus);
}

static enum assay_status no_memory(struct assay_error *error)
{
    return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory while reading the corpus");
}

/* Entries grow by doubling: a power of two is full. */
static struct corpus_entry *entry_new(struct corpus *corpus)
{
    size_t n = corpus->count;
    if ((n & (n - 1)) == 0) {
        void *grown = realloc(corpus->entry, (n ? 2 * n : 1) * sizeof *corpus->entry);
        if (!grown) return NULL;
        corpus->entry = grown;
    }
    memset(&corpus->entry[n], 0, sizeof *corpus->entry);
    corpus->count++;
    return &corpus->entry[n];
}

/* ---- one file ---- */

struct reader {
    struct corpus *corpus;
    const char *file; /* kept */
    int line;
    enum level level;
    const char *why; /* kept; "" when the comment is missing */
    bool why_open;   /* the line before was a comment too: join */
    struct assay_error *error;
};

/* Name the place in front of what went wrong. */
static enum assay_status at_line(const struct reader *reader, enum assay_status status, const char *text)
{
    char copy[sizeof reader->error->text];
    snprintf(copy, sizeof copy, "%s", text);
    return assay_error_set(reader->error, status, "%s:%d: %.400s", reader->file, reader->line, copy);
}

static bool onnx_name_ok(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t length = strlen(name);
    return length > 0 && length < 200 && name[0] != '.' && strspn(name, allowed) == length;
}

/* Parse one expanded line into entry (line, spec, onnx). */
static enum assay_status entry_read(struct corpus *corpus, struct corpus_entry *entry, const char *line,
                                    struct assay_error *error)
{
    char text[CASE_LINE_MAX], quoted[WORDS_QUOTE_MAX];
    if (strncmp(line, "onnx/", 5) == 0) {
        if (!onnx_name_ok(line + 5))
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s is no name of a test; allowed: letters, digits, _ . -",
                                   words_quote(quoted, line + 5, strlen(line + 5)));
        entry->onnx = true;
        entry->line = keep(corpus, line, strlen(line));
    } else {
        enum assay_status status = case_parse(line, &entry->spec, error);
        if (status) return status;
        case_print(&entry->spec, text);
        entry->line = keep(corpus, text, strlen(text));
    }
    return entry->line ? ASSAY_OK : no_memory(error);
}

static enum assay_status add_line(struct reader *reader, const char *line)
{
    struct assay_error error = {0};
    struct corpus_entry *entry = entry_new(reader->corpus);
    if (!entry) return no_memory(reader->error);
    enum assay_status status = entry_read(reader->corpus, entry, line, &error);
    if (status) {
        reader->corpus->count--;
        return at_line(reader, status, error.text);
    }
    entry->level = reader->level;
    entry->why = reader->why;
    entry->file = reader->file;
    entry->file_line = reader->line;
    return ASSAY_OK;
}

/* Expand the first pair of braces of `line` into every word (or range a..b), and so on behind it. */
static enum assay_status expand(struct reader *reader, const char *line, size_t *budget)
{
    const char *open = strchr(line, '{');
    const char *close = strchr(line, '}');
    if (!open && !close) {
        if ((*budget)-- == 0) return at_line(reader, ASSAY_INVALID_INPUT, "braces give more than 4096 cases");
        return add_line(reader, line);
    }
    if (!open || !close || close < open) return at_line(reader, ASSAY_INVALID_INPUT, "braces do not pair up");
    const char *inner = strchr(open + 1, '{');
    if (inner && inner < close)
        return at_line(reader, ASSAY_INVALID_INPUT, "braces inside braces are not allowed");
    char built[WRITTEN_LINE_MAX];
    const char *dots = strstr(open, "..");
    if (dots && dots < close) {
        int64_t first, last;
        if (!words_integer(open + 1, (size_t)(dots - open - 1), &first) ||
            !words_integer(dots + 2, (size_t)(close - dots - 2), &last) || last < first ||
            last - first >= EXPANSION_MAX)
            return at_line(reader, ASSAY_INVALID_INPUT,
                           "a range in braces is written {1..9}, at most 4096 long");
        for (int64_t i = first; i <= last; i++) {
            snprintf(built, sizeof built, "%.*s%lld%s", (int)(open - line), line, (long long)i, close + 1);
            enum assay_status status = expand(reader, built, budget);
            if (status) return status;
        }
        return ASSAY_OK;
    }
    for (const char *word = open + 1; word <= close;) {
        size_t length = strcspn(word, ",}");
        if (length == 0) return at_line(reader, ASSAY_INVALID_INPUT, "empty word in braces");
        snprintf(built, sizeof built, "%.*s%.*s%s", (int)(open - line), line, (int)length, word, close + 1);
        enum assay_status status = expand(reader, built, budget);
        if (status) return status;
        word += length + 1;
    }
    return ASSAY_OK;
}

static enum assay_status read_comment(struct reader *reader, const char *text)
{
    while (*text == '#' || *text == ' ' || *text == '\t') text++;
    if (strncmp(text, "level:", 6) == 0) {
        const char *name = text + 6;
        while (*name == ' ') name++;
        reader->level = level_parse(name);
        if (reader->level == LEVEL_COUNT)
            return at_line(reader, ASSAY_INVALID_INPUT, "unknown level; allowed: quick, standard, full");
        return ASSAY_OK;
    }
    char joined[1024];
    snprintf(joined, sizeof joined, "%s%s%s", reader->why_open ? reader->why : "",
             reader->why_open && reader->why[0] ? " " : "", text);
    reader->why = keep(reader->corpus, joined, strlen(joined));
    reader->why_open = true;
    return reader->why ? ASSAY_OK : no_memory(reader->error);
}

/* One written line, without its end of line. */
static enum assay_status read_line(struct reader *reader, const char *text, size_t length)
{
    char line[WRITTEN_LINE_MAX];
    if (length && text[length - 1] == '\r') length--;
    while (length && (*text == ' ' || *text == '\t')) text++, length--;
    if (length >= sizeof line) return at_line(reader, ASSAY_INVALID_INPUT, "line longer than 4095 bytes");
    if (memchr(text, 0, length)) return at_line(reader, ASSAY_INVALID_INPUT, "a NUL byte");
    memcpy(line, text, length);
    line[length] = 0;
    if (length == 0) {
        reader->why = "";
        reader->why_open = false;
        return ASSAY_OK;
    }
    if (line[0] == '#') return read_comment(reader, line);
    reader->why_open = false;
    line[strcspn(line, "#")] = 0;
    for (size_t end = strlen(line); end && (line[end - 1] == ' ' || line[end - 1] == '\t');) line[--end] = 0;
    size_t budget = EXPANSION_MAX;
    return expand(reader, line, &budget);
}

static enum assay_status read_text(struct corpus *corpus, const char *name, const char *text, size_t bytes,
                                   struct assay_error *error)
{
    struct reader reader = {.corpus = corpus, .why = "", .error = error};
    reader.file = keep(corpus, name, strlen(name));
    if (!reader.file) return no_memory(error);
    if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, bytes -= 3;
    while (bytes) {
        const char *end = memchr(text, '\n', bytes);
        size_t length = end ? (size_t)(end - text) : bytes;
        reader.line++;
        enum assay_status status = read_line(&reader, text, length);
        if (status) return status;
        if (!end) break;
        text += length + 1;
        bytes -= length + 1;
    }
    return ASSAY_OK;
}

static enum assay_status read_file(struct corpus *corpus, const char *path, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    char *text = NULL;
    size_t used = 0, room = 1 << 16, got;
    FILE *file = fopen(path, "rb");
    if (!file)
        return assay_error_set(error, ASSAY_IO, "corpus %s cannot be opened: %s", path, strerror(errno));
    for (;;) {
        char *grown = realloc(text, room);
        if (!grown) {
            status = no_memory(error);
            goto out;
        }
        text = grown;
        got = fread(text + used, 1, room - used, file);
        used += got;
        if (used < room) break;
        if (room > FILE_BYTES_MAX) {
            status = assay_error_set(error, ASSAY_INVALID_INPUT, "corpus %s is larger than 64 MiB", path);
            goto out;
        }
        room *= 2;
    }
    if (ferror(file)) {
        status = assay_error_set(error, ASSAY_IO, "corpus %s cannot be read: %s", path, strerror(errno));
        goto out;
    }
    status = read_text(corpus, path, text, used, error);
out:
    free(text);
    fclose(file);
    return status;
}

static int by_line(const void *a, const void *b)
{
    const struct corpus_entry *x = *(const struct corpus_entry *const *)a,
                              *y = *(const struct corpus_entry *const *)b;
    int order = strcmp(x->line, y->line);
    return order ? order : (x > y) - (x < y);
}

static enum assay_status refuse_duplicates(const struct corpus *corpus, struct assay_error *error)
{
    if (corpus->count < 2) return ASSAY_OK;
    enum assay_status status = ASSAY_OK;
    const struct corpus_entry **sorted = malloc(corpus->count * sizeof(void *));
    if (!sorted) return no_memory(error);
    for (size_t i = 0; i < corpus->count; i++) sorted[i] = &corpus->entry[i];
    qsort(sorted, corpus->count, sizeof *sorted, by_line);
    for (size_t i = 1; i < corpus->count && !status; i++)
        if (strcmp(sorted[i - 1]->line, sorted[i]->line) == 0)
            status = assay_error_set(error, ASSAY_INVALID_INPUT, "%s:%d: %s stands already in %s:%d",
                                     sorted[i]->file, sorted[i]->file_line, sorted[i]->line,
                                     sorted[i - 1]->file, sorted[i - 1]->file_line);
    free(sorted);
    return status;
}

#define BENCH_CASES "corpus/bench.cases"

enum assay_status corpus_load_bench(struct corpus *corpus, struct assay_error *error)
{
    for (const struct embedded *e = assay_blob_table; e->path; e++)
        if (strcmp(e->path, BENCH_CASES) == 0) {
            enum assay_status status =
                read_text(corpus, e->path + 7, e->start, (size_t)(e->end - e->start), error);
            return status ? status : refuse_duplicates(corpus, error);
        }
    return assay_error_set(error, ASSAY_INTERNAL, "this program has no " BENCH_CASES);
}

enum assay_status corpus_load(struct corpus *corpus, const char *file, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    if (file) {
        status = read_file(corpus, file, error);
    } else {
        for (const struct embedded *e = assay_blob_table; e->path && !status; e++) {
            size_t length = strlen(e->path);
            if (strncmp(e->path, "corpus/", 7) == 0 && length > 6 && strcmp(e->path, BENCH_CASES) != 0 &&
                strcmp(e->path + length - 6, ".cases") == 0)
                status = read_text(corpus, e->path + 7, e->start, (size_t)(e->end - e->start), error);
        }
    }
    return status ? status : refuse_duplicates(corpus, error);
}

enum assay_status corpus_add(struct corpus *corpus, const char *line, enum level level, const char *why,
                             const char *file, int file_line, struct assay_error *error)
{
    struct reader reader = {.corpus = corpus,
                            .line = file_line,
                            .level = level,
                            .error = error,
                            .why = keep(corpus, why, strlen(why))};
    reader.file = keep(corpus, file, strlen(file));
    return reader.file && reader.why ? add_line(&reader, line) : no_memory(error);
}

/* ---- choice ---- */

static enum assay_status select_glob(const struct corpus *corpus, bool *chosen, size_t count,
                                     const char *pattern, enum level level, struct assay_error *error)
{
    size_t found = 0, above = 0;
    char quoted[WORDS_QUOTE_MAX];
    for (size_t i = 0; i < count; i++) {
        if (!case_match(pattern, corpus->entry[i].line)) continue;
        if (corpus->entry[i].level <= level) {
            chosen[i] = true;
            found++;
        } else {
            above++;
        }
    }
    if (found) return ASSAY_OK;
    words_quote(quoted, pattern, strlen(pattern));
    if (above)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s matches no case of level %s, but %zu of higher levels: add --level full",
                               quoted, level_name(level), above);
    return assay_error_set(error, ASSAY_INVALID_INPUT,
                           "%s matches no case; `assay list --level full` shows them", quoted);
}

/* A whole line: chosen where it stands, else added. */
static enum assay_status select_line(struct corpus *corpus, bool *chosen, size_t count, const char *line,
                                     struct assay_error *error)
{
    struct corpus_entry entry = {.why = "given on the command line", .file = "command line"};
    enum assay_status status = entry_read(corpus, &entry, line, error);
    if (status) return status;
    for (size_t i = 0; i < corpus->count; i++)
        if (strcmp(corpus->entry[i].line, entry.line) == 0) {
            if (i < count) chosen[i] = true;
            return ASSAY_OK;
        }
    struct corpus_entry *added = entry_new(corpus);
    if (!added) return no_memory(error);
    *added = entry;
    return ASSAY_OK;
}

enum assay_status corpus_select(struct corpus *corpus, const char *const *patterns, size_t pattern_count,
                                enum level level, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    size_t count = corpus->count, kept = 0;
    bool *chosen = calloc(count + 1, sizeof *chosen);
    if (!chosen) return no_memory(error);
    for (size_t i = 0; i < count; i++) chosen[i] = pattern_count == 0 && corpus->entry[i].level <= level;
    for (size_t i = 0; i < pattern_count && !status; i++) {
        if (strpbrk(patterns[i], "*?"))
            status = select_glob(corpus, chosen, count, patterns[i], level, error);
        else
            status = select_line(corpus, chosen, count, patterns[i], error);
    }
    for (size_t i = 0; i < corpus->count && !status; i++)
        if (i >= count || chosen[i]) corpus->entry[kept++] = corpus->entry[i];
    if (!status) corpus->count = kept;
    free(chosen);
    return status;
}

void corpus_hash(const struct corpus *corpus, char text[17])
{
    XXH3_state_t *state = XXH3_createState();
    uint64_t hash = 0;
    if (state) {
        XXH3_64bits_reset(state);
        for (size_t i = 0; i < corpus->count; i++) {
            XXH3_64bits_update(state, corpus->entry[i].line, strlen(corpus->entry[i].line));
            XXH3_64bits_update(state, "\n", 1);
        }
        hash = XXH3_64bits_digest(state);
    }
    XXH3_freeState(state);
    snprintf(text, 17, "%016llx", (unsigned long long)hash);
}
