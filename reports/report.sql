-- What a report shows: named queries over the tables of harness/schema*.sql. report.c says in which order they come.
--
-- A line '-- query: NAME' opens a query. Column names are the headings of a table; one that ends in '>' is set to the
-- right. Everything that others named goes through md() or code(). The runs are in temp.picked; `this` has what report.c
-- goes through: a device, an operator.

-- query: prepare
-- Devices by the label that they had. Where machines of one label's runs both have a cuda:0, the device's number follows.
CREATE TEMP TABLE named AS
SELECT rd.run_id, rd.device_id, rd.opened, rd.why, rd.variant, rd.variant_why, rd.probe,
    d.key AS device_key, d.backend, d.name, d.driver, d.software,
    CASE WHEN (SELECT count(DISTINCT x.device_id) FROM run_device x WHERE x.label = rd.label
            AND x.run_id IN (SELECT run_id FROM picked)) > 1
        THEN rd.label || ' #' || rd.device_id ELSE rd.label END AS label
FROM picked JOIN run_device rd USING (run_id) JOIN device d USING (device_id);
CREATE INDEX named_by_run ON named (run_id, device_id);
-- One row a planned case with its last attempt and what came of it.
CREATE TEMP TABLE final AS
SELECT p.run_id, p.seq, p.device_id, p.case_id, p.kernel AS asked, coalesce(x.label, d.backend) AS label, d.backend,
    d.key AS device_key, p.why, p.source, c.line, c.op, c.dtype, c.fill, c.flops,
    coalesce(k.name, p.kernel) AS kernel, coalesce(k.hash, '') AS hash, coalesce(k.variant, '') AS variant,
    coalesce(k.mode, '') AS mode,
    r.result_id, r.attempt, r.verdict, r.expected, r.rung, r.oracle, r.oracle_version, r.elems, r.judged, r.differing,
    r.first_index, r.got, r.want, r.max_ulp, r.scaled_f64, r.rms_f64, r.ulp_f64, r.bound_f64, r.published_differing,
    r.published_scaled, r.digest, r.median_ns, r.wall_ns, r.reason, r.repro, outcome(r.verdict, r.expected) AS outcome
FROM picked
    JOIN plan p USING (run_id)
    JOIN op_case c USING (case_id)
    JOIN device d USING (device_id)
    LEFT JOIN named x ON x.run_id = p.run_id AND x.device_id = p.device_id
    LEFT JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
        AND r.attempt = (SELECT max(attempt) FROM result s WHERE s.run_id = p.run_id AND s.seq = p.seq)
    LEFT JOIN kernel k USING (kernel_id);
CREATE INDEX final_by_op ON final (op);
CREATE INDEX final_by_outcome ON final (outcome);
-- What each run is compared with: the one before it with the same verb, level, engine and shard, on a device of its own.
CREATE TEMP TABLE base AS
SELECT r.run_id, (SELECT p.run_id FROM run p
    WHERE p.verb = r.verb AND p.level = r.level AND p.engine = r.engine AND p.shard = r.shard
        AND (p.label = '' OR p.label <> r.label) AND (p.started_utc, p.run_id) < (r.started_utc, r.run_id)
        AND EXISTS (SELECT 1 FROM run_device o JOIN device od USING (device_id) JOIN named n
            ON n.run_id = r.run_id AND n.device_key = od.key AND n.backend = od.backend AND n.opened
            WHERE o.run_id = p.run_id AND o.opened)
    ORDER BY p.started_utc DESC, p.run_id DESC LIMIT 1) AS base_id
FROM picked JOIN run r USING (run_id);
-- Benches are compared by their own rules (assay compare).
DELETE FROM base WHERE base_id IS NULL OR run_id IN (SELECT run_id FROM run WHERE verb = 'bench');
CREATE TEMP TABLE before AS
SELECT b.run_id, p.run_id AS base_id, d.key AS device_key, d.backend, p.case_id, p.kernel AS asked,
    coalesce(k.name, p.kernel) AS kernel, coalesce(k.hash, '') AS hash, r.verdict, r.rung, r.oracle, r.oracle_version,
    r.digest, r.scaled_f64, outcome(r.verdict, r.expected) AS outcome
FROM base b JOIN plan p ON p.run_id = b.base_id JOIN device d USING (device_id)
    LEFT JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
        AND r.attempt = (SELECT max(attempt) FROM result s WHERE s.run_id = p.run_id AND s.seq = p.seq)
    LEFT JOIN kernel k USING (kernel_id);
CREATE INDEX before_by_cell ON before (run_id, case_id, device_key, backend, asked);
CREATE TEMP TABLE change AS
SELECT f.seq, f.run_id, f.label, f.line, f.case_id, f.kernel, f.outcome, f.verdict, f.digest, f.reason, f.repro, f.mode,
    b.kernel AS old_kernel, b.verdict AS old_verdict, b.outcome AS old_outcome, b.digest AS old_digest,
    b.verdict IS NOT f.verdict AS by_verdict,
    b.digest <> f.digest AND b.digest <> '' AND f.digest <> '' AS by_digest,
    f.hash AS hash, b.hash AS old_hash, f.hash <> b.hash AND f.hash <> '' AND b.hash <> '' AS by_hash,
    f.oracle, f.oracle_version, f.rung, b.oracle AS old_oracle, b.oracle_version AS old_version, b.rung AS old_rung,
    (f.oracle, f.oracle_version, f.rung) IS NOT (b.oracle, b.oracle_version, b.rung)
        AND f.verdict IS b.verdict AS by_oracle
FROM final f JOIN before b ON b.run_id = f.run_id AND b.case_id = f.case_id AND b.device_key = f.device_key
    AND b.backend = f.backend AND b.asked = f.asked;
