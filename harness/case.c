/* The grammar of case lines: parsing with exact errors, canonical printing, globs. It knows definitions and fills by
 * name, nothing of devices. */
#include "harness/case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/fill.h"
#include "harness/words.h"

/* Far above what a device holds, far below what overflows. */
#define OPERAND_BYTES_MAX (INT64_C(1) << 42)

/* A piece of the line. */
struct span {
    const char *text;
    size_t length;
};

static bool span_is(struct span s, const char *word)
{
    return s.length == strlen(word) && memcmp(s.text, word, s.length) == 0;
}

static bool span_starts(struct span s, const char *word)
{
    return s.length >= strlen(word) && memcmp(s.text, word, strlen(word)) == 0;
}

/* Cut the text up to `mark` off the front of *rest; *rest starts behind the mark, text NULL when there is none. */
static struct span span_cut(struct span *rest, char mark)
{
    const char *end = memchr(rest->text, mark, rest->length);
    struct span piece = {rest->text, end ? (size_t)(end - rest->text) : rest->length};
    if (end)
        *rest = (struct span){end + 1, rest->length - piece.length - 1};
    else
        *rest = (struct span){NULL, 0};
    return piece;
}

/* ---- names, for error texts ---- */

static const char *op_name_at(const void *context, size_t i)
{
    (void)context;
    return assay_ops[i] ? assay_ops[i]->name : NULL;
}

static const char *axis_name_at(const void *context, size_t i)
{
    const struct op *op = context;
    return i < op->axis_count ? op->axes[i].name : NULL;
}

static const char *fill_name_at(const void *context, size_t i)
{
    (void)context;
    return i < fill_count ? fill_table[i].name : NULL;
}

static const char *fill_block_name_at(const void *context, size_t i)
{
    (void)context;
    return i < fill_block_count ? fill_block_table[i].name : NULL;
}

static const char *list_name_at(const void *context, size_t i)
{
    return ((const char *const *)context)[i];
}

static const char *verdict_name_at(const void *context, size_t i)
{
    (void)context;
    return i + VERDICT_PASS < VERDICT_COUNT ? verdict_name((enum verdict)(i + VERDICT_PASS)) : NULL;
}

static const char *const dead_words[] = {"zero", "nan", "inf", NULL};

/* "WHAT 'found' ..., did you mean 'x'? There are a, b, c" */
static enum assay_status unknown_word(struct assay_error *error, const char *what, struct span found,
                                      const char *(*name)(const void *, size_t), const void *context)
{
    char text[508], quoted[WORDS_QUOTE_MAX];
    size_t used = 0;
    const char *near = words_nearest(found.text, found.length, name, context);
    words_append(text, sizeof text, &used, "%s %s is unknown", what,
                 words_quote(quoted, found.text, found.length));
    if (near) words_append(text, sizeof text, &used, "; did you mean '%s'?", near);
    words_append(text, sizeof text, &used, "%s allowed: ", near ? " Also" : ";");
    words_append_names(text, sizeof text, &used, name, context);
    return assay_error_set(error, ASSAY_INVALID_INPUT, "%s", text);
}

/* ---- parts ---- */

static enum assay_status parse_dtypes(struct span part, struct case_spec *spec, struct assay_error *error)
{
    const char *const *sets = spec->op.op->dtype_sets;
    size_t set = 0;
    while (sets[set] && !span_is(part, sets[set])) set++;
    if (!sets[set]) {
        char what[96];
        snprintf(what, sizeof what, "%s: dtype", spec->op.op->name);
        return unknown_word(error, what, part, list_name_at, sets);
    }
    for (struct span rest = part; rest.text && spec->op.dtype_count < OP_DTYPES_MAX;) {
        struct span word = span_cut(&rest, '.');
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)word.length, word.text);
        spec->op.dtype[spec->op.dtype_count++] = assay_dtype_parse(name);
    }
    return ASSAY_OK;
}

