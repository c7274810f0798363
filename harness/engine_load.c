/* Loading an engine; see engine_load.h. */
#include "harness/engine_load.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Every slot must be there: the harness calls them without looking. */
static const struct slot {
    const char *name;
    size_t offset;
} slot_table[] = {
    {"engine", offsetof(struct adapter, engine)},     {"version", offsetof(struct adapter, version)},
    {"describe", offsetof(struct adapter, describe)}, {"open", offsetof(struct adapter, open)},
    {"probe", offsetof(struct adapter, probe)},       {"supports", offsetof(struct adapter, supports)},
    {"run", offsetof(struct adapter, run)},           {"release", offsetof(struct adapter, release)},
    {"close", offsetof(struct adapter, close)},
};

static enum assay_status check(const char *path, const struct adapter *adapter, struct assay_error *error)
{
    if (!adapter)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "engine %.300s: assay_adapter() returned nothing",
                               path);
    if (adapter->abi < ASSAY_ADAPTER_ABI_LEAST || adapter->abi > ASSAY_ADAPTER_ABI)
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "engine %.300s has adapter ABI %u, this program speaks %u to %u: build it against this "
            "program's harness/adapter.h",
            path, (unsigned)adapter->abi, ASSAY_ADAPTER_ABI_LEAST, ASSAY_ADAPTER_ABI);
    for (size_t i = 0; i < sizeof slot_table / sizeof *slot_table; i++) {
        const void *slot;
        memcpy(&slot, (const char *)adapter + slot_table[i].offset, sizeof slot);
        if (!slot)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "engine %.300s leaves '%s' empty in its table",
                                   path, slot_table[i].name);
    }
    return ASSAY_OK;
}

enum assay_status engine_load(const char *path, const struct adapter **adapter, struct assay_error *error)
{
    *adapter = NULL;
    if (!path) {
        *adapter = &adapter_assay;
        return ASSAY_OK;
    }
    /* A bare name is a file of this folder, not a library that the loader searches for. */
    char local[4096];
    int length = snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./", path);
    if (length < 0 || (size_t)length >= sizeof local)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "engine: the path has more than 4095 bytes");
    void *object = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "engine cannot be loaded: %.440s", dlerror());
    void *symbol = dlsym(object, "assay_adapter");
    enum assay_status status;
    if (!symbol) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "engine %.300s exports no assay_adapter(): it is no engine for this program",
                                 path);
    } else {
        assay_adapter_fn get;
        memcpy(&get, &symbol, sizeof get);
        const struct adapter *table = get();
        status = check(path, table, error);
        if (!status) *adapter = table;
    }
    if (status) dlclose(object);
    return status;
}
