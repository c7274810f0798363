/* See cublas.h. */
#include "tests/cublas.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TO_DEVICE = 1, TO_HOST = 2, PEDANTIC = 2, NO_TRANSPOSE = 0 };

struct cublas {
    void *runtime, *blas, *handle, *start, *stop, *a, *b, *y;
    int m, n, k;
    int (*malloc)(void **, size_t);
    int (*free)(void *);
    int (*copy)(void *, const void *, size_t, int);
    int (*event_create)(void **);
    int (*event_destroy)(void *);
    int (*event_record)(void *, void *);
    int (*event_sync)(void *);
    int (*event_ms)(float *, void *, void *);
    int (*create)(void **);
    int (*destroy)(void *);
    int (*version)(void *, int *);
    int (*math_mode)(void *, int);
    int (*sgemm)(void *, int, int, int, int, int, const float *, const float *, int, const float *, int,
                 const float *, float *, int);
};

static const char *const folders[] = {
    "",
    "/usr/local/cuda/lib64/",
    "/usr/local/cuda*/lib64/",
    "/usr/local/lib/python3*/*-packages/nvidia/*/lib/",
    "/usr/lib/python3*/*-packages/nvidia/*/lib/",
    "/opt/*/lib/python3*/*-packages/nvidia/*/lib/",
    "/opt/*/*/lib/python3*/*-packages/nvidia/*/lib/",
    "/root/*/lib/python3*/*-packages/nvidia/*/lib/",
    "/usr/lib/x86_64-linux-gnu/",
};

static void *try_open(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

/* The first library called stem.so.13, .12 or .so in `place` (a file or folder) or the usual folders. */
static void *find(const char *stem, const char *place)
{
    static const char *const suffixes[] = {".so.13", ".so.12", ".so"};
    char pattern[PATH_MAX];
    struct stat info;
    void *library = NULL;
    if (place && stat(place, &info) == 0 && !S_ISDIR(info.st_mode) && strstr(place, stem))
        return try_open(place);
    for (size_t f = 0; f <= sizeof folders / sizeof *folders && !library; f++) {
        const char *folder = f ? folders[f - 1] : place;
        if (!folder) continue;
        for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes && !library; s++) {
            glob_t found;
            snprintf(pattern, sizeof pattern, "%s%s%s%s", folder, f || !*folder ? "" : "/", stem,
                     suffixes[s]);
            if (!strchr(pattern, '*')) {
                library = try_open(pattern);
                continue;
            }
            if (glob(pattern, 0, NULL, &found) == 0)
                for (size_t i = 0; i < found.gl_pathc && !library; i++) library = try_open(found.gl_pathv[i]);
            globfree(&found);
        }
    }
    return library;
}

static bool resolve(struct cublas *c, char why[256])
{
    const struct {
        void *library;
        const char *name;
        void **at;
    } symbols[] = {
        {c->runtime, "cudaMalloc", (void **)&c->malloc},
        {c->runtime, "cudaFree", (void **)&c->free},
        {c->runtime, "cudaMemcpy", (void **)&c->copy},
        {c->runtime, "cudaEventCreate", (void **)&c->event_create},
        {c->runtime, "cudaEventDestroy", (void **)&c->event_destroy},
        {c->runtime, "cudaEventRecord", (void **)&c->event_record},
        {c->runtime, "cudaEventSynchronize", (void **)&c->event_sync},
        {c->runtime, "cudaEventElapsedTime", (void **)&c->event_ms},
        {c->blas, "cublasCreate_v2", (void **)&c->create},
        {c->blas, "cublasDestroy_v2", (void **)&c->destroy},
        {c->blas, "cublasGetVersion_v2", (void **)&c->version},
        {c->blas, "cublasSetMathMode", (void **)&c->math_mode},
        {c->blas, "cublasSgemm_v2", (void **)&c->sgemm},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!(*symbols[i].at = dlsym(symbols[i].library, symbols[i].name))) {
            snprintf(why, 256, "no %s in the library", symbols[i].name);
            return false;
        }
    return true;
}

