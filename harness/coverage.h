/* What of a card a verify touches: cases of the operators units, memory, upload and download made for the device at hand,
 * and the shares that came of them (table coverage).
 *
 * It knows devices by what the engine's describe() says of them, and outputs as judged tensors. */
#ifndef ASSAY_COVERAGE_H
#define ASSAY_COVERAGE_H

#include "harness/crew.h"

enum coverage_what { COVERAGE_UNITS, COVERAGE_MEMORY, COVERAGE_UPLOAD, COVERAGE_DOWNLOAD, COVERAGE_WHATS };
const char *coverage_name(enum coverage_what what); /* "units" ... : the operator's name too */

/* One row of the table. Units or bytes. */
struct coverage_row {
    int64_t total, covered, failed;
    const char *unit; /* NULL = nothing was planned */
    json_t *detail;
};

struct coverage_device {
    struct coverage_row row[COVERAGE_WHATS];
};

struct coverage {
    struct corpus_entry *entry; /* the cases, each for one device */
    size_t count;
    size_t *device_of; /* by entry */
    struct coverage_device *device;
    size_t device_count;
};

/* The share of a GPU's memory that a level sweeps, and the bytes on devices that work in the host's memory. */
extern const double coverage_share[LEVEL_COUNT];
extern const uint64_t coverage_host_bytes[LEVEL_COUNT];

/* Make the cases and append their rows to the plan. Devices whose engine has no kernel of an operator get no case of it.
 * `seed` 0 = the usual one. The entries must outlive the plan. */
enum assay_status coverage_plan(struct coverage *coverage, const struct session *session,
                                const struct plan_device *plan_device, size_t device_count, enum level level,
                                uint64_t seed, struct plan *plan, struct assay_error *error);
/* An outcome of the plan joins the row that it belongs to; outcomes of other cases are none of ours. */
void coverage_note(struct coverage *coverage, const struct crew_outcome *outcome);
void coverage_free(struct coverage *coverage); /* accepts NULL */

/* place.c: where a sweep went wrong, in words, for any outcome of the four operators: "unit 7 of 132 is wrong ...". False
 * if there is nothing to say. *failed (may be NULL) gets the units or bytes that are wrong, *missing those without an
 * answer (units alone). */
bool coverage_place(const struct crew_outcome *outcome, char *text, size_t bytes, int64_t *failed,
                    int64_t *missing);

#endif