static enum assay_status parse_axis_value(const struct op *op, const struct op_axis *axis, struct span value,
                                          int64_t *result, struct assay_error *error)
{
    char quoted[WORDS_QUOTE_MAX];
    if (axis->words) {
        for (size_t i = 0; axis->words[i]; i++)
            if (span_is(value, axis->words[i])) {
                *result = axis->least + (int64_t)i;
                return ASSAY_OK;
            }
        char what[96];
        snprintf(what, sizeof what, "%s: %s", op->name, axis->name);
        return unknown_word(error, what, value, list_name_at, axis->words);
    }
    if (!words_integer(value.text, value.length, result))
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "%s: %s is %s, which is no integer in range; allowed: %" PRId64 " to %" PRId64 " (%s)", op->name,
            axis->name, words_quote(quoted, value.text, value.length), axis->least, axis->most, axis->what);
    if (*result < axis->least || *result > axis->most)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: %s is %" PRId64 "; allowed: %" PRId64 " to %" PRId64 " (%s)", op->name,
                               axis->name, *result, axis->least, axis->most, axis->what);
    return ASSAY_OK;
}

static enum assay_status parse_axes(struct span part, struct case_spec *spec, struct assay_error *error)
{
    const struct op *op = spec->op.op;
    bool seen[OP_AXES_MAX] = {false};
    char quoted[WORDS_QUOTE_MAX];
    for (struct span rest = part; rest.text;) {
        struct span pair = span_cut(&rest, ','), value = pair;
        struct span name = span_cut(&value, '=');
        if (!value.text)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: %s is no axis; axes are written name=value,name=value", op->name,
                                   words_quote(quoted, pair.text, pair.length));
        size_t d = 0;
        while (d < op->axis_count && !span_is(name, op->axes[d].name)) d++;
        if (d == op->axis_count) {
            char what[96];
            snprintf(what, sizeof what, "%s: axis", op->name);
            return unknown_word(error, what, name, axis_name_at, op);
        }
        if (seen[d])
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: axis %s is given twice", op->name,
                                   op->axes[d].name);
        seen[d] = true;
        enum assay_status status = parse_axis_value(op, &op->axes[d], value, &spec->op.axis[d], error);
        if (status) return status;
    }
    return ASSAY_OK;
}

/* "33x7x4096" into list[]. */
static enum assay_status parse_extents(const char *what, struct span text, size_t most, int64_t *list,
                                       size_t *count, struct assay_error *error)
{
    char quoted[WORDS_QUOTE_MAX];
    for (*count = 0; text.text;) {
        struct span number = span_cut(&text, 'x');
        if (*count == most)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "window: %s= has more than %zu numbers, one an axis", what, most);
        if (!words_integer(number.text, number.length, &list[*count]) || list[*count] < 0)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "window: %s= holds %s; it is a list of lengths as in %s=33x7x4096", what,
                                   words_quote(quoted, number.text, number.length), what);
        ++*count;
    }
    return ASSAY_OK;
}

static enum assay_status parse_window(struct span part, struct case_spec *spec, struct assay_error *error)
{
    struct span at = part, of = span_cut(&at, ',');
    char quoted[WORDS_QUOTE_MAX];
    if (!span_starts(of, "of=") || (at.text && !span_starts(at, "at=")))
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "window %s: a window is written of=LENGTHS,at=PLACES, as in of=33x7x4096,at=4x1",
            words_quote(quoted, part.text, part.length));
    int64_t at_list[OP_AXES_MAX] = {0}, of_list[OP_AXES_MAX];
    size_t of_count, at_count = 0;
    enum assay_status status = parse_extents("of", (struct span){of.text + 3, of.length - 3},
                                             spec->op.op->axis_count, of_list, &of_count, error);
    if (!status && at.text)
        status = parse_extents("at", (struct span){at.text + 3, at.length - 3}, of_count, at_list, &at_count,
                               error);
    if (status) return status;
    for (size_t d = 0; d < of_count; d++) {
        spec->op.of[d] = of_list[d];
        spec->op.at[d] = at_list[d];
    }
    spec->window = true;
    return ASSAY_OK;
}

