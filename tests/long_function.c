/* Every input of the correctly rounded functions, in both forms, against the stored digests of corpus/golden/.
 *
 * usage: long_function                      one block of 2^20 inputs in 64, which a run of test-long can afford
 *        long_function all [NAME...]        all 4096 blocks: the proof that function.h speaks of, most of an hour of 2 cores
 *        long_function exceptions FILE      writes the inputs that the pairs alone round to the wrong side, for
 *                                           scripts/function-exceptions.py; slower still, since each right answer is made */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/function_reference.h"

#define THREADS_MOST 256
#define STRIDE       64u

static uint32_t stride = STRIDE;

static uint32_t apply(float (*function)(float), uint32_t x)
{
    float f, y;
    uint32_t bits;
    memcpy(&f, &x, sizeof f);
    y = function(f);
    memcpy(&bits, &y, sizeof bits);
    return bits; /* NaN results are 7fc00000 by promise */
}

/* One function through all blocks, shared by threads. */
struct walk {
    enum function_reference function;
    atomic_uint next; /* block */
    uint64_t want[FUNCTION_BLOCKS];
    atomic_uint wrong, checked; /* blocks */
    atomic_uint first;          /* wrong block and form: 2 * block + form */
    FILE *exceptions;
    pthread_mutex_t lock;
};

static void walk_threads(void *(*work)(void *), struct walk *walk)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const long threads = processors < 1 ? 1 : processors > THREADS_MOST ? THREADS_MOST : processors;
    pthread_t thread[THREADS_MOST];
    for (long i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, walk) != 0) abort();
    for (long i = 0; i < threads; i++) pthread_join(thread[i], NULL);
}

static uint64_t block_digest(float (*function)(float), uint32_t block)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < 1u << 20; i++) {
        const uint32_t x = block << 20 | i;
        digest += function_mix(x, apply(function, x));
    }
    return digest;
}

static void *check_blocks(void *context)
{
    struct walk *walk = context;
    for (uint32_t block; (block = atomic_fetch_add(&walk->next, stride)) < FUNCTION_BLOCKS;)
        for (uint32_t form = 0; form < 2; form++) {
            float (*const function)(float) =
                form ? function_unfused[walk->function] : function_fused[walk->function];
            walk->checked++;
            if (block_digest(function, block) == walk->want[block]) continue;
            walk->wrong++;
            unsigned before = walk->first;
            while (2 * block + form < before &&
                   !atomic_compare_exchange_weak(&walk->first, &before, 2 * block + form)) {
            }
        }
    return NULL;
}

static void read_digests(struct walk *walk)
{
    char path[64], line[256];
    uint32_t count = 0;
    snprintf(path, sizeof path, "corpus/golden/%s.txt", function_reference_names[walk->function]);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (*line == '#') continue;
        assert_true(count + 4 <= FUNCTION_BLOCKS);
        uint64_t *want = &walk->want[count];
        assert_int_equal(
            sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64, want, want + 1, want + 2, want + 3),
            4);
        count += 4;
    }
    fclose(file);
    assert_int_equal(count, FUNCTION_BLOCKS);
}

/* The first input of a block whose digest is wrong. */
static void tell(const struct walk *walk, uint32_t block, uint32_t form)
{
    const char *name = function_reference_names[walk->function];
    float (*const function)(float) = form ? function_unfused[walk->function] : function_fused[walk->function];
    for (uint32_t i = 0; i < 1u << 20; i++) {
        const uint32_t x = block << 20 | i, want = function_reference(walk->function, x, NULL),
                       got = apply(function, x);
        if (got != want)
            fail_msg("%u blocks are wrong; %s of %08x is %08x, not %08x, in the %s form", walk->wrong, name,
                     x, got, want, form ? "unfused" : "fused");
    }
    fail_msg("%s, block %x: its stored digest is not that of the right answers", name, block);
}

static void every_input(void **state)
{
    struct walk *walk = calloc(1, sizeof *walk);
    assert_non_null(walk);
    walk->function = (enum function_reference)(uintptr_t)*state;
    walk->first = UINT32_MAX;
    /* Another block of each stride for each function, so that a run of one in 64 meets all kinds of exponents. */
    walk->next = stride == 1 ? 0 : 7u * walk->function % stride;
    const uint32_t blocks = (FUNCTION_BLOCKS - walk->next + stride - 1) / stride;
    read_digests(walk);
    walk_threads(check_blocks, walk);
    assert_int_equal(walk->checked, 2 * blocks);
    if (walk->wrong) tell(walk, walk->first / 2, walk->first % 2);
    free(walk);
}

/* ---- exceptions ---- */

static void *find_exceptions(void *context)
{
    struct walk *walk = context;
    for (uint32_t block; (block = atomic_fetch_add(&walk->next, 1)) < FUNCTION_BLOCKS;)
        for (uint32_t i = 0; i < 1u << 20; i++) {
            const uint32_t x = block << 20 | i, want = function_reference(walk->function, x, NULL);
            if (apply(function_bare_fused[walk->function], x) == want &&
                apply(function_bare_unfused[walk->function], x) == want)
                continue;
            pthread_mutex_lock(&walk->lock);
            fprintf(walk->exceptions, "%s %08x %08x\n", function_reference_names[walk->function], x, want);
            pthread_mutex_unlock(&walk->lock);
        }
    return NULL;
}

static int write_exceptions(const char *path)
{
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk || !(walk->exceptions = fopen(path, "w"))) {
        perror(path);
        free(walk);
        return 1;
    }
    pthread_mutex_init(&walk->lock, NULL);
    for (int function = 0; function < FUNCTION_COUNT; function++) {
        walk->function = (enum function_reference)function;
        walk->next = 0;
        walk_threads(find_exceptions, walk);
    }
    const bool failed = fclose(walk->exceptions) != 0;
    pthread_mutex_destroy(&walk->lock);
    free(walk);
    return failed;
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[FUNCTION_COUNT];
    size_t count = 0;
    if (argc == 3 && strcmp(argv[1], "exceptions") == 0) return write_exceptions(argv[2]);
    const bool all = argc > 1 && strcmp(argv[1], "all") == 0;
    if (all) stride = 1;
    if (argc > 1 && !all) {
        fprintf(stderr, "usage: %s [all [NAME...] | exceptions FILE]\n", argv[0]);
        return 1;
    }
    for (uintptr_t function = 0; function < FUNCTION_COUNT; function++) {
        bool wanted = argc < 3;
        for (int i = 2; i < argc; i++) wanted |= strcmp(argv[i], function_reference_names[function]) == 0;
        if (wanted)
            tests[count++] = (struct CMUnitTest){function_reference_names[function], every_input, NULL, NULL,
                                                 (void *)function};
    }
    if (count == 0) fprintf(stderr, "%s: no such function\n", argv[2]);
    return count == 0 || _cmocka_run_group_tests("long_function", tests, count, NULL, NULL);
}
