-- Two runs made by hand for test_report.c. Names are hostile where a device, a driver or a corpus line may be hostile.
-- Run 1: an earlier run that passed on vulkan (software) and failed on cuda. Run 2: every verdict.
INSERT INTO run (run_id, key, started_utc, ended_utc, verb, command, level, engine, engine_version, revision, compiler, flags, host,
    corpus_hash, settings, planned, exit_code, reason)
    VALUES (1, '00000000000000000000000000000001', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:10.000Z',
    'run', 'assay run', 'quick', 'assay', '0.1.0', 'aaaaaaaaaaaa', 'gcc 12.2.0', '-O2', 'Linux 6.1, one processor',
    '0123456789abcdef', '{}', 2, 2, '1 of 2 judged failed');
INSERT INTO run (run_id, key, started_utc, ended_utc, verb, command, level, engine, engine_version, revision, compiler, flags, host,
    corpus_hash, settings, planned, exit_code, reason)
    VALUES (2, '00000000000000000000000000000002', '2026-01-02T10:00:00.000Z', '2026-01-02T10:01:30.500Z',
    'verify', 'build/assay verify --all --allow-software --kernel ''*`x`|y*''', 'quick', 'assay', '0.1.0',
    'bbbbbbbbbbbb-dirty', 'gcc 12.2.0', '-std=c11 -O2 | -g', 'Linux 6.1 <b>x86_64</b>, AMD EPYC, 2 cores',
    'fedcba9876543210', '{"level":"quick","samples":5,"kernel":"*`x`|y*","corpus":null,"oracles":{"contract":"self"},"threads":2}', 16, 2,
    '4 of 11 judged failed');

INSERT INTO device VALUES (1, 'cpu/AMD EPYC', 'cpu', '', 'AMD EPYC 9R14', 'x86-64', 'cpu', NULL, NULL, 0,
    '{"vendor":"AMD (0x1022)","compute_units":2,"device_local_bytes":0,"limits":{"binding_bytes":4294967296,
    "groups":[65535,65535,65535],"group_invocations":1024,"shared_bytes":0}}');
INSERT INTO device VALUES (2, '11111111-2222-3333-4444-555555555555', 'vulkan', 'llvmpipe `15.0.6` | Mesa',
    'llvmpipe <script>alert(1)</script> | *bold* _x_' || char(10) || '# heading', '1.3.230', 'cpu',
    '11111111-2222-3333-4444-555555555555', NULL, 1,
    '{"vendor":"Mesa (0x10005)","compute_units":0,"device_local_bytes":8589934592,"limits":{"binding_bytes":134217728,
    "groups":[65535,65535,65535],"group_invocations":1024,"shared_bytes":32768,"push_bytes":256}}');
INSERT INTO device VALUES (3, '66666666-7777-8888-9999-aaaaaaaaaaaa', 'cuda', 'NVIDIA 580.159', 'NVIDIA H200',
    'CUDA 13.0 sm_90', 'discrete', '66666666-7777-8888-9999-aaaaaaaaaaaa', '0000:1b:00.0', 0, 'no JSON at all');

INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) VALUES (1, 2, 'vulkan:0', 1, '', 'native', 'fused and right', '{}');
INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) VALUES (1, 3, 'cuda:0', 1, '', 'native', 'fused and right', '{}');
INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) VALUES (2, 1, 'cpu', 1, '', 'native', 'the processor''s fma is right', '{}');
INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) VALUES (2, 2, 'vulkan:0', 1, '', 'emulated', 'Fma is not fused: 17 of 4,096 <wrong>',
    '{"controls":"rte szinp","traits":[],"kernels":[{"name":"matmul.vulkan.tile128.exact","variants":["native"]},'
    || '{"name":"matmul.vulkan.tile64.exact","variants":["native","emulated"]},{"name":"q1_0.vulkan.quantize.exact",'
    || '"variants":[]},{"name":"matmul.vulkan.tile128d8.exact","variants":["native"]}]}');
INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) VALUES (2, 3, 'cuda:0', 0, 'locked by process 42 `rm -rf`', '', '', '{}');

INSERT INTO trait VALUES (2, 2, 'fma', '', 0, 4096, 17, 3, '3f800001 3f800001 b3800000 00000000');
INSERT INTO trait VALUES (2, 2, 'fma', '', 1, 64, 0, 0, '');
INSERT INTO trait VALUES (2, 2, 'fma', 'rte szinp', 0, 4096, 17, 3, '3f800001 3f800001 b3800000 00000000');
INSERT INTO trait VALUES (2, 2, 'add', '', 0, 1048576, 0, 0, '');

INSERT INTO kernel VALUES (1, 'matmul.cpu.avx2.exact', '1111111111111111', 'native', 'MatMul', 'cpu', 'avx2', 'exact', 'f32');
INSERT INTO kernel VALUES (2, 'matmul.vulkan.tile64.exact', '2222222222222222', 'emulated', 'MatMul', 'vulkan', 'tile64',
    'exact', 'f32');
INSERT INTO kernel VALUES (3, 'matmul.vulkan.coop|mat.fast', '3333333333333333', 'native', 'MatMul', 'vulkan', 'coop|mat',
    'fast', 'f32');

INSERT INTO op_case VALUES (1, 'matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f', 'matmul', 'f32', 'cancel', 1892352);
INSERT INTO op_case VALUES (2, 'matmul/f32/m=64,n=64,k=64/fill=normal/seed=1', 'matmul', 'f32', 'normal', 524288);
INSERT INTO op_case VALUES (3, 'matmul/f32/m=1,n=1,k=1/fill=special/seed=1', 'matmul', 'f32', 'special', 2);
INSERT INTO op_case VALUES (4, 'onnx/test_`matmul`|_2d', 'matmul', 'f32', '', 0);
INSERT INTO op_case VALUES (5, 'matmul/f32/m=4096,n=4096,k=4096/fill=normal/seed=1', 'matmul', 'f32', 'normal', 137438953472);
INSERT INTO op_case VALUES (6, 'matmul/f32/m=2,n=2,k=2/fill=wide/seed=1', 'matmul', 'f32', 'wide', 16);
INSERT INTO op_case VALUES (7, 'matmul/f32/m=3,n=3,k=3/fill=ties/seed=1', 'matmul', 'f32', 'ties', 54);

