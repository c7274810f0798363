/* The arithmetic probe (rows D20, D21): what a device's add, multiply, fused multiply-add, divide, square root and
 * subnormals really do, found by running them. Expected bits come from ieee.c, in integers.
 *
 * It judges by behaviour alone: neither the vendor's name nor what the driver reports decides anything, except that
 * float controls which the driver does not report are not tried. It knows no operator and no kernel. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/device.h"
#include "devices/ieee.h"
#include "devices/traits.h"

enum { TRIPLES = 16384, COUNT_SETS = 8 };

/* Embedded device code (built from traits.comp and traits.cu). */
#define BLOB(name)    extern const uint8_t assay_blob_devices_##name[], assay_blob_devices_##name##_end[]
#define BLOB_AT(name) .data = assay_blob_devices_##name, .end = assay_blob_devices_##name##_end
BLOB(traits_spv);
BLOB(traits_sm_80_cubin);
BLOB(traits_sm_90a_cubin);
BLOB(traits_compute_80_ptx);
void assay_traits_native(void *const *buffers, const void *push, const uint32_t group[3]);
void assay_traits_native_fma(void *const *buffers, const void *push, const uint32_t group[3]);

struct push {
    uint32_t count, operation, literal;
};

/* ---- expected results ---- */

static uint32_t want_first(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return a;
}
static uint32_t want_add(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return assay_ieee_add(a, b);
}
static uint32_t want_sub(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return assay_ieee_add(a, b ^ 0x80000000u);
}
static uint32_t want_mul(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return assay_ieee_mul(a, b);
}
static uint32_t want_muladd(uint32_t a, uint32_t b, uint32_t c)
{
    return assay_ieee_add(assay_ieee_mul(a, b), c);
}
static uint32_t want_div(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return assay_ieee_div(a, b);
}
static uint32_t want_sqrt(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return assay_ieee_sqrt(a);
}
static uint32_t want_two_sum(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t s = want_add(a, b, c), t = want_sub(s, a, c);
    return assay_ieee_add(want_sub(a, want_sub(s, t, c), c), want_sub(b, t, c));
}
static uint32_t want_add_zero(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return assay_ieee_add(a, 0);
}
static uint32_t want_mul_zero(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return assay_ieee_mul(a, 0);
}

/* What is measured. `operands` of a, b, c count when a subnormal operand is looked for. */
static const struct question {
    const char *name;
    uint32_t operation, operands, controls; /* controls beyond those of the set; SPIR-V only */
    bool loaded, literal;                   /* forms that make sense */
    bool has_literal_operand;               /* a loaded operand and a literal one */
    uint32_t (*want)(uint32_t a, uint32_t b, uint32_t c);
} questions[] = {
    {"copy", TRAIT_COPY, 1, 0, true, false, false, want_first},
    {"load", TRAIT_LOAD, 1, 0, true, false, false, want_first},
    {"store", TRAIT_STORE, 1, 0, true, false, false, want_first},
    {"add", TRAIT_ADD, 2, 0, true, true, false, want_add},
    {"sub", TRAIT_SUB, 2, 0, true, true, false, want_sub},
    {"mul", TRAIT_MUL, 2, 0, true, true, false, want_mul},
    {"fma", TRAIT_FMA, 3, 0, true, true, false, assay_ieee_fma},
    {"contract", TRAIT_FMA, 3, ASSAY_CTRL_CONTRACT, true, true, false, assay_ieee_fma},
    {"muladd", TRAIT_MULADD, 3, 0, true, true, false, want_muladd},
    {"div", TRAIT_DIV, 2, 0, true, true, false, want_div},
    {"sqrt", TRAIT_SQRT, 1, 0, true, true, false, want_sqrt},
    {"two_sum", TRAIT_TWO_SUM, 2, 0, true, false, false, want_two_sum},
    {"add_zero", TRAIT_ADD_ZERO, 1, 0, true, false, true, want_add_zero},
    {"mul_zero", TRAIT_MUL_ZERO, 1, 0, true, false, true, want_mul_zero},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* Sets of float controls, in order of preference: the first one that makes a device exact is taken. */
static const uint32_t control_sets[] = {0, ASSAY_CTRL_RTE, ASSAY_CTRL_RTE | ASSAY_CTRL_SZINP,
                                        ASSAY_CTRL_SZINP};
enum { CONTROL_SETS = sizeof control_sets / sizeof control_sets[0] };

/* ---- operands ---- */

static const uint32_t literals[TRAIT_LITERAL_COUNT][3] = {
#define LITERAL(a, b, c) {a, b, c},
    TRAIT_LITERALS(LITERAL)
#undef LITERAL
};

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000,
    0x80800000, 0x00800001, 0x01000000, 0x33000001, 0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF,
    0x3F800000, 0xBF800000, 0x3F800001, 0x4AFFFFFE, 0x4B000001, 0x7E800000, 0x7F7FFFFF,
    0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
};
enum { SPECIALS = sizeof special / sizeof special[0] };

