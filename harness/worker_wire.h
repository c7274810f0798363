/* How messages of assay.proto cross a socket. For worker.c (the parent's side) and serve.c (the process). */
#ifndef ASSAY_WORKER_WIRE_H
#define ASSAY_WORKER_WIRE_H

#include "build/gen/assay.pb-c.h"
#include "devices/types.h"

#include <stdatomic.h>

#define WIRE_BYTES_MAX (64u << 20)

/* Write one message. False when the other side is gone. */
bool wire_send(int socket, const ProtobufCMessage *message);
enum wire_got { WIRE_OK, WIRE_CLOSED, WIRE_TIMEOUT, WIRE_MALFORMED };
/* Read one message of at most WIRE_BYTES_MAX into malloc'ed *bytes. deadline_ns on CLOCK_MONOTONIC, 0 = none. */
enum wire_got wire_receive(int socket, uint64_t deadline_ns, uint8_t **bytes, size_t *count);
/* Set (by a signal handler): every wait with a deadline ends as WIRE_TIMEOUT. */
extern atomic_int wire_cancelled;

#endif
