-- What older files lack, as temporary tables and views of the same names, so that queries are written for the newest
-- schema alone. A line '-- since version N' opens what N added; a test compares the columns with the real schema's.

-- since version 2
CREATE TEMP TABLE trust (trust_id INTEGER, run_id INTEGER, device_id INTEGER, recorded_utc TEXT, state TEXT, reason TEXT,
    path TEXT, record TEXT);

-- since version 3
CREATE TEMP VIEW run AS SELECT *, '' AS label, '' AS shard, 0 AS resumed FROM main.run;
CREATE TEMP VIEW run_device AS SELECT *, CASE opened WHEN 0 THEN 'not opened' ELSE 'used' END AS state
    FROM main.run_device;
CREATE TEMP TABLE coverage (run_id INTEGER, device_id INTEGER, what TEXT, unit TEXT, total INTEGER, covered INTEGER,
    failed INTEGER, detail TEXT);
CREATE TEMP TABLE ceiling (run_id INTEGER, device_id INTEGER, invocation INTEGER, name TEXT, unit TEXT, value REAL);
CREATE TEMP TABLE bench (bench_id INTEGER, run_id INTEGER, device_id INTEGER, case_id INTEGER, kernel_id INTEGER,
    lane TEXT, side TEXT, invocation INTEGER, warmups INTEGER, calls INTEGER, count INTEGER, rejected INTEGER,
    median_ns REAL, mad_ns REAL, q1_ns REAL, q3_ns REAL, min_ns REAL, lag1 REAL, launch_ns REAL, host_record_ns REAL,
    host_submit_ns REAL, host_other_ns REAL, dispatches INTEGER, transfers INTEGER, points INTEGER, flops REAL,
    bytes REAL, roofline REAL, digest TEXT, verdict TEXT, reason TEXT, recorded_utc TEXT);
CREATE TEMP TABLE bench_sample (bench_id INTEGER, n INTEGER, ns REAL, clock_before_mhz INTEGER, clock_after_mhz INTEGER,
    temperature_c REAL, power_w REAL, throttle INTEGER, rejected TEXT, digest TEXT);
CREATE TEMP TABLE mutant (run_id INTEGER, name TEXT, caught INTEGER, verdict TEXT, detail TEXT);
CREATE TEMP VIEW timing AS
SELECT r.run_id, p.device_id, p.case_id, r.kernel_id, 'run' AS lane, '' AS side, r.attempt AS invocation,
    CAST(r.median_ns AS REAL) AS median_ns
FROM result r JOIN plan p USING (run_id, seq)
WHERE r.verdict = 'PASS' AND r.median_ns > 0 AND r.kernel_id IS NOT NULL;
