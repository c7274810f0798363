/* The verb passport, and `verify --trusted`. See passport.h. Nothing is judged here: a device is opened, since its
 * arithmetic and the code of its kernels are part of what a record is bound to. */
#include "harness/passport.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/engine_load.h"
#include "harness/session.h"
#include "harness/trust.h"

static enum assay_status choose(const struct options *options, struct inventory *inventory, size_t *chosen,
                                size_t *count, struct assay_error *error)
{
    const struct adapter *adapter;
    enum assay_status status = engine_load(options->engine, &adapter, error);
    if (status == ASSAY_OK) status = inventory_read(adapter, options, inventory, error);
    if (status == ASSAY_OK)
        status = inventory_select(inventory, options, chosen, OPTIONS_LIST_MAX, count, error);
    return status;
}

/* Open the device and see where it stands. A device that cannot be opened is not trusted, whatever its record says. */
static enum assay_status examine(const struct options *options, const char *engine,
                                 const struct inventory_device *device, const char *level,
                                 struct session *session, struct trust_standing *standing,
                                 struct assay_error *error)
{
    *session = (struct session){0};
    trust_stand(options, engine, device, NULL, level, standing);
    if (standing->state == TRUST_NEVER) return ASSAY_OK;
    enum assay_status status = session_open(options, device, session, error);
    if (status != ASSAY_OK || standing->state != TRUST_YES) return status;
    trust_standing_free(standing);
    trust_stand(options, engine, device, session->opened ? session->probe_json : NULL, level, standing);
    if (session->opened) return ASSAY_OK;
    standing->state = TRUST_NO;
    snprintf(standing->why, sizeof standing->why, "it cannot be opened: %.480s", session->why);
    return ASSAY_OK;
}

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *field)
{
    return json_integer_value(json_object_get(object, field));
}

/* ---- verify --trusted ---- */

static void print_answer(const struct inventory_device *device, const struct trust_standing *standing)
{
    printf("%s %s: %s", device->label, device->name, trust_state_name(standing->state));
    if (standing->state == TRUST_YES)
        printf(" — verified at level %s, %s", standing->record.key.level, standing->record.when_utc);
    else
        printf(" — %s", standing->why);
    if (standing->stale) printf("; stale: %s", standing->stale_why);
    putchar('\n');
}

static json_t *answer_json(const struct inventory_device *device, const struct trust_standing *standing)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:b, s:s, s:s}", "label", device->label, "name",
                     device->name, "uuid", device->uuid, "state", trust_state_name(standing->state),
                     "trusted", standing->state == TRUST_YES || standing->state == TRUST_EXEMPT, "why",
                     standing->why, "stale", standing->stale, "stale_why", standing->stale_why, "path",
                     standing->path);
}

static int print_json(json_t *json, int code)
{
    char *text = json ? json_dumps(json, JSON_INDENT(2)) : NULL;
    if (text) puts(text);
    free(text);
    json_decref(json);
    return text ? verb_finish(code) : EXIT_ERROR;
}

int passport_trusted(const struct options *options)
{
    struct options one = *options;
    struct assay_error error = {0};
    struct inventory inventory = {0};
    struct session session = {0};
    struct trust_standing standing = {0};
    size_t chosen[OPTIONS_LIST_MAX], count = 0;
    int code;
    one.device[0] = options->trusted;
    one.device_count = 1;
    one.all = false;
    if (choose(&one, &inventory, chosen, &count, &error) != ASSAY_OK) {
        code = verb_fail(&error);
        goto out;
    }
    if (count != 1) {
        assay_error_set(&error, ASSAY_INVALID_INPUT, "--trusted asks about one device, '%.60s' names %zu",
                        options->trusted, count);
        code = verb_fail(&error);
        goto out;
    }
    const struct inventory_device *device = &inventory.device[chosen[0]];
    if (examine(options, inventory.engine, device, level_name(options->level), &session, &standing, &error)) {
        code = verb_fail(&error);
        goto out;
    }
    code = standing.state == TRUST_YES || standing.state == TRUST_EXEMPT ? EXIT_PASS : EXIT_FAILED;
    if (options->json) {
        code = print_json(answer_json(device, &standing), code);
    } else {
        print_answer(device, &standing);
        code = verb_finish(code);
    }
out:
    session_close(&session);
    trust_standing_free(&standing);
    inventory_free(&inventory);
    return code;
}

/* ---- passport ---- */

static void print_identity(const struct inventory_device *device)
{
    printf("%s  %s\n  uuid       %s%s%s\n  card       %s%s%s\n  driver     %s\n", device->label, device->name,
           *device->uuid ? device->uuid : "-", *device->partition ? ", a part of a card: " : "",
           device->partition, *device->pci ? device->pci : "-",
           *device->vbios ? ", firmware " : ", firmware unknown", device->vbios, device->driver);
}

