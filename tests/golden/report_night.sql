-- On top of report.sql, in the newest schema: run 2 becomes a part of the night nightly-7, beside a bench (run 3); run 4 is
-- the night before, with another driver; run 5 is a bench in which nothing failed.
UPDATE run SET label = 'nightly-7' WHERE run_id = 2;
INSERT INTO run (run_id, key, started_utc, ended_utc, verb, command, level, engine, engine_version, revision, compiler, flags,
    host, corpus_hash, settings, planned, exit_code, reason, label) VALUES
    (3, '00000000000000000000000000000003', '2026-01-02T11:00:00.000Z', '2026-01-02T11:05:00.000Z', 'bench', 'assay bench', 'quick',
    'assay', '0.1.0', 'bbbbbbbbbbbb', 'gcc 12.2.0', '-O2', 'Linux 6.1', '00', '{}', 0, 2, '9 timings, 1 of them wrong', 'nightly-7'),
    (4, '00000000000000000000000000000004', '2026-01-01T10:00:00.000Z', '2026-01-01T10:01:00.000Z', 'verify', 'assay verify --all `x`',
    'quick', 'assay', '0.1.0', 'aaaaaaaaaaaa', 'gcc 12.2.0', '-O2', 'Linux 6.1', '00', '{}', 8, 2, '1 of 7 judged failed', 'nightly-6'),
    (5, '00000000000000000000000000000005', '2026-01-01T09:00:00.000Z', '2026-01-01T09:01:00.000Z', 'bench', 'assay bench', 'quick',
    'assay', '0.1.0', 'aaaaaaaaaaaa', 'gcc 12.2.0', '-O2', 'Linux 6.1', '00', '{}', 0, 0, '8 timings, 0 of them wrong', '');
INSERT INTO device SELECT 4, key, backend, 'llvmpipe `14` | Mesa', name, api, kind, uuid, pci, software, info FROM device WHERE device_id = 2;
INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) VALUES (3, 1, 'cpu', 1, '', 'native', '', '{}'), (3, 2, 'vulkan:0', 1, '', 'emulated', '', '{}'),
    (4, 1, 'cpu', 1, '', 'native', '', '{}'), (4, 4, 'vulkan:0', 1, '', 'emulated', '', '{}'),
    (5, 1, 'cpu', 1, '', 'native', '', '{}'), (5, 3, 'cuda:0', 1, '', 'native', '', '{}');
INSERT INTO kernel VALUES (4, 'matmul.vulkan.tile64.exact', '4444444444444444', 'emulated', 'MatMul', 'vulkan', 'tile64', 'exact', 'f32'),
    (5, 'matmul.cuda.tile128.exact', '5555555555555555', 'native', 'MatMul', 'cuda', 'tile128', 'exact', 'f32');
INSERT INTO plan VALUES (4, 1, 1, 1, 'matmul.cpu.avx2.exact', '', ''), (4, 2, 2, 1, 'matmul.cpu.avx2.exact', '', ''),
    (4, 3, 1, 4, 'matmul.vulkan.tile64.exact', '', ''), (4, 4, 2, 4, 'matmul.vulkan.tile64.exact', '', ''),
    (4, 5, 3, 4, 'matmul.vulkan.tile64.exact', '', ''), (4, 6, 4, 4, 'matmul.vulkan.tile64.exact', '', ''),
    (4, 7, 6, 4, 'matmul.vulkan.tile64.exact', '', ''), (4, 8, 5, 1, 'matmul.cpu.avx2.exact', '', '');
INSERT INTO result SELECT NULL, 4, column1, 1, column2, column3, NULL, CASE column3 WHEN 'PASS' THEN 'EXACT' ELSE '' END, 'contract',
    column5, 4096, 4096, 0, '', '', '', 0.0, 1e-7, 1e-8, 1.0, 0.5, NULL, NULL, column4, 1000, NULL, 5000, '', '', '2026-01-01T10:00:01.000Z'
