/* Trust (rows D24, D26, H18): records and what they are bound to, a verify that grants, withdraws and never grants after a
 * fault at any step, what `verify --trusted` answers, and what libassay refuses when trust is required. */
#include "devices/device.h"
#include "devices/trust.h"
#include "harness/trust.h"
#include "kernels/assay.h"
#include "tests/stub_cuda.h"
#include "tests/verbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENGINE      TEST_BUILD "/tests/stub_faulty.so"
#define UUID        "11111111-2222-3333-4444-555555555555"
#define RECORD_NAME UUID ".stub.stub.json"

/* The fault strikes the second case. */
static const char corpus_text[] = "# a corpus of the test's own\n"
                                  "matmul/f32/m=4,n=6,k=7/fill=normal/seed=1\n"
                                  "matmul/f32/m=5,n=6,k=7/fill=cancel/seed=2\n";

/* ---- a verify of the stub's card ---- */

struct bench {
    struct verbs verbs;
    char corpus[96], dir[96], path[192];
};

static void bench_begin(struct bench *bench)
{
    verbs_begin(&bench->verbs);
    snprintf(bench->corpus, sizeof bench->corpus, "%s/test.cases", bench->verbs.folder);
    snprintf(bench->dir, sizeof bench->dir, "%s/state/assay", bench->verbs.folder);
    snprintf(bench->path, sizeof bench->path, "%s/" RECORD_NAME, bench->dir);
    FILE *file = fopen(bench->corpus, "w");
    fputs(corpus_text, file);
    fclose(file);
    setenv("STUB_UUID", UUID, 1);
}

static void bench_end(struct bench *bench)
{
    static const char *const words[] = {"STUB_UUID",      "STUB_DRIVER",  "STUB_VBIOS",
                                        "STUB_PARTITION", "STUB_VARIANT", "STUB_CODE"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) unsetenv(words[i]);
    verbs_end(&bench->verbs);
}

/* verify with a fault; `more` are up to three further words. A fault that hangs is waited for a second, not two. */
static int verify(struct bench *bench, const char *fault, const char *const more[3])
{
    const char *timeout = strncmp(fault, "hang", 4) == 0 ? "1" : "2";
    const char *words[24] = {"verify",      "--engine",    ENGINE,     "--engine-args", fault,   "--corpus",
                             bench->corpus, "--trust-dir", bench->dir, "--timeout",     timeout, "--quiet"};
    for (size_t i = 0, at = 12; more && i < 3 && more[i]; i++) words[at++] = more[i];
    return verbs_call(&bench->verbs, words);
}

static int trusted(struct bench *bench, const char *level)
{
    const char *const words[] = {"verify", "--trusted", "stub:0", "--engine",    ENGINE,     "--engine-args",
                                 "none",   "--level",   level,    "--trust-dir", bench->dir, NULL};
    return verbs_call(&bench->verbs, words);
}

static void says(const struct bench *bench, const char *words)
{
    if (!strstr(bench->verbs.out, words) && !strstr(bench->verbs.err, words))
        fail_msg("no '%s' in:\n%s%s", words, bench->verbs.out, bench->verbs.err);
}

static void is_trusted(struct bench *bench)
{
    if (trusted(bench, "quick") != EXIT_PASS) fail_msg("%s%s", bench->verbs.out, bench->verbs.err);
    says(bench, "stub:0 Stub card: trusted");
}

static void is_not_trusted(struct bench *bench, const char *why)
{
    assert_int_equal(trusted(bench, "quick"), EXIT_FAILED);
    says(bench, "stub:0 Stub card: not trusted");
    says(bench, why);
}

