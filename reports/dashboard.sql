-- What a dashboard reads. Text goes into JSON by flat(): on one line, what is no printable text as \xNN.

-- query: prepare
-- Columns of the dashboard: runs of one label are one, the newest are kept.
CREATE TEMP TABLE slot AS
WITH named AS (
    SELECT started_utc, run_id, CASE label WHEN '' THEN printf('run %d', run_id) ELSE label END AS name,
        CASE label WHEN '' THEN printf('run %d', run_id) ELSE 'label ' || label END AS member
    FROM run),
    together AS (SELECT member, max(name) AS name, min(started_utc) AS started, max(run_id) AS newest FROM named
        GROUP BY member),
    placed AS (SELECT *, row_number() OVER (ORDER BY started DESC, newest DESC) AS back FROM together)
SELECT max(back) OVER () - back AS slot, member, name, started FROM placed WHERE back <= 60;
CREATE TEMP TABLE slot_run (run_id INTEGER PRIMARY KEY, slot INTEGER NOT NULL);
INSERT INTO slot_run SELECT r.run_id, s.slot FROM run r JOIN slot s
    ON s.member = CASE r.label WHEN '' THEN printf('run %d', r.run_id) ELSE 'label ' || r.label END;
-- A card is what has one key and backend, whatever its driver.
CREATE TEMP TABLE card_of (device_id INTEGER PRIMARY KEY, card INTEGER NOT NULL);
INSERT INTO card_of SELECT device_id, dense_rank() OVER (ORDER BY backend = 'cpu', software, backend, key) - 1
    FROM (SELECT d.*, max(software) OVER (PARTITION BY backend, key) AS soft FROM device d
        WHERE device_id IN (SELECT device_id FROM run_device JOIN slot_run USING (run_id)));
CREATE TEMP TABLE kernel_name (name_id INTEGER PRIMARY KEY, name TEXT UNIQUE);
INSERT INTO kernel_name SELECT row_number() OVER (ORDER BY name) - 1, name FROM
    (SELECT name FROM kernel UNION SELECT '' UNION SELECT DISTINCT p.kernel FROM slot_run s JOIN plan p USING (run_id));

-- query: slots
SELECT json_object('name', flat(name), 'started', flat(started), 'verbs', (SELECT flat(group_concat(DISTINCT verb))
    FROM run JOIN slot_run USING (run_id) WHERE slot_run.slot = slot.slot)) FROM slot ORDER BY slot;

-- query: runs
SELECT json_object('run', run_id, 'slot', slot, 'key', key, 'started', flat(started_utc), 'ended', flat(ended_utc),
    'verb', flat(verb), 'level', flat(level), 'label', flat(label), 'shard', flat(shard), 'command', flat(command),
    'engine', flat(engine || ' ' || engine_version), 'revision', flat(revision), 'host', flat(host), 'planned', planned,
    'exit', exit_code, 'reason', flat(reason))
FROM run JOIN slot_run USING (run_id) ORDER BY started_utc DESC, run_id DESC;

-- query: cards
-- Each card as it was seen last, in a run that was to use it if there is one.
WITH seen AS (
    SELECT o.card, v.*, r.started_utc, row_number() OVER (PARTITION BY o.card ORDER BY v.state = 'left out',
        r.started_utc DESC, v.run_id DESC, v.opened DESC) AS back
    FROM slot_run s JOIN run_device v USING (run_id) JOIN run r USING (run_id) JOIN card_of o USING (device_id)),
    now AS (SELECT * FROM seen WHERE back = 1),
    info AS (SELECT device_id, CASE WHEN json_valid(info) THEN info ELSE '{}' END AS i FROM device)