static void print_arithmetic(const struct session *session)
{
    json_t *probe = session->probe_json ? json_loads(session->probe_json, 0, NULL) : NULL, *row;
    json_int_t tested = 0, wrong = 0;
    size_t at;
    if (!probe) {
        printf("  arithmetic not measured: %s\n", *session->why ? session->why : "the device was not opened");
        return;
    }
    json_array_foreach(json_object_get(probe, "traits"), at, row)
    {
        tested += number_of(row, "tested");
        wrong += number_of(row, "wrong");
    }
    printf("  arithmetic fused multiply-add %s (%s); of %" JSON_INTEGER_FORMAT
           " probed results %" JSON_INTEGER_FORMAT " differ from IEEE 754 under some setting\n",
           session->variant, session->variant_why, tested, wrong);
    json_decref(probe);
}

static void print_judged(const struct trust_standing *standing)
{
    const json_t *document = standing->record.document, *judged = json_object_get(document, "judged");
    const struct assay_trust_record *record = &standing->record;
    json_t *group;
    size_t at;
    printf("  record     %s\n  when       %s, by %s\n", standing->path, record->when_utc, record->program);
    if (!record->trusted) return;
    printf("  level      %s, corpus %s %s; oracles %s\n", record->key.level, record->corpus,
           record->corpus_hash, record->key.oracles);
    printf("  judged     %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT
           " cases passed, %" JSON_INTEGER_FORMAT " not judged, %" JSON_INTEGER_FORMAT
           " above the level's cap; %" JSON_INTEGER_FORMAT " elements\n",
           number_of(judged, "passed"), number_of(judged, "planned"), number_of(judged, "not_judged"),
           number_of(judged, "capped"), number_of(judged, "elems"));
    json_array_foreach(json_object_get(judged, "groups"), at, group) printf(
        "             %-12s %-6s %-10s %6" JSON_INTEGER_FORMAT " cases %12" JSON_INTEGER_FORMAT " elements\n",
        text_of(group, "op"), text_of(group, "dtype"), text_of(group, "fill"), number_of(group, "cases"),
        number_of(group, "elems"));
    for (size_t i = 0; i < record->key.kernel_count; i++)
        printf("  kernel     %-40s %s  %" JSON_INTEGER_FORMAT " cases\n", record->key.kernel[i].name,
               record->key.kernel[i].code,
               number_of(json_object_get(judged, "kernels"), record->key.kernel[i].name));
}

/* Kernels that the device has and the record does not: libassay leaves them out when trust is required. */
static void print_uncovered(const struct session *session, const struct trust_standing *standing)
{
    json_t *probe = session->probe_json ? json_loads(session->probe_json, 0, NULL) : NULL, *row;
    size_t at;
    json_array_foreach(json_object_get(probe, "kernels"), at, row)
    {
        const char *name = text_of(row, "name");
        if (*text_of(row, "code") && !assay_trust_code(&standing->record.key, name))
            printf("  kernel     %-40s not covered by the record\n", name);
    }
    json_decref(probe);
}

static void print_passport(const struct inventory_device *device, const struct session *session,
                           const struct trust_standing *standing)
{
    print_identity(device);
    if (standing->state != TRUST_NEVER) print_arithmetic(session);
    if (standing->has_record) print_judged(standing);
    if (standing->state == TRUST_YES) print_uncovered(session, standing);
    printf("  trust      %s%s%s\n", trust_state_name(standing->state), *standing->why ? ": " : "",
           standing->why);
    if (standing->stale) printf("  stale      %s\n", standing->stale_why);
}

static json_t *passport_json(const struct inventory_device *device, const struct session *session,
                             const struct trust_standing *standing)
{
    json_t *json = answer_json(device, standing);
    json_object_set(json, "device", device->json);
    json_t *probe = session->probe_json ? json_loads(session->probe_json, 0, NULL) : NULL;
    json_object_set_new(json, "probe", probe ? probe : json_null());
    json_object_set_new(json, "record",
                        standing->has_record ? json_incref(standing->record.document) : json_null());
    return json;
}

int verb_passport(const struct options *options)
{
    struct assay_error error = {0};
    struct inventory inventory = {0};
    size_t chosen[OPTIONS_LIST_MAX], count = 0;
    json_t *answers = json_array();
    int code = EXIT_PASS;
    if (choose(options, &inventory, chosen, &count, &error) != ASSAY_OK) code = verb_fail(&error);
    for (size_t i = 0; i < count && code == EXIT_PASS; i++) {
        const struct inventory_device *device = &inventory.device[chosen[i]];
        struct session session;
        struct trust_standing standing;
        if (examine(options, inventory.engine, device, NULL, &session, &standing, &error) != ASSAY_OK) {
            code = verb_fail(&error);
        } else if (options->json) {
            json_array_append_new(answers, passport_json(device, &session, &standing));
        } else {
            if (i) putchar('\n');
            print_passport(device, &session, &standing);
        }
        session_close(&session);
        trust_standing_free(&standing);
    }
    if (code == EXIT_PASS && options->json)
        code = print_json(json_incref(answers), code);
    else
        code = verb_finish(code);
    json_decref(answers);
    inventory_free(&inventory);
    return code;
}
