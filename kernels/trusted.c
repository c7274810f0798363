/* require_trust: a device's trust record against the device as it is now, before it is opened and once it is open.
 *
 * Knows records and rows; which check they passed is the program's business. */
#include "kernels/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_reference(const struct assay_device_info *info)
{
    return strcmp(info->backend, "cpu") == 0;
}

static enum assay_status refuse(const struct assay_device_info *info, const char *why,
                                struct assay_error *error)
{
    char label[24];
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "device %s %.80s is not trusted: %.350s",
                           assay_device_label(info, label), info->name, why);
}

/* uuid holds 37 bytes and lives as long as the key. */
static struct assay_trust_key key_of(const struct assay_device_info *info, char uuid[37])
{
    return (struct assay_trust_key){.uuid = info->has_uuid ? assay_uuid_text(info->uuid, uuid) : "",
                                    .partition = info->partition,
                                    .vbios = info->vbios,
                                    .engine = "assay",
                                    .backend = info->backend,
                                    .driver = info->driver};
}

enum assay_status engine_trust_check(const struct assay_open_params *params,
                                     const struct assay_device_info *info, struct assay_trust_record *record,
                                     struct assay_error *error)
{
    char uuid[37], path[4096], why[256];
    struct assay_error reason = {0};
    *record = (struct assay_trust_record){0};
    if (is_reference(info)) return ASSAY_OK;
    if (info->software) return refuse(info, "software renderers are never trusted", error);
    const struct assay_trust_key now = key_of(info, uuid);
    enum assay_status status = assay_trust_path(params->trust_dir, &now, path, sizeof path, &reason);
    if (status == ASSAY_OK) status = assay_trust_read(path, record, &reason);
    if (status != ASSAY_OK) return refuse(info, reason.text, error);
    if (assay_trust_holds(record, &now, why)) return ASSAY_OK;
    assay_trust_free(record);
    return refuse(info, why, error);
}

enum assay_status engine_trust_apply(struct assay_engine *engine, const struct assay_trust_record *record,
                                     struct assay_error *error)
{
    const struct assay_device_info *info = &engine->device->info;
    char uuid[37], why[256];
    enum assay_status status = ASSAY_OK;
    if (is_reference(info)) return ASSAY_OK;
    struct assay_trust_key now = key_of(info, uuid);
    struct {
        char name[64], code[17];
    } *text = calloc(engine->row_count + 1, sizeof *text);
    struct assay_trust_kernel *kernel = calloc(engine->row_count + 1, sizeof *kernel);
    if (!text || !kernel)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for %zu kernel rows",
                                 engine->row_count);
    for (size_t i = 0; i < engine->row_count && status == ASSAY_OK; i++) {
        struct engine_row *row = &engine->rows[i];
        uint64_t code = 0;
        status = engine_row_code(engine, row, &code, error);
        if (status != ASSAY_OK || !code) continue;
        assay_kernel_name(row->kernel, text[now.kernel_count].name);
        snprintf(text[now.kernel_count].code, sizeof text->code, "%016" PRIx64, code);
        if (!assay_trust_code(&record->key, text[now.kernel_count].name)) {
            row->present = false;
            snprintf(row->why, sizeof row->why, "it was not judged when the device was verified");
            continue;
        }
        kernel[now.kernel_count] =
            (struct assay_trust_kernel){text[now.kernel_count].name, text[now.kernel_count].code};
        now.kernel_count++;
    }
    now.kernel = kernel;
    now.variant = assay_variant_name(engine->variant);
    if (status == ASSAY_OK && !assay_trust_holds(record, &now, why)) status = refuse(info, why, error);
    free(kernel);
    free(text);
    return status;
}
