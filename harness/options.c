/* Verbs and options as tables: parsing, help, completions and docs/cli.md come from them. It reads no environment of its
 * own (main.c hands in a lookup) and starts nothing. */
#include "harness/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fill.h"
#include "harness/plan.h"
#include "harness/words.h"

/* ---- verbs ---- */

enum {
    DEVICES = 1u << 0,
    PROBE = 1u << 1,
    LIST = 1u << 2,
    RUN = 1u << 3,
    VERIFY = 1u << 4,
    REPLAY = 1u << 5,
    REPORT = 1u << 6,
    SELFTEST = 1u << 7,
    COMPLETION = 1u << 8,
    HELP = 1u << 9,
    VERSION = 1u << 10,
    WORKER = 1u << 11,
    JUDGE = RUN | VERIFY | REPLAY,
    DRIVE = JUDGE | PROBE | WORKER,
    ENGINE = DRIVE | DEVICES | LIST | SELFTEST,
    EVERY = ~0u,
};

static const struct verb {
    const char *name;
    unsigned bit;
    const char *arguments;
    size_t least, most; /* number of arguments */
    bool hidden;
    const char *what;
    const char *more; /* further sentences */
    const char *examples[4];
} verb_table[] = {
    {"devices",
     DEVICES,
     "",
     0,
     0,
     false,
     "list the devices of this machine, and why one is not used",
     "One line a device: index, label, name, driver, memory, and whether runs use it. A backend without "
     "devices says why.",
     {"assay devices", "assay devices --allow-software --json"}},
    {"probe",
     PROBE,
     "",
     0,
     0,
     false,
     "measure what a device's arithmetic really does",
     "Runs small kernels with loaded and with literal operands, shows what is wrong and how often, and which "
     "form of the "
     "fused multiply-add exact mode uses there and why.",
     {"assay probe --device vulkan:0", "assay probe --device 0 --allow-software --json"}},
    {"list",
     LIST,
     "[GLOB...]",
     0,
     OPTIONS_LIST_MAX,
     false,
     "list cases with their level and reason, or operators",
     "Globs match whole case lines; * and ? match any characters, / too. --ops lists operator, backend, "
     "technique, mode "
     "and dtype of every kernel instead.",
     {"assay list --level full", "assay list 'matmul/*/m=1,*'", "assay list --ops"}},
    {"run",
     RUN,
     "[GLOB|CASE...]",
     0,
     OPTIONS_LIST_MAX,
     false,
     "judge cases on devices and record the results",
     "Without globs the corpus of the level. A whole case line that is not in the corpus is taken as it "
     "stands.",
     {"assay run --device all --allow-software",
      "assay run 'matmul/*fill=cancel*' --device cuda:0 --level standard",
      "assay run --engine ./other.so --device all"}},
    {"verify",
     VERIFY,
     "[GLOB|CASE...]",
     0,
     OPTIONS_LIST_MAX,
     false,
     "judge a card before it is given work",
     "As run, with a line for every kernel and shape, and an exit code that is 0 only if each named device "
     "passed. "
     "Software renderers and the CPU earn no trust.",
     {"assay verify --device 0", "assay verify --all --allow-software --out report"}},
    {"replay",
     REPLAY,
     "CASE...",
     1,
     OPTIONS_LIST_MAX,
     false,
     "judge single cases again, as failure reports print them",
     "Takes the line after `repro` of a failure.",
     {"assay replay 'matmul/f32/m=1,n=1,k=33/of=33x7x4096,at=4x1/fill=cancel/seed=1f' --device vulkan:0"}},
    {"report",
     REPORT,
     "[RUN]",
     0,
     1,
     false,
     "write the Markdown report of a run",
     "RUN is the number of a run in the database; without it the latest. Without --out it goes to standard "
     "output.",
     {"assay report --db assay.db", "assay report 3 --out report"}},
    {"selftest",
     SELFTEST,
     "",
     0,
     0,
     false,
     "check this program itself before its verdicts are believed",
     "Float64 on exact integers, the fills, the oracles, the database.",
     {"assay selftest"}},
    {"completion",
     COMPLETION,
     "bash",
     1,
     1,
     false,
     "print a completion script",
     "To be sourced by a shell.",
     {"source <(assay completion bash)"}},
    {"help", HELP, "[VERB]", 0, 1, false, "explain a verb", "", {"assay help run"}},
    {"version", VERSION, "", 0, 0, false, "print version, revision and compiler", "", {"assay version"}},
    {"worker",
     WORKER,
     "",
     0,
     OPTIONS_LIST_MAX,
     true,
     "drive one device for another process of this program",
     "",
     {NULL}},
};
#define VERB_COUNT (sizeof verb_table / sizeof *verb_table)

