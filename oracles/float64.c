/* OpenBLAS's dgemm behind one door, and the check that must pass before it may judge anything: some builds of it are
 * wrong on some processors. Knows no operator and no tensor. */
#include "oracles/float64.h"
#include "oracles/oracle.h"

#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct assay_error verdict;
static bool preferred, room;
static char description[640];

static void dgemm(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda, const double *b, int64_t ldb,
                  double beta, double *c, int64_t ldc)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)m, (blasint)n, (blasint)k, 1.0, a,
                (blasint)lda, b, (blasint)ldb, beta, c, (blasint)ldc);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* One size: integers below 2^19 in magnitude, so that 512 products sum to less than 2^53 in any order. C starts as
 * NaN, which beta = 0 must not read, and is accumulated into once more with beta = 1. */
static enum assay_status try_size(float64_gemm_fn *gemm, const char *name, int64_t m, int64_t n, int64_t k,
                                  struct assay_error *error)
{
    const int64_t lda = k + 3, ldb = n + 1, ldc = n + 2;
    double *a = malloc((size_t)(m * lda) * sizeof *a), *b = malloc((size_t)(k * ldb) * sizeof *b);
    double *c = malloc((size_t)(m * ldc) * sizeof *c);
    enum assay_status status = ASSAY_OK;
    uint64_t state = (uint64_t)(m * 1000003 + n * 1009 + k);
    if (!a || !b || !c) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the check of %s", name);
        goto done;
    }
    for (int64_t i = 0; i < m * lda; ++i) a[i] = (double)(next(&state) % 1048575) - 524287;
    for (int64_t i = 0; i < k * ldb; ++i) b[i] = (double)(next(&state) % 1048575) - 524287;
    for (int64_t i = 0; i < m * ldc; ++i) c[i] = NAN;
    gemm(m, n, k, a, lda, b, ldb, 0.0, c, ldc);
    gemm(m, n, k, a, lda, b, ldb, 1.0, c, ldc);
    for (int64_t i = 0; i < m && !status; ++i)
        for (int64_t j = 0; j < n && !status; ++j) {
            int64_t sum = 0;
            for (int64_t p = 0; p < k; ++p) sum += (int64_t)a[i * lda + p] * (int64_t)b[p * ldb + j];
            if (!(c[i * ldc + j] == 2.0 * (double)sum))
                status = assay_error_set(
                    error, ASSAY_INTERNAL,
                    "%s is wrong on this machine: product of %lldx%lld and %lldx%lld integers, "
                    "element [%lld,%lld] is %.17g and not %.17g",
                    name, (long long)m, (long long)k, (long long)k, (long long)n, (long long)i, (long long)j,
                    c[i * ldc + j], 2.0 * (double)sum);
        }
done:
    free(a);
    free(b);
    free(c);
    return status;
}

enum assay_status float64_gemm_check(float64_gemm_fn *gemm, const char *name, struct assay_error *error)
{
    /* Tails of every vector width, the thin shapes that have kernels of their own, and the blocks that f64.c uses. */
    static const int64_t size[][3] = {{1, 1, 1},     {2, 3, 5},     {7, 9, 8},    {16, 16, 16},
                                      {31, 33, 129}, {1, 67, 300},  {67, 1, 300}, {24, 96, 512},
                                      {65, 63, 127}, {64, 256, 512}};
    for (size_t i = 0; i < sizeof size / sizeof size[0]; ++i) {
        const enum assay_status status = try_size(gemm, name, size[i][0], size[i][1], size[i][2], error);
        if (status) return status;
    }
    return ASSAY_OK;
}

/* OpenBLAS's code for processors with AVX2 or AVX-512. A release older than the processor does not know it and falls back
 * to code of 2004, several times slower than the built-in loop. The choice goes by names alone, so that it is the same
 * in every run on a machine. */
static bool made_for_this_processor(const char *core)
{
    static const char *const vector_cores[] = {"Haswell",  "Zen",        "Excavator",
                                               "SkylakeX", "Cooperlake", "SapphireRapids"};
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return true;
#endif
    for (size_t i = 0; i < sizeof vector_cores / sizeof vector_cores[0]; ++i)
        if (strcasecmp(core, vector_cores[i]) == 0) return true;
    return false;
}

/* OpenBLAS takes a block of 128 MiB for each thread inside a product, and where it gets none it asks again for ever. */
static bool room_for_openblas(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t bytes = (size_t)((cores > 0 && cores < 64 ? cores : 64) + 1) << 27;
    void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    munmap(memory, bytes);
    return true;
}

static void check_once(void)
{
    char name[256];
    room = room_for_openblas();
    if (!room) {
        snprintf(description, sizeof description, "built-in: too little address space for OpenBLAS");
        return;
    }
    /* Oracles split the work by rows themselves; more threads here would only compete with those. */
    openblas_set_num_threads(1);
    snprintf(name, sizeof name, "OpenBLAS dgemm (%s, %s)", openblas_get_config(), openblas_get_corename());
    preferred = made_for_this_processor(openblas_get_corename());
    if (float64_gemm_check(dgemm, name, &verdict))
        snprintf(description, sizeof description, "built-in: %s", verdict.text);
    else if (!preferred)
        snprintf(description, sizeof description,
                 "built-in: %s is right, but does not know this processor and is slower", name);
    else
        snprintf(description, sizeof description, "%s", name);
}

float64_gemm_fn *float64_gemm_sound(void)
{
    pthread_once(&once, check_once);
    return verdict.status || !room ? NULL : dgemm;
}

float64_gemm_fn *float64_gemm(void)
{
    return float64_gemm_sound() && preferred ? dgemm : NULL;
}

enum assay_status oracle_f64_selftest(struct assay_error *error)
{
    pthread_once(&once, check_once);
    return verdict.status ? assay_error_set(error, verdict.status, "%s", verdict.text) : ASSAY_OK;
}

const char *oracle_f64_name(void)
{
    pthread_once(&once, check_once);
    return description;
}
