/* A thread pool: ranges of one job at a time, handed out by a counter. Which thread takes which range is left to
 * chance; the ranges themselves depend on count and grain alone, so that results can not depend on threads. */
#include "oracles/oracle.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct job {
    void (*work)(void *context, int64_t i0, int64_t i1);
    void *context;
    int64_t count, grain;
    _Atomic int64_t next;
};

struct oracle_pool {
    pthread_mutex_t turn; /* held by the caller whose job runs */
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    struct job *job;
    uint64_t generation;
    unsigned working; /* helpers that have not finished this generation */
    bool leave;
    unsigned helpers; /* threads besides the caller */
    pthread_t thread[];
};

static void take_ranges(struct job *job)
{
    for (;;) {
        const int64_t i0 = atomic_fetch_add(&job->next, job->grain);
        if (i0 >= job->count) return;
        job->work(job->context, i0, job->count - i0 < job->grain ? job->count : i0 + job->grain);
    }
}

static void *help(void *argument)
{
    struct oracle_pool *pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->leave && pool->generation == seen) pthread_cond_wait(&pool->begin, &pool->mutex);
        if (pool->leave) break;
        seen = pool->generation;
        struct job *job = pool->job;
        pthread_mutex_unlock(&pool->mutex);
        take_ranges(job);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->working == 0) pthread_cond_signal(&pool->end);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static unsigned processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    const int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

struct oracle_pool *oracle_pool_new(unsigned threads)
{
    if (threads == 0) threads = processors();
    struct oracle_pool *pool = calloc(1, sizeof *pool + (threads - 1) * sizeof pool->thread[0]);
    if (!pool) return NULL;
    pthread_mutex_init(&pool->turn, NULL);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->end, NULL);
    for (; pool->helpers < threads - 1; ++pool->helpers)
        if (pthread_create(&pool->thread[pool->helpers], NULL, help, pool)) {
            oracle_pool_free(pool);
            return NULL;
        }
    return pool;
}

void oracle_pool_free(struct oracle_pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    pool->leave = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->helpers; ++i) pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->end);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->mutex);
    pthread_mutex_destroy(&pool->turn);
    free(pool);
}

unsigned oracle_pool_threads(const struct oracle_pool *pool)
{
    return pool ? pool->helpers + 1 : 1;
}

void oracle_pool_for(struct oracle_pool *pool, int64_t count, int64_t grain,
                     void (*work)(void *context, int64_t i0, int64_t i1), void *context)
{
    struct job job = {.work = work, .context = context, .count = count, .grain = grain > 0 ? grain : 1};
    if (!pool || pool->helpers == 0 || count <= job.grain) {
        take_ranges(&job);
        return;
    }
    pthread_mutex_lock(&pool->turn);
    pthread_mutex_lock(&pool->mutex);
    pool->job = &job;
    pool->working = pool->helpers;
    ++pool->generation;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);
    take_ranges(&job);
    pthread_mutex_lock(&pool->mutex);
    while (pool->working > 0) pthread_cond_wait(&pool->end, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    pthread_mutex_unlock(&pool->turn);
}
