/* What a device can do at most: copy bandwidth, rate of fused multiply-adds, what a launch costs, how fine its clock is.
 *
 * It uses the device as kernels do, through its backend and timed by its own clock. It knows no operator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/device.h"
#include "devices/measure.h"

#define MB               (UINT64_C(1) << 20)
#define CARD_BYTES       (256 * MB) /* several times the caches of any card */
#define HOST_BYTES_LEAST (32 * MB) /* also of software renderers, which are slow, and timed for tests alone */
#define HOST_BYTES_MOST                                                                                      \
    (128 * MB) /* a virtual machine names the whole processor's cache and has a part of it */
#define GROUP_BYTES     ((uint64_t)MEASURE_GROUP * MEASURE_QUADS * 16)
#define HOT_BYTES_CARD  (2 * MB)
#define HOT_BYTES_HOST  (MB / 4)
#define HOT_SIZES       4 /* each twice the one before: short copies show the launch, long ones leave the cache */
#define LEAD_BYTES_CARD (64 * MB) /* what a card is busy with while it is handed an empty launch */
#define HOT_REPEATS     16
#define TRIES           7
#define LAUNCHES        32
#define FMA_LEAST_NS    1000000 /* the shortest time that says something */
#define FMA_GROUPS_MOST 16384
#define FILL_SEED       0x9e3779b9u
#define FLOPS_A_GROUP   (2.0 * MEASURE_GROUP * MEASURE_CHAINS * MEASURE_ROUNDS * MEASURE_UNROLL)

/* Embedded device code (built from measure.comp and measure.cu). */
#define BLOB(name)    extern const uint8_t assay_blob_devices_##name[], assay_blob_devices_##name##_end[]
#define BLOB_AT(name) .data = assay_blob_devices_##name, .end = assay_blob_devices_##name##_end
BLOB(measure_spv);
BLOB(measure_sm_80_cubin);
BLOB(measure_sm_90a_cubin);
BLOB(measure_compute_80_ptx);

enum { OPERATIONS = MEASURE_FMA + 1, CODES = 6 };

#define NATIVE(set, operation)                                                                               \
    void assay_measure_##set##_##operation(void *const *buffers, const void *push, const uint32_t group[3])
#define NATIVES(set)                                                                                         \
    NATIVE(set, none);                                                                                       \
    NATIVE(set, fill);                                                                                       \
    NATIVE(set, copy);                                                                                       \
    NATIVE(set, fma)
NATIVES(native);
NATIVES(avx2);
NATIVES(avx512);
#define NATIVE_ROW(set)                                                                                      \
    {                                                                                                        \
        assay_measure_##set##_none, assay_measure_##set##_fill, assay_measure_##set##_copy,                  \
            assay_measure_##set##_fma                                                                        \
    }
static const assay_native_fn natives[3][OPERATIONS] = {NATIVE_ROW(native), NATIVE_ROW(avx2),
                                                       NATIVE_ROW(avx512)};
static const char *const entries[OPERATIONS] = {"measure_none", "measure_fill", "measure_copy",
                                                "measure_fma"};

struct push {
    uint32_t operation, seed;
    float a, b;
};

struct assay_meter {
    struct assay_device *device;
    struct assay_code code[OPERATIONS][CODES];
    struct assay_program *program[OPERATIONS];
    struct assay_buffer *from, *to;
    uint64_t bytes; /* of each buffer */
    bool host;      /* the device is the host's processor */
};

/* ---- opening ---- */

