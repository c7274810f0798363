-- What a comparison reads, and how it tells it. compare.c copies both sides (0 = base, 1 = head) into a database in
-- memory by the queries 'read_*', which run on the files, and their counterparts 'put_*'; all others run on the copy.
--
-- Column names are the headings of a table; one that ends in '>' is set to the right. Names that others chose go through
-- md(), code() or flat().

-- query: tables
CREATE TABLE side (side INTEGER, run_id INTEGER, key TEXT, started TEXT, verb TEXT, level TEXT, engine TEXT,
    revision TEXT, host TEXT, corpus TEXT, label TEXT, command TEXT, exit_code INTEGER);
CREATE TABLE device (side INTEGER, tag TEXT, name TEXT, backend TEXT, driver TEXT, label TEXT, dev INTEGER);
CREATE TABLE line (id INTEGER PRIMARY KEY, line TEXT NOT NULL UNIQUE);
CREATE TABLE cell (side INTEGER, id INTEGER, dev INTEGER, asked TEXT, kernel TEXT, hash TEXT, variant TEXT, driver TEXT,
    verdict TEXT, expected TEXT, outcome TEXT, rung TEXT, oracle TEXT, differing INTEGER, figures TEXT, digest TEXT,
    reason TEXT, repro TEXT, clash INTEGER DEFAULT 0, PRIMARY KEY (side, id, dev, asked)) WITHOUT ROWID;
CREATE TABLE time (side INTEGER, id INTEGER, dev INTEGER, kernel TEXT, lane TEXT, ns REAL, mhz REAL, hash TEXT,
    driver TEXT, usable INTEGER, why TEXT,
    fresh INTEGER);
CREATE TABLE noise (id INTEGER, dev INTEGER, kernel TEXT, lane TEXT, runs INTEGER, noise REAL,
    PRIMARY KEY (id, dev, kernel, lane)) WITHOUT ROWID;
CREATE TABLE event (kind TEXT, worse INTEGER, id INTEGER, dev INTEGER, kernel TEXT, was TEXT, now TEXT, repro TEXT);
CREATE TABLE timed (id INTEGER, dev INTEGER, kernel TEXT, lane TEXT, base_n INTEGER, head_n INTEGER, base_ns REAL,
    head_ns REAL, ratio REAL, low REAL, high REAL, p REAL, delta REAL, noise REAL, verdict TEXT, machine INTEGER,
    fresh INTEGER, why TEXT);

-- query: read_side
SELECT run_id, key, started_utc, verb, level, rtrim(engine || ' ' || engine_version), revision, host, corpus_hash, label,
    command, exit_code
FROM picked JOIN run USING (run_id);

-- query: put_side
INSERT INTO side VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13);

-- query: read_device
SELECT DISTINCT d.backend || ' ' || d.key, d.name, d.backend, d.driver, rd.label
FROM picked JOIN run_device rd USING (run_id) JOIN device d USING (device_id) WHERE rd.opened ORDER BY rd.label;

-- query: put_device
INSERT INTO device VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL);

-- query: match
-- The same card on both sides is one device. Cards that only one side has are matched to another card of the same model.
CREATE TEMP TABLE tag AS SELECT side, tag, min(name) AS name, min(backend) AS backend, min(label) AS label FROM device
GROUP BY side, tag;
CREATE TEMP TABLE alone AS SELECT side, tag, row_number() OVER (PARTITION BY side, backend, name ORDER BY label, tag) AS nth,
    backend, name
FROM tag t WHERE NOT EXISTS (SELECT 1 FROM tag o WHERE o.side = 1 - t.side AND o.tag = t.tag);
UPDATE device SET dev = (SELECT min(d.rowid) FROM device d WHERE d.tag = coalesce(
    (SELECT b.tag FROM alone h JOIN alone b ON b.side = 0 AND b.nth = h.nth AND b.backend = h.backend AND b.name = h.name
        WHERE h.side = 1 AND h.tag = device.tag AND device.side = 1),
    device.tag));
CREATE INDEX device_by_tag ON device (side, tag);
CREATE INDEX device_by_dev ON device (dev, side);