static void granted_and_withdrawn(void **state)
{
    struct bench bench;
    (void)state;
    bench_begin(&bench);
    is_not_trusted(&bench, "it has no trust record");
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    says(&bench, "stub:0: VERIFIED");
    says(&bench, "stub:0: trust record: ");
    is_trusted(&bench);
    assert_int_equal(verify(&bench, "flip:5", NULL), EXIT_FAILED);
    says(&bench, "trust record withdrawn");
    is_not_trusted(&bench, "DIFF matmul/f32/m=5,n=6,k=7/fill=cancel/seed=2");
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    is_trusted(&bench);
    /* The database has the history. */
    assert_string_equal(
        verbs_text(&bench.verbs,
                   "SELECT group_concat(state) FROM (SELECT state FROM trust ORDER BY trust_id)"),
        "granted,withdrawn,granted");
    assert_int_equal(verbs_number(&bench.verbs, "SELECT count(*) FROM trust WHERE json_extract(record, "
                                                "'$.key.uuid') = '" UUID "'"),
                     3);
    bench_end(&bench);
}

/* A fault at any step of the check: never trusted, and what trust there was is gone. */
static void faults(void **state)
{
    static const struct {
        const char *fault, *why;
        int exit_code;
    } table[] = {
        {"openfail", "cannot open (-3)", EXIT_ERROR},
        {"openrefuse", "adds are not exact", EXIT_NOTHING},
        {"opencrash", "crashed during", EXIT_ERROR},
        {"probefail", "pipeline of the probe failed (-4)", EXIT_ERROR},
        {"pipeline:5", "is refused", EXIT_ERROR},
        {"upload:5", "copy to the card failed", EXIT_ERROR},
        {"error:5", "launch failed", EXIT_ERROR},
        {"readback:5", "copy from the card failed", EXIT_ERROR},
        {"oom:5", "OutOfMemory", EXIT_ERROR},
        {"flip:5", "DIFF", EXIT_FAILED},
        {"nan:5", "DIFF", EXIT_FAILED},
        {"nondet:5", "NONDET", EXIT_FAILED},
        {"silent:5", "GUARD", EXIT_FAILED},
        {"stray:5", "GUARD", EXIT_FAILED},
        {"crash:5", "CRASH", EXIT_FAILED},
        {"lost:5", "CRASH", EXIT_FAILED},
        {"hang:5", "HANG", EXIT_FAILED},
        {"skip", "nothing was judged", EXIT_NOTHING},
        {"clang", "nothing was judged", EXIT_NOTHING},
    };
    (void)state;
    for (size_t at = 0; at < sizeof table / sizeof table[0]; at++) {
        struct bench bench;
        print_message("%s\n", table[at].fault);
        bench_begin(&bench);
        for (int before = 0; before < 2; before++) { /* without and with a record from before */
            if (before) {
                assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
                is_trusted(&bench);
            }
            if (before == 0 && at % 4) continue; /* the rarer half on every fourth alone: time */
            assert_int_equal(verify(&bench, table[at].fault, NULL), table[at].exit_code);
            is_not_trusted(&bench, table[at].why);
        }
        bench_end(&bench);
    }
}

#if !defined ASSAY_BUILD_SANITIZER /* a sanitizer's shadow is larger than any limit */
/* The harness itself runs out of memory (opendcdiag/opendcdiag#1164): an ERROR of the machinery, apart from what a card
 * can be blamed for. The other cases are judged; the card is not trusted, and nothing is held against it. */
static void memory_of_the_harness(void **state)
{
    struct bench bench;
    static const char *const more[3] = {"--level", "full"};
    (void)state;
    bench_begin(&bench);
    assert_int_equal(verify(&bench, "none", more), EXIT_PASS);
    FILE *file = fopen(bench.corpus, "w");
    fputs("# a corpus of the test's own\n"
          "matmul/f32/m=4,n=6,k=7/fill=normal/seed=1\n"
          "matmul/f32/m=64,n=64,k=16777216/fill=normal/seed=1\n"
          "matmul/f32/m=5,n=6,k=7/fill=cancel/seed=2\n",
          file);
    fclose(file);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {(rlim_t)4 << 30, (rlim_t)4 << 30};
        setrlimit(RLIMIT_AS, &limit);
        const int code = verify(&bench, "none", more);
        if (code != EXIT_ERROR) fprintf(stderr, "%d\n%s%s", code, bench.verbs.out, bench.verbs.err);
        _exit(code != EXIT_ERROR);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    static const char *const result = "SELECT group_concat(verdict || ' ' || oracle || ';', '') FROM "
                                      "(SELECT verdict, oracle FROM result JOIN run USING (run_id) WHERE "
                                      "exit_code = 1 ORDER BY seq)";
    assert_string_equal(verbs_text(&bench.verbs, result), "PASS contract;ERROR ;PASS contract;");
    assert_int_equal(verbs_number(&bench.verbs, "SELECT count(*) FROM result WHERE verdict = 'ERROR' AND "
                                                "reason LIKE 'cannot make the memory of a case: %'"),
                     1);
    is_not_trusted(&bench, "ERROR matmul/f32/m=64,n=64,k=16777216/fill=normal/seed=1");
    bench_end(&bench);
}
#endif

