# Assay: one build, no recursion. Everything that is made lies under build/.
#
#   make            build/libassay.a, build/libassay.so, build/assay
#   make test       checks and quick tests; ends with 'N passed, N failed'     make test-long   the long ones too
#   make verify     judge every device of this machine                         make report      write the report again
#   make dashboard  pages of all runs, in build/verify/dashboard
#   make dist       build/dist/assay: one file for any x86-64 Linux with glibc 2.36 or newer
#   make install    PREFIX (default /usr/local), DESTDIR
#   make check      the source checks alone        make format   clang-format on all sources
#
#   CC=clang   SAN=address,undefined   SAN=thread   NVCC= (build without CUDA kernels)   BUILD=folder
#
# Sources are found by wildcard: a new file, shader or kernel needs no line here. Generated files that do not depend on
# the compiler (shaders, cubins, protobuf code) are shared by all build folders in build/gen.

ifeq ($(origin CC),default)
CC := gcc
endif
PREFIX ?= /usr/local
comma := ,
BUILD ?= build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))
GEN := build/gen
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
FORCE:

# All cores, where nobody says otherwise (-j1 is a word too). Goals named together keep their order: clean before all.
ifeq ($(filter -j%,$(MAKEFLAGS))$(word 2,$(MAKECMDGOALS)),)
MAKEFLAGS += -j$(shell nproc)
endif

# ---- what the machine has ----
# scripts/setup installs missing packages and writes OPENBLAS_CFLAGS, NVCC_FOUND, CUDA_COMPILER; make then starts over.
# A goal that builds nothing needs none of it.
ifneq ($(filter-out clean format,$(or $(MAKECMDGOALS),all)),)
build/setup.mk: FORCE
	@scripts/setup $@
include build/setup.mk
endif

# NVCC= on the command line means no nvcc; anything else names one.
ifeq ($(origin NVCC),undefined)
NVCC := $(NVCC_FOUND)
endif
CUDA_COMPILER := $(if $(NVCC),$(shell scripts/cuda-compiler '$(NVCC)'),$(CLANG_CUDA))

# ---- flags ----
WARNINGS := -Wall -Wextra -Werror
BASE_FLAGS := -std=c11 -D_GNU_SOURCE -O2 -g -ffp-contract=off $(WARNINGS) -fPIC
# gcc warns wrongly about code that a sanitizer rewrote; warnings are errors in every other build.
SAN_FLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all -Wno-error)
ALL_CFLAGS = $(BASE_FLAGS) $(SAN_FLAGS) -I. $(CFLAGS)
# Flags of one source, by its name: instruction sets for vector code, -O3 for the oracles' loops.
source_flags = $(if $(filter %_avx2.c,$<),-mavx2 -mfma -mf16c) \
    $(if $(filter %_avx512.c,$<),-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mavx2) \
    $(if $(filter oracles/%,$<),-O3) $(if $(filter oracles/% harness/% tests/%,$<),$(OPENBLAS_CFLAGS)) \
    $(if $(filter tests/%,$<),-DTEST_BUILD='"$(BUILD)"') $(if $(SAN),-DASSAY_BUILD_SANITIZER='"$(SAN)"')
LIB_LIBS := -ljansson -lpthread -ldl -lm
PROGRAM_LIBS := -lmpfr -lgmp -lsqlite3 -lprotobuf-c -lopenblas $(LIB_LIBS)
TEST_LIBS := -lcmocka

