/* The options that decide what a run does, as JSON for the record, and back for a run that is gone on with. Where the
 * database lies, how much is printed and the like are no settings: those are said anew each time. It knows options and
 * nothing of runs. */
#ifndef ASSAY_SETTINGS_H
#define ASSAY_SETTINGS_H

#include <jansson.h>

#include "harness/options.h"

/* An object with a member for each setting of options->verb, named as its option ("max_binding"), and the arguments as
 * `arguments`; null = not set. NULL when out of memory. */
json_t *settings_of(const struct options *options);

/* Make *options what it was when `settings` was recorded; what is no setting stays as it is. Strings of *options then
 * point into `settings`. An option that stands on the command line and says something else than the record is
 * ASSAY_INVALID_INPUT with its name; run_id is for that sentence. */
enum assay_status settings_restore(json_t *settings, int64_t run_id, struct options *options,
                                   struct assay_error *error);

#endif
