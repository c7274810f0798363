/* Merging databases by content keys.
 *
 * The statements are made from the destination's own schema. A table's number (an INTEGER PRIMARY KEY that refers to
 * nothing) is local to a file: rows get new ones, and every column of that name in other tables is translated. What
 * identifies a row is the rest: its UNIQUE columns, else its PRIMARY KEY, else all of it. So a new table needs no line
 * here, unless two copies of one row may differ: then it needs one in `rules`. */
#include "harness/store_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store.h"
#include "harness/store_file.h"

#define COLUMNS_MAX    64
#define TABLES_MAX     48
#define NAME_MAX_BYTES 64

/* What to do when both files have a row of one key and the rest differs. */
enum rule {
    SAME,    /* refuse: rows of a run are written once */
    GREATER, /* keep the greater text: descriptions, which newer programs may word otherwise */
    FURTHER, /* run: keep the copy that got further */
    SEEN,    /* device: keep what the later run saw */
};
static const struct {
    const char *table;
    enum rule rule;
} rules[] = {
    {"run", FURTHER}, {"device", SEEN}, {"kernel", GREATER}, {"op_case", GREATER}, {"run_device", GREATER},
};

/* Columns that `db prune` empties: NULL on one side is no difference, and the merged row has what either had. */
static const struct {
    const char *table, *column;
} prunable[] = {{"result", "samples"}};

struct column {
    char name[NAME_MAX_BYTES];
    bool key;    /* part of what identifies a row */
    bool mapped; /* a number of another table's row */
    bool prunable;
};

struct table {
    char name[NAME_MAX_BYTES];
    char number[NAME_MAX_BYTES]; /* the column with the local number; "" = none */
    bool referred;               /* by other tables, so its numbers need a map */
    bool unique;                 /* the key is a UNIQUE or PRIMARY KEY of the schema */
    enum rule rule;
    struct column column[COLUMNS_MAX];
    int columns;
};

struct merge {
    struct store_file file; /* the destination; the source is attached as `src` */
    struct table table[TABLES_MAX];
    int tables;
    const char *source;
};

/* ---- reading the schema ---- */

static enum assay_status too_many(const char *what, struct assay_error *error)
{
    return assay_error_set(error, ASSAY_INTERNAL, "merge: the schema has %s than it can hold", what);
}

/* `sql` gives (name, yes): mark the columns of that name. */
static enum assay_status read_columns(struct merge *merge, struct table *table, struct assay_error *error)
{
    static const char sql[] =
        "WITH number(name) AS (SELECT min(c.name) FROM pragma_table_info(?1) c WHERE c.pk > 0 AND"
        " NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1) f WHERE f.\"from\" = c.name)"
        " HAVING count(*) = 1 AND min(c.type) = 'INTEGER'"
        " AND (SELECT sum(pk > 0) FROM pragma_table_info(?1)) = 1),"
        " uniq(name) AS (SELECT i.name FROM pragma_index_list(?1) i WHERE i.\"unique\" AND i.origin = 'u'"
        " ORDER BY i.seq DESC LIMIT 1)"
        " SELECT c.name, c.name IS (SELECT name FROM number), CASE"
        " WHEN EXISTS (SELECT 1 FROM uniq) THEN c.name IN (SELECT x.name FROM uniq, "
        "pragma_index_info(uniq.name) x)"
        " WHEN EXISTS (SELECT 1 FROM number) THEN 2 ELSE c.pk > 0 END"
        " FROM pragma_table_info(?1) c ORDER BY c.cid";
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(merge->file.db, sql, -1, &statement, NULL) != SQLITE_OK)
        return store_file_fail(&merge->file, "read the schema", error);
    sqlite3_bind_text(statement, 1, table->name, -1, SQLITE_STATIC);
    enum assay_status status = ASSAY_OK;
    int code;
    table->unique = true;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        if (sqlite3_column_int(statement, 1)) {
            snprintf(table->number, sizeof table->number, "%s", name);
            continue;
        }
        if (table->columns == COLUMNS_MAX || strlen(name) >= NAME_MAX_BYTES) {
            status = too_many("more or longer columns", error);
            break;
        }
        struct column *column = &table->column[table->columns++];
        snprintf(column->name, sizeof column->name, "%s", name);
        column->key = sqlite3_column_int(statement, 2) != 0;
        if (sqlite3_column_int(statement, 2) == 2) table->unique = false;
        for (size_t i = 0; i < sizeof prunable / sizeof *prunable; i++)
            column->prunable |= !strcmp(table->name, prunable[i].table) && !strcmp(name, prunable[i].column);
    }
    sqlite3_finalize(statement);
    if (status == ASSAY_OK && code != SQLITE_DONE)
        status = store_file_fail(&merge->file, "read the schema", error);
    return status;
}