# ---- sources ----
LIB_SRC := $(wildcard devices/*.c kernels/*.c kernels/*/*.c)
PROGRAM_SRC := $(wildcard oracles/*.c oracles/*/*.c harness/*.c harness/adapters/*.c reports/*.c)
TEST_SRC := $(wildcard tests/*.c)
COMP_SRC := $(wildcard devices/*.comp kernels/*/*.comp)
CUDA_SRC := $(wildcard devices/*.cu kernels/*/*.cu)
TEXTS := $(wildcard harness/*.sql reports/*.sql reports/*.gp reports/*.md reports/*.html reports/*.css reports/*.js \
    corpus/*.cases corpus/*.txt corpus/models/*.cases corpus/golden/*.txt)

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
# kernels/graph reads ONNX files through protobuf-c. Its objects are in libassay.a, where a program that does not use
# them does not link them; libassay.so is the engine alone and needs no protobuf.
PB_OBJ := $(BUILD)/obj/$(GEN)/onnx.pb-c.o
LIB_OBJ := $(call obj,$(LIB_SRC)) $(BUILD)/obj/blobs.o
ENGINE_OBJ := $(call obj,$(filter-out kernels/graph/%,$(LIB_SRC))) $(BUILD)/obj/blobs.o
PROGRAM_OBJ := $(call obj,$(filter-out harness/main.c,$(PROGRAM_SRC))) $(BUILD)/obj/texts.o \
    $(if $(wildcard harness/assay.proto),$(BUILD)/obj/$(GEN)/assay.pb-c.o)
MAIN_OBJ := $(call obj,$(wildcard harness/main.c))

# ---- shaders: one SPIR-V a .comp, or one a word of its line '// texts: native emulated' ----
# glslang keeps functions that nobody calls; where a source has many, they are taken out.
SPV_NAMES := $(if $(COMP_SRC),$(shell scripts/shader-texts $(COMP_SRC)))
SPV := $(SPV_NAMES:%=$(GEN)/%.spv)

define shader_rule
$(GEN)/$(1).spv: $(2) scripts/check-spirv
	@mkdir -p $$(@D)
	@echo "  glslang  $(1).spv"
	@glslangValidator -V --target-env vulkan1.1 -I. $(3) --depfile $$@.d -o $$@ $$< >$$@.log || { cat $$@.log; exit 1; }
	@$(if $(filter kernels/unary/%,$(2)),spirv-opt --eliminate-dead-functions --eliminate-dead-const $$@ -o $$@)
	@spirv-val --target-env vulkan1.1 $$@
	@scripts/check-spirv $$@ $$<
endef
$(foreach c,$(COMP_SRC),$(foreach n,$(filter $(basename $(c)) $(basename $(c)).%,$(SPV_NAMES)),\
    $(eval $(call shader_rule,$(n),$(c),$(if $(suffix $(n)),-DASSAY_TEXT_$(patsubst .%,%,$(suffix $(n))) -DASSAY_TEXT=$(patsubst .%,%,$(suffix $(n))))))))

# ---- CUDA ----
CUDA_STEMS := $(CUDA_SRC:%.cu=$(GEN)/%)
CUBINS := $(CUDA_STEMS:%=%.sm_80.cubin) $(CUDA_STEMS:%=%.sm_90a.cubin)
PTX := $(CUDA_STEMS:%=%.compute_80.ptx)
NVCC_FLAGS := -fmad=false -ftz=false -prec-div=true -prec-sqrt=true -O3 -std=c++17 -I.
# Which compiler made the CUDA files: they are made again when it changes.
$(GEN)/cuda.stamp: FORCE
	@mkdir -p $(@D)
	@echo '$(CUDA_COMPILER)' | scripts/write-if-changed $@
ifneq ($(NVCC),)
$(GEN)/%.sm_80.cubin: %.cu $(GEN)/cuda.stamp
	@mkdir -p $(@D)
	@echo "  nvcc     $*.sm_80.cubin"
	@$(NVCC) $(NVCC_FLAGS) -cubin -arch=sm_80 -MMD -MF $@.d -MT $@ -o $@ $<
$(GEN)/%.sm_90a.cubin: %.cu $(GEN)/cuda.stamp
	@mkdir -p $(@D)
	@echo "  nvcc     $*.sm_90a.cubin"
	@$(NVCC) $(NVCC_FLAGS) -cubin -arch=sm_90a -MMD -MF $@.d -MT $@ -o $@ $<
$(GEN)/%.compute_80.ptx: %.cu $(GEN)/cuda.stamp scripts/check-ptx
	@mkdir -p $(@D)
	@echo "  nvcc     $*.compute_80.ptx"
	@$(NVCC) $(NVCC_FLAGS) -ptx -arch=compute_80 -MMD -MF $@.d -MT $@ -o $@ $<
	@scripts/check-ptx $@ $<
else
# Without nvcc a cubin is an empty blob, which kernels report as absent; clang compiles the text as a check.
$(GEN)/%.sm_80.cubin $(GEN)/%.sm_90a.cubin: %.cu $(GEN)/cuda.stamp
	@mkdir -p $(@D)
	@: >$(GEN)/$*.sm_80.cubin
	@: >$(GEN)/$*.sm_90a.cubin
$(GEN)/%.compute_80.ptx: %.cu $(GEN)/cuda.stamp scripts/check-ptx
	@mkdir -p $(@D)
	@echo "  clang    $*.compute_80.ptx (check only)"
	@clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -ffp-contract=off -O3 -std=c++17 \
	    -I. -Wno-unknown-cuda-version -MMD -MF $@.d -MT $@ -S -o $@ $<
	@scripts/check-ptx $@ $<
endif

# ---- embedded files: code in the library, texts in the program ----
BLOBS := $(SPV) $(CUBINS) $(PTX)
$(GEN)/blobs.S: FORCE scripts/embed
	@mkdir -p $(@D)
	@scripts/embed $(BLOBS) | scripts/write-if-changed $@
$(GEN)/texts.S: FORCE scripts/embed
	@mkdir -p $(@D)
	@scripts/embed --table $(TEXTS) | scripts/write-if-changed $@
$(BUILD)/obj/blobs.o: $(GEN)/blobs.S $(BLOBS)
$(BUILD)/obj/texts.o: $(GEN)/texts.S $(TEXTS)
$(BUILD)/obj/blobs.o $(BUILD)/obj/texts.o:
	@mkdir -p $(@D)
	@$(CC) -c -o $@ $<

# ---- generated C ----
$(GEN)/version.h: FORCE
	@mkdir -p $(@D)
	@scripts/version '$(CUDA_COMPILER)' '$(BASE_FLAGS)' | scripts/write-if-changed $@
$(GEN)/onnx.pb-c.c: /usr/include/onnx/onnx.proto
	@mkdir -p $(@D)
	@protoc-c --proto_path=$(<D) --c_out=$(GEN) $<
$(GEN)/assay.pb-c.c: harness/assay.proto
	@mkdir -p $(@D)
	@protoc-c --proto_path=$(<D) --c_out=$(GEN) $<
$(GEN)/%.pb-c.h: $(GEN)/%.pb-c.c ;
GEN_HEADERS := $(GEN)/version.h $(if $(wildcard kernels/graph/*.c),$(GEN)/onnx.pb-c.h) \
    $(if $(wildcard harness/assay.proto),$(GEN)/assay.pb-c.h)

# ---- compiling ----
# Objects are made again when the compiler or its flags change.
$(BUILD)/obj/flags.stamp: FORCE
	@mkdir -p $(@D)
	@{ echo '$(CC) $(ALL_CFLAGS)'; $(CC) --version; } | scripts/write-if-changed $@
$(BUILD)/obj/%.o: %.c $(BUILD)/obj/flags.stamp | $(GEN_HEADERS)
	@mkdir -p $(@D)
	@echo "  $(notdir $(CC))  $<"
	@$(CC) $(ALL_CFLAGS) $(source_flags) -MMD -MP -c -o $@ $<

define archive
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^
endef
$(BUILD)/libassay.a: $(LIB_OBJ) $(if $(wildcard kernels/graph/*.c),$(PB_OBJ))
	$(archive)
$(BUILD)/libprogram.a: $(PROGRAM_OBJ)
	$(archive)
$(BUILD)/libassay.so: $(ENGINE_OBJ) scripts/libassay.map
	@echo "  link     $@"
	@$(CC) $(SAN_FLAGS) -shared -Wl,-soname,libassay.so -Wl,--version-script=scripts/libassay.map \
	    $(if $(SAN),,-Wl$(comma)-z$(comma)defs) $(LDFLAGS) -o $@ $(ENGINE_OBJ) $(LIB_LIBS)
ARCHIVES := $(BUILD)/libprogram.a $(BUILD)/libassay.a
link_archives = -Wl,--start-group $(ARCHIVES) -Wl,--end-group
$(BUILD)/assay: $(MAIN_OBJ) $(ARCHIVES)
	@echo "  link     $@"
	@$(CC) $(SAN_FLAGS) $(LDFLAGS) -o $@ $(MAIN_OBJ) $(link_archives) $(PROGRAM_LIBS)

PROGRAM := $(if $(MAIN_OBJ),$(BUILD)/assay)
all: $(BUILD)/libassay.a $(BUILD)/libassay.so $(PROGRAM)

# ---- tests ----
# tests/test_X.c and tests/long_X.c are programs; stub_X.c are shared objects (fake drivers and engines); every other .c
# is linked where it is needed. Programs run in the repository root; TEST_BUILD is the build folder as a string.
QUICK_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
LONG_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/long_*.c))
BENCHES := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/bench_*.c))
STUBS := $(patsubst tests/%.c,$(BUILD)/tests/%.so,$(wildcard tests/stub_*.c))
TEST_HELPERS := $(call obj,$(filter-out tests/test_% tests/long_% tests/stub_% tests/bench_%,$(TEST_SRC)))
$(QUICK_TESTS) $(LONG_TESTS) $(BENCHES): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(BUILD)/tests/libtests.a $(ARCHIVES)
	@mkdir -p $(@D)
	@$(CC) $(SAN_FLAGS) $(LDFLAGS) -rdynamic -o $@ $< -Wl,--start-group $(BUILD)/tests/libtests.a $(ARCHIVES) \
	    -Wl,--end-group $(TEST_LIBS) $(PROGRAM_LIBS)
$(BUILD)/tests/libtests.a: $(TEST_HELPERS)
	$(archive)
$(STUBS): $(BUILD)/tests/%.so: $(BUILD)/obj/tests/%.o
	@mkdir -p $(@D)
	@$(CC) $(SAN_FLAGS) -shared $(LDFLAGS) -o $@ $< -lpthread -lm

# Checks of the sources, and of what was built (a sanitizer has nothing to add to them).
BUILT_CHECKS := scripts/check-library scripts/check-install
CHECKS := $(filter-out %/check-ptx %/check-spirv $(BUILT_CHECKS),$(wildcard scripts/check-*))
CHECKS_RUN := $(if $(SAN),,$(CHECKS) $(BUILT_CHECKS))
export BUILD CC
check:
	@scripts/test --build $(BUILD) $(CHECKS)
lint: check
test: all $(STUBS) $(QUICK_TESTS)
	@scripts/test --build $(BUILD) --san '$(SAN)' $(CHECKS_RUN) $(QUICK_TESTS)
test-long: all $(STUBS) $(QUICK_TESTS) $(LONG_TESTS)
	@scripts/test --build $(BUILD) --san '$(SAN)' $(CHECKS_RUN) $(QUICK_TESTS) $(LONG_TESTS)
bench: $(PROGRAM) $(BENCHES)
	@set -e; for b in $(BENCHES); do $$b; done
format:
	@clang-format -i $$(git ls-files '*.c' '*.h' '*.cu')

# ---- the main job ----
VERIFY := build/verify
verify: $(PROGRAM)
	@mkdir -p $(VERIFY)
	@$(BUILD)/assay verify --all --allow-software --level quick --out $(VERIFY) --db $(VERIFY)/assay.db
report: $(PROGRAM)
	@$(BUILD)/assay report --db $(VERIFY)/assay.db --out $(VERIFY)
dashboard: $(PROGRAM)
	@$(BUILD)/assay dashboard --db $(VERIFY)/assay.db --out $(VERIFY)/dashboard

# ---- distribution ----
DIST_STATIC := -Wl,-Bstatic -lsqlite3 -lprotobuf-c -lopenblas -ljansson -lmpfr -lgmp -Wl,-Bdynamic -lpthread -ldl -lm
$(BUILD)/dist/assay: $(MAIN_OBJ) $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  link     $@"
	@$(CC) $(LDFLAGS) -static-libgcc -s -o $@ $(MAIN_OBJ) $(link_archives) $(OPENBLAS_LIBS) $(DIST_STATIC)
dist: $(BUILD)/dist/assay
	@scripts/dist-proof $<

# ---- installation ----
# Headers keep their folders under include/assay and include/assay/assay.h is the way in.
INSTALL_HEADERS := devices/types.h devices/device.h kernels/assay.h kernels/share.h harness/adapter.h
install: all
	@scripts/install --build $(BUILD) --prefix '$(PREFIX)' --destdir '$(DESTDIR)' $(INSTALL_HEADERS)

clean:
	rm -rf build

# A header that a dependency file names and that is gone is the compiler's to complain about.
%.h: ;

.PHONY: FORCE all check lint test test-long bench format verify report dashboard dist install clean
-include $(shell find build -name '*.d' 2>/dev/null)