CREATE TEMP TABLE appeared AS
SELECT f.seq, f.label, f.kernel, f.line, f.outcome FROM final f JOIN base USING (run_id)
WHERE NOT EXISTS (SELECT 1 FROM before b WHERE b.run_id = f.run_id AND b.case_id = f.case_id
    AND b.device_key = f.device_key AND b.backend = f.backend AND b.asked = f.asked);
CREATE INDEX final_by_cell ON final (run_id, case_id, device_key, backend, asked);
CREATE TEMP TABLE gone AS
SELECT b.run_id, b.backend, b.kernel, b.case_id, b.outcome FROM before b
WHERE NOT EXISTS (SELECT 1 FROM final f WHERE b.run_id = f.run_id AND b.case_id = f.case_id
    AND b.device_key = f.device_key AND b.backend = f.backend AND b.asked = f.asked);
-- Runs of a device by how much they prove, best first: on hardware, late.
CREATE TEMP TABLE candidate (place INTEGER PRIMARY KEY, run_id INTEGER, device_id INTEGER, backend TEXT);
INSERT INTO candidate (run_id, device_id, backend)
SELECT rd.run_id, rd.device_id, d.backend FROM run_device rd JOIN device d USING (device_id)
ORDER BY d.backend, d.software, rd.run_id DESC, rd.device_id;
CREATE INDEX candidate_by_backend ON candidate (backend, place);
-- A backend is validated by a run in which a device of it passed and none of its cases failed.
CREATE TEMP TABLE proof AS
WITH known (backend, place) AS (VALUES ('cpu', 1), ('vulkan', 2), ('cuda', 3)
        UNION SELECT DISTINCT backend, 4 FROM device WHERE backend NOT IN ('cpu', 'vulkan', 'cuda'))
SELECT k.backend, k.place, (SELECT c.place FROM candidate c WHERE c.backend = k.backend
    AND EXISTS (SELECT 1 FROM plan p JOIN result r USING (run_id, seq) WHERE p.run_id = c.run_id
        AND p.device_id = c.device_id AND outcome(r.verdict, r.expected) = 'passed')
    AND NOT EXISTS (SELECT 1 FROM plan p JOIN result r USING (run_id, seq) WHERE p.run_id = c.run_id
        AND p.device_id = c.device_id AND r.verdict NOT IN ('PASS', 'SKIP')
        AND outcome(r.verdict, r.expected) IN ('failed', 'errored')
        AND r.attempt = (SELECT max(attempt) FROM result s WHERE s.run_id = r.run_id AND s.seq = r.seq))
    AND NOT EXISTS (SELECT 1 FROM plan p JOIN result r USING (run_id, seq) WHERE p.run_id = c.run_id
        AND p.device_id = c.device_id AND r.verdict = 'PASS' AND r.expected IS NOT NULL
        AND outcome(r.verdict, r.expected) = 'failed')
    ORDER BY c.place LIMIT 1) AS best
FROM known k;
CREATE TEMP TABLE this (run_id INTEGER, device_id INTEGER, op TEXT);
INSERT INTO this VALUES (NULL, NULL, NULL);
-- Errors of a case on a device; kernels of exact mode have the same bits and are one.
CREATE TEMP TABLE item AS
SELECT op, fill, case_id, label, backend, mode, CASE mode WHEN 'exact' THEN '' ELSE kernel END AS kernel, count(*) AS results,
    max(CASE WHEN typeof(scaled_f64) = 'real' THEN scaled_f64 END) AS error,
    max(CASE WHEN typeof(rms_f64) = 'real' THEN rms_f64 END) AS rms,
    max(CASE WHEN typeof(bound_f64) = 'real' THEN bound_f64 END) AS share,
    total(scaled_f64 = 0) AS zero, total(typeof(scaled_f64) = 'text') AS odd
FROM final WHERE scaled_f64 IS NOT NULL AND outcome IN ('passed', 'failed') GROUP BY case_id, label, mode, 7;
-- Devices whose driver is another one than in the run before.
CREATE TEMP TABLE drivers AS
SELECT DISTINCT n.label, n.name, n.driver, od.driver AS old_driver
FROM base b JOIN named n ON n.run_id = b.run_id AND n.opened
    JOIN run_device o ON o.run_id = b.base_id AND o.opened JOIN device od ON od.device_id = o.device_id
WHERE od.key = n.device_key AND od.backend = n.backend AND od.driver <> n.driver;

-- query: title
SELECT CASE (SELECT count(*) FROM picked) WHEN 1
    THEN printf('# Assay report: run %d, %s, level %s', run_id, md(verb), md(level))
    ELSE printf('# Assay report: %s%d runs',
        (SELECT CASE WHEN min(label) = max(label) AND min(label) <> '' THEN md(min(label)) || ', ' ELSE '' END
            FROM run JOIN picked USING (run_id)),
        (SELECT count(*) FROM picked)) END AS line
FROM run JOIN picked USING (run_id) LIMIT 1;

-- query: verdict
-- The counts must account for every planned case.
WITH ended AS (
    SELECT run_id, started_utc, reason, CASE WHEN ended_utc IS NULL OR exit_code IS NULL THEN 4 ELSE exit_code END AS code,
        CASE WHEN ended_utc IS NULL OR exit_code IS NULL THEN 2 WHEN exit_code = 2 THEN 0 WHEN exit_code = 1 THEN 1
            WHEN exit_code = 3 THEN 3 ELSE 4 END AS place
    FROM run JOIN picked USING (run_id)),
    worst AS (SELECT * FROM ended ORDER BY place, started_utc, run_id LIMIT 1)