static enum assay_status read_schema(struct merge *merge, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum assay_status status = ASSAY_OK;
    if (sqlite3_prepare_v2(merge->file.db,
                           "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE"
                           " 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
                           -1, &statement, NULL) != SQLITE_OK)
        return store_file_fail(&merge->file, "read the schema", error);
    while (status == ASSAY_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        if (merge->tables == TABLES_MAX || strlen(name) >= NAME_MAX_BYTES) {
            status = too_many("more or longer tables", error);
            break;
        }
        struct table *table = &merge->table[merge->tables++];
        snprintf(table->name, sizeof table->name, "%s", name);
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
            if (strcmp(rules[i].table, name) == 0) table->rule = rules[i].rule;
        status = read_columns(merge, table, error);
    }
    sqlite3_finalize(statement);
    for (int t = 0; t < merge->tables; t++)
        for (int u = 0; u < merge->tables; u++)
            for (int c = 0; c < merge->table[u].columns; c++) {
                struct column *column = &merge->table[u].column[c];
                if (t == u || !*merge->table[t].number || strcmp(column->name, merge->table[t].number) != 0)
                    continue;
                column->mapped = merge->table[t].referred = true;
            }
    return status;
}

/* ---- making statements ---- */

/* The value that a source's column has in the destination: ?.dst of its map, or itself. */
static void put_value(FILE *out, const struct column *column)
{
    fprintf(out, column->mapped ? "m_%s.dst" : "s.%s", column->name);
}

/* The source's rows with the maps of their references. LEFT, so that the source's order is kept. */
static void put_source(FILE *out, const struct table *table)
{
    fprintf(out, " FROM src.%s s", table->name);
    for (int c = 0; c < table->columns; c++)
        if (table->column[c].mapped)
            fprintf(out, " LEFT JOIN temp.map_%s m_%s ON m_%s.src = s.%s", table->column[c].name,
                    table->column[c].name, table->column[c].name, table->column[c].name);
}

static void put_same_key(FILE *out, const struct table *table)
{
    const char *between = "";
    for (int c = 0; c < table->columns; c++) {
        if (!table->column[c].key) continue;
        fprintf(out, "%sd.%s IS ", between, table->column[c].name);
        put_value(out, &table->column[c]);
        between = " AND ";
    }
}

/* The columns that are not part of the key, each by `format`, which names it up to twice. */
static void put_rest(FILE *out, const struct table *table, const char *between, const char *before,
                     const char *after, bool twice)
{
    const char *now = "";
    for (int c = 0; c < table->columns; c++) {
        const char *name = table->column[c].name;
        if (table->column[c].key) continue;
        fprintf(out, "%s%s%s%s%s", now, before, name, after, twice ? name : "");
        now = between;
    }
}

