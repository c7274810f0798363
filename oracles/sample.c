/* Which rows of an output too large to judge whole are judged: a function of the case and the seed alone. */
#include "oracles/oracle.h"

#include <stdlib.h>

#define BAND_ROWS 32

/* splitmix64 (Steele, Lea, Flood, 2014). */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

int64_t oracle_sample_rows(const struct op_case *c, double flops_allowed, uint64_t seed, int64_t **list)
{
    const int64_t rows = c->op->rows(c);
    const double flops = c->op->flops(c);
    *list = NULL;
    if (!(flops > flops_allowed) || rows <= 2) return rows;
    int64_t count = (int64_t)((double)rows * (flops_allowed / flops));
    if (count < 2) count = 2;
    if (count >= rows) return rows;
    /* Rows are taken in bands of neighbours: float64 products of many rows cost far less a row. */
    const int64_t band = count >= 16 * BAND_ROWS ? BAND_ROWS : 1, bands = count / band;
    count = bands * band;
    int64_t *chosen = malloc((size_t)count * sizeof *chosen);
    if (!chosen) return rows;
    /* One band from each of equal parts: tiles of every kind of position are met, and no row twice. */
    for (int64_t i = 0; i < bands; ++i) {
        const int64_t begin = (int64_t)((__int128)rows * i / bands),
                      end = (int64_t)((__int128)rows * (i + 1) / bands);
        int64_t row = begin + (int64_t)(mix(seed ^ mix((uint64_t)i)) % (uint64_t)(end - begin - band + 1));
        if (i == 0) row = 0;
        if (i == bands - 1) row = rows - band;
        for (int64_t r = 0; r < band; ++r) chosen[i * band + r] = row + r;
    }
    *list = chosen;
    return count;
}
