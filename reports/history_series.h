/* One series of night values, and what happened in it. Numbers only: no database. */
#ifndef ASSAY_HISTORY_SERIES_H
#define ASSAY_HISTORY_SERIES_H

#include "devices/types.h"

struct history_point {
    double day, y;         /* ln(ns) */
    uint32_t driver, code; /* numbers of words; another number opens another segment */
};

enum history_kind { HISTORY_STEP, HISTORY_CUT, HISTORY_EXPLAINED, HISTORY_DRIFTED };

struct history_finding {
    enum history_kind kind;
    size_t at;     /* first point after it; of a drift, the best point */
    double change; /* of ln(time); > 0 is slower */
    double p;      /* NAN at a cut that changed nothing */
    double threshold;
    bool driver, code; /* what else changed there */
};

/* Findings of `count` points in order of time; room for 2 * count + 1. `magnitude` is the smallest change of ln(time). */
enum assay_status history_series(const struct history_point *point, size_t count, double magnitude,
                                 struct history_finding *finding, size_t *found, struct assay_error *error);

#endif
