/* What the readers of ONNX files share. Internal to kernels/graph/. */
#ifndef ASSAY_ONNX_READ_H
#define ASSAY_ONNX_READ_H

#include "build/gen/onnx.pb-c.h"
#include "kernels/graph/onnx.h"

/* Memory of one parse: blocks that are freed together, and how much may still be taken. */
struct onnx_memory {
    struct onnx_block *blocks;
    size_t left_bytes;
    ProtobufCAllocator allocator; /* over this memory */
};

void onnx_memory_open(struct onnx_memory *memory, size_t file_bytes);
void *onnx_memory_take(struct onnx_memory *memory, size_t count, size_t bytes); /* zeroed; NULL if too much */
void onnx_memory_close(struct onnx_memory *memory);

/* Decode a message into memory, after checking its wire format. */
enum assay_status onnx_unpack(struct onnx_memory *memory, const ProtobufCMessageDescriptor *kind,
                              const void *bytes, size_t size, const char *name, void *message,
                              struct assay_error *error);
/* The whole file, malloc'ed. */
enum assay_status onnx_file_read(const char *path, void **bytes, size_t *size, struct assay_error *error);

enum assay_dtype onnx_dtype(int32_t elem_type);
const char *onnx_elem_name(int32_t elem_type);
/* Fill *out from a TensorProto. Data stays where the message has it if it can. `name` is the file. */
enum assay_status onnx_tensor_fill(struct onnx_memory *memory, const Onnx__TensorProto *from,
                                   const char *name, struct onnx_tensor *out, struct assay_error *error);
const char *onnx_text(const char *text); /* "" for NULL */

#endif