/* Operators over blocks take the fills of blocks, the others those of numbers. */
static enum assay_status parse_fill(struct span value, struct case_spec *spec, struct assay_error *error)
{
    struct op_signature sig = {0};
    char quoted[WORDS_QUOTE_MAX], name[64], list[400] = "";
    size_t used = 0;
    enum assay_status status = spec->op.op->signature(&spec->op, &sig, error);
    if (status) return status;
    const bool blocks = fill_takes_blocks(&sig);
    const char *(*name_at)(const void *, size_t) = blocks ? fill_block_name_at : fill_name_at;
    for (size_t i = 0; name_at(NULL, i); i++)
        if (span_is(value, name_at(NULL, i))) {
            spec->fill = name_at(NULL, i);
            return ASSAY_OK;
        }
    snprintf(name, sizeof name, "%.*s", value.length < sizeof name ? (int)value.length : 0, value.text);
    if (!(blocks ? fill_find(name) != NULL : fill_block_find(name) != NULL))
        return unknown_word(error, "fill", value, name_at, NULL);
    words_append_names(list, sizeof list, &used, name_at, NULL);
    return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: fill %s makes %s; allowed: %s", spec->op.op->name,
                           words_quote(quoted, value.text, value.length),
                           blocks ? "numbers, but the inputs here are bytes of blocks"
                                  : "bytes of blocks, but the inputs here are numbers",
                           list);
}

static enum assay_status parse_seed(struct span value, struct case_spec *spec, struct assay_error *error)
{
    char quoted[WORDS_QUOTE_MAX];
    if (words_hex(value.text, value.length, &spec->seed)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INVALID_INPUT, "seed is %s; allowed: 1 to 16 hex digits",
                           words_quote(quoted, value.text, value.length));
}

/* Stands unescaped in file=. None of it means anything to case lines, globs, braces, comments or shells. */
static bool plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
}

char *case_file_escape(const char *name, char *text, size_t bytes)
{
    size_t used = 0;
    words_append(text, bytes, &used, "%s", "");
    for (; *name; name++) {
        const unsigned char c = (unsigned char)*name;
        words_append(text, bytes, &used, plain(c) ? "%c" : "%%%02X", c);
    }
    return text;
}

static enum assay_status parse_file(struct span value, struct case_spec *spec, struct assay_error *error)
{
    struct op_signature sig = {0};
    char quoted[WORDS_QUOTE_MAX];
    size_t used = 0;
    enum assay_status status = spec->op.op->signature(&spec->op, &sig, error);
    if (status) return status;
    if (sig.input_count == 0 || !sig.input[0].block || strcmp(sig.input[0].block, "q1_0") != 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: file= gives a matrix of q1_0 blocks, and it has none", spec->op.op->name);
    for (size_t i = 0; i < value.length; i++, used++) {
        uint64_t byte = (unsigned char)value.text[i];
        const bool escaped = byte == '%';
        if (used == CASE_FILE_MAX ||
            (escaped && (value.length - i < 3 || !words_hex(value.text + i + 1, 2, &byte))) || byte == 0 ||
            (!escaped && !plain((unsigned char)byte)))
            break;
        spec->file[used] = (char)byte;
        if (escaped) i += 2;
        if (i + 1 == value.length) return ASSAY_OK;
    }
    return assay_error_set(
        error, ASSAY_INVALID_INPUT,
        "file is %s; allowed: 1 to %d bytes, letters, digits, _ . - as they are, others as %%XX",
        words_quote(quoted, value.text, value.length), CASE_FILE_MAX);
}

static enum assay_status parse_dead(struct span value, struct case_spec *spec, struct assay_error *error)
{
    for (size_t i = 0; dead_words[i]; i++)
        if (span_is(value, dead_words[i])) {
            spec->dead = dead_words[i];
            return ASSAY_OK;
        }
    return unknown_word(error, "ref", value, list_name_at, dead_words);
}

static enum assay_status parse_expect(struct span value, struct case_spec *spec, struct assay_error *error)
{
    for (int v = VERDICT_PASS; v < VERDICT_COUNT; v++)
        if (span_is(value, verdict_name((enum verdict)v))) {
            spec->expect = (enum verdict)v;
            return ASSAY_OK;
        }
    return unknown_word(error, "expect", value, verdict_name_at, NULL);
}

static const struct part {
    const char *prefix;
    enum assay_status (*parse)(struct span value, struct case_spec *spec, struct assay_error *error);
} part_table[] = {
    {"fill=", parse_fill}, {"seed=", parse_seed},     {"file=", parse_file},
    {"ref=", parse_dead},  {"expect=", parse_expect},
};
#define PART_COUNT (sizeof part_table / sizeof *part_table)

/* ---- what the parts mean together ---- */

/* Which axes are dimensions of some operand, so that a window may cut them. */
static void windowable(const struct op_signature *sig, bool can[OP_AXES_MAX])
{
    const struct op_operand *lists[] = {sig->input, sig->output};
    const size_t counts[] = {sig->input_count, sig->output_count};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < counts[l]; i++)
            for (uint32_t d = 0; d < lists[l][i].tensor.rank; d++)
                if (lists[l][i].axis_of[d] >= 0) can[lists[l][i].axis_of[d]] = true;
}

