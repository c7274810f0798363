/* Verbs and options as tables, and parsing by them; options_text.c makes help, the completion script and docs/cli.md of
 * them. It reads no environment of its own (main.c hands in a lookup) and starts nothing. */
#include "harness/options_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/words.h"
#include "reports/pick.h"

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
    PASSPORT = 1u << 12,
    BENCH = 1u << 20,
    DB = 1u << 21,
    COMPARE = 1u << 22,
    HISTORY = 1u << 23,
    DASHBOARD = 1u << 24,
    EXHAUST = 1u << 25,
    READ = REPORT | COMPARE | HISTORY | DASHBOARD,
    JUDGE = RUN | VERIFY | REPLAY,
    DRIVE = JUDGE | BENCH | PROBE | PASSPORT | EXHAUST | WORKER,
    ENGINE = DRIVE | DEVICES | LIST | SELFTEST,
    EVERY = ~0u,
};

const struct option_verb option_verbs[] = {
    {"devices",
     DEVICES,
     "",
     0,
     0,
     false,
     "list the devices of this machine, and why one is not used",
     "One line a device: index, label, name, driver, memory, whether runs use it, and whether it is trusted. "
     "A backend without "
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
     "Without globs the corpus of the level; globs choose among the cases of the level. A whole case line is "
     "taken as it "
     "stands.",
     {"assay run --device all --allow-software",
      "assay run 'matmul/*fill=cancel*' --device cuda:0 --level standard",
      "assay run --engine ./other.so --device all", "assay run --resume"}},
    {"verify",
     VERIFY,
     "[GLOB|CASE...]",
     0,
     OPTIONS_LIST_MAX,
     false,
     "judge a card before it is given work",
     "As run, with a line for every kernel and shape, and an exit code that is 0 only if each named device "
     "passed. A card that passes the whole corpus of the level gets a trust record; one that fails, or whose "
     "check does "
     "not end, loses it (docs/trust.md). Software renderers and the CPU earn no trust.",
     {"assay verify --device 0", "assay verify --all --allow-software --out report",
      "assay verify --trusted cuda:0"}},
    {"bench",
     BENCH,
     "[GLOB|CASE...]",
     0,
     OPTIONS_LIST_MAX,
     false,
     "time kernels whose answers are right, beside what the device can do",
     "Cases of corpus/bench.cases, of --corpus, or whole case lines. Each kernel is judged first, and not "
     "timed when it "
     "is wrong; the output of each timed sample must have the digest of the judged one. Device time is "
     "measured with "
     "caches emptied (cold) and warm (hot), in several processes, by the rules of docs/bench.md. --ab "
     "compares two "
     "kernels, forms or settings, turn by turn, and is refused with exit 2 when their answers differ.",
     {"assay bench --device cuda:0 --level standard", "assay bench 'q1_0/*' --kernel '*warp*' --lane cold",
      "assay bench 'matmul/f32/m=512*' --device cpu --ab threads=1 threads=2",
      "assay bench 'matmul/f32/m=512*' --device cpu --ab matmul.cpu.avx2.exact matmul.cpu.plain.exact"}},
    {"passport",
     PASSPORT,
     "",
     0,
     0,
     false,
     "show the trust record of a device, and whether it holds now",
     "Identity, measured arithmetic, what was judged, when and by which program; and why a record is stale "
     "or void. "
     "Opens the device and judges nothing.",
     {"assay passport", "assay passport --device cuda:0 --json"}},
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
     "RUN is latest (the default), previous, the number of a run, the start of its key (6 hex digits or "
     "more), or a label, whose runs are shown as one; FILE:RUN is one of another database. Without --out "
     "the report goes to standard output, with --json as the text of a field.",
     {"assay report --db assay.db", "assay report 3 --out report", "assay report nightly-7 --out report"}},
    {"db",
     DB,
     "info | check | merge DEST SRC... | prune | export [RUN]",
     1,
     OPTIONS_ARGUMENTS_MAX,
     false,
     "look into a database, check it, merge several, drop raw samples, or write a run for other programs",
     "info: runs, devices, rows. check: is the file whole, and do its rows agree? Exit 2 when not. merge: "
     "add what the "
     "files SRC hold to DEST, which is made if it is not there, unless every SRC is refused; the order does "
     "not matter, and merging again "
     "changes "
     "nothing; a SRC that is refused is named and the others are merged, exit 1. prune: raw samples older "
     "than --days "
     "go, summaries and whatever did not pass stay. export: the latest run, or RUN (its number, the start of "
     "its key, "
     "a label), as one of the formats, to standard output or --to FILE.",
     {"assay db merge night.db shard-*.db", "assay db check --db night.db",
      "assay db export --junit --db night.db --to junit.xml", "assay db prune --days 30 --dry-run"}},
    {"compare",
     COMPARE,
     "BASE [HEAD]",
     1,
     2,
     false,
     "compare two runs: bits first, then times",
     "A run is a number, the start of its key (6 digits or more), latest, previous, a label, or FILE:RUN of "
     "another database. Any other bits, worse verdict or lower rung fails; times are compared lane by lane "
     "by "
     "rank tests and intervals (docs/timing.md). What is not settled is AMBIGUOUS, and no pass. BASE alone "
     "compares the sides A and B of `bench --ab`. Exit 2 for worse cases and regressions, 3 when nothing "
     "could "
     "be compared.",
     {"assay compare previous latest", "assay compare main.db:latest latest --markdown compare.md",
      "assay compare base.db:latest head.db:latest --remeasure ../main/build/assay"}},
    {"history",
     HISTORY,
     "[GLOB...]",
     0,
     OPTIONS_LIST_MAX,
     false,
     "find what changed over the runs of a database, and when",
     "Cells are chosen by globs over case lines. Times are cut where driver or kernel change, which is a "
     "reason and no alert; other steps and slow drifts are alerts (docs/timing.md), as is every change of a "
     "digest. Exit 2 when there is one that is new, 3 when there are too few runs to say anything.",
     {"assay history", "assay history 'matmul/*' --device cuda:0 --json"}},
    {"dashboard",
     DASHBOARD,
     "",
     0,
     0,
     false,
     "write a folder of pages: devices, verdicts, what changed, every cell with its history",
     "The pages need no server and no network: open index.html of the folder --out. The newest 60 runs are "
     "shown, those of one label as one (docs/dashboards.md).",
     {"assay dashboard -o dashboard", "assay dashboard --db night.db --out public --json"}},
    {"exhaust",
     EXHAUST,
     "FUNCTION...",
     1,
     OPTIONS_LIST_MAX,
     false,
     "try all 2^32 inputs of elementary functions on devices",
     "Names are those of corpus/golden/, or all. Results are compared with the stored digests of 4,096 "
     "blocks of 2^20 inputs; "
     "where one differs the block is searched, and the first wrong input shown. --shard I/N tries every N-th "
     "block.",
     {"assay exhaust all --device cuda:0", "assay exhaust exp tanh --device cpu --json",
      "assay exhaust exp --device vulkan:0 --allow-software --shard 1/256"}},
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
const size_t option_verb_count = sizeof option_verbs / sizeof *option_verbs;
const unsigned option_bit_completion = COMPLETION, option_bit_help = HELP;

