/* The sweeps in plain C: what they do on any device, where "units" are workgroups of a thread pool and "memory" is the
 * host's. The other backends are held to its bits.
 *
 * Exactness: text.h. Adds and ORs into Y are atomic and commute, so the order of workgroups changes no bit. */
#include "kernels/exact/exact.h"
#include "kernels/sweep/sweep.h"
#include "kernels/sweep/text.h"

#define SECTION __attribute__((section("assay_sweep_plain"), flatten))

static void clear(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct sweep_push *p = push;
    uint32_t *y = (uint32_t *)buffers[0] + p->out_from;
    for (uint32_t i = group[0] * 256; i < p->words && i < group[0] * 256 + 256; i++)
        y[i] = (p->pattern ? i % 5 == 2 : i % 2) ? SWEEP_NONE : 0;
    if (group[0] == 0) *(uint32_t *)buffers[1] = 0;
}

/* What a unit found joins its row. */
static void visit(uint32_t *row, uint32_t s0, uint32_t s1)
{
    __atomic_fetch_or(&row[0], s0, __ATOMIC_RELAXED);
    __atomic_fetch_and(&row[1], s0, __ATOMIC_RELAXED);
    __atomic_fetch_or(&row[2], s1, __ATOMIC_RELAXED);
    __atomic_fetch_and(&row[3], s1, __ATOMIC_RELAXED);
}

