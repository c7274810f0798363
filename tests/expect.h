/* Calls that return a status, in tests. Inside `call`, `error` is a fresh error record: OK(assay_alloc(engine, 4, &b,
 * &error)). Included behind <cmocka.h>. */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include <string.h>

#include "devices/types.h"

/* It succeeds, or its error is what the test says. */
#define OK(call)                                                                                             \
    do {                                                                                                     \
        struct assay_error error = {0};                                                                      \
        if ((call) != ASSAY_OK) fail_msg("%s", error.text);                                                  \
    } while (0)

/* It fails with status `want`, which the record has too, and a text that contains `words`. */
#define FAILS(want, words, call)                                                                             \
    do {                                                                                                     \
        struct assay_error error = {0};                                                                      \
        assert_int_equal(call, want);                                                                        \
        assert_int_equal(error.status, want);                                                                \
        if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);               \
    } while (0)

#endif