struct random {
    uint64_t state;
};

static uint64_t next(struct random *r) /* splitmix64 */
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A float with biased exponent in [low, high]; significands of all zeros, all ones and 12 bits are frequent. */
static uint32_t between(struct random *r, int low, int high)
{
    uint64_t z = next(r);
    uint32_t m = z & 0x7FFFFF;
    switch (z >> 23 & 7) {
    case 0:
        m = 0;
        break;
    case 1:
        m = 0x7FFFFF;
        break;
    case 2:
        m &= 0x7FF000;
        break;
    default:
        break;
    }
    if (low < 0) low = 0;
    if (high > 254) high = 254;
    if (high < low) high = low;
    return (uint32_t)(z >> 63) << 31 |
           (uint32_t)(low + (int)((z >> 32 & 0x7FFF) % (uint32_t)(high - low + 1))) << 23 | m;
}

static void triple(struct random *r, uint32_t index, uint32_t out[3])
{
    uint64_t pick = next(r);
    uint32_t *a = out, *b = out + 1, *c = out + 2;
    int ea;
    if (index < TRAIT_LITERAL_COUNT) {
        memcpy(out, literals[index], sizeof literals[index]);
        return;
    }
    switch (index % COUNT_SETS) {
    case 0: /* any bits */
        *a = (uint32_t)next(r), *b = (uint32_t)next(r), *c = (uint32_t)next(r);
        break;
    case 1: /* special values against each other */
        *a = special[pick % SPECIALS], *b = special[(pick >> 16) % SPECIALS],
        *c = special[(pick >> 32) % SPECIALS];
        break;
    case 2: /* subnormal operands */
        *a = between(r, 0, 0), *b = between(r, 97, 157), *c = between(r, 0, 3);
        if (pick & 1) *b = between(r, 0, 2);
        break;
    case 3: /* a subnormal product, and one just above the subnormals */
        *a = between(r, 1, 100);
        ea = (int)(*a >> 23 & 255);
        *b = between(r, 127 - ea + (int)(pick % 31) - 27, 127 - ea + (int)(pick % 31) - 27),
        *c = between(r, 0, 2);
        break;
    case 4: /* a subnormal difference */
        *a = between(r, 1, 3), *b = (*a ^ 0x80000000u) + (uint32_t)(pick & 0xFFFF), *c = between(r, 0, 24);
        break;
    default: /* moderate values; the sum cancels, nearly cancels, straddles a rounding boundary */
        *a = between(r, 107, 147), *b = between(r, 107, 147), *c = assay_ieee_mul(*a, *b);
        ea = (int)(*c >> 23 & 255);
        switch (pick & 3) {
        case 0:
            *c ^= 0x80000000u;
            break;
        case 1:
            *c = (*c ^ 0x80000000u) + (uint32_t)(pick >> 8 & 7) - 3;
            break;
        case 2:
            *c = between(r, ea - 1, ea + 26);
            break;
        default:
            *c += 24u << 23;
            break;
        }
        if (pick & 64)
            *b = (*a & 0xFF800000u) - ((uint32_t)(pick >> 8) % 26 << 23) + (uint32_t)(pick >> 40 & 0x7FFFFF);
        break;
    }
}

/* ---- running ---- */

struct probe {
    struct assay_device *device;
    struct assay_traits *traits;
    struct assay_code code[4];
    size_t code_count;
    bool specialise;
    uint32_t *operands, *results;
    struct assay_buffer *in, *out;
};

static void list_codes(struct probe *p)
{
    const struct assay_device_info *info = &p->device->info;
    static const struct assay_code codes[] = {
        {.kind = ASSAY_CODE_SPIRV, .name = "traits.vulkan", .entry = "main", BLOB_AT(traits_spv)},
        {.kind = ASSAY_CODE_CUBIN,
         .name = "traits.cuda",
         .entry = "traits",
         .cc = 90,
         BLOB_AT(traits_sm_90a_cubin)},
        {.kind = ASSAY_CODE_CUBIN,
         .name = "traits.cuda",
         .entry = "traits",
         .cc = 80,
         BLOB_AT(traits_sm_80_cubin)},
        {.kind = ASSAY_CODE_PTX,
         .name = "traits.cuda",
         .entry = "traits",
         .cc = 80,
         BLOB_AT(traits_compute_80_ptx)},
    };
    if (strcmp(info->backend, "cpu") == 0) {
        bool fma = info->simd & ASSAY_SIMD_AVX2;
        p->code[p->code_count++] =
            (struct assay_code){.kind = ASSAY_CODE_NATIVE,
                                .name = "traits.cpu",
                                .native = fma ? assay_traits_native_fma : assay_traits_native};
        return;
    }
    p->specialise = strcmp(info->backend, "vulkan") == 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (p->specialise == (codes[i].kind == ASSAY_CODE_SPIRV) && assay_code_bytes(&codes[i]) > 0)
            p->code[p->code_count++] = codes[i];
}

