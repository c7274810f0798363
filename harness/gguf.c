/* Reading GGUF files; see gguf.h. Every read goes through take(), which knows what is left. */
#include "harness/gguf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "harness/words.h"

#define ALIGNMENT_MOST  (1u << 20)
#define DEPTH_MOST      4 /* arrays in arrays */
#define TENSORS_MOST    (UINT64_C(1) << 20)
#define KEY_LEAST_BYTES (8 + 4 + 1)
#define INFO_LEAST      (8 + 4 + 4 + 8)

/* What the format calls a value's type, and how long one is; 0 = it says itself. */
enum { VALUE_UINT32 = 4, VALUE_STRING = 8, VALUE_ARRAY = 9 };
static const uint8_t value_bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
#define VALUE_TYPES (sizeof value_bytes / sizeof *value_bytes)

static const struct {
    uint32_t type, numbers, bytes;
} block_table[] = {
    {GGUF_F32, 1, 4}, {GGUF_F16, 1, 2}, {GGUF_Q8_0, 32, 34}, {GGUF_Q1_0, 128, 18}, {GGUF_Q2_0, 64, 18},
};

struct cursor {
    const char *path;
    const uint8_t *data;
    uint64_t at, end;
    const char *what; /* being read, for errors */
    uint64_t number;  /* which of them */
    struct assay_error *error;
};

static enum assay_status bad(const struct cursor *c, const char *format, ...) ASSAY_PRINTF(2, 3);

static enum assay_status bad(const struct cursor *c, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return assay_error_set(c->error, ASSAY_INVALID_INPUT, "%.200s is no GGUF file that can be read: %s",
                           c->path, text);
}

static enum assay_status truncated(const struct cursor *c)
{
    return bad(c, "it ends within %s %" PRIu64 ", at byte %" PRIu64 " of %" PRIu64, c->what, c->number, c->at,
               c->end);
}

/* The next `bytes` bytes, or NULL. */
static const uint8_t *take(struct cursor *c, uint64_t bytes)
{
    if (bytes > c->end - c->at) return NULL;
    const uint8_t *here = c->data + c->at;
    c->at += bytes;
    return here;
}

static bool take_number(struct cursor *c, unsigned bytes, uint64_t *value)
{
    const uint8_t *here = take(c, bytes);
    *value = 0;
    for (unsigned i = 0; here && i < bytes; i++) *value |= (uint64_t)here[i] << 8 * i;
    return here != NULL;
}

static bool take_string(struct cursor *c, const uint8_t **text, uint64_t *length)
{
    return take_number(c, 8, length) && (*text = take(c, *length)) != NULL;
}

/* ---- metadata ---- */

static enum assay_status skip_value(struct cursor *c, uint64_t type, int depth)
{
    const uint8_t *text;
    uint64_t length, of, count;
    if (type >= VALUE_TYPES)
        return bad(c, "%s %" PRIu64 " has the unknown type %" PRIu64, c->what, c->number, type);
    if (type == VALUE_STRING) return take_string(c, &text, &length) ? ASSAY_OK : truncated(c);
    if (type != VALUE_ARRAY) return take(c, value_bytes[type]) ? ASSAY_OK : truncated(c);
    if (depth == DEPTH_MOST)
        return bad(c, "%s %" PRIu64 " nests arrays deeper than %d", c->what, c->number, DEPTH_MOST);
    if (!take_number(c, 4, &of) || !take_number(c, 8, &count)) return truncated(c);
    if (of >= VALUE_TYPES)
        return bad(c, "%s %" PRIu64 " is an array of the unknown type %" PRIu64, c->what, c->number, of);
    if (value_bytes[of]) {
        if (count > (c->end - c->at) / value_bytes[of]) return truncated(c);
        c->at += count * value_bytes[of];
        return ASSAY_OK;
    }
    /* Each element takes bytes of the file, so that a count beyond its end stops there. */
    enum assay_status status = ASSAY_OK;
    for (uint64_t i = 0; i < count && status == ASSAY_OK; i++) status = skip_value(c, of, depth + 1);
    return status;
}

static enum assay_status read_metadata(struct cursor *c, uint64_t count, struct gguf *gguf)
{
    static const char alignment_key[] = "general.alignment";
    bool seen = false;
    c->what = "metadata value";
    if (count > (c->end - c->at) / KEY_LEAST_BYTES)
        return bad(c, "it promises %" PRIu64 " metadata values, more than its %" PRIu64 " bytes hold", count,
                   c->end);
    for (c->number = 0; c->number < count; c->number++) {
        const uint8_t *key;
        uint64_t length, type, value;
        if (!take_string(c, &key, &length) || !take_number(c, 4, &type)) return truncated(c);
        if (length != sizeof alignment_key - 1 || memcmp(key, alignment_key, length) != 0) {
            enum assay_status status = skip_value(c, type, 0);
            if (status) return status;
            continue;
        }
        if (seen) return bad(c, "%s stands there twice", alignment_key);
        seen = true;
        if (type != VALUE_UINT32)
            return bad(c, "%s has the type %" PRIu64 ", not uint32", alignment_key, type);
        if (!take_number(c, 4, &value)) return truncated(c);
        if (value == 0 || value > ALIGNMENT_MOST || (value & (value - 1)))
            return bad(c, "%s is %" PRIu64 "; allowed: powers of two up to %u", alignment_key, value,
                       ALIGNMENT_MOST);
        gguf->alignment = (uint32_t)value;
    }
    return ASSAY_OK;
}