SELECT CASE WHEN code = 4 THEN '**UNFINISHED**: the run did not end; this is what it recorded.'
        ELSE printf('**%s** (exit %d): %s', CASE code WHEN 0 THEN 'PASSED' WHEN 1 THEN 'ERROR' WHEN 2 THEN 'FAILED'
            WHEN 3 THEN 'NOTHING JUDGED' ELSE 'UNKNOWN EXIT' END, code, md(coalesce(reason, 'no reason recorded'))) END
    || CASE WHEN (SELECT count(*) FROM ended) > 1 THEN printf(' (run %d, the worst of %s)', run_id,
        (SELECT count(*) FROM ended)) ELSE '' END AS line
FROM worst
UNION ALL
SELECT printf('%s elements compared with the definition of their operator, bit by bit, in %s judged cases on %s: %s differ.',
    n(total(judged)), n(count(*)), coalesce((SELECT group_concat(label, ', ') FROM
        (SELECT DISTINCT md(label) AS label FROM final WHERE outcome IN ('passed', 'failed') ORDER BY label)), 'no device'),
    n(total(differing)))
FROM final WHERE outcome IN ('passed', 'failed') HAVING (SELECT count(*) FROM final) > 0
UNION ALL
SELECT printf('%s planned = %s passed + %s failed + %s skipped + %s not judged + %s errored + %s not run%s.',
    n(planned), n(passed), n(failed), n(skipped), n(unjudged), n(errored), n(not_run),
    CASE WHEN planned = passed + failed + skipped + unjudged + errored + not_run THEN '' ELSE
        ': **these do not add up, the record is damaged**' END)
FROM (SELECT (SELECT total(coalesce(planned, (SELECT count(*) FROM plan p WHERE p.run_id = r.run_id)))
            FROM run r JOIN picked USING (run_id) WHERE verb <> 'bench') AS planned,
    count(*) FILTER (WHERE outcome = 'passed') AS passed, count(*) FILTER (WHERE outcome = 'failed') AS failed,
    count(*) FILTER (WHERE outcome = 'skipped') AS skipped, count(*) FILTER (WHERE outcome = 'not judged') AS unjudged,
    count(*) FILTER (WHERE outcome = 'errored') AS errored, count(*) FILTER (WHERE outcome = 'not run') AS not_run
    FROM final) WHERE planned > 0 OR (SELECT count(*) FROM final) > 0
UNION ALL
SELECT printf('%s timings: %s.', n(sum(count)), group_concat(n(count) || ' ' || verdict, ', '))
FROM (SELECT verdict, count(*) AS count FROM bench JOIN picked USING (run_id) GROUP BY verdict ORDER BY verdict)
HAVING count(*) > 0;

-- query: cards
WITH count AS (
    SELECT device_id, count(*) FILTER (WHERE outcome IN ('passed', 'failed')) AS judged,
        count(*) FILTER (WHERE outcome = 'failed') AS failed, count(*) FILTER (WHERE outcome = 'errored') AS errored,
        count(*) FILTER (WHERE outcome NOT IN ('passed', 'failed', 'errored')) AS rest
    FROM final GROUP BY device_id),
    card AS (
    SELECT label, device_id, backend, name, driver, software, max(opened) AS opened, max(why) AS why,
        coalesce(judged, 0) AS judged, coalesce(failed, 0) AS failed, coalesce(errored, 0) AS errored, coalesce(rest, 0) AS rest,
        (SELECT max(trust_id) FROM trust u WHERE u.device_id = n.device_id AND u.run_id IN (SELECT run_id FROM picked)) AS trust_id
    FROM named n LEFT JOIN count USING (device_id) GROUP BY label, device_id)
SELECT md(x.label) AS device, rtrim(md(x.name) || ' ' || md(x.driver)) AS name,
    CASE WHEN NOT x.opened THEN 'not opened: ' || md(x.why)
        WHEN x.failed > 0 THEN '**no: it failed**' || coalesce(', record ' || t.state, '')
        WHEN t.state = 'withdrawn' THEN '**no, record withdrawn**: ' || md(t.reason)
        WHEN x.software OR x.backend = 'cpu' THEN CASE WHEN x.judged > 0 THEN 'all judged bits are right; ' ELSE '' END
            || CASE x.backend WHEN 'cpu' THEN 'the CPU earns no record' ELSE 'software earns no record' END
        WHEN t.state = 'granted' THEN '**yes: record granted**'
        WHEN x.judged = 0 THEN 'nothing was judged'
        ELSE 'all judged bits are right; only a verify of the whole level grants a record' END AS "trusted",
    n(x.judged) AS "judged>", n(x.failed) AS "failed>", n(x.errored) AS "errors>", n(x.rest) AS "not judged>"
FROM card x LEFT JOIN trust t USING (trust_id)
ORDER BY x.label;

-- query: answers
SELECT '**What failed:** ' || coalesce(group_concat(n(count) || ' ' || verdict || what, ', ') || ', see [below](#what-failed).',
    CASE WHEN EXISTS (SELECT 1 FROM final WHERE mode = 'exact' AND outcome = 'passed')
        THEN 'nothing; every exact case has one bit pattern, equal on all devices that gave one.' ELSE 'nothing.' END) AS line
FROM (SELECT 1 AS place, verdict, '' AS what, count(*) AS count FROM final WHERE outcome IN ('failed', 'errored') GROUP BY verdict
    UNION ALL
    SELECT 2, verdict, ' of timings', count(*) FROM bench JOIN picked USING (run_id)
    WHERE verdict IN ('DIFF', 'NONDET', 'ERROR') GROUP BY verdict ORDER BY place, count DESC, verdict)
