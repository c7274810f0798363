-- What a report shows: named queries over the tables of harness/schema.sql. report.c says in which order they come.
--
-- A line '-- query: NAME' opens a query. Column names are the headings of a table; one that ends in '>' is set to the
-- right. Everything that others named goes through md() or code(). The run is (SELECT run_id FROM this).

-- query: prepare
-- One row a planned case with its last attempt and what came of it. An expected failure that came counts as passed,
-- one that did not come as failed (the verdict's table in docs/cli.md).
CREATE TEMP TABLE final AS
SELECT p.seq, p.device_id, coalesce(rd.label, d.backend) AS label, d.backend, p.why, p.source,
    c.line, c.op, c.dtype, c.fill, c.flops,
    coalesce(k.name, p.kernel) AS kernel, coalesce(k.hash, '') AS hash, coalesce(k.variant, '') AS variant,
    coalesce(k.mode, '') AS mode,
    r.result_id, r.attempt, r.verdict, r.expected, r.rung, r.oracle, r.oracle_version, r.elems, r.judged, r.differing,
    r.first_index, r.got, r.want, r.max_ulp, r.scaled_f64, r.rms_f64, r.ulp_f64, r.bound_f64, r.published_differing,
    r.published_scaled, r.digest, r.median_ns, r.wall_ns, r.reason, r.repro,
    CASE
        WHEN r.verdict IS NULL THEN 'not run'
        WHEN r.verdict = r.expected AND r.verdict NOT IN ('SKIP', 'DEADREF', 'UNPROVEN', 'ERROR') THEN 'passed'
        WHEN r.verdict IN ('PASS', 'REFLIMITED') AND coalesce(r.expected, 'PASS') NOT IN ('PASS', 'REFLIMITED')
            THEN 'failed'
        WHEN r.verdict IN ('PASS', 'REFLIMITED') THEN 'passed'
        WHEN r.verdict = 'ERROR' AND r.expected IS NOT 'ERROR' THEN 'errored'
        WHEN r.verdict = 'SKIP' THEN 'skipped'
        WHEN r.verdict IN ('DEADREF', 'UNPROVEN', 'ERROR') THEN 'not judged'
        ELSE 'failed'
    END AS outcome
FROM plan p
    JOIN op_case c USING (case_id)
    JOIN device d USING (device_id)
    LEFT JOIN run_device rd ON rd.run_id = p.run_id AND rd.device_id = p.device_id
    LEFT JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
        AND r.attempt = (SELECT max(attempt) FROM result s WHERE s.run_id = p.run_id AND s.seq = p.seq)
    LEFT JOIN kernel k USING (kernel_id)
WHERE p.run_id = (SELECT run_id FROM this);
CREATE INDEX final_by_kernel ON final (label, kernel, hash, variant);

-- query: title
SELECT printf('# Assay report: run %d, %s, level %s', run_id, md(verb), md(level)) AS line
FROM run WHERE run_id = (SELECT run_id FROM this);

-- query: verdict
SELECT CASE
        WHEN ended_utc IS NULL OR exit_code IS NULL THEN '**UNFINISHED**: the run did not end; this is what it recorded.'
        ELSE printf('**%s** (exit %d): %s', CASE exit_code WHEN 0 THEN 'PASSED' WHEN 1 THEN 'ERROR' WHEN 2 THEN 'FAILED'
            WHEN 3 THEN 'NOTHING JUDGED' ELSE 'UNKNOWN EXIT' END, exit_code, md(coalesce(reason, 'no reason recorded')))
    END AS line
FROM run WHERE run_id = (SELECT run_id FROM this)
UNION ALL
SELECT printf('%s elements compared with the definition of their operator, bit by bit, in %s judged cases on %s: %s differ.',
    n(total(judged)), n(count(*)), coalesce((SELECT group_concat(label, ', ') FROM
        (SELECT DISTINCT md(label) AS label FROM final WHERE outcome IN ('passed', 'failed') ORDER BY label)), 'no device'),
    n(total(differing)))
FROM final WHERE outcome IN ('passed', 'failed')
UNION ALL
-- The counts must account for every planned case.
SELECT printf('%s planned = %s passed + %s failed + %s skipped + %s not judged + %s errored + %s not run%s.',
    n(planned), n(passed), n(failed), n(skipped), n(unjudged), n(errored), n(not_run),
    CASE WHEN planned = passed + failed + skipped + unjudged + errored + not_run THEN '' ELSE
        ': **these do not add up, the record is damaged**' END)
FROM (SELECT coalesce((SELECT planned FROM run WHERE run_id = (SELECT run_id FROM this)), count(*)) AS planned,
    count(*) FILTER (WHERE outcome = 'passed') AS passed, count(*) FILTER (WHERE outcome = 'failed') AS failed,
    count(*) FILTER (WHERE outcome = 'skipped') AS skipped, count(*) FILTER (WHERE outcome = 'not judged') AS unjudged,
    count(*) FILTER (WHERE outcome = 'errored') AS errored, count(*) FILTER (WHERE outcome = 'not run') AS not_run
    FROM final)
UNION ALL
SELECT printf('Left out by the level''s work cap, listed below and no part of the plan: %s.', n(count(*)))
FROM capped WHERE run_id = (SELECT run_id FROM this) HAVING count(*) > 0
UNION ALL
SELECT printf('Results of a second or later attempt: %s.', n(count(*))) FROM final WHERE attempt > 1
HAVING count(*) > 0
UNION ALL
SELECT 'Software devices and the CPU are judged for comparison and earn no trust: '
    || group_concat(md(rd.label) || ' (' || md(d.name) || ')', ', ') || '.'
FROM run_device rd JOIN device d USING (device_id)
WHERE rd.run_id = (SELECT run_id FROM this) AND rd.opened AND (d.software OR d.backend = 'cpu') HAVING count(*) > 0;

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
    (SELECT DISTINCT md(mode) AS mode FROM final WHERE mode <> '' ORDER BY mode)), 'no kernel ran')
