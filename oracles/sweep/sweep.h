/* Checks of a whole card as operators: every compute unit, the memory, and the ways in and out. Cases: define.c; right
 * answers: contract.c. It must know nothing of the kernels that it judges.
 *
 * All but SweepUpload take K f32 [2] as two words of bits, k0 and k1, so that the seed counts. Sums are modulo 2^32.
 *
 *     mix(z): z ^= z >> 16; z *= 85ebca6b; z ^= z >> 13; z *= c2b2ae35; z ^= z >> 16
 *
 * SweepUnits: Y i32 [units, 4]. A unit's 256 chains, t = 0 .. 255, start from x = mix(k0 + t * 9e3779b9), f = the number in
 * [1, 2) with the fraction of x, h = k1 ^ x; then r = 0 .. rounds - 1:
 *     x = mix(x + r); a = sign and fraction of x at [0.5, 1); x = mix(x ^ h); b = sign and fraction of x at [1, 2)
 *     f = fma(a, f, b), rounded once; h = mix(h ^ bits of f)
 * s0 = sum of h, s1 = sum of h * (2t + 1). Row u: the OR and the AND over all visits of unit u of s0, then of s1. So a
 * unit that is right has s0, s0, s1, s1, and one that was never visited 0, -1, 0, -1.
 *
 * SweepMemory: Y i32 [slots, 10]. Slot s is `kib` KiB of memory, word i of it is
 *     address: (k0 | 1) * i + k1 + s * 9e3779b9         walk: 1 << (i + s + k0) % 32
 * in a first pass, the complement in a second. A pass is written everywhere before it is read anywhere. Row s, a pass each:
 * wrong words, OR of their wrong bits, number of the first (-1 = none), sum of the words read, sum of word * (2i + 1).
 *
 * SweepUpload: X f32 [n]; Y i32 [chunks, 2]: of each 4096 words of X the sum, and the sum of word * (2i + 1), i in the chunk.
 * SweepDownload: Y i32 [n]: word i is mix(i * 9e3779b9 + k0) ^ k1. */
#ifndef ASSAY_ORACLES_SWEEP_H
#define ASSAY_ORACLES_SWEEP_H

#include "oracles/oracle.h"

#define SWEEP_UNIT_COLUMNS   4
#define SWEEP_MEMORY_COLUMNS 10
#define SWEEP_CHUNK_WORDS    4096
#define SWEEP_CHUNK_COLUMNS  2

enum { UNITS_UNITS, UNITS_ROUNDS, UNITS_AXES };
enum { MEMORY_SLOTS, MEMORY_KIB, MEMORY_PATTERN, MEMORY_AXES };
enum { TRANSFER_N, TRANSFER_PIECE, TRANSFER_AXES };
enum { MEMORY_ADDRESS, MEMORY_WALK };

void units_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                    int64_t row0, int64_t row1);
void memory_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1);
void upload_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1);
void download_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                       int64_t row0, int64_t row1);

#endif