/* Run one question and append its row. */
static enum assay_status ask(struct probe *p, const struct question *q, uint32_t controls, bool literal,
                             struct assay_error *error)
{
    const struct assay_backend *backend = p->device->backend;
    struct assay_program_params params = {.codes = p->code,
                                          .code_count = p->code_count,
                                          .bindings = 2,
                                          .push_bytes = sizeof(struct push),
                                          .group = {TRAIT_GROUP, 1, 1},
                                          .controls = controls | q->controls};
    uint32_t count = literal ? TRAIT_LITERAL_COUNT : TRIPLES;
    struct push push = {count, q->operation, literal};
    struct assay_dispatch dispatch = {.binding = {{.buffer = p->in}, {.buffer = p->out}},
                                      .groups = {(count + TRAIT_GROUP - 1) / TRAIT_GROUP, 1, 1}};
    enum assay_status status;
    params.spec[params.spec_count++] = q->operation;
    params.spec[params.spec_count++] = literal;
    for (uint32_t i = 0; literal && i < 3 * TRAIT_LITERAL_COUNT; i++)
        params.spec[params.spec_count++] = literals[i / 3][i % 3];
    if (!p->specialise) params.spec_count = 0;
    memcpy(dispatch.push, &push, sizeof push);
    status = backend->program_create(p->device, &params, &dispatch.program, error);
    if (status != ASSAY_OK) return status;
    status = backend->submit(p->device, &dispatch, 1, error);
    if (status == ASSAY_OK) status = backend->wait(p->device, 0, NULL, error);
    if (status == ASSAY_OK)
        status = backend->read(p->device, p->out, 0, p->results, (uint64_t)count * 4, error);
    backend->program_destroy(p->device, dispatch.program);
    if (status != ASSAY_OK) return status;

    struct assay_trait *row = &p->traits->trait[p->traits->count++];
    *row = (struct assay_trait){
        .controls = controls, .literal = literal || q->has_literal_operand, .tested = count};
    snprintf(row->name, sizeof row->name, "%s", q->name);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *t = p->operands + 3 * (size_t)i;
        uint32_t want = q->want(t[0], t[1], t[2]), got = p->results[i];
        if (assay_ieee_same(want, got)) continue;
        bool subnormal = assay_ieee_is_subnormal(want) || (want & 0x7FFFFFFFu) == 0x00800000u;
        for (uint32_t k = 0; k < q->operands; k++) subnormal = subnormal || assay_ieee_is_subnormal(t[k]);
        if (row->wrong++ == 0) {
            memcpy(row->first, t, 3 * sizeof *t);
            row->first[3] = got;
        }
        row->wrong_subnormal += subnormal;
    }
    return ASSAY_OK;
}

/* ---- conclusions ---- */

static const struct assay_trait *find(const struct assay_traits *traits, const char *name, uint32_t controls)
{
    for (size_t i = 0; i < traits->count; i++) {
        const struct assay_trait *t = &traits->trait[i];
        if (t->controls == controls && !t->literal && strcmp(t->name, name) == 0) return t;
    }
    return NULL;
}
static bool right(const struct assay_trait *t)
{
    return t != NULL && t->wrong == 0;
}
static bool right_above_subnormals(const struct assay_trait *t)
{
    return t != NULL && t->wrong == t->wrong_subnormal;
}

static void conclude(struct assay_traits *t)
{
    int best = -1;
    for (uint32_t i = 0; i < CONTROL_SETS; i++) {
        uint32_t c = control_sets[i];
        int score = 2 * right(find(t, "add", c)) + 2 * right(find(t, "mul", c)) + right(find(t, "muladd", c));
        if (find(t, "add", c) != NULL && score > best) {
            best = score;
            t->exact_controls = c;
        }
    }
    uint32_t c = t->exact_controls;
    t->add_exact = right(find(t, "add", c)) && right(find(t, "sub", c)) && right(find(t, "two_sum", c));
    t->mul_exact = right(find(t, "mul", c));
    t->contraction_forbidden = right_above_subnormals(find(t, "muladd", c));
    t->fma_fused = right_above_subnormals(find(t, "fma", c));
    t->fma_keeps_subnormals = t->fma_fused && right(find(t, "fma", c));
    for (uint32_t i = 0; i < CONTROL_SETS && !t->contract_is_fma; i++) {
        uint32_t set = control_sets[i];
        if (!right(find(t, "contract", set)) || !right(find(t, "add", set)) || !right(find(t, "mul", set)))
            continue;
        t->contract_is_fma = true;
        t->contract_controls = set;
    }
    if (!right(find(t, "copy", c)))
        snprintf(t->missing, sizeof t->missing,
                 "words change on their way through a buffer, so that nothing can be exact");
}