SELECT json_object('label', flat(n.label), 'name', flat(d.name), 'backend', flat(d.backend), 'driver', flat(d.driver),
    'kind', flat(d.kind), 'api', flat(d.api), 'uuid', flat(d.uuid), 'pci', flat(d.pci), 'key', flat(d.key),
    'software', d.software, 'seen', flat(n.started_utc), 'run', n.run_id, 'opened', n.opened, 'state', n.state, 'why', flat(n.why),
    'fma', flat(n.variant), 'fma_why', flat(n.variant_why),
    'vendor', flat(i ->> '$.vendor'), 'units', i ->> '$.compute_units', 'memory', i ->> '$.device_local_bytes',
    'drivers', (SELECT count(DISTINCT driver) FROM device x JOIN card_of y USING (device_id) WHERE y.card = n.card),
    'trust', json((SELECT json_object('state', t.state, 'at', flat(t.recorded_utc), 'reason', flat(t.reason),
            'path', flat(t.path), 'run', t.run_id)
        FROM trust t JOIN card_of y USING (device_id) WHERE y.card = n.card
        ORDER BY t.recorded_utc DESC, t.trust_id DESC LIMIT 1)),
    'coverage', (SELECT json_group_array(json_object('what', c.what, 'unit', flat(c.unit), 'total', c.total,
            'covered', c.covered, 'failed', c.failed, 'run', c.run_id))
        FROM coverage c WHERE c.device_id = n.device_id
            AND c.run_id = (SELECT max(x.run_id) FROM coverage x WHERE x.device_id = n.device_id)),
    'ceilings', (SELECT json_group_array(json_object('name', flat(name), 'unit', flat(unit), 'value', value))
        FROM (SELECT c.name, c.unit, avg(c.value) AS value FROM ceiling c WHERE c.device_id = n.device_id
            AND c.run_id = (SELECT max(x.run_id) FROM ceiling x WHERE x.device_id = n.device_id)
            GROUP BY c.name, c.unit ORDER BY c.name)),
    'traits', (SELECT json_object('tested', total(tested), 'wrong', total(wrong)) FROM trait t
        WHERE t.run_id = n.run_id AND t.device_id = n.device_id)),
    d.backend, d.key
FROM now n JOIN device d USING (device_id) JOIN info USING (device_id) ORDER BY n.card;

-- query: names
SELECT name_id, name FROM kernel_name ORDER BY name_id;

-- query: cases
SELECT case_id, op, line FROM op_case;

-- query: drivers
SELECT device_id, driver FROM device;

-- query: codes
SELECT kernel_id, hash || CASE variant WHEN '' THEN '' ELSE ' ' || variant END FROM kernel;

-- query: judged
-- In the order of (run, seq), attempts of one side by side. Outcomes as in export.sql, by number.
SELECT p.run_id, p.seq, coalesce(r.attempt, 0), o.card, p.case_id, n.name_id, s.slot, p.device_id,
    coalesce(r.kernel_id, 0),
    CASE
        WHEN r.verdict IS NULL THEN 5
        WHEN r.verdict = r.expected AND r.verdict NOT IN ('SKIP', 'DEADREF', 'UNPROVEN', 'ERROR') THEN 0
        WHEN r.verdict IN ('PASS', 'REFLIMITED') AND coalesce(r.expected, 'PASS') NOT IN ('PASS', 'REFLIMITED') THEN 1
        WHEN r.verdict IN ('PASS', 'REFLIMITED') THEN 0
        WHEN r.verdict = 'ERROR' AND r.expected IS NOT 'ERROR' THEN 2
        WHEN r.verdict = 'SKIP' THEN 3
        WHEN r.verdict IN ('DEADREF', 'UNPROVEN', 'ERROR') THEN 4
        ELSE 1
    END,
    coalesce(r.verdict, ''), coalesce(r.differing, 0), r.max_ulp, coalesce(r.digest, ''), coalesce(r.median_ns, 0)
FROM slot_run s CROSS JOIN plan p ON p.run_id = s.run_id
CROSS JOIN card_of o ON o.device_id = p.device_id
LEFT JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
LEFT JOIN kernel k ON k.kernel_id = r.kernel_id
LEFT JOIN kernel_name n ON n.name = coalesce(k.name, p.kernel);

-- query: timed
SELECT b.run_id, b.invocation, 0, o.card, b.case_id, n.name_id, s.slot, b.device_id, b.kernel_id,
    CASE b.verdict WHEN 'PASS' THEN 0 WHEN 'ERROR' THEN 2 WHEN 'INCONCLUSIVE' THEN 4 ELSE 1 END,
    b.verdict, 0, NULL, b.digest, coalesce(b.median_ns, 0), b.lane = 'hot', b.roofline
FROM slot_run s CROSS JOIN bench b ON b.run_id = s.run_id
CROSS JOIN card_of o ON o.device_id = b.device_id
CROSS JOIN kernel k ON k.kernel_id = b.kernel_id
CROSS JOIN kernel_name n ON n.name = k.name
WHERE b.side = '';