static size_t list_codes(struct assay_meter *meter, uint32_t operation)
{
    const struct assay_device_info *info = &meter->device->info;
    struct assay_code *code = meter->code[operation];
    size_t count = 0;
    if (strcmp(info->backend, "cpu") == 0) {
        const int set = info->simd & ASSAY_SIMD_AVX512 ? 2 : info->simd & ASSAY_SIMD_AVX2 ? 1 : 0;
        code[count++] = (struct assay_code){
            .kind = ASSAY_CODE_NATIVE, .name = "measure.cpu", .native = natives[set][operation]};
        return count;
    }
    const struct assay_code codes[] = {
        {.kind = ASSAY_CODE_SPIRV, .name = "measure.vulkan", .entry = "main", BLOB_AT(measure_spv)},
        {.kind = ASSAY_CODE_CUBIN, .name = "measure.cuda", .cc = 90, BLOB_AT(measure_sm_90a_cubin)},
        {.kind = ASSAY_CODE_CUBIN, .name = "measure.cuda", .cc = 80, BLOB_AT(measure_sm_80_cubin)},
        {.kind = ASSAY_CODE_PTX, .name = "measure.cuda", .cc = 80, BLOB_AT(measure_compute_80_ptx)},
    };
    const bool vulkan = strcmp(info->backend, "vulkan") == 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (vulkan != (codes[i].kind == ASSAY_CODE_SPIRV) || !assay_code_bytes(&codes[i])) continue;
        code[count] = codes[i];
        if (!code[count].entry) code[count].entry = entries[operation];
        count++;
    }
    return count;
}

static enum assay_status make_program(struct assay_meter *meter, uint32_t operation, uint32_t controls,
                                      struct assay_error *error)
{
    char label[24];
    struct assay_program_params params = {.codes = meter->code[operation],
                                          .code_count = list_codes(meter, operation),
                                          .bindings = 2,
                                          .push_bytes = sizeof(struct push),
                                          .group = {MEASURE_GROUP, 1, 1},
                                          .controls = controls,
                                          .spec = {operation},
                                          .spec_count = 1};
    if (strcmp(meter->device->info.backend, "vulkan") != 0) params.spec_count = 0;
    if (params.code_count == 0)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: this build has no measuring code for %s",
                               assay_device_label(&meter->device->info, label), meter->device->info.backend);
    return meter->device->backend->program_create(meter->device, &params, &meter->program[operation], error);
}

static uint64_t buffer_bytes(const struct assay_device_info *info, bool host)
{
    uint64_t bytes = CARD_BYTES;
    if (host) {
        const long cache_bytes = info->software ? 0 : sysconf(_SC_LEVEL3_CACHE_SIZE);
        bytes = cache_bytes > 0 ? (uint64_t)cache_bytes : HOST_BYTES_LEAST;
        if (bytes < HOST_BYTES_LEAST) bytes = HOST_BYTES_LEAST;
        if (bytes > HOST_BYTES_MOST) bytes = HOST_BYTES_MOST;
    }
    if (info->device_local_bytes && bytes > info->device_local_bytes / 16)
        bytes = info->device_local_bytes / 16;
    if (info->limits.binding_bytes && bytes > info->limits.binding_bytes) bytes = info->limits.binding_bytes;
    bytes = bytes / GROUP_BYTES * GROUP_BYTES;
    return bytes ? bytes : GROUP_BYTES;
}

enum assay_status assay_meter_open(struct assay_device *device, uint32_t controls, struct assay_meter **out,
                                   struct assay_error *error)
{
    *out = NULL;
    struct assay_meter *meter = calloc(1, sizeof *meter);
    if (!meter) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory to measure a device");
    meter->device = device;
    meter->host = strcmp(device->info.backend, "cpu") == 0 || device->info.software;
    meter->bytes = buffer_bytes(&device->info, meter->host);
    enum assay_status status = ASSAY_OK;
    for (uint32_t operation = 0; operation < OPERATIONS && status == ASSAY_OK; operation++)
        status = make_program(meter, operation, controls, error);
    if (status == ASSAY_OK)
        status = device->backend->buffer_create(device, meter->bytes, &meter->from, error);
    if (status == ASSAY_OK) status = device->backend->buffer_create(device, meter->bytes, &meter->to, error);
    if (status == ASSAY_OK)
        *out = meter;
    else
        assay_meter_close(meter);
    return status;
}

void assay_meter_close(struct assay_meter *meter)
{
    if (!meter) return;
    const struct assay_backend *backend = meter->device->backend;
    for (int operation = 0; operation < OPERATIONS; operation++)
        backend->program_destroy(meter->device, meter->program[operation]);
    backend->buffer_destroy(meter->device, meter->from);
    backend->buffer_destroy(meter->device, meter->to);
    free(meter);
}

/* ---- dispatches ---- */

