/* Measuring on the CPU without vector instructions of its own choosing: a multiply and an add a step. */
#define MEASURE_NAME(operation) assay_measure_native_##operation
#define MEASURE_VECTOR          float
#define MEASURE_LANES           1u
#define MEASURE_SET(value)      (value)
#define MEASURE_STEP(x, a, b)   ((x) * (a) + (b))
#define MEASURE_SUM(x, y)       ((x) + (y))
#include "devices/measure_native.h"
