/* A hundred thousand damaged GGUF files; meant for SAN=address,undefined. */
#include "tests/gguf_mutate.h"

static void mutations(void **state)
{
    (void)state;
    gguf_mutate(100000, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