static void put_insert(FILE *out, const struct table *table)
{
    const char *between = "";
    fprintf(out, "INSERT INTO main.%s (", table->name);
    for (int c = 0; c < table->columns; c++, between = ", ")
        fprintf(out, "%s%s", between, table->column[c].name);
    fputs(") SELECT ", out);
    between = "";
    for (int c = 0; c < table->columns; c++, between = ", ") {
        fputs(between, out);
        put_value(out, &table->column[c]);
    }
    put_source(out, table);
    if (table->unique) {
        fputs(" WHERE true", out);
    } else {
        fprintf(out, " WHERE NOT EXISTS (SELECT 1 FROM main.%s d WHERE ", table->name);
        put_same_key(out, table);
        fputs(")", out);
    }
    if (table->rule == FURTHER)
        fputs(" ORDER BY s.started_utc, s.key", out);
    else if (*table->number)
        fprintf(out, " ORDER BY s.%s", table->number);
    if (!table->unique) return;
    fputs(" ON CONFLICT (", out);
    between = "";
    for (int c = 0; c < table->columns; c++)
        if (table->column[c].key) {
            fprintf(out, "%s%s", between, table->column[c].name);
            between = ", ";
        }
    fputs(") DO ", out);
    const struct column *pruned = NULL;
    for (int c = 0; c < table->columns; c++)
        if (table->column[c].prunable) pruned = &table->column[c];
    if (table->rule == GREATER || table->rule == FURTHER) {
        fputs("UPDATE SET ", out);
        put_rest(out, table, ", ", "", " = excluded.", true);
    }
    if (table->rule == GREATER) {
        fputs(" WHERE (", out);
        put_rest(out, table, ", ", "excluded.", "", false);
        fputs(") > (", out);
        char own[NAME_MAX_BYTES + 2];
        snprintf(own, sizeof own, "%s.", table->name);
        put_rest(out, table, ", ", own, "", false);
        fputs(")", out);
    } else if (table->rule == FURTHER) {
        fputs(" WHERE (excluded.resumed, coalesce(excluded.ended_utc, ''), coalesce(excluded.planned, -1)) >"
              " (run.resumed, coalesce(run.ended_utc, ''), coalesce(run.planned, -1))",
              out);
    } else if (pruned) {
        fprintf(out, "UPDATE SET %s = excluded.%s WHERE %s.%s IS NULL AND excluded.%s IS NOT NULL",
                pruned->name, pruned->name, table->name, pruned->name, pruned->name);
    } else {
        fputs("NOTHING", out);
    }
}

/* The first row that both have, and that differs: a sentence about it. */
static void put_conflict(FILE *out, const struct table *table)
{
    fprintf(out, "SELECT '%s", table->name);
    for (int c = 0; c < table->columns; c++) {
        const char *name = table->column[c].name;
        if (!table->column[c].key) continue;
        if (strcmp(name, "run_id") == 0)
            fputs(" of run ' || (SELECT key FROM src.run r WHERE r.run_id = s.run_id) || '", out);
        else if (!table->column[c].mapped)
            fprintf(out, ", %s ' || s.%s || '", name, name);
    }
    fputs("'", out);
    put_source(out, table);
    fprintf(out, " JOIN main.%s d ON ", table->name);
    put_same_key(out, table);
    fputs(" WHERE ", out);
    const char *between = "";
    for (int c = 0; c < table->columns; c++) {
        const struct column *column = &table->column[c];
        if (column->key) continue;
        fprintf(out, "%s(d.%s IS NOT ", between, column->name);
        put_value(out, column);
        if (column->prunable)
            fprintf(out, " AND d.%s IS NOT NULL AND s.%s IS NOT NULL", column->name, column->name);
        fputs(")", out);
        between = " OR ";
    }
    fputs(" LIMIT 1", out);
}

/* A device's description is the one that the later run saw; of one run's, the greater. */
static void put_seen(FILE *out, const struct table *table)
{
    static const char seen[] =
        "(SELECT coalesce(max(r.started_utc), '') FROM %s.run_device v JOIN %s.run r ON r.run_id = v.run_id"
        " WHERE v.device_id = %s.device_id)";
    fputs("UPDATE main.device AS d SET ", out);
    put_rest(out, table, ", ", "", " = s.", true);
    fputs(" FROM src.device s WHERE ", out);
    put_same_key(out, table);
    fputs(" AND (", out);
    fprintf(out, seen, "src", "src", "s");
    for (int c = 0; c < table->columns; c++)
        if (!table->column[c].key) fprintf(out, ", coalesce(s.%s, '')", table->column[c].name);
    fputs(") > (", out);
    fprintf(out, seen, "main", "main", "d");
    for (int c = 0; c < table->columns; c++)
        if (!table->column[c].key) fprintf(out, ", coalesce(d.%s, '')", table->column[c].name);
    fputs(")", out);
}

/* Where the source's numbers went. */
static void put_map(FILE *out, const struct table *table)
{
    fprintf(out,
            "DROP TABLE IF EXISTS temp.map_%s; CREATE TEMP TABLE map_%s (src INTEGER PRIMARY KEY, dst INTEGER"
            " NOT NULL); INSERT INTO temp.map_%s SELECT s.%s, d.%s",
            table->number, table->number, table->number, table->number, table->number);
    put_source(out, table);
    fprintf(out, " JOIN main.%s d ON ", table->name);
    put_same_key(out, table);
}