/* ---- options ---- */

enum kind { SWITCH, TEXT, DEVICE_LIST, LEVEL, NUMBER, BYTES, SEED, FMA };

static const struct row {
    const char *name, *value; /* "--level", "LEVEL"; value NULL for a switch */
    const char *word;         /* of the environment, NULL = none */
    unsigned verbs;
    enum kind kind;
    size_t offset;        /* in struct options */
    uint32_t least, most; /* NUMBER */
    const char *what;
} option_table[] = {
#define AT(field) offsetof(struct options, field)
    {"--device", "D", "ASSAY_DEVICE", JUDGE | PROBE, DEVICE_LIST, AT(device), 0, 0,
     "a device: index of `assay devices`, vulkan:0, cuda:0, cpu, a UUID, a PCI address, or all; may be "
     "repeated, or "
     "joined by commas; default all"},
    {"--all", NULL, NULL, JUDGE | PROBE, SWITCH, AT(all), 0, 0, "every usable device, as --device all"},
    {"--allow-software", NULL, "ASSAY_ALLOW_SOFTWARE", ENGINE, SWITCH, AT(allow_software), 0, 0,
     "use software renderers too; they never earn trust"},
    {"--level", "LEVEL", "ASSAY_LEVEL", RUN | VERIFY | LIST, LEVEL, AT(level), 0, 0,
     "quick, standard or full: how much work; default quick"},
    {"--corpus", "FILE", "ASSAY_CORPUS", RUN | VERIFY | LIST, TEXT, AT(corpus), 0, 0,
     "cases of this file instead of the built-in corpus"},
    {"--kernel", "GLOB", NULL, JUDGE | LIST, TEXT, AT(kernel), 0, 0, "only kernels whose name matches"},
    {"--db", "FILE", "ASSAY_DB", JUDGE | REPORT, TEXT, AT(db), 0, 0, "the database; default assay.db"},
    {"--out", "DIR", "ASSAY_OUT", JUDGE | REPORT, TEXT, AT(out), 0, 0, "folder for the report"},
    {"--fma", "FORM", "ASSAY_FMA", DRIVE, FMA, AT(variant), 0, 0,
     "force a form of the fused multiply-add: auto, native, contract, guarded, emulated, integer"},
    {"--seed", "HEX", NULL, RUN | VERIFY, SEED, AT(seed), 0, 0,
     "fill with this seed instead of the corpus' seeds"},
    {"--samples", "N", "ASSAY_SAMPLES", JUDGE, NUMBER, AT(samples), 0, ADAPTER_SAMPLES_MAX,
     "timed repeats of a case; default 5"},
    {"--timeout", "SECONDS", "ASSAY_TIMEOUT", JUDGE, NUMBER, AT(timeout_s), 1, 86400,
     "time that one case may take; default 60"},
    {"--threads", "N", "ASSAY_THREADS", ENGINE, NUMBER, AT(threads), 0, 1024,
     "threads for judging and for CPU kernels; 0 = one a processor, the default"},
    {"--engine", "FILE.so", "ASSAY_ENGINE", ENGINE, TEXT, AT(engine), 0, 0,
     "judge another engine: a shared object with the plug-in ABI of harness/adapter.h"},
    {"--engine-args", "TEXT", NULL, ENGINE, TEXT, AT(engine_args), 0, 0, "handed to that engine"},
    {"--onnx-data", "DIR", "ASSAY_ONNX_DATA", JUDGE, TEXT, AT(onnx_data), 0, 0,
     "ONNX node tests; default /usr/share/libonnx-testdata/data"},
    {"--vulkan-lib", "FILE", "ASSAY_VULKAN_LIB", ENGINE, TEXT, AT(vulkan_lib), 0, 0,
     "Vulkan loader to open; none turns Vulkan off"},
    {"--cuda-lib", "FILE", "ASSAY_CUDA_LIB", ENGINE, TEXT, AT(cuda_lib), 0, 0,
     "CUDA driver to open; none turns CUDA off"},
    {"--max-binding", "BYTES", "ASSAY_MAX_BINDING", ENGINE, BYTES, AT(max_binding_bytes), 0, 0,
     "lower the device's largest buffer range; K, M and G multiply by 1024"},
    {"--vulkan-staging", NULL, "ASSAY_VULKAN_STAGING", ENGINE, SWITCH, AT(vulkan_staging), 0, 0,
     "copy through staging buffers even where memory is shared"},
    {"--no-cpu-simd", NULL, "ASSAY_NO_CPU_SIMD", ENGINE, SWITCH, AT(no_cpu_simd), 0, 0,
     "hide AVX2 and AVX-512 from CPU kernels"},
    {"--lock-dir", "DIR", "ASSAY_LOCK_DIR", DRIVE, TEXT, AT(lock_dir), 0, 0,
     "folder of the locks that keep two programs off one card; default /tmp"},
    {"--ops", NULL, NULL, LIST, SWITCH, AT(ops), 0, 0, "list kernels instead of cases"},
    {"--json", NULL, NULL, EVERY & ~(COMPLETION | HELP), SWITCH, AT(json), 0, 0, "answer in JSON"},
    {"--quiet", NULL, "ASSAY_QUIET", EVERY, SWITCH, AT(quiet), 0, 0,
     "no progress, only failures and the summary"},
    {"--help", NULL, NULL, EVERY, SWITCH, AT(help), 0, 0, "this text"},
#undef AT
};
#define OPTION_COUNT (sizeof option_table / sizeof *option_table)

