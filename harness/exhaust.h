/* All 2^32 inputs of an elementary function through an engine, against stored digests: corpus/golden/NAME.txt, which is
 * embedded. It sees the engine through a worker and the right bits through the operator's contract; it prints nothing. */
#ifndef ASSAY_EXHAUST_H
#define ASSAY_EXHAUST_H

#include "harness/session.h"

#define EXHAUST_BLOCKS      4096u
#define EXHAUST_BLOCK_ELEMS (1u << 20) /* neighbouring inputs */

/* Name of function i, in the order of the embedded files; NULL behind the last. */
const char *exhaust_name(size_t i);

struct exhaust_result {
    char kernel[64], kernel_hash[33], variant[16];
    uint32_t blocks, wrong_blocks; /* tried; of those, with another digest than the stored one */
    uint64_t wall_ns;
    uint64_t device_ns; /* 0 where it was not taken */
    /* The first wrong input of the first wrong block. */
    bool has_first;
    uint32_t x, got, want;
};

struct exhaust_request {
    const char *name;
    const char *kernel;     /* NULL = the engine's choice */
    uint32_t shard, shards; /* blocks shard - 1, shard - 1 + shards, ...; shards 0 = all */
    uint32_t chunk_blocks;  /* a run of the engine */
    bool timed;             /* run again for the device's time */
    uint64_t timeout_ns;
    struct oracle_pool *pool;
    /* Called after every run; may be NULL. */
    void (*progress)(void *context, uint32_t done, uint32_t blocks);
    void *context;
};

/* Run it. ASSAY_UNSUPPORTED and ASSAY_DEVICE_UNSUPPORTED: the engine refuses the function there, nothing was judged. A
 * stored digest that the contract itself does not have is ASSAY_INTERNAL. */
enum assay_status exhaust_run(struct session *session, const struct exhaust_request *request,
                              struct exhaust_result *result, struct assay_error *error);

#endif
