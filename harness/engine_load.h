/* Getting hold of the engine under test: the one in this program, or a shared object given by --engine. It knows the
 * ABI's first fields and nothing of what an engine does. */
#ifndef ASSAY_ENGINE_LOAD_H
#define ASSAY_ENGINE_LOAD_H

#include "harness/adapter.h"

/* path NULL: adapter_assay. Otherwise the object is opened, its assay_adapter() is called, and the table is checked: ABI
 * number, no empty slot, engine and version named. It stays loaded until the program ends. ASSAY_INVALID_INPUT with a
 * sentence that names the file and what is wrong with it. */
enum assay_status engine_load(const char *path, const struct adapter **adapter, struct assay_error *error);

#endif