/* ---- options ---- */

const struct option_row option_rows[] = {
#define AT(field) offsetof(struct options, field)
    {"--device", "D", "ASSAY_DEVICE", JUDGE | BENCH | PROBE | PASSPORT | EXHAUST | HISTORY, OPTION_DEVICES,
     AT(device), 0, 0,
     "a device: index of `assay devices`, vulkan:0, cuda:0, cpu, a UUID, a PCI address, or all; may be "
     "repeated, or "
     "joined by commas; default all"},
    {"--all", NULL, NULL, JUDGE | BENCH | PROBE | PASSPORT, OPTION_SWITCH, AT(all), 0, 0,
     "every usable device, as --device all"},
    {"--allow-software", NULL, "ASSAY_ALLOW_SOFTWARE", ENGINE, OPTION_SWITCH, AT(allow_software), 0, 0,
     "use software renderers too; they never earn trust"},
    {"--level", "LEVEL", "ASSAY_LEVEL", RUN | VERIFY | LIST | BENCH, OPTION_LEVEL, AT(level), 0, 0,
     "quick, standard or full: how much work; default quick"},
    {"--corpus", "FILE", "ASSAY_CORPUS", RUN | VERIFY | LIST | BENCH, OPTION_TEXT, AT(corpus), 0, 0,
     "cases of this file instead of the built-in corpus"},
    {"--gguf", "FILE", NULL, JUDGE | LIST | BENCH, OPTION_TEXT, AT(gguf), 0, 0,
     "cases from the Q1_0 matrices of this GGUF file instead of the built-in corpus: 64 rows of each at "
     "level "
     "quick, 512 at standard, all at full; replay finds the tensors of file= in it"},
    {"--gguf-hash", "HEX", NULL, JUDGE | LIST, OPTION_TEXT, AT(gguf_hash), 0, 0,
     "refuse a GGUF file whose contents are not those with this XXH3 hash; lines after `repro` give it"},
    {"--kernel", "GLOB", NULL, JUDGE | LIST | BENCH | EXHAUST, OPTION_TEXT, AT(kernel), 0, 0,
     "only kernels whose name matches"},
    {"--db", "FILE", "ASSAY_DB", JUDGE | READ | BENCH | DB, OPTION_TEXT, AT(db), 0, 0,
     "the database; default assay.db"},
    {"--out", "DIR", "ASSAY_OUT", JUDGE | READ, OPTION_TEXT, AT(out), 0, 0,
     "folder for report.md and its plots, or the pages; -o for short"},
    {"--plots", "FORMAT", NULL, JUDGE | REPORT, OPTION_PLOTS, AT(plots), 0, 0,
     "plots of the report in --out: none, svg, png, all; default svg. They need gnuplot"},
    {"--invocations", "N", NULL, BENCH, OPTION_NUMBER, AT(invocations), 1, 1000,
     "processes that time each kernel and case; default 5, with --ab 4 rounds"},
    {"--lane", "LANE", NULL, BENCH, OPTION_LANE, AT(lane), 0, 0,
     "cold (caches emptied before each sample), hot, or both; default both"},
    {"--ab", "A B", NULL, BENCH, OPTION_PAIR, AT(ab), 0, 0,
     "compare two of: a kernel's name, or settings joined by +: fma=FORM, threads=N, no-cpu-simd, "
     "vulkan-staging, "
     "max-binding=BYTES, engine-args=TEXT, default"},
    {"--seconds", "N", NULL, BENCH, OPTION_NUMBER, AT(seconds), 1, 1000000,
     "about how long all timing may take; kernels get equal shares"},
    {"--fma", "FORM", "ASSAY_FMA", DRIVE, OPTION_FMA, AT(variant), 0, 0,
     "force a form of the fused multiply-add: auto, native, contract, guarded, emulated, integer"},
    {"--seed", "HEX", NULL, RUN | VERIFY, OPTION_SEED, AT(seed), 0, 0,
     "fill with this seed instead of the corpus' seeds"},
    {"--samples", "N", "ASSAY_SAMPLES", JUDGE, OPTION_NUMBER, AT(samples), 0, ADAPTER_SAMPLES_MAX,
     "timed repeats of a case; default 5"},
    {"--timeout", "SECONDS", "ASSAY_TIMEOUT", JUDGE | BENCH | EXHAUST, OPTION_NUMBER, AT(timeout_s), 1, 86400,
     "time that one case may take; default 60"},
    {"--threads", "N", "ASSAY_THREADS", ENGINE, OPTION_NUMBER, AT(threads), 0, 1024,
     "threads for judging and for CPU kernels; 0 = one a processor, the default"},
    {"--engine", "FILE.so", "ASSAY_ENGINE", ENGINE, OPTION_TEXT, AT(engine), 0, 0,
     "judge another engine: a shared object with the plug-in ABI of harness/adapter.h"},
    {"--engine-args", "TEXT", NULL, ENGINE, OPTION_TEXT, AT(engine_args), 0, 0, "handed to that engine"},
    {"--onnx-data", "DIR", "ASSAY_ONNX_DATA", JUDGE, OPTION_TEXT, AT(onnx_data), 0, 0,
     "ONNX node tests; default /usr/share/libonnx-testdata/data"},
    {"--vulkan-lib", "FILE", "ASSAY_VULKAN_LIB", ENGINE, OPTION_TEXT, AT(vulkan_lib), 0, 0,
     "Vulkan loader to open; none turns Vulkan off"},
    {"--cuda-lib", "FILE", "ASSAY_CUDA_LIB", ENGINE, OPTION_TEXT, AT(cuda_lib), 0, 0,
     "CUDA driver to open; none turns CUDA off"},
    {"--max-binding", "BYTES", "ASSAY_MAX_BINDING", ENGINE, OPTION_BYTES, AT(max_binding_bytes), 0, 0,
     "lower the device's largest buffer range; K, M and G multiply by 1024"},
    {"--vulkan-staging", NULL, "ASSAY_VULKAN_STAGING", ENGINE, OPTION_SWITCH, AT(vulkan_staging), 0, 0,
     "copy through staging buffers even where memory is shared"},
    {"--no-cpu-simd", NULL, "ASSAY_NO_CPU_SIMD", ENGINE, OPTION_SWITCH, AT(no_cpu_simd), 0, 0,
     "hide AVX2 and AVX-512 from CPU kernels"},
    {"--lock-dir", "DIR", "ASSAY_LOCK_DIR", DRIVE, OPTION_TEXT, AT(lock_dir), 0, 0,
     "folder of the locks that keep two programs off one card; default /tmp"},
    {"--gpu", "LIST", "ASSAY_GPU", ENGINE, OPTION_GPU, 0, 0, 0,
     "cards that are used without being named: off, none or cpu for no card, or indices of `assay devices` "
     "joined by "
     "commas; default every usable card"},
    {"--sysfs-root", "DIR", "ASSAY_SYSFS_ROOT", ENGINE, OPTION_TEXT, AT(sysfs_root), 0, 0,
     "where the kernel describes cards; default /sys"},
    {"--rented", "FILE|URL", NULL, DEVICES | RUN | VERIFY, OPTION_TEXT, AT(rented), 0, 0,
     "list rented GPUs too, from a JSON file, or from an address through the program curl; they are never "
     "used, and a run records them as left out"},
    {"--trust-dir", "DIR", "ASSAY_TRUST_DIR", VERIFY | PASSPORT | DEVICES, OPTION_TEXT, AT(trust_dir), 0, 0,
     "folder of the trust records; default $XDG_STATE_HOME/assay or ~/.local/state/assay"},
    {"--trusted", "D", NULL, VERIFY, OPTION_TEXT, AT(trusted), 0, 0,
     "judge nothing: is this device trusted now, at this level or a higher one? Exit 0 or 2"},
    {"--csv", NULL, NULL, DB, OPTION_SWITCH, AT(format[EXPORT_CSV]), 0, 0, "export as CSV"},
    {"--jsonl", NULL, NULL, DB, OPTION_SWITCH, AT(format[EXPORT_JSONL]), 0, 0,
     "export as JSON, an object a line"},
    {"--junit", NULL, NULL, DB, OPTION_SWITCH, AT(format[EXPORT_JUNIT]), 0, 0, "export as JUnit XML"},
    {"--sarif", NULL, NULL, DB, OPTION_SWITCH, AT(format[EXPORT_SARIF]), 0, 0,
     "export failures as SARIF 2.1.0"},
    {"--tap", NULL, NULL, DB, OPTION_SWITCH, AT(format[EXPORT_TAP]), 0, 0, "export as TAP 14"},
    {"--github", NULL, NULL, DB, OPTION_SWITCH, AT(format[EXPORT_GITHUB]), 0, 0,
     "export failures as annotations of GitHub Actions"},
    {"--prometheus", NULL, NULL, DB, OPTION_SWITCH, AT(format[EXPORT_PROMETHEUS]), 0, 0,
     "export numbers for Prometheus' textfile collector"},
    {"--to", "FILE", NULL, DB, OPTION_TEXT, AT(to), 0, 0,
     "file of the export, written whole or not at all; default standard output"},
    {"--days", "N", NULL, DB, OPTION_NUMBER, AT(days), 0, 36500,
     "prune what was recorded more than N days ago"},
    {"--dry-run", NULL, NULL, DB, OPTION_SWITCH, AT(dry_run), 0, 0, "only count what prune would drop"},
    {"--markdown", "FILE", NULL, COMPARE | HISTORY, OPTION_TEXT, AT(markdown), 0, 0,
     "write the Markdown to this file instead of standard output"},
    {"--delta", "PERCENT", NULL, COMPARE | HISTORY, OPTION_TEXT, AT(delta), 0, 0,
     "smallest change of a time that counts; default 1"},
    {"--remeasure", "PROGRAM", NULL, COMPARE, OPTION_TEXT, AT(remeasure), 0, 0,
     "measure what is not settled again, 12 processes a side, turn by turn: BASE by this program (its own "
     "`assay`), HEAD by the one that runs"},
    {"--resume", NULL, NULL, RUN | VERIFY, OPTION_SWITCH, AT(resume), 0, 0,
     "go on with a run that did not end: the newest of the database that can go on, or RUN (its number, the "
     "start of its key, 6 digits or more, latest, previous, a label); its settings apply, and what is "
     "recorded is not judged again"},
    {"--shard", "I/N", NULL, RUN | VERIFY | EXHAUST, OPTION_SHARD, AT(shard), 0, 0,
     "only part I of N of the cases; a case's part depends on its line alone, and the N parts together are "
     "the whole plan"},
    {"--label", "TEXT", NULL, RUN | VERIFY | BENCH, OPTION_LABEL, AT(label), 0, 0,
     "a name for runs that belong together, such as the shards of a night; it is recorded. At most 200 bytes "
     "of "
     "printable text, and no word that RUN reads otherwise"},
    {"--ops", NULL, NULL, LIST, OPTION_SWITCH, AT(ops), 0, 0, "list kernels instead of cases"},
    {"--json", NULL, NULL, EVERY & ~(COMPLETION | HELP), OPTION_SWITCH, AT(json), 0, 0, "answer in JSON"},
    {"--quiet", NULL, "ASSAY_QUIET", EVERY, OPTION_SWITCH, AT(quiet), 0, 0,
     "no progress, only failures and the summary"},
    {"--help", NULL, NULL, EVERY, OPTION_SWITCH, AT(help), 0, 0, "this text"},
#undef AT
};
const size_t option_row_count = sizeof option_rows / sizeof *option_rows;
_Static_assert(sizeof option_rows / sizeof *option_rows <= OPTIONS_ROWS_MAX, "options.given is too short");

