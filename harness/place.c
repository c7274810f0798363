/* Where a sweep of a card went wrong: unit, word of memory, byte of a transfer, read from the judged output and the
 * contract's. The layouts are those of oracles/sweep/sweep.h. */
#include "harness/coverage.h"
#include "oracles/sweep/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct view {
    const struct assay_tensor *want;
    struct assay_tensor got;
    const struct op_case *c;
    bool part; /* of a card: its units are counted by distinct ids, in the order of these */
};

static uint32_t at(const struct assay_tensor *t, int64_t row, int64_t column)
{
    const int64_t flat = t->rank > 1 ? row * t->shape[1] + column : row;
    uint32_t word;
    memcpy(&word, (const uint8_t *)t->data + 4 * judge_element(t, flat), sizeof word);
    return word;
}

static uint32_t got(const struct view *v, int64_t row, int64_t column)
{
    return at(&v->got, row, column);
}

static uint32_t want(const struct view *v, int64_t row, int64_t column)
{
    return at(v->want, row, column);
}

/* ---- what each operator's rows mean ---- */

struct found {
    int64_t failed, missing;
    char *text;
    size_t bytes;
};

static void units_place(const struct view *v, struct found *f)
{
    const int64_t units = v->got.shape[0];
    int64_t first = -1, unseen = -1;
    for (int64_t u = 0; u < units; u++) {
        const bool visited = got(v, u, 0) != 0 || got(v, u, 1) != UINT32_MAX || got(v, u, 2) != 0 ||
                             got(v, u, 3) != UINT32_MAX;
        bool right = true;
        for (int c = 0; c < SWEEP_UNIT_COLUMNS; c++) right &= got(v, u, c) == want(v, u, c);
        if (right) continue;
        if (visited && f->failed++ == 0) first = u;
        if (!visited && f->missing++ == 0) unseen = u;
    }
    size_t used = 0;
    if (f->failed)
        used = (size_t)snprintf(f->text, f->bytes,
                                "unit %" PRId64 "%s computed %08x %08x %08x %08x, right are %08x and %08x; "
                                "%" PRId64 " of %" PRId64 " units are wrong",
                                first, v->part ? " in the order of ids" : "", got(v, first, 0),
                                got(v, first, 1), got(v, first, 2), got(v, first, 3), want(v, first, 0),
                                want(v, first, 2), f->failed, units);
    if (f->missing && used < f->bytes)
        snprintf(f->text + used, f->bytes - used,
                 v->part ? "%s%" PRId64 " of %" PRId64 " units were never visited: so many ids were not seen"
                         : "%s%" PRId64 " of %" PRId64
                           " units were never visited, the first is unit %" PRId64,
                 used ? "; " : "", f->missing, units, unseen);
}

static void memory_place(const struct view *v, struct found *f)
{
    const int64_t words = v->c->axis[MEMORY_KIB] * 256;
    int64_t first = -1, slots = 0;
    uint32_t bits = 0;
    int first_pass = 0;
    for (int64_t slot = 0; slot < v->got.shape[0]; slot++) {
        uint32_t wrong = 0;
        for (int pass = 0; pass < 2; pass++) {
            const uint32_t here = got(v, slot, 5 * pass);
            if (here && first < 0) {
                first = slot;
                first_pass = pass;
            }
            bits |= got(v, slot, 5 * pass + 1);
            if (here > wrong) wrong = here;
        }
        /* sums without a wrong word: what was read is not what was compared */
        if (!wrong && (got(v, slot, 3) != want(v, slot, 3) || got(v, slot, 4) != want(v, slot, 4) ||
                       got(v, slot, 8) != want(v, slot, 8) || got(v, slot, 9) != want(v, slot, 9)))
            wrong = 1;
        f->failed += 4 * (int64_t)wrong;
        slots += wrong > 0;
    }
    if (first >= 0) {
        const uint32_t word = got(v, first, 5 * first_pass + 2);
        snprintf(f->text, f->bytes,
                 "slot %" PRId64 ", word %u (byte %" PRId64
                 " of the sweep) is the first wrong one, in the %s; "
                 "bits %08x are wrong in %" PRId64 " bytes of %" PRId64 " slots",
                 first, word, 4 * (first * words + (int64_t)word),
                 first_pass                                  ? "complement"
                 : MEMORY_WALK == v->c->axis[MEMORY_PATTERN] ? "walking bit"
                                                             : "address pattern",
                 bits, f->failed, slots);
    } else if (slots) {
        snprintf(f->text, f->bytes, "no word is wrong, but the sums of %" PRId64 " slots are", slots);
    }
}

