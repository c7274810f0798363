/* Which form of the exact arithmetic a device uses: proposed by its measured traits, confirmed by running it over hard
 * operands against the integer form computed here.
 *
 * The host side uses integers only, so its own float unit and settings do not matter. Knows no operator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/exact/check.h"
#include "kernels/exact/exact.h"
#include "kernels/kernel.h"

enum { TRIPLES = 1 << 16 };

ASSAY_BLOB(kernels_exact_check_native_spv);
ASSAY_BLOB(kernels_exact_check_emulated_spv);
ASSAY_BLOB(kernels_exact_check_sm_80_cubin);
ASSAY_BLOB(kernels_exact_check_sm_90a_cubin);
ASSAY_BLOB(kernels_exact_check_compute_80_ptx);

#define CPU(form)                                                                                            \
    void assay_exact_check_##form(void *const *buffers, const void *push, const uint32_t group[3]);          \
    void assay_exact_check_##form##_fma(void *const *buffers, const void *push, const uint32_t group[3])
CPU(native);
CPU(guarded);
CPU(emulated);
CPU(integer);

static const struct form {
    assay_native_fn cpu, cpu_fma;
    const char *cuda_entry;
    const char *code_name;
    bool spirv_native; /* which SPIR-V text */
} forms[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_NATIVE] = {assay_exact_check_native, assay_exact_check_native_fma, "exact_check_native",
                              "exact.check.native", true},
    [ASSAY_VARIANT_CONTRACT] = {NULL, NULL, NULL, "exact.check.contract", true},
    [ASSAY_VARIANT_GUARDED] = {assay_exact_check_guarded, assay_exact_check_guarded_fma,
                               "exact_check_guarded", "exact.check.guarded", false},
    [ASSAY_VARIANT_EMULATED] = {assay_exact_check_emulated, assay_exact_check_emulated_fma,
                                "exact_check_emulated", "exact.check.emulated", false},
    [ASSAY_VARIANT_INTEGER] = {assay_exact_check_integer, assay_exact_check_integer_fma,
                               "exact_check_integer", "exact.check.integer", false},
};

uint32_t assay_exact_controls(const struct assay_traits *traits, enum assay_variant variant)
{
    switch (variant) {
    case ASSAY_VARIANT_CONTRACT:
        return traits->contract_controls | ASSAY_CTRL_CONTRACT;
    case ASSAY_VARIANT_INTEGER:
        return 0;
    default:
        return traits->exact_controls;
    }
}

enum assay_variant assay_exact_form(const struct assay_traits *traits, const struct assay_kernel *kernel,
                                    enum assay_variant variant)
{
    if (!kernel->normals || variant != ASSAY_VARIANT_CONTRACT) return variant;
    return traits->fma_fused ? ASSAY_VARIANT_GUARDED : ASSAY_VARIANT_EMULATED;
}

/* ---- operands: exponents around everything that an algorithm decides by, and sums built to cancel or to tie ---- */

struct random {
    uint64_t state;
};

static uint64_t next(struct random *r) /* xorshift64* */
{
    uint64_t x = r->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    r->state = x;
    return x * 0x2545F4914F6CDD1Du;
}

static uint32_t float_of(struct random *r, int exponent)
{
    static const uint32_t mask[8] = {0x7FFFFF, 0x7FFFFF, 0x7FFFFF, 0x7FF000, 0x000FFF, 0, 0x600001, 0x7FFFFF};
    uint64_t z = next(r);
    uint32_t m = (uint32_t)z & mask[z >> 23 & 7];
    if ((z >> 26 & 15) == 0) m = 0x7FFFFF;
    exponent = exponent < 0 ? 0 : exponent > 255 ? 255 : exponent;
    return (uint32_t)(z >> 63) << 31 | (uint32_t)exponent << 23 | m;
}

static int spread(struct random *r, int centre, int width)
{
    return centre + (int)(next(r) % (uint32_t)(2 * width + 1)) - width;
}