/* The record cannot be written: at the beginning nothing runs, at the end nothing is trusted. */
static void record_not_written(void **state)
{
    struct bench bench;
    char path[160];
    (void)state;
    bench_begin(&bench);
    snprintf(path, sizeof path, "%s/state", bench.verbs.folder);
    FILE *file = fopen(path, "w"); /* a file where the folder should be */
    fclose(file);
    assert_int_equal(verify(&bench, "none", NULL), EXIT_ERROR);
    says(&bench, "cannot be written: Not a directory");
    is_not_trusted(&bench, "cannot be read");
    assert_int_equal(verbs_number(&bench.verbs, "SELECT count(*) FROM result"), 0);
    unlink(path);

    /* The folder goes away between the beginning and the end. */
    struct inventory_device device = {.label = "stub:0",
                                      .backend = "stub",
                                      .name = "Stub card",
                                      .driver = "stub 1",
                                      .api = "",
                                      .kind = "discrete",
                                      .uuid = UUID,
                                      .pci = "",
                                      .vbios = "",
                                      .partition = ""};
    struct options options = {.trust_dir = bench.dir};
    struct assay_error error = {0};
    struct trust trust = {0};
    assert_int_equal(trust_begin(&options, "stub", &device, &trust, &error), ASSAY_OK);
    assert_int_equal(trust_note(&trust, "matmul", "f32", "normal", "matmul.stub.plain.exact", 9, &error),
                     ASSAY_OK);
    const struct trust_facts facts = {
        .probe_json =
            "{\"variant\": \"native\", \"kernels\": [{\"name\": \"matmul.stub.plain.exact\", \"code\": "
            "\"0123456789abcdef\"}]}",
        .level = "quick",
        .corpus = "built-in",
        .corpus_hash = "0",
        .command = "",
        .database = "",
        .passed = 1,
        .planned = 1};
    char command[256];
    snprintf(command, sizeof command, "mv %s/state %s/gone && touch %s/state", bench.verbs.folder,
             bench.verbs.folder, bench.verbs.folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(trust_grant(&trust, &facts, &error), ASSAY_IO);
    assert_false(trust.granted);
    is_not_trusted(&bench, "cannot be read");
    snprintf(command, sizeof command, "rm %s/state && mv %s/gone %s/state", bench.verbs.folder,
             bench.verbs.folder, bench.verbs.folder);
    assert_int_equal(system(command), 0);
    is_not_trusted(&bench, "has not ended"); /* what stands is the mark of the begun check */
    /* An engine that names no code of its kernels. */
    struct trust_facts without = facts;
    without.probe_json = "{\"variant\": \"native\", \"kernels\": [{\"name\": \"matmul.stub.plain.exact\"}]}";
    assert_int_equal(trust_grant(&trust, &without, &error), ASSAY_UNSUPPORTED);
    is_not_trusted(&bench, "has not ended");
    assert_int_equal(trust_grant(&trust, &facts, &error), ASSAY_OK);
    is_trusted(&bench);
    trust_free(&trust);
    bench_end(&bench);
}

/* A verify that is killed leaves no trust behind. */
static void killed(void **state)
{
    struct bench bench;
    int how;
    (void)state;
    bench_begin(&bench);
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    is_trusted(&bench);
    pid_t child = fork();
    if (child == 0) {
        static const char *const more[3] = {"--timeout", "60", NULL};
        verify(&bench, "hang:5", more);
        _exit(0);
    }
    struct assay_trust_record record;
    for (bool marked = false; !marked;) {
        usleep(5000);
        if (assay_trust_read(bench.path, &record, NULL) != ASSAY_OK) continue;
        marked = !record.trusted;
        assay_trust_free(&record);
    }
    kill(child, SIGKILL);
    waitpid(child, &how, 0);
    is_not_trusted(&bench, "a check that began at ");
    bench_end(&bench);
}

/* Part of the corpus proves too little for a record; it leaves a standing one alone, and fails like any other. */
static void partial(void **state)
{
    static const char *const glob[3] = {"matmul/f32/m=4*", NULL, NULL}, *const kernel[3] = {"--kernel", "*",
                                                                                            NULL};
    struct bench bench;
    (void)state;
    bench_begin(&bench);
    assert_int_equal(verify(&bench, "none", glob), EXIT_PASS);
    says(&bench, "a part of the corpus earns no trust record");
    is_not_trusted(&bench, "it has no trust record");
    assert_int_equal(verify(&bench, "none", kernel), EXIT_PASS);
    is_not_trusted(&bench, "it has no trust record");
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    assert_int_equal(verify(&bench, "none", glob), EXIT_PASS);
    is_trusted(&bench);
    assert_int_equal(verify(&bench, "flip:4", glob), EXIT_FAILED);
    is_not_trusted(&bench, "DIFF");
    bench_end(&bench);
}

/* Row D26: any field of the key that changes makes the record void; a changed corpus makes it stale. */
static void bound(void **state)
{
    static const struct {
        const char *word, *value, *why;
    } table[] = {
        {"STUB_UUID", "11111111-2222-3333-4444-555555555556", "it has no trust record"},
        {"STUB_PARTITION", "mig 1g.10gb", "it has no trust record"},
        {"STUB_VBIOS", "96.00.02", "its firmware (VBIOS) is '96.00.02', the record is for '96.00.01'"},
        {"STUB_DRIVER", "stub 2", "its driver is 'stub 2', the record is for 'stub 1'"},
        {"STUB_VARIANT", "emulated", "its form of the fused multiply-add is 'emulated'"},
        {"STUB_CODE", "0123456789abcdee", "kernel matmul.stub.plain.exact has code 0123456789abcdee"},
    };
    struct bench bench;
    (void)state;
    bench_begin(&bench);
    setenv("STUB_VBIOS", "96.00.01", 1);
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        is_trusted(&bench);
        char *before = getenv(table[i].word) ? strdup(getenv(table[i].word)) : NULL;
        setenv(table[i].word, table[i].value, 1);
        is_not_trusted(&bench, table[i].why);
        if (before)
            setenv(table[i].word, before, 1);
        else
            unsetenv(table[i].word);
        free(before);
    }
    is_trusted(&bench);
    says(&bench, "stale: it was judged with the corpus");
    unsetenv("STUB_VBIOS"); /* not known now: it is not compared */
    is_trusted(&bench);
    assert_int_equal(trusted(&bench, "full"), EXIT_FAILED);
    says(&bench, "it was verified at level quick, not full");
    const char *const elsewhere[] = {"verify", "--trusted", "stub:1", "--engine", ENGINE, NULL};
    assert_int_equal(verbs_call(&bench.verbs, elsewhere), EXIT_NOTHING);
    const char *const json[] = {"verify",      "--trusted", "0",      "--engine", ENGINE,
                                "--trust-dir", bench.dir,   "--json", NULL};
    assert_int_equal(verbs_call(&bench.verbs, json), EXIT_PASS);
    json_t *answer = json_loads(bench.verbs.out, 0, NULL);
    assert_true(json_is_true(json_object_get(answer, "trusted")));
    assert_true(json_is_true(json_object_get(answer, "stale")));
    json_decref(answer);
    /* A device that no longer opens is not trusted, whatever its record says. */
    const char *const broken[] = {"verify",        "--trusted", "0",           "--engine", ENGINE,
                                  "--engine-args", "openfail",  "--trust-dir", bench.dir,  NULL};
    assert_int_equal(verbs_call(&bench.verbs, broken), EXIT_FAILED);
    says(&bench, "it cannot be opened");
    bench_end(&bench);
}

