/* Measuring suspects again. It starts programs and waits for them; what they measure is theirs to know. */
#include "harness/remeasure.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST 4096

extern char **environ;

void remeasure_begin(struct remeasure *again)
{
    *again = (struct remeasure){0};
}

static bool known(char *const *word, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word[i], text) == 0) return true;
    return false;
}

/* Words that differ among the suspects are not narrowed by: all is then measured. */
static bool narrow(char **field, const char *text)
{
    if (*field && strcmp(*field, text) != 0) **field = '\0';
    if (!*field) *field = strdup(text);
    return *field != NULL;
}

static bool append(struct remeasure *again, size_t at, const char *text)
{
    size_t count = again->lines + again->devices;
    if (count == again->size) {
        size_t size = again->size ? 2 * again->size : 32;
        char **word = realloc(again->word, size * sizeof *word);
        if (!word) return false;
        again->word = word;
        again->size = size;
    }
    char *copy = strdup(text);
    if (!copy) return false;
    memmove(again->word + at + 1, again->word + at, (count - at) * sizeof *again->word);
    again->word[at] = copy;
    return true;
}

enum assay_status remeasure_add(struct remeasure *again, const char *line, const char *device,
                                const char *kernel, const char *lane, struct assay_error *error)
{
    bool ok = narrow(&again->kernel, kernel) && narrow(&again->lane, lane);
    if (ok && !known(again->word, again->lines, line) && again->lines < OPTIONS_LIST_MAX) {
        ok = append(again, again->lines, line);
        again->lines += ok;
    }
    if (ok && !known(again->word + again->lines, again->devices, device)) {
        ok = append(again, again->lines + again->devices, device);
        again->devices += ok;
    }
    return ok ? ASSAY_OK
              : assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                                "no memory for the timings that are measured again");
}

static enum assay_status run_program(const char *program, char **argv, struct assay_error *error)
{
    pid_t child;
    int ended = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(&child, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return assay_error_set(error, ASSAY_IO, "--remeasure: cannot start %.300s: %s", program,
                               strerror(failed));
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) return ASSAY_OK;
    return assay_error_set(
        error, ASSAY_IO, "--remeasure: `%.300s bench` ended with %s %d; its words are above", program,
        WIFEXITED(ended) ? "exit" : "signal", WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended));
}

enum assay_status remeasure_run(struct remeasure *again, const char *base, const struct options *options,
                                struct assay_error *error)
{
    char *argv[2 * OPTIONS_LIST_MAX + 64], self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return assay_error_set(error, ASSAY_IO, "--remeasure: cannot find this program: %s", strerror(errno));
    self[length] = '\0';
    snprintf(again->folder, sizeof again->folder, "/tmp/assay-remeasure-XXXXXX");
    if (!mkdtemp(again->folder)) {
        *again->folder = '\0';
        return assay_error_set(error, ASSAY_IO, "--remeasure: cannot make a folder in /tmp: %s",
                               strerror(errno));
    }
    enum assay_status status = ASSAY_OK;
    for (int round = 0; round < REMEASURE_ROUNDS && !status; round++)
        for (int turn = 0; turn < 2 && !status; turn++) {
            int side = round % 2 ? 1 - turn : turn;
            size_t n = 0;
            snprintf(again->db[side], sizeof again->db[side], "%s/%s.db", again->folder,
                     side ? "head" : "base");
            argv[n++] = (char *)(side ? self : base);
            argv[n++] = "bench";
            argv[n++] = "--db";
            argv[n++] = again->db[side];
            argv[n++] = "--invocations";
            argv[n++] = "1";
            argv[n++] = "--allow-software";
            argv[n++] = "--quiet";
            if (*again->kernel) argv[n++] = "--kernel", argv[n++] = again->kernel;
            if (*again->lane) argv[n++] = "--lane", argv[n++] = again->lane;
            for (size_t i = 0; i < again->devices && i < 16; i++)
                argv[n++] = "--device", argv[n++] = again->word[again->lines + i];
            for (size_t i = 0; i < again->lines; i++) argv[n++] = again->word[i];
            argv[n] = NULL;
            if (!options->quiet && turn == 0)
                fprintf(stderr, "assay: measuring %zu cases again, round %d of %d\n", again->lines, round + 1,
                        REMEASURE_ROUNDS);
            status = run_program(argv[0], argv, error);
        }
    return status;
}

void remeasure_end(struct remeasure *again)
{
    static const char *const tails[] = {"", "-wal", "-shm"};
    char path[128];
    for (int side = 0; side < 2 && *again->folder; side++)
        for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
            snprintf(path, sizeof path, "%s%s", again->db[side], tails[i]);
            unlink(path);
        }
    if (*again->folder) rmdir(again->folder);
    for (size_t i = 0; i < again->lines + again->devices; i++) free(again->word[i]);
    free(again->word);
    free(again->kernel);
    free(again->lane);
    *again = (struct remeasure){0};
}
