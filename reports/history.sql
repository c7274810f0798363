-- What a history reads, and how it tells it. The queries 'read_*' run on the file, all others on a database in memory that
-- history.c fills: `cell`, `event` and `drift`. Column names are headings, '>' sets a column to the right; names that
-- others chose go through md(), code() or flat().

-- query: read_run
SELECT run_id, started_utc, key, revision, label, julianday(started_utc) FROM run ORDER BY started_utc, run_id;

-- query: read_device
SELECT device_id, backend || ' ' || name, driver, backend, name, key FROM device;

-- query: read_label
SELECT DISTINCT device_id, label FROM run_device;

-- query: read_kernel
SELECT kernel_id, name, hash || CASE variant WHEN '' THEN '' ELSE ' ' || variant END FROM kernel;

-- query: read_case
SELECT case_id, line FROM op_case;

-- query: read_time
SELECT run_id, device_id, case_id, kernel_id, lane, median_ns FROM timing WHERE side = '';

-- query: read_result
SELECT r.run_id, p.device_id, p.case_id, r.kernel_id, r.verdict, r.digest, r.oracle, r.oracle_version, r.differing,
    r.max_ulp, r.scaled_f64, r.ulp_f64, r.bound_f64, r.rung
FROM result r JOIN plan p USING (run_id, seq) WHERE r.kernel_id IS NOT NULL;

-- query: read_bench
SELECT run_id, device_id, case_id, kernel_id, verdict, digest, 'bench', 0, 0, NULL, NULL, NULL, NULL, ''
FROM bench WHERE side = '' AND verdict <> 'INCONCLUSIVE' AND digest <> '';

-- query: tables
CREATE TABLE event (kind TEXT, alert INTEGER, fresh INTEGER, line TEXT, device TEXT, kernel TEXT, lane TEXT, run_before INTEGER,
    run_after INTEGER, at TEXT, change REAL, p REAL, threshold REAL, was TEXT, now TEXT, cause TEXT, points INTEGER);

-- query: put_event
INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17);

-- query: certain
-- Benjamini and Hochberg over all series: with thousands of them, some look changed by chance. ?1 is how many there are.
WITH ranked AS (SELECT p, rank() OVER (ORDER BY p) AS place FROM event WHERE kind IN ('slower', 'faster', 'drift'))
UPDATE event SET alert = 0, fresh = 0, cause = 'not certain among ' || ?1 || ' series; ' || cause
WHERE kind IN ('slower', 'faster', 'drift')
    AND p > coalesce((SELECT max(p) FROM ranked WHERE p <= place * 0.01 / ?1), -1);

-- query: counts
SELECT count(*) FILTER (WHERE alert AND fresh), count(*) FILTER (WHERE alert), count(*) FILTER (WHERE kind = 'bits'),
    count(*) FILTER (WHERE kind IN ('slower', 'faster')), count(*) FILTER (WHERE kind = 'explained'),
    count(*) FILTER (WHERE kind = 'drift') FROM event;

-- query: alerts
SELECT CASE WHEN fresh THEN '**new**' ELSE 'earlier' END AS "", kind AS what, code(line) AS "case", md(device) AS device,
    md(kernel) AS kernel, lane, md(substr(at, 1, 10)) AS since, run_before || ' to ' || run_after AS runs,
    CASE WHEN change IS NULL THEN '-' ELSE printf('%+.1f %%', 100 * change) END AS "change>", num(p) AS "p>",
    CASE WHEN threshold IS NULL THEN '-' ELSE printf('%.1f %%', 100 * threshold) END AS "threshold>",
    md(was) AS was, md(now) AS now, md(cause) AS cause
FROM event WHERE alert ORDER BY fresh DESC, CASE kind WHEN 'bits' THEN 0 WHEN 'verdict' THEN 1 ELSE 2 END,
    at DESC, line, device, kernel, lane LIMIT 500;

-- query: others
SELECT kind AS what, code(line) AS "case", md(device) AS device, md(kernel) AS kernel, lane,
    md(substr(at, 1, 10)) AS since, run_before || ' to ' || run_after AS runs,
    CASE WHEN change IS NULL THEN '-' ELSE printf('%+.1f %%', 100 * change) END AS "change>", num(p) AS "p>",
    CASE WHEN threshold IS NULL THEN '-' ELSE printf('%.1f %%', 100 * threshold) END AS "threshold>",
    md(was) AS was, md(now) AS now, md(cause) AS cause
FROM event WHERE NOT alert AND kind <> 'cut' ORDER BY at DESC, line, device, kernel, lane LIMIT 500;

-- query: cuts
-- Where series were cut, and what that changed: most cuts change nothing.
SELECT md(cause) AS cause, n(count(*)) AS "series>", md(substr(min(at), 1, 10)) AS first, md(substr(max(at), 1, 10)) AS last
FROM event WHERE kind = 'cut' GROUP BY cause ORDER BY count(*) DESC, cause LIMIT 100;

-- query: json
SELECT json_group_array(json_object('what', kind, 'alert', json(CASE alert WHEN 1 THEN 'true' ELSE 'false' END),
    'new', json(CASE fresh WHEN 1 THEN 'true' ELSE 'false' END), 'case', line, 'device', device, 'kernel', kernel,
    'lane', lane, 'run_before', run_before, 'run_after', run_after, 'at', at, 'change', change, 'p', p,
    'threshold', threshold, 'was', was, 'now', now, 'cause', cause, 'points', points)) FROM event;