static void triple(struct random *r, uint32_t index, uint32_t t[3])
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 0x007FFFFF, 0x00800000,
                                       0x80800000, 0x3F800000, 0xBF800000, 0x3F800001, 0x7F7FFFFF, 0xFF7FFFFF,
                                       0x7F800000, 0xFF800000, 0x7FC00000, 0x3F7FFFFF};
    /* the ends of the emulated form's range, of the normals, and a middle */
    static const int centre[] = {24, 87, 127, 171, 230, 252, 1, 254};
    uint64_t pick = next(r);
    int ea, eb, ep;
    switch (index % 8) {
    case 0:
        for (int i = 0; i < 3; i++) t[i] = special[pick >> (8 * i) & 15];
        return;
    case 1:
        for (int i = 0; i < 3; i++) t[i] = (uint32_t)next(r);
        return;
    case 2: /* a and b at a border each, c anywhere near the product or the result near the subnormals */
        t[0] = float_of(r, spread(r, centre[pick & 7], 3));
        t[1] = float_of(r, spread(r, centre[pick >> 3 & 7], 3));
        t[2] = float_of(r, spread(r, centre[pick >> 6 & 7], 3));
        return;
    case 3: /* exponents of a and b that add up to a border of the product */
        ea = spread(r, 127, 100);
        eb = (pick & 1 ? 174 : 378) - ea + spread(r, 0, 2);
        t[0] = float_of(r, ea);
        t[1] = float_of(r, eb);
        t[2] = float_of(r, spread(r, ea + eb - 127, 30));
        return;
    case 4: /* products and sums around 2^-126 */
        ea = spread(r, 100, 90);
        t[0] = float_of(r, ea);
        t[1] = float_of(r, spread(r, 127 - ea, 26));
        t[2] = float_of(r, spread(r, 1, 2));
        if (pick & 1) t[1] = (t[0] ^ 0x80000000u) + ((uint32_t)next(r) & 0xFF); /* a + b is tiny */
        return;
    case 5: /* around overflow */
        ea = spread(r, 190, 60);
        t[0] = float_of(r, ea);
        t[1] = float_of(r, spread(r, 381 - ea, 2));
        t[2] = float_of(r, spread(r, 254, 1));
        return;
    default: /* moderate; c cancels the product, nearly so, or is some way off */
        t[0] = float_of(r, spread(r, 127, 20));
        t[1] = float_of(r, spread(r, 127, 20));
        t[2] = xf_mul_words(t[0], t[1]);
        ep = (int)(t[2] >> 23 & 255);
        if ((pick & 3) == 0) t[2] ^= 0x80000000u;
        if ((pick & 3) == 1) t[2] = (t[2] ^ 0x80000000u) + ((uint32_t)(pick >> 8) & 7) - 3;
        if ((pick & 3) == 2) t[2] = float_of(r, spread(r, ep + 12, 14));
        if ((pick & 3) == 3) t[2] += 24u << 23;
        return;
    }
}

/* ---- running one form ---- */

static size_t codes_of(const struct assay_device_info *info, enum assay_variant variant,
                       struct assay_code code[3])
{
    const struct form *form = &forms[variant];
    size_t count = 0;
    if (strcmp(info->backend, "cpu") == 0 && form->cpu != NULL) {
        bool fma = info->simd & ASSAY_SIMD_AVX2;
        code[count++] = (struct assay_code){
            .kind = ASSAY_CODE_NATIVE, .name = form->code_name, .native = fma ? form->cpu_fma : form->cpu};
    } else if (strcmp(info->backend, "vulkan") == 0) {
        static const struct assay_code text[2] = {
            {.kind = ASSAY_CODE_SPIRV, .entry = "main", ASSAY_BLOB_AT(kernels_exact_check_emulated_spv)},
            {.kind = ASSAY_CODE_SPIRV, .entry = "main", ASSAY_BLOB_AT(kernels_exact_check_native_spv)},
        };
        code[count] = text[form->spirv_native];
        code[count++].name = form->code_name;
    } else if (strcmp(info->backend, "cuda") == 0 && form->cuda_entry != NULL) {
        static const struct assay_code cuda[3] = {
            {.kind = ASSAY_CODE_CUBIN, .cc = 90, ASSAY_BLOB_AT(kernels_exact_check_sm_90a_cubin)},
            {.kind = ASSAY_CODE_CUBIN, .cc = 80, ASSAY_BLOB_AT(kernels_exact_check_sm_80_cubin)},
            {.kind = ASSAY_CODE_PTX, .cc = 80, ASSAY_BLOB_AT(kernels_exact_check_compute_80_ptx)},
        };
        for (size_t i = 0; i < 3; i++) {
            if (assay_code_bytes(&cuda[i]) == 0) continue;
            code[count] = cuda[i];
            code[count].name = form->code_name;
            code[count++].entry = form->cuda_entry;
        }
    }
    return count;
}

