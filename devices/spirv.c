/* Patches SPIR-V modules at load time: float controls as execution modes, and the contracting form of Fma.
 *
 * Pure functions on words; knows no Vulkan and no device. The input may be anything: every read is bounded, and what is
 * not a module is refused. Layout and numbers from the SPIR-V 1.6 specification, sections 2.3, 2.4 and 3, and
 * SPV_KHR_float_controls. */
#include <stdlib.h>
#include <string.h>

#include "devices/device.h"

enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    BOUND_MAX = 0x3FFFFF, /* universal limit on ids, section 2.17 */
    WORDS_MAX = 1 << 24,

    OP_EXTENSION = 10,
    OP_EXT_INST_IMPORT = 11,
    OP_EXT_INST = 12,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_DECORATE = 71,
    OP_GROUP_DECORATE = 74,
    OP_F_ADD = 129,
    OP_F_MUL = 133,

    FMA_WORDS = 8, /* type, result, set, instruction, three operands */
    GLSL_FMA = 50,
    DECORATION_NO_CONTRACTION = 42,
};

static const struct control {
    uint32_t flag, capability, mode;
} controls_table[] = {
    {ASSAY_CTRL_DENORM, 4464, 4459},
    {ASSAY_CTRL_SZINP, 4466, 4461},
    {ASSAY_CTRL_RTE, 4467, 4462},
};
enum { CONTROLS = sizeof controls_table / sizeof controls_table[0] };

static const char extension_name[] = "SPV_KHR_float_controls";
static const char glsl_name[] = "GLSL.std.450";
enum { EXTENSION_WORDS = 1 + sizeof extension_name / 4 + 1 };

/* What one pass over the module finds. */
struct survey {
    uint32_t bound;
    uint32_t capabilities; /* ASSAY_CTRL_* whose capability is declared already */
    bool extension;        /* SPV_KHR_float_controls is declared already */
    bool groups;           /* decoration groups are used */
    size_t entry_count;
    size_t entry_last; /* index of the last OpEntryPoint */
    size_t fma_count;
    uint8_t *id; /* one byte an id: ID_* bits */
};
enum {
    ID_GLSL = 1,
    ID_FMA = 2,
    ID_MODE_SHIFT = 2 /* from there one bit a control: the entry has that mode */
};

struct sink {
    uint32_t *words;
    size_t count;
};

static void put(struct sink *out, const uint32_t *words, size_t count)
{
    memcpy(out->words + out->count, words, count * sizeof *words);
    out->count += count;
}

static uint32_t head(uint32_t opcode, uint32_t words)
{
    return words << 16 | opcode;
}

/* Is the literal string in words[0 .. count) equal to `name`? */
static bool literal_is(const uint32_t *words, size_t count, const char *name)
{
    size_t bytes = strlen(name) + 1;
    return count >= (bytes + 3) / 4 && memcmp(words, name, bytes) == 0;
}

/* Call `visit` for every instruction. False if a length is 0 or leads past the end. */
static bool walk(const uint32_t *words, size_t count, void (*visit)(void *, const uint32_t *, size_t, size_t),
                 void *context)
{
    for (size_t at = HEADER_WORDS; at < count;) {
        size_t length = words[at] >> 16;
        if (length == 0 || length > count - at) return false;
        visit(context, words + at, length, at);
        at += length;
    }
    return true;
}

static void survey_declarations(void *context, const uint32_t *op, size_t length, size_t at)
{
    struct survey *s = context;
    switch (op[0] & 0xFFFF) {
    case OP_CAPABILITY:
        for (size_t i = 0; i < CONTROLS && length == 2; i++)
            if (op[1] == controls_table[i].capability) s->capabilities |= controls_table[i].flag;
        break;
    case OP_EXTENSION:
        if (literal_is(op + 1, length - 1, extension_name)) s->extension = true;
        break;
    case OP_EXT_INST_IMPORT:
        if (length > 2 && op[1] < s->bound && literal_is(op + 2, length - 2, glsl_name))
            s->id[op[1]] |= ID_GLSL;
        break;
    case OP_ENTRY_POINT:
        s->entry_count++;
        s->entry_last = at;
        break;
    case OP_EXECUTION_MODE:
        for (size_t i = 0; i < CONTROLS && length == 4; i++)
            if (op[2] == controls_table[i].mode && op[3] == 32 && op[1] < s->bound)
                s->id[op[1]] |= (uint8_t)(1u << (ID_MODE_SHIFT + i));
        break;
    case OP_GROUP_DECORATE:
        s->groups = true;
        break;
    default:
        break;
    }
}

static bool is_fma(const struct survey *s, const uint32_t *op, size_t length)
{
    return (op[0] & 0xFFFF) == OP_EXT_INST && length == FMA_WORDS && op[4] == GLSL_FMA && op[3] < s->bound &&
           (s->id[op[3]] & ID_GLSL) && op[2] < s->bound;
}

static void survey_fma(void *context, const uint32_t *op, size_t length, size_t at)
{
    struct survey *s = context;
    (void)at;
    if (!is_fma(s, op, length)) return;
    s->id[op[2]] |= ID_FMA;
    s->fma_count++;
}

struct rewrite {
    struct survey *survey;
    struct sink out;
    uint32_t controls;
    uint32_t next_id;
    bool extension_due;
    const uint32_t *words; /* whole module */
};

