/* What a side of --ab says: a kernel by its name, or settings of the engine. It starts nothing. */
#include "harness/bench_run.h"
#include "harness/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fma_forms[] = {"auto", "native", "contract", "guarded", "emulated", "integer"};

static bool number_of(const char *text, uint32_t most, uint32_t *number)
{
    int64_t value;
    if (!words_integer(text, strlen(text), &value) || value < 0 || value > most) return false;
    *number = (uint32_t)value;
    return true;
}

static bool set_fma(const char *text, struct options *options)
{
    for (size_t i = 0; i < sizeof fma_forms / sizeof fma_forms[0]; i++)
        if (strcmp(text, fma_forms[i]) == 0) {
            options->variant = i ? fma_forms[i] : NULL;
            return true;
        }
    return false;
}

/* One word between + and +. */
static bool take_word(const char *word, const struct inventory *inventory, struct bench_side *side)
{
    struct options *options = &side->options;
    const char *value = strchr(word, '=');
    const size_t name = value ? (size_t)(value++ - word) : strlen(word);
    uint32_t number;
    for (size_t i = 0; i < inventory->kernel_count; i++)
        if (strcmp(inventory->kernel[i].name, word) == 0) {
            side->kernel = inventory->kernel[i].name;
            return true;
        }
    if (!value) {
        if (strcmp(word, "default") == 0) return true;
        if (strcmp(word, "no-cpu-simd") == 0) return options->no_cpu_simd = true;
        if (strcmp(word, "vulkan-staging") == 0) return options->vulkan_staging = true;
        return set_fma(word, options);
    }
    if (name == 3 && memcmp(word, "fma", name) == 0) return set_fma(value, options);
    if (name == 7 && memcmp(word, "threads", name) == 0) return number_of(value, 1024, &options->threads);
    if (name == 11 && memcmp(word, "engine-args", name) == 0) {
        options->engine_args = value;
        return true;
    }
    if (name == 11 && memcmp(word, "max-binding", name) == 0 && number_of(value, UINT32_MAX, &number)) {
        options->max_binding_bytes = number;
        return true;
    }
    return false;
}

enum assay_status bench_side_parse(const char *text, const struct options *options,
                                   const struct inventory *inventory, struct bench_side *side,
                                   struct assay_error *error)
{
    char *save = NULL, quoted[WORDS_QUOTE_MAX];
    side->text = text;
    side->options = *options;
    if (strlen(text) >= sizeof side->words)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "--ab: a side has more than %zu bytes",
                               sizeof side->words - 1);
    strcpy(side->words, text);
    for (char *word = strtok_r(side->words, "+", &save); word; word = strtok_r(NULL, "+", &save))
        if (!take_word(word, inventory, side))
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "--ab: %s is no kernel of this engine and no setting; allowed: a name of "
                                   "`assay list --ops`, fma=FORM, threads=N, no-cpu-simd, vulkan-staging, "
                                   "max-binding=BYTES, engine-args=TEXT, default",
                                   words_quote(quoted, word, strlen(word)));
    return ASSAY_OK;
}
