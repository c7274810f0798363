/* From bytes to protobuf messages, safely: limits on memory and nesting, and a walk over the wire format before
 * protobuf-c sees it, because that recurses without limit and cannot say what is wrong. Knows protobuf, not ONNX. */
#include "kernels/graph/onnx_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NESTING_MAX = 24 };

/* ---- memory ---- */

struct onnx_block {
    struct onnx_block *next;
    max_align_t bytes[];
};

void *onnx_memory_take(struct onnx_memory *memory, size_t count, size_t bytes)
{
    size_t size;
    if (__builtin_mul_overflow(count, bytes, &size) ||
        __builtin_add_overflow(size, sizeof(struct onnx_block), &size))
        return NULL;
    if (size > memory->left_bytes) return NULL;
    struct onnx_block *block = calloc(1, size);
    if (!block) return NULL;
    memory->left_bytes -= size;
    block->next = memory->blocks;
    memory->blocks = block;
    return block->bytes;
}

static void *allocate(void *data, size_t size)
{
    return onnx_memory_take(data, 1, size);
}

/* All blocks go at once, in onnx_memory_close. */
static void keep(void *data, void *pointer)
{
    (void)data;
    (void)pointer;
}

void onnx_memory_open(struct onnx_memory *memory, size_t file_bytes)
{
    /* An empty message is two bytes in a file and two hundred in memory: files are bounded, not only their sizes. */
    *memory = (struct onnx_memory){.left_bytes = (size_t)256 * 1024 * 1024 + 8 * file_bytes};
    memory->allocator = (ProtobufCAllocator){allocate, keep, memory};
}

void onnx_memory_close(struct onnx_memory *memory)
{
    for (struct onnx_block *block = memory->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    memory->blocks = NULL;
}

/* ---- wire format ---- */

struct cursor {
    const uint8_t *start, *at, *end;
    const char *name;
    struct assay_error *error;
};

static enum assay_status bad(const struct cursor *c, const ProtobufCMessageDescriptor *kind, const char *what)
{
    return assay_error_set(c->error, ASSAY_INVALID_INPUT, "%s: byte %zu, in %s: %s", c->name,
                           (size_t)(c->at - c->start), kind->short_name, what);
}

static bool varint(struct cursor *c, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (c->at == c->end) return false;
        const uint8_t byte = *c->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

/* Go over the message that ends at c->end. */
static enum assay_status walk(struct cursor *c, const ProtobufCMessageDescriptor *kind, int depth)
{
    uint64_t seen[4] = {0};
    if (depth > NESTING_MAX) return bad(c, kind, "messages are nested too deeply");
    while (c->at < c->end) {
        uint64_t tag, length;
        if (!varint(c, &tag)) return bad(c, kind, "it ends inside a field number");
        if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return bad(c, kind, "a field number is out of range");
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(kind, (unsigned)(tag >> 3));
        switch (tag & 7) {
        case 0:
            if (!varint(c, &length)) return bad(c, kind, "it ends inside a number");
            continue;
        case 1:
        case 5:
            length = (tag & 7) == 1 ? 8 : 4;
            if ((size_t)(c->end - c->at) < length) return bad(c, kind, "it ends inside a number");
            c->at += length;
            continue;
        case 2:
            break;
        default:
            return bad(c, kind, "a field has an unknown wire type");
        }
        if (!varint(c, &length)) return bad(c, kind, "it ends inside a length");
        if ((size_t)(c->end - c->at) < length) return bad(c, kind, "a length goes past the end: truncated?");
        if (!field || field->type != PROTOBUF_C_TYPE_MESSAGE) {
            c->at += length;
            continue;
        }
        if (field->label != PROTOBUF_C_LABEL_REPEATED) {
            /* Protobuf merges such pairs; no writer makes them, and merging is where decoders go wrong. */
            const size_t index = (size_t)(field - kind->fields) % 256;
            if (seen[index / 64] >> (index % 64) & 1) return bad(c, kind, "a single message is there twice");
            seen[index / 64] |= UINT64_C(1) << (index % 64);
        }
        struct cursor inner = *c;
        inner.end = c->at + length;
        const enum assay_status status = walk(&inner, field->descriptor, depth + 1);
        if (status) return status;
        c->at = inner.end;
    }
    return ASSAY_OK;
}

enum assay_status onnx_unpack(struct onnx_memory *memory, const ProtobufCMessageDescriptor *kind,
                              const void *bytes, size_t size, const char *name, void *message,
                              struct assay_error *error)
{
    *(void **)message = NULL;
    if (size == 0) return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: the file is empty", name);
    if (size > ONNX_FILE_BYTES_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: more than %d bytes", name,
                               ONNX_FILE_BYTES_MAX);
    struct cursor cursor = {bytes, bytes, (const uint8_t *)bytes + size, name, error};
    const enum assay_status status = walk(&cursor, kind, 0);
    if (status) return status;
    *(void **)message = protobuf_c_message_unpack(kind, &memory->allocator, size, bytes);
    if (*(void **)message) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INVALID_INPUT,
                           "%s: not %s%s that protobuf can decode, or too large in memory", name,
                           strchr("AEIOU", kind->short_name[0]) ? "an " : "a ", kind->short_name);
}

enum assay_status onnx_file_read(const char *path, void **bytes, size_t *size, struct assay_error *error)
{
    struct stat info;
    enum assay_status status = ASSAY_OK;
    *bytes = NULL;
    *size = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return assay_error_set(error, ASSAY_IO, "opening %s: %s", path, strerror(errno));
    if (fstat(fileno(file), &info)) {
        status = assay_error_set(error, ASSAY_IO, "reading %s: %s", path, strerror(errno));
        goto done;
    }
    if (!S_ISREG(info.st_mode)) {
        status = assay_error_set(error, ASSAY_IO, "reading %s: not a regular file", path);
        goto done;
    }
    if (info.st_size > ONNX_FILE_BYTES_MAX) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %lld bytes, more than %d", path,
                                 (long long)info.st_size, ONNX_FILE_BYTES_MAX);
        goto done;
    }
    *bytes = malloc((size_t)info.st_size + 1);
    if (!*bytes) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "reading %s: no memory for %lld bytes", path,
                                 (long long)info.st_size);
        goto done;
    }
    *size = fread(*bytes, 1, (size_t)info.st_size, file);
    if (*size != (size_t)info.st_size) {
        status = assay_error_set(error, ASSAY_IO, "reading %s: %s", path,
                                 ferror(file) ? strerror(errno) : "it became shorter");
        free(*bytes);
        *bytes = NULL;
    }
done:
    fclose(file);
    return status;
}
