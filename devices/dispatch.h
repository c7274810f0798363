/* Checks that every backend makes before it touches a driver: ranges, programs, dispatches, and the rule that one
 * thread at a time drives a handle. One text, so that a mistake gets the same words on every device.
 *
 * Knows limits and sizes only. */
#ifndef ASSAY_DISPATCH_H
#define ASSAY_DISPATCH_H

#include "devices/device.h"

#include <stdatomic.h>

/* Offsets of bindings are multiples of this, which every device takes. */
#define ASSAY_BINDING_ALIGN 256

/* Is [offset, offset + bytes) inside a buffer of buffer_bytes? `act` is "write" or "read". */
enum assay_status assay_range_check(const struct assay_device *device, const char *act, uint64_t buffer_bytes,
                                    uint64_t offset_bytes, uint64_t bytes, struct assay_error *error);

/* Does a program's shape respect the device's limits? `name` is the code's, for the sentence. */
enum assay_status assay_program_check(const struct assay_device *device,
                                      const struct assay_program_params *params, const char *name,
                                      struct assay_error *error);

/* One dispatch against the limits: grid, and each of `bindings` ranges in a buffer of buffer_bytes[i]. Writes the
 * resolved size of each range to range_bytes[i]. The caller has checked that handles are its own. */
enum assay_status assay_dispatch_check(const struct assay_device *device,
                                       const struct assay_dispatch *dispatch, uint32_t bindings,
                                       const char *name, const uint64_t buffer_bytes[ASSAY_BINDINGS_MAX],
                                       uint64_t range_bytes[ASSAY_BINDINGS_MAX], struct assay_error *error);

/* Claim the handle for this call: false, with the error set, when another thread is inside (row D16) or the device is
 * lost (row D18). A true must be followed by assay_handle_leave. */
enum assay_status assay_handle_enter(const struct assay_device *device, atomic_flag *busy, const char *act,
                                     struct assay_error *error);
void assay_handle_leave(atomic_flag *busy);

#endif
