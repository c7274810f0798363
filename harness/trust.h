/* The trust record of a card through a verify: taken away when the check begins, granted when all of it passed, and where
 * it stands now. devices/trust.h reads the file; this is its only writer. docs/trust.md says what it means.
 *
 * It sees devices through the inventory and an engine's probe(), and knows no worker and no plan. */
#ifndef ASSAY_HARNESS_TRUST_H
#define ASSAY_HARNESS_TRUST_H

#include "devices/trust.h"
#include "harness/inventory.h"

/* Could this device ever have a record? Software renderers and the CPU never do. */
bool trust_possible(const struct inventory_device *device);

/* ---- one device of a verify ---- */

struct trust_count {
    char name[96]; /* a kernel, or "matmul f32 normal" */
    int64_t cases, elems;
};

struct trust {
    const struct inventory_device *device;
    const char *engine;
    bool kept; /* a record is kept for this device; else `outcome` says why not */
    bool granted;
    char path[4096];
    char *before; /* what the file held when the check began; NULL = there was none */
    struct trust_count *kernel, *group;
    size_t kernel_count, group_count;
    char outcome[400]; /* how it ended, for people */
    char *text;        /* the record as written; NULL = none yet */
};

/* Before the device is touched: whatever record there is gives way to one that says that a check has begun, so that a
 * check that does not end leaves no trust. *trust starts as {0}. An error means that the old record still stands. */
enum assay_status trust_begin(const struct options *options, const char *engine,
                              const struct inventory_device *device, struct trust *trust,
                              struct assay_error *error);
/* A judged case that passed. */
enum assay_status trust_note(struct trust *trust, const char *op, const char *dtype, const char *fill,
                             const char *kernel, int64_t elems, struct assay_error *error);

struct trust_facts {
    const char *probe_json; /* the engine's probe(): arithmetic, and `code` of each kernel */
    const char *level, *corpus, *corpus_hash, *command, *database;
    int64_t run_id, planned, passed, not_judged, capped;
};
/* Each ends the check, once; all are no-ops for a device whose record is not kept. On an error nothing trusts the
 * device: what stands is the mark of the begun check. */
enum assay_status trust_grant(struct trust *trust, const struct trust_facts *facts,
                              struct assay_error *error);
enum assay_status trust_withdraw(struct trust *trust, const char *reason, struct assay_error *error);
/* A check of a part of the corpus that passed proves too little for a record, and leaves the one before as it was. */
enum assay_status trust_restore(struct trust *trust, struct assay_error *error);
void trust_free(struct trust *trust); /* accepts {0} */

/* ---- where a device stands ---- */

enum trust_state {
    TRUST_EXEMPT, /* the CPU: it is the reference */
    TRUST_NEVER,  /* a software renderer */
    TRUST_NO,     /* no record, a damaged or a void one: why says */
    TRUST_YES,
};

struct trust_standing {
    enum trust_state state;
    bool stale; /* the corpus is another one than the record's */
    bool has_record;
    char why[512], stale_why[300];
    char path[4096];
    struct assay_trust_record record;
};

/* probe_json NULL: arithmetic and kernels are not compared. level NULL: any. Free with trust_standing_free. */
void trust_stand(const struct options *options, const char *engine, const struct inventory_device *device,
                 const char *probe_json, const char *level, struct trust_standing *standing);
void trust_standing_free(struct trust_standing *standing);
const char *
trust_state_name(enum trust_state state); /* "exempt", "never trusted", "not trusted", "trusted" */

#endif