static const char *const fma_names[] = {"auto", "native", "contract", "guarded", "emulated", "integer", NULL};
static const char *const level_names[] = {"quick", "standard", "full", NULL};

static const struct exit_row {
    int code;
    const char *means, *verdicts;
} exit_table[] = {
    {EXIT_FAILED, "a card or a case failed", "DIFF NONDET GUARD CRASH HANG; an expected failure that passed"},
    {EXIT_ERROR, "usage or machinery error", "ERROR"},
    {EXIT_NOTHING, "nothing was judged, or nothing is proven",
     "only SKIP, DEADREF, UNPROVEN; no such device"},
    {EXIT_PASS, "every judged case passed, at least one was judged", "PASS; REFLIMITED where listed"},
};
#define EXIT_COUNT (sizeof exit_table / sizeof *exit_table)

/* ---- names, for error texts ---- */

static const char *verb_name_at(const void *context, size_t i)
{
    (void)context;
    return i < VERB_COUNT && !verb_table[i].hidden ? verb_table[i].name : NULL;
}

static const char *option_name_at(const void *context, size_t i)
{
    const struct verb *verb = context;
    for (size_t r = 0; r < OPTION_COUNT; r++)
        if (option_table[r].verbs & verb->bit && i-- == 0) return option_table[r].name;
    return NULL;
}

static const char *list_name_at(const void *context, size_t i)
{
    return ((const char *const *)context)[i];
}

static const struct verb *verb_find(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verb_table[i].name, name) == 0) return &verb_table[i];
    return NULL;
}

static enum assay_status unknown(struct assay_error *error, const char *what, const char *found,
                                 const char *allowed, const char *(*name)(const void *, size_t),
                                 const void *context)
{
    char text[508], quoted[WORDS_QUOTE_MAX];
    size_t used = 0;
    const char *near = words_nearest(found, strlen(found), name, context);
    words_append(text, sizeof text, &used, "%s %s is unknown", what,
                 words_quote(quoted, found, strlen(found)));
    if (near) words_append(text, sizeof text, &used, "; did you mean %s?", near);
    words_append(text, sizeof text, &used, "%s", allowed ? allowed : "; allowed: ");
    if (!allowed) words_append_names(text, sizeof text, &used, name, context);
    return assay_error_set(error, ASSAY_INVALID_INPUT, "%s", text);
}

/* ---- values ---- */

