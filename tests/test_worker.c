/* Workers: what crosses to them and back, how they end, and that they never outlive their parent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/worker.h"
#include "harness/clock.h"
#include "harness/worker_wire.h"
#include "tests/verbs.h"

#define ENGINE    TEST_BUILD "/tests/stub_faulty.so"
#define SECOND_NS UINT64_C(1000000000)

static struct worker *start(const char *args)
{
    const struct adapter_options options = {.size = sizeof options, .engine_args = args};
    const struct worker_params params = {.engine = ENGINE, .options = &options};
    struct worker *worker = NULL;
    struct assay_error error = {0};
    if (worker_new(&params, &worker, &error) != ASSAY_OK) fail_msg("%s", error.text);
    return worker;
}

/* [2, 3] x [3, 2] at `at` bytes of the shared memory. */
static enum assay_status multiply(struct worker *worker, uint64_t at, uint64_t timeout_ns,
                                  struct adapter_reply *reply, struct assay_error *error)
{
    const int64_t shape[3][2] = {{2, 3}, {3, 2}, {2, 2}};
    struct assay_tensor tensor[3];
    uint8_t *memory = worker_memory(worker, at + 4096, error);
    assert_non_null(memory);
    float *values = (float *)(void *)(memory + at);
    for (int i = 0; i < 12; i++) values[i] = (float)(i + 1);
    for (int i = 0; i < 3; i++) {
        assay_tensor_dense(&tensor[i], ASSAY_F32, 2, shape[i]);
        tensor[i].data = values + 6 * i;
        tensor[i].buffer = NULL;
        tensor[i].bytes = 24;
    }
    const struct adapter_node node = {.size = sizeof node,
                                      .op = "MatMul",
                                      .input = tensor,
                                      .input_count = 2,
                                      .output = tensor + 2,
                                      .output_count = 1};
    const struct adapter_request request = {
        .size = sizeof request, .mode = "exact", .samples = 3, .timeout_ns = timeout_ns};
    enum assay_status status = worker_supports(worker, &node, &request, error);
    if (status == ASSAY_OK) status = worker_run(worker, &node, &request, reply, error);
    if (status != ASSAY_OK) return status;
    /* [1 2 3; 4 5 6] x [7 8; 9 10; 11 12] */
    const float *y = values + 12;
    assert_true(y[0] == 58 && y[1] == 64 && y[2] == 139 && y[3] == 154);
    return status;
}

static void test_answers(void **state)
{
    struct assay_error error = {0};
    struct adapter_reply reply;
    char *json = NULL;
    (void)state;
    struct worker *worker = start("-");
    assert_int_equal(multiply(worker, 0, SECOND_NS, &reply, &error), ASSAY_INTERNAL); /* nothing open yet */
    assert_int_equal(worker_describe(worker, SECOND_NS * 10, &json, &error), ASSAY_OK);
    assert_non_null(strstr(json, "Stub card"));
    free(json);
    assert_int_equal(worker_open(worker, "stub:7", SECOND_NS * 10, &error), ASSAY_DEVICE_UNSUPPORTED);
    assert_non_null(strstr(error.text, "stub:7"));
    assert_int_equal(worker_open(worker, "stub:0", SECOND_NS * 10, &error), ASSAY_OK);
    assert_int_equal(worker_open(worker, "stub:0", SECOND_NS * 10, &error), ASSAY_INTERNAL);
    assert_int_equal(worker_probe(worker, SECOND_NS * 10, &json, &error), ASSAY_OK);
    assert_non_null(strstr(json, "traits"));
    free(json);
    assert_int_equal(multiply(worker, 0, SECOND_NS * 10, &reply, &error), ASSAY_OK);
    assert_string_equal(reply.kernel, "matmul.stub.plain.exact");
    assert_int_equal(reply.samples, 3);
    assert_int_equal(reply.sample_ns[2], 1002);
    /* The memory grows, and both sides see it. */
    assert_int_equal(multiply(worker, 64 << 20, SECOND_NS * 10, &reply, &error), ASSAY_OK);
    assert_int_equal(multiply(worker, 4096, SECOND_NS * 10, &reply, &error), ASSAY_OK);
    worker_free(worker);
}

static void test_crash(void **state)
{
    struct assay_error error = {0};
    struct adapter_reply reply;
    (void)state;
    struct worker *worker = start("crash");
    assert_int_equal(worker_open(worker, "stub:0", SECOND_NS * 10, &error), ASSAY_OK);
    assert_int_equal(multiply(worker, 0, SECOND_NS * 10, &reply, &error), ASSAY_IO);
    assert_int_equal(worker_state(worker), WORKER_CRASHED);
    assert_non_null(strstr(error.text, "crashed"));
    assert_int_equal(multiply(worker, 0, SECOND_NS * 10, &reply, &error), ASSAY_IO);
    assert_int_equal(worker_restart(worker, SECOND_NS * 10, &error), ASSAY_OK);
    assert_int_equal(worker_state(worker), WORKER_READY);
    assert_int_equal(multiply(worker, 0, SECOND_NS * 10, &reply, &error),
                     ASSAY_IO); /* it is open, and crashes again */
    assert_int_equal(worker_state(worker), WORKER_CRASHED);
    worker_free(worker);
    worker = start("opencrash");
    assert_int_equal(worker_open(worker, "stub:0", SECOND_NS * 10, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "signal 9"));
    worker_free(worker);
}