static const char *const lane_names[] = {"both", "cold", "hot", NULL};
const char *const option_fma_names[] = {"auto", "native", "contract", "guarded", "emulated", "integer", NULL};
static const char *const level_names[] = {"quick", "standard", "full", NULL};

/* ---- names, for error texts ---- */

static const char *verb_name_at(const void *context, size_t i)
{
    (void)context;
    return i < option_verb_count && !option_verbs[i].hidden ? option_verbs[i].name : NULL;
}

static const char *option_name_at(const void *context, size_t i)
{
    const struct option_verb *verb = context;
    for (size_t r = 0; r < option_row_count; r++)
        if (option_rows[r].verbs & verb->bit && i-- == 0) return option_rows[r].name;
    return NULL;
}

static const char *list_name_at(const void *context, size_t i)
{
    return ((const char *const *)context)[i];
}

static const struct option_verb *verb_find(const char *name)
{
    for (size_t i = 0; i < option_verb_count; i++)
        if (strcmp(option_verbs[i].name, name) == 0) return &option_verbs[i];
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

/* Row D11: off, none, cpu, or indices. A word that is no number is an error: skipped, it would select nothing. */
static enum assay_status parse_gpus(const char *source, const char *text, struct options *options,
                                    struct assay_error *error)
{
    char quoted[WORDS_QUOTE_MAX];
    options->gpu_given = true;
    options->gpu_count = 0;
    for (const char *word = text; word;) {
        const char *comma = strchr(word, ',');
        size_t length = comma ? (size_t)(comma - word) : strlen(word);
        int64_t number;
        while (length && *word == ' ') word++, length--;
        while (length && word[length - 1] == ' ') length--;
        bool off = (length == 3 && (!strncmp(word, "off", 3) || !strncmp(word, "cpu", 3))) ||
                   (length == 4 && !strncmp(word, "none", 4));
        if (off && !comma && !options->gpu_count) return ASSAY_OK;
        if (!words_integer(word, length, &number) || number < 0 || number > UINT32_MAX)
            return assay_error_set(
                error, ASSAY_INVALID_INPUT,
                "%s: %s is no index; allowed: off, none, cpu, or indices of `assay devices` "
                "joined by commas",
                source, words_quote(quoted, word, length));
        if (options->gpu_count == OPTIONS_LIST_MAX)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: more cards than can be run", source);
        options->gpu[options->gpu_count++] = (uint32_t)number;
        word = comma ? comma + 1 : NULL;
    }
    return ASSAY_OK;
}

/* "2/8" */
static bool parse_shard(const char *text, struct options *options)
{
    const char *slash = strchr(text, '/');
    int64_t shard, shards;
    if (!slash || !words_integer(text, (size_t)(slash - text), &shard) ||
        !words_integer(slash + 1, strlen(slash + 1), &shards) || shard < 1 || shard > shards ||
        shards > OPTIONS_SHARDS_MAX)
        return false;
    options->shard = (uint32_t)shard;
    options->shards = (uint32_t)shards;
    return true;
}

/* `source` is the option or the word, for errors. */
static enum assay_status set(const struct option_row *row, const char *source, const char *text,
                             bool from_word, struct options *options, struct assay_error *error)
{
    char *field = (char *)options + row->offset;
    char quoted[WORDS_QUOTE_MAX], what[64];
    int64_t number;
    words_quote(quoted, text, strlen(text));
    snprintf(what, sizeof what, "%s:", source);
    switch (row->kind) {
    case OPTION_SWITCH:
        if (parse_switch(text, (bool *)field)) return ASSAY_OK;
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s is %s; allowed: 1 or 0", source, quoted);
    case OPTION_TEXT:
        if (!*text) return assay_error_set(error, ASSAY_INVALID_INPUT, "%s is empty", source);
        memcpy(field, &text, sizeof text);
        return ASSAY_OK;
    case OPTION_DEVICES:
        return parse_devices(source, text, from_word, options, error);
    case OPTION_LEVEL:
        options->level = level_parse(text);
        if (options->level < LEVEL_COUNT) return ASSAY_OK;
        options->level = LEVEL_QUICK;
        return unknown(error, what, text, NULL, list_name_at, level_names);
    case OPTION_NUMBER:
        if (!words_integer(text, strlen(text), &number) || number < row->least || number > row->most)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s is %s; allowed: a number from %" PRIu32 " to %" PRIu32, source, quoted,
                                   row->least, row->most);
        *(uint32_t *)field = (uint32_t)number;
        return ASSAY_OK;
    case OPTION_BYTES:
        if (parse_bytes(text, (uint64_t *)field)) return ASSAY_OK;
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s is %s; allowed: a number of bytes, with K, M or G behind it "
                               "if wanted",
                               source, quoted);
    case OPTION_SEED:
        options->seed_given = words_hex(text, strlen(text), &options->seed);
        if (options->seed_given) return ASSAY_OK;
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s is %s; allowed: 1 to 16 hex digits", source,
                               quoted);
    case OPTION_GPU:
        return parse_gpus(source, text, options, error);
    case OPTION_SHARD:
        if (parse_shard(text, options)) return ASSAY_OK;
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s is %s; allowed: I/N, part I of N, as 2/8, with N up to %d", source, quoted,
                               OPTIONS_SHARDS_MAX);
    case OPTION_LABEL:
        if (!pick_is_label(text))
            return assay_error_set(
                error, ASSAY_INVALID_INPUT,
                "%s is %s; allowed: 1 to %d bytes of printable text that is no number, not "
                "latest, previous or all, and does not begin with run=, key= or label=",
                source, quoted, PICK_LABEL_MAX);
        memcpy(field, &text, sizeof text);
        return ASSAY_OK;
    case OPTION_FMA:
        for (size_t i = 0; option_fma_names[i]; i++)
            if (strcmp(text, option_fma_names[i]) == 0) {
                options->variant = i ? option_fma_names[i] : NULL;
                return ASSAY_OK;
            }
        return unknown(error, what, text, NULL, list_name_at, option_fma_names);
    case OPTION_LANE:
        for (size_t i = 0; lane_names[i]; i++)
            if (strcmp(text, lane_names[i]) == 0) {
                options->lane = lane_names[i];
                return ASSAY_OK;
            }
        return unknown(error, what, text, NULL, list_name_at, lane_names);
    case OPTION_PLOTS:
        for (size_t i = 0; report_plot_names[i]; i++)
            if (strcmp(text, report_plot_names[i]) == 0) {
                options->plots = report_plot_names[i];
                return ASSAY_OK;
            }
        return unknown(error, what, text, NULL, list_name_at, report_plot_names);
    case OPTION_PAIR:
        break; /* parse_option takes both words */
    }
    return assay_error_set(error, ASSAY_INTERNAL, "%s has no kind", row->name);
}

