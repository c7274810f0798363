/* See share_rules.h. */
#include "kernels/share_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_MOST    0.95
#define LIMIT_DEFAULT 0.8
#define LIMIT_LEAST   0.05

enum assay_status assay_share_number(const char *name, const char *word, double *value,
                                     struct assay_error *error)
{
    char *end = NULL;
    double number = word ? strtod(word, &end) : 0;
    if (!word || end == word || *end || isnan(number))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s is '%s', not a number", name,
                               word ? word : "");
    *value = number;
    return ASSAY_OK;
}

double share_clamp(double share)
{
    return share > SHARE_MOST ? SHARE_MOST : share > 0 ? share : 0;
}

double share_limit(double limit)
{
    if (limit == 0) return LIMIT_DEFAULT;
    return limit > 1 ? 1 : limit > LIMIT_LEAST ? limit : LIMIT_LEAST;
}

void share_calibrate(const uint64_t *card_ns, size_t count, uint64_t cpu_ns, double *share)
{
    for (size_t i = 0; i < count; i++) share[i] = card_ns[i] ? 1 : 0;
    for (size_t pass = 0; pass <= count; pass++) { /* each pass but the last leaves a card out */
        double all = 1 / (double)(cpu_ns ? cpu_ns : 1), least = SHARE_LEAST;
        size_t out = count;
        for (size_t i = 0; i < count; i++)
            if (share[i] > 0) all += 1 / (double)card_ns[i];
        for (size_t i = 0; i < count; i++) {
            if (share[i] <= 0) continue;
            share[i] = 1 / (double)card_ns[i] / all;
            if (share[i] >= least) continue;
            least = share[i];
            out = i;
        }
        if (out == count) return;
        share[out] = 0;
    }
}

int64_t share_end(const double *share, size_t card, int64_t rows)
{
    double sum = 0;
    for (size_t i = 0; i <= card; i++) sum += share[i];
    double end = floor(sum * (double)rows);
    return end < 0 ? 0 : end > (double)rows ? rows : (int64_t)end;
}

bool share_fits(const struct assay_share_memory *memory, double limit, uint64_t held, uint64_t bytes)
{
    if (bytes > UINT64_MAX - held) return false;
    const double all = (double)(held + bytes);
    if (all > limit * (double)memory->heap_bytes) return false;
    return !memory->integrated || all <= limit * ((double)held + (double)memory->available_bytes);
}

uint64_t share_rest_ns(uint64_t busy_ns, double limit)
{
    return (uint64_t)llround((double)busy_ns * (1 - limit) / limit);
}

enum share_side share_tune_turn(const struct share_tune *tune)
{
    if (tune->decided) return tune->side;
    return tune->counted % 2 ? SHARE_CARD : SHARE_CPU;
}

bool share_tune_warms(const struct share_tune *tune)
{
    return tune->counted < SHARE_SIDES;
}

static int compare_ns(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double median_ns(const uint64_t ns[SHARE_TRIALS])
{
    uint64_t sorted[SHARE_TRIALS];
    memcpy(sorted, ns, sizeof sorted);
    qsort(sorted, SHARE_TRIALS, sizeof *sorted, compare_ns);
    return ((double)sorted[SHARE_TRIALS / 2 - 1] + (double)sorted[SHARE_TRIALS / 2]) / 2;
}

bool share_tune_note(struct share_tune *tune, uint64_t ns)
{
    if (tune->decided) return false;
    if (!share_tune_warms(tune)) tune->ns[share_tune_turn(tune)][tune->counted / SHARE_SIDES - 1] = ns;
    if (++tune->counted < SHARE_SIDES * (1 + SHARE_TRIALS)) return false;
    tune->decided = true;
    tune->side = median_ns(tune->ns[SHARE_CARD]) < median_ns(tune->ns[SHARE_CPU]) ? SHARE_CARD : SHARE_CPU;
    return true;
}