-- query: read_cell
SELECT c.line, d.backend || ' ' || d.key, p.kernel, coalesce(k.name, p.kernel), coalesce(k.hash, ''),
    coalesce(k.variant, ''), d.driver, coalesce(r.verdict, 'not run'), r.expected,
    CASE
        WHEN r.verdict IS NULL THEN 'other'
        WHEN r.verdict = r.expected AND r.verdict NOT IN ('SKIP', 'DEADREF', 'UNPROVEN', 'ERROR') THEN 'passed'
        WHEN r.verdict IN ('PASS', 'REFLIMITED') AND coalesce(r.expected, 'PASS') NOT IN ('PASS', 'REFLIMITED')
            THEN 'failed'
        WHEN r.verdict IN ('PASS', 'REFLIMITED') THEN 'passed'
        WHEN r.verdict IN ('SKIP', 'DEADREF', 'UNPROVEN', 'ERROR') THEN 'other'
        ELSE 'failed'
    END,
    coalesce(r.rung, ''), CASE r.oracle WHEN '' THEN '' ELSE r.oracle || ' v' || r.oracle_version END,
    coalesce(r.differing, 0),
    printf('%s ulp, scaled %s, rms %s, ulp of float64 %s, of bound %s', coalesce(r.max_ulp, '-'),
        coalesce(r.scaled_f64, '-'), coalesce(r.rms_f64, '-'), coalesce(r.ulp_f64, '-'), coalesce(r.bound_f64, '-')),
    coalesce(r.digest, ''), coalesce(r.reason, ''), coalesce(r.repro, '')
FROM picked
    JOIN run USING (run_id)
    JOIN plan p USING (run_id)
    JOIN op_case c USING (case_id)
    JOIN device d USING (device_id)
    LEFT JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
        AND r.attempt = (SELECT max(attempt) FROM result s WHERE s.run_id = p.run_id AND s.seq = p.seq)
    LEFT JOIN kernel k USING (kernel_id)
WHERE :filter = '' ORDER BY run.started_utc, run.run_id, p.seq;

-- query: read_bench_cell
-- The bits that were timed are judged too: fast and wrong is no gain. Without a filter a kernel is compared with itself.
SELECT c.line, d.backend || ' ' || d.key, CASE :filter WHEN '' THEN 'bench ' || b.lane || ' ' || k.name ELSE b.lane END,
    k.name, k.hash, k.variant, d.driver, b.verdict, NULL,
    CASE b.verdict WHEN 'PASS' THEN 'passed' WHEN 'INCONCLUSIVE' THEN 'passed' WHEN 'ERROR' THEN 'other' ELSE 'failed' END,
    '', '', 0, '', b.digest, b.reason, ''
FROM picked
    JOIN run USING (run_id)
    JOIN bench b USING (run_id)
    JOIN op_case c USING (case_id)
    JOIN device d USING (device_id)
    JOIN kernel k USING (kernel_id)
WHERE :filter IN ('', b.side) ORDER BY run.started_utc, run.run_id, b.invocation;

-- query: put_cell
INSERT INTO cell
SELECT ?1, (SELECT id FROM line WHERE line = ?2), (SELECT dev FROM device WHERE side = ?1 AND tag = ?3), ?4, ?5, ?6, ?7,
    ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, 0
WHERE true
ON CONFLICT DO UPDATE SET
    clash = max(clash, digest <> '' AND excluded.digest <> '' AND digest <> excluded.digest),
    kernel = excluded.kernel, hash = excluded.hash, variant = excluded.variant, driver = excluded.driver,
    verdict = excluded.verdict, expected = excluded.expected, outcome = excluded.outcome, rung = excluded.rung,
    oracle = excluded.oracle, differing = excluded.differing, figures = excluded.figures,
    digest = CASE excluded.digest WHEN '' THEN digest ELSE excluded.digest END, reason = excluded.reason,
    repro = excluded.repro
WHERE outcome <> 'failed' OR excluded.outcome = 'failed';

-- query: read_line
SELECT DISTINCT line FROM op_case WHERE case_id IN (SELECT case_id FROM plan JOIN picked USING (run_id)
    UNION SELECT case_id FROM bench JOIN picked USING (run_id));

-- query: put_line
INSERT OR IGNORE INTO line (line) SELECT ?2 WHERE ?1 IN (0, 1);

-- query: read_time
SELECT c.line, d.backend || ' ' || d.key, CASE :filter WHEN '' THEN k.name ELSE '' END, b.lane, b.median_ns,
    (SELECT avg(coalesce((s.clock_before_mhz + s.clock_after_mhz) / 2.0, s.clock_after_mhz)) FROM bench_sample s
        WHERE s.bench_id = b.bench_id AND s.rejected = ''),
    k.name || ' ' || k.hash || ' ' || k.variant, d.driver, b.verdict = 'PASS' AND b.median_ns > 0, b.reason