static bool parse_bytes(const char *text, uint64_t *bytes)
{
    static const char suffixes[] = "KMG";
    size_t length = strlen(text);
    const char *suffix = length ? strchr(suffixes, text[length - 1]) : NULL;
    unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
    int64_t value;
    if (!words_integer(text, length - (suffix != NULL), &value) || value < 0 || value > INT64_MAX >> shift)
        return false;
    *bytes = (uint64_t)value << shift;
    return true;
}

static bool parse_switch(const char *text, bool *on)
{
    static const char *const words[2][5] = {{"0", "off", "no", "false", ""}, {"1", "on", "yes", "true", "1"}};
    for (int value = 0; value < 2; value++)
        for (int i = 0; i < 5; i++)
            if (strcmp(text, words[value][i]) == 0) {
                *on = value;
                return true;
            }
    return false;
}

/* "0,2" and "vulkan:0": split into options->device. Spaces around a word do not count. From the environment "off" and
 * "none" mean: no card, the CPU alone (row D11). */
static enum assay_status parse_devices(const char *source, const char *text, bool from_word,
                                       struct options *options, struct assay_error *error)
{
    while (text) {
        const char *comma = strchr(text, ',');
        size_t length = comma ? (size_t)(comma - text) : strlen(text);
        while (length && *text == ' ') text++, length--;
        while (length && text[length - 1] == ' ') length--;
        size_t used = options->device_words_used;
        if (length == 0)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s holds an empty word; devices are joined by commas", source);
        if (options->device_count == OPTIONS_LIST_MAX || used + length + 4 > sizeof options->device_words)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: more devices than can be run", source);
        char *word = options->device_words + used;
        memcpy(word, text, length);
        word[length] = 0;
        if (from_word && (strcmp(word, "off") == 0 || strcmp(word, "none") == 0))
            memcpy(word, "cpu", length = 4);
        options->device_words_used = used + length + 1;
        options->device[options->device_count++] = word;
        text = comma ? comma + 1 : NULL;
    }
    return ASSAY_OK;
}

/* `source` is the option or the word, for errors. */
static enum assay_status set(const struct row *row, const char *source, const char *text, bool from_word,
                             struct options *options, struct assay_error *error)
{
    char *field = (char *)options + row->offset;
    char quoted[WORDS_QUOTE_MAX], what[64];
    int64_t number;
    words_quote(quoted, text, strlen(text));
    snprintf(what, sizeof what, "%s:", source);
    switch (row->kind) {
    case SWITCH:
        if (parse_switch(text, (bool *)field)) return ASSAY_OK;
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s is %s; allowed: 1 or 0", source, quoted);
    case TEXT:
        if (!*text) return assay_error_set(error, ASSAY_INVALID_INPUT, "%s is empty", source);
        memcpy(field, &text, sizeof text);
        return ASSAY_OK;
    case DEVICE_LIST:
        return parse_devices(source, text, from_word, options, error);
    case LEVEL:
        options->level = level_parse(text);
        if (options->level < LEVEL_COUNT) return ASSAY_OK;
        options->level = LEVEL_QUICK;
        return unknown(error, what, text, NULL, list_name_at, level_names);
    case NUMBER:
        if (!words_integer(text, strlen(text), &number) || number < row->least || number > row->most)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s is %s; allowed: a number from %" PRIu32 " to %" PRIu32, source, quoted,
                                   row->least, row->most);
        *(uint32_t *)field = (uint32_t)number;
        return ASSAY_OK;
    case BYTES:
        if (parse_bytes(text, (uint64_t *)field)) return ASSAY_OK;
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s is %s; allowed: a number of bytes, with K, M or G behind it "
                               "if wanted",
                               source, quoted);
    case SEED:
        options->seed_given = words_hex(text, strlen(text), &options->seed);
        if (options->seed_given) return ASSAY_OK;
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s is %s; allowed: 1 to 16 hex digits", source,
                               quoted);
    case FMA:
        for (size_t i = 0; fma_names[i]; i++)
            if (strcmp(text, fma_names[i]) == 0) {
                options->variant = i ? fma_names[i] : NULL;
                return ASSAY_OK;
            }
        return unknown(error, what, text, NULL, list_name_at, fma_names);
    }
    return assay_error_set(error, ASSAY_INTERNAL, "%s has no kind", row->name);
}

