/* The verbs devices, probe and list: what there is, before anything is judged. They see the engine through the ABI. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/corpus.h"
#include "harness/engine_load.h"
#include "harness/gguf_case.h"
#include "harness/inventory.h"
#include "harness/plan.h"
#include "harness/trust.h"

static int print_json(json_t *json)
{
    char *text = json ? json_dumps(json, JSON_INDENT(2)) : NULL;
    if (text) puts(text);
    free(text);
    if (text) return verb_finish(EXIT_PASS);
    fprintf(stderr, "assay: out of memory\n");
    return EXIT_ERROR;
}

static enum assay_status open_inventory(const struct options *options, const struct adapter **adapter,
                                        struct inventory *inventory, struct assay_error *error)
{
    enum assay_status status = engine_load(options->engine, adapter, error);
    return status ? status : inventory_read(*adapter, options, inventory, error);
}

/* ---- devices ---- */

static char *memory_text(uint64_t bytes, char text[24])
{
    if (bytes >= UINT64_C(1) << 30)
        snprintf(text, 24, "%.1f GiB", (double)bytes / (1 << 30));
    else if (bytes)
        snprintf(text, 24, "%" PRIu64 " MiB", bytes >> 20);
    else
        snprintf(text, 24, "-");
    return text;
}

static const char *used_text(const struct inventory_device *device, char text[INVENTORY_WHY_MAX + 12])
{
    char why[INVENTORY_WHY_MAX];
    inventory_why_not(device, why);
    if (!*why) return device->software ? "used (software)" : "used";
    snprintf(text, INVENTORY_WHY_MAX + 12, "not used: %s", why);
    return text;
}

/* Where it stands by its record, without opening it: `assay verify --trusted` looks at arithmetic and kernels too. */
static const char *trust_text(const struct options *options, const char *engine,
                              const struct inventory_device *device, char text[600])
{
    struct trust_standing standing;
    trust_stand(options, engine, device, NULL, NULL, &standing);
    if (standing.state == TRUST_EXEMPT)
        snprintf(text, 600, "is the reference");
    else if (standing.state == TRUST_NEVER)
        snprintf(text, 600, "%s", device->software ? "earns no trust" : "");
    else if (standing.state == TRUST_YES)
        snprintf(text, 600, "trusted (%s, %.10s%s)", standing.record.key.level, standing.record.when_utc,
                 standing.stale ? ", stale" : "");
    else if (!standing.has_record && access(standing.path, F_OK) != 0)
        snprintf(text, 600, "not trusted: not verified yet");
    else
        snprintf(text, 600, "not trusted: %.500s", standing.why);
    trust_standing_free(&standing);
    return text;
}

static int width(size_t *columns, const char *text)
{
    size_t length = strlen(text);
    if (length > *columns) *columns = length;
    return (int)*columns;
}

static void print_devices(const struct options *options, const struct inventory *inventory)
{
    char trust[600];
    size_t label = 0, name = 0, driver = 0, memory = 0;
    char text[INVENTORY_WHY_MAX + 12], bytes[24];
    for (size_t i = 0; i < inventory->device_count; i++) {
        const struct inventory_device *device = &inventory->device[i];
        width(&label, device->label);
        width(&name, device->name);
        width(&driver, device->driver);
        width(&memory, memory_text(device->memory_bytes, bytes));
    }
    for (size_t i = 0; i < inventory->device_count; i++) {
        const struct inventory_device *device = &inventory->device[i];
        trust_text(options, inventory->engine, device, trust);
        printf("%2u  %-*s  %-*s  %-*s  %*s  %s%s%s\n", (unsigned)device->list_index, (int)label,
               device->label, (int)name, device->name, (int)driver, device->driver, (int)memory,
               memory_text(device->memory_bytes, bytes), used_text(device, text), *trust ? ", " : "", trust);
    }
    if (inventory->device_count == 0) printf("no devices\n");
    size_t i;
    json_t *note;
    json_array_foreach(json_object_get(inventory->root, "notes"), i, note)
    {
        const char *note_text = json_string_value(note);
        if (!note_text) note_text = json_string_value(json_object_get(note, "text"));
        if (note_text && *note_text) printf("note: %s\n", note_text);
    }
}

