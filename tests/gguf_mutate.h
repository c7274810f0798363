/* The GGUF file of the tests damaged at random, for test_gguf.c (thousands) and long_gguf.c (a hundred thousand). The
 * reader must give either tensors that can be read to the last byte or an error that names the file. */
#ifndef TESTS_GGUF_MUTATE_H
#define TESTS_GGUF_MUTATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/gguf_case.h"

#define GGUF_SMALL "corpus/small.gguf"
enum { GGUF_ROOM = 1 << 16, GGUF_HEAD = 1216 /* more than metadata and infos */ };

static volatile unsigned gguf_sum;

static inline uint8_t *gguf_read(size_t *size)
{
    FILE *file = fopen(GGUF_SMALL, "rb");
    uint8_t *bytes = malloc(GGUF_ROOM);
    assert_non_null(file);
    assert_non_null(bytes);
    *size = fread(bytes, 1, GGUF_ROOM, file);
    assert_true(*size > GGUF_HEAD && *size < GGUF_ROOM);
    fclose(file);
    return bytes;
}

/* True if it was read. The copy is exactly as long as it is, so that a sanitizer sees a byte read past its end. */
static inline bool gguf_try(const uint8_t *bytes, size_t size)
{
    struct assay_error error = {0};
    struct gguf gguf;
    struct corpus corpus = {0};
    uint8_t *tight = malloc(size ? size : 1);
    assert_non_null(tight);
    memcpy(tight, bytes, size);
    const enum assay_status status = gguf_parse("mutant", tight, size, &gguf, &error);
    assert_int_equal(status, error.status);
    if (status) {
        assert_memory_equal(error.text, "mutant is no GGUF file that can be read: ", 41);
        assert_null(gguf.tensor);
    }
    for (size_t i = 0; i < gguf.tensor_count; i++) {
        const struct gguf_tensor *t = &gguf.tensor[i];
        assert_true(t->offset <= size && t->bytes <= size - t->offset);
        for (uint64_t at = 0; at < t->bytes; at += 97) gguf_sum += tight[t->offset + at];
        if (t->bytes) gguf_sum += tight[t->offset + t->bytes - 1];
    }
    if (!status && gguf_case_add(&gguf, LEVEL_QUICK, &corpus, NULL) == ASSAY_OK)
        for (size_t i = 0; i < corpus.count; i++) {
            struct assay_tensor tensor;
            assert_int_equal(gguf_case_tensor(&gguf, &corpus.entry[i].spec, &tensor, NULL), ASSAY_OK);
        }
    corpus_free(&corpus);
    gguf_close(&gguf);
    free(tight);
    return !status;
}

static inline uint32_t gguf_next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

static inline size_t gguf_damage(uint8_t *bytes, size_t size, uint64_t *state)
{
    static const uint8_t nasty[] = {0, 1, 2, 7, 8, 9, 12, 13, 0x7f, 0x80, 0xff};
    const size_t at = gguf_next(state) % (size < GGUF_HEAD ? size : GGUF_HEAD);
    const uint32_t draw = gguf_next(state);
    const size_t length = at + 1 + draw % 12 > size ? size - at : 1 + draw % 12;
    switch (gguf_next(state) % 7) {
    case 0:
        bytes[at] ^= (uint8_t)(1u << draw % 8);
        break;
    case 1:
        bytes[at] = nasty[draw % sizeof nasty];
        break;
    case 2:
        bytes[at] = (uint8_t)draw;
        break;
    case 3: /* remove a few bytes */
        memmove(bytes + at, bytes + at + length, size - at - length);
        size -= length;
        break;
    case 4: /* repeat a few */
        memmove(bytes + at + length, bytes + at, size - at);
        size += length;
        break;
    case 5:
        size -= gguf_next(state) % 8 ? 0 : draw % size;
        break;
    default: /* a number of 2^63 and beyond, or near 2^64 */
        for (size_t i = 0; i < 8 && at + i < size; i++) bytes[at + i] = i == 0 ? (uint8_t)draw : 0xff;
    }
    return size ? size : 1;
}

static inline void gguf_mutate(int rounds, uint64_t seed)
{
    uint64_t state = seed;
    size_t size;
    int read = 0;
    uint8_t *original = gguf_read(&size), *mutant = malloc(2 * GGUF_ROOM);
    assert_non_null(mutant);
    for (int i = 0; i < rounds; i++) {
        size_t length = size;
        memcpy(mutant, original, size);
        for (uint32_t n = 1 + gguf_next(&state) % 4; n > 0; n--) length = gguf_damage(mutant, length, &state);
        read += gguf_try(mutant, length);
    }
    free(mutant);
    free(original);
    /* Some damage is harmless and some is not: were all alike, the mutants would not be near the format. */
    assert_true(read > rounds / 100);
    assert_true(read < rounds * 9 / 10);
}

#endif