/* ---- the command line ---- */

static enum assay_status wrong_option(const struct option_verb *verb, const char *name,
                                      struct assay_error *error)
{
    char what[64], help[64];
    for (size_t r = 0; r < option_row_count; r++) {
        if (strcmp(option_rows[r].name, name) != 0) continue;
        char verbs[200];
        size_t used = 0;
        for (size_t v = 0; v < option_verb_count; v++)
            if (option_rows[r].verbs & option_verbs[v].bit && !option_verbs[v].hidden)
                words_append(verbs, sizeof verbs, &used, "%s%s", used ? ", " : "", option_verbs[v].name);
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s is no option of this verb, but of %s",
                               verb->name, name, verbs);
    }
    snprintf(what, sizeof what, "%s: option", verb->name);
    snprintf(help, sizeof help, "; `assay %s --help` lists them", verb->name);
    return unknown(error, what, name, help, option_name_at, verb);
}

static const struct {
    const char *brief, *name;
} briefs[] = {{"-h", "--help"}, {"-o", "--out"}};

/* One option at argv[*i]; moves *i over its value. */
static enum assay_status parse_option(const struct option_verb *verb, int argc, char **argv, int *i,
                                      struct options *options, struct assay_error *error)
{
    char name[40];
    const char *equals = strchr(argv[*i], '=');
    size_t length = equals ? (size_t)(equals - argv[*i]) : strlen(argv[*i]);
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, argv[*i], length);
    name[length] = 0;
    for (size_t b = 0; b < sizeof briefs / sizeof *briefs; b++)
        if (strcmp(name, briefs[b].brief) == 0) snprintf(name, sizeof name, "%s", briefs[b].name);
    const struct option_row *row = NULL;
    for (size_t r = 0; r < option_row_count && !row; r++)
        if (option_rows[r].verbs & verb->bit && strcmp(option_rows[r].name, name) == 0) row = &option_rows[r];
    if (!row) return wrong_option(verb, name, error);
    const char *value = equals ? equals + 1 : NULL;
    if (row->kind == OPTION_SWITCH) {
        if (value) return assay_error_set(error, ASSAY_INVALID_INPUT, "%s takes no value", name);
        value = "1";
    } else if (!value) {
        if (*i + 1 >= argc)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s needs a value: %s", name, row->value);
        value = argv[++*i];
    }
    /* Devices of the command line replace those of the environment. */
    if (row->kind == OPTION_DEVICES && options->device_from_word) {
        options->device_count = options->device_words_used = 0;
        options->device_from_word = false;
    }
    if (row->kind == OPTION_PAIR) {
        const char **pair = (const char **)((char *)options + row->offset);
        if (equals || *i + 1 >= argc || value[0] == '-' || argv[*i + 1][0] == '-')
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s needs two words behind it: %s", name,
                                   row->value);
        pair[0] = value;
        pair[1] = argv[++*i];
        return ASSAY_OK;
    }
    options->given[row - option_rows] = true;
    return set(row, name, value, false, options, error);
}

