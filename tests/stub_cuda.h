/* How a test scripts the fake CUDA driver of stub_cuda.c: dlopen it, dlsym "stub_cuda", set fields. */
#ifndef ASSAY_TESTS_STUB_CUDA_H
#define ASSAY_TESTS_STUB_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stub_cuda {
    /* script */
    const char *fail_call; /* this call answers fail_result, after fail_skip good ones */
    int fail_result, fail_skip;
    bool lost;             /* every call that needs a context answers 700 */
    bool lose_at_launch;   /* the next launch makes it so, seen when somebody waits */
    unsigned not_ready;    /* so many event queries answer 600 */
    bool hold;             /* cuStreamSynchronize does not return while this is set */
    bool holding;          /* it is inside */
    uint64_t memory_bytes; /* a larger allocation is out of memory */
    int devices, cc_major, cc_minor, compute_mode, integrated;
    const char *reject_image; /* cuModuleLoadDataEx answers 209 for images that begin so */
    /* what happened */
    unsigned calls, launches;
    unsigned early_launches; /* of them, by cuLaunchKernelEx with programmatic serialization */
    int contexts, streams, events, buffers, modules; /* alive */
    char image[16];                                  /* beginning of the last image that loaded */
    unsigned dynamic_shared_bytes, launch_shared_bytes, grid[3], block[3];
};

#endif