FROM picked
    JOIN run USING (run_id)
    JOIN bench b USING (run_id)
    JOIN op_case c USING (case_id)
    JOIN device d USING (device_id)
    JOIN kernel k USING (kernel_id)
WHERE :filter IN ('', b.side) ORDER BY run.started_utc, run.run_id, b.invocation;

-- query: read_run_time
SELECT c.line, d.backend || ' ' || d.key, k.name, t.lane, t.median_ns, NULL, k.name || ' ' || k.hash || ' ' || k.variant,
    d.driver, 1, ''
FROM picked
    JOIN run USING (run_id)
    JOIN timing t USING (run_id)
    JOIN op_case c USING (case_id)
    JOIN device d USING (device_id)
    JOIN kernel k USING (kernel_id)
WHERE :filter = '' AND t.lane = 'run' ORDER BY run.started_utc, run.run_id, t.invocation;

-- query: put_time
INSERT INTO time SELECT ?1 % 2, (SELECT id FROM line WHERE line = ?2),
    (SELECT dev FROM device WHERE tag = ?3 ORDER BY side <> ?1 % 2), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?1 / 2;

-- query: read_noise
-- Medians of earlier runs of the same kind, for the scatter that a cell has always had. Runs of the comparison are not its
-- history.
SELECT c.line, d.backend || ' ' || d.key, k.name, t.lane, t.run_id, avg(ln(t.median_ns))
FROM (SELECT r.run_id, r.started_utc FROM run r WHERE r.run_id NOT IN (SELECT run_id FROM picked)
        AND (r.verb, r.level, r.engine) IN (SELECT p.verb, p.level, p.engine FROM run p JOIN picked USING (run_id))
        ORDER BY r.started_utc DESC, r.run_id DESC LIMIT 30) recent
    JOIN timing t USING (run_id)
    JOIN op_case c USING (case_id)
    JOIN device d USING (device_id)
    JOIN kernel k USING (kernel_id)
WHERE :filter = ''
GROUP BY c.line, d.backend, d.key, k.name, t.lane, recent.started_utc, t.run_id
ORDER BY c.line, d.backend, d.key, k.name, t.lane, recent.started_utc, t.run_id;

-- query: put_noise
INSERT OR REPLACE INTO noise SELECT line.id, (SELECT dev FROM device WHERE side = 0 AND tag = ?2), ?3, ?4, ?5, ?6
FROM line WHERE line = ?1 AND EXISTS (SELECT 1 FROM device WHERE side = 0 AND tag = ?2);

-- query: events
CREATE TEMP VIEW both AS
SELECT b.id, b.dev, b.asked, h.kernel, b.kernel AS b_kernel, b.hash AS b_hash, h.hash AS h_hash, b.driver AS b_driver,
    h.driver AS h_driver, b.verdict AS b_verdict, h.verdict AS h_verdict, b.outcome AS b_outcome, h.outcome AS h_outcome,
    b.rung AS b_rung, h.rung AS h_rung, b.oracle AS b_oracle, h.oracle AS h_oracle, b.differing AS b_differing,
    h.differing AS h_differing, b.figures AS b_figures, h.figures AS h_figures, b.digest AS b_digest,
    h.digest AS h_digest, h.reason, h.repro
FROM cell b JOIN cell h ON h.side = 1 AND h.id = b.id AND h.dev = b.dev AND h.asked = b.asked
WHERE b.side = 0;
INSERT INTO event
SELECT 'bits', b_outcome = 'passed' OR h_outcome = 'failed' AND b_outcome <> 'failed', id, dev, kernel,
    substr(b_digest, 1, 16), substr(h_digest, 1, 16), repro
FROM both WHERE b_digest <> '' AND h_digest <> '' AND b_digest <> h_digest
    AND NOT (b_outcome = 'failed' AND h_outcome = 'passed');
INSERT INTO event
SELECT 'verdict', CASE WHEN b_outcome = h_outcome THEN b_outcome = 'passed' AND h_verdict <> 'PASS'
        ELSE h_outcome = 'failed' OR b_outcome = 'passed' END,
    id, dev, kernel, b_verdict, rtrim(h_verdict || ' ' || reason), repro
