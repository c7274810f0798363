/* Speed of the CPU rows of the matrix product beside OpenBLAS's sgemm, on one thread and on all, and beside what the
 * processor's fused multiply-adds could do. Not a test: it prints a table. OPENBLAS_CORETYPE=SKYLAKEX gives OpenBLAS its
 * AVX-512 kernels where it does not recognise the processor. */
#include "devices/device.h"
#include "kernels/assay.h"

#include <cblas.h>
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* GFLOP/s of one core in a loop of independent 512-bit fused multiply-adds; 0 without AVX-512. */
__attribute__((target("avx512f"))) static double peak_avx512(void)
{
    enum { CHAINS = 24, ROUNDS = 1 << 22 };
    __m512 c[CHAINS], x = _mm512_set1_ps(0.999f);
    double best = 0;
    for (int i = 0; i < CHAINS; i++) c[i] = _mm512_set1_ps((float)i);
    for (int trial = 0; trial < 5; trial++) {
        double start = now();
        for (int r = 0; r < ROUNDS; r++)
#pragma GCC unroll 24
            for (int i = 0; i < CHAINS; i++) c[i] = _mm512_fmadd_ps(c[i], x, x);
        double rate = 2e-9 * 16 * CHAINS * ROUNDS / (now() - start);
        if (rate > best) best = rate;
    }
    float keep = 0;
    for (int i = 0; i < CHAINS; i++) keep += _mm512_cvtss_f32(c[i]);
    return keep == 0 ? 0 : best; /* used, so that the chains are not thrown away */
}

struct operands {
    float *host[3];
    struct assay_call call;
};

static void fail(const struct assay_error *error)
{
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static void make(struct assay_engine *engine, struct operands *o, int m, int n, int k)
{
    const int64_t shape[3][2] = {{m, k}, {k, n}, {m, n}};
    struct assay_error error = {0};
    o->call = (struct assay_call){.op = "MatMul", .input_count = 2, .output_count = 1};
    for (int t = 0; t < 3; t++) {
        struct assay_tensor *tensor = t < 2 ? &o->call.input[t] : &o->call.output[0];
        assay_tensor_dense(tensor, ASSAY_F32, 2, shape[t]);
        int64_t elems = assay_tensor_elems(tensor);
        tensor->bytes = 4 * (uint64_t)elems;
        o->host[t] = malloc(tensor->bytes);
        for (int64_t i = 0; i < elems; i++) o->host[t][i] = (float)(rand() % 2001 - 1000) / 1000.f;
        if (assay_alloc(engine, tensor->bytes, &tensor->buffer, &error) != ASSAY_OK ||
            assay_upload(engine, tensor->buffer, 0, o->host[t], tensor->bytes, &error) != ASSAY_OK)
            fail(&error);
    }
}

static void release(struct assay_engine *engine, struct operands *o)
{
    for (int t = 0; t < 3; t++) {
        assay_free(engine, t < 2 ? o->call.input[t].buffer : o->call.output[0].buffer);
        free(o->host[t]);
    }
}

/* Best of several runs, in GFLOP/s; 0 if the row does not exist here. */
static double rate_of(struct assay_engine *engine, const struct operands *o, const char *technique,
                      double flops)
{
    const struct assay_run_params params = {.technique = technique};
    struct assay_run_report report;
    struct assay_error error = {0};
    double best = 0, end = now() + 0.4;
    do {
        enum assay_status status = assay_run(engine, &o->call, &params, &report, &error);
        if (status == ASSAY_UNSUPPORTED) return 0;
        if (status != ASSAY_OK) fail(&error);
        if (report.device_ns && flops / (double)report.device_ns > best)
            best = flops / (double)report.device_ns;
    } while (now() < end);
    return best;
}

static double rate_of_openblas(const struct operands *o, int m, int n, int k, double flops)
{
    double best = 0, end = now() + 0.4;
    do {
        double start = now();
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, o->host[0], k, o->host[1], n, 0,
                    o->host[2], n);
        double rate = 1e-9 * flops / (now() - start);
        if (rate > best) best = rate;
    } while (now() < end);
    return best;
}

int main(void)
{
    static const int shape[][3] = {{512, 512, 512},   {1024, 1024, 1024}, {2048, 2048, 2048},
                                   {1500, 3072, 768}, {128, 3072, 768},   {1, 4096, 4096},
                                   {33, 65, 4096},    {64, 64, 64}};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double peak = __builtin_cpu_supports("avx512f") ? peak_avx512() : 0;
    printf("GFLOP/s. OpenBLAS kernels: %s. 512-bit fused multiply-adds of one core: %.0f\n",
           openblas_get_corename(), peak);
    for (long threads = 1; threads <= cores; threads += cores > 1 ? cores - 1 : 1) {
        const struct assay_driver_params driver = {.cpu_threads = (uint32_t)threads};
        const struct assay_open_params params = {.device = "cpu", .driver = &driver};
        struct assay_engine *engine = NULL;
        struct assay_error error = {0};
        if (assay_open(&params, &engine, &error) != ASSAY_OK) fail(&error);
        openblas_set_num_threads((int)threads);
        printf("\n%ld thread%s\n     m     n     k   avx512     avx2    plain  OpenBLAS\n", threads,
               threads > 1 ? "s" : "");
        for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
            int m = shape[i][0], n = shape[i][1], k = shape[i][2];
            double flops = 2.0 * m * n * k;
            struct operands o;
            make(engine, &o, m, n, k);
            printf("%6d%6d%6d%9.1f%9.1f%9.1f%10.1f\n", m, n, k, rate_of(engine, &o, "avx512", flops),
                   rate_of(engine, &o, "avx2", flops), rate_of(engine, &o, "plain", flops),
                   rate_of_openblas(&o, m, n, k, flops));
            release(engine, &o);
        }
        assay_close(engine);
    }
    return 0;
}