/* ---- tensors ---- */

/* Bytes of the tensor's data; 0 for an unknown type. */
static enum assay_status measure(const struct cursor *c, const char *name, struct gguf_tensor *t)
{
    uint64_t numbers = 1;
    for (uint32_t d = 0; d < GGUF_RANK_MAX; d++)
        if (t->shape[d] > INT64_MAX || __builtin_mul_overflow(numbers, t->shape[d], &numbers) ||
            numbers > INT64_MAX)
            return bad(c, "tensor %s has more numbers than 64 bits count", name);
    for (size_t i = 0; i < sizeof block_table / sizeof *block_table; i++) {
        if (block_table[i].type != t->type) continue;
        if (t->shape[0] % block_table[i].numbers)
            return bad(c, "tensor %s has rows of %" PRIu64 " numbers, no multiple of the %u of a block", name,
                       t->shape[0], block_table[i].numbers);
        if (__builtin_mul_overflow(numbers / block_table[i].numbers, (uint64_t)block_table[i].bytes,
                                   &t->bytes))
            return bad(c, "tensor %s has more bytes than 64 bits count", name);
    }
    return ASSAY_OK;
}

static enum assay_status read_tensor(struct cursor *c, struct gguf_tensor *t)
{
    const uint8_t *text;
    char quoted[WORDS_QUOTE_MAX];
    uint64_t length, value;
    if (!take_string(c, &text, &length)) return truncated(c);
    if (length == 0 || length > GGUF_NAME_MAX)
        return bad(c, "tensor %" PRIu64 " has a name of %" PRIu64 " bytes; allowed: 1 to %d", c->number,
                   length, GGUF_NAME_MAX);
    if (memchr(text, 0, length)) return bad(c, "tensor %" PRIu64 " has a NUL byte in its name", c->number);
    memcpy(t->name, text, length);
    words_quote(quoted, t->name, length);
    if (!take_number(c, 4, &value)) return truncated(c);
    if (value > GGUF_RANK_MAX)
        return bad(c, "tensor %s has %" PRIu64 " dimensions; allowed: up to %d", quoted, value,
                   GGUF_RANK_MAX);
    t->rank = (uint32_t)value;
    for (uint32_t d = 0; d < GGUF_RANK_MAX; d++) {
        t->shape[d] = 1;
        if (d < t->rank && !take_number(c, 8, &t->shape[d])) return truncated(c);
    }
    if (!take_number(c, 4, &value)) return truncated(c);
    t->type = (uint32_t)value;
    if (!take_number(c, 8, &t->offset)) return truncated(c);
    return measure(c, quoted, t);
}

/* Offsets count from the end of the infos, aligned; turn them into places in the file. */
static enum assay_status place_tensors(struct cursor *c, struct gguf *gguf)
{
    const uint64_t mask = gguf->alignment - 1;
    char quoted[WORDS_QUOTE_MAX];
    gguf->tensors_at = (c->at + mask) & ~mask; /* at is at most the file's length, mask below 2^20 */
    for (size_t i = 0; i < gguf->tensor_count; i++) {
        struct gguf_tensor *t = &gguf->tensor[i];
        words_quote(quoted, t->name, strlen(t->name));
        if (t->offset & mask)
            return bad(c, "tensor %s lies at %" PRIu64 ", no multiple of the alignment %u", quoted, t->offset,
                       gguf->alignment);
        if (__builtin_add_overflow(t->offset, gguf->tensors_at, &t->offset) || t->offset > c->end ||
            t->bytes > c->end - t->offset)
            return bad(c, "tensor %s ends behind the file's %" PRIu64 " bytes", quoted, c->end);
    }
    return ASSAY_OK;
}

