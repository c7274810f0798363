-- What a report's plots show. report.sql and report_time.sql made the tables final, timed and named before.
--
-- Rows come sorted by page (a picture each) and series (a colour each); the columns behind these two are a point. A query
-- NAME_says gives the sentences of a page, which is ?1.

-- query: prepare
-- The cells whose history is drawn: of each kernel that was timed, its largest case; benches before single launches.
CREATE TEMP TABLE cell AS
WITH one AS (
    SELECT device_key, backend, label, case_id, line, kernel, lane, flops, 0 AS place FROM timed WHERE side = ''
    UNION ALL
    SELECT device_key, backend, label, case_id, line, kernel, 'run', flops, 1 FROM final
    WHERE rowid IN (SELECT at FROM (SELECT rowid AS at, max(flops) FROM final -- the row of the largest
        WHERE median_ns > 0 AND outcome = 'passed' GROUP BY label, kernel))),
    ranked AS (SELECT *, row_number() OVER (PARTITION BY label, kernel ORDER BY place, flops DESC, lane DESC, line) AS nth FROM one)
SELECT label || ' ' || kernel || ' ' || line || CASE lane WHEN 'run' THEN '' ELSE ' ' || lane END AS cell,
    device_key, backend, case_id, kernel, lane
FROM ranked WHERE nth = 1 ORDER BY place, flops DESC, label, kernel LIMIT 6;
CREATE TEMP TABLE past AS -- runs up to those of this report
SELECT run_id, row_number() OVER (ORDER BY started_utc, run_id) AS n FROM (
    SELECT run_id, started_utc FROM run
    WHERE started_utc <= (SELECT max(started_utc) FROM run JOIN picked USING (run_id))
    ORDER BY started_utc DESC, run_id DESC LIMIT 400);
CREATE INDEX past_by_run ON past (run_id);
CREATE TEMP TABLE lived AS
SELECT c.cell, b.run_id, median(b.median_ns) AS ns, NULL AS error, max(d.driver) AS driver, max(k.hash || ' ' || k.variant) AS code
FROM cell c JOIN bench b ON b.case_id = c.case_id JOIN device d ON d.device_id = b.device_id JOIN kernel k USING (kernel_id)
    JOIN past USING (run_id)
WHERE c.lane <> 'run' AND b.lane = c.lane AND b.side = '' AND b.verdict = 'PASS' AND b.median_ns > 0 AND d.key = c.device_key
    AND d.backend = c.backend AND k.name = c.kernel
GROUP BY c.cell, b.run_id
UNION ALL
SELECT c.cell, p.run_id, median(r.median_ns), max(r.scaled_f64), max(d.driver), max(k.hash || ' ' || k.variant)
FROM cell c CROSS JOIN plan p ON p.case_id = c.case_id JOIN past USING (run_id)
    JOIN device d ON d.device_id = p.device_id JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
    JOIN kernel k USING (kernel_id)
WHERE c.lane = 'run' AND r.verdict = 'PASS' AND r.median_ns > 0 AND d.key = c.device_key AND d.backend = c.backend
    AND k.name = c.kernel
GROUP BY c.cell, p.run_id;
DELETE FROM lived WHERE cell IN (SELECT cell FROM lived GROUP BY cell HAVING count(*) < 3);

-- query: error
-- Kernels of exact mode have the same bits, so their errors are one series a fill.
WITH point AS (
    SELECT i.op, CASE mode WHEN 'exact' THEN 'exact, ' ELSE kernel || ', ' END || i.fill AS series, axis(c.line, 'k') AS k,
        max(error) AS largest, nullif(max(rms), 0) AS rms, nullif(max(share), 0) AS share, sum(results) AS cases
    FROM item i JOIN op_case c USING (case_id) WHERE error > 0 AND i.fill <> ''
    GROUP BY i.op, series, k),
    ranked AS (SELECT *, dense_rank() OVER (PARTITION BY op ORDER BY total DESC, series) AS place FROM (
        SELECT *, sum(cases) OVER (PARTITION BY op, series) AS total FROM point WHERE k > 0))
SELECT op AS page, series, k, largest, rms, share FROM ranked WHERE place <= 10 ORDER BY op, series, k;

-- query: error_says
SELECT printf('Errors of %s results against float64, by the length K of their sum. Filled: the largest error over the largest value; '
    || 'open: root mean squares. Rounding alone grows like u√K (u = 2⁻²⁴) and cannot pass γ = Ku / (1 − Ku) of the magnitudes that are added: '
    || 'points above γ belong to data whose sum is small beside its terms (cancel, special). '
    || 'Below, each error over its proven bound: the largest is %s of 1, %s. %s results have no error at all and %s no finite one; these are not drawn.',
    n(sum(results) - total(zero) - total(odd)), num(max(share)),
    CASE WHEN max(share) > 1 THEN '**so the proof is broken**' ELSE 'and a point above the line would break the proof' END,
    n(total(zero)), n(total(odd)))