static void test_hang(void **state)
{
    struct assay_error error = {0};
    struct adapter_reply reply;
    (void)state;
    struct worker *worker = start("hang");
    assert_int_equal(worker_open(worker, "stub:0", SECOND_NS * 10, &error), ASSAY_OK);
    const int pid = worker_pid(worker);
    const uint64_t begin = clock_now_ns();
    assert_int_equal(multiply(worker, 0, SECOND_NS / 5, &reply, &error), ASSAY_TIMEOUT);
    assert_true(clock_now_ns() - begin < 5 * SECOND_NS);
    assert_int_equal(worker_state(worker), WORKER_HUNG);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
    worker_free(worker);
}

static void *cancel_soon(void *unused)
{
    usleep(200000);
    worker_cancel_all();
    return unused;
}

static void test_cancel(void **state)
{
    struct assay_error error = {0};
    struct adapter_reply reply;
    pthread_t thread;
    (void)state;
    struct worker *worker = start("hang");
    assert_int_equal(worker_open(worker, "stub:0", SECOND_NS * 10, &error), ASSAY_OK);
    const uint64_t begin = clock_now_ns();
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
    assert_int_equal(multiply(worker, 0, SECOND_NS * 60, &reply, &error), ASSAY_TIMEOUT);
    assert_true(clock_now_ns() - begin < 5 * SECOND_NS);
    pthread_join(thread, NULL);
    worker_cancel_reset();
    worker_free(worker);
}

static void test_bad_engines(void **state)
{
    const struct adapter_options options = {.size = sizeof options};
    const char *const engines[] = {"/nowhere/engine.so", "/usr/lib/x86_64-linux-gnu/libm.so.6"};
    (void)state;
    for (size_t at = 0; at < 2; at++) {
        const struct worker_params params = {.engine = engines[at], .options = &options};
        struct worker *worker = NULL;
        struct assay_error error = {0};
        assert_int_equal(worker_new(&params, &worker, &error), ASSAY_INVALID_INPUT);
        assert_null(worker);
        assert_non_null(strstr(error.text, engines[at]));
    }
}

/* kill -9 of the parent takes the worker along, even one that hangs. */
static void test_orphan(void **state)
{
    int pipe_ends[2], pid = 0, status;
    (void)state;
    assert_int_equal(pipe(pipe_ends), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        struct assay_error error = {0};
        struct adapter_reply reply;
        struct worker *worker = start("hang");
        worker_open(worker, "stub:0", SECOND_NS * 10, &error);
        pid = worker_pid(worker);
        if (write(pipe_ends[1], &pid, sizeof pid) != sizeof pid) _exit(1);
        multiply(worker, 0, SECOND_NS * 60, &reply, &error);
        _exit(0);
    }
    assert_int_equal(read(pipe_ends[0], &pid, sizeof pid), sizeof pid);
    assert_int_equal(kill(pid, 0), 0);
    kill(parent, SIGKILL);
    waitpid(parent, &status, 0);
    char path[64], line[256] = "";
    bool gone = false;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    for (int tries = 0; tries < 200 && !gone; tries++) {
        usleep(10000);
        /* An init that does not reap leaves a zombie: that is gone too. */
        FILE *file = fopen(path, "re");
        gone = !file || !fgets(line, sizeof line, file) || strstr(line, ") Z ");
        if (file) fclose(file);
    }
    assert_true(gone);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

/* Bytes that are no message end the process with an error, not with a crash. */
static void test_malformed(void **state)
{
    static const uint8_t bytes[][8] = {{4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},
                                       {0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0}};
    (void)state;
    for (size_t at = 0; at < 2; at++) {
        int pair[2], status;
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        const pid_t child = fork();
        if (child == 0) {
            close(pair[0]);
            _exit(worker_serve(pair[1], -1));
        }
        close(pair[1]);
        assert_int_equal(write(pair[0], bytes[at], 8), 8);
        waitpid(child, &status, 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        close(pair[0]);
    }
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),   cmocka_unit_test(test_crash),       cmocka_unit_test(test_hang),
        cmocka_unit_test(test_cancel),    cmocka_unit_test(test_bad_engines), cmocka_unit_test(test_orphan),
        cmocka_unit_test(test_malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
