/* See dispatch.h. Pure functions of limits and sizes; no driver. */
#include "devices/dispatch.h"

#include <inttypes.h>

enum assay_status assay_range_check(const struct assay_device *device, const char *act, uint64_t buffer_bytes,
                                    uint64_t offset_bytes, uint64_t bytes, struct assay_error *error)
{
    char label[24];
    if (offset_bytes <= buffer_bytes && bytes <= buffer_bytes - offset_bytes) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INVALID_INPUT,
                           "%s: %s of %" PRIu64 " bytes at %" PRIu64
                           " runs past the end of a buffer of %" PRIu64 " bytes",
                           assay_device_label(&device->info, label), act, bytes, offset_bytes, buffer_bytes);
}

enum assay_status assay_program_check(const struct assay_device *device,
                                      const struct assay_program_params *params, const char *name,
                                      struct assay_error *error)
{
    const struct assay_limits *limits = &device->info.limits;
    uint64_t invocations = (uint64_t)params->group[0] * params->group[1];
    const struct {
        const char *what;
        uint64_t value, limit;
        enum assay_status status;
    } rules[] = {
        {"storage buffers", params->bindings, ASSAY_BINDINGS_MAX, ASSAY_INVALID_INPUT},
        {"specialisation constants", params->spec_count, ASSAY_SPEC_MAX, ASSAY_INVALID_INPUT},
        {"push-constant bytes", params->push_bytes, ASSAY_PUSH_MAX, ASSAY_INVALID_INPUT},
        {"push-constant bytes", params->push_bytes, limits->push_bytes, ASSAY_UNSUPPORTED},
        {"invocations a group in x and y", invocations, limits->group_invocations, ASSAY_UNSUPPORTED},
        {"invocations a group", invocations <= UINT32_MAX ? invocations * params->group[2] : UINT64_MAX,
         limits->group_invocations, ASSAY_UNSUPPORTED},
    };
    char label[24];
    assay_device_label(&device->info, label);
    if (!params->group[0] || !params->group[1] || !params->group[2])
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: program %s has a group of %" PRIu32 " x %" PRIu32 " x %" PRIu32, label,
                               name, params->group[0], params->group[1], params->group[2]);
    if (params->push_bytes % 4)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: program %s has %" PRIu32 " push-constant bytes, not a multiple of 4",
                               label, name, params->push_bytes);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].value > rules[i].limit)
            return assay_error_set(error, rules[i].status,
                                   "%s: program %s wants %" PRIu64 " %s, the limit is %" PRIu64, label, name,
                                   rules[i].value, rules[i].what, rules[i].limit);
    return ASSAY_OK;
}

enum assay_status assay_dispatch_check(const struct assay_device *device,
                                       const struct assay_dispatch *dispatch, uint32_t bindings,
                                       const char *name, const uint64_t buffer_bytes[ASSAY_BINDINGS_MAX],
                                       uint64_t range_bytes[ASSAY_BINDINGS_MAX], struct assay_error *error)
{
    const struct assay_limits *limits = &device->info.limits;
    char label[24];
    assay_device_label(&device->info, label);
    for (int d = 0; d < 3; d++)
        if (dispatch->groups[d] > limits->groups[d])
            return assay_error_set(error, ASSAY_UNSUPPORTED,
                                   "%s: %s wants %" PRIu32 " groups in %c, the limit is %" PRIu32, label,
                                   name, dispatch->groups[d], "xyz"[d], limits -> groups[d]);
    for (uint32_t i = 0; i < bindings; i++) {
        const struct assay_binding *b = &dispatch->binding[i];
        if (b->offset_bytes % ASSAY_BINDING_ALIGN)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: binding %" PRIu32 " of %s starts at byte %" PRIu64
                                   ", not a multiple of %d",
                                   label, i, name, b->offset_bytes, ASSAY_BINDING_ALIGN);
        if (b->offset_bytes >= buffer_bytes[i] || b->bytes > buffer_bytes[i] - b->offset_bytes)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: binding %" PRIu32 " of %s (%" PRIu64 " bytes at %" PRIu64
                                   ") runs past the end of a buffer of %" PRIu64 " bytes",
                                   label, i, name, b->bytes, b->offset_bytes, buffer_bytes[i]);
        range_bytes[i] = b->bytes ? b->bytes : buffer_bytes[i] - b->offset_bytes;
        if (range_bytes[i] > limits->binding_bytes)
            return assay_error_set(error, ASSAY_UNSUPPORTED,
                                   "%s: binding %" PRIu32 " of %s has %" PRIu64
                                   " bytes, the storage-binding limit is %" PRIu64,
                                   label, i, name, range_bytes[i], limits->binding_bytes);
    }
    return ASSAY_OK;
}

enum assay_status assay_handle_enter(const struct assay_device *device, atomic_flag *busy, const char *act,
                                     struct assay_error *error)
{
    char label[24];
    if (atomic_flag_test_and_set_explicit(busy, memory_order_acquire))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s while another thread drives this handle",
                               assay_device_label(&device->info, label), act);
    if (device->lost) {
        assay_handle_leave(busy);
        return assay_error_set(error, ASSAY_DEVICE_LOST, "%s: %s after the device was lost; open it anew",
                               assay_device_label(&device->info, label), act);
    }
    return ASSAY_OK;
}

void assay_handle_leave(atomic_flag *busy)
{
    atomic_flag_clear_explicit(busy, memory_order_release);
}
