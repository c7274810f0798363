/* The smallest program on libassay: Y = A B on the best device of this machine (or the one named on the command line).
 *
 *     cc -I. docs/examples/matmul.c build/libassay.a -ljansson -lpthread -ldl -lm -o matmul && ./matmul cpu */
#include "kernels/assay.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static const float a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[3][2] = {{1, 0}, {0, 1}, {1, 1}};
    float y[2][2];
    struct assay_error error = {0};
    struct assay_engine *engine = NULL;
    struct assay_open_params open = {.device = argc > 1 ? argv[1] : NULL};
    if (assay_open(&open, &engine, &error) != ASSAY_OK) goto failed;

    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor *tensor[3] = {&call.input[0], &call.input[1], &call.output[0]};
    static const int64_t shape[3][2] = {{2, 3}, {3, 2}, {2, 2}};
    static const void *const data[2] = {a, b};
    for (int t = 0; t < 3; t++) {
        assay_tensor_dense(tensor[t], ASSAY_F32, 2, shape[t]);
        tensor[t]->bytes = (uint64_t)assay_tensor_elems(tensor[t]) * sizeof(float);
        if (assay_alloc(engine, tensor[t]->bytes, &tensor[t]->buffer, &error) != ASSAY_OK) goto failed;
        if (t < 2 &&
            assay_upload(engine, tensor[t]->buffer, 0, data[t], tensor[t]->bytes, &error) != ASSAY_OK)
            goto failed;
    }
    struct assay_run_report report;
    if (assay_run(engine, &call, NULL, &report, &error) != ASSAY_OK) goto failed;
    if (assay_download(engine, call.output[0].buffer, 0, y, sizeof y, &error) != ASSAY_OK) goto failed;
    printf("%s: %g %g %g %g\n", report.kernel, y[0][0], y[0][1], y[1][0], y[1][1]);
    assay_close(engine);
    return 0;

failed:
    fprintf(stderr, "%s: %s\n", assay_status_name(error.status), error.text);
    assay_close(engine);
    return 1;
}