static void add_trust(const struct options *options, const struct inventory *inventory)
{
    for (size_t i = 0; i < inventory->device_count; i++) {
        struct trust_standing standing;
        trust_stand(options, inventory->engine, &inventory->device[i], NULL, NULL, &standing);
        json_object_set_new(inventory->device[i].json, "trust",
                            json_pack("{s:s, s:s, s:b}", "state", trust_state_name(standing.state), "why",
                                      standing.why, "stale", standing.stale));
        trust_standing_free(&standing);
    }
}

int verb_devices(const struct options *options)
{
    struct assay_error error = {0};
    const struct adapter *adapter;
    struct inventory inventory = {0};
    if (open_inventory(options, &adapter, &inventory, &error)) return verb_fail(&error);
    int code;
    if (options->json) {
        add_trust(options, &inventory);
        code = print_json(inventory.root);
    } else {
        print_devices(options, &inventory);
        code = verb_finish(EXIT_PASS);
    }
    inventory_free(&inventory);
    return code;
}

/* ---- probe ---- */

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

static void print_probe(const struct inventory_device *device, const json_t *probe)
{
    printf("%s  %s  %s\n", device->label, device->name, device->driver);
    if (*text_of(probe, "variant")) printf("  fused multiply-add: %s", text_of(probe, "variant"));
    if (*text_of(probe, "variant") && *text_of(probe, "why")) printf(" (%s)", text_of(probe, "why"));
    if (*text_of(probe, "variant")) putchar('\n');
    if (*text_of(probe, "controls")) printf("  float controls: %s\n", text_of(probe, "controls"));
    if (*text_of(probe, "missing")) printf("  missing for exact mode: %s\n", text_of(probe, "missing"));
    size_t i;
    json_t *row;
    const json_t *traits = json_object_get(probe, "traits");
    if (json_is_object(traits)) traits = json_object_get(traits, "traits");
    if (json_array_size(traits))
        printf("  %-20s %-12s %-8s %9s %9s %9s\n", "trait", "controls", "operands", "tested", "wrong",
               "subnormal");
    json_array_foreach(traits, i, row)
    {
        const json_t *literal = json_object_get(row, "literal");
        printf("  %-20s %-12s %-8s %9" PRId64 " %9" PRId64 " %9" PRId64 "\n", text_of(row, "name"),
               *text_of(row, "controls") ? text_of(row, "controls") : "-",
               json_is_true(literal) || json_integer_value(literal) ? "literal" : "loaded",
               (int64_t)json_integer_value(json_object_get(row, "tested")),
               (int64_t)json_integer_value(json_object_get(row, "wrong")),
               (int64_t)json_integer_value(json_object_get(row, "wrong_subnormal")));
    }
    json_array_foreach(json_object_get(probe, "kernels"), i, row)
    {
        bool present = !json_is_false(json_object_get(row, "present"));
        printf("  kernel %-40s %s%s%s\n", text_of(row, "name"), present ? "present" : "absent",
               *text_of(row, "why") ? ": " : "", text_of(row, "why"));
    }
}

/* Open a device and add its probe to `answers`. */
static enum assay_status probe_device(const struct adapter *adapter, const struct options *options,
                                      const struct inventory_device *device, json_t *answers,
                                      struct assay_error *error)
{
    struct adapter_options adapter_options;
    void *session = NULL;
    char *text = NULL;
    json_error_t where;
    options_adapter(options, &adapter_options);
    enum assay_status status = adapter->open(&adapter_options, device->label, &session, error);
    if (status) return status;
    if (adapter->lock) status = adapter->lock(session, UINT64_C(60) * 1000000000, error);
    if (!status) status = adapter->probe(session, &text, error);
    if (!status && adapter->unlock) adapter->unlock(session);
    json_t *probe = !status && text ? json_loads(text, 0, &where) : NULL;
    if (!status && !probe)
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "the engine's probe() of %s is no JSON: %s",
                                 device->label, text ? where.text : "nothing came");
    if (text) adapter->release(text);
    adapter->close(session);
    if (!status && !options->json) print_probe(device, probe);
    if (!status && json_object_set(answers, device->label, probe))
        status =
            assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the probe of %s", device->label);
    json_decref(probe);
    return status;
}

