/* Headless Chromium over --remote-debugging-pipe: JSON messages, each closed by a NUL byte, on descriptors 3 and 4. */
#include "tests/dashboard_browser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#define ANSWER_S 30 /* on a machine that does much else */

struct browser {
    pid_t pid;
    int to, from;
    int next; /* id of a message */
    char *session;
    char *got; /* bytes that no message has taken yet */
    size_t used, size;
    char complaints[4096];
    char folder[64];
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- messages ---- */

static void complain(struct browser *b, const char *text)
{
    const size_t used = strlen(b->complaints);
    snprintf(b->complaints + used, sizeof b->complaints - used, "%s\n", text);
}

static void note_event(struct browser *b, const json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *params = json_object_get(message, "params");
    if (!method) return;
    if (strcmp(method, "Runtime.exceptionThrown") == 0) {
        char *text = json_dumps(json_object_get(params, "exceptionDetails"), JSON_COMPACT);
        complain(b, text);
        free(text);
    } else if (strcmp(method, "Runtime.consoleAPICalled") == 0) {
        const char *type = json_string_value(json_object_get(params, "type"));
        if (strcmp(type, "error") != 0 && strcmp(type, "warning") != 0 && strcmp(type, "assert") != 0) return;
        char *text = json_dumps(json_object_get(params, "args"), JSON_COMPACT);
        complain(b, text);
        free(text);
    } else if (strcmp(method, "Log.entryAdded") == 0) {
        const json_t *entry = json_object_get(params, "entry");
        const char *level = json_string_value(json_object_get(entry, "level"));
        if (strcmp(level, "error") != 0 && strcmp(level, "warning") != 0) return;
        complain(b, json_string_value(json_object_get(entry, "text")));
    }
}

static void put(struct browser *b, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    assert_non_null(text);
    const size_t bytes = strlen(text) + 1;
    for (size_t at = 0; at < bytes;) {
        const ssize_t count = write(b->to, text + at, bytes - at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) fail_msg("the browser is gone");
        at += (size_t)count;
    }
    free(text);
    json_decref(message);
}

static json_t *take(struct browser *b, double until)
{
    for (;;) {
        char *end = b->used ? memchr(b->got, 0, b->used) : NULL;
        if (end) {
            json_t *message = json_loads(b->got, 0, NULL);
            const size_t bytes = (size_t)(end - b->got) + 1;
            memmove(b->got, b->got + bytes, b->used -= bytes);
            if (!message) fail_msg("the browser says what is no JSON");
            return message;
        }
        struct pollfd wait = {.fd = b->from, .events = POLLIN};
        const double left = until - now_s();
        if (left <= 0 || poll(&wait, 1, (int)(left * 1000) + 1) == 0)
            fail_msg("no answer of the browser in %d s", ANSWER_S);
        if (b->size - b->used < 65536) {
            b->size = 2 * b->size + 65536;
            b->got = realloc(b->got, b->size);
            assert_non_null(b->got);
        }
        const ssize_t count = read(b->from, b->got + b->used, b->size - b->used);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) fail_msg("the browser ended");
        b->used += (size_t)count;
    }
}

/* Send a command and return its result, which belongs to the caller. Takes `params`. */
static json_t *ask(struct browser *b, const char *method, json_t *params)
{
    const int id = ++b->next;
    json_t *message =
        json_pack("{s:i, s:s, s:o}", "id", id, "method", method, "params", params ? params : json_object());
    assert_non_null(message);
    if (b->session) json_object_set_new(message, "sessionId", json_string(b->session));
    put(b, message);
    const double until = now_s() + ANSWER_S;
    for (;;) {
        json_t *answer = take(b, until);
        if (json_integer_value(json_object_get(answer, "id")) == id) {
            json_t *result = json_incref(json_object_get(answer, "result"));
            if (!result) {
                char *text = json_dumps(answer, 0);
                fail_msg("%s: %s", method, text);
            }
            json_decref(answer);
            return result;
        }
        note_event(b, answer);
        json_decref(answer);
    }
}

static void order(struct browser *b, const char *method, json_t *params)
{
    json_decref(ask(b, method, params));
}

/* ---- the process ---- */