static struct assay_dispatch dispatch_of(const struct assay_meter *meter, uint32_t operation, uint64_t groups)
{
    struct assay_dispatch dispatch = {.program = meter->program[operation],
                                      .binding = {{.buffer = meter->from}, {.buffer = meter->to}},
                                      .groups = {(uint32_t)groups, 1, 1}};
    /* 1 * a + b stays 1: the sum of the chains is known. */
    const struct push push = {operation, FILL_SEED, 0.5f, 0.5f};
    memcpy(dispatch.push, &push, sizeof push);
    return dispatch;
}

void assay_meter_flush(const struct assay_meter *meter, struct assay_dispatch *dispatch)
{
    *dispatch = dispatch_of(meter, MEASURE_FILL, meter->bytes / GROUP_BYTES);
}

static enum assay_status time_dispatches(struct assay_meter *meter, const struct assay_dispatch *dispatches,
                                         size_t count, size_t lead, uint64_t *ns, struct assay_error *error)
{
    struct assay_device *device = meter->device;
    device->lead = lead;
    enum assay_status status = device->backend->submit(device, dispatches, count, error);
    device->lead = 0;
    if (status == ASSAY_OK) status = device->backend->wait(device, 0, ns, error);
    return status;
}

/* ---- ceilings ---- */

static int compare_ns(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The empty launch behind work, as timed runs are, and the least difference between two of them. */
static enum assay_status measure_launch(struct assay_meter *meter, double *launch_ns, double *timer_ns,
                                        struct assay_error *error)
{
    const uint64_t lead_bytes = meter->host ? HOT_BYTES_HOST : LEAD_BYTES_CARD;
    const struct assay_dispatch dispatches[2] = {
        dispatch_of(meter, MEASURE_FILL,
                    (lead_bytes < meter->bytes ? lead_bytes : meter->bytes) / GROUP_BYTES),
        dispatch_of(meter, MEASURE_NONE, 1)};
    uint64_t ns[LAUNCHES] = {0}, least = 0;
    char label[24];
    for (int i = 0; i < LAUNCHES; i++) {
        const enum assay_status status = time_dispatches(meter, dispatches, 2, 1, &ns[i], error);
        if (status != ASSAY_OK) return status;
    }
    qsort(ns, LAUNCHES, sizeof ns[0], compare_ns);
    if (ns[LAUNCHES - 1] == 0)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s has no clock to measure with",
                               assay_device_label(&meter->device->info, label));
    for (int i = 1; i < LAUNCHES; i++)
        if (ns[i] > ns[i - 1] && (!least || ns[i] - ns[i - 1] < least)) least = ns[i] - ns[i - 1];
    *launch_ns = (double)ns[LAUNCHES / 2];
    *timer_ns = least ? (double)least : 1;
    return ASSAY_OK;
}

static enum assay_status check_copy(struct assay_meter *meter, uint64_t bytes, struct assay_error *error)
{
    uint32_t word[64];
    char label[24];
    for (int part = 0; part < 4; part++) {
        const uint64_t at = part == 3 ? bytes - sizeof word : bytes / 3 / 256 * 256 * (uint64_t)part;
        const enum assay_status status =
            meter->device->backend->read(meter->device, meter->to, at, word, sizeof word, error);
        if (status != ASSAY_OK) return status;
        for (uint32_t i = 0; i < 64; i++)
            if (word[i] != FILL_SEED + (uint32_t)(at / 4) + i)
                return assay_error_set(
                    error, ASSAY_DEVICE_FAILURE, "%s: the measured copy is wrong at byte %llu",
                    assay_device_label(&meter->device->info, label), (unsigned long long)(at + 4 * i));
    }
    return ASSAY_OK;
}

/* Fill `from` with the pattern: fill `to`, then copy it over. */
static enum assay_status fill_from(struct assay_meter *meter, struct assay_error *error)
{
    struct assay_dispatch dispatches[2];
    uint64_t ns;
    assay_meter_flush(meter, &dispatches[0]);
    dispatches[1] = dispatch_of(meter, MEASURE_COPY, meter->bytes / GROUP_BYTES);
    dispatches[1].binding[0].buffer = meter->to;
    dispatches[1].binding[1].buffer = meter->from;
    return time_dispatches(meter, dispatches, 2, 0, &ns, error);
}

