/* How long the 1-bit products of a token take on the processor, and shared with cards, and that the bits are the same.
 *
 *   build/tests/bench_share [--device D]... [--layers N] [--tokens N] [--limit L] [--share S] [--threads N]
 *                           [--allow-software]
 *
 * A token is N layers (2 unless told) of a model with 8 billion weights: q, k, v, o, gate, up and down, hidden size 4096;
 * every layer has matrices of its own. It runs product by product, and with q, k, v and gate, up stacked; on the processor
 * alone, on each device beside it, and on all of them together. Devices are those named, else every usable card. Shares are
 * calibrated and shapes tuned before the timing, of which the median counts (begin to finish of all products, in ms).
 *
 * Every output is compared with the processor's. Exit 2 when a bit differs, 3 when no device of those named
 * worked. */
#include "devices/device.h"
#include "kernels/share.h"
#include "tests/q1.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PRODUCTS = 7, GROUPS = 4, TOKENS_MAX = 100, WARM_TOKENS = 40 };

static const struct {
    const char *name;
    int64_t rows, cols;
    int group;
} product[PRODUCTS] = {
    {"q", 4096, 4096, 0},     {"k", 1024, 4096, 0},   {"v", 1024, 4096, 0},     {"o", 4096, 4096, 1},
    {"gate", 12288, 4096, 2}, {"up", 12288, 4096, 2}, {"down", 4096, 12288, 3},
};

struct options {
    const char *device[ASSAY_SHARE_CARDS_MAX];
    size_t devices;
    int64_t layers, tokens;
    struct assay_share_params params;
    struct assay_driver_params driver;
};

struct model {
    int64_t layers;
    uint8_t **weights; /* [layers][PRODUCTS] */
    uint8_t *x[GROUPS];
    float **right; /* likewise: what the processor gives */
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench_share: %s: %s\n", what, why);
    exit(1);
}

static void *memory(size_t bytes)
{
    void *m = calloc(1, bytes);
    if (!m) die("data", "no memory");
    return m;
}

static void say(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
}

