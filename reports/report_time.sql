-- The times of a report: what `assay bench` measured. report.sql made the tables picked and named before.

-- query: prepare
-- One row a kernel, case, lane and side over its processes; what did not pass is told apart.
CREATE TEMP TABLE timed AS
SELECT n.label, n.backend, n.device_key, b.device_id, b.case_id, c.line, c.op, b.lane, b.side, k.name AS kernel, k.variant,
    count(*) AS processes, sum(b.count) AS samples, min(b.count) AS least_samples, sum(b.rejected) AS rejected,
    median(b.median_ns) AS median_ns, min(b.min_ns) AS best_ns,
    max(coalesce(median(b.mad_ns / b.median_ns), 0), coalesce(mad(b.median_ns) / median(b.median_ns), 0)) AS spread,
    median(b.roofline) AS roofline, median(b.launch_ns) AS launch_ns, max(b.dispatches) AS dispatches,
    max(b.flops) AS flops, max(b.bytes) AS bytes, max(b.digest) AS digest, max(b.reason) AS reason,
    max(b.verdict = 'INCONCLUSIVE') AS doubtful
FROM bench b JOIN picked USING (run_id) JOIN named n USING (run_id, device_id) JOIN op_case c USING (case_id)
    JOIN kernel k USING (kernel_id)
WHERE b.verdict IN ('PASS', 'INCONCLUSIVE') AND b.median_ns > 0
GROUP BY n.label, b.device_id, b.case_id, b.lane, b.side, k.name, k.variant;
-- Row H13: speed is claimed from runs in which nothing failed.
CREATE TEMP TABLE failing AS
SELECT (SELECT count(*) FROM bench JOIN picked USING (run_id) WHERE verdict IN ('DIFF', 'NONDET', 'ERROR'))
    + (SELECT count(*) FROM final WHERE outcome IN ('failed', 'errored')) AS failures;

-- query: ceilings
SELECT md(n.label) AS device, md(n.name) AS name,
    coalesce(printf('%.1f GB/s', median(c.value) FILTER (WHERE c.name = 'copy') / 1e9), '-') AS "copy>",
    coalesce(printf('%.1f GB/s', median(c.value) FILTER (WHERE c.name = 'copy_hot') / 1e9), '-') AS "copy in cache>",
    coalesce(printf('%.1f GFLOP/s', median(c.value) FILTER (WHERE c.name = 'fma_f32') / 1e9), '-') AS "f32 multiply-adds>",
    dur(median(c.value) FILTER (WHERE c.name = 'launch')) AS "empty launch>",
    dur(median(c.value) FILTER (WHERE c.name = 'timer')) AS "clock's step>"
FROM ceiling c JOIN picked USING (run_id) JOIN named n USING (run_id, device_id)
GROUP BY n.label, n.name ORDER BY n.label;

-- query: times
SELECT code(line) AS "case", md(label) AS device, md(kernel) || CASE side WHEN '' THEN '' ELSE ' (' || md(side) || ')' END AS kernel,
    lane, dur(median_ns) AS "median>", printf('%.1f %%', 100 * spread) AS "spread>", dur(best_ns) AS "best>",
    CASE WHEN least_samples < 10 THEN '**few**: ' ELSE '' END || printf('%s in %d', n(samples), processes)
        || CASE WHEN rejected > 0 THEN printf(', %s set aside', n(rejected)) ELSE '' END AS "samples>",
    num(flops / median_ns) AS "GFLOP/s>", num(bytes / median_ns) AS "GB/s>",
    coalesce(printf('%.1f %%', 100 * roofline), '-') AS "of the roofline>",
    CASE WHEN doubtful THEN 'inconclusive' ELSE '' END AS " "
FROM timed ORDER BY op, flops, line, label, lane, median_ns;

-- query: beside
-- Each device's fastest kernel beside the processor's, of the same case and lane (rows H08 and H13).
WITH fast AS (SELECT *, row_number() OVER (PARTITION BY label, case_id, lane ORDER BY median_ns) AS place
    FROM timed WHERE NOT doubtful),
    cpu AS (SELECT * FROM fast WHERE backend = 'cpu' AND place = 1 GROUP BY case_id, lane HAVING median_ns = min(median_ns))
SELECT code(f.line) AS "case", f.lane AS lane, dur(c.median_ns) AS "CPU median>", dur(c.best_ns) AS "CPU best>",
    md(c.kernel) AS "CPU kernel", md(f.label) AS device, md(f.kernel) AS kernel, dur(f.median_ns) AS "median>",
    printf('%.3g', c.median_ns / f.median_ns) AS "times the CPU's speed>",
    printf('%.1f %%', 100 * max(c.spread, f.spread)) AS "spread>",
    CASE WHEN (SELECT failures FROM failing) > 0 THEN printf('no: %s failures in this report', (SELECT n(failures) FROM failing))
        WHEN abs(c.median_ns / f.median_ns - 1) <= 2 * max(c.spread, f.spread) THEN 'no: within twice the spread'
        WHEN f.least_samples < 10 OR c.least_samples < 10 THEN 'no: few samples'
        ELSE '**yes**' END AS claimable
FROM fast f JOIN cpu c USING (case_id, lane) WHERE f.backend <> 'cpu' AND f.place = 1
ORDER BY f.op, f.flops, f.line, f.label, f.lane;

-- query: doubtful
SELECT code(c.line) AS "case", md(n.label) AS device, md(k.name) AS kernel, b.lane AS lane,
    n(count(*)) AS "processes>", md(max(b.reason)) AS reason
FROM bench b JOIN picked USING (run_id) JOIN named n USING (run_id, device_id) JOIN op_case c USING (case_id)
    JOIN kernel k USING (kernel_id)
WHERE b.verdict = 'INCONCLUSIVE' GROUP BY c.line, n.label, k.name, b.lane ORDER BY c.line, n.label, k.name, b.lane;
