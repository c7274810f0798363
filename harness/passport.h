/* What a person or a script asks about trust: the verb passport, and `verify --trusted`. Devices are opened in workers. */
#ifndef ASSAY_PASSPORT_H
#define ASSAY_PASSPORT_H

#include "harness/options.h"

/* `verify --trusted D`: prints the answer. EXIT_PASS trusted, EXIT_FAILED not; EXIT_NOTHING for no such device. */
int passport_trusted(const struct options *options);

#endif