FROM both WHERE b_verdict <> h_verdict AND 'INCONCLUSIVE' NOT IN (b_verdict, h_verdict);
INSERT INTO event
SELECT 'rung', (h_rung = 'BOUND') + 2 * (h_rung = 'MODEL') + 3 * (h_rung = 'EXACT')
        < (b_rung = 'BOUND') + 2 * (b_rung = 'MODEL') + 3 * (b_rung = 'EXACT'),
    id, dev, kernel, b_rung, h_rung, repro
FROM both WHERE b_rung <> h_rung AND b_rung <> '' AND h_rung <> '';
INSERT INTO event
SELECT 'errors', 0, id, dev, kernel, b_differing || ' differ, ' || b_figures, h_differing || ' differ, ' || h_figures, repro
FROM both WHERE b_verdict = h_verdict AND (b_differing <> h_differing OR b_figures <> h_figures);
INSERT INTO event
SELECT 'oracle', 0, id, dev, kernel, b_oracle, h_oracle, ''
FROM both WHERE b_oracle <> h_oracle AND b_oracle <> '' AND h_oracle <> '';
INSERT INTO event
SELECT 'kernel', 0, id, dev, kernel, b_kernel, kernel, '' FROM both WHERE b_kernel <> kernel;
INSERT INTO event
SELECT 'code', 0, id, dev, kernel, b_hash, h_hash, ''
FROM both WHERE b_kernel = kernel AND b_hash <> h_hash AND b_hash <> '' AND h_hash <> '';
INSERT INTO event
SELECT 'driver', 0, min(id), dev, '', b_driver, h_driver, '' FROM both WHERE b_driver <> h_driver
GROUP BY dev, b_driver, h_driver;
INSERT INTO event
SELECT 'gone', 0, id, dev, kernel, verdict, 'not in HEAD', '' FROM cell b
WHERE side = 0 AND outcome <> 'other'
    AND NOT EXISTS (SELECT 1 FROM cell h WHERE h.side = 1 AND h.id = b.id AND h.dev = b.dev AND h.asked = b.asked);
INSERT INTO event
SELECT 'new', outcome = 'failed', id, dev, kernel, 'not in BASE', rtrim(verdict || ' ' || reason), repro FROM cell h
WHERE side = 1 AND outcome <> 'other'
    AND NOT EXISTS (SELECT 1 FROM cell b WHERE b.side = 0 AND b.id = h.id AND b.dev = h.dev AND b.asked = h.asked);
INSERT INTO event
SELECT 'two digests', side = 1, id, dev, kernel, CASE side WHEN 0 THEN 'runs of BASE disagree' ELSE '' END,
    CASE side WHEN 1 THEN 'runs of HEAD disagree' ELSE '' END, repro
FROM cell WHERE clash;
INSERT INTO event
SELECT 'still failing', 0, id, dev, kernel, b_verdict, h_verdict, repro
FROM both WHERE b_outcome = 'failed' AND h_outcome = 'failed' AND b_verdict = h_verdict AND b_digest = h_digest;

-- query: freshest
-- Where a timing was measured again, that alone decides.
CREATE INDEX time_by_cell ON time (id, dev, kernel, lane, fresh, side);
DELETE FROM time WHERE NOT fresh
    AND EXISTS (SELECT 1 FROM time f WHERE f.id = time.id AND f.dev = time.dev AND f.kernel = time.kernel
        AND f.lane = time.lane AND f.fresh AND f.side = 0)
    AND EXISTS (SELECT 1 FROM time f WHERE f.id = time.id AND f.dev = time.dev AND f.kernel = time.kernel
        AND f.lane = time.lane AND f.fresh AND f.side = 1);
DELETE FROM time WHERE fresh AND EXISTS (SELECT 1 FROM time o WHERE o.id = time.id AND o.dev = time.dev
    AND o.kernel = time.kernel AND o.lane = time.lane AND NOT o.fresh);

-- query: times
SELECT t.id, t.dev, t.kernel, t.lane, t.side, t.ns, t.mhz, t.hash, t.driver, t.usable, t.why,
    (SELECT noise FROM noise n WHERE n.id = t.id AND n.dev = t.dev AND n.kernel = t.kernel AND n.lane = t.lane), t.fresh
FROM time t ORDER BY t.id, t.dev, t.kernel, t.lane, t.side, t.rowid;

-- query: put_timed
INSERT INTO timed VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18);