struct check {
    struct assay_device *device;
    const struct assay_traits *traits;
    uint32_t *operands, *want, *got;
    struct assay_buffer *in, *out;
};

static enum assay_status check_begin(struct check *c, struct assay_error *error)
{
    const struct assay_backend *backend = c->device->backend;
    const size_t words = 3 * (size_t)TRIPLES;
    struct random random = {0x61737361795F6B61};
    enum assay_status status;
    c->operands = malloc(words * sizeof *c->operands);
    c->want = malloc(words * sizeof *c->want);
    c->got = malloc(words * sizeof *c->got);
    if (c->operands == NULL || c->want == NULL || c->got == NULL)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "exact arithmetic: no memory for %zu bytes",
                               12 * words);
    for (uint32_t i = 0; i < TRIPLES; i++) {
        uint32_t *t = c->operands + 3 * (size_t)i, *w = c->want + 3 * (size_t)i;
        triple(&random, i, t);
        w[0] = xf_add_words(t[0], t[1]);
        w[1] = xf_mul_words(t[0], t[1]);
        w[2] = xf_fma_words(t[0], t[1], t[2]);
    }
    status = backend->buffer_create(c->device, words * 4, &c->in, error);
    if (status == ASSAY_OK) status = backend->buffer_create(c->device, words * 4, &c->out, error);
    if (status == ASSAY_OK) status = backend->write(c->device, c->in, 0, c->operands, words * 4, error);
    return status;
}

static void check_end(struct check *c)
{
    c->device->backend->buffer_destroy(c->device, c->out);
    c->device->backend->buffer_destroy(c->device, c->in);
    free(c->got);
    free(c->want);
    free(c->operands);
}

/* Run the known answers of one form. *wrong gets the number of wrong results; text says which one was first. */
static enum assay_status check_run(struct check *c, enum assay_variant variant, uint32_t *wrong,
                                   char text[160], struct assay_error *error)
{
    static const char *const name[3] = {"add", "multiply", "fused multiply-add"};
    const struct assay_backend *backend = c->device->backend;
    const size_t words = 3 * (size_t)TRIPLES;
    struct assay_code code[3];
    struct assay_program_params params = {.codes = code,
                                          .code_count = codes_of(&c->device->info, variant, code),
                                          .bindings = 2,
                                          .push_bytes = sizeof(uint32_t),
                                          .group = {EXACT_CHECK_GROUP, 1, 1}};
    struct assay_dispatch dispatch = {.binding = {{.buffer = c->in}, {.buffer = c->out}},
                                      .groups = {TRIPLES / EXACT_CHECK_GROUP, 1, 1}};
    const uint32_t count = TRIPLES;
    enum assay_status status;
    uint32_t programs = 1; /* one for all operations, or one each */
    *wrong = 0;
    text[0] = 0;
    if (code[0].kind == ASSAY_CODE_SPIRV) {
        programs = 3;
        params.controls = assay_exact_controls(c->traits, variant);
        params.spec[0] = variant;
        params.spec_count = 2;
    }
    memcpy(dispatch.push, &count, sizeof count);
    /* an output that keeps these words was never written */
    memset(c->got, 0xA5, words * 4);
    status = backend->write(c->device, c->out, 0, c->got, words * 4, error);
    for (uint32_t operation = 0; operation < programs && status == ASSAY_OK; operation++) {
        params.spec[1] = operation;
        status = backend->program_create(c->device, &params, &dispatch.program, error);
        if (status != ASSAY_OK) return status;
        status = backend->submit(c->device, &dispatch, 1, error);
        if (status == ASSAY_OK) status = backend->wait(c->device, 0, NULL, error);
        backend->program_destroy(c->device, dispatch.program);
    }
    if (status == ASSAY_OK) status = backend->read(c->device, c->out, 0, c->got, words * 4, error);
    if (status != ASSAY_OK) return status;
    for (size_t i = 0; i < words; i++) {
        uint32_t got = xf_bits(xf_canonical(xf_float(c->got[i])));
        const uint32_t *t = c->operands + i / 3 * 3;
        if (got == c->want[i]) continue;
        if ((*wrong)++ == 0)
            snprintf(text, 160, "%s of %08x %08x %08x gave %08x, not %08x", name[i % 3], t[0], t[1], t[2],
                     c->got[i], c->want[i]);
    }
    return ASSAY_OK;
}