static void make_model(struct model *m, int64_t layers)
{
    m->layers = layers;
    m->weights = memory((size_t)layers * PRODUCTS * sizeof *m->weights);
    m->right = memory((size_t)layers * PRODUCTS * sizeof *m->right);
    for (int64_t i = 0; i < layers * PRODUCTS; i++) {
        const int64_t blocks = product[i % PRODUCTS].rows * product[i % PRODUCTS].cols / 128;
        m->weights[i] = memory((size_t)blocks * 18);
        m->right[i] = memory((size_t)product[i % PRODUCTS].rows * sizeof(float));
        q1_fill_weights(m->weights[i], blocks, (uint64_t)i, Q1_FILL_LAYER);
    }
    for (int p = 0; p < PRODUCTS; p++) {
        const int64_t blocks = product[p].cols / 128;
        uint8_t **x = &m->x[product[p].group];
        if (*x) continue;
        *x = memory((size_t)blocks * 136);
        q1_fill_activations(*x, blocks, (uint64_t)p, Q1_FILL_LAYER);
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All of the model on these cards, stacked or not. Writes or compares m->right. False if a bit differs. */
static bool run(const struct options *options, struct model *m, const char *const *cards, size_t count,
                bool stacked, bool compare, size_t *worked)
{
    struct assay_share *share = NULL;
    struct assay_share_params params = options->params;
    struct assay_error error = {0};
    struct assay_share_matrix *matrix[PRODUCTS];
    struct assay_share_counts before, after;
    double ms[TOKENS_MAX];
    uint64_t differs = 0;
    params.cards = cards;
    params.card_count = count;
    params.driver = &options->driver;
    params.log = count ? say : NULL;
    if (!count) params.fixed_share = true, params.share = 0;
    if (assay_share_open(&params, &share, &error) != ASSAY_OK) die("open", error.text);
    *worked = assay_share_cards(share);
    struct assay_share_matrix **all = memory((size_t)m->layers * PRODUCTS * sizeof *all);
    float *y = memory(2 * 12288 * sizeof *y);
    const int per_layer = stacked ? GROUPS : PRODUCTS;
    for (int64_t layer = 0; layer < m->layers; layer++)
        for (int p = 0; p < PRODUCTS;) {
            struct assay_share_part part[PRODUCTS];
            size_t parts = 0;
            const int first = p, group = product[p].group;
            do {
                part[parts++] = (struct assay_share_part){product[p].rows, m->weights[layer * PRODUCTS + p]};
                p++;
            } while (stacked && p < PRODUCTS && product[p].group == group);
            if (assay_share_load(share, product[first].cols, part, parts, &matrix[0], &error) != ASSAY_OK)
                die("load", error.text);
            all[layer * per_layer + (stacked ? group : first)] = matrix[0];
        }
    const int64_t tokens = WARM_TOKENS + options->tokens;
    for (int64_t token = 0; token < tokens; token++) {
        uint64_t ns = 0;
        assay_share_count(share, &before);
        for (int64_t layer = 0; layer < m->layers; layer++)
            for (int i = 0, p = 0; i < per_layer; i++) {
                const int group = product[p].group;
                const uint64_t start = now_ns();
                if (assay_share_multiply(share, all[layer * per_layer + i], m->x[group], y, &error) !=
                    ASSAY_OK)
                    die("multiply", error.text);
                ns += now_ns() - start;
                const float *at = y;
                do { /* the products of this submission */
                    float *right = m->right[layer * PRODUCTS + p];
                    const size_t bytes = (size_t)product[p].rows * sizeof *right;
                    if (!compare)
                        memcpy(right, at, bytes);
                    else
                        differs += memcmp(right, at, bytes) != 0;
                    at += product[p].rows;
                    p++;
                } while (stacked && p < PRODUCTS && product[p].group == group);
            }
        assay_share_count(share, &after);
        ms[token < options->tokens ? token : token % options->tokens] = (double)ns * 1e-6;
    }
    qsort(ms, (size_t)options->tokens, sizeof *ms, by_value);
    printf("%-24s %-8s %9.3f ms a token %5" PRIu64 " submissions", count ? cards[0] : "processor",
           stacked ? "stacked" : "single", ms[options->tokens / 2], after.submits - before.submits);
    for (size_t i = 1; i < count; i++) printf(" + %s", cards[i]);
    printf(compare ? "  %" PRIu64 " of %" PRId64 " outputs differ\n" : "\n", differs,
           tokens * m->layers * PRODUCTS);
    for (size_t i = 0; i < count; i++) {
        char *status = assay_share_status(share, i);
        printf("    %s\n", status ? status : "");
        free(status);
    }
    assay_share_close(share);
    free(all);
    free(y);
    return differs == 0;
}

static void find_devices(struct options *options)
{
    static struct assay_device_list list;
    static char label[ASSAY_SHARE_CARDS_MAX][24];
    assay_discover(&options->driver, NULL, &list);
    for (size_t i = 0; i < list.count && options->devices < ASSAY_SHARE_CARDS_MAX; i++) {
        const struct assay_device_info *info = &list.device[i];
        if (strcmp(info->backend, "cpu") == 0 || info->duplicate) continue;
        if (!(info->software ? options->params.allow_software : info->usable)) continue;
        options->device[options->devices] = assay_device_label(info, label[options->devices]);
        options->devices++;
    }
}

static void read_options(int argc, char **argv, struct options *options)
{
    struct assay_error error = {0};
    *options = (struct options){.layers = 2, .tokens = 11, .params = {.limit = 1}};
    for (int i = 1; i < argc; i++) {
        double value = 0;
        const char *word = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--allow-software") == 0) {
            options->params.allow_software = true;
            continue;
        }
        i++;
        if (strcmp(argv[i - 1], "--device") == 0) {
            if (!word || options->devices == ASSAY_SHARE_CARDS_MAX)
                die("--device", "a name, at most 8 times");
            options->device[options->devices++] = word;
            continue;
        }
        if (assay_share_number(argv[i - 1], word, &value, &error) != ASSAY_OK) die("usage", error.text);
        if (strcmp(argv[i - 1], "--layers") == 0)
            options->layers = (int64_t)value;
        else if (strcmp(argv[i - 1], "--tokens") == 0)
            options->tokens = (int64_t)value;
        else if (strcmp(argv[i - 1], "--limit") == 0)
            options->params.limit = value;
        else if (strcmp(argv[i - 1], "--threads") == 0)
            options->driver.cpu_threads = (uint32_t)value;
        else if (strcmp(argv[i - 1], "--share") == 0) {
            options->params.share = value;
            options->params.fixed_share = true;
        } else
            die(argv[i - 1], "no such option");
    }
    if (options->layers < 1 || options->tokens < 1 || options->tokens > TOKENS_MAX)
        die("usage", "at least one layer, 1 to 100 tokens");
}

int main(int argc, char **argv)
{
    struct options options;
    struct model model = {0};
    size_t worked = 0, now;
    bool right = true;
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_options(argc, argv, &options);
    const bool named = options.devices;
    if (!named) find_devices(&options);
    make_model(&model, options.layers);
    right &= run(&options, &model, NULL, 0, false, false, &now);
    right &= run(&options, &model, NULL, 0, true, true, &now);
    for (size_t i = 0; i <= options.devices; i++) {
        const bool together = i == options.devices;
        if (together && options.devices < 2) break;
        for (int stacked = 0; stacked < 2; stacked++) {
            right &= run(&options, &model, together ? options.device : &options.device[i],
                         together ? options.devices : 1, stacked, true, &now);
            worked += now;
        }
    }
    for (int64_t i = 0; i < model.layers * PRODUCTS; i++) {
        free(model.weights[i]);
        free(model.right[i]);
    }
    for (int g = 0; g < GROUPS; g++) free(model.x[g]);
    free(model.weights);
    free(model.right);
    return !right ? 2 : worked || !named ? 0 : 3;
}