INSERT INTO plan VALUES (1, 1, 2, 2, 'matmul.vulkan.tile64.exact', '', 'command line');
INSERT INTO plan VALUES (1, 2, 2, 3, 'matmul.cuda.tile128.exact', '', 'command line');
INSERT INTO plan VALUES (2, 1, 1, 1, 'matmul.cpu.avx2.exact', 'cancellation: order of additions', 'matmul.cases:17');
INSERT INTO plan VALUES (2, 2, 2, 1, 'matmul.cpu.avx2.exact', 'a square of one tile', 'matmul.cases:20');
INSERT INTO plan VALUES (2, 3, 3, 1, 'matmul.cpu.avx2.exact', 'NaN times 0', 'matmul.cases:30');
INSERT INTO plan VALUES (2, 4, 4, 1, 'matmul.cpu.avx2.exact', 'published', 'onnx.cases:3');
INSERT INTO plan VALUES (2, 5, 1, 2, 'matmul.vulkan.tile64.exact', 'cancellation: order of additions', 'matmul.cases:17');
INSERT INTO plan VALUES (2, 6, 2, 2, 'matmul.vulkan.tile64.exact', 'a square of one tile', 'matmul.cases:20');
INSERT INTO plan VALUES (2, 7, 3, 2, 'matmul.vulkan.tile64.exact', 'NaN times 0', 'matmul.cases:30');
INSERT INTO plan VALUES (2, 8, 4, 2, 'matmul.vulkan.tile64.exact', 'published', 'onnx.cases:3');
INSERT INTO plan VALUES (2, 9, 6, 2, 'matmul.vulkan.tile64.exact', '', 'command line');
INSERT INTO plan VALUES (2, 10, 7, 2, 'matmul.vulkan.tile64.exact', '', 'command line');
INSERT INTO plan VALUES (2, 11, 1, 2, 'matmul.vulkan.coop|mat.fast', '', 'command line');
INSERT INTO plan VALUES (2, 12, 2, 2, 'matmul.vulkan.coop|mat.fast', '', 'command line');
INSERT INTO plan VALUES (2, 13, 3, 2, 'matmul.vulkan.coop|mat.fast', '', 'command line');
INSERT INTO plan VALUES (2, 14, 4, 2, 'matmul.vulkan.coop|mat.fast', 'the unit | rounds <twice>', 'onnx.cases:9');
INSERT INTO plan VALUES (2, 15, 6, 2, 'matmul.vulkan.coop|mat.fast', '', 'command line');
INSERT INTO plan VALUES (2, 16, 7, 2, 'matmul.vulkan.coop|mat.fast', '', 'command line');
INSERT INTO capped VALUES (2, 5, 1, '137 GFLOP are over the cap of 1 GFLOP for a CPU at level quick');
INSERT INTO capped VALUES (2, 5, 2, '137 GFLOP are over the cap of 0.2 GFLOP for a software device at level quick');

-- run, seq, attempt, kernel, verdict, expected, rung, oracle, version, elems, judged, differing, first, got, want, max_ulp,
-- scaled, rms, ulp, bound, published_differing, published_scaled, digest, median_ns, samples, wall_ns, reason, repro, when
INSERT INTO result VALUES
(1, 1, 1, 1, 2, 'PASS', NULL, 'EXACT', 'contract', 1, 4096, 4096, 0, '', '', '', 0.0, 1e-7, 1e-8, 1.0, 0.5, NULL, NULL,
    'd2', 1000, NULL, 5000, '', '', '2026-01-01T00:00:01.000Z'),
(2, 1, 2, 1, NULL, 'HANG', NULL, '', '', 0, 4096, 0, 0, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    '', NULL, NULL, 60000000000, 'no answer in 60 s', 'assay replay x', '2026-01-01T00:00:02.000Z'),
(3, 2, 1, 1, 1, 'PASS', NULL, 'EXACT', 'contract', 1, 231, 231, 0, '', '', '', 0.0, 3.25e-5, 1e-6, 812.5, 0.125, NULL,
    NULL, 'd1', 94800, NULL, 100000, '', '', '2026-01-02T10:00:01.000Z'),
(4, 2, 2, 1, 1, 'PASS', NULL, 'EXACT', 'contract', 1, 4096, 4096, 0, '', '', '', 0.0, 1.19e-7, 1e-8, 1.5, 0.25, NULL,
    NULL, 'd2', 12345, NULL, 100000, '', '', '2026-01-02T10:00:02.000Z'),
(5, 2, 3, 1, 1, 'PASS', NULL, 'EXACT', 'contract', 1, 1, 1, 0, '', '', '', 0.0, 'nan', NULL, NULL, NULL, NULL, NULL, 'd3',
    850, NULL, 100000, '', '', '2026-01-02T10:00:03.000Z'),
(6, 2, 4, 1, 1, 'PASS', NULL, 'EXACT', 'contract', 1, 12, 12, 0, '', '', '', 0.0, 1e-7, 1e-8, 1.0, 0.5, 2, 6.0e-8, 'd4',
    900, NULL, 100000, '', '', '2026-01-02T10:00:04.000Z'),
(7, 2, 5, 1, 2, 'HANG', NULL, '', '', 0, 231, 0, 0, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL,
    60000000000, 'no answer in 60 s', 'assay replay y', '2026-01-02T10:00:05.000Z'),