static enum assay_status check_sizes(const struct op_signature *sig, struct assay_error *error)
{
    const struct op_operand *lists[] = {sig->input, sig->output};
    const size_t counts[] = {sig->input_count, sig->output_count};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < counts[l]; i++) {
            const struct assay_tensor *t = &lists[l][i].tensor;
            int64_t bytes = (int64_t)assay_dtype_bytes(t->dtype), last = t->offset;
            bool over = false, empty = false;
            for (uint32_t d = 0; d < t->rank; d++) {
                int64_t step = 0;
                empty |= t->shape[d] == 0;
                over |= __builtin_mul_overflow(t->shape[d], t->stride[d], &step);
                over |= __builtin_add_overflow(last, step, &last);
            }
            over |= __builtin_mul_overflow(last, bytes, &last);
            if (!empty && (over || last > OPERAND_BYTES_MAX))
                return assay_error_set(error, ASSAY_INVALID_INPUT,
                                       "%s is larger than %" PRId64 " GiB; smaller axes are needed",
                                       lists[l][i].name, OPERAND_BYTES_MAX >> 30);
        }
    return ASSAY_OK;
}

static enum assay_status check_window(struct case_spec *spec, const struct op_signature *sig,
                                      struct assay_error *error)
{
    const struct op *op = spec->op.op;
    bool can[OP_AXES_MAX] = {false}, cut = false;
    windowable(sig, can);
    for (size_t d = 0; d < op->axis_count; d++) {
        int64_t axis = spec->op.axis[d], of = spec->op.of[d], at = spec->op.at[d];
        if (of == axis && at == 0) continue;
        if (!can[d])
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "window: axis %s cannot be cut; it has no place along a tensor",
                                   op->axes[d].name);
        if (of > op->axes[d].most)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "window: of= has %s=%" PRId64 "; allowed: at most %" PRId64,
                                   op->axes[d].name, of, op->axes[d].most);
        if (at > of || axis > of - at)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "window: %s=%" PRId64 " at %" PRId64
                                   " ends outside the parent's %s=%" PRId64,
                                   op->axes[d].name, axis, at, op->axes[d].name, of);
        cut = true;
    }
    spec->window = cut;
    return ASSAY_OK;
}

static enum assay_status parse_all(struct span line, struct case_spec *spec, struct assay_error *error)
{
    char quoted[WORDS_QUOTE_MAX];
    struct span rest = line, part = span_cut(&rest, '/');
    if (span_is(part, "onnx"))
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "onnx/NAME is a test on disk, not a case with axes");
    for (size_t i = 0; assay_ops[i] && !spec->op.op; i++)
        if (span_is(part, assay_ops[i]->name)) spec->op.op = assay_ops[i];
    const struct op *op = spec->op.op;
    if (!op) return unknown_word(error, "operator", part, op_name_at, NULL);
    if (!rest.text)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: the line ends before dtypes; a case is "
                               "op/dtypes/axes/fill=NAME/seed=HEX",
                               op->name);
    enum assay_status status = parse_dtypes(span_cut(&rest, '/'), spec, error);
    if (status) return status;

    for (size_t d = 0; d < op->axis_count; d++) spec->op.axis[d] = op->axes[d].standard;
    part = rest.text ? span_cut(&rest, '/') : (struct span){NULL, 0};
    bool other = part.text && (span_starts(part, "of=") || span_starts(part, "at="));
    for (size_t i = 0; i < PART_COUNT && part.text; i++) other |= span_starts(part, part_table[i].prefix);
    if (part.text && !other) {
        if ((status = parse_axes(part, spec, error)) != ASSAY_OK) return status;
        part = rest.text ? span_cut(&rest, '/') : (struct span){NULL, 0};
    }
    for (size_t d = 0; d < op->axis_count; d++) {
        if (spec->op.axis[d] < op->axes[d].least)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: axis %s is missing (%s, %" PRId64 " to %" PRId64 ")", op->name,
                                   op->axes[d].name, op->axes[d].what, op->axes[d].least, op->axes[d].most);
        spec->op.of[d] = spec->op.axis[d];
    }
    if (part.text && (span_starts(part, "of=") || span_starts(part, "at="))) {
        if ((status = parse_window(part, spec, error)) != ASSAY_OK) return status;
        part = rest.text ? span_cut(&rest, '/') : (struct span){NULL, 0};
    }
    for (size_t i = 0; i < PART_COUNT; i++) {
        size_t prefix = strlen(part_table[i].prefix);
        if (!part.text || !span_starts(part, part_table[i].prefix)) {
            if (i < 2)
                return assay_error_set(error, ASSAY_INVALID_INPUT,
                                       "%s: %s is missing%s%s; after the axes come "
                                       "fill=NAME/seed=HEX",
                                       op->name, i == 0 ? "fill=" : "seed=", part.text ? " before " : "",
                                       part.text ? words_quote(quoted, part.text, part.length) : "");
            continue;
        }
        status = part_table[i].parse((struct span){part.text + prefix, part.length - prefix}, spec, error);
        if (status) return status;
        part = rest.text ? span_cut(&rest, '/') : (struct span){NULL, 0};
    }
    if (part.text)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: unexpected %s; allowed after seed: file=NAME, ref=zero|nan|inf, "
                               "then expect=VERDICT, each once",
                               op->name, words_quote(quoted, part.text, part.length));

    struct op_signature sig = {0};
    if ((status = op->signature(&spec->op, &sig, error)) != ASSAY_OK) return status;
    if ((status = check_sizes(&sig, error)) != ASSAY_OK) return status;
    return check_window(spec, &sig, error);
}