/* A wrong word that explains both sums of a chunk, or -1. */
static int64_t wrong_word(uint32_t sum, uint32_t weighted)
{
    for (uint32_t i = 0; sum && i < SWEEP_CHUNK_WORDS; i++)
        if (sum * (2 * i + 1) == weighted) return i;
    return -1;
}

static void upload_place(const struct view *v, struct found *f)
{
    int64_t first = -1, chunks = 0;
    for (int64_t chunk = 0; chunk < v->got.shape[0]; chunk++) {
        if (got(v, chunk, 0) == want(v, chunk, 0) && got(v, chunk, 1) == want(v, chunk, 1)) continue;
        if (chunks++ == 0) first = chunk;
    }
    if (!chunks) return;
    const uint32_t sum = got(v, first, 0) - want(v, first, 0),
                   weighted = got(v, first, 1) - want(v, first, 1);
    const int64_t word = wrong_word(sum, weighted), from = first * SWEEP_CHUNK_WORDS;
    f->failed = 4 * chunks;
    if (word >= 0)
        snprintf(f->text, f->bytes,
                 "upload: word %" PRId64 " (byte %" PRId64 ") came in %08x too large; %" PRId64 " of %" PRId64
                 " chunks are wrong",
                 from + word, 4 * (from + word), sum, chunks, v->got.shape[0]);
    else
        snprintf(f->text, f->bytes,
                 "upload: several words from word %" PRId64 " (byte %" PRId64 ") on came in wrong; %" PRId64
                 " of %" PRId64 " chunks are wrong",
                 from, 4 * from, chunks, v->got.shape[0]);
}

static void download_place(const struct view *v, struct found *f)
{
    int64_t first = -1, bytes = 0;
    for (int64_t i = 0; i < v->got.shape[0]; i++) {
        const uint32_t differ = got(v, i, 0) ^ want(v, i, 0);
        if (!differ) continue;
        if (first < 0) first = i;
        for (int b = 0; b < 4; b++) bytes += (differ >> 8 * b & 0xff) != 0;
    }
    if (first < 0) return;
    const uint32_t differ = got(v, first, 0) ^ want(v, first, 0);
    f->failed = bytes;
    snprintf(f->text, f->bytes,
             "download: byte %" PRId64 " (word %" PRId64
             ") is the first wrong one, bits %08x of its word; %" PRId64 " bytes are wrong",
             4 * first + __builtin_ctz(differ) / 8, first, differ, bytes);
}

static void (*const places[COVERAGE_WHATS])(const struct view *view, struct found *found) = {
    [COVERAGE_UNITS] = units_place,
    [COVERAGE_MEMORY] = memory_place,
    [COVERAGE_UPLOAD] = upload_place,
    [COVERAGE_DOWNLOAD] = download_place,
};

/* ---- any outcome ---- */

static bool place_of_run(const struct crew_outcome *outcome, int run, enum coverage_what what,
                         struct found *f)
{
    const struct judge_case *c = outcome->c;
    struct view view = {.want = &c->want[0],
                        .got = c->output[0].tensor,
                        .c = &c->source.spec.op,
                        .part = outcome->session->device->partition[0] != 0};
    view.got.data = outcome->result->trial.output[run][0];
    f->failed = f->missing = 0;
    f->text[0] = '\0';
    if (view.got.data) places[what](&view, f);
    return f->text[0] != '\0';
}

bool coverage_place(const struct crew_outcome *outcome, char *text, size_t bytes, int64_t *failed,
                    int64_t *missing)
{
    struct found f = {.text = text, .bytes = bytes};
    const enum verdict verdict = outcome->result->judgement.verdict;
    bool said = false;
    if (!bytes) return false;
    text[0] = '\0';
    for (int what = 0; outcome->c && outcome->spec->op.op && what < COVERAGE_WHATS; what++) {
        if (strcmp(outcome->spec->op.op->name, coverage_name(what)) != 0) continue;
        if (verdict != VERDICT_DIFF && verdict != VERDICT_NONDET) break;
        /* two runs may have gone wrong each in its own way: the last one that did speaks */
        said = place_of_run(outcome, 1, what, &f) || place_of_run(outcome, 0, what, &f);
    }
    if (failed) *failed = f.failed;
    if (missing) *missing = f.missing;
    return said;
}
