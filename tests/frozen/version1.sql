-- A database of schema version 1, as `sqlite3 FILE .dump` printed it: runs of the program of revision 1d3ada9 on the CPU, the
-- software renderer and the faulty engine of the tests. It is never changed: what was written once must always be read.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE run (
    run_id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,               -- random, 32 hex digits: merging is by key
    started_utc TEXT NOT NULL,
    ended_utc TEXT,
    verb TEXT NOT NULL,
    command TEXT NOT NULL,
    level TEXT NOT NULL,
    engine TEXT NOT NULL,
    engine_version TEXT NOT NULL,
    revision TEXT NOT NULL,                 -- git revision of this program
    compiler TEXT NOT NULL,
    flags TEXT NOT NULL,
    host TEXT NOT NULL,                     -- operating system, processor, cores
    corpus_hash TEXT NOT NULL,
    settings TEXT NOT NULL,                 -- JSON: every effective option
    planned INTEGER,                        -- rows of plan
    exit_code INTEGER,
    reason TEXT                             -- of the exit code
) STRICT;
INSERT INTO run VALUES(1,'9eb404ff8832d780157582dbd4f1d69f','2026-11-29T21:53:33.343Z','2026-11-29T21:53:34.054Z','run','build/assay run matmul/f32/m=4,n=6,k=20/fill=normal/seed=1 matmul/f32/m=1,n=1,k=33/fill=normal/seed=2 --device all --allow-software --cuda-lib none --db f.db --quiet','quick','assay','0.1.0','1d3ada9699f5','gcc 12.2.0','-std=c11 -D_GNU_SOURCE -O2 -g -ffp-contract=off -Wall -Wextra -Werror -fPIC','Linux 6.18.44-fc-v669 x86_64, Intel(R) Xeon(R) Processor, 2 cores','e5532fe4e6714250','{"all":false,"allow_software":true,"arguments":["matmul/f32/m=4,n=6,k=20/fill=normal/seed=1","matmul/f32/m=1,n=1,k=33/fill=normal/seed=2"],"corpus":null,"cuda_compiler":"clang 14.0.6 (check only)","cuda_lib":"none","device":["all"],"engine":null,"engine_args":null,"float64":"built-in: OpenBLAS dgemm (OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Prescott MAX_THREADS=64, Prescott) is right, but does not know this processor and is slower","fma":null,"kernel":null,"level":"quick","max_binding":0,"no_cpu_simd":false,"onnx_data":"/usr/share/libonnx-testdata/data","samples":5,"seed_given":false,"threads":0,"timeout_s":60,"vulkan_lib":null,"vulkan_staging":false}',18,0,'all 12 judged passed, 6 not judged');
INSERT INTO run VALUES(2,'74420838a17868bc726c269015b49400','2026-11-29T21:53:34.095Z','2026-11-29T21:53:34.105Z','run','build/assay run matmul/f32/m=4,n=6,k=20/fill=normal/seed=1 matmul/f32/m=0,n=6,k=20/fill=normal/seed=1 --engine build/tests/stub_faulty.so --engine-args flip --device stub:0 --db f.db --quiet','quick','stub','1','1d3ada9699f5','gcc 12.2.0','-std=c11 -D_GNU_SOURCE -O2 -g -ffp-contract=off -Wall -Wextra -Werror -fPIC','Linux 6.18.44-fc-v669 x86_64, Intel(R) Xeon(R) Processor, 2 cores','734c0ff517407d23','{"all":false,"allow_software":false,"arguments":["matmul/f32/m=4,n=6,k=20/fill=normal/seed=1","matmul/f32/m=0,n=6,k=20/fill=normal/seed=1"],"corpus":null,"cuda_compiler":"clang 14.0.6 (check only)","cuda_lib":null,"device":["stub:0"],"engine":"build/tests/stub_faulty.so","engine_args":"flip","float64":"built-in: OpenBLAS dgemm (OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Prescott MAX_THREADS=64, Prescott) is right, but does not know this processor and is slower","fma":null,"kernel":null,"level":"quick","max_binding":0,"no_cpu_simd":false,"onnx_data":"/usr/share/libonnx-testdata/data","samples":5,"seed_given":false,"threads":0,"timeout_s":60,"vulkan_lib":null,"vulkan_staging":false}',2,2,'1 of 2 judged failed');
CREATE TABLE device (
    device_id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,                      -- UUID, or backend, PCI address and name
    backend TEXT NOT NULL,
    driver TEXT NOT NULL,
    name TEXT NOT NULL,
    api TEXT NOT NULL,
    kind TEXT NOT NULL,
    uuid TEXT,
    pci TEXT,
    software INTEGER NOT NULL CHECK (software IN (0, 1)),
    info TEXT NOT NULL,                     -- JSON: all that discovery said
    UNIQUE (key, backend, driver, name)
) STRICT;
INSERT INTO device VALUES(1,'cpu//Intel(R) Xeon(R) Processor','cpu','Linux 6.18.44-fc-v669','Intel(R) Xeon(R) Processor','x86_64 AVX-512','cpu',NULL,NULL,0,'{"index":0,"label":"cpu:0","backend":"cpu","backend_index":0,"key":"cpu//Intel(R) Xeon(R) Processor","name":"Intel(R) Xeon(R) Processor","vendor":"Intel (0x8086)","vendor_id":32902,"device_id":0,"kind":"cpu","api":"x86_64 AVX-512","driver":"Linux 6.18.44-fc-v669","uuid":null,"pci":null,"device_local_bytes":25276502016,"host_visible_device_local":true,"compute_queues":1,"compute_units":2,"count":1,"usd_per_hour":null,"usable":true,"software":false,"duplicate":false,"why":"","limits":{"binding_bytes":25276502016,"allocation_bytes":25276502016,"groups":[2147483647,65535,65535],"group_invocations":1024,"shared_bytes":49152,"push_bytes":128},"vbios":null,"partition":null,"sysfs":null}');
INSERT INTO device VALUES(2,'6d657361-3232-2e33-2e36-000000000000','vulkan','llvmpipe Mesa 22.3.6 (LLVM 15.0.6)','llvmpipe (LLVM 15.0.6, 256 bits)','1.3.230','cpu','6d657361-3232-2e33-2e36-000000000000',NULL,1,'{"index":1,"label":"vulkan:0","backend":"vulkan","backend_index":0,"key":"6d657361-3232-2e33-2e36-000000000000","name":"llvmpipe (LLVM 15.0.6, 256 bits)","vendor":"Mesa (0x10005)","vendor_id":65541,"device_id":0,"kind":"cpu","api":"1.3.230","driver":"llvmpipe Mesa 22.3.6 (LLVM 15.0.6)","uuid":"6d657361-3232-2e33-2e36-000000000000","pci":null,"device_local_bytes":2147483648,"host_visible_device_local":true,"compute_queues":1,"compute_units":0,"count":1,"usd_per_hour":null,"usable":false,"software":true,"duplicate":false,"why":"software renderer (cpu, vendor Mesa (0x10005))","limits":{"binding_bytes":134217728,"allocation_bytes":2147483648,"groups":[65535,65535,65535],"group_invocations":1024,"shared_bytes":32768,"push_bytes":128},"vbios":null,"partition":null,"sysfs":null}');
INSERT INTO device VALUES(3,'stub-0','stub','stub 1','Stub card','none','discrete',NULL,NULL,0,'{"label":"stub:0","backend":"stub","index":0,"name":"Stub card","driver":"stub 1","api":"none","key":"stub-0","uuid":"","pci":"","kind":"discrete","software":false,"usable":true,"why":"","device_local_bytes":67108864}');
CREATE TABLE run_device (                   -- devices of a run, opened or not
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    device_id INTEGER NOT NULL REFERENCES device,
    label TEXT NOT NULL,                    -- "vulkan:0" at that time
    opened INTEGER NOT NULL CHECK (opened IN (0, 1)),
    why TEXT NOT NULL,                      -- why not opened; "" when it was
    variant TEXT NOT NULL,                  -- of the fused multiply-add; "" when not opened
    variant_why TEXT NOT NULL,
    probe TEXT NOT NULL,                    -- JSON of the engine's probe(); "{}" when not opened
    PRIMARY KEY (run_id, device_id)
) STRICT;
INSERT INTO run_device VALUES(1,1,'cpu:0',1,'','native','native: 0 of 196608 known answers wrong','{"engine":"assay","version":"0.1.0","device":{"label":"cpu:0","backend":"cpu","name":"Intel(R) Xeon(R) Processor","driver":"Linux 6.18.44-fc-v669","key":"cpu//Intel(R) Xeon(R) Processor","software":false},"variant":"native","forced":false,"why":"native: 0 of 196608 known answers wrong","controls":"","traits":[{"name":"copy","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"load","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"store","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"fma","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"fma","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"muladd","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"muladd","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"two_sum","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add_zero","controls":"","literal":true,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"mul_zero","controls":"","literal":true,"tested":16384,"wrong":0,"wrong_subnormal":0}],"measured":{"device":"cpu:0","name":"Intel(R) Xeon(R) Processor","driver":"Linux 6.18.44-fc-v669","float_controls_reported":"","fma_fused":true,"fma_keeps_subnormals":true,"contraction_forbidden":true,"contract_is_fma":false,"contract_controls":"","exact_controls":"","add_exact":true,"mul_exact":true,"missing":""},"kernels":[{"name":"matmul.cpu.avx512.exact","op":"MatMul","family":"matmul","backend":"cpu","technique":"avx512","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native"],"present":true,"refused":false,"why":"","code":"3f30f8cf39ab6581"},{"name":"matmul.cpu.avx2.exact","op":"MatMul","family":"matmul","backend":"cpu","technique":"avx2","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native"],"present":true,"refused":false,"why":"","code":"64e4f13311fc94db"},{"name":"matmul.cpu.plain.exact","op":"MatMul","family":"matmul","backend":"cpu","technique":"plain","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"3628eb64b00c78fe"},{"name":"q1_0.cpu.avx512.exact","op":"Q1_0MatMul","family":"q1_0","backend":"cpu","technique":"avx512","mode":"exact","dtype":"f32","order":"eight lanes of fma over blocks ascending from +0, a block''s four exact lane sums added in order, lanes as ((0+4)+(2+6))+((1+5)+(3+7))","variants":["native"],"present":true,"refused":false,"why":"","code":"a6f8dcd46eb67016"},{"name":"q1_0.cpu.avx2.exact","op":"Q1_0MatMul","family":"q1_0","backend":"cpu","technique":"avx2","mode":"exact","dtype":"f32","order":"eight lanes of fma over blocks ascending from +0, a block''s four exact lane sums added in order, lanes as ((0+4)+(2+6))+((1+5)+(3+7))","variants":["native"],"present":true,"refused":false,"why":"","code":"701ee9f6206fa80c"},{"name":"q1_0.cpu.plain.exact","op":"Q1_0MatMul","family":"q1_0","backend":"cpu","technique":"plain","mode":"exact","dtype":"f32","order":"eight lanes of fma over blocks ascending from +0, a block''s four exact lane sums added in order, lanes as ((0+4)+(2+6))+((1+5)+(3+7))","variants":["native","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"2d2b7acc5ed6a1b1"},{"name":"q1_0.cpu.quantize.exact","op":"Q8_0Quantize","family":"q1_0","backend":"cpu","technique":"quantize","mode":"exact","dtype":"u8","order":"no sums; every rounding in integers","variants":[],"present":true,"refused":false,"why":"","code":"1ffed4c17b1b489d"}]}');
INSERT INTO run_device VALUES(1,2,'vulkan:0',1,'','emulated','emulated: 0 of 196608 known answers wrong; not native: Fma is not fused; not contract: a contracted multiply-add is not a fused one; not guarded: Fma is not fused','{"engine":"assay","version":"0.1.0","device":{"label":"vulkan:0","backend":"vulkan","name":"llvmpipe (LLVM 15.0.6, 256 bits)","driver":"llvmpipe Mesa 22.3.6 (LLVM 15.0.6)","key":"6d657361-3232-2e33-2e36-000000000000","software":true},"variant":"emulated","forced":false,"why":"emulated: 0 of 196608 known answers wrong; not native: Fma is not fused; not contract: a contracted multiply-add is not a fused one; not guarded: Fma is not fused","controls":"","traits":[{"name":"copy","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"load","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"store","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"fma","controls":"","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"fma","controls":"","literal":true,"tested":4,"wrong":1,"wrong_subnormal":0,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"contract","controls":"","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"contract","controls":"","literal":true,"tested":4,"wrong":1,"wrong_subnormal":0,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"muladd","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"muladd","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"two_sum","controls":"","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add_zero","controls":"","literal":true,"tested":16384,"wrong":200,"wrong_subnormal":0,"first":["80000000","013a9c6f","811740a4","80000000"]},{"name":"mul_zero","controls":"","literal":true,"tested":16384,"wrong":7918,"wrong_subnormal":1054,"first":["bf2dddac","41000000","4d2585dd","00000000"]},{"name":"copy","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"load","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"store","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"rte","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"rte","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"rte","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"fma","controls":"rte","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"fma","controls":"rte","literal":true,"tested":4,"wrong":1,"wrong_subnormal":0,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"contract","controls":"rte","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"contract","controls":"rte","literal":true,"tested":4,"wrong":1,"wrong_subnormal":0,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"muladd","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"muladd","controls":"rte","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"rte","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"rte","literal":true,"tested":4,"wrong":0,"wrong_subnormal":0},{"name":"two_sum","controls":"rte","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add_zero","controls":"rte","literal":true,"tested":16384,"wrong":200,"wrong_subnormal":0,"first":["80000000","013a9c6f","811740a4","80000000"]},{"name":"mul_zero","controls":"rte","literal":true,"tested":16384,"wrong":7918,"wrong_subnormal":1054,"first":["bf2dddac","41000000","4d2585dd","00000000"]},{"name":"copy","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"load","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"store","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"fma","controls":"rte szinp","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"contract","controls":"rte szinp","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"muladd","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"two_sum","controls":"rte szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add_zero","controls":"rte szinp","literal":true,"tested":16384,"wrong":200,"wrong_subnormal":0,"first":["80000000","013a9c6f","811740a4","80000000"]},{"name":"mul_zero","controls":"rte szinp","literal":true,"tested":16384,"wrong":7918,"wrong_subnormal":1054,"first":["bf2dddac","41000000","4d2585dd","00000000"]},{"name":"copy","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"load","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"store","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sub","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"mul","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"fma","controls":"szinp","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"contract","controls":"szinp","literal":false,"tested":16384,"wrong":1688,"wrong_subnormal":139,"first":["3f800001","3f7ffffe","bf800000","00000000"]},{"name":"muladd","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"div","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"sqrt","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"two_sum","controls":"szinp","literal":false,"tested":16384,"wrong":0,"wrong_subnormal":0},{"name":"add_zero","controls":"szinp","literal":true,"tested":16384,"wrong":200,"wrong_subnormal":0,"first":["80000000","013a9c6f","811740a4","80000000"]},{"name":"mul_zero","controls":"szinp","literal":true,"tested":16384,"wrong":7918,"wrong_subnormal":1054,"first":["bf2dddac","41000000","4d2585dd","00000000"]}],"measured":{"device":"vulkan:0","name":"llvmpipe (LLVM 15.0.6, 256 bits)","driver":"llvmpipe Mesa 22.3.6 (LLVM 15.0.6)","float_controls_reported":"rte szinp","fma_fused":false,"fma_keeps_subnormals":false,"contraction_forbidden":true,"contract_is_fma":false,"contract_controls":"","exact_controls":"","add_exact":true,"mul_exact":true,"missing":""},"kernels":[{"name":"matmul.vulkan.tile128.exact","op":"MatMul","family":"matmul","backend":"vulkan","technique":"tile128","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","contract"],"present":false,"refused":false,"why":"needs 34816 bytes of shared memory, the device has 32768"},{"name":"matmul.vulkan.tile128d8.exact","op":"MatMul","family":"matmul","backend":"vulkan","technique":"tile128d8","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","contract"],"present":true,"refused":false,"why":""},{"name":"matmul.vulkan.tile128x64.exact","op":"MatMul","family":"matmul","backend":"vulkan","technique":"tile128x64","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","contract"],"present":true,"refused":false,"why":""},{"name":"matmul.vulkan.tile64.exact","op":"MatMul","family":"matmul","backend":"vulkan","technique":"tile64","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","contract","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"b526d67e1ed654c4"},{"name":"matmul.vulkan.tile32.exact","op":"MatMul","family":"matmul","backend":"vulkan","technique":"tile32","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","contract","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"090ff2626a2585f1"},{"name":"matmul.vulkan.split.exact","op":"MatMul","family":"matmul","backend":"vulkan","technique":"split","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","contract","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"cf014b06d98b6809"},{"name":"matmul.vulkan.plain.exact","op":"MatMul","family":"matmul","backend":"vulkan","technique":"plain","mode":"exact","dtype":"f32","order":"k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one","variants":["native","contract","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"68585ab44a0d5572"},{"name":"q1_0.vulkan.lane8.exact","op":"Q1_0MatMul","family":"q1_0","backend":"vulkan","technique":"lane8","mode":"exact","dtype":"f32","order":"eight lanes of fma over blocks ascending from +0, a block''s four exact lane sums added in order, lanes as ((0+4)+(2+6))+((1+5)+(3+7))","variants":["native","contract","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"8a8223951cc57270"},{"name":"q1_0.vulkan.lane1.exact","op":"Q1_0MatMul","family":"q1_0","backend":"vulkan","technique":"lane1","mode":"exact","dtype":"f32","order":"eight lanes of fma over blocks ascending from +0, a block''s four exact lane sums added in order, lanes as ((0+4)+(2+6))+((1+5)+(3+7))","variants":["native","contract","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"de0705ced7486b55"},{"name":"q1_0.vulkan.mat.exact","op":"Q1_0MatMul","family":"q1_0","backend":"vulkan","technique":"mat","mode":"exact","dtype":"f32","order":"eight lanes of fma over blocks ascending from +0, a block''s four exact lane sums added in order, lanes as ((0+4)+(2+6))+((1+5)+(3+7))","variants":["native","contract","guarded","emulated","integer"],"present":true,"refused":false,"why":"","code":"73f4c60a3f06d8c6"},{"name":"q1_0.vulkan.quantize.exact","op":"Q8_0Quantize","family":"q1_0","backend":"vulkan","technique":"quantize","mode":"exact","dtype":"u8","order":"no sums; every rounding in integers","variants":[],"present":true,"refused":false,"why":"","code":"e7dce20dac8956ca"}]}');
INSERT INTO run_device VALUES(2,3,'stub:0',1,'','native','it is a stub','{"traits": [{"name": "add", "controls": "", "literal": false, "tested": 10, "wrong": 0, "wrong_subnormal": 0, "first": ""}], "variant": "native", "why": "it is a stub"}');
CREATE TABLE trait (
    run_id INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    controls TEXT NOT NULL,                 -- "", "rte", "szinp", "rte szinp", ...
    literal INTEGER NOT NULL CHECK (literal IN (0, 1)),
    tested INTEGER NOT NULL,
    wrong INTEGER NOT NULL,
    wrong_subnormal INTEGER NOT NULL,
    first TEXT NOT NULL,                    -- "a b c got" in hex, or ""
    PRIMARY KEY (run_id, device_id, name, controls, literal),
    FOREIGN KEY (run_id, device_id) REFERENCES run_device ON DELETE CASCADE
) STRICT;
INSERT INTO trait VALUES(1,1,'copy','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'load','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'store','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'add','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'add','',1,4,0,0,'');
INSERT INTO trait VALUES(1,1,'sub','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'sub','',1,4,0,0,'');
INSERT INTO trait VALUES(1,1,'mul','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'mul','',1,4,0,0,'');
INSERT INTO trait VALUES(1,1,'fma','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'fma','',1,4,0,0,'');
INSERT INTO trait VALUES(1,1,'muladd','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'muladd','',1,4,0,0,'');
INSERT INTO trait VALUES(1,1,'div','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'div','',1,4,0,0,'');
INSERT INTO trait VALUES(1,1,'sqrt','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'sqrt','',1,4,0,0,'');
INSERT INTO trait VALUES(1,1,'two_sum','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'add_zero','',1,16384,0,0,'');
INSERT INTO trait VALUES(1,1,'mul_zero','',1,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'copy','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'load','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'store','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add','',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'sub','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sub','',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'mul','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'mul','',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'fma','',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'fma','',1,4,1,0,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'contract','',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'contract','',1,4,1,0,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'muladd','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'muladd','',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'div','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'div','',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'sqrt','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sqrt','',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'two_sum','',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add_zero','',1,16384,200,0,'80000000 013a9c6f 811740a4 80000000');
INSERT INTO trait VALUES(1,2,'mul_zero','',1,16384,7918,1054,'bf2dddac 41000000 4d2585dd 00000000');
INSERT INTO trait VALUES(1,2,'copy','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'load','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'store','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add','rte',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'sub','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sub','rte',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'mul','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'mul','rte',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'fma','rte',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'fma','rte',1,4,1,0,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'contract','rte',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'contract','rte',1,4,1,0,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'muladd','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'muladd','rte',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'div','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'div','rte',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'sqrt','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sqrt','rte',1,4,0,0,'');
INSERT INTO trait VALUES(1,2,'two_sum','rte',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add_zero','rte',1,16384,200,0,'80000000 013a9c6f 811740a4 80000000');
INSERT INTO trait VALUES(1,2,'mul_zero','rte',1,16384,7918,1054,'bf2dddac 41000000 4d2585dd 00000000');
INSERT INTO trait VALUES(1,2,'copy','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'load','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'store','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sub','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'mul','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'fma','rte szinp',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'contract','rte szinp',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'muladd','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'div','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sqrt','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'two_sum','rte szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add_zero','rte szinp',1,16384,200,0,'80000000 013a9c6f 811740a4 80000000');
INSERT INTO trait VALUES(1,2,'mul_zero','rte szinp',1,16384,7918,1054,'bf2dddac 41000000 4d2585dd 00000000');
INSERT INTO trait VALUES(1,2,'copy','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'load','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'store','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sub','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'mul','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'fma','szinp',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'contract','szinp',0,16384,1688,139,'3f800001 3f7ffffe bf800000 00000000');
INSERT INTO trait VALUES(1,2,'muladd','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'div','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'sqrt','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'two_sum','szinp',0,16384,0,0,'');
INSERT INTO trait VALUES(1,2,'add_zero','szinp',1,16384,200,0,'80000000 013a9c6f 811740a4 80000000');
INSERT INTO trait VALUES(1,2,'mul_zero','szinp',1,16384,7918,1054,'bf2dddac 41000000 4d2585dd 00000000');
INSERT INTO trait VALUES(2,3,'add','',0,10,0,0,'');
CREATE TABLE kernel (
    kernel_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,                     -- "matmul.vulkan.tile64.exact"
    hash TEXT NOT NULL,                     -- of the code as loaded
    variant TEXT NOT NULL,
    op TEXT NOT NULL,
    backend TEXT NOT NULL,
    technique TEXT NOT NULL,
    mode TEXT NOT NULL,
    dtype TEXT NOT NULL,
    UNIQUE (name, hash, variant)
) STRICT;
INSERT INTO kernel VALUES(1,'matmul.cpu.avx512.exact','3db29c2d9ee8512f','native','MatMul','cpu','avx512','exact','f32');
INSERT INTO kernel VALUES(2,'matmul.cpu.avx2.exact','a51887299fad4882','native','MatMul','cpu','avx2','exact','f32');
INSERT INTO kernel VALUES(3,'matmul.cpu.plain.exact','55a1f63fb07c5678','native','MatMul','cpu','plain','exact','f32');
INSERT INTO kernel VALUES(4,'matmul.vulkan.tile64.exact','6b15b4ac8b57670b','emulated','MatMul','vulkan','tile64','exact','f32');
INSERT INTO kernel VALUES(5,'matmul.vulkan.tile32.exact','dc427a769f5afff4','emulated','MatMul','vulkan','tile32','exact','f32');
INSERT INTO kernel VALUES(6,'matmul.vulkan.plain.exact','d2cf991c2f3c7fb3','emulated','MatMul','vulkan','plain','exact','f32');
INSERT INTO kernel VALUES(7,'matmul.stub.plain.exact','0123456789','native','MatMul','stub','plain','exact','f32');
CREATE TABLE op_case (
    case_id INTEGER PRIMARY KEY,
    line TEXT NOT NULL UNIQUE,
    op TEXT NOT NULL,
    dtype TEXT NOT NULL,
    fill TEXT NOT NULL,                     -- "" for onnx cases
    flops REAL NOT NULL
) STRICT;
INSERT INTO op_case VALUES(1,'matmul/f32/m=4,n=6,k=20/fill=normal/seed=1','matmul','f32','normal',960.0);
INSERT INTO op_case VALUES(2,'matmul/f32/m=1,n=1,k=33/fill=normal/seed=2','matmul','f32','normal',66.0);
INSERT INTO op_case VALUES(3,'matmul/f32/m=0,n=6,k=20/fill=normal/seed=1','matmul','f32','normal',0.0);
CREATE TABLE plan (                         -- what a run set out to do, in order; written in one transaction
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    case_id INTEGER NOT NULL REFERENCES op_case,
    device_id INTEGER NOT NULL REFERENCES device,
    kernel TEXT NOT NULL,                   -- kernel name that was asked for
    why TEXT NOT NULL,                      -- why the case exists (corpus comment)
    source TEXT NOT NULL,                   -- "matmul.cases:17" or "command line"
    PRIMARY KEY (run_id, seq)
) STRICT;
INSERT INTO "plan" VALUES(1,0,1,1,'matmul.cpu.avx512.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,1,1,1,'matmul.cpu.avx2.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,2,1,1,'matmul.cpu.plain.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,3,1,2,'matmul.vulkan.tile128d8.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,4,1,2,'matmul.vulkan.tile128x64.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,5,1,2,'matmul.vulkan.tile64.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,6,1,2,'matmul.vulkan.tile32.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,7,1,2,'matmul.vulkan.split.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,8,1,2,'matmul.vulkan.plain.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,9,2,1,'matmul.cpu.avx512.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,10,2,1,'matmul.cpu.avx2.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,11,2,1,'matmul.cpu.plain.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,12,2,2,'matmul.vulkan.tile128d8.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,13,2,2,'matmul.vulkan.tile128x64.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,14,2,2,'matmul.vulkan.tile64.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,15,2,2,'matmul.vulkan.tile32.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,16,2,2,'matmul.vulkan.split.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(1,17,2,2,'matmul.vulkan.plain.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(2,0,1,3,'matmul.stub.plain.exact','given on the command line','command line');
INSERT INTO "plan" VALUES(2,1,3,3,'matmul.stub.plain.exact','given on the command line','command line');
CREATE TABLE result (                       -- append only; one transaction a row with its timing
    result_id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    kernel_id INTEGER REFERENCES kernel,    -- NULL when nothing ran (SKIP, CRASH before the reply)
    verdict TEXT NOT NULL CHECK (verdict IN ('PASS', 'DIFF', 'NONDET', 'GUARD', 'CRASH', 'HANG', 'DEADREF',
        'REFLIMITED', 'UNPROVEN', 'SKIP', 'ERROR')),
    expected TEXT,                          -- a declared expected verdict, NULL = none
    rung TEXT NOT NULL CHECK (rung IN ('', 'BOUND', 'MODEL', 'EXACT')),
    oracle TEXT NOT NULL,                   -- "contract", "golden", ... "" when none judged
    oracle_version INTEGER NOT NULL,
    elems INTEGER NOT NULL,                 -- of the output
    judged INTEGER NOT NULL,                -- elements compared with the contract oracle itself
    differing INTEGER NOT NULL,
    first_index TEXT NOT NULL,              -- "[4,1]" or ""
    got TEXT NOT NULL,                      -- bits in hex, or ""
    want TEXT NOT NULL,
    max_ulp ANY CHECK (typeof(max_ulp) IN ('null', 'real') OR max_ulp IN ('nan', 'inf', '-inf')),
    scaled_f64 ANY CHECK (typeof(scaled_f64) IN ('null', 'real') OR scaled_f64 IN ('nan', 'inf', '-inf')),
    rms_f64 ANY CHECK (typeof(rms_f64) IN ('null', 'real') OR rms_f64 IN ('nan', 'inf', '-inf')),
    ulp_f64 ANY CHECK (typeof(ulp_f64) IN ('null', 'real') OR ulp_f64 IN ('nan', 'inf', '-inf')),
    bound_f64 ANY CHECK (typeof(bound_f64) IN ('null', 'real') OR bound_f64 IN ('nan', 'inf', '-inf')),
    published_differing INTEGER,            -- against tensors published by others; NULL = none published
    published_scaled ANY CHECK (typeof(published_scaled) IN ('null', 'real')
        OR published_scaled IN ('nan', 'inf', '-inf')),
    digest TEXT NOT NULL,                   -- canonical, of the output; "" when none
    median_ns INTEGER,                      -- device time of one run
    samples BLOB,                           -- little-endian int64 ns
    wall_ns INTEGER NOT NULL,
    reason TEXT NOT NULL,                   -- of SKIP, ERROR, GUARD, CRASH, ...; "" for PASS
    repro TEXT NOT NULL,                    -- line to paste; "" for PASS
    recorded_utc TEXT NOT NULL,
    UNIQUE (run_id, seq, attempt),
    FOREIGN KEY (run_id, seq) REFERENCES plan ON DELETE CASCADE
) STRICT;
INSERT INTO result VALUES(1,1,0,1,1,'PASS',NULL,'EXACT','contract',1,24,24,0,'','','',0.0,1.2517642418024401687e-07,8.6222370282738295711e-08,40.5997314453125,0.09415026336094586834,NULL,NULL,'675f7a334aa5b4c2907924a0cf897f09',4979,X'b3140000000000002a210000000000003011000000000000a9120000000000007313000000000000',789903,'','','2026-11-29T21:53:33.728Z');
INSERT INTO result VALUES(2,1,1,1,2,'PASS',NULL,'EXACT','contract',1,24,24,0,'','','',0.0,1.2517642418024401687e-07,8.6222370282738295711e-08,40.5997314453125,0.09415026336094586834,NULL,NULL,'675f7a334aa5b4c2907924a0cf897f09',3385,X'5e0d0000000000001b0e000000000000390d0000000000002e0d0000000000001d0d000000000000',419865,'','','2026-11-29T21:53:33.728Z');
INSERT INTO result VALUES(3,1,2,1,3,'PASS',NULL,'EXACT','contract',1,24,24,0,'','','',0.0,1.2517642418024401687e-07,8.6222370282738295711e-08,40.5997314453125,0.09415026336094586834,NULL,NULL,'675f7a334aa5b4c2907924a0cf897f09',3640,X'540e000000000000380e000000000000420e0000000000002a0e000000000000320e000000000000',454010,'','','2026-11-29T21:53:33.729Z');
INSERT INTO result VALUES(4,1,3,1,NULL,'SKIP',NULL,'','',0,24,0,0,'','','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,111007,'vulkan:0: matmul.vulkan.tile128d8.exact: has no emulated form of the fused multiply-add','','2026-11-29T21:53:33.729Z');
INSERT INTO result VALUES(5,1,4,1,NULL,'SKIP',NULL,'','',0,24,0,0,'','','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,17019,'vulkan:0: matmul.vulkan.tile128x64.exact: has no emulated form of the fused multiply-add','','2026-11-29T21:53:33.729Z');
INSERT INTO result VALUES(6,1,5,1,4,'PASS',NULL,'EXACT','contract',1,24,24,0,'','','',0.0,1.2517642418024401687e-07,8.6222370282738295711e-08,40.5997314453125,0.09415026336094586834,NULL,NULL,'675f7a334aa5b4c2907924a0cf897f09',548185,X'235a0800000000008f60080000000000',117157891,'','','2026-11-29T21:53:33.846Z');
INSERT INTO result VALUES(7,1,6,1,5,'PASS',NULL,'EXACT','contract',1,24,24,0,'','','',0.0,1.2517642418024401687e-07,8.6222370282738295711e-08,40.5997314453125,0.09415026336094586834,NULL,NULL,'675f7a334aa5b4c2907924a0cf897f09',185783,X'7ad7020000000000f5d3020000000000',117557707,'','','2026-11-29T21:53:33.964Z');
INSERT INTO result VALUES(8,1,7,1,NULL,'SKIP',NULL,'','',0,24,0,0,'','','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,35638,'vulkan:0: matmul.vulkan.split.exact: K is 20: it is split from 129 on','','2026-11-29T21:53:33.964Z');
INSERT INTO result VALUES(9,1,8,1,6,'PASS',NULL,'EXACT','contract',1,24,24,0,'','','',0.0,1.2517642418024401687e-07,8.6222370282738295711e-08,40.5997314453125,0.09415026336094586834,NULL,NULL,'675f7a334aa5b4c2907924a0cf897f09',23861,X'355d000000000000355e000000000000285c000000000000',78879313,'','','2026-11-29T21:53:34.043Z');
INSERT INTO result VALUES(10,1,9,1,1,'PASS',NULL,'EXACT','contract',1,1,1,0,'','','',0.0,1.2386349777728704178e-07,1.2386349777728704178e-07,1.904636383056640625,0.0055030963070254786811,NULL,NULL,'75be0b78fe3d61f1b769ca6ba8dfc526',4150,X'da160000000000003610000000000000aa16000000000000080e000000000000600d000000000000',298851,'','','2026-11-29T21:53:34.044Z');
INSERT INTO result VALUES(11,1,10,1,2,'PASS',NULL,'EXACT','contract',1,1,1,0,'','','',0.0,1.2386349777728704178e-07,1.2386349777728704178e-07,1.904636383056640625,0.0055030963070254786811,NULL,NULL,'75be0b78fe3d61f1b769ca6ba8dfc526',3524,X'8610000000000000d811000000000000c40d000000000000a50d0000000000007b0d000000000000',233770,'','','2026-11-29T21:53:34.044Z');
INSERT INTO result VALUES(12,1,11,1,3,'PASS',NULL,'EXACT','contract',1,1,1,0,'','','',0.0,1.2386349777728704178e-07,1.2386349777728704178e-07,1.904636383056640625,0.0055030963070254786811,NULL,NULL,'75be0b78fe3d61f1b769ca6ba8dfc526',3290,X'e80c000000000000cf0c000000000000d80c000000000000150d000000000000da0c000000000000',174189,'','','2026-11-29T21:53:34.045Z');
INSERT INTO result VALUES(13,1,12,1,NULL,'SKIP',NULL,'','',0,1,0,0,'','','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,36319,'vulkan:0: matmul.vulkan.tile128d8.exact: has no emulated form of the fused multiply-add','','2026-11-29T21:53:34.045Z');
INSERT INTO result VALUES(14,1,13,1,NULL,'SKIP',NULL,'','',0,1,0,0,'','','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,18870,'vulkan:0: matmul.vulkan.tile128x64.exact: has no emulated form of the fused multiply-add','','2026-11-29T21:53:34.045Z');
INSERT INTO result VALUES(15,1,14,1,4,'PASS',NULL,'EXACT','contract',1,1,1,0,'','','',0.0,1.2386349777728704178e-07,1.2386349777728704178e-07,1.904636383056640625,0.0055030963070254786811,NULL,NULL,'75be0b78fe3d61f1b769ca6ba8dfc526',685819,X'85330b0000000000fb760a000000000087ab0b0000000000554e0a0000000000a91d0a0000000000',5478345,'','','2026-11-29T21:53:34.050Z');
INSERT INTO result VALUES(16,1,15,1,5,'PASS',NULL,'EXACT','contract',1,1,1,0,'','','',0.0,1.2386349777728704178e-07,1.2386349777728704178e-07,1.904636383056640625,0.0055030963070254786811,NULL,NULL,'75be0b78fe3d61f1b769ca6ba8dfc526',228111,X'dd830400000000000f7b0300000000000a690300000000005e6a0300000000006403040000000000',2125317,'','','2026-11-29T21:53:34.053Z');
INSERT INTO result VALUES(17,1,16,1,NULL,'SKIP',NULL,'','',0,1,0,0,'','','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,24900,'vulkan:0: matmul.vulkan.split.exact: K is 33: it is split from 129 on','','2026-11-29T21:53:34.053Z');
INSERT INTO result VALUES(18,1,17,1,6,'PASS',NULL,'EXACT','contract',1,1,1,0,'','','',0.0,1.2386349777728704178e-07,1.2386349777728704178e-07,1.904636383056640625,0.0055030963070254786811,NULL,NULL,'75be0b78fe3d61f1b769ca6ba8dfc526',36757,X'8ea8000000000000c2a7010000000000958f000000000000fc72000000000000f071000000000000',807659,'','','2026-11-29T21:53:34.054Z');
INSERT INTO result VALUES(19,2,0,1,7,'DIFF',NULL,'','contract',1,24,24,1,'[2,3]','3f734156','3f734157',1.0,1.2517642418024401687e-07,8.6011373230652012943e-08,40.5997314453125,0.09415026336094586834,NULL,NULL,'4271e42e6fe64b314d38e53e3f569dda',1002,X'e803000000000000e903000000000000ea03000000000000eb03000000000000ec03000000000000',183822,'1 of 24 elements differ','assay replay ''matmul/f32/m=1,n=1,k=1/of=4x6x20,at=2x3/fill=normal/seed=1'' --device stub:0 --kernel matmul.stub.plain.exact --engine build/tests/stub_faulty.so --engine-args ''flip''','2026-11-29T21:53:34.105Z');
INSERT INTO result VALUES(20,2,1,1,7,'PASS',NULL,'EXACT','contract',1,0,0,0,'','','',0.0,NULL,NULL,NULL,NULL,NULL,NULL,'99aa06d3014798d86001c324468d497f',1002,X'e803000000000000e903000000000000ea03000000000000eb03000000000000ec03000000000000',57683,'','','2026-11-29T21:53:34.105Z');
CREATE TABLE capped (                       -- cases that the level's work cap left out, by device: listed, not dropped
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    case_id INTEGER NOT NULL REFERENCES op_case,
    device_id INTEGER NOT NULL REFERENCES device,
    reason TEXT NOT NULL,
    PRIMARY KEY (run_id, case_id, device_id)
) STRICT;
CREATE INDEX result_by_run ON result (run_id, seq);
CREATE INDEX plan_by_case ON plan (case_id, device_id);
COMMIT;
PRAGMA application_id = 1095979865;
PRAGMA user_version = 1;