static char *made(void (*put)(FILE *, const struct table *), const struct table *table)
{
    char *sql = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&sql, &bytes);
    if (!out) return NULL;
    put(out, table);
    fclose(out);
    return sql;
}

static bool has_rest(const struct table *table)
{
    for (int c = 0; c < table->columns; c++)
        if (!table->column[c].key) return true;
    return false;
}

static enum assay_status run_made(struct merge *merge, void (*put)(FILE *, const struct table *),
                                  const struct table *table, struct assay_error *error)
{
    char act[600], *sql = made(put, table);
    snprintf(act, sizeof act, "merge %.200s of '%.200s'", table->name, merge->source);
    enum assay_status status = sql ? store_file_run(&merge->file, sql, act, error)
                                   : assay_error_set(error, ASSAY_OUT_OF_MEMORY, "merge: out of memory");
    free(sql);
    return status;
}

static enum assay_status refuse_conflict(struct merge *merge, const struct table *table,
                                         struct assay_error *error)
{
    char *sql = made(put_conflict, table);
    char *where = sql ? store_file_text(&merge->file, sql, "compare the rows", error) : NULL;
    enum assay_status status = where ? ASSAY_OK : sql ? ASSAY_IO : ASSAY_OUT_OF_MEMORY;
    if (!sql) assay_error_set(error, status, "merge: out of memory");
    if (where && *where)
        status =
            assay_error_set(error, ASSAY_INVALID_INPUT,
                            "'%.180s' and '%.120s' hold different rows of one run (%.130s); nothing of it"
                            " was merged",
                            merge->source, merge->file.path, where);
    free(where);
    free(sql);
    return status;
}

static enum assay_status merge_table(struct merge *merge, const struct table *table,
                                     struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    if (table->rule == SAME && has_rest(table)) status = refuse_conflict(merge, table, error);
    if (status == ASSAY_OK) status = run_made(merge, put_insert, table, error);
    if (status == ASSAY_OK && table->rule == SEEN) status = run_made(merge, put_seen, table, error);
    if (status == ASSAY_OK && table->referred) status = run_made(merge, put_map, table, error);
    return status;
}

/* ---- sources ---- */

struct source {
    const char *path;
    char *copy;    /* of an older version, migrated; NULL = read as it is */
    char *started; /* of its first run, for the order */
    int64_t version;
    struct assay_error error;
    int64_t runs, results, benches; /* added */
    bool itself;
};

static void remove_copy(struct source *source)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal"};
    char name[4200];
    for (size_t i = 0; source->copy && i < sizeof suffix / sizeof *suffix; i++) {
        snprintf(name, sizeof name, "%s%s", source->copy, suffix[i]);
        unlink(name);
    }
    free(source->copy);
    source->copy = NULL;
}