(8, 2, 5, 2, 2, 'DIFF', NULL, '', 'contract', 1, 231, 231, 12, '[4,1]', '3f8100a2', '3f8100a3', 1.0, 'inf', 1e-6, 900.0,
    1.5, NULL, NULL, 'e1', 88000, NULL, 100000, '',
    'assay replay ''matmul/f32/m=1,n=1,k=33/of=33x7x4096,at=4x1/fill=cancel/seed=1f'' --device vulkan:0',
    '2026-01-02T10:00:06.000Z'),
(9, 2, 6, 1, 2, 'NONDET', NULL, '', 'repeat', 1, 4096, 4096, 1, '[0,0]', '00000000', '7fc00000', 'nan', NULL, NULL, NULL,
    NULL, NULL, NULL, 'd2', 55000, NULL, 100000, 'two runs differ ```' || char(10) || '  repro    rm -rf /',
    'assay replay z', '2026-01-02T10:00:07.000Z'),
(10, 2, 7, 1, NULL, 'SKIP', NULL, '', '', 0, 1, 0, 0, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL,
    10, 'k = 1 | is below the smallest k of 2', 'assay replay s', '2026-01-02T10:00:08.000Z'),
(11, 2, 8, 1, 2, 'PASS', NULL, 'EXACT', 'contract', 1, 12, 12, 0, '', '', '', 0.0, 1e-7, 1e-8, 1.0, 0.5, 2, 'inf', 'd4',
    70000, NULL, 100000, '', '', '2026-01-02T10:00:09.000Z'),
(12, 2, 9, 1, 2, 'GUARD', NULL, '', 'contract', 1, 4, 4, 0, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '',
    40000, NULL, 100000, '4 bytes behind the output were written', 'assay replay g', '2026-01-02T10:00:10.000Z'),
(13, 2, 10, 1, NULL, 'ERROR', NULL, '', '', 0, 9, 0, 0, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL,
    NULL, 10, 'vkAllocateMemory failed: VK_ERROR_OUT_OF_HOST_MEMORY', 'assay replay e', '2026-01-02T10:00:11.000Z'),
(14, 2, 11, 1, 3, 'UNPROVEN', NULL, '', 'contract', 1, 231, 231, 200, '', '', '', 5.0, 1e-3, 1e-4, 5.0, NULL, NULL, NULL,
    'f1', 20000, NULL, 100000, 'no model of this unit', 'assay replay u', '2026-01-02T10:00:12.000Z'),
(15, 2, 12, 1, 3, 'REFLIMITED', NULL, 'BOUND', 'f64', 1, 4096, 4096, 10, '', '', '', 2.0, 1e-7, 1e-8, 1.0, 0.75, NULL,
    NULL, 'f2', 30000, NULL, 100000, 'the reference is outside its bound', '', '2026-01-02T10:00:13.000Z'),
(16, 2, 13, 1, 3, 'DEADREF', NULL, '', 'contract', 1, 1, 1, 0, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '',
    10000, NULL, 100000, 'the reference is all nan', 'assay replay d', '2026-01-02T10:00:14.000Z'),
(17, 2, 14, 1, 3, 'DIFF', 'DIFF', '', 'contract', 1, 12, 12, 3, '[0,0]', '00000001', '00000002', 1.0, NULL, NULL, NULL,
    NULL, NULL, NULL, 'f4', 10000, NULL, 100000, '', '', '2026-01-02T10:00:15.000Z'),
(18, 2, 15, 1, 3, 'PASS', 'DIFF', 'EXACT', 'contract', 1, 4, 4, 0, '', '', '', 0.0, NULL, NULL, NULL, NULL, NULL, NULL,
    'f5', 10000, NULL, 100000, 'expected DIFF', 'assay replay p', '2026-01-02T10:00:16.000Z');
