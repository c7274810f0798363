/* A 1-bit matrix times a vector, on a card that is trusted (docs/trust.md), else on the processor, and it says which:
 *
 *     cc docs/examples/q1_0.c $(pkg-config --cflags --libs assay) -o q1_0 && ./q1_0 cuda:0 ~/.local/state/assay */
#include <assay/assay.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    /* Four rows of one block: an f16 scale of 1, then 128 signs. Inputs that 8 bits hold exactly. */
    unsigned char w[4][18] = {{0, 0x3c}, {0, 0x3c}, {0, 0x3c}, {0, 0x3c}}, signs[] = {0xff, 0, 0x55, 0x0f};
    float x[128], y[4];
    for (int i = 0; i < 64; i++) w[i / 16][2 + i % 16] = signs[i / 16];
    for (int i = 0; i < 128; i++) x[i] = 127.0f - 4.0f * (float)(i % 32);

    struct assay_error error = {0};
    struct assay_engine *engine = NULL;
    struct assay_open_params open = {argc > 1 ? argv[1] : NULL, .require_trust = true};
    open.trust_dir = argc > 2 ? argv[2] : "."; /* where `assay verify` keeps its records */
    if (assay_open(&open, &engine, &error)) {
        printf("%s\nusing the processor\n", error.text);
        open.device = "cpu";
        if (assay_open(&open, &engine, &error)) goto failed;
    }
    const int64_t shape[4][2] = {{4, 18}, {1, 128}, {1, 128 / 32 * 34}, {1, 4}};
    const void *const data[4] = {w, x};
    struct assay_tensor t[4] = {{0}}; /* matrix, vector, vector in 8 bits, product */
    for (int i = 0; i < 4; i++) {
        assay_tensor_dense(&t[i], i % 2 ? ASSAY_F32 : ASSAY_U8, 2, shape[i]);
        t[i].bytes = (uint64_t)assay_tensor_elems(&t[i]) * assay_dtype_bytes(t[i].dtype);
        if (assay_alloc(engine, t[i].bytes, &t[i].buffer, &error)) goto failed;
        if (data[i] && assay_upload(engine, t[i].buffer, 0, data[i], t[i].bytes, &error)) goto failed;
    }
    struct assay_call narrow = {"Q8_0Quantize", NULL, 0, {t[1]}, 1, {t[2]}, 1};
    struct assay_call multiply = {"Q1_0MatMul", NULL, 0, {t[0], t[2]}, 2, {t[3]}, 1};
    struct assay_run_report report;
    if (assay_run(engine, &narrow, NULL, NULL, &error)) goto failed;
    if (assay_run(engine, &multiply, NULL, &report, &error)) goto failed;
    if (assay_download(engine, t[3].buffer, 0, y, sizeof y, &error)) goto failed;
    printf("%s: %g %g %g %g\n", report.kernel, y[0], y[1], y[2], y[3]);
    assay_close(engine);
    return 0;
failed:
    fprintf(stderr, "%s\n", error.text);
    assay_close(engine);
    return 1;
}