UNION ALL
SELECT '**What changed:** ' || CASE (SELECT count(*) FROM base)
    WHEN 0 THEN CASE WHEN EXISTS (SELECT 1 FROM run JOIN picked USING (run_id) WHERE verb <> 'bench')
        THEN 'there is no earlier run of this verb, level and engine on these devices.'
        ELSE '`assay compare` compares benches, `assay history` shows their times over the runs.' END
    ELSE printf('since run %s: %s verdicts, %s digests, %s kernels, %s drivers, %s judged by another oracle; %s cases appeared, %s are gone%s.',
        (SELECT group_concat(DISTINCT base_id) FROM base),
        (SELECT n(total(by_verdict)) FROM change), (SELECT n(total(by_digest)) FROM change),
        (SELECT n(count(DISTINCT label || ' ' || kernel)) FROM change WHERE by_hash),
        (SELECT n(count(*)) FROM drivers),
        (SELECT n(total(by_oracle)) FROM change), (SELECT n(count(*)) FROM appeared), (SELECT n(count(*)) FROM gone),
        CASE WHEN (SELECT total(by_verdict) + total(by_digest) FROM change) > 0
            THEN ', see [below](#what-changed)' ELSE '' END) END
UNION ALL
SELECT '**What was not validated:** ' || coalesce((SELECT group_concat(md(backend), ', ') || ' (no run in this database passed on it); '
        FROM (SELECT backend FROM proof WHERE best IS NULL ORDER BY place, backend)), '')
    || printf('%s skipped, %s without a verdict, %s left out by the level''s work cap, %s planned and not run.',
        n(count(*) FILTER (WHERE outcome = 'skipped')), n(count(*) FILTER (WHERE outcome = 'not judged')),
        (SELECT n(count(*)) FROM capped JOIN picked USING (run_id)), n(count(*) FILTER (WHERE outcome = 'not run')))
FROM final
UNION ALL
SELECT printf('**Known failures:** %s of %s that are declared came, [explained below](#known-failures).',
    n(count(*) FILTER (WHERE verdict IS expected)), n(count(*)))
FROM final WHERE expected IS NOT NULL AND expected <> 'PASS' HAVING count(*) > 0
UNION ALL
SELECT printf('**Mutation score:** %s of %s planted faults were seen.', n(sum(caught)), n(count(*)))
FROM mutant JOIN picked USING (run_id) HAVING count(*) > 0
UNION ALL
SELECT printf('Results of a second or later attempt: %s.', n(count(*))) FROM final WHERE attempt > 1
HAVING count(*) > 0;

-- query: runs
SELECT run_id AS "run>", md(verb) AS verb, md(level) AS level, md(shard) AS shard, md(host) AS host,
    coalesce(exit_code || ': ' || md(reason), 'did not end') AS exit, md(started_utc) AS started,
    coalesce(dur((julianday(ended_utc) - julianday(started_utc)) * 86400e9), '-') AS "took>"
FROM run JOIN picked USING (run_id) WHERE (SELECT count(*) FROM picked) > 1 ORDER BY started_utc, run_id;

-- query: failures
SELECT printf('%-10s %s', verdict, flat(line)) || char(10)
    || CASE WHEN expected IS NOT NULL THEN printf('  expected %s', expected) || char(10) ELSE '' END
    || rtrim(printf('  kernel   %s %s   %s %s %s', flat(label), rtrim(flat(d.name) || ' ' || flat(d.driver)),
        flat(kernel), flat(hash), flat(variant))) || char(10)
    || CASE WHEN oracle <> '' THEN printf('  oracle   %s v%d      %s of %s elements differ%s', flat(oracle), oracle_version,
        n(differing), n(elems), CASE WHEN first_index <> '' THEN ', first at ' || flat(first_index) ELSE '' END) || char(10)
        ELSE '' END
    || CASE WHEN got <> '' THEN printf('  got      %s  %s', flat(got), CASE dtype WHEN 'f32' THEN f32hex(got) ELSE '' END)
        || char(10) ELSE '' END
    || CASE WHEN want <> '' THEN printf('  want     %s  %s   %s ulp at most   xor %s', flat(want),
        CASE dtype WHEN 'f32' THEN f32hex(want) ELSE '' END, num(max_ulp), xorhex(got, want)) || char(10) ELSE '' END
    || CASE WHEN reason NOT IN ('', differing || ' of ' || elems || ' elements differ') THEN '  reason   ' || flat(reason) || char(10) ELSE '' END
    || printf('  case     %s (%s)', CASE why WHEN '' THEN 'no comment' ELSE flat(why) END, flat(source)) || char(10)
    || CASE WHEN repro <> '' THEN '  repro    ' || flat(repro) || char(10) ELSE '' END AS block
FROM final f JOIN device d USING (device_id)
WHERE outcome IN ('failed', 'errored') ORDER BY outcome = 'errored', seq LIMIT 25;

-- query: more_failures
SELECT verdict, code(line) AS "case", md(label) AS device, md(kernel) AS kernel, n(differing) AS "differing>",
    md(reason) AS reason, code(repro) AS repro
FROM final WHERE outcome IN ('failed', 'errored') ORDER BY outcome = 'errored', seq LIMIT -1 OFFSET 25;

-- query: failed_by
SELECT md(label) AS device, md(kernel) AS kernel, verdict, md(fill) AS fill, n(count(*)) AS "cases>",
    n(total(differing)) AS "differing elements>"
FROM final WHERE outcome IN ('failed', 'errored')
GROUP BY label, kernel, verdict, fill ORDER BY count(*) DESC, label, kernel, verdict, fill;