/* ---- choosing ---- */

/* Do the traits speak for this form? If not, why says what is missing. */
static bool proposed(const struct assay_device_info *info, const struct assay_traits *t,
                     enum assay_variant variant, char why[160])
{
    const char *missing = NULL;
    switch (variant) {
    case ASSAY_VARIANT_NATIVE:
        if (!t->fma_fused)
            missing = "Fma is not fused";
        else if (!t->fma_keeps_subnormals)
            missing = "Fma flushes subnormals";
        else if (!t->add_exact || !t->mul_exact)
            missing = "add or multiply is not exact";
        break;
    case ASSAY_VARIANT_CONTRACT:
        if (strcmp(info->backend, "vulkan") != 0)
            missing = "only SPIR-V has a contracting form";
        else if (!t->contract_is_fma)
            missing = "a contracted multiply-add is not a fused one";
        break;
    case ASSAY_VARIANT_GUARDED:
        if (!t->fma_fused) missing = "Fma is not fused";
        break;
    case ASSAY_VARIANT_EMULATED:
        if (!t->contraction_forbidden) missing = "contraction cannot be forbidden";
        break;
    default:
        break;
    }
    snprintf(why, 160, "%s", missing != NULL ? missing : "");
    return missing == NULL;
}

enum assay_status assay_exact_choose(struct assay_device *device, const struct assay_traits *traits,
                                     enum assay_variant forced, enum assay_variant *variant,
                                     uint32_t *controls, char why[256], struct assay_error *error)
{
    struct check check = {.device = device, .traits = traits};
    char label[24], reason[160], trail[256] = "";
    size_t used = 0;
    bool chosen = false;
    enum assay_status status;
    assay_device_label(&device->info, label);
    if (traits->missing[0] != 0)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: exact mode is refused: %s", label,
                               traits->missing);
    if (forced < ASSAY_VARIANT_AUTO || forced >= ASSAY_VARIANT_COUNT)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: there is no arithmetic variant %d", label,
                               (int)forced);
    if (forced == ASSAY_VARIANT_CONTRACT && !proposed(&device->info, traits, forced, reason))
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: variant contract is refused: %s", label,
                               reason);
    status = check_begin(&check, error);
    for (int v = ASSAY_VARIANT_NATIVE; v < ASSAY_VARIANT_COUNT && status == ASSAY_OK && !chosen; v++) {
        uint32_t wrong = 0;
        bool take;
        if (forced != ASSAY_VARIANT_AUTO && v != (int)forced) continue;
        take = forced != ASSAY_VARIANT_AUTO || proposed(&device->info, traits, (enum assay_variant)v, reason);
        if (take) {
            status = check_run(&check, (enum assay_variant)v, &wrong, reason, error);
            chosen = status == ASSAY_OK && wrong == 0;
            if (chosen) *variant = (enum assay_variant)v;
        }
        if (!chosen && status == ASSAY_OK)
            used += (size_t)snprintf(trail + used, sizeof trail - used, "%snot %s: %s", used ? "; " : "",
                                     assay_variant_name((enum assay_variant)v), reason);
        if (used >= sizeof trail) used = sizeof trail - 1;
    }
    check_end(&check);
    if (status != ASSAY_OK) return status;
    if (!chosen)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: exact arithmetic is refused: %s", label,
                               trail);
    *controls = assay_exact_controls(traits, *variant);
    if (strcmp(device->info.backend, "vulkan") != 0) *controls = 0;
    if (why != NULL) {
        const char *name = assay_variant_name(*variant);
        snprintf(why, 256, "%s: 0 of %d known answers wrong%s%.180s", name, 3 * TRIPLES, used ? "; " : "",
                 trail);
    }
    return ASSAY_OK;
}
