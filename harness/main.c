/* The program: reads the environment (nothing else does), and calls the verb. */
#include "harness/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/gen/version.h"

static int print_text(char *text)
{
    if (!text) {
        fprintf(stderr, "assay: out of memory\n");
        return EXIT_ERROR;
    }
    bool failed = fputs(text, stdout) < 0 || fflush(stdout) != 0;
    free(text);
    if (failed) fprintf(stderr, "assay: cannot write to standard output\n");
    return failed ? EXIT_ERROR : EXIT_PASS;
}

static int verb_help(const struct options *options)
{
    const char *topic = options->arg_count ? options->arg[0] : NULL;
    if (topic && strcmp(topic, "markdown") == 0) return print_text(options_markdown());
    return print_text(options_help(topic));
}

static int verb_completion(const struct options *options)
{
    if (strcmp(options->arg[0], "bash") != 0) {
        fprintf(stderr, "assay: completion: there is a script for bash only\n");
        return EXIT_ERROR;
    }
    return print_text(options_completion());
}

static int verb_version(const struct options *options)
{
    printf(options->json
               ? "{\"version\": \"%s\", \"revision\": \"%s\", \"compiler\": \"%s\", \"cuda\": \"%s\"}\n"
               : "assay %s, revision %s, built by %s, CUDA kernels by %s\n",
           adapter_assay.version, ASSAY_BUILD_REVISION, ASSAY_BUILD_COMPILER, ASSAY_BUILD_CUDA);
    return fflush(stdout) ? EXIT_ERROR : EXIT_PASS;
}

static const struct {
    const char *name;
    int (*run)(const struct options *options);
} verb_table[] = {
    {"devices", verb_devices},     {"probe", verb_probe},
    {"list", verb_list},           {"run", verb_run},
    {"verify", verb_run},          {"replay", verb_run},
    {"passport", verb_passport},   {"bench", verb_bench},
    {"report", verb_report},       {"db", verb_db},
    {"compare", verb_compare},     {"history", verb_history},
    {"dashboard", verb_dashboard}, {"selftest", verb_selftest},
    {"exhaust", verb_exhaust},     {"worker", verb_worker},
    {"help", verb_help},           {"completion", verb_completion},
    {"version", verb_version},
};

/* Where trust records live when nobody says: the XDG base directory specification's state folder. NULL = nowhere. */
static const char *state_folder(void)
{
    static char path[4096];
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        snprintf(path, sizeof path, "%s/assay", state);
    else if (home && *home == '/')
        snprintf(path, sizeof path, "%s/.local/state/assay", home);
    return *path ? path : NULL;
}

int main(int argc, char **argv)
{
    struct assay_error error = {0};
    struct options options;
    if (options_parse(argc, argv, getenv, &options, &error)) {
        fprintf(stderr, "assay: %s\n", error.text);
        return EXIT_ERROR;
    }
    if (!options.trust_dir) options.trust_dir = state_folder();
    if (options.help) return print_text(options_help(options.verb));
    for (size_t i = 0; i < sizeof verb_table / sizeof *verb_table; i++)
        if (strcmp(verb_table[i].name, options.verb) == 0) return verb_table[i].run(&options);
    fprintf(stderr, "assay: %s: no such verb in this program\n", options.verb);
    return EXIT_ERROR;
}