#define WORK(form)                                                                                           \
    SWEEP_CHAIN(chain_##form, xf_fma_##form)                                                                 \
    static SECTION void work_##form(void *const *buffers, const void *push, const uint32_t group[3])         \
    {                                                                                                        \
        const struct sweep_push *p = push;                                                                   \
        const uint32_t *k = (const uint32_t *)buffers[0] + p->in_from;                                       \
        uint32_t s0 = 0, s1 = 0;                                                                             \
        for (uint32_t t = 0; t < SWEEP_CHAINS; t++) {                                                        \
            const uint32_t h = chain_##form(t, k[0], k[1], p->rounds);                                       \
            s0 += h;                                                                                         \
            s1 += h * (2 * t + 1);                                                                           \
        }                                                                                                    \
        visit((uint32_t *)buffers[1] + p->out_from + 4 * (size_t)group[0], s0, s1);                          \
    }

WORK(native)
WORK(guarded)
WORK(emulated)
WORK(integer)

static SECTION void write_part(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct sweep_push *p = push;
    const uint32_t *k = (const uint32_t *)buffers[0] + p->in_from, k0 = k[0], k1 = k[1];
    uint32_t *part = buffers[1];
    for (uint64_t from = (uint64_t)group[0] * SWEEP_TILE; from < p->words;
         from += (uint64_t)p->groups * SWEEP_TILE)
        for (uint64_t i = from; i < from + SWEEP_TILE && i < p->words; i++)
            part[i] = sweep_word(p->pattern, p->pass, p->slot, (uint32_t)i, k0, k1);
}

static SECTION void check_part(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct sweep_push *p = push;
    const uint32_t *k = (const uint32_t *)buffers[0] + p->in_from, k0 = k[0], k1 = k[1];
    const uint32_t *part = buffers[1];
    uint32_t wrong = 0, bits = 0, first = SWEEP_NONE, sum = 0, weighted = 0;
    const int64_t tiles = (p->words + SWEEP_TILE - 1) / SWEEP_TILE;
    for (int64_t tile = tiles - 1 - group[0]; tile >= 0; tile -= p->groups) {
        const uint64_t from = (uint64_t)tile * SWEEP_TILE;
        for (uint64_t i = from; i < from + SWEEP_TILE && i < p->words; i++) {
            const uint32_t word = part[i],
                           differ = word ^ sweep_word(p->pattern, p->pass, p->slot, (uint32_t)i, k0, k1);
            sum += word;
            weighted += word * (2 * (uint32_t)i + 1);
            if (!differ) continue;
            wrong++;
            bits |= differ;
            if (i < first) first = (uint32_t)i;
        }
    }
    uint32_t *y = (uint32_t *)buffers[2] + p->out_from + 10 * (size_t)p->slot + 5 * p->pass;
    __atomic_fetch_add(&y[0], wrong, __ATOMIC_RELAXED);
    __atomic_fetch_or(&y[1], bits, __ATOMIC_RELAXED);
    uint32_t seen = __atomic_load_n(&y[2], __ATOMIC_RELAXED);
    while (first < seen &&
           !__atomic_compare_exchange_n(&y[2], &seen, first, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    __atomic_fetch_add(&y[3], sum, __ATOMIC_RELAXED);
    __atomic_fetch_add(&y[4], weighted, __ATOMIC_RELAXED);
}

static SECTION void sum_chunks(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct sweep_push *p = push;
    const uint32_t *x = (const uint32_t *)buffers[0] + p->in_from;
    uint32_t *y = (uint32_t *)buffers[1] + p->out_from;
    const uint32_t chunks = (p->words + SWEEP_CHUNK - 1) / SWEEP_CHUNK;
    for (uint32_t chunk = group[0]; chunk < chunks; chunk += p->groups) {
        uint32_t sum = 0, weighted = 0;
        for (uint32_t i = 0; i < SWEEP_CHUNK && chunk * SWEEP_CHUNK + i < p->words; i++) {
            const uint32_t word = x[chunk * SWEEP_CHUNK + i];
            sum += word;
            weighted += word * (2 * i + 1);
        }
        y[2 * chunk] = sum;
        y[2 * chunk + 1] = weighted;
    }
}

static SECTION void make_words(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct sweep_push *p = push;
    const uint32_t *k = (const uint32_t *)buffers[0] + p->in_from, k0 = k[0], k1 = k[1];
    uint32_t *y = (uint32_t *)buffers[1] + p->out_from;
    for (uint64_t from = (uint64_t)group[0] * SWEEP_TILE; from < p->words;
         from += (uint64_t)p->groups * SWEEP_TILE)
        for (uint64_t i = from; i < from + SWEEP_TILE && i < p->words; i++)
            y[i] = sweep_out_word((uint32_t)i, k0, k1);
}

extern const char __start_assay_sweep_plain[] __attribute__((visibility("hidden")));
extern const char __stop_assay_sweep_plain[] __attribute__((visibility("hidden")));

#define CODE(name_, function)                                                                                \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = "sweep.cpu." name_, .data = __start_assay_sweep_plain,            \
        .end = __stop_assay_sweep_plain, .native = function                                                  \
    }
static const struct assay_code code[SWEEP_PROGRAMS] = {
    [SWEEP_CLEAR] = CODE("clear", clear),      [SWEEP_WRITE] = CODE("write", write_part),
    [SWEEP_CHECK] = CODE("check", check_part), [SWEEP_SUM] = CODE("sum", sum_chunks),
    [SWEEP_MAKE] = CODE("make", make_words),
};
static const struct assay_code work[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_NATIVE] = CODE("work.native", work_native),
    [ASSAY_VARIANT_GUARDED] = CODE("work.guarded", work_guarded),
    [ASSAY_VARIANT_EMULATED] = CODE("work.emulated", work_emulated),
    [ASSAY_VARIANT_INTEGER] = CODE("work.integer", work_integer),
};

static void choose(const struct assay_device_info *info, enum sweep_program program,
                   enum assay_variant variant, struct assay_program_params *params)
{
    (void)info;
    params->codes = program == SWEEP_WORK ? &work[variant] : &code[program];
    params->code_count = 1;
}

bool sweep_cpu_present(const struct assay_device_info *info, enum sweep_program program, char why[160])
{
    (void)info, (void)program;
    why[0] = '\0';
    return true;
}

const struct sweep_backend sweep_cpu = {.name = "cpu", .threads = 1, .choose = choose, .smid_groups = 1};