enum assay_status assay_traits_measure(struct assay_device *device, struct assay_traits *traits,
                                       struct assay_error *error)
{
    const struct assay_backend *backend = device->backend;
    struct probe p = {.device = device, .traits = traits};
    struct random random = {0x6173736179};
    enum assay_status status;
    memset(traits, 0, sizeof *traits);
    list_codes(&p);
    if (p.code_count == 0) {
        char label[24];
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED,
                               "%s: this build has no arithmetic probe for %s",
                               assay_device_label(&device->info, label), device->info.backend);
    }
    p.operands = malloc(3 * sizeof *p.operands * TRIPLES);
    p.results = malloc(sizeof *p.results * TRIPLES);
    if (p.operands == NULL || p.results == NULL) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "arithmetic probe: no memory for %zu bytes",
                                 4 * sizeof(uint32_t) * TRIPLES);
        goto done;
    }
    for (uint32_t i = 0; i < TRIPLES; i++) triple(&random, i, p.operands + 3 * (size_t)i);
    status = backend->buffer_create(device, 12ull * TRIPLES, &p.in, error);
    if (status == ASSAY_OK) status = backend->buffer_create(device, 4ull * TRIPLES, &p.out, error);
    if (status == ASSAY_OK) status = backend->write(device, p.in, 0, p.operands, 12ull * TRIPLES, error);
    for (uint32_t set = 0; set < CONTROL_SETS && status == ASSAY_OK; set++) {
        uint32_t controls = control_sets[set];
        if (controls & ~device->info.float_controls) continue;
        for (size_t i = 0; i < QUESTIONS && status == ASSAY_OK; i++) {
            const struct question *q = &questions[i];
            if (q->controls != 0 && !p.specialise) continue;
            if (q->loaded) status = ask(&p, q, controls, false, error);
            if (q->literal && !(controls & ASSAY_CTRL_SZINP) && status == ASSAY_OK)
                status = ask(&p, q, controls, true, error);
        }
    }
    if (status == ASSAY_OK) conclude(traits);
done:
    backend->buffer_destroy(device, p.out);
    backend->buffer_destroy(device, p.in);
    free(p.results);
    free(p.operands);
    return status;
}

/* ---- report ---- */

char *assay_controls_text(uint32_t controls, char text[32])
{
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {{ASSAY_CTRL_RTE, "rte"},
                 {ASSAY_CTRL_SZINP, "szinp"},
                 {ASSAY_CTRL_DENORM, "denorm"},
                 {ASSAY_CTRL_CONTRACT, "contract"}};
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (controls & names[i].flag)
            used += (size_t)snprintf(text + used, 32 - used, "%s%s", used ? " " : "", names[i].name);
    return text;
}

static json_t *controls_json(uint32_t controls)
{
    char text[32];
    return json_string(assay_controls_text(controls, text));
}

char *assay_traits_json(const struct assay_device_info *info, const struct assay_traits *traits)
{
    char label[24], hex[9], *text;
    json_t *rows = json_array(), *root;
    for (size_t i = 0; i < traits->count; i++) {
        const struct assay_trait *t = &traits->trait[i];
        json_t *row = json_pack("{s:s, s:o, s:b, s:i, s:i, s:i}", "name", t->name, "controls",
                                controls_json(t->controls), "literal", t->literal, "tested", (int)t->tested,
                                "wrong", (int)t->wrong, "wrong_subnormal", (int)t->wrong_subnormal);
        if (t->wrong > 0) {
            json_t *first = json_array();
            for (int k = 0; k < 4; k++) {
                snprintf(hex, sizeof hex, "%08x", t->first[k]);
                json_array_append_new(first, json_string(hex));
            }
            json_object_set_new(row, "first", first);
        }
        json_array_append_new(rows, row);
    }
    root = json_pack("{s:s, s:s, s:s, s:o, s:b, s:b, s:b, s:b, s:o, s:o, s:b, s:b, s:s, s:o}", "device",
                     assay_device_label(info, label), "name", info->name, "driver", info->driver,
                     "float_controls_reported", controls_json(info->float_controls), "fma_fused",
                     traits->fma_fused, "fma_keeps_subnormals", traits->fma_keeps_subnormals,
                     "contraction_forbidden", traits->contraction_forbidden, "contract_is_fma",
                     traits->contract_is_fma, "contract_controls", controls_json(traits->contract_controls),
                     "exact_controls", controls_json(traits->exact_controls), "add_exact", traits->add_exact,
                     "mul_exact", traits->mul_exact, "missing", traits->missing, "traits", rows);
    text = root != NULL ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    return text;
}