UNION ALL SELECT 'level', md(level) FROM r
UNION ALL SELECT 'corpus hash', code(corpus_hash) FROM r
UNION ALL SELECT 'run key', code(key) FROM r;

-- query: settings
SELECT md(j.key) AS setting, code(CASE WHEN j.type IN ('true', 'false') THEN j.type ELSE j.value END) AS value
FROM run r, json_each(CASE WHEN json_valid(r.settings) THEN r.settings ELSE '{}' END) j
WHERE r.run_id = (SELECT run_id FROM this) AND j.value IS NOT NULL AND j.value <> '' ORDER BY j.key;

-- query: devices
SELECT rd.device_id AS id, printf('%s: %s', md(rd.label), md(d.name)) AS title
FROM run_device rd JOIN device d USING (device_id)
WHERE rd.run_id = (SELECT run_id FROM this) AND rd.opened ORDER BY rd.label, d.name;

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
SELECT md(rd.label) AS device, md(d.name) AS name, md(d.driver) AS driver, md(rd.why) AS "why not"
FROM run_device rd JOIN device d USING (device_id)
WHERE rd.run_id = (SELECT run_id FROM this) AND NOT rd.opened ORDER BY rd.label, d.name;

-- query: kernels
-- A case on which nothing ran has no variant: it stands in the row of its kernel as loaded in this run, if there is one.
WITH known AS (
    SELECT *, CASE variant WHEN '' THEN max(variant) OVER (PARTITION BY label, kernel) ELSE variant END AS fma
    FROM final),
    timed AS (
    SELECT label, kernel, fma, median_ns, flops,
        row_number() OVER (PARTITION BY label, kernel, fma ORDER BY median_ns) AS place,
        row_number() OVER (PARTITION BY label, kernel, fma ORDER BY flops DESC, median_ns) AS size_place,
        count(*) OVER (PARTITION BY label, kernel, fma) AS total
    FROM known WHERE median_ns > 0)
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
    dur((SELECT avg(t.median_ns) FROM timed t WHERE t.label = f.label AND t.kernel = f.kernel AND t.fma = f.fma
        AND t.place IN ((t.total + 1) / 2, (t.total + 2) / 2))) AS "median time>",
    num((SELECT nullif(t.flops, 0) / t.median_ns FROM timed t WHERE t.label = f.label AND t.kernel = f.kernel
        AND t.fma = f.fma AND t.size_place = 1)) AS "GFLOP/s, largest case>"
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
        WHERE r.run_id = (SELECT run_id FROM this) AND j.key = oracle), 'not recorded') AS "independent or self",
    n(count(*)) AS "cases>"
FROM final WHERE outcome = 'passed' AND rung <> ''
GROUP BY label, rung, oracle, oracle_version ORDER BY label, rung, oracle, oracle_version;

-- query: digests
-- Exact mode has one right bit pattern: a case with two digests in this run is a fault of a device or of this program.
SELECT code(line) AS "case", n(count(DISTINCT digest)) AS "bit patterns>",
    replace(group_concat(DISTINCT md(label)), ',', ', ') AS devices