int verb_probe(const struct options *options)
{
    struct assay_error error = {0};
    const struct adapter *adapter;
    struct inventory inventory = {0};
    json_t *answers = json_object();
    size_t chosen[OPTIONS_LIST_MAX], count = 0;
    int code = EXIT_PASS;
    if (open_inventory(options, &adapter, &inventory, &error) ||
        inventory_select(&inventory, options, chosen, OPTIONS_LIST_MAX, &count, &error)) {
        code = verb_fail(&error);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        const struct inventory_device *device = &inventory.device[chosen[i]];
        if (i && !options->json) putchar('\n');
        if (probe_device(adapter, options, device, answers, &error)) {
            int failed = verb_fail(&error);
            code = code == EXIT_PASS || failed == EXIT_ERROR ? failed : code;
        }
    }
    if (options->json) {
        int printed = print_json(answers);
        code = printed ? printed : code;
    } else {
        code = verb_finish(code);
    }
out:
    json_decref(answers);
    inventory_free(&inventory);
    return code;
}

/* ---- list ---- */

static json_t *entry_json(const struct corpus_entry *entry)
{
    char source[300];
    snprintf(source, sizeof source, "%s:%d", entry->file, entry->file_line);
    return json_pack("{s:s, s:s, s:s?, s:s, s:f}", "case", entry->line, "level", level_name(entry->level),
                     "why", entry->why, "source", source, "flops", plan_flops(entry));
}

static int list_cases(const struct options *options)
{
    struct assay_error error = {0};
    struct corpus corpus = {0};
    int code;
    struct gguf gguf = {0};
    if (options->gguf ? gguf_case_open(options->gguf, options->gguf_hash, &gguf, &error) ||
                            gguf_case_add(&gguf, options->level, &corpus, &error)
                      : ASSAY_OK) {
        code = verb_fail(&error);
    } else if (((options->corpus || !options->gguf) && corpus_load(&corpus, options->corpus, &error)) ||
               corpus_select(&corpus, options->arg, options->arg_count, options->level, &error)) {
        code = verb_fail(&error);
    } else if (options->json) {
        json_t *list = json_array();
        for (size_t i = 0; i < corpus.count; i++) json_array_append_new(list, entry_json(&corpus.entry[i]));
        code = print_json(list);
        json_decref(list);
    } else {
        const char *why = NULL;
        for (size_t i = 0; i < corpus.count; i++) {
            const struct corpus_entry *entry = &corpus.entry[i];
            if (!why || strcmp(why, entry->why) != 0) printf("# %s\n", entry->why);
            why = entry->why;
            printf("%-8s  %s\n", level_name(entry->level), entry->line);
        }
        code = verb_finish(EXIT_PASS);
        if (code == EXIT_PASS && !options->quiet) fprintf(stderr, "%zu cases\n", corpus.count);
    }
    corpus_free(&corpus);
    gguf_close(&gguf);
    return code;
}

static int list_kernels(const struct options *options)
{
    struct assay_error error = {0};
    const struct adapter *adapter;
    struct inventory inventory = {0};
    if (open_inventory(options, &adapter, &inventory, &error)) return verb_fail(&error);
    json_t *list = json_array();
    if (!options->json)
        printf("%-12s %-8s %-16s %-6s %-6s %s\n", "operator", "backend", "technique", "mode", "dtype",
               "kernel");
    for (size_t i = 0; i < inventory.kernel_count; i++) {
        const struct inventory_kernel *row = &inventory.kernel[i];
        if (options->kernel && !case_match(options->kernel, row->name)) continue;
        if (options->json)
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "op", row->op, "backend",
                                                  row->backend, "technique", row->technique, "mode",
                                                  row->mode, "dtype", row->dtype, "name", row->name));
        else
            printf("%-12s %-8s %-16s %-6s %-6s %s\n", row->op, row->backend, row->technique, row->mode,
                   row->dtype, row->name);
    }
    int code = options->json ? print_json(list) : verb_finish(EXIT_PASS);
    json_decref(list);
    inventory_free(&inventory);
    return code;
}

int verb_list(const struct options *options)
{
    return options->ops ? list_kernels(options) : list_cases(options);
}