-- query: changed_by
-- Worse first: what passed and does so no more.
SELECT CASE WHEN old_outcome = 'passed' AND outcome <> 'passed' THEN '**worse**'
        WHEN outcome = 'passed' AND old_outcome <> 'passed' THEN 'better' ELSE 'other' END AS verdict,
    coalesce(old_verdict, 'not run') || ' to ' || coalesce(verdict, 'not run') AS change, md(label) AS device,
    md(kernel) AS kernel, n(count(*)) AS "cases>", code(min(line)) AS example, md(max(reason)) AS reason
FROM change WHERE by_verdict GROUP BY 1, 2, label, kernel ORDER BY 1, count(*) DESC, label, kernel;

-- query: changed_digests
SELECT code(line) AS "case", md(label) AS device, md(kernel) AS kernel, code(old_digest) AS before, code(digest) AS now,
    CASE WHEN mode = 'exact' THEN '**an exact case has one digest: one of the two is wrong**' ELSE '' END AS " "
FROM change WHERE by_digest ORDER BY mode <> 'exact', seq LIMIT 200;

-- query: changed_kernels
SELECT md(label) AS device, md(kernel) AS kernel, n(count(*)) AS "cases>",
    CASE count(DISTINCT old_hash) WHEN 1 THEN code(min(old_hash)) ELSE n(count(DISTINCT old_hash)) || ' builds' END AS before,
    CASE count(DISTINCT hash) WHEN 1 THEN code(min(hash)) ELSE n(count(DISTINCT hash)) || ' builds' END AS now
FROM change WHERE by_hash GROUP BY label, kernel ORDER BY label, kernel;

-- query: changed_drivers
SELECT md(label) AS device, md(name) AS name, md(old_driver) AS "driver before", md(driver) AS "driver now" FROM drivers
ORDER BY label;

-- query: changed_oracles
SELECT md(old_oracle) || ' v' || old_version AS before, md(oracle) || ' v' || oracle_version AS now,
    old_rung AS "rung before", rung AS "rung now", n(count(*)) AS "cases>", code(min(line)) AS example
FROM change WHERE by_oracle GROUP BY old_oracle, old_version, oracle, oracle_version, old_rung, rung
ORDER BY count(*) DESC, 1, 2;

-- query: changed_cases
SELECT what, device, kernel, n(count) AS "cases>", code(line) AS example FROM (
    SELECT 1 AS place, 'appeared' AS what, md(label) AS device, md(kernel) AS kernel, count(*) AS count, min(line) AS line
    FROM appeared GROUP BY label, kernel
    UNION ALL
    SELECT 2, 'gone', md(backend), md(kernel), count(*), min(line)
    FROM gone JOIN op_case USING (case_id) GROUP BY backend, kernel)
ORDER BY place, device, kernel;

-- query: base_runs
SELECT printf('Compared with run %d of %s, `%s` at revision %s%s.', p.run_id, md(p.started_utc),
    substr(p.key, 1, 8), code(p.revision),
    CASE WHEN p.command <> r.command THEN ', whose command was ' || code(p.command) ELSE '' END) AS line
FROM base b JOIN run p ON p.run_id = b.base_id JOIN run r ON r.run_id = b.run_id ORDER BY b.run_id;

-- query: known_failures
SELECT code(line) AS "case", expected AS declared, CASE WHEN verdict IS expected THEN verdict ELSE '**' || coalesce(verdict, 'not run') || '**' END AS came,
    n(count(DISTINCT label)) AS "devices>", n(count(DISTINCT kernel)) AS "kernels>",
    worst(scaled_f64) AS "scaled error>", worst(bound_f64) AS "of proven bound>",
    CASE why WHEN '' THEN '**no reason stands with the case**' ELSE md(why) END AS explanation, md(max(reason)) AS "what came"
FROM final WHERE expected IS NOT NULL AND expected <> 'PASS'
GROUP BY line, expected, verdict, why ORDER BY verdict IS expected, min(seq);

-- query: mutants
SELECT CASE caught WHEN 1 THEN 'seen' ELSE '**not seen**' END AS " ", md(name) AS "planted fault", md(verdict) AS verdict,
    md(detail) AS detail
FROM mutant JOIN picked USING (run_id) ORDER BY caught, name;

-- query: families
SELECT op, CASE op WHEN '' THEN 'Published tensors' ELSE md(op) END AS title FROM final GROUP BY op ORDER BY op;

-- query: errors
-- Row R03. An item is a case; its error is the largest of the kernels of one mode on one device.
WITH i AS (
    SELECT case_id, label, backend, mode, max(error) AS error FROM item
    WHERE op = (SELECT op FROM this) AND error IS NOT NULL AND mode <> '' GROUP BY case_id, label, mode),
    c AS (SELECT case_id, min(error) AS error FROM i WHERE backend = 'cpu' AND mode = 'exact' GROUP BY case_id)
SELECT md(i.label) AS device, md(i.mode) AS mode, n(count(*)) AS "items>", num(avg(i.error)) AS "mean>",
    num(median(i.error)) AS "median>", num(min(i.error)) AS "least>", num(max(i.error)) AS "largest>",
    CASE WHEN i.backend = 'cpu' AND i.mode = 'exact' THEN '-' ELSE n(count(*) FILTER (WHERE i.error < c.error)) END AS "smaller than CPU exact>",
    CASE WHEN i.backend = 'cpu' AND i.mode = 'exact' THEN '-' ELSE n(count(*) FILTER (WHERE i.error = c.error)) END AS "equal>",
    CASE WHEN i.backend = 'cpu' AND i.mode = 'exact' THEN '-' ELSE n(count(*) FILTER (WHERE i.error > c.error)) END AS "larger>"
