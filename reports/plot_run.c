/* Running gnuplot: one process, no shell, an end to its time. It knows no database. */
#include "reports/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_MS 60000
#define STEP_MS  5

extern char **environ;

/* Its last words, for people: one line. */
static void read_log(const char *folder, const char *program, int status, char why[256])
{
    char path[4200], line[160] = "";
    snprintf(path, sizeof path, "%.4100s/log", folder);
    FILE *file = fopen(path, "re");
    for (char next[160]; file && fgets(next, sizeof next, file);) {
        next[strcspn(next, "\n")] = '\0';
        if (strspn(next, " ^\t") != strlen(next)) memcpy(line, next, sizeof line);
    }
    if (file) fclose(file);
    if (WIFSIGNALED(status))
        snprintf(why, 256, "%.40s ended by signal %d", program, WTERMSIG(status));
    else
        snprintf(why, 256, "%.40s ended with exit code %d%s%s", program, WEXITSTATUS(status),
                 *line ? ": " : "", line);
}

static bool wait_for(pid_t child, int *status)
{
    const struct timespec step = {0, STEP_MS * 1000000L};
    for (int waited = 0; waited < LIMIT_MS; waited += STEP_MS) {
        pid_t got = waitpid(child, status, WNOHANG);
        if (got == child) return true;
        if (got < 0 && errno != EINTR) return false;
        nanosleep(&step, NULL);
    }
    kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR) continue;
    return false;
}

bool plot_run(const char *program, const char *folder, const char *script, char why[256])
{
    char *arguments[] = {(char *)program, "-d", (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = 0;
    if (posix_spawn_file_actions_init(&actions)) {
        snprintf(why, 256, "no memory to start %.40s", program);
        return false;
    }
    int failed = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!failed) failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(&actions, 2, "log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (!failed) failed = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT) {
        snprintf(why, 256, "%.40s is not installed (Debian's package gnuplot-nox)", program);
        return false;
    }
    if (failed) {
        snprintf(why, 256, "%.40s cannot be started: %s", program, strerror(failed));
        return false;
    }
    if (!wait_for(child, &status)) {
        snprintf(why, 256, "%.40s was stopped, it took longer than %d s", program, LIMIT_MS / 1000);
        return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    read_log(folder, program, status, why);
    return false;
}