/* The CPU needs no record, software renderers and devices without a UUID get none. */
static void without_records(void **state)
{
    struct bench bench;
    struct stat unused;
    (void)state;
    bench_begin(&bench);
    const char *const software[] = {"verify",           "matmul/f32/m=4,n=6,k=7/fill=normal/seed=1",
                                    "--engine",         ENGINE,
                                    "--engine-args",    "software",
                                    "--allow-software", "--trust-dir",
                                    bench.dir,          NULL};
    assert_int_equal(verbs_call(&bench.verbs, software), EXIT_PASS);
    assert_int_not_equal(stat(bench.dir, &unused), 0);
    const char *const cpu[] = {"verify",     "--trusted", "cpu",          "--trust-dir", bench.dir,
                               "--cuda-lib", "none",      "--vulkan-lib", "none",        NULL};
    assert_int_equal(verbs_call(&bench.verbs, cpu), EXIT_PASS);
    says(&bench, "the CPU is the reference");
    const char *const lavapipe[] = {"verify",     "--trusted", "vulkan:0",         "--trust-dir", bench.dir,
                                    "--cuda-lib", "none",      "--allow-software", NULL};
    assert_int_equal(verbs_call(&bench.verbs, lavapipe), EXIT_FAILED);
    says(&bench, "a software renderer earns no trust");
    setenv("STUB_UUID", "", 1);
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    says(&bench, "no trust record is kept: the device has no UUID");
    assert_int_not_equal(stat(bench.dir, &unused), 0);
    is_not_trusted(&bench, "no UUID");
    bench_end(&bench);
}

