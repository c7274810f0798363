/* Names: the oracles (from oracles.def), the verdicts and the rungs. */
#include "oracles/oracle.h"

#include <string.h>

const struct oracle oracle_table[] = {
#define ORACLE(name, kind, independent, version, what) {#name, kind, independent, what, version},
#include "oracles/oracles.def"
#undef ORACLE
};
const size_t oracle_table_count = sizeof oracle_table / sizeof oracle_table[0];

uint32_t oracle_version(const char *name)
{
    for (size_t i = 0; i < oracle_table_count; i++)
        if (strcmp(oracle_table[i].name, name) == 0) return oracle_table[i].version;
    return 0;
}

static const char *const verdicts[VERDICT_COUNT] = {
    [VERDICT_NONE] = "NONE",         [VERDICT_PASS] = "PASS",       [VERDICT_DIFF] = "DIFF",
    [VERDICT_NONDET] = "NONDET",     [VERDICT_GUARD] = "GUARD",     [VERDICT_CRASH] = "CRASH",
    [VERDICT_HANG] = "HANG",         [VERDICT_DEADREF] = "DEADREF", [VERDICT_REFLIMITED] = "REFLIMITED",
    [VERDICT_UNPROVEN] = "UNPROVEN", [VERDICT_SKIP] = "SKIP",       [VERDICT_ERROR] = "ERROR",
};

static const char *const rungs[] = {
    [RUNG_NONE] = "NONE", [RUNG_BOUND] = "BOUND", [RUNG_MODEL] = "MODEL", [RUNG_EXACT] = "EXACT"};

const char *verdict_name(enum verdict verdict)
{
    return (unsigned)verdict < VERDICT_COUNT ? verdicts[verdict] : "?";
}

const char *rung_name(enum rung rung)
{
    return (unsigned)rung < sizeof rungs / sizeof rungs[0] ? rungs[rung] : "?";
}

enum verdict verdict_parse(const char *name)
{
    for (int i = 1; i < VERDICT_COUNT; ++i)
        if (!strcmp(verdicts[i], name)) return (enum verdict)i;
    return VERDICT_NONE;
}