FROM i LEFT JOIN c USING (case_id)
GROUP BY i.label, i.backend, i.mode ORDER BY i.backend <> 'cpu', i.label, i.mode;

-- query: worst_cases
-- Those nearest to the proven bound; kernels with the same bits are one.
SELECT code(line) AS "case", md(min(fill)) AS fill, num(bound_f64) AS "of proven bound>", num(scaled_f64) AS "scaled error>",
    num(rms_f64) AS "rms>", num(ulp_f64) AS "ulp>", n(count(*)) AS "kernels>",
    code('assay replay ' || shell(line) || ' --device ' || shell(min(label)) || ' --kernel ' || shell(min(kernel))) AS "to see it again"
FROM (SELECT * FROM final WHERE op = (SELECT op FROM this) AND +outcome = 'passed' AND typeof(bound_f64) = 'real'
    ORDER BY bound_f64 DESC, seq LIMIT 500)
GROUP BY case_id, digest, bound_f64 ORDER BY bound_f64 DESC, min(seq) LIMIT 5;

-- query: each_run
SELECT run_id, CASE (SELECT count(*) FROM picked) WHEN 1 THEN '' ELSE printf('Run %d', run_id) END AS title
FROM picked JOIN run USING (run_id) ORDER BY started_utc, run_id;

-- query: command
SELECT command AS block FROM run WHERE run_id = (SELECT run_id FROM this);

-- query: run
WITH r AS (SELECT * FROM run WHERE run_id = (SELECT run_id FROM this))
SELECT 'started' AS "", md(started_utc) AS " " FROM r
UNION ALL SELECT 'ended', coalesce(md(ended_utc) || ', after '
    || dur((julianday(ended_utc) - julianday(started_utc)) * 86400e9), 'not yet') FROM r
UNION ALL SELECT 'host', md(host) FROM r
UNION ALL SELECT 'engine', md(engine) || ' ' || md(engine_version) FROM r
UNION ALL SELECT 'git revision', code(revision) FROM r
UNION ALL SELECT 'compiler', md(compiler) FROM r
UNION ALL SELECT 'flags', code(flags) FROM r
UNION ALL SELECT 'mode', coalesce((SELECT group_concat(mode, ', ') FROM
    (SELECT DISTINCT md(mode) AS mode FROM final WHERE mode <> '' AND run_id = (SELECT run_id FROM this) ORDER BY mode)),
    'no kernel ran')
UNION ALL SELECT 'level', md(level) FROM r
UNION ALL SELECT 'corpus hash', code(corpus_hash) FROM r
UNION ALL SELECT 'run key', code(key) FROM r;

-- query: settings
SELECT md(j.key) AS setting, code(CASE WHEN j.type IN ('true', 'false') THEN j.type ELSE j.value END) AS value
FROM run r, json_each(CASE WHEN json_valid(r.settings) THEN r.settings ELSE '{}' END) j
WHERE r.run_id = (SELECT run_id FROM this) AND j.value IS NOT NULL AND j.value <> '' ORDER BY j.key;

-- query: devices
SELECT device_id AS id, printf('%s: %s', html(label), html(name)) AS title, max(run_id) AS run_id
FROM named WHERE opened GROUP BY device_id, label ORDER BY label, name;

-- query: passport
WITH d AS (SELECT d.*, rd.label, rd.variant, rd.variant_why,
    CASE WHEN json_valid(d.info) THEN d.info ELSE '{}' END AS i,
    CASE WHEN json_valid(rd.probe) THEN rd.probe ELSE '{}' END AS probed
    FROM device d JOIN run_device rd USING (device_id)
    WHERE rd.run_id = (SELECT run_id FROM this) AND d.device_id = (SELECT device_id FROM this))
SELECT 'backend' AS "", md(backend) AS " " FROM d
UNION ALL SELECT 'kind', md(kind) || CASE WHEN software THEN ', software: earns no trust' ELSE '' END FROM d
UNION ALL SELECT 'vendor', md(i ->> '$.vendor') FROM d WHERE i ->> '$.vendor' IS NOT NULL
UNION ALL SELECT 'driver', CASE driver WHEN '' THEN 'none' ELSE md(driver) END FROM d
UNION ALL SELECT 'API', md(api) FROM d WHERE api <> ''
UNION ALL SELECT 'UUID', coalesce(nullif(code(uuid), ''), 'none') FROM d
UNION ALL SELECT 'PCI address', coalesce(nullif(code(pci), ''), 'none') FROM d
UNION ALL SELECT 'compute units', n(i ->> '$.compute_units') FROM d WHERE i ->> '$.compute_units' > 0
UNION ALL SELECT 'device memory', bytes(i ->> '$.device_local_bytes') FROM d WHERE i ->> '$.device_local_bytes' > 0
UNION ALL SELECT 'fused multiply-add', '**' || md(variant) || '**: ' || md(CASE
    WHEN substr(variant_why, 1, length(variant) + 2) = variant || ': ' THEN substr(variant_why, length(variant) + 3)
    ELSE variant_why END) FROM d WHERE variant <> ''
UNION ALL SELECT 'float controls', coalesce((SELECT group_concat(md(value), ' ') FROM json_each(probed, '$.controls')),
    'none') FROM d WHERE json_type(probed, '$.controls') IN ('array', 'text')
UNION ALL SELECT 'kernels without this form', group_concat(md(k.value ->> '$.name'), ', ')
    FROM d, json_each(CASE json_type(probed, '$.kernels') WHEN 'array' THEN probed ELSE '{}' END, '$.kernels') k
    WHERE json_array_length(k.value, '$.variants') > 0
        AND coalesce(k.value ->> '$.present', 1)
        AND NOT EXISTS (SELECT 1 FROM json_each(k.value, '$.variants') f WHERE f.value = d.variant)
    HAVING count(*) > 0