-- query: counts
SELECT (SELECT count(*) FROM cell b WHERE side = 0 AND outcome <> 'other' AND EXISTS (SELECT 1 FROM cell h
        WHERE h.side = 1 AND h.id = b.id AND h.dev = b.dev AND h.asked = b.asked AND h.outcome <> 'other')),
    (SELECT count(DISTINCT id || ' ' || dev || ' ' || kernel) FROM event WHERE worse),
    (SELECT count(*) FROM event WHERE NOT worse AND kind NOT IN ('still failing')),
    (SELECT count(*) FROM timed WHERE verdict = 'REGRESSED' AND NOT machine),
    (SELECT count(*) FROM timed WHERE verdict = 'IMPROVED' AND NOT machine),
    (SELECT count(*) FROM timed WHERE verdict = 'SAME'), (SELECT count(*) FROM timed WHERE verdict = 'AMBIGUOUS'),
    (SELECT count(*) FROM timed WHERE verdict = 'INCONCLUSIVE'), (SELECT count(*) FROM timed WHERE machine);

-- query: title
SELECT printf('# Comparison: %s against %s', (SELECT CASE count(*) WHEN 1 THEN 'run ' || max(run_id) ELSE count(*) || ' runs'
        END || CASE WHEN max(label) <> '' THEN ' (' || md(max(label)) || ')' ELSE '' END FROM side WHERE side = 1),
    (SELECT CASE count(*) WHEN 1 THEN 'run ' || max(run_id) ELSE count(*) || ' runs' END
        || CASE WHEN max(label) <> '' THEN ' (' || md(max(label)) || ')' ELSE '' END FROM side WHERE side = 0)) AS line;

-- query: sides
SELECT CASE side WHEN 0 THEN 'BASE' ELSE 'HEAD' END AS side, run_id AS "run>", code(substr(key, 1, 12)) AS key,
    md(started) AS started, md(rtrim(verb || ' ' || level)) AS what, md(engine) AS engine, code(revision) AS revision,
    md(label) AS label, coalesce(exit_code, 'unfinished') AS "exit>", md(host) AS host
FROM side ORDER BY side, started, run_id;

-- query: devices
SELECT md(coalesce(min(b.label), min(h.label))) AS device, md(coalesce(min(b.name), min(h.name))) AS name,
    coalesce(nullif(md(group_concat(DISTINCT b.driver)), ''), 'not in BASE') AS "driver of BASE",
    coalesce(nullif(md(group_concat(DISTINCT h.driver)), ''), 'not in HEAD') AS "driver of HEAD",
    CASE WHEN min(b.tag) IS NULL OR min(h.tag) IS NULL THEN 'nothing to compare with' WHEN min(b.tag) <> min(h.tag)
        THEN 'another card of this model' ELSE 'the same card' END AS matched
FROM (SELECT DISTINCT dev FROM device) d LEFT JOIN device b ON b.dev = d.dev AND b.side = 0
    LEFT JOIN device h ON h.dev = d.dev AND h.side = 1
GROUP BY d.dev ORDER BY 1;

-- query: worse
SELECT kind AS what, code(l.line) AS "case", md((SELECT min(label) FROM device d WHERE d.dev = e.dev)) AS device,
    md(kernel) AS kernel, md(was) AS was, md(now) AS now, code(repro) AS reproduce
FROM event e LEFT JOIN line l USING (id) WHERE worse
ORDER BY CASE kind WHEN 'bits' THEN 0 WHEN 'verdict' THEN 1 ELSE 2 END, l.line, device, kernel;

-- query: other
-- One line a change that several cases share.
SELECT kind AS what, n(count(*)) AS "cases>", md((SELECT min(label) FROM device d WHERE d.dev = e.dev)) AS device,
    CASE count(DISTINCT kernel) WHEN 1 THEN md(min(kernel)) ELSE n(count(DISTINCT kernel)) || ' kernels' END AS kernel,
    CASE count(DISTINCT was) WHEN 1 THEN md(min(was)) ELSE n(count(DISTINCT was)) || ' different' END AS was,
    CASE count(DISTINCT now) WHEN 1 THEN md(min(now)) ELSE n(count(DISTINCT now)) || ' different' END AS now,
    code(min(l.line)) AS "first case"
FROM event e LEFT JOIN line l USING (id) WHERE NOT worse
GROUP BY kind, e.dev, CASE WHEN kind IN ('code', 'kernel', 'oracle') THEN kernel || was || now
    WHEN kind IN ('verdict', 'rung') THEN was || now ELSE '' END
ORDER BY kind, device, kernel LIMIT 200;