static enum assay_status parse_words(char *(*word)(const char *), struct options *options,
                                     struct assay_error *error)
{
    for (size_t r = 0; r < option_row_count; r++) {
        const char *text = option_rows[r].word ? word(option_rows[r].word) : NULL;
        if (!text || !*text) continue;
        enum assay_status status = set(&option_rows[r], option_rows[r].word, text, true, options, error);
        if (status) return status;
        options->device_from_word |= option_rows[r].kind == OPTION_DEVICES;
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

static enum assay_status check_arguments(const struct option_verb *verb, const struct options *options,
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
    options->days = UINT32_MAX;
    options->timeout_s = 60;
    options->lane = lane_names[0];
    options->plots = report_plot_names[REPORT_PLOTS_DEFAULT];
    record_command(argc, argv, options);
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "a verb is missing; `assay --help` lists them");
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    const struct option_verb *verb = verb_find(name);
    if (!verb) return unknown(error, "verb", name, NULL, verb_name_at, NULL);
    options->verb = verb->name;
    enum assay_status status = word ? parse_words(word, options, error) : ASSAY_OK;
    bool only_arguments = false;
    const size_t limit = verb->most > OPTIONS_LIST_MAX ? verb->most : OPTIONS_LIST_MAX;
    for (int i = 2; i < argc && !status; i++) {
        if (!only_arguments && strcmp(argv[i], "--") == 0)
            only_arguments = true;
        else if (!only_arguments && argv[i][0] == '-' && argv[i][1])
            status = parse_option(verb, argc, argv, &i, options, error);
        else if (options->arg_count == limit)
            status =
                assay_error_set(error, ASSAY_INVALID_INPUT, "%s: more than %zu arguments", verb->name, limit);
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
        .sysfs_root = options->sysfs_root,
        .rented = options->rented,
    };
}