FROM (VALUES (1, 1, 'PASS', 'd1', 1), (2, 1, 'PASS', 'd2old', 1), (3, 2, 'PASS', 'd1', 1), (4, 2, 'PASS', 'd2', 1), (5, 2, 'HANG', '', 1),
    (6, 4, 'PASS', 'd4', 0), (7, 2, 'GUARD', '', 1), (8, 1, 'PASS', 'd5', 1));
INSERT INTO ceiling WITH x (r, d) AS (VALUES (3, 1), (3, 2), (5, 1), (5, 3)), c (name, unit, value) AS (VALUES ('copy', 'bytes/s', 1.0e10),
    ('copy_hot', 'bytes/s', 4.0e10), ('fma_f32', 'flop/s', 1.0e11), ('launch', 'ns', 5000.0), ('timer', 'ns', 20.0))
SELECT r, d, 1, name, unit, value FROM x, c;
-- run, device, case, kernel, lane, process, samples, median, spread, verdict
INSERT INTO bench (run_id, device_id, case_id, kernel_id, lane, side, invocation, warmups, calls, count, rejected, median_ns, mad_ns, q1_ns,
    q3_ns, min_ns, lag1, launch_ns, dispatches, flops, bytes, roofline, digest, verdict, reason, recorded_utc)
WITH b (r, d, c, k, lane, p, n, ns, mad, verdict) AS (VALUES
    (3, 1, 2, 1, 'cold', 1, 20, 12000.0, 240.0, 'PASS'), (3, 1, 2, 1, 'cold', 2, 20, 12100.0, 200.0, 'PASS'),
    (3, 1, 2, 1, 'hot', 1, 64, 8000.0, 80.0, 'PASS'), (3, 2, 2, 2, 'cold', 1, 20, 60000.0, 900.0, 'PASS'),
    (3, 2, 2, 2, 'hot', 1, 6, 50000.0, 500.0, 'PASS'), (3, 2, 1, 2, 'hot', 1, 20, 90000.0, 30000.0, 'INCONCLUSIVE'),
    (3, 2, 2, 3, 'hot', 1, 20, NULL, NULL, 'DIFF'),
    (5, 1, 2, 1, 'cold', 1, 20, 12000.0, 240.0, 'PASS'), (5, 1, 2, 1, 'hot', 1, 20, 8000.0, 80.0, 'PASS'),
    (5, 1, 1, 1, 'hot', 1, 20, 9000.0, 90.0, 'PASS'), (5, 1, 6, 1, 'hot', 1, 20, 1000.0, 10.0, 'PASS'),
    (5, 3, 2, 5, 'cold', 1, 20, 3000.0, 60.0, 'PASS'), (5, 3, 2, 5, 'hot', 1, 20, 7900.0, 79.0, 'PASS'),
    (5, 3, 1, 5, 'hot', 1, 5, 900.0, 9.0, 'PASS'), (5, 3, 6, 5, 'hot', 1, 20, 5000.0, 10.0, 'PASS'))
SELECT r, d, c, k, lane, '', p, 3, 1, n, CASE p WHEN 2 THEN 1 ELSE 0 END, ns, mad, ns, ns, ns * 0.9, 0.0, 5000.0, 1,
    (SELECT flops FROM op_case WHERE case_id = c), 49152.0, 4000.0 / ns, 'd' || c, verdict,
    CASE verdict WHEN 'PASS' THEN '' WHEN 'DIFF' THEN 'digest | not the judged one' ELSE 'unstable: the spread is 33 % of the median' END,
    '2026-01-02T11:00:01.000Z' FROM b;
INSERT INTO mutant VALUES (3, 'flip|one bit', 1, 'DIFF', '1 of 64'), (3, 'nothing <at all>', 0, 'PASS', 'not seen');
INSERT INTO trust (run_id, device_id, recorded_utc, state, reason, path, record) VALUES (2, 2, '2026-01-02T10:01:00.000Z', 'withdrawn',
    '4 cases failed', '/trust/x.json', '{}');