/* ---- the command line ---- */

static enum assay_status wrong_option(const struct verb *verb, const char *name, struct assay_error *error)
{
    char what[64], help[64];
    for (size_t r = 0; r < OPTION_COUNT; r++) {
        if (strcmp(option_table[r].name, name) != 0) continue;
        char verbs[200];
        size_t used = 0;
        for (size_t v = 0; v < VERB_COUNT; v++)
            if (option_table[r].verbs & verb_table[v].bit && !verb_table[v].hidden)
                words_append(verbs, sizeof verbs, &used, "%s%s", used ? ", " : "", verb_table[v].name);
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s is no option of this verb, but of %s",
                               verb->name, name, verbs);
    }
    snprintf(what, sizeof what, "%s: option", verb->name);
    snprintf(help, sizeof help, "; `assay %s --help` lists them", verb->name);
    return unknown(error, what, name, help, option_name_at, verb);
}

/* One option at argv[*i]; moves *i over its value. */
static enum assay_status parse_option(const struct verb *verb, int argc, char **argv, int *i,
                                      struct options *options, struct assay_error *error)
{
    char name[40];
    const char *equals = strchr(argv[*i], '=');
    size_t length = equals ? (size_t)(equals - argv[*i]) : strlen(argv[*i]);
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, argv[*i], length);
    name[length] = 0;
    if (strcmp(name, "-h") == 0) snprintf(name, sizeof name, "--help");
    const struct row *row = NULL;
    for (size_t r = 0; r < OPTION_COUNT && !row; r++)
        if (option_table[r].verbs & verb->bit && strcmp(option_table[r].name, name) == 0)
            row = &option_table[r];
    if (!row) return wrong_option(verb, name, error);
    const char *value = equals ? equals + 1 : NULL;
    if (row->kind == SWITCH) {
        if (value) return assay_error_set(error, ASSAY_INVALID_INPUT, "%s takes no value", name);
        value = "1";
    } else if (!value) {
        if (*i + 1 >= argc)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s needs a value: %s", name, row->value);
        value = argv[++*i];
    }
    /* Devices of the command line replace those of the environment. */
    if (row->kind == DEVICE_LIST && options->device_from_word) {
        options->device_count = options->device_words_used = 0;
        options->device_from_word = false;
    }
    return set(row, name, value, false, options, error);
}

static enum assay_status parse_words(char *(*word)(const char *), struct options *options,
                                     struct assay_error *error)
{
    for (size_t r = 0; r < OPTION_COUNT; r++) {
        const char *text = option_table[r].word ? word(option_table[r].word) : NULL;
        if (!text || !*text) continue;
        enum assay_status status = set(&option_table[r], option_table[r].word, text, true, options, error);
        if (status) return status;
        options->device_from_word |= option_table[r].kind == DEVICE_LIST;
    }
    return ASSAY_OK;
}

/* The command line as a person would paste it. */
static void record_command(int argc, char **argv, struct options *options)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:/=+@%-";
    size_t used = 0;
    for (int i = 0; i < argc; i++) {
        words_append(options->command, sizeof options->command, &used, "%s", i ? " " : "");
        if (*argv[i] && argv[i][strspn(argv[i], plain)] == 0) {
            words_append(options->command, sizeof options->command, &used, "%s", argv[i]);
            continue;
        }
        words_append(options->command, sizeof options->command, &used, "'");
        for (const char *c = argv[i]; *c; c++)
            words_append(options->command, sizeof options->command, &used, *c == '\'' ? "'\\''" : "%c", *c);
        words_append(options->command, sizeof options->command, &used, "'");
    }
}

static enum assay_status check_arguments(const struct verb *verb, const struct options *options,
                                         struct assay_error *error)
{
    char quoted[WORDS_QUOTE_MAX];
    if (options->help) return ASSAY_OK;
    if (options->arg_count < verb->least)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s needs %s; `assay %s --help` shows an example",
                               verb->name, verb->arguments, verb->name);
    if (options->arg_count > verb->most)
        return assay_error_set(
            error, ASSAY_INVALID_INPUT, "%s: unexpected %s; usage: assay %s [OPTIONS]%s%s", verb->name,
            words_quote(quoted, options->arg[verb->most], strlen(options->arg[verb->most])), verb->name,
            *verb->arguments ? " " : "", verb->arguments);
    return ASSAY_OK;
}

