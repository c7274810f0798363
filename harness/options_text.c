/* What people read about verbs and options: help, the completion script, docs/cli.md. All of it comes from the tables of
 * options.c, the definitions, the fills and the caps. */
#include "harness/options_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fill.h"
#include "harness/plan.h"

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

static const struct option_verb *verb_find(const char *name)
{
    for (size_t i = 0; i < option_verb_count; i++)
        if (strcmp(option_verbs[i].name, name) == 0) return &option_verbs[i];
    return NULL;
}

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
    for (size_t i = 0; i < option_verb_count; i++)
        if (!option_verbs[i].hidden) fprintf(out, "  %-12s%s\n", option_verbs[i].name, option_verbs[i].what);
    fprintf(
        out,
        "\n`assay VERB --help` explains a verb. To begin: assay devices, then assay run --allow-software\n");
    write_exits(out);
}

static void write_verb_help(FILE *out, const struct option_verb *verb)
{
    fprintf(out, "assay %s: %s\n\nusage: assay %s [OPTIONS]%s%s\n\n", verb->name, verb->what, verb->name,
            *verb->arguments ? " " : "", verb->arguments);
    if (*verb->more) {
        wrap(out, verb->more, 0, 0);
        fputc('\n', out);
    }
    for (size_t r = 0; r < option_row_count; r++) {
        const struct option_row *row = &option_rows[r];
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
    const struct option_verb *verb = verb_name ? verb_find(verb_name) : NULL;
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
        "Written by `assay help markdown` from the tables of the program; a test keeps it current.\n\n"
        "Every answer and error is for people; `--json` gives the same for programs. An option on the "
        "command\n"
        "line wins over its word in the environment. Switches in the environment: `0`, empty and unset are "
        "off,\n"
        "`1` is on; a number that is no number is an error.\n\n## Verbs\n");
    for (size_t v = 0; v < option_verb_count; v++) {
        const struct option_verb *verb = &option_verbs[v];
        if (verb->hidden) continue;
        fprintf(out, "\n### assay %s%s%s\n\n%c%s.%s%s\n\n```\n", verb->name, *verb->arguments ? " " : "",
                verb->arguments, verb->what[0] - 'a' + 'A', verb->what + 1, *verb->more ? " " : "",
                verb->more);
        for (size_t i = 0; i < sizeof verb->examples / sizeof *verb->examples && verb->examples[i]; i++)
            fprintf(out, "%s\n", verb->examples[i]);
        fprintf(out, "```\n\nOptions:");
        for (size_t r = 0; r < option_row_count; r++)
            if (option_rows[r].verbs & verb->bit) fprintf(out, " `%s`", option_rows[r].name);
        fputc('\n', out);
    }
    fprintf(out, "\n## Options\n\n| option | environment | meaning |\n| --- | --- | --- |\n");
    for (size_t r = 0; r < option_row_count; r++) {
        const struct option_row *row = &option_rows[r];
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
    fprintf(out,
            "\n## Case lines\n\n```\n"
            "matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f\n"
            "matmul/f32/m=1,n=1,k=33/of=33x7x4096,at=4x1/fill=cancel/seed=1f\n"
            "q1_0/u8/m=64,n=1,k=2048/of=6144x1x2048,at=1234/fill=layer/seed=1/file=blk.0.ffn_up.weight\n"
            "onnx/test_matmul_2d\n```\n\n"
            "`op/dtypes/axes[/of=LENGTHS,at=PLACES]/fill=NAME/seed=HEX[/file=NAME][/ref=zero|nan|inf][/"
            "expect=VERDICT]`. The second\n"
            "line is a window of the first: `of` holds the parent's axes in the order below, `at` where "
            "the window\n"
            "begins; places that are left out are the window's own length and 0. `ref=` declares that "
            "the reference is\n"
            "all zero, NaN or infinite, which otherwise is DEADREF. Printed lines leave out axes at "
            "their default.\n\n"
            "`file=` takes the first operand's bytes from the tensor of that name in the file of `--gguf`, "
            "the window's part\n"
            "of it; the other operands are filled. Bytes of a name other than letters, digits, `_ . -` are "
            "written `%%XX`.\n"
            "A run records the file's hash, and the line after `repro` gives it: `replay` then refuses "
            "another file.\n");
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
    fprintf(out, "\nInputs that are bytes of blocks (W and X of q1_0) have fills of their own; "
                 "harness/fill_block.c has the\n"
                 "definition.\n\n| fill | holds |\n| --- | --- |\n");
    for (size_t i = 0; i < fill_block_count; i++)
        fprintf(out, "| `%s` | %s |\n", fill_block_table[i].name, fill_block_table[i].what);
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
            fprintf(out, "| %s | %s | %g | %" PRIu64 " | %g |\n", level_name((enum level)level),
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
    for (size_t v = 0; v < option_verb_count; v++)
        if (!option_verbs[v].hidden) fprintf(out, " %s", option_verbs[v].name);
    fprintf(out, "'\n    else\n        case $before in\n"
                 "        --level) words='quick standard full' ;;\n        --fma) words='");
    for (size_t i = 0; option_fma_names[i]; i++) fprintf(out, "%s%s", i ? " " : "", option_fma_names[i]);
    fprintf(out, "' ;;\n"
                 "        --device) words=\"all $(\"${COMP_WORDS[0]}\" devices --json 2>/dev/null |"
                 " sed -n 's/.*\"label\": *\"\\([^\"]*\\)\".*/\\1/p')\" ;;\n"
                 "        --out | --lock-dir | --onnx-data | --trust-dir | --sysfs-root)\n"
                 "            mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n            return ;;\n"
                 "        --db | --corpus | --rented | --engine | --vulkan-lib | --cuda-lib)\n"
                 "            mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n            return ;;\n"
                 "        *)\n            case ${COMP_WORDS[1]} in\n");
    for (size_t v = 0; v < option_verb_count; v++) {
        const struct option_verb *verb = &option_verbs[v];
        if (verb->hidden) continue;
        fprintf(out, "            %s) words='", verb->name);
        if (verb->bit == option_bit_completion) fprintf(out, "bash ");
        for (size_t other = 0; verb->bit == option_bit_help && other < option_verb_count; other++)
            if (!option_verbs[other].hidden) fprintf(out, "%s ", option_verbs[other].name);
        const char *gap = "";
        for (size_t r = 0; r < option_row_count; r++) {
            if (!(option_rows[r].verbs & verb->bit)) continue;
            fprintf(out, "%s%s", gap, option_rows[r].name);
            gap = " ";
        }
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