struct cublas *cublas_open(const char *path, char version[32], char why[256])
{
    struct cublas *c = calloc(1, sizeof *c);
    char folder[PATH_MAX];
    int number = 0, rc;
    if (!c) return NULL;
    /* A file's folder may hold the runtime too. */
    snprintf(folder, sizeof folder, "%s", path ? path : "");
    struct stat info;
    char *slash = strrchr(folder, '/');
    if (path && slash && stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) *slash = '\0';
    if (!(c->runtime = find("libcudart", path ? folder : NULL))) {
        snprintf(why, 256, "no libcudart: %.200s", dlerror());
        goto fail;
    }
    if (!find("libcublasLt", path ? folder : NULL) || !(c->blas = find("libcublas", path))) {
        snprintf(why, 256, "no libcublas: %.200s", dlerror());
        goto fail;
    }
    if (!resolve(c, why)) goto fail;
    if ((rc = c->create(&c->handle)) != 0) {
        snprintf(why, 256, "cublasCreate_v2 failed (%d)", rc);
        goto fail;
    }
    if ((rc = c->math_mode(c->handle, PEDANTIC)) != 0 || (rc = c->event_create(&c->start)) != 0 ||
        (rc = c->event_create(&c->stop)) != 0) {
        snprintf(why, 256, "preparing cuBLAS failed (%d)", rc);
        goto fail;
    }
    c->version(c->handle, &number);
    snprintf(version, 32, "%d.%d.%d", number / 10000, number % 10000 / 100, number % 100);
    return c;
fail:
    cublas_close(c);
    return NULL;
}

static void drop_operands(struct cublas *c)
{
    if (c->a) c->free(c->a);
    if (c->b) c->free(c->b);
    if (c->y) c->free(c->y);
    c->a = c->b = c->y = NULL;
}

void cublas_close(struct cublas *c)
{
    if (!c) return;
    drop_operands(c);
    if (c->start) c->event_destroy(c->start);
    if (c->stop) c->event_destroy(c->stop);
    if (c->handle) c->destroy(c->handle);
    free(c); /* the libraries stay: their threads may outlive a close */
}

bool cublas_load(struct cublas *c, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                 char why[256])
{
    size_t bytes_a = (size_t)(m * k) * 4, bytes_b = (size_t)(k * n) * 4, bytes_y = (size_t)(m * n) * 4;
    int rc;
    drop_operands(c);
    c->m = (int)m;
    c->n = (int)n;
    c->k = (int)k;
    if ((rc = c->malloc(&c->a, bytes_a)) || (rc = c->malloc(&c->b, bytes_b)) ||
        (rc = c->malloc(&c->y, bytes_y)) || (rc = c->copy(c->a, a, bytes_a, TO_DEVICE)) ||
        (rc = c->copy(c->b, b, bytes_b, TO_DEVICE))) {
        snprintf(why, 256, "copying operands for cuBLAS failed (%d)", rc);
        return false;
    }
    return true;
}

double cublas_time(struct cublas *c, uint32_t repeat)
{
    const float one = 1, zero = 0;
    float ms = 0;
    int rc = c->event_record(c->start, NULL);
    /* Row-major Y = A B is column-major Y^T = B^T A^T. */
    for (uint32_t i = 0; i < repeat && rc == 0; i++)
        rc = c->sgemm(c->handle, NO_TRANSPOSE, NO_TRANSPOSE, c->n, c->m, c->k, &one, c->b, c->n, c->a, c->k,
                      &zero, c->y, c->n);
    if (rc || c->event_record(c->stop, NULL) || c->event_sync(c->stop) || c->event_ms(&ms, c->start, c->stop))
        return 0;
    return (double)ms * 1e6;
}

bool cublas_result(struct cublas *c, float *y)
{
    return c->copy(y, c->y, (size_t)c->m * (size_t)c->n * 4, TO_HOST) == 0;
}