static void put_extension(struct rewrite *r)
{
    uint32_t text[EXTENSION_WORDS] = {head(OP_EXTENSION, EXTENSION_WORDS)};
    memcpy(text + 1, extension_name, sizeof extension_name);
    put(&r->out, text, EXTENSION_WORDS);
    r->extension_due = false;
}

static void put_modes_of_entry(void *context, const uint32_t *op, size_t length, size_t at)
{
    struct rewrite *r = context;
    (void)at;
    if ((op[0] & 0xFFFF) != OP_ENTRY_POINT || length < 4 || op[2] >= r->survey->bound) return;
    for (size_t i = 0; i < CONTROLS; i++) {
        uint8_t has = (uint8_t)(1u << (ID_MODE_SHIFT + i));
        if (!(r->controls & controls_table[i].flag) || (r->survey->id[op[2]] & has)) continue;
        uint32_t mode[4] = {head(OP_EXECUTION_MODE, 4), op[2], controls_table[i].mode, 32};
        put(&r->out, mode, 4);
        r->survey->id[op[2]] |= has; /* one function may be the entry point of two names */
    }
}

static void rewrite_one(void *context, const uint32_t *op, size_t length, size_t at)
{
    struct rewrite *r = context;
    struct survey *s = r->survey;
    uint32_t opcode = op[0] & 0xFFFF;
    bool contract = r->controls & ASSAY_CTRL_CONTRACT;
    if (r->extension_due && opcode != OP_CAPABILITY) put_extension(r);
    if (contract && is_fma(s, op, length)) {
        uint32_t product = r->next_id++;
        uint32_t pair[10] = {head(OP_F_MUL, 5), op[1], product, op[5],   op[6],
                             head(OP_F_ADD, 5), op[1], op[2],   product, op[7]};
        put(&r->out, pair, 10);
    } else if (contract && opcode == OP_DECORATE && length == 3 && op[2] == DECORATION_NO_CONTRACTION &&
               op[1] < s->bound && (s->id[op[1]] & ID_FMA)) {
        /* the sum takes over the result id: this is what must become free */
    } else {
        put(&r->out, op, length);
    }
    if (at == s->entry_last) (void)walk(r->words, at + length, put_modes_of_entry, r);
}

enum assay_status assay_spirv_patch(const uint32_t *words, size_t count, uint32_t controls, uint32_t **out,
                                    size_t *out_count, struct assay_error *error)
{
    const uint32_t known = ASSAY_CTRL_RTE | ASSAY_CTRL_SZINP | ASSAY_CTRL_DENORM | ASSAY_CTRL_CONTRACT;
    const uint32_t modes = controls & ~ASSAY_CTRL_CONTRACT;
    enum assay_status status = ASSAY_OK;
    struct survey survey = {0};
    struct rewrite rewrite = {.survey = &survey, .controls = controls, .words = words};
    *out = NULL;
    *out_count = 0;
    if (controls & ~known)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "SPIR-V patch: unknown controls 0x%x",
                               controls & ~known);
    if (words == NULL || count < HEADER_WORDS || count > WORDS_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "SPIR-V module of %zu words: 5 to %d can be read",
                               count, (int)WORDS_MAX);
    if (words[0] != MAGIC)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "SPIR-V module starts with 0x%08x, not with 0x%08x", words[0], MAGIC);
    survey.bound = words[3];
    if (survey.bound == 0 || survey.bound > BOUND_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "SPIR-V module declares %u ids: 1 to %d can be read", survey.bound,
                               (int)BOUND_MAX);
    survey.id = calloc(survey.bound, 1);
    if (survey.id == NULL)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "SPIR-V patch: no memory for %u bytes",
                               survey.bound);
    if (!walk(words, count, survey_declarations, &survey)) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "SPIR-V module: an instruction's length is 0 or leads "
                                 "past the end");
        goto done;
    }
    (void)walk(words, count, survey_fma, &survey);
    if (modes != 0 && survey.entry_count == 0) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "SPIR-V module has no entry point to set float controls on");
        goto done;
    }
    if ((controls & ASSAY_CTRL_CONTRACT) && survey.groups) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "SPIR-V module uses decoration groups, which the "
                                 "contracting form does not take");
        goto done;
    }
    if (survey.fma_count > BOUND_MAX - survey.bound) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "SPIR-V module: no ids left for %zu products",
                                 survey.fma_count);
        goto done;
    }
    size_t room =
        count + 2 * CONTROLS + EXTENSION_WORDS + survey.entry_count * 4 * CONTROLS + 2 * survey.fma_count;
    rewrite.out.words = malloc(room * sizeof *words);
    if (rewrite.out.words == NULL) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "SPIR-V patch: no memory for %zu words", room);
        goto done;
    }
    rewrite.next_id = survey.bound;
    put(&rewrite.out, words, HEADER_WORDS);
    for (size_t i = 0; i < CONTROLS; i++) {
        uint32_t capability[2] = {head(OP_CAPABILITY, 2), controls_table[i].capability};
        if (modes & controls_table[i].flag & ~survey.capabilities) put(&rewrite.out, capability, 2);
    }
    rewrite.extension_due = modes != 0 && !survey.extension;
    (void)walk(words, count, rewrite_one, &rewrite);
    rewrite.out.words[3] = rewrite.next_id;
    *out = rewrite.out.words;
    *out_count = rewrite.out.count;
done:
    free(survey.id);
    return status;
}
