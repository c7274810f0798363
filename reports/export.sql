-- Rows for `assay db export`: everything that a run has to tell about single cases, in one form. Three views with the same
-- columns, since results and capped cases are read in an order that their tables already have: a million rows are a stream.
--
-- outcome: passed, failed, errored, skipped, 'not judged', 'not run'; an expected failure that came has passed, one that
-- did not come has failed.

-- A row a planned case with its last attempt; one without a result says so.
CREATE TEMP VIEW export_result AS
SELECT CASE WHEN r.result_id IS NULL THEN 'planned' ELSE 'result' END AS kind, u.run_id AS run, u.key AS run_key,
    u.started_utc, u.verb, u.level, u.label AS run_label, u.shard,
    coalesce(v.label, d.backend) AS device, d.name AS device_name, d.backend, d.driver, d.key AS device_key,
    coalesce(k.name, p.kernel) AS kernel, coalesce(k.hash, '') AS kernel_hash, coalesce(k.variant, '') AS variant,
    coalesce(k.technique, '') AS technique, coalesce(k.mode, '') AS mode,
    c.line AS "case", c.op, c.dtype, c.fill, p.seq, r.attempt,
    coalesce(r.verdict, '') AS verdict, r.expected,
    CASE WHEN r.verdict IS NULL THEN 'not run'
        WHEN r.verdict = r.expected AND r.verdict NOT IN ('SKIP', 'DEADREF', 'UNPROVEN', 'ERROR') THEN 'passed'
        WHEN r.verdict IN ('PASS', 'REFLIMITED') AND coalesce(r.expected, 'PASS') NOT IN ('PASS', 'REFLIMITED')
            THEN 'failed'
        WHEN r.verdict IN ('PASS', 'REFLIMITED') THEN 'passed'
        WHEN r.verdict = 'ERROR' AND r.expected IS NOT 'ERROR' THEN 'errored'
        WHEN r.verdict = 'SKIP' THEN 'skipped'
        WHEN r.verdict IN ('DEADREF', 'UNPROVEN', 'ERROR') THEN 'not judged'
        ELSE 'failed' END AS outcome,
    coalesce(r.rung, '') AS rung, coalesce(r.oracle, '') AS oracle, r.oracle_version, r.elems, r.judged, r.differing,
    coalesce(r.first_index, '') AS first_index, coalesce(r.got, '') AS got, coalesce(r.want, '') AS want,
    r.max_ulp, r.scaled_f64, r.rms_f64, r.ulp_f64, r.bound_f64, coalesce(r.digest, '') AS digest,
    r.median_ns, r.wall_ns, '' AS lane, '' AS side, NULL AS invocation, NULL AS q1_ns, NULL AS q3_ns, NULL AS min_ns,
    c.flops, NULL AS roofline,
    coalesce(r.reason, 'the run ended before this case had a result') AS reason, coalesce(r.repro, '') AS repro,
    p.why, p.source, coalesce(r.recorded_utc, '') AS recorded_utc, p.device_id
FROM plan p CROSS JOIN run u ON u.run_id = p.run_id
CROSS JOIN op_case c ON c.case_id = p.case_id
CROSS JOIN device d ON d.device_id = p.device_id
LEFT JOIN run_device v ON v.run_id = p.run_id AND v.device_id = p.device_id
LEFT JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
    AND NOT EXISTS (SELECT 1 FROM result m WHERE m.run_id = p.run_id AND m.seq = p.seq AND m.attempt > r.attempt)
LEFT JOIN kernel k ON k.kernel_id = r.kernel_id;

-- A row a timing of `assay bench`.
CREATE TEMP VIEW export_bench AS
SELECT 'bench' AS kind, u.run_id AS run, u.key AS run_key, u.started_utc, u.verb, u.level, u.label AS run_label, u.shard,
    coalesce(v.label, d.backend) AS device, d.name AS device_name, d.backend, d.driver, d.key AS device_key,
    k.name AS kernel, k.hash AS kernel_hash, k.variant, k.technique, k.mode,
    c.line AS "case", c.op, c.dtype, c.fill, NULL AS seq, NULL AS attempt,
    b.verdict, NULL AS expected,
    CASE b.verdict WHEN 'PASS' THEN 'passed' WHEN 'ERROR' THEN 'errored' WHEN 'INCONCLUSIVE' THEN 'not judged'
        ELSE 'failed' END AS outcome,
    '' AS rung, '' AS oracle, NULL AS oracle_version, NULL AS elems, NULL AS judged, NULL AS differing,
    '' AS first_index, '' AS got, '' AS want,
    NULL AS max_ulp, NULL AS scaled_f64, NULL AS rms_f64, NULL AS ulp_f64, NULL AS bound_f64, b.digest,
    b.median_ns, NULL AS wall_ns, b.lane, b.side, b.invocation, b.q1_ns, b.q3_ns, b.min_ns,
    b.flops, b.roofline, b.reason, '' AS repro, '' AS why, '' AS source, b.recorded_utc, b.device_id
FROM bench b CROSS JOIN run u ON u.run_id = b.run_id
CROSS JOIN op_case c ON c.case_id = b.case_id
CROSS JOIN device d ON d.device_id = b.device_id
CROSS JOIN run_device v ON v.run_id = b.run_id AND v.device_id = b.device_id
CROSS JOIN kernel k ON k.kernel_id = b.kernel_id;

-- A row a case that the level's cap left out on a device.
CREATE TEMP VIEW export_capped AS
SELECT 'capped' AS kind, u.run_id AS run, u.key AS run_key, u.started_utc, u.verb, u.level, u.label AS run_label, u.shard,
    coalesce(v.label, d.backend) AS device, d.name AS device_name, d.backend, d.driver, d.key AS device_key,
    '' AS kernel, '' AS kernel_hash, '' AS variant, '' AS technique, '' AS mode,
    c.line AS "case", c.op, c.dtype, c.fill, NULL AS seq, NULL AS attempt,
    'SKIP' AS verdict, NULL AS expected, 'skipped' AS outcome,
    '' AS rung, '' AS oracle, NULL AS oracle_version, NULL AS elems, NULL AS judged, NULL AS differing,
    '' AS first_index, '' AS got, '' AS want,
    NULL AS max_ulp, NULL AS scaled_f64, NULL AS rms_f64, NULL AS ulp_f64, NULL AS bound_f64, '' AS digest,
    NULL AS median_ns, NULL AS wall_ns, '' AS lane, '' AS side, NULL AS invocation, NULL AS q1_ns, NULL AS q3_ns,
    NULL AS min_ns, c.flops, NULL AS roofline, x.reason, '' AS repro, '' AS why, '' AS source, '' AS recorded_utc,
    x.device_id
FROM capped x CROSS JOIN run u ON u.run_id = x.run_id
CROSS JOIN op_case c ON c.case_id = x.case_id
CROSS JOIN device d ON d.device_id = x.device_id
LEFT JOIN run_device v ON v.run_id = x.run_id AND v.device_id = x.device_id;
