/* Measuring through an open engine: its device's ceilings, and the meter that empties caches before a timed run. */
#include "kernels/engine.h"

enum assay_status engine_meter(struct assay_engine *engine, struct assay_error *error)
{
    if (engine->meter) return ASSAY_OK;
    return assay_meter_open(engine->device, engine->controls, &engine->meter, error);
}

enum assay_status assay_measure(struct assay_engine *engine, struct assay_ceiling *ceiling, size_t *count,
                                struct assay_error *error)
{
    *count = 0;
    enum assay_status status = engine_ready(engine, "measuring", 0, error);
    if (status == ASSAY_OK) status = engine_meter(engine, error);
    return status == ASSAY_OK ? assay_meter_ceilings(engine->meter, ceiling, count, error) : status;
}