FROM item WHERE op = ?1;

-- query: ulp
WITH bin (x, name) AS (VALUES (0, '0'), (1, '≤ 0.5'), (2, '≤ 1'), (3, '≤ 2'), (4, '≤ 4'), (5, '≤ 8'), (6, '≤ 16'), (7, '≤ 32'),
        (8, '≤ 64'), (9, '≤ 128'), (10, '≤ 256'), (11, '> 256'), (12, 'inf, nan')),
    got AS (
    SELECT op, mode, CASE WHEN typeof(ulp_f64) = 'text' THEN 12 WHEN ulp_f64 = 0 THEN 0 WHEN ulp_f64 <= 0.5 THEN 1 WHEN ulp_f64 <= 1 THEN 2
            WHEN ulp_f64 <= 2 THEN 3 WHEN ulp_f64 <= 4 THEN 4 WHEN ulp_f64 <= 8 THEN 5 WHEN ulp_f64 <= 16 THEN 6
            WHEN ulp_f64 <= 32 THEN 7 WHEN ulp_f64 <= 64 THEN 8 WHEN ulp_f64 <= 128 THEN 9 WHEN ulp_f64 <= 256 THEN 10
            ELSE 11 END AS x, count(*) AS count
    FROM final WHERE ulp_f64 IS NOT NULL AND outcome IN ('passed', 'failed') GROUP BY op, mode, 3),
    named_got AS MATERIALIZED (SELECT CASE op WHEN '' THEN 'published' ELSE op END || CASE mode WHEN 'exact' THEN '' ELSE ' ' || mode END
        AS series, x, count FROM got),
    kept AS (SELECT series FROM named_got GROUP BY series ORDER BY sum(count) DESC, series LIMIT 8)
SELECT '' AS page, k.series, b.x, b.name,
    (SELECT total(count) FROM named_got g WHERE g.series = k.series AND g.x = b.x) AS count
FROM kept k, bin b ORDER BY k.series, b.x;

-- query: ulp_says
SELECT printf('How far results lie from float64, in units of the last place of the output: each of %s results counts once, by its worst element. '
    || 'At most half a unit is correct rounding (%s results); a sum has the roundings of its terms, and far to the right lie results that are small beside what was added. '
    || 'The bits themselves are judged by equality, not by this distance.',
    n(count(*)), n(count(*) FILTER (WHERE typeof(ulp_f64) = 'real' AND ulp_f64 <= 0.5)))
FROM final WHERE ulp_f64 IS NOT NULL AND outcome IN ('passed', 'failed') AND ?1 = ?1;

-- query: time
SELECT label AS page, kernel || CASE side WHEN '' THEN '' ELSE ' (' || side || ')' END AS series, flops,
    max(median_ns) FILTER (WHERE lane = 'cold') * 1e-9 AS cold, max(spread * median_ns) FILTER (WHERE lane = 'cold') * 1e-9 AS cold_spread,
    max(roofline * median_ns) FILTER (WHERE lane = 'cold') * 1e-9 AS cold_roof,
    max(median_ns) FILTER (WHERE lane = 'hot') * 1e-9 AS hot, max(spread * median_ns) FILTER (WHERE lane = 'hot') * 1e-9 AS hot_spread,
    max(roofline * median_ns) FILTER (WHERE lane = 'hot') * 1e-9 AS hot_roof
FROM timed WHERE flops > 0 GROUP BY label, kernel, side, case_id ORDER BY label, series, flops;

-- query: time_says
SELECT printf('Median time of a call on %s against its arithmetic, caches emptied before (left) and warm (right); the bars are one spread. '
    || 'A dash under a point is its roofline, the time that the measured copy bandwidth or multiply-add rate of this device allows at best: '
    || 'the nearer a point is to its dash, the less is left to gain. The nearest reaches %s of it%s.', md(?1),
    printf('%.0f %%', 100 * max(roofline)), CASE WHEN max(roofline) > 1
        THEN ': above 100 % the kernel computes by other units than f32 multiply-adds, or the ceiling was measured under load' ELSE '' END)
FROM timed WHERE label = ?1;

-- query: history
SELECT '' AS page, l.cell AS series, past.n, l.run_id, julianday(run.started_utc) AS day, l.ns, l.error, l.driver, l.code
FROM lived l JOIN past USING (run_id) JOIN run USING (run_id) ORDER BY l.cell, past.n;

-- query: history_says
SELECT printf('Times of %s cells over %s runs, each divided by the median of its own. A ring marks a run from which on the time was another (change points '
    || 'of assay history, from 1 %% on; in fewer than 14 runs a jump of 5 %% at least), a cross one whose code or driver was another than before: a ring without a cross has no such cause. '
    || 'Below, where it was judged, the error, which must not move at all while the code stays the same.',
    n(count(DISTINCT cell)), n(count(DISTINCT run_id)))
FROM lived WHERE ?1 = ?1;
