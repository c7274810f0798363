/* Rented GPUs as device records, from a file or through curl. See device.h. No socket is opened here: fetching is the
 * program curl's work, and only for an address. */
#include "devices/device.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIST_BYTES_MAX (4u << 20)

extern char **environ;

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

/* A count that may come as a number or as text; 1 where there is none. */
static uint32_t quantity_of(const json_t *accelerator)
{
    const json_t *value = json_object_get(accelerator, "quantity");
    long long count = json_is_integer(value)  ? json_integer_value(value)
                      : json_is_string(value) ? strtoll(json_string_value(value), NULL, 10)
                                              : 1;
    return count > 0 && count <= 4096 ? (uint32_t)count : 1;
}

/* "1128 GB" -> 1,128,000,000,000; 0 when it cannot be read. */
static uint64_t bytes_of(const char *text)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};
    char *unit;
    double number = strtod(text, &unit);
    if (unit == text || !(number > 0) || number > 1e9) return 0;
    while (*unit == ' ') unit++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcasecmp(unit, units[i].unit) == 0) return (uint64_t)llround(number * units[i].bytes);
    return 0;
}

/* Dollars an hour, to the cent; 0 when the price is not by the minute. */
static double price_of(const json_t *flavour)
{
    const json_t *cost = json_object_get(flavour, "unitCostUSD");
    double dollars = json_is_string(cost) ? strtod(json_string_value(cost), NULL) : json_number_value(cost);
    if (strcmp(text_of(flavour, "unitLabel"), "minute") != 0 || !(dollars > 0)) return 0;
    return round(dollars * 60 * 100) / 100;
}

static uint32_t vendor_of(const char *manufacturer)
{
    static const struct {
        const char *name;
        uint32_t id;
    } vendors[] = {{"nvidia", 0x10de}, {"amd", 0x1002}, {"intel", 0x8086}};
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (strcasecmp(manufacturer, vendors[i].name) == 0) return vendors[i].id;
    return 0;
}

static void add_flavour(const json_t *flavour, const json_t *accelerator, struct assay_device_list *list)
{
    struct assay_device_info *info = &list->device[list->count];
    const char *maker = text_of(accelerator, "manufacturer"), *model = text_of(accelerator, "model");
    uint32_t index = 0;
    for (size_t i = 0; i < list->count; i++) index += strcmp(list->device[i].backend, "rented") == 0;
    *info = (struct assay_device_info){.backend = "rented",
                                       .index = index,
                                       .list_index = (uint32_t)list->count,
                                       .vendor_id = vendor_of(maker),
                                       .kind = ASSAY_KIND_REMOTE,
                                       .count = quantity_of(accelerator),
                                       .device_local_bytes = bytes_of(text_of(accelerator, "vram")),
                                       .usd_per_hour = price_of(flavour)};
    snprintf(info->name, sizeof info->name, "%.80s (%u x %.60s%s%.60s)", text_of(flavour, "name"),
             info->count, maker, *maker ? " " : "", model);
    snprintf(info->why, sizeof info->why, "rented hardware: listed only, never used");
    list->count++;
}

enum assay_status assay_rented_parse(const char *text, const char *name, struct assay_device_list *list,
                                     struct assay_error *error)
{
    json_error_t where;
    size_t i;
    json_t *flavour, *root = json_loads(text, 0, &where);
    enum assay_status status = ASSAY_OK;
    if (!root)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "the list of rented GPUs %.200s is no JSON: line %d: %.120s", name, where.line,
                               where.text);
    if (!json_is_array(root))
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "the list of rented GPUs %.200s is no JSON array", name);
    json_array_foreach(root, i, flavour)
    {
        const json_t *accelerator = json_object_get(flavour, "accelerator");
        const char *type = text_of(accelerator, "type");
        if (!json_is_object(accelerator) || (*type && strcasecmp(type, "gpu") != 0)) continue;
        if (list->count == ASSAY_DEVICES_MAX) {
            status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                     "the list of rented GPUs %.200s is too long: %d devices are listed at "
                                     "most",
                                     name, ASSAY_DEVICES_MAX);
            break;
        }
        add_flavour(flavour, accelerator, list);
    }
    json_decref(root);
    return status;
}

/* ---- reading ---- */

/* All of a stream, malloc'ed and ended by NUL; NULL with errno set. */
static char *read_all(FILE *file)
{
    char *text = malloc(LIST_BYTES_MAX + 1);
    if (!text) return NULL;
    size_t used = fread(text, 1, LIST_BYTES_MAX + 1, file);
    if (ferror(file) || used > LIST_BYTES_MAX) {
        if (!ferror(file)) errno = EFBIG;
        free(text);
        return NULL;
    }
    text[used] = '\0';
    return text;
}

static enum assay_status read_file(const char *path, char **text, struct assay_error *error)
{
    FILE *file = fopen(path, "re");
    *text = file ? read_all(file) : NULL;
    int code = errno;
    if (file) fclose(file);
    if (*text) return ASSAY_OK;
    return assay_error_set(error, ASSAY_IO, "cannot read the list of rented GPUs %.300s: %s", path,
                           strerror(code));
}

static enum assay_status fetch(const char *address, char **text, struct assay_error *error)
{
    char *const argv[] = {"curl",       "--fail", "--silent", "--location",    "--proto", "=http,https",
                          "--max-time", "30",     "--",       (char *)address, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2], how = 0;
    pid_t child = -1;
    *text = NULL;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return assay_error_set(error, ASSAY_IO, "no pipe for curl: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    int code = posix_spawnp(&child, "curl", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *file = fdopen(ends[0], "r");
    if (code == 0 && file) *text = read_all(file);
    if (file)
        fclose(file); /* a curl that still writes ends by SIGPIPE */
    else
        close(ends[0]);
    if (code != 0)
        return assay_error_set(error, ASSAY_IO, "the program curl cannot be started: %s", strerror(code));
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    if (*text && WIFEXITED(how) && WEXITSTATUS(how) == 0) return ASSAY_OK;
    free(*text);
    *text = NULL;
    return assay_error_set(error, ASSAY_IO, "curl could not fetch %.300s (exit %d)", address,
                           WIFEXITED(how) ? WEXITSTATUS(how) : -1);
}

enum assay_status assay_rented_read(const char *source, struct assay_device_list *list,
                                    struct assay_error *error)
{
    char *text = NULL;
    bool address = strncasecmp(source, "https://", 8) == 0 || strncasecmp(source, "http://", 7) == 0;
    enum assay_status status = address ? fetch(source, &text, error) : read_file(source, &text, error);
    if (status == ASSAY_OK) status = assay_rented_parse(text, source, list, error);
    free(text);
    return status;
}