enum assay_status options_parse(int argc, char **argv, char *(*word)(const char *name),
                                struct options *options, struct assay_error *error)
{
    memset(options, 0, sizeof *options);
    options->program = argc ? argv[0] : "assay";
    options->db = "assay.db";
    options->onnx_data = "/usr/share/libonnx-testdata/data";
    options->samples = 5;
    options->timeout_s = 60;
    record_command(argc, argv, options);
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "a verb is missing; `assay --help` lists them");
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    const struct verb *verb = verb_find(name);
    if (!verb) return unknown(error, "verb", name, NULL, verb_name_at, NULL);
    options->verb = verb->name;
    enum assay_status status = word ? parse_words(word, options, error) : ASSAY_OK;
    bool only_arguments = false;
    for (int i = 2; i < argc && !status; i++) {
        if (!only_arguments && strcmp(argv[i], "--") == 0)
            only_arguments = true;
        else if (!only_arguments && argv[i][0] == '-' && argv[i][1])
            status = parse_option(verb, argc, argv, &i, options, error);
        else if (options->arg_count == OPTIONS_LIST_MAX)
            status = assay_error_set(error, ASSAY_INVALID_INPUT, "%s: more than %d arguments", verb->name,
                                     OPTIONS_LIST_MAX);
        else
            options->arg[options->arg_count++] = argv[i];
    }
    return status ? status : check_arguments(verb, options, error);
}

void options_adapter(const struct options *options, struct adapter_options *adapter)
{
    *adapter = (struct adapter_options){
        .size = sizeof *adapter,
        .vulkan_lib = options->vulkan_lib,
        .cuda_lib = options->cuda_lib,
        .max_binding_bytes = options->max_binding_bytes,
        .cpu_threads = options->threads,
        .vulkan_staging = options->vulkan_staging,
        .no_cpu_simd = options->no_cpu_simd,
        .allow_software = options->allow_software,
        .variant = options->variant,
        .engine_args = options->engine_args,
        .lock_dir = options->lock_dir,
    };
}

/* ---- texts ---- */

/* Words of `text` wrapped at 100 columns, following lines indented. */
static void wrap(FILE *out, const char *text, int column, int indent)
{
    const char *gap = "";
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > 100 && *gap) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            gap = "";
        }
        column += fprintf(out, "%s%.*s", gap, length, text);
        gap = " ";
        text += length;
        if (*text) text++;
    }
    fputc('\n', out);
}

static void write_exits(FILE *out)
{
    fprintf(out, "\nexit codes, the first that applies wins:\n");
    for (size_t i = 0; i < EXIT_COUNT; i++)
        fprintf(out, "  %d  %-52s%s\n", exit_table[i].code, exit_table[i].means, exit_table[i].verdicts);
}

static void write_program_help(FILE *out)
{
    fprintf(out, "assay: judge the arithmetic of every device of a machine, to the last bit\n\n"
                 "usage: assay VERB [OPTIONS] [ARGUMENTS]\n\n");
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (!verb_table[i].hidden) fprintf(out, "  %-12s%s\n", verb_table[i].name, verb_table[i].what);
    fprintf(
        out,
        "\n`assay VERB --help` explains a verb. To begin: assay devices, then assay run --allow-software\n");
    write_exits(out);
}