/* Copy a file of an older version beside the destination and bring the copy up to date. */
static enum assay_status migrate_copy(const struct store_file *from, const char *dest, struct source *source,
                                      struct assay_error *error)
{
    struct store *store = NULL;
    sqlite3 *to = NULL;
    if (asprintf(&source->copy, "%s.merge-XXXXXX", dest) < 0) source->copy = NULL;
    const int made_file = source->copy ? mkstemp(source->copy) : -1;
    if (made_file < 0) {
        const int reason = source->copy ? errno : ENOMEM;
        free(source->copy);
        source->copy = NULL;
        return assay_error_set(error, ASSAY_IO, "cannot copy '%.200s' beside '%.200s': %s", from->path, dest,
                               strerror(reason));
    }
    close(made_file);
    int code = sqlite3_open_v2(source->copy, &to, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_backup *backup = code == SQLITE_OK ? sqlite3_backup_init(to, "main", from->db, "main") : NULL;
    if (backup) {
        sqlite3_backup_step(backup, -1);
        code = sqlite3_backup_finish(backup);
    } else if (code == SQLITE_OK) {
        code = sqlite3_errcode(to);
    }
    sqlite3_close(to);
    if (code != SQLITE_OK)
        return assay_error_set(error, ASSAY_IO, "cannot copy '%.200s' beside '%.200s': %s", from->path, dest,
                               code == SQLITE_FULL ? "the disk is full" : sqlite3_errstr(code));
    enum assay_status status = store_open(source->copy, false, &store, error);
    store_close(store);
    return status;
}

/* Refuse a source that is foreign, newer or damaged, before the destination is touched. */
static enum assay_status inspect(struct source *source, const char *dest, struct assay_error *error)
{
    struct store_file file;
    struct stat here, there;
    if (stat(source->path, &here) == 0 && stat(dest, &there) == 0 && here.st_dev == there.st_dev &&
        here.st_ino == there.st_ino) {
        source->itself = true;
        return ASSAY_OK;
    }
    enum assay_status status = store_file_read(source->path, &file, error);
    if (status != ASSAY_OK) return status;
    char *sound = store_file_text(&file, "PRAGMA main.quick_check(1)", "check it", error);
    status = sound ? ASSAY_OK : error->status;
    if (sound && strcmp(sound, "ok") != 0)
        status = assay_error_set(error, ASSAY_IO, "'%.300s' is damaged: %.160s", source->path, sound);
    free(sound);
    int64_t dangling = 0;
    if (status == ASSAY_OK)
        status = store_file_number(&file, "SELECT count(*) FROM pragma_foreign_key_check", "check it",
                                   &dangling, error);
    if (status == ASSAY_OK && dangling > 0)
        status = assay_error_set(error, ASSAY_IO,
                                 "'%.300s' is damaged: %lld rows refer to rows that are not there",
                                 source->path, (long long)dangling);
    if (status == ASSAY_OK)
        status =
            store_file_number(&file, "PRAGMA main.user_version", "read the version", &source->version, error);
    if (status == ASSAY_OK &&
        !(source->started =
              store_file_text(&file, "SELECT min(started_utc || key) FROM main.run", "read the runs", error)))
        status = error->status;
    if (status == ASSAY_OK && source->version < STORE_VERSION)
        status = migrate_copy(&file, dest, source, error);
    sqlite3_close(file.db);
    return status;
}

/* ATTACH to read. A connection that might write takes the log's files away when it ends, so nothing is left beside the
 * source; where that is not allowed it reads alone, and where no -shm can be made, the file as it lies. */
static enum assay_status attach(struct merge *merge, const struct source *source, struct assay_error *error)
{
    static const char *const query[] = {"?mode=rw", "?mode=ro", "?immutable=1"};
    const char *path = source->copy ? source->copy : source->path;
    char log[4200];
    int code = SQLITE_NOMEM;
    snprintf(log, sizeof log, "%s-wal", path);
    for (int i = 0; i < 3; i++) {
        char *uri = store_file_uri(path, query[i]);
        char *sql = uri ? sqlite3_mprintf("ATTACH %Q AS src", uri) : NULL;
        free(uri);
        code = sql ? sqlite3_exec(merge->file.db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
        if (code == SQLITE_OK) {
            code = sqlite3_exec(merge->file.db, "SELECT 1 FROM src.sqlite_schema", NULL, NULL, NULL);
            if (code == SQLITE_OK) return ASSAY_OK;
            sqlite3_exec(merge->file.db, "DETACH src", NULL, NULL, NULL);
        }
        /* A log that cannot be read: the file alone is not the whole. */
        if (i > 0 && access(log, F_OK) == 0) break;
    }
    return assay_error_set(error, ASSAY_IO, "cannot read '%.300s': %s", source->path, sqlite3_errstr(code));
}

static enum assay_status count_rows(const struct merge *merge, int64_t sign, struct source *source,
                                    struct assay_error *error)
{
    struct {
        const char *sql;
        int64_t *count;
    } table[] = {{"SELECT count(*) FROM main.run", &source->runs},
                 {"SELECT count(*) FROM main.result", &source->results},
                 {"SELECT count(*) FROM main.bench", &source->benches}};
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < sizeof table / sizeof *table; i++) {
        int64_t rows = 0;
        status = store_file_number(&merge->file, table[i].sql, "count the rows", &rows, error);
        *table[i].count += sign * rows;
    }
    return status;
}

static enum assay_status merge_source(struct merge *merge, struct source *source, struct assay_error *error)
{
    merge->source = source->path;
    enum assay_status status = attach(merge, source, error);
    if (status != ASSAY_OK) return status;
    status = store_file_run(&merge->file, "BEGIN IMMEDIATE", "start writing", error);
    if (status == ASSAY_OK) status = count_rows(merge, -1, source, error);
    for (int t = 0; status == ASSAY_OK && t < merge->tables; t++)
        status = merge_table(merge, &merge->table[t], error);
    if (status == ASSAY_OK) status = count_rows(merge, 1, source, error);
    if (status == ASSAY_OK) status = store_file_run(&merge->file, "COMMIT", "commit", error);
    if (status != ASSAY_OK) {
        source->runs = source->results = source->benches = 0;
        if (!sqlite3_get_autocommit(merge->file.db))
            sqlite3_exec(merge->file.db, "ROLLBACK", NULL, NULL, NULL);
    }
    sqlite3_exec(merge->file.db, "DETACH src", NULL, NULL, NULL);
    return status;
}

/* ---- all of it ---- */

static int by_start(const void *left, const void *right)
{
    const struct source *a = *(struct source *const *)left, *b = *(struct source *const *)right;
    const int order = strcmp(a->started ? a->started : "", b->started ? b->started : "");
    return order ? order : (a > b) - (a < b);
}

static json_t *answer_of(const struct source *source)
{
    json_t *error = source->itself                     ? json_string("it is the destination itself: left out")
                    : source->error.status != ASSAY_OK ? store_file_json(source->error.text)
                                                       : json_null();
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:b, s:o}", "path", store_file_json(source->path), "version",
                     (json_int_t)source->version, "runs", (json_int_t)source->runs, "results",
                     (json_int_t)source->results, "benches", (json_int_t)source->benches, "itself",
                     (int)source->itself, "error", error);
}

