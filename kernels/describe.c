/* An engine in JSON: device, measured traits, chosen arithmetic and the kernel rows of its backend.
 *
 * Plans, for the hash of each row's code; runs nothing. */
#include "kernels/engine.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *kernel_json(struct assay_engine *engine, const struct engine_row *row)
{
    uint64_t code = 0;
    const struct assay_kernel *kernel = row->kernel;
    char name[64], hash[17];
    json_t *variants = json_array();
    for (int v = 0; v < ASSAY_VARIANT_COUNT; v++)
        if (kernel->variants >> v & 1) json_array_append_new(variants, json_string(assay_variant_name(v)));
    json_t *out =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:b, s:b, s:s}", "name",
                  assay_kernel_name(kernel, name), "op", kernel->op, "family", kernel->family, "backend",
                  kernel->backend, "technique", kernel->technique, "mode", assay_mode_name(kernel->mode),
                  "dtype", assay_dtype_name(kernel->dtype), "order", kernel->order ? kernel->order : "",
                  "variants", variants, "present", row->present, "refused", row->refused, "why", row->why);
    if (out && row->hash) {
        snprintf(hash, sizeof hash, "%016" PRIx64, row->hash);
        json_object_set_new(out, "hash", json_string(hash));
    }
    if (out && engine_row_code(engine, row, &code, NULL) == ASSAY_OK && code) {
        snprintf(hash, sizeof hash, "%016" PRIx64, code);
        json_object_set_new(out, "code", json_string(hash));
    }
    return out;
}

/* `text` parsed and freed; null when it is no JSON. */
static json_t *take_json(char *text)
{
    json_t *parsed = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return parsed ? parsed : json_null();
}

char *assay_engine_json(struct assay_engine *engine)
{
    const struct assay_device_info *info = &engine->device->info;
    char label[24], key[384], controls[32];
    json_t *kernels = json_array();
    for (size_t i = 0; i < engine->row_count; i++)
        json_array_append_new(kernels, kernel_json(engine, &engine->rows[i]));
    json_t *traits = take_json(assay_traits_json(info, &engine->traits));
    /* The traits' own document holds the list and the conclusions from it. */
    json_t *list = json_incref(json_object_get(traits, "traits"));
    json_object_del(traits, "traits");
    json_t *out =
        json_pack("{s:s, s:s, s:{s:s, s:s, s:s, s:s, s:s, s:b}, s:s, s:b, s:s, s:s, s:o, s:o, s:o}", "engine",
                  "assay", "version", ASSAY_VERSION, "device", "label", assay_device_label(info, label),
                  "backend", info->backend, "name", info->name, "driver", info->driver, "key",
                  assay_device_key(info, key), "software", info->software, "variant",
                  assay_variant_name(engine->variant), "forced", engine->variant_forced, "why", engine->why,
                  "controls", assay_controls_text(engine->controls, controls), "traits",
                  list ? list : json_array(), "measured", traits, "kernels", kernels);
    char *text = out ? json_dumps(out, JSON_COMPACT) : NULL;
    json_decref(out);
    return text;
}