/* ---- the file ---- */

static void overwrite(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void damaged(void **state)
{
    struct bench bench;
    char text[1 << 14], changed[1 << 14];
    (void)state;
    bench_begin(&bench);
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    FILE *file = fopen(bench.path, "r");
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    text[bytes] = '\0';
    fclose(file);
    /* Every prefix that matters, and a word changed by hand. */
    for (size_t cut = 0; cut < bytes - 1; cut += 61) {
        snprintf(changed, sizeof changed, "%.*s", (int)cut, text);
        overwrite(bench.path, changed);
        struct assay_trust_record record;
        assert_int_equal(assay_trust_read(bench.path, &record, NULL), ASSAY_INVALID_INPUT);
    }
    snprintf(changed, sizeof changed, "%s", text);
    strstr(changed, "stub 1")[5] = '2';
    overwrite(bench.path, changed);
    setenv("STUB_DRIVER", "stub 2", 1);
    is_not_trusted(&bench, "damaged or was changed by hand");
    unsetenv("STUB_DRIVER");
    static const char *const bad[] = {"[]", "{}", "{\"format\": 2}",
                                      "{\"format\": 1, \"trusted\": true, \"key\": {}}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        overwrite(bench.path, bad[i]);
        struct assay_trust_record record;
        assert_int_equal(assay_trust_read(bench.path, &record, NULL), ASSAY_INVALID_INPUT);
    }
    /* Sealed, and yet no record of a passed check. */
    json_t *empty = json_pack("{s:i, s:b, s:{s:s}}", "format", 1, "trusted", 1, "key", "uuid", UUID);
    char *sealed = assay_trust_seal(empty);
    overwrite(bench.path, sealed);
    is_not_trusted(&bench, "not trusted");
    free(sealed);
    json_decref(empty);
    overwrite(bench.path, text);
    is_trusted(&bench);
    bench_end(&bench);
}

/* Write the record again with one field of it, or of its key, changed, and sealed as verify would. */
static void reseal(const struct bench *bench, bool in_key, const char *field, const char *value)
{
    json_t *document = json_load_file(bench->path, 0, NULL);
    json_object_set_new(in_key ? json_object_get(document, "key") : document, field, json_string(value));
    char *text = assay_trust_seal(document);
    overwrite(bench->path, text);
    free(text);
    json_decref(document);
}

/* Another version of an oracle or a definition voids; another state of the corpus makes stale. */
static void oracles_and_corpus(void **state)
{
    struct bench bench;
    struct corpus corpus = {0};
    char hash[17], oracles[1024];
    (void)state;
    bench_begin(&bench);
    assert_int_equal(verify(&bench, "none", NULL), EXIT_PASS);
    json_t *document = json_load_file(bench.path, 0, NULL);
    snprintf(oracles, sizeof oracles, "%s",
             json_string_value(json_object_get(json_object_get(document, "key"), "oracles")));
    json_decref(document);
    assert_non_null(strstr(oracles, "contract 1"));
    assert_non_null(strstr(oracles, "; matmul 1"));
    char *version = strstr(oracles, "matmul 1") + 7;
    *version = '2';
    reseal(&bench, true, "oracles", oracles);
    is_not_trusted(&bench, "its set of oracles is");
    *version = '1';
    reseal(&bench, true, "oracles", oracles);
    is_trusted(&bench);
    reseal(&bench, false, "corpus", "built-in");
    is_trusted(&bench);
    says(&bench, "stale: the corpus has changed since");
    assert_int_equal(corpus_load(&corpus, NULL, NULL), ASSAY_OK);
    assert_int_equal(corpus_select(&corpus, NULL, 0, LEVEL_QUICK, NULL), ASSAY_OK);
    corpus_hash(&corpus, hash);
    corpus_free(&corpus);
    reseal(&bench, false, "corpus_hash", hash);
    is_trusted(&bench);
    assert_null(strstr(bench.verbs.out, "stale"));
    bench_end(&bench);
}

static void paths(void **state)
{
    char path[256];
    struct assay_error error = {0};
    struct assay_trust_key key = {
        .uuid = "../../etc/passwd", .engine = "a/b", .backend = "cuda", .partition = ""};
    (void)state;
    assert_int_equal(assay_trust_path("/d", &key, path, sizeof path, &error), ASSAY_OK);
    assert_string_equal(path, "/d/______etc_passwd.a_b.cuda.json");
    key = (struct assay_trust_key){
        .uuid = UUID, .engine = "assay", .backend = "cuda", .partition = "mig 1g.18gb"};
    assert_int_equal(assay_trust_path("/d", &key, path, sizeof path, &error), ASSAY_OK);
    assert_string_equal(path, "/d/" UUID "+mig_1g_18gb.assay.cuda.json");
    assert_int_equal(assay_trust_path("/d", &key, path, 40, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(assay_trust_path(NULL, &key, path, sizeof path, &error), ASSAY_INVALID_INPUT);
}

/* ---- libassay ---- */

static struct stub_cuda *stub_card(void)
{
    static void *library;
    if (!library) library = dlopen(TEST_BUILD "/tests/stub_cuda.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    struct stub_cuda *stub = dlsym(library, "stub_cuda");
    assert_non_null(stub);
    *stub = (struct stub_cuda){.devices = 1, .cc_major = 9};
    return stub;
}

static void refused(const struct assay_open_params *params, enum assay_status status, const char *words)
{
    struct assay_error error = {0};
    struct assay_engine *engine = NULL;
    assert_int_equal(assay_open(params, &engine, &error), status);
    assert_null(engine);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

/* An untrusted card is refused before anything touches it; a good record lets the opening go on. */
static void library_refuses(void **state)
{
    struct bench bench;
    struct stub_cuda *stub = stub_card();
    const struct assay_driver_params driver = {.vulkan_lib = "none",
                                               .cuda_lib = TEST_BUILD "/tests/stub_cuda.so",
                                               .nvml_lib = "none",
                                               .sysfs_root = "/nonexistent"};
    struct assay_open_params params = {.device = "cuda:0", .driver = &driver, .require_trust = true};
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct assay_error error = {0};
    struct trust trust = {0};
    (void)state;
    bench_begin(&bench);
    refused(&params, ASSAY_DEVICE_UNSUPPORTED, "is not trusted: no folder of trust records is set");
    params.trust_dir = bench.dir;
    refused(&params, ASSAY_DEVICE_UNSUPPORTED, "device cuda:0 Stub 0 is not trusted: it has no trust record");
    assert_int_equal(stub->contexts, 0);
    assert_int_equal(stub->launches, 0);

    /* A record for this card, as verify writes it. */
    assay_discover(&driver, NULL, list);
    const struct assay_device_info *info = NULL;
    assert_int_equal(assay_device_find(list, "cuda:0", &info, &error), ASSAY_OK);
    char uuid[37];
    struct inventory_device device = {.label = "cuda:0",
                                      .backend = "cuda",
                                      .name = info->name,
                                      .driver = info->driver,
                                      .api = info->api,
                                      .kind = "discrete",
                                      .uuid = assay_uuid_text(info->uuid, uuid),
                                      .pci = info->pci,
                                      .vbios = "",
                                      .partition = ""};
    struct options options = {.trust_dir = bench.dir};
    struct trust_facts facts = {
        .probe_json =
            "{\"variant\": \"native\", \"kernels\": [{\"name\": \"matmul.cuda.simple.exact\", \"code\": "
            "\"00\"}]}",
        .level = "quick",
        .corpus = "built-in",
        .corpus_hash = "0",
        .command = "",
        .database = ""};
    assert_int_equal(trust_begin(&options, "assay", &device, &trust, &error), ASSAY_OK);
    refused(&params, ASSAY_DEVICE_UNSUPPORTED, "is not trusted: a check that began at");
    assert_int_equal(trust_note(&trust, "matmul", "f32", "normal", "matmul.cuda.simple.exact", 1, &error),
                     ASSAY_OK);
    assert_int_equal(trust_grant(&trust, &facts, &error), ASSAY_OK);
    assert_int_equal(stub->contexts, 0);
    unsigned calls = stub->calls;
    stub->fail_call = "cuDevicePrimaryCtxRetain";
    stub->fail_result = 1;
    refused(&params, ASSAY_INVALID_INPUT,
            "cuDevicePrimaryCtxRetain failed"); /* trusted: it got as far as opening */
    assert_true(stub->calls > calls);
    stub->fail_call = NULL;
    /* The stub computes nothing right: opened or not, it is never handed out. */
    struct assay_engine *engine = NULL;
    assert_int_not_equal(assay_open(&params, &engine, &error), ASSAY_OK);
    assert_null(engine);
    assert_int_equal(stub->contexts, 0);
    assert_int_equal(trust_withdraw(&trust, "DIFF planted", &error), ASSAY_OK);
    refused(&params, ASSAY_DEVICE_UNSUPPORTED, "is not trusted: DIFF planted");
    trust_free(&trust);
    free(list);

    /* The CPU is exempt; software is not, whatever stands in a file. */
    params = (struct assay_open_params){.device = "cpu", .require_trust = true};
    if (assay_open(&params, &engine, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assay_close(engine);
    params = (struct assay_open_params){
        .device = "vulkan:0", .require_trust = true, .allow_software = true, .trust_dir = bench.dir};
    refused(&params, ASSAY_DEVICE_UNSUPPORTED, "software renderers are never trusted");
    bench_end(&bench);
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(granted_and_withdrawn),
        cmocka_unit_test(faults),
#if !defined ASSAY_BUILD_SANITIZER
        cmocka_unit_test(memory_of_the_harness),
#endif
        cmocka_unit_test(record_not_written),
        cmocka_unit_test(killed),
        cmocka_unit_test(partial),
        cmocka_unit_test(bound),
        cmocka_unit_test(without_records),
        cmocka_unit_test(damaged),
        cmocka_unit_test(oracles_and_corpus),
        cmocka_unit_test(paths),
        cmocka_unit_test(library_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