enum assay_status case_parse(const char *line, struct case_spec *spec, struct assay_error *error)
{
    memset(spec, 0, sizeof *spec);
    size_t length = strnlen(line, CASE_LINE_MAX);
    if (length == CASE_LINE_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "a case line has at most %d characters",
                               CASE_LINE_MAX - 1);
    return parse_all((struct span){line, length}, spec, error);
}

static void print_window(const struct op_case *c, char *text, size_t *used)
{
    size_t of_count = 0, at_count = 0;
    for (size_t d = 0; d < c->op->axis_count; d++) {
        if (c->of[d] != c->axis[d] || c->at[d]) of_count = d + 1;
        if (c->at[d]) at_count = d + 1;
    }
    for (size_t d = 0; d < of_count; d++)
        words_append(text, CASE_LINE_MAX, used, "%s%" PRId64, d ? "x" : "/of=", c->of[d]);
    for (size_t d = 0; d < at_count; d++)
        words_append(text, CASE_LINE_MAX, used, "%s%" PRId64, d ? "x" : ",at=", c->at[d]);
}

char *case_print(const struct case_spec *spec, char text[CASE_LINE_MAX])
{
    const struct op *op = spec->op.op;
    size_t used = 0, shown = 0;
    words_append(text, CASE_LINE_MAX, &used, "%s/", op->name);
    for (size_t i = 0; i < spec->op.dtype_count; i++)
        words_append(text, CASE_LINE_MAX, &used, "%s%s", i ? "." : "", assay_dtype_name(spec->op.dtype[i]));
    for (size_t d = 0; d < op->axis_count; d++) {
        const struct op_axis *axis = &op->axes[d];
        if (spec->op.axis[d] == axis->standard) continue;
        words_append(text, CASE_LINE_MAX, &used, "%s%s=", shown++ ? "," : "/", axis->name);
        if (axis->words)
            words_append(text, CASE_LINE_MAX, &used, "%s", axis->words[spec->op.axis[d] - axis->least]);
        else
            words_append(text, CASE_LINE_MAX, &used, "%" PRId64, spec->op.axis[d]);
    }
    print_window(&spec->op, text, &used);
    words_append(text, CASE_LINE_MAX, &used, "/fill=%s/seed=%" PRIx64, spec->fill, spec->seed);
    if (spec->file[0]) {
        char name[3 * CASE_FILE_MAX + 1];
        words_append(text, CASE_LINE_MAX, &used, "/file=%s", case_file_escape(spec->file, name, sizeof name));
    }
    if (spec->dead) words_append(text, CASE_LINE_MAX, &used, "/ref=%s", spec->dead);
    if (spec->expect != VERDICT_NONE)
        words_append(text, CASE_LINE_MAX, &used, "/expect=%s", verdict_name(spec->expect));
    return text;
}

bool case_match(const char *pattern, const char *line)
{
    return words_glob(pattern, line);
}