UNION ALL SELECT 'limit: ' || md(replace(replace(j.key, '_bytes', ''), '_', ' ')),
    CASE WHEN j.key LIKE '%\_bytes' ESCAPE '\' THEN bytes(j.value)
        WHEN j.type = 'array' THEN md(replace(trim(j.value, '[]'), ',', ' x ')) ELSE n(j.value) END
FROM d, json_each(coalesce(i -> '$.limits', '{}')) j;

-- query: traits
SELECT md(name) AS trait, md(controls) AS controls,
    coalesce(max(CASE WHEN NOT literal THEN printf('%s of %s', n(wrong), n(tested)) END), '-') AS "wrong, loaded>",
    coalesce(max(CASE WHEN NOT literal THEN n(wrong_subnormal) END), '-') AS "of these subnormal>",
    coalesce(max(CASE WHEN literal THEN printf('%s of %s', n(wrong), n(tested)) END), '-') AS "wrong, literal>",
    coalesce(max(CASE WHEN literal THEN n(wrong_subnormal) END), '-') AS "of these subnormal >",
    code(coalesce(max(nullif(first, '')), '')) AS "first wrong: operands, got"
FROM trait WHERE run_id = (SELECT run_id FROM this) AND device_id = (SELECT device_id FROM this)
GROUP BY name, controls ORDER BY min(rowid);

-- query: not_opened
SELECT md(label) AS device, md(name) AS name, md(driver) AS driver, md(why) AS "why not"
FROM named WHERE NOT opened ORDER BY label, name;

-- query: kernels
-- A case on which nothing ran has no variant: it stands in the row of its kernel as loaded in this run, if there is one.
WITH form AS (SELECT label, kernel, max(variant) AS fma FROM final WHERE op = (SELECT op FROM this) GROUP BY label, kernel),
    known AS (SELECT f.*, CASE f.variant WHEN '' THEN form.fma ELSE f.variant END AS fma
    FROM final f JOIN form USING (label, kernel) WHERE op = (SELECT op FROM this))
SELECT md(f.label) AS device, md(f.kernel) AS kernel,
    CASE count(DISTINCT nullif(f.hash, '')) WHEN 0 THEN '-' WHEN 1 THEN code(max(f.hash))
        ELSE n(count(DISTINCT nullif(f.hash, ''))) || ' builds' END AS hash,
    CASE f.fma WHEN '' THEN '-' ELSE md(f.fma) END AS fma,
    n(count(*) FILTER (WHERE f.outcome IN ('passed', 'failed'))) AS "judged>",
    n(count(*) FILTER (WHERE f.outcome = 'passed')) AS "passed>",
    CASE WHEN count(*) FILTER (WHERE f.outcome = 'failed') THEN
        '**' || n(count(*) FILTER (WHERE f.outcome = 'failed')) || '**' ELSE '0' END AS "failed>",
    n(count(*) FILTER (WHERE f.outcome = 'skipped')) AS "skipped>",
    n(count(*) FILTER (WHERE f.outcome NOT IN ('passed', 'failed', 'skipped'))) AS "other>",
    worst(f.scaled_f64) AS "worst scaled error>", worst(f.ulp_f64) AS "worst ulp>",
    worst(f.bound_f64) AS "of proven bound>",
    dur(median(f.median_ns) FILTER (WHERE f.median_ns > 0)) AS "median time>",
    num(rate(nullif(f.flops, 0), f.median_ns)) AS "GFLOP/s, largest case>"
FROM known f GROUP BY f.label, f.kernel, f.fma ORDER BY f.label, f.kernel, f.fma;

-- query: builds
-- A kernel is built again for other tile sizes and limits: each build has a hash of its own.
SELECT md(label) AS device, md(kernel) AS kernel, md(variant) AS fma, code(hash) AS hash, n(count(*)) AS "cases>",
    n(count(*) FILTER (WHERE outcome = 'failed')) AS "failed>"
FROM final WHERE hash <> '' GROUP BY label, kernel, variant, hash ORDER BY label, kernel, variant, hash;

-- query: fills
SELECT md(label) AS device, CASE fill WHEN '' THEN 'published tensors' ELSE md(fill) END AS fill,
    n(count(*)) AS "cases>", n(count(*) FILTER (WHERE outcome IN ('passed', 'failed'))) AS "judged>",
    n(count(*) FILTER (WHERE outcome = 'passed')) AS "passed>",
    n(count(*) FILTER (WHERE outcome = 'failed')) AS "failed>", n(total(judged)) AS "elements judged>",
    n(total(differing)) AS "differing>", worst(scaled_f64) AS "worst scaled error>",
    worst(ulp_f64) AS "worst ulp>"
FROM final GROUP BY label, fill ORDER BY label, fill;

-- query: rungs
-- An oracle is independent of the kernels and definitions of this project, or it is the project's own (self).
SELECT md(label) AS device, rung, md(oracle) || ' v' || oracle_version AS oracle,
    coalesce((SELECT md(j.value) FROM run r, json_each(CASE WHEN json_valid(r.settings) THEN r.settings ELSE '{}' END,
            '$.oracles') j
        WHERE r.run_id IN (SELECT run_id FROM picked) AND j.key = oracle), 'not recorded') AS "independent or self",
    n(count(*)) AS "cases>"
FROM final WHERE outcome = 'passed' AND rung <> ''
GROUP BY label, rung, oracle, oracle_version ORDER BY label, rung, oracle, oracle_version;