-- query: failures
-- Newest first. The first columns are the cell, the last is for the page.
SELECT d.key, d.backend, coalesce(k.name, p.kernel), c.line, s.slot, json_object('slot', s.slot, 'card', o.card,
    'kernel', flat(coalesce(k.name, p.kernel)), 'case', flat(c.line), 'op', flat(c.op), 'run', p.run_id,
    'verdict', r.verdict, 'expected', r.expected, 'errored', r.verdict = 'ERROR', 'differing', r.differing, 'elems', r.elems,
    'first', flat(r.first_index), 'got', flat(r.got), 'want', flat(r.want), 'got_value', f32hex(r.got),
    'want_value', f32hex(r.want), 'dtype', flat(c.dtype), 'ulp', r.max_ulp, 'oracle', flat(r.oracle),
    'oracle_version', r.oracle_version, 'driver', flat(d.driver), 'code', flat(k.hash || ' ' || k.variant),
    'reason', flat(r.reason), 'repro', flat(r.repro), 'why', flat(p.why), 'source', flat(p.source))
FROM (SELECT * FROM slot_run ORDER BY slot DESC, run_id DESC) s CROSS JOIN plan p ON p.run_id = s.run_id
CROSS JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq
CROSS JOIN op_case c ON c.case_id = p.case_id
CROSS JOIN device d ON d.device_id = p.device_id
CROSS JOIN card_of o ON o.device_id = p.device_id
LEFT JOIN kernel k ON k.kernel_id = r.kernel_id
WHERE CASE
        WHEN r.verdict = r.expected THEN 0
        WHEN r.verdict IN ('PASS', 'REFLIMITED') THEN coalesce(r.expected, 'PASS') NOT IN ('PASS', 'REFLIMITED')
        ELSE r.verdict NOT IN ('SKIP', 'DEADREF', 'UNPROVEN')
    END
    AND NOT EXISTS (SELECT 1 FROM result m WHERE m.run_id = r.run_id AND m.seq = r.seq AND m.attempt > r.attempt);

-- query: timed_failures
SELECT d.key, d.backend, k.name, c.line, s.slot, json_object('slot', s.slot, 'card', o.card,
    'kernel', flat(k.name), 'case', flat(c.line), 'op', flat(c.op), 'run', b.run_id, 'verdict', b.verdict,
    'errored', b.verdict = 'ERROR', 'lane', b.lane, 'side', flat(b.side), 'driver', flat(d.driver),
    'code', flat(k.hash || ' ' || k.variant), 'reason', flat(b.reason), 'repro', '')
FROM (SELECT * FROM slot_run ORDER BY slot DESC, run_id DESC) s CROSS JOIN bench b ON b.run_id = s.run_id
CROSS JOIN op_case c ON c.case_id = b.case_id
CROSS JOIN device d ON d.device_id = b.device_id
CROSS JOIN card_of o ON o.device_id = b.device_id
CROSS JOIN kernel k ON k.kernel_id = b.kernel_id
WHERE b.verdict NOT IN ('PASS', 'INCONCLUSIVE');

-- query: events
-- ?1 is the JSON of a history. A device is there by the first label it had.
WITH event AS (SELECT value AS e FROM json_each(?1, '$.events') WHERE value ->> '$.what' <> 'cut')
SELECT DISTINCT coalesce((SELECT o.card FROM run_device v JOIN card_of o USING (device_id)
        WHERE v.run_id = s.run_id AND v.label = e ->> '$.device'),
        (SELECT o.card FROM run_device v JOIN card_of o USING (device_id) WHERE v.label = e ->> '$.device'
        ORDER BY v.run_id DESC LIMIT 1)) AS card, c.case_id, n.name_id, s.slot,
    json_array(s.slot, e ->> '$.what', e ->> '$.lane', e ->> '$.alert', e ->> '$.new', e ->> '$.change', e ->> '$.p',
        flat(e ->> '$.was'), flat(e ->> '$.now'), flat(e ->> '$.cause')),
    e ->> '$.alert', e ->> '$.new'
FROM event
JOIN op_case c ON c.line = e ->> '$.case'
JOIN kernel_name n ON n.name = e ->> '$.kernel'
JOIN slot_run s ON s.run_id = e ->> '$.run_after'
WHERE card IS NOT NULL;
