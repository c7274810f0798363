/* Trust records: one small JSON file a device that says which check it passed, and of what. `assay verify` writes them
 * (harness/trust.c), libassay and the program read them. docs/trust.md describes the file.
 *
 * Plain data: it knows no backend, no kernel and no oracle, and may be included by the harness as devices/types.h is. */
#ifndef ASSAY_TRUST_H
#define ASSAY_TRUST_H

#include "devices/types.h"

struct json_t;

/* A kernel row by name, and the hash of all code that it can load on the device. */
struct assay_trust_kernel {
    const char *name, *code;
};

/* What a record is bound to. In a comparison NULL means "not asked"; kernels that one side alone has are not compared. */
struct assay_trust_key {
    const char *uuid, *partition; /* "mig 1g.10gb", "vgpu", "" for a whole card */
    const char *vbios;            /* "" = unknown: then it is not compared */
    const char *engine, *backend, *driver;
    const char *variant; /* of the fused multiply-add */
    const char *level;   /* a comparison asks for this level or a higher one */
    const char *oracles; /* names and versions of what judged */
    const struct assay_trust_kernel *kernel;
    size_t kernel_count;
};

/* A record as read. Strings belong to it. */
struct assay_trust_record {
    struct json_t *document;
    bool trusted;       /* false: withdrawn, and reason says why */
    const char *reason; /* "" when trusted */
    struct assay_trust_key key;
    const char *corpus_hash, *corpus; /* "corpus": "built-in" or a file's name */
    const char *when_utc, *program;
};

/* Path of a device's record: DIR/UUID[+PARTITION].ENGINE.BACKEND.json, with '_' for what has no place in a file's name.
 * ASSAY_INVALID_INPUT for a device without a UUID, for no folder and for a path that is too long. */
enum assay_status assay_trust_path(const char *dir, const struct assay_trust_key *key, char *path,
                                   size_t bytes, struct assay_error *error);
/* Read a record. ASSAY_DEVICE_UNSUPPORTED when there is none; ASSAY_INVALID_INPUT for a file that is damaged or was
 * changed by hand, ASSAY_IO for one that cannot be read. *record is to be freed after ASSAY_OK alone. */
enum assay_status assay_trust_read(const char *path, struct assay_trust_record *record,
                                   struct assay_error *error);
void assay_trust_free(struct assay_trust_record *record); /* accepts an empty one */
/* Does the record say that this device is trusted now? Else `why` says what is different. */
bool assay_trust_holds(const struct assay_trust_record *record, const struct assay_trust_key *now,
                       char why[256]);
/* Code of a kernel that the record covers; NULL when that kernel was not judged. */
const char *assay_trust_code(const struct assay_trust_key *key, const char *kernel);
/* A record's text with its seal: the digest that tells a damaged or edited file. Malloc'ed, indented; NULL when `json`
 * is no object or memory is out. */
char *assay_trust_seal(const struct json_t *json);

#endif
