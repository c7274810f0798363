/* A hundred thousand damaged ONNX files; meant for SAN=address,undefined. */
#include "kernels/graph/onnx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/onnx_mutate.h"

static void mutations(void **state)
{
    (void)state;
    mutate_files(100000, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
