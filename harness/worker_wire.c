/* Framing: four bytes of length, little-endian, then the message. It knows no message. */
#include "harness/worker_wire.h"
#include "harness/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#define SLICE_MS 100 /* how soon a cancelled wait ends */

atomic_int wire_cancelled;

static bool send_all(int socket, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        count -= (size_t)sent;
    }
    return true;
}

bool wire_send(int socket, const ProtobufCMessage *message)
{
    size_t count = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = count <= WIRE_BYTES_MAX ? malloc(count + 4) : NULL;
    if (!bytes) return false;
    for (int at = 0; at < 4; at++) bytes[at] = (uint8_t)(count >> 8 * at);
    protobuf_c_message_pack(message, bytes + 4);
    bool sent = send_all(socket, bytes, count + 4);
    free(bytes);
    return sent;
}

static enum wire_got receive_all(int socket, uint64_t deadline_ns, uint8_t *bytes, size_t count)
{
    while (count > 0) {
        int wait_ms = -1;
        if (deadline_ns) {
            uint64_t now = clock_now_ns();
            if (now >= deadline_ns || wire_cancelled) return WIRE_TIMEOUT;
            const uint64_t left_ms = (deadline_ns - now) / 1000000 + 1;
            wait_ms = left_ms < SLICE_MS ? (int)left_ms : SLICE_MS;
        }
        struct pollfd ready = {.fd = socket, .events = POLLIN};
        int events = poll(&ready, 1, wait_ms);
        if (events < 0 && errno != EINTR) return WIRE_CLOSED;
        if (events <= 0) continue;
        ssize_t got = recv(socket, bytes, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return WIRE_CLOSED;
        bytes += got;
        count -= (size_t)got;
    }
    return WIRE_OK;
}

enum wire_got wire_receive(int socket, uint64_t deadline_ns, uint8_t **bytes, size_t *count)
{
    uint8_t head[4];
    *bytes = NULL;
    enum wire_got got = receive_all(socket, deadline_ns, head, sizeof head);
    if (got != WIRE_OK) return got;
    *count = (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    if (*count > WIRE_BYTES_MAX) return WIRE_MALFORMED;
    *bytes = malloc(*count + 1);
    if (!*bytes) return WIRE_MALFORMED;
    got = receive_all(socket, deadline_ns, *bytes, *count);
    if (got != WIRE_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return got;
}