static enum assay_status open_dest(struct merge *merge, const char *dest, struct assay_error *error)
{
    enum assay_status status = store_file_write(dest, &merge->file, error);
    return status == ASSAY_OK ? read_schema(merge, error) : status;
}

enum assay_status store_merge(const char *dest, const char *const *sources, size_t count, json_t **answer,
                              size_t *failed, struct assay_error *error)
{
    struct merge *merge = calloc(1, sizeof *merge);
    struct source *source = calloc(count + 1, sizeof *source), **order = calloc(count + 1, sizeof *order);
    *answer = NULL;
    *failed = 0;
    enum assay_status status = ASSAY_OK;
    size_t sound = 0;
    json_int_t merged = 0;
    if (!merge || !source || !order) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "merge: out of memory");
        goto end;
    }
    /* A file that is not there is made only when there is something to put into it. */
    bool there = access(dest, F_OK) == 0;
    if (there) status = open_dest(merge, dest, error);
    if (status != ASSAY_OK) goto end;
    for (size_t i = 0; i < count; i++) {
        source[i].path = sources[i];
        order[i] = &source[i];
        sound += inspect(&source[i], dest, &source[i].error) == ASSAY_OK;
    }
    if (!there && sound > 0) {
        status = open_dest(merge, dest, error);
        if (status != ASSAY_OK) goto end;
        there = true;
    }
    /* By time, so that the numbers of new runs do not depend on the order of the words. */
    qsort(order, count, sizeof *order, by_start);
    for (size_t i = 0; i < count; i++)
        if (!order[i]->itself && order[i]->error.status == ASSAY_OK)
            merge_source(merge, order[i], &order[i]->error);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        *failed += source[i].error.status != ASSAY_OK;
        merged += source[i].error.status == ASSAY_OK && !source[i].itself;
        json_array_append_new(list, answer_of(&source[i]));
    }
    *answer = json_pack("{s:o, s:b, s:I, s:o}", "dest", store_file_json(dest), "there", (int)there, "merged",
                        merged, "sources", list);
    if (!*answer) status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "merge: out of memory");
end:
    for (size_t i = 0; source && i < count; i++) {
        remove_copy(&source[i]);
        free(source[i].started);
    }
    if (merge) sqlite3_close(merge->file.db);
    free(order);
    free(source);
    free(merge);
    return status;
}