FROM final WHERE mode = 'exact' AND digest <> '' AND outcome IN ('passed', 'failed')
GROUP BY line HAVING count(DISTINCT digest) > 1 ORDER BY line;

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
FROM final WHERE outcome = 'skipped' ORDER BY seq;

-- query: capped
SELECT md(coalesce(rd.label, d.backend)) AS device, code(c.line) AS "case", md(x.reason) AS reason
FROM capped x JOIN op_case c USING (case_id) JOIN device d USING (device_id)
    LEFT JOIN run_device rd ON rd.run_id = x.run_id AND rd.device_id = x.device_id
WHERE x.run_id = (SELECT run_id FROM this) ORDER BY 1, c.line;

-- query: coverage
SELECT md(rd.label) AS device, md(what) AS what, md(unit) AS unit, n(total) AS "total>", n(covered) AS "covered>",
    CASE WHEN total > 0 THEN printf('%.1f %%', 100.0 * covered / total) ELSE '' END AS "share>",
    n(failed) AS "failed>",
    CASE WHEN json_extract(detail, '$.bytes_per_s') > 0 THEN printf('%.1f', json_extract(detail, '$.bytes_per_s') / 1e9)
        ELSE '' END AS "GB/s>",
    md(coalesce(json_extract(detail, '$.first[0]'), json_extract(detail, '$.not_judged[0]'),
        json_extract(detail, '$.less[0]'), '')) AS "first place or reason"
FROM coverage c JOIN run_device rd USING (run_id, device_id)
WHERE run_id = (SELECT run_id FROM this)
ORDER BY rd.label, CASE what WHEN 'units' THEN 1 WHEN 'memory' THEN 2 WHEN 'upload' THEN 3 ELSE 4 END;

-- query: not_run
SELECT code(line) AS "case", md(label) AS device, md(kernel) AS kernel
FROM final WHERE outcome = 'not run' ORDER BY seq;

-- query: backends
-- Row R07: a backend is validated by a run of this database in which a device of it passed and none of it failed.
WITH known (backend, place) AS (VALUES ('cpu', 1), ('vulkan', 2), ('cuda', 3)
        UNION SELECT DISTINCT backend, 4 FROM device WHERE backend NOT IN ('cpu', 'vulkan', 'cuda')),
    last AS (
    SELECT r.run_id, d.backend, d.device_id,
        CASE WHEN r.verdict = r.expected AND r.verdict NOT IN ('SKIP', 'DEADREF', 'UNPROVEN', 'ERROR') THEN 1
            WHEN r.verdict IN ('PASS', 'REFLIMITED') THEN coalesce(r.expected, 'PASS') IN ('PASS', 'REFLIMITED')
            ELSE 0 END AS passed,
        r.verdict IN ('DIFF', 'NONDET', 'GUARD', 'CRASH', 'HANG', 'ERROR') AND r.verdict IS NOT r.expected
            OR r.verdict IN ('PASS', 'REFLIMITED') AND coalesce(r.expected, 'PASS') NOT IN ('PASS', 'REFLIMITED')
            AS failed
    FROM result r JOIN plan p USING (run_id, seq) JOIN device d USING (device_id)
    WHERE r.attempt = (SELECT max(attempt) FROM result s WHERE s.run_id = r.run_id AND s.seq = r.seq)),
    good AS (
    SELECT run_id, backend, device_id, sum(passed) AS passed FROM last
    GROUP BY run_id, backend, device_id HAVING sum(passed) > 0 AND sum(failed) = 0),
    best AS ( -- the latest run on hardware, else the latest on software
    SELECT g.*, d.name, d.driver, d.software, run.started_utc, run.host,
        row_number() OVER (PARTITION BY g.backend ORDER BY d.software, g.run_id DESC, g.device_id) AS place
    FROM good g JOIN device d USING (device_id) JOIN run USING (run_id))
SELECT md(k.backend) AS backend,
    CASE WHEN b.run_id IS NULL THEN '**unvalidated**: no run in this database passed on it'
        WHEN b.software THEN 'on a software device only' ELSE 'validated' END AS state,
    CASE WHEN b.run_id IS NULL THEN '' ELSE printf('run %d, %s cases passed', b.run_id, n(b.passed)) END AS run,
    CASE WHEN b.run_id IS NULL THEN '' ELSE rtrim(md(b.name) || ' ' || md(b.driver)) END AS device,
    coalesce(md(b.host), '') AS host, coalesce(md(b.started_utc), '') AS started
FROM known k LEFT JOIN best b ON b.backend = k.backend AND b.place = 1
ORDER BY k.place, k.backend;