-- query: wrong_times
SELECT b.verdict, code(c.line) AS "case", md(n.label) AS device, md(k.name) AS kernel, b.lane AS lane,
    n(count(*)) AS "processes>", md(max(b.reason)) AS reason
FROM bench b JOIN picked USING (run_id) JOIN named n USING (run_id, device_id) JOIN op_case c USING (case_id)
    JOIN kernel k USING (kernel_id)
WHERE b.verdict IN ('DIFF', 'NONDET', 'ERROR') GROUP BY b.verdict, c.line, n.label, k.name, b.lane
ORDER BY b.verdict, c.line, n.label, k.name, b.lane;

-- query: digests
-- Exact mode has one right bit pattern: a case with two digests is a fault of a device or of this program.
SELECT code(f.line) AS "case", n(count(DISTINCT f.digest)) AS "bit patterns>",
    (SELECT group_concat(label, ', ') FROM (SELECT DISTINCT md(g.label) AS label FROM final g
        WHERE g.case_id = f.case_id AND g.mode = 'exact' AND g.digest <> '' ORDER BY label)) AS devices
FROM final f WHERE mode = 'exact' AND digest <> '' AND outcome IN ('passed', 'failed')
GROUP BY f.case_id HAVING count(DISTINCT f.digest) > 1 ORDER BY f.line;

-- query: published
SELECT code(line) AS "case", md(label) AS device, md(kernel) AS kernel, verdict AS "against the contract",
    n(elems) AS "elements>", n(published_differing) AS "differ from published>",
    num(published_scaled) AS "scaled difference>"
FROM final WHERE published_differing IS NOT NULL ORDER BY line, label, kernel;

-- query: reference_limited
SELECT code(line) AS "case", md(label) AS device, md(kernel) AS kernel, num(scaled_f64) AS "scaled error>",
    num(bound_f64) AS "of proven bound>", md(reason) AS reason
FROM final WHERE verdict = 'REFLIMITED' ORDER BY seq;

-- query: unjudged
SELECT verdict, code(line) AS "case", md(label) AS device, md(kernel) AS kernel, md(reason) AS reason
FROM final WHERE outcome = 'not judged' ORDER BY verdict, seq;

-- query: skip_reasons
-- Reasons that differ in their numbers alone are one; the numbers shown are those of the first.
SELECT md(label) AS device, md(kernel) AS kernel, md(reason) AS reason, n(count(*)) AS "cases>", code(line) AS example
FROM final WHERE outcome = 'skipped' GROUP BY label, kernel, pattern(reason)
ORDER BY label, kernel, count(*) DESC, min(seq);

-- query: skips
SELECT code(line) AS "case", md(label) AS device, md(kernel) AS kernel, md(reason) AS reason
FROM final WHERE outcome = 'skipped' ORDER BY seq LIMIT 1000;

-- query: capped
SELECT md(coalesce(n.label, d.backend)) AS device, code(c.line) AS "case", md(x.reason) AS reason
FROM capped x JOIN picked USING (run_id) JOIN op_case c USING (case_id) JOIN device d USING (device_id)
    LEFT JOIN named n ON n.run_id = x.run_id AND n.device_id = x.device_id
ORDER BY 1, c.line;

-- query: coverage
SELECT md(n.label) AS device, md(what) AS what, md(unit) AS unit, n(c.total) AS "total>", n(covered) AS "covered>",
    CASE WHEN total > 0 THEN printf('%.1f %%', 100.0 * covered / total) ELSE '' END AS "share>",
    n(failed) AS "failed>",
    CASE WHEN json_extract(info, '$.bytes_per_s') > 0 THEN printf('%.1f', json_extract(info, '$.bytes_per_s') / 1e9)
        ELSE '' END AS "GB/s>",
    md(coalesce(json_extract(info, '$.first[0]'), json_extract(info, '$.not_judged[0]'),
        json_extract(info, '$.less[0]'), '')) AS "first place or reason"
FROM (SELECT *, CASE WHEN json_valid(detail) THEN detail ELSE '{}' END AS info FROM coverage) c JOIN named n USING (run_id, device_id)
ORDER BY n.label, CASE what WHEN 'units' THEN 1 WHEN 'memory' THEN 2 WHEN 'upload' THEN 3 ELSE 4 END;

-- query: not_run
SELECT code(line) AS "case", md(label) AS device, md(kernel) AS kernel
FROM final WHERE outcome = 'not run' ORDER BY seq;

-- query: backends
-- Row R07: a backend is validated by a run of this database in which a device of it passed and none of it failed.
SELECT md(k.backend) AS backend,
    CASE WHEN c.run_id IS NULL THEN '**unvalidated**: no run in this database passed on it'
        WHEN d.software THEN 'on a software device only' ELSE 'validated' END AS state,
    CASE WHEN c.run_id IS NULL THEN '' ELSE printf('run %d, %s cases passed', c.run_id,
        (SELECT n(count(*)) FROM plan p JOIN result r USING (run_id, seq) WHERE p.run_id = c.run_id
            AND p.device_id = c.device_id AND outcome(r.verdict, r.expected) = 'passed'
            AND r.attempt = (SELECT max(attempt) FROM result s WHERE s.run_id = r.run_id AND s.seq = r.seq))) END AS run,
    CASE WHEN c.run_id IS NULL THEN '' ELSE rtrim(md(d.name) || ' ' || md(d.driver)) END AS device,
    coalesce(md(run.host), '') AS host, coalesce(md(run.started_utc), '') AS started
FROM proof k LEFT JOIN candidate c ON c.place = k.best LEFT JOIN device d USING (device_id)
    LEFT JOIN run ON run.run_id = c.run_id
ORDER BY k.place, k.backend;