static int by_name(const void *a, const void *b)
{
    const struct gguf_tensor *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* Names in order, for gguf_find; no two are the same. */
static enum assay_status sort_names(const struct cursor *c, struct gguf *gguf)
{
    char quoted[WORDS_QUOTE_MAX];
    gguf->sorted = calloc(gguf->tensor_count + 1, sizeof *gguf->sorted);
    if (!gguf->sorted)
        return assay_error_set(c->error, ASSAY_OUT_OF_MEMORY, "out of memory while reading %.200s", c->path);
    for (size_t i = 0; i < gguf->tensor_count; i++) gguf->sorted[i] = &gguf->tensor[i];
    qsort(gguf->sorted, gguf->tensor_count, sizeof *gguf->sorted, by_name);
    for (size_t i = 1; i < gguf->tensor_count; i++) {
        const char *name = gguf->sorted[i]->name;
        if (strcmp(gguf->sorted[i - 1]->name, name) == 0)
            return bad(c, "two tensors are called %s", words_quote(quoted, name, strlen(name)));
    }
    return ASSAY_OK;
}

static enum assay_status read_tensors(struct cursor *c, uint64_t count, struct gguf *gguf)
{
    c->what = "tensor";
    if (count > TENSORS_MOST || count > (c->end - c->at) / INFO_LEAST)
        return bad(c, "it promises %" PRIu64 " tensors, more than its %" PRIu64 " bytes hold", count, c->end);
    gguf->tensor = calloc(count + 1, sizeof *gguf->tensor);
    if (!gguf->tensor)
        return assay_error_set(c->error, ASSAY_OUT_OF_MEMORY, "out of memory while reading %.200s", c->path);
    for (c->number = 0; c->number < count; c->number++) {
        enum assay_status status = read_tensor(c, &gguf->tensor[c->number]);
        if (status) return status;
        gguf->tensor_count++;
    }
    enum assay_status status = place_tensors(c, gguf);
    return status ? status : sort_names(c, gguf);
}

static enum assay_status read_all(struct cursor *c, struct gguf *gguf)
{
    uint64_t version, tensors, values;
    const uint8_t *magic = take(c, 4);
    c->what = "header field";
    if (!magic || memcmp(magic, "GGUF", 4) != 0) return bad(c, "it does not begin with GGUF");
    if (!take_number(c, 4, &version)) return truncated(c);
    if (version == 0x02000000 || version == 0x03000000) return bad(c, "it is big-endian");
    if (version != 2 && version != 3) return bad(c, "it has version %" PRIu64 "; allowed: 2 and 3", version);
    gguf->version = (uint32_t)version;
    if (!take_number(c, 8, &tensors) || !take_number(c, 8, &values)) return truncated(c);
    enum assay_status status = read_metadata(c, values, gguf);
    return status ? status : read_tensors(c, tensors, gguf);
}

enum assay_status gguf_parse(const char *path, const uint8_t *data, uint64_t bytes, struct gguf *gguf,
                             struct assay_error *error)
{
    struct cursor cursor = {.path = path, .data = data, .end = bytes, .error = error};
    *gguf = (struct gguf){.path = strdup(path), .data = data, .data_bytes = bytes, .alignment = 32};
    enum assay_status status = ASSAY_OK;
    if (!gguf->path)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory while reading %.200s", path);
    if (status == ASSAY_OK) status = read_all(&cursor, gguf);
    if (status) gguf_close(gguf);
    return status;
}

enum assay_status gguf_open(const char *path, struct gguf *gguf, struct assay_error *error)
{
    struct stat found;
    void *data = MAP_FAILED;
    enum assay_status status = ASSAY_OK;
    *gguf = (struct gguf){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &found) != 0) {
        status =
            assay_error_set(error, ASSAY_IO, "GGUF file %.300s cannot be opened: %s", path, strerror(errno));
        goto out;
    }
    if (!S_ISREG(found.st_mode) || found.st_size == 0) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "GGUF file %.300s %s", path,
                                 S_ISREG(found.st_mode) ? "is empty" : "is no regular file");
        goto out;
    }
    data = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) {
        status =
            assay_error_set(error, ASSAY_IO, "GGUF file %.300s cannot be mapped: %s", path, strerror(errno));
        goto out;
    }
    status = gguf_parse(path, data, (uint64_t)found.st_size, gguf, error);
    if (status) {
        munmap(data, (size_t)found.st_size);
        goto out;
    }
    gguf->mapped = true;
    snprintf(gguf->hash, sizeof gguf->hash, "%016" PRIx64,
             (uint64_t)XXH3_64bits(data, (size_t)found.st_size));
out:
    if (file >= 0) close(file);
    return status;
}

void gguf_close(struct gguf *gguf)
{
    if (!gguf) return;
    if (gguf->mapped) munmap((void *)(uintptr_t)gguf->data, (size_t)gguf->data_bytes);
    free(gguf->sorted);
    free(gguf->tensor);
    free(gguf->path);
    *gguf = (struct gguf){0};
}

static int to_name(const void *name, const void *tensor)
{
    return strcmp(name, (*(const struct gguf_tensor *const *)tensor)->name);
}

const struct gguf_tensor *gguf_find(const struct gguf *gguf, const char *name)
{
    const struct gguf_tensor *const *found =
        bsearch(name, gguf->sorted, gguf->tensor_count, sizeof *gguf->sorted, to_name);
    return found ? *found : NULL;
}
