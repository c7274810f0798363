/* The thread pool: every index once, whatever the threads and the grain, and ready again at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oracles/oracle.h"

struct marks {
    unsigned char *at;
    int64_t grain, count;
    atomic_int wrong;
};

static void mark(void *context, int64_t i0, int64_t i1)
{
    struct marks *m = context;
    /* The ranges are the same for any number of threads. */
    if (i0 % m->grain || i1 - i0 > m->grain || (i1 != m->count && i1 - i0 != m->grain))
        atomic_fetch_add(&m->wrong, 1);
    for (int64_t i = i0; i < i1; ++i) ++m->at[i];
}

static void try_for(struct oracle_pool *pool, int64_t count, int64_t grain)
{
    struct marks m = {calloc((size_t)count + 1, 1), grain, count, 0};
    assert_non_null(m.at);
    oracle_pool_for(pool, count, grain, mark, &m);
    for (int64_t i = 0; i < count; ++i) assert_int_equal(m.at[i], 1);
    assert_int_equal(m.at[count], 0);
    if (pool) assert_int_equal(m.wrong, 0);
    free(m.at);
}

static void every_index_once(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 3, 16};
    static const int64_t counts[] = {0, 1, 2, 63, 64, 65, 1000}, grains[] = {1, 3, 64, 5000};
    for (size_t t = 0; t < 4; ++t) {
        struct oracle_pool *pool = oracle_pool_new(threads[t]);
        assert_non_null(pool);
        assert_int_equal(oracle_pool_threads(pool), threads[t]);
        for (size_t c = 0; c < 7; ++c)
            for (size_t g = 0; g < 4; ++g) try_for(pool, counts[c], grains[g]);
        oracle_pool_free(pool);
    }
    try_for(NULL, 100, 7);
    assert_int_equal(oracle_pool_threads(NULL), 1);
    oracle_pool_free(NULL);
}

static void many_jobs(void **state)
{
    (void)state;
    struct oracle_pool *pool = oracle_pool_new(4);
    assert_non_null(pool);
    for (int i = 0; i < 2000; ++i) try_for(pool, 40, 3);
    oracle_pool_free(pool);
}

static void *jobs(void *pool)
{
    for (int i = 0; i < 300; ++i) try_for(pool, 50, 4);
    return NULL;
}

static void two_callers(void **state)
{
    (void)state;
    struct oracle_pool *pool = oracle_pool_new(3);
    pthread_t other;
    assert_non_null(pool);
    assert_int_equal(pthread_create(&other, NULL, jobs, pool), 0);
    jobs(pool);
    pthread_join(other, NULL);
    oracle_pool_free(pool);
}

static void as_many_as_processors(void **state)
{
    (void)state;
    struct oracle_pool *pool = oracle_pool_new(0);
    assert_non_null(pool);
    assert_true(oracle_pool_threads(pool) >= 1);
    try_for(pool, 1000, 1);
    oracle_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_once),
        cmocka_unit_test(many_jobs),
        cmocka_unit_test(two_callers),
        cmocka_unit_test(as_many_as_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
