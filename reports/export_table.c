/* Exports as a table: CSV and JSON lines. Every column of a row under its name. */
#include "reports/export_form.h"

static void csv_row(struct export *e, sqlite3_stmt *row, void *context)
{
    bool *header = context;
    for (int c = 0; *header && c < ROW_DEVICE_ID; c++)
        fprintf(e->out, "%s%s", sqlite3_column_name(row, c), c + 1 < ROW_DEVICE_ID ? "," : "\r\n");
    *header = false;
    for (int c = 0; c < ROW_DEVICE_ID; c++) {
        if (c) putc_unlocked(',', e->out);
        if (sqlite3_column_type(row, c) == SQLITE_FLOAT)
            fprintf(e->out, "%.17g", sqlite3_column_double(row, c));
        else
            export_csv(e->out, export_text(row, c));
    }
    fputs_unlocked("\r\n", e->out);
}

enum assay_status export_csv_write(struct export *e)
{
    bool header = true;
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++)
        status = export_rows(e, e->run[i], -1, csv_row, &header);
    return status;
}

static void json_row(struct export *e, sqlite3_stmt *row, void *context)
{
    (void)context;
    for (int c = 0; c < ROW_DEVICE_ID; c++) {
        putc_unlocked(c ? ',' : '{', e->out);
        export_json(e->out, row, c);
    }
    fputs_unlocked("}\n", e->out);
}

enum assay_status export_jsonl_write(struct export *e)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++)
        status = export_rows(e, e->run[i], -1, json_row, NULL);
    return status;
}