static const char *find_chromium(void)
{
    static const char *const names[] = {"/usr/bin/chromium", "/usr/bin/chromium-browser",
                                        "/usr/bin/google-chrome"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (access(names[i], X_OK) == 0) return names[i];
    return NULL;
}

static void become(const char *program, struct browser *b, int from, int to)
{
    char profile[96];
    snprintf(profile, sizeof profile, "--user-data-dir=%s", b->folder);
    setsid();
    setenv("HOME", b->folder, 1);
    /* Above 4 first, so that neither overwrites the other. */
    from = fcntl(from, F_DUPFD, 10);
    to = fcntl(to, F_DUPFD, 10);
    dup2(from, 3);
    dup2(to, 4);
    const int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    for (int fd = 5; fd < 1024; fd++) close(fd);
    execl(program, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
          "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-sync",
          "--remote-debugging-pipe", profile, "about:blank", (char *)NULL);
    _exit(127);
}

struct browser *browser_start(void)
{
    const char *program = find_chromium();
    int in[2], out[2];
    if (!program) return NULL;
    struct browser *b = calloc(1, sizeof *b);
    assert_non_null(b);
    strcpy(b->folder, "/tmp/assay-test-browser-XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    signal(SIGPIPE, SIG_IGN);
    b->pid = fork();
    assert_true(b->pid >= 0);
    if (b->pid == 0) become(program, b, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    b->to = in[1];
    b->from = out[0];
    json_t *target = ask(b, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
    const char *id = json_string_value(json_object_get(target, "targetId"));
    json_t *attached = ask(b, "Target.attachToTarget", json_pack("{s:s, s:b}", "targetId", id, "flatten", 1));
    char *session = strdup(json_string_value(json_object_get(attached, "sessionId")));
    b->session = session;
    json_decref(attached);
    json_decref(target);
    order(b, "Page.enable", NULL);
    order(b, "Runtime.enable", NULL);
    order(b, "Log.enable", NULL);
    return b;
}

void browser_stop(struct browser *b)
{
    char command[96];
    if (!b) return;
    /* It leads a session of its own: its helpers go with it. */
    kill(-b->pid, SIGKILL);
    waitpid(b->pid, NULL, 0);
    close(b->to);
    close(b->from);
    snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    if (system(command) != 0) print_message("%s stays behind\n", b->folder);
    free(b->session);
    free(b->got);
    free(b);
}

/* ---- what tests ask for ---- */

char *browser_value(struct browser *b, const char *expression)
{
    json_t *result =
        ask(b, "Runtime.evaluate",
            json_pack("{s:s, s:b, s:b}", "expression", expression, "returnByValue", 1, "awaitPromise", 1));
    const json_t *value = json_object_get(json_object_get(result, "result"), "value");
    if (json_object_get(result, "exceptionDetails")) {
        char *text = json_dumps(result, JSON_COMPACT);
        fail_msg("%.500s: %.1000s", expression, text);
    }
    char *text = json_is_string(value) ? strdup(json_string_value(value))
                 : value               ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)
                                       : strdup("undefined");
    assert_non_null(text);
    json_decref(result);
    return text;
}

void browser_await(struct browser *b, const char *expression)
{
    const double until = now_s() + ANSWER_S;
    for (;;) {
        char *text = browser_value(b, expression);
        const bool yes = strcmp(text, "true") == 0;
        free(text);
        if (yes) return;
        if (now_s() > until) fail_msg("never true: %s", expression);
        usleep(10000);
    }
}

void browser_open(struct browser *b, const char *path)
{
    char url[4200];
    snprintf(url, sizeof url, "file://%s", path);
    /* Another fragment alone would not load the page anew. */
    order(b, "Page.navigate", json_pack("{s:s}", "url", "about:blank"));
    browser_await(b, "location.href === 'about:blank' && document.readyState === 'complete'");
    order(b, "Page.navigate", json_pack("{s:s}", "url", url));
    browser_await(b, "location.protocol === 'file:' && document.readyState === 'complete'"
                     " && document.body.dataset.ready === '1'");
}

void browser_look(struct browser *b, int width, int height, bool dark)
{
    order(b, "Emulation.setDeviceMetricsOverride",
          json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height, "deviceScaleFactor", 1,
                    "mobile", 0));
    order(b, "Emulation.setScrollbarsHidden", json_pack("{s:b}", "hidden", 1));
    order(b, "Emulation.setEmulatedMedia",
          json_pack("{s:[{s:s, s:s}]}", "features", "name", "prefers-color-scheme", "value",
                    dark ? "dark" : "light"));
}

void browser_key(struct browser *b, const char *key, int code)
{
    const bool enter = strcmp(key, "Enter") == 0;
    const char *const types[] = {enter ? "keyDown" : "rawKeyDown", "keyUp"};
    for (int i = 0; i < 2; i++)
        order(b, "Input.dispatchKeyEvent",
              json_pack("{s:s, s:s, s:s, s:i, s:s}", "type", types[i], "key", key, "code", key,
                        "windowsVirtualKeyCode", code, "text", enter && i == 0 ? "\r" : ""));
}

static const signed char *base64_values(void)
{
    static signed char value[256];
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 256; i++) value[i] = -1;
    for (int i = 0; i < 64; i++) value[(unsigned char)digits[i]] = (signed char)i;
    return value;
}

void browser_picture(struct browser *b, const char *path)
{
    json_t *result = ask(b, "Page.captureScreenshot",
                         json_pack("{s:s, s:b}", "format", "png", "captureBeyondViewport", 1));
    const signed char *value = base64_values();
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    uint32_t bits = 0;
    int have = 0;
    for (const char *s = json_string_value(json_object_get(result, "data")); *s; s++) {
        if (value[(unsigned char)*s] < 0) continue;
        bits = bits << 6 | (uint32_t)value[(unsigned char)*s];
        if ((have += 6) < 8) continue;
        have -= 8;
        fputc((int)(bits >> have & 255), file);
    }
    assert_int_equal(fclose(file), 0);
    json_decref(result);
}

const char *browser_complaints(struct browser *b)
{
    /* An answer comes behind all events before it. */
    free(browser_value(b, "1"));
    return b->complaints;
}