static void write_verb_help(FILE *out, const struct verb *verb)
{
    fprintf(out, "assay %s: %s\n\nusage: assay %s [OPTIONS]%s%s\n\n", verb->name, verb->what, verb->name,
            *verb->arguments ? " " : "", verb->arguments);
    if (*verb->more) {
        wrap(out, verb->more, 0, 0);
        fputc('\n', out);
    }
    for (size_t r = 0; r < OPTION_COUNT; r++) {
        const struct row *row = &option_table[r];
        if (!(row->verbs & verb->bit)) continue;
        int column = fprintf(out, "  %s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
        column += fprintf(out, "%*s", column < 26 ? 26 - column : 1, "");
        char text[300];
        snprintf(text, sizeof text, "%s%s%s%s", row->what, row->word ? " [" : "", row->word ? row->word : "",
                 row->word ? "]" : "");
        wrap(out, text, column, 26);
    }
    fprintf(out, "\nexamples:\n");
    for (size_t i = 0; i < sizeof verb->examples / sizeof *verb->examples && verb->examples[i]; i++)
        fprintf(out, "  %s\n", verb->examples[i]);
    write_exits(out);
}

char *options_help(const char *verb_name)
{
    char *text = NULL;
    size_t size = 0;
    const struct verb *verb = verb_name ? verb_find(verb_name) : NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    if (verb)
        write_verb_help(out, verb);
    else
        write_program_help(out);
    fclose(out);
    return text;
}

/* | would end a table's cell. */
static void write_cell(FILE *out, const char *text)
{
    for (; *text; text++) fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void write_markdown(FILE *out)
{
    fprintf(
        out,
        "# The command line\n\n"
        "Written by `assay help markdown` from the tables of harness/options.c; a test keeps it current.\n\n"
        "Every answer and error is for people; `--json` gives the same for programs. An option on the "
        "command\n"
        "line wins over its word in the environment. Switches in the environment: `0`, empty and unset are "
        "off,\n"
        "`1` is on; a number that is no number is an error.\n\n## Verbs\n");
    for (size_t v = 0; v < VERB_COUNT; v++) {
        const struct verb *verb = &verb_table[v];
        if (verb->hidden) continue;
        fprintf(out, "\n### assay %s%s%s\n\n%c%s.%s%s\n\n```\n", verb->name, *verb->arguments ? " " : "",
                verb->arguments, verb->what[0] - 'a' + 'A', verb->what + 1, *verb->more ? " " : "",
                verb->more);
        for (size_t i = 0; i < sizeof verb->examples / sizeof *verb->examples && verb->examples[i]; i++)
            fprintf(out, "%s\n", verb->examples[i]);
        fprintf(out, "```\n\nOptions:");
        for (size_t r = 0; r < OPTION_COUNT; r++)
            if (option_table[r].verbs & verb->bit) fprintf(out, " `%s`", option_table[r].name);
        fputc('\n', out);
    }
    fprintf(out, "\n## Options\n\n| option | environment | meaning |\n| --- | --- | --- |\n");
    for (size_t r = 0; r < OPTION_COUNT; r++) {
        const struct row *row = &option_table[r];
        fprintf(out, "| `%s%s%s` | %s%s%s | ", row->name, row->value ? " " : "", row->value ? row->value : "",
                row->word ? "`" : "", row->word ? row->word : "", row->word ? "`" : "");
        write_cell(out, row->what);
        fprintf(out, " |\n");
    }
    fprintf(out,
            "\n## Exit codes\n\nThe first that applies wins, for every verb.\n\n| exit | means | verdicts |\n"
            "| --- | --- | --- |\n");
    for (size_t i = 0; i < EXIT_COUNT; i++)
        fprintf(out, "| %d | %s | %s |\n", exit_table[i].code, exit_table[i].means, exit_table[i].verdicts);
    fprintf(out, "\n## Case lines\n\n```\n"
                 "matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f\n"
                 "matmul/f32/m=1,n=1,k=33/of=33x7x4096,at=4x1/fill=cancel/seed=1f\n"
                 "onnx/test_matmul_2d\n```\n\n"
                 "`op/dtypes/axes[/of=LENGTHS,at=PLACES]/fill=NAME/seed=HEX[/ref=zero|nan|inf][/"
                 "expect=VERDICT]`. The second\n"
                 "line is a window of the first: `of` holds the parent's axes in the order below, `at` where "
                 "the window\n"
                 "begins; places that are left out are the window's own length and 0. `ref=` declares that "
                 "the reference is\n"
                 "all zero, NaN or infinite, which otherwise is DEADREF. Printed lines leave out axes at "
                 "their default.\n");
    for (size_t i = 0; assay_ops[i]; i++) {
        const struct op *op = assay_ops[i];
        fprintf(out, "\n### %s: %s\n\n| axis | allowed | default | meaning |\n| --- | --- | --- | --- |\n",
                op->name, op->what);
        for (size_t d = 0; d < op->axis_count; d++) {
            const struct op_axis *axis = &op->axes[d];
            fprintf(out, "| `%s` | ", axis->name);
            for (size_t w = 0; axis->words && axis->words[w]; w++)
                fprintf(out, "%s%s", w ? ", " : "", axis->words[w]);
            if (!axis->words) fprintf(out, "%" PRId64 " to %" PRId64, axis->least, axis->most);
            if (axis->standard < axis->least)
                fprintf(out, " | required | ");
            else if (axis->words)
                fprintf(out, " | %s | ", axis->words[axis->standard - axis->least]);
            else
                fprintf(out, " | %" PRId64 " | ", axis->standard);
            write_cell(out, axis->what);
            fprintf(out, " |\n");
        }
    }
    fprintf(out, "\n### Fills\n\nElements depend on (seed, tensor, place) alone and are made of integers; "
                 "harness/fill.c has\n"
                 "the definition.\n\n| fill | holds |\n| --- | --- |\n");
    for (size_t i = 0; i < fill_count; i++)
        fprintf(out, "| `%s` | %s |\n", fill_table[i].name, fill_table[i].what);
    fprintf(out, "\n## What a level does\n\n"
                 "A level holds its own lines of the corpus and those of the levels below, and caps the work "
                 "of a case by class\n"
                 "of device; what is capped is listed in the record and the report. Up to the last column "
                 "every kernel row of\n"
                 "the device runs a case; above it the engine's own choice and one more row, which changes "
                 "with the case.\n\n"
                 "| level | devices | MFLOP a case | MiB a case | every kernel up to MFLOP |\n| --- | --- | "
                 "--- | --- | --- |\n");
    for (int level = 0; level < LEVEL_COUNT; level++)
        for (int class = 0; class < PLAN_CLASS_COUNT; class ++) {
            const struct plan_cap *cap = &plan_caps[level][class];
            fprintf(out, "| %s | %s | %.0f | %" PRIu64 " | %.1f |\n", level_name((enum level)level),
                    plan_class_name((enum plan_class) class), cap->flops / 1e6, cap->bytes >> 20,
                    cap->every_kernel_flops / 1e6);
        }
}

char *options_markdown(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    write_markdown(out);
    fclose(out);
    return text;
}

static void write_completion(FILE *out)
{
    fprintf(out, "# bash completion of assay; source it, or put it into /etc/bash_completion.d\n"
                 "_assay() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                 "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='--help --version");
    for (size_t v = 0; v < VERB_COUNT; v++)
        if (!verb_table[v].hidden) fprintf(out, " %s", verb_table[v].name);
    fprintf(out, "'\n    else\n        case $before in\n"
                 "        --level) words='quick standard full' ;;\n        --fma) words='");
    for (size_t i = 0; fma_names[i]; i++) fprintf(out, "%s%s", i ? " " : "", fma_names[i]);
    fprintf(out, "' ;;\n"
                 "        --device) words=\"all $(\"${COMP_WORDS[0]}\" devices --json 2>/dev/null |"
                 " sed -n 's/.*\"label\": *\"\\([^\"]*\\)\".*/\\1/p')\" ;;\n"
                 "        --out | --lock-dir | --onnx-data)\n"
                 "            mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n            return ;;\n"
                 "        --db | --corpus | --engine | --vulkan-lib | --cuda-lib)\n"
                 "            mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n            return ;;\n"
                 "        *)\n            case ${COMP_WORDS[1]} in\n");
    for (size_t v = 0; v < VERB_COUNT; v++) {
        const struct verb *verb = &verb_table[v];
        if (verb->hidden) continue;
        fprintf(out, "            %s) words='", verb->name);
        if (verb->bit == COMPLETION) fprintf(out, "bash ");
        for (size_t other = 0; verb->bit == HELP && other < VERB_COUNT; other++)
            if (!verb_table[other].hidden) fprintf(out, "%s ", verb_table[other].name);
        const char *name;
        for (size_t i = 0; (name = option_name_at(verb, i)) != NULL; i++)
            fprintf(out, "%s%s", i ? " " : "", name);
        fprintf(out, "' ;;\n");
    }
    fprintf(out, "            esac ;;\n        esac\n    fi\n"
                 "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
                 "complete -o default -F _assay assay\n");
}

char *options_completion(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    write_completion(out);
    fclose(out);
    return text;
}
