-- Version 3: timings as `assay bench` measures them, what a verify covered of a card, and runs that belong together.
ALTER TABLE run ADD COLUMN label TEXT NOT NULL DEFAULT '';      -- --label: the shards and machines of one night share it
ALTER TABLE run ADD COLUMN shard TEXT NOT NULL DEFAULT '';      -- --shard: "2/8"; '' = the whole plan
ALTER TABLE run ADD COLUMN resumed INTEGER NOT NULL DEFAULT 0;  -- how many times --resume went on with it
CREATE INDEX run_by_label ON run (label);
ALTER TABLE run_device ADD COLUMN state TEXT NOT NULL DEFAULT 'used'     -- every device that was seen has a row:
    -- chosen and opened; chosen, but it lacks what is needed; chosen, and failed to open; or left out, as why says
    CHECK (state IN ('used', 'not opened', 'fault', 'left out'));
UPDATE run_device SET state = 'not opened' WHERE opened = 0;
CREATE TABLE coverage (                     -- what of a card a verify touched, and found right
    run_id INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('units', 'memory', 'upload', 'download')),
    unit TEXT NOT NULL,                     -- of the numbers: "multiprocessors", "bytes"
    total INTEGER NOT NULL,
    covered INTEGER NOT NULL,
    failed INTEGER NOT NULL,                -- units, or bytes, that gave a wrong answer
    detail TEXT NOT NULL,                   -- JSON: first wrong places, pattern, seed, bytes per second
    PRIMARY KEY (run_id, device_id, what),
    FOREIGN KEY (run_id, device_id) REFERENCES run_device ON DELETE CASCADE
) STRICT;
CREATE TABLE ceiling (                      -- what the device can do, measured in the same process as the bench rows
    run_id INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    invocation INTEGER NOT NULL,
    name TEXT NOT NULL,                     -- "copy", "copy_hot", "fma_f32", "launch", "timer"
    unit TEXT NOT NULL,                     -- "bytes/s", "flop/s", "ns"
    value REAL NOT NULL,
    PRIMARY KEY (run_id, device_id, invocation, name),
    FOREIGN KEY (run_id, device_id) REFERENCES run_device ON DELETE CASCADE
) STRICT;
CREATE TABLE bench (                        -- one kernel on one case, timed by one process
    bench_id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    case_id INTEGER NOT NULL REFERENCES op_case,
    kernel_id INTEGER NOT NULL REFERENCES kernel,
    lane TEXT NOT NULL CHECK (lane IN ('cold', 'hot')),     -- caches emptied before each sample, or warm
    side TEXT NOT NULL,                     -- "A" and "B" of an interleaved comparison, else ""
    invocation INTEGER NOT NULL,            -- number of the process, the unit of independence
    warmups INTEGER NOT NULL,               -- runs before the first sample
    calls INTEGER NOT NULL,                 -- runs in one sample; ns are per run
    count INTEGER NOT NULL,                 -- samples
    rejected INTEGER NOT NULL,              -- samples that a rule set aside; they stay in bench_sample
    median_ns REAL, mad_ns REAL, q1_ns REAL, q3_ns REAL, min_ns REAL,   -- of the kept samples
    lag1 REAL,                              -- autocorrelation of neighbours
    launch_ns REAL,                         -- of an empty kernel in this process; not taken off
    host_record_ns REAL, host_submit_ns REAL, host_other_ns REAL,   -- the host's time beside it, per run
    dispatches INTEGER NOT NULL,            -- per run
    transfers INTEGER NOT NULL DEFAULT 0,   -- copies between host and device inside timed spans; 0, or verdict is ERROR
    points INTEGER NOT NULL DEFAULT 0,      -- elements of the inputs, distinct in memory and on the device beforehand
    flops REAL NOT NULL,
    bytes REAL NOT NULL,                    -- that must be read and written at least
    roofline REAL,                          -- attained share of min(peak, intensity x bandwidth)
    digest TEXT NOT NULL,                   -- of the output after every sample; all equal, or verdict says so
    verdict TEXT NOT NULL CHECK (verdict IN ('PASS', 'DIFF', 'NONDET', 'INCONCLUSIVE', 'ERROR')),
    reason TEXT NOT NULL,
    recorded_utc TEXT NOT NULL,
    UNIQUE (run_id, device_id, case_id, kernel_id, lane, side, invocation),
    FOREIGN KEY (run_id, device_id) REFERENCES run_device ON DELETE CASCADE
) STRICT;
CREATE INDEX bench_by_case ON bench (case_id, device_id);
CREATE TABLE bench_sample (                 -- raw, in the order of measuring; `db prune` removes old ones
    bench_id INTEGER NOT NULL REFERENCES bench ON DELETE CASCADE,
    n INTEGER NOT NULL,
    ns REAL NOT NULL,
    clock_before_mhz INTEGER, clock_after_mhz INTEGER,
    temperature_c REAL, power_w REAL,
    throttle INTEGER,                       -- the driver's bits; NULL = it does not say
    rejected TEXT NOT NULL,                 -- the rule; "" = kept
    digest TEXT NOT NULL,
    PRIMARY KEY (bench_id, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE mutant (                       -- faults planted by selftest, and whether they were seen
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    name TEXT NOT NULL,
    caught INTEGER NOT NULL CHECK (caught IN (0, 1)),
    verdict TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT;
-- Every timing that may be compared: one row an invocation. `run` is the lane of the few samples beside a judged case.
CREATE VIEW timing AS
SELECT run_id, device_id, case_id, kernel_id, lane, side, invocation, median_ns
FROM bench WHERE verdict = 'PASS' AND median_ns > 0
UNION ALL
SELECT r.run_id, p.device_id, p.case_id, r.kernel_id, 'run', '', r.attempt, CAST(r.median_ns AS REAL)
FROM result r JOIN plan p USING (run_id, seq)
WHERE r.verdict = 'PASS' AND r.median_ns > 0 AND r.kernel_id IS NOT NULL;
