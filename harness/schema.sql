-- The database of Assay, version 1. docs/schema.md describes it for people; store.c is its only writer.
-- Numbers that may be NaN or infinite are ANY columns that hold a REAL or one of the words 'nan', 'inf', '-inf';
-- NULL means that nothing was measured, and never that all is well.
CREATE TABLE run (
    run_id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,               -- random, 32 hex digits: merging is by key
    started_utc TEXT NOT NULL,
    ended_utc TEXT,
    verb TEXT NOT NULL,
    command TEXT NOT NULL,
    level TEXT NOT NULL,
    engine TEXT NOT NULL,
    engine_version TEXT NOT NULL,
    revision TEXT NOT NULL,                 -- git revision of this program
    compiler TEXT NOT NULL,
    flags TEXT NOT NULL,
    host TEXT NOT NULL,                     -- operating system, processor, cores
    corpus_hash TEXT NOT NULL,
    settings TEXT NOT NULL,                 -- JSON: every effective option
    planned INTEGER,                        -- rows of plan
    exit_code INTEGER,
    reason TEXT                             -- of the exit code
) STRICT;
CREATE TABLE device (
    device_id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,                      -- UUID, or backend, PCI address and name
    backend TEXT NOT NULL,
    driver TEXT NOT NULL,
    name TEXT NOT NULL,
    api TEXT NOT NULL,
    kind TEXT NOT NULL,
    uuid TEXT,
    pci TEXT,
    software INTEGER NOT NULL CHECK (software IN (0, 1)),
    info TEXT NOT NULL,                     -- JSON: all that discovery said
    UNIQUE (key, backend, driver, name)
) STRICT;
CREATE TABLE run_device (                   -- devices of a run, opened or not
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    device_id INTEGER NOT NULL REFERENCES device,
    label TEXT NOT NULL,                    -- "vulkan:0" at that time
    opened INTEGER NOT NULL CHECK (opened IN (0, 1)),
    why TEXT NOT NULL,                      -- why not opened; "" when it was
    variant TEXT NOT NULL,                  -- of the fused multiply-add; "" when not opened
    variant_why TEXT NOT NULL,
    probe TEXT NOT NULL,                    -- JSON of the engine's probe(); "{}" when not opened
    PRIMARY KEY (run_id, device_id)
) STRICT;
CREATE TABLE trait (
    run_id INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    controls TEXT NOT NULL,                 -- "", "rte", "szinp", "rte szinp", ...
    literal INTEGER NOT NULL CHECK (literal IN (0, 1)),
    tested INTEGER NOT NULL,
    wrong INTEGER NOT NULL,
    wrong_subnormal INTEGER NOT NULL,
    first TEXT NOT NULL,                    -- "a b c got" in hex, or ""
    PRIMARY KEY (run_id, device_id, name, controls, literal),
    FOREIGN KEY (run_id, device_id) REFERENCES run_device ON DELETE CASCADE
) STRICT;
CREATE TABLE kernel (
    kernel_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,                     -- "matmul.vulkan.tile64.exact"
    hash TEXT NOT NULL,                     -- of the code as loaded
    variant TEXT NOT NULL,
    op TEXT NOT NULL,
    backend TEXT NOT NULL,
    technique TEXT NOT NULL,
    mode TEXT NOT NULL,
    dtype TEXT NOT NULL,
    UNIQUE (name, hash, variant)
) STRICT;
CREATE TABLE op_case (
    case_id INTEGER PRIMARY KEY,
    line TEXT NOT NULL UNIQUE,
    op TEXT NOT NULL,
    dtype TEXT NOT NULL,
    fill TEXT NOT NULL,                     -- "" for onnx cases
    flops REAL NOT NULL
) STRICT;
CREATE TABLE plan (                         -- what a run set out to do, in order; written in one transaction
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    case_id INTEGER NOT NULL REFERENCES op_case,
    device_id INTEGER NOT NULL REFERENCES device,
    kernel TEXT NOT NULL,                   -- kernel name that was asked for
    why TEXT NOT NULL,                      -- why the case exists (corpus comment)
    source TEXT NOT NULL,                   -- "matmul.cases:17" or "command line"
    PRIMARY KEY (run_id, seq)
) STRICT;
CREATE TABLE result (                       -- append only; one transaction a row with its timing
    result_id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    kernel_id INTEGER REFERENCES kernel,    -- NULL when nothing ran (SKIP, CRASH before the reply)
    verdict TEXT NOT NULL CHECK (verdict IN ('PASS', 'DIFF', 'NONDET', 'GUARD', 'CRASH', 'HANG', 'DEADREF',
        'REFLIMITED', 'UNPROVEN', 'SKIP', 'ERROR')),
    expected TEXT,                          -- a declared expected verdict, NULL = none
    rung TEXT NOT NULL CHECK (rung IN ('', 'BOUND', 'MODEL', 'EXACT')),
    oracle TEXT NOT NULL,                   -- "contract", "golden", ... "" when none judged
    oracle_version INTEGER NOT NULL,
    elems INTEGER NOT NULL,                 -- of the output
    judged INTEGER NOT NULL,                -- elements compared with the contract oracle itself
    differing INTEGER NOT NULL,
    first_index TEXT NOT NULL,              -- "[4,1]" or ""
    got TEXT NOT NULL,                      -- bits in hex, or ""
    want TEXT NOT NULL,
    max_ulp ANY CHECK (typeof(max_ulp) IN ('null', 'real') OR max_ulp IN ('nan', 'inf', '-inf')),
    scaled_f64 ANY CHECK (typeof(scaled_f64) IN ('null', 'real') OR scaled_f64 IN ('nan', 'inf', '-inf')),
    rms_f64 ANY CHECK (typeof(rms_f64) IN ('null', 'real') OR rms_f64 IN ('nan', 'inf', '-inf')),
    ulp_f64 ANY CHECK (typeof(ulp_f64) IN ('null', 'real') OR ulp_f64 IN ('nan', 'inf', '-inf')),
    bound_f64 ANY CHECK (typeof(bound_f64) IN ('null', 'real') OR bound_f64 IN ('nan', 'inf', '-inf')),
    published_differing INTEGER,            -- against tensors published by others; NULL = none published
    published_scaled ANY CHECK (typeof(published_scaled) IN ('null', 'real')
        OR published_scaled IN ('nan', 'inf', '-inf')),
    digest TEXT NOT NULL,                   -- canonical, of the output; "" when none
    median_ns INTEGER,                      -- device time of one run
    samples BLOB,                           -- little-endian int64 ns
    wall_ns INTEGER NOT NULL,
    reason TEXT NOT NULL,                   -- of SKIP, ERROR, GUARD, CRASH, ...; "" for PASS
    repro TEXT NOT NULL,                    -- line to paste; "" for PASS
    recorded_utc TEXT NOT NULL,
    UNIQUE (run_id, seq, attempt),
    FOREIGN KEY (run_id, seq) REFERENCES plan ON DELETE CASCADE
) STRICT;
CREATE TABLE capped (                       -- cases that the level's work cap left out, by device: listed, not dropped
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    case_id INTEGER NOT NULL REFERENCES op_case,
    device_id INTEGER NOT NULL REFERENCES device,
    reason TEXT NOT NULL,
    PRIMARY KEY (run_id, case_id, device_id)
) STRICT;
CREATE INDEX result_by_run ON result (run_id, seq);
CREATE INDEX plan_by_case ON plan (case_id, device_id);
