/* Real input from others: a node test of ONNX as a case. Its tensors are the inputs, the contract judges, and the
 * published output goes on record beside it. It knows files and definitions, no device. */
#ifndef ASSAY_NODE_TEST_H
#define ASSAY_NODE_TEST_H

#include "harness/judge.h"
#include "kernels/graph/onnx.h"

struct node_test {
    struct onnx_node_test file;
    struct op_signature sig;
};

/* Read `line` ("onnx/NAME") below `folder`/node and fill *source, which points into *test. ASSAY_UNSUPPORTED: no
 * definition here takes it. ASSAY_IO: there is no such test on this machine. Free with node_test_free always. */
enum assay_status node_test_load(const char *folder, const char *line, struct node_test *test,
                                 struct judge_source *source, struct assay_error *error);
/* Operator and output type of that test, for planning: "" when its file cannot be read, which running it will tell in words. */
void node_test_op(const char *folder, const char *line, char op[32], char dtype[8]);
void node_test_free(struct node_test *test);

#endif