static enum assay_status measure_copy(struct assay_meter *meter, uint64_t bytes, size_t repeats,
                                      double *bytes_a_second, struct assay_error *error)
{
    struct assay_dispatch dispatches[HOT_REPEATS + 1];
    uint64_t best = 0, ns;
    enum assay_status status = ASSAY_OK;
    /* Where the copy is long, so is what leads: it hides the launch. */
    for (size_t i = 0; i <= repeats; i++)
        dispatches[i] = dispatch_of(meter, MEASURE_COPY, bytes / GROUP_BYTES);
    for (int i = 0; i < TRIES && status == ASSAY_OK; i++) {
        status = time_dispatches(meter, dispatches, repeats + 1, 1, &ns, error);
        if (status == ASSAY_OK && ns && (!best || ns < best)) best = ns;
    }
    if (status == ASSAY_OK) status = check_copy(meter, bytes, error);
    if (status == ASSAY_OK && best) *bytes_a_second = 2e9 * (double)bytes * (double)repeats / (double)best;
    return status;
}

static enum assay_status measure_fma(struct assay_meter *meter, double *flops_a_second,
                                     struct assay_error *error)
{
    uint64_t groups = 64, best = 0, ns = 0;
    const uint64_t room = meter->bytes / (MEASURE_GROUP * 16);
    const uint64_t most = room < FMA_GROUPS_MOST ? room : FMA_GROUPS_MOST;
    enum assay_status status = ASSAY_OK;
    float sum[4];
    char label[24];
    if (groups > most) groups = most;
    for (int i = 0; i < TRIES && status == ASSAY_OK; i++) {
        const struct assay_dispatch dispatch = dispatch_of(meter, MEASURE_FMA, groups);
        const struct assay_dispatch pair[2] = {dispatch, dispatch};
        status = time_dispatches(meter, pair, 2, 1, &ns, error);
        if (status == ASSAY_OK && ns < FMA_LEAST_NS && groups < most) {
            groups = groups * 4 < most ? groups * 4 : most;
            i = -1;
            best = 0;
        } else if (ns && (!best || ns < best)) {
            best = ns;
        }
    }
    if (status == ASSAY_OK)
        status = meter->device->backend->read(meter->device, meter->to, (groups - 1) * MEASURE_GROUP * 16,
                                              sum, sizeof sum, error);
    if (status == ASSAY_OK && sum[0] != (float)MEASURE_CHAINS)
        return assay_error_set(
            error, ASSAY_DEVICE_FAILURE, "%s: the measured multiply-adds give %a, %a is right",
            assay_device_label(&meter->device->info, label), (double)sum[0], (double)MEASURE_CHAINS);
    if (status == ASSAY_OK && best) *flops_a_second = 1e9 * FLOPS_A_GROUP * (double)groups / (double)best;
    return status;
}

enum assay_status assay_meter_ceilings(struct assay_meter *meter,
                                       struct assay_ceiling ceiling[ASSAY_CEILINGS_MAX], size_t *count,
                                       struct assay_error *error)
{
    const uint64_t hot = meter->host ? HOT_BYTES_HOST : HOT_BYTES_CARD;
    double launch_ns = 0, timer_ns = 0, copy = 0, copy_hot = 0, fma = 0;
    *count = 0;
    enum assay_status status = measure_launch(meter, &launch_ns, &timer_ns, error);
    if (status == ASSAY_OK) status = fill_from(meter, error);
    if (status == ASSAY_OK) status = measure_copy(meter, meter->bytes, 1, &copy, error);
    for (int size = 0; size < HOT_SIZES && status == ASSAY_OK && hot << size <= meter->bytes; size++) {
        double rate = 0;
        status = measure_copy(meter, hot << size, HOT_REPEATS, &rate, error);
        if (rate > copy_hot) copy_hot = rate;
    }
    if (status == ASSAY_OK) status = measure_fma(meter, &fma, error);
    if (status != ASSAY_OK) return status;
    const struct assay_ceiling all[] = {{"copy", "bytes/s", copy},
                                        {"copy_hot", "bytes/s", copy_hot},
                                        {"fma_f32", "flop/s", fma},
                                        {"launch", "ns", launch_ns},
                                        {"timer", "ns", timer_ns}};
    memcpy(ceiling, all, sizeof all);
    *count = sizeof all / sizeof all[0];
    return ASSAY_OK;
}