-- query: changed_times
SELECT CASE WHEN machine THEN 'machine: ' || CASE verdict WHEN 'REGRESSED' THEN 'slower' ELSE 'faster' END
        ELSE verdict END AS verdict, code(l.line) AS "case",
    md((SELECT min(label) FROM device d WHERE d.dev = t.dev)) AS device, md(kernel) AS kernel, lane,
    dur(base_ns) AS "base>", dur(head_ns) AS "head>", printf('%.4f', ratio) AS "ratio>",
    printf('%.4f to %.4f', low, high) AS "95 % interval>", num(p) AS "p>", printf('%.1f %%', 100 * delta) AS "delta>",
    base_n || '/' || head_n || CASE WHEN fresh THEN ' fresh' ELSE '' END AS "n>"
FROM timed t JOIN line l USING (id) WHERE verdict IN ('REGRESSED', 'IMPROVED')
ORDER BY machine, verdict DESC, abs(ln(ratio)) DESC, l.line, device, kernel, lane;

-- query: unsure_times
SELECT verdict, code(l.line) AS "case", md((SELECT min(label) FROM device d WHERE d.dev = t.dev)) AS device,
    md(kernel) AS kernel, lane, CASE WHEN ratio IS NULL THEN '-' ELSE printf('%.4f', ratio) END AS "ratio>",
    CASE WHEN low IS NULL THEN '-' ELSE printf('%.4f to %.4f', low, high) END AS "95 % interval>", num(p) AS "p>",
    printf('%.1f %%', 100 * delta) AS "delta>", base_n || '/' || head_n AS "n>", md(why) AS why
FROM timed t JOIN line l USING (id) WHERE verdict = 'AMBIGUOUS'
ORDER BY abs(ln(ratio)) DESC, l.line, device, kernel, lane LIMIT 200;

-- query: no_times
SELECT lane, md(why) AS why, n(count(*)) AS "timings>", code(min(l.line)) AS "first case" FROM timed t JOIN line l USING (id)
WHERE verdict = 'INCONCLUSIVE' GROUP BY lane, why ORDER BY count(*) DESC LIMIT 50;

-- query: lanes
SELECT lane, n(count(*)) AS "timings>", n(sum(verdict = 'REGRESSED' AND NOT machine)) AS "regressed>",
    n(sum(verdict = 'IMPROVED' AND NOT machine)) AS "improved>", n(sum(verdict = 'SAME')) AS "same>",
    n(sum(verdict = 'AMBIGUOUS')) AS "ambiguous>", n(sum(verdict = 'INCONCLUSIVE')) AS "inconclusive>",
    n(sum(machine)) AS "machine>", printf('%.4f', exp(avg(ln(ratio)))) AS "mean ratio>"
FROM timed GROUP BY lane ORDER BY lane;

-- query: suspects
SELECT DISTINCT l.line, (SELECT min(label) FROM device d WHERE d.dev = t.dev AND d.side = 1) AS device, kernel, lane
FROM timed t JOIN line l USING (id) WHERE verdict = 'AMBIGUOUS' OR verdict IN ('REGRESSED', 'IMPROVED') AND NOT fresh
ORDER BY l.line, device, kernel, lane;

-- query: json
SELECT json_object(
    'sides', (SELECT json_group_array(json_object('side', CASE side WHEN 0 THEN 'base' ELSE 'head' END, 'run', run_id,
        'key', key, 'started', started, 'verb', verb, 'level', level, 'engine', engine, 'revision', revision,
        'label', label, 'exit', exit_code)) FROM side),
    'events', (SELECT json_group_array(json_object('what', kind, 'worse', json(CASE worse WHEN 1 THEN 'true' ELSE 'false'
        END), 'case', l.line, 'device', (SELECT min(label) FROM device d WHERE d.dev = e.dev), 'kernel', kernel,
        'was', was, 'now', now, 'repro', repro)) FROM event e LEFT JOIN line l USING (id)),
    'timings', (SELECT json_group_array(json_object('verdict', verdict, 'machine', json(CASE machine WHEN 1 THEN 'true'
        ELSE 'false' END), 'case', l.line, 'device', (SELECT min(label) FROM device d WHERE d.dev = t.dev),
        'kernel', kernel, 'lane', lane, 'base_ns', base_ns, 'head_ns', head_ns, 'ratio', ratio, 'low', low, 'high', high,
        'p', p, 'delta', delta, 'base_invocations', base_n, 'head_invocations', head_n, 'why', why))
        FROM timed t JOIN line l USING (id)));
