/* What `assay db` does with whole files: saying what is in one, checking it, merging several, dropping raw samples.
 *
 * The functions answer in JSON (the caller's, json_decref), which verb_db.c prints as it is or as text for people. They
 * know the schema and SQLite, and nothing of runs in progress. */
#ifndef ASSAY_STORE_DB_H
#define ASSAY_STORE_DB_H

#include <jansson.h>

#include "devices/types.h"

/* {path, bytes, version, version_known, tables: {NAME: rows}, runs: [...], devices: [...]}. Nothing is written. */
enum assay_status store_info(const char *path, json_t **answer, struct assay_error *error);

/* SQLite's own checks, the schema against the one that the file's version should have, and what must hold between rows.
 * {path, version, checks, damage: [{check, rows, first}]}: no element of damage means sound. Nothing is written. A file
 * that cannot be read as a database of ours is an error, pages that are torn are damage. */
enum assay_status store_check(const char *path, json_t **answer, struct assay_error *error);

/* Add to `dest` (made if it is not there and one source at least is sound) what the sources hold and it does not, by content keys (docs/schema.md): a run
 * by its key, a device by key, backend, driver and name, a kernel by name, hash and variant, a case by its line. One
 * transaction a source; the order of sources and a second merge change nothing. A source of an older version is brought
 * up to date in a copy beside `dest`. Sources that are refused (foreign, newer, damaged, or with other rows under the same
 * key) are named in the answer and leave no row; the others are merged. {dest, there, merged, sources: [{path, runs, results, benches,
 * version, error}]}; error is null where it went well, and *failed counts where not. `there`: dest exists now; `merged`
 * counts sources that were merged, even if all of one was there. */
enum assay_status store_merge(const char *dest, const char *const *sources, size_t count, json_t **answer,
                              size_t *failed, struct assay_error *error);

/* Drop raw samples recorded more than `days` days ago: rows of bench_sample, and result.samples. Summaries stay, and so do
 * the samples of whatever did not pass. dry_run only counts. The file shrinks (VACUUM) where something was dropped.
 * {path, days, dry_run, results, benches, samples, bytes_before, bytes_after}. */
enum assay_status store_prune(const char *path, uint32_t days, bool dry_run, json_t **answer,
                              struct assay_error *error);

#endif
