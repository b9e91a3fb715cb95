// Macros that several functions share.

// SUMS unpacks four words into eight int32: a negative low half has borrowed from
// the high half of its word.
#define SUMS(x, tmp) \
	VPSRLD $31, x, tmp  \
	VPSLLQ $32, tmp, tmp \
	VPADDD tmp, x, x

// EXP32 turns z into num.Exp32(z), for z in its range; t is left in tt.
#define EXP32(z, tt, p, q) \
	VMULPS ·log2e32(SB), z, tt   \
	VADDPS ·magic32(SB), tt, tt  \
	VSUBPS ·magic32(SB), tt, p   \
	VMULPS ·ln2hi32(SB), p, q    \
	VSUBPS q, z, z                \
	VMULPS ·ln2lo32(SB), p, q    \
	VSUBPS q, z, z                \
	VMULPS ·exp32c4(SB), z, p    \
	VADDPS ·exp32c3(SB), p, p    \
	VMULPS z, p, p                \
	VADDPS ·exp32c2(SB), p, p    \
	VMULPS z, p, p                \
	VADDPS ·exp32c1(SB), p, p    \
	VMULPS z, p, p                \
	VADDPS ·exp32c0(SB), p, p    \
	VMULPS z, z, q                \
	VMULPS q, p, p                \
	VADDPS p, z, z                \
	VADDPS ·one32(SB), z, z      \
	VPSLLD $23, tt, tt            \
	VPADDD tt, z, z

// EXP512 turns z into num.Exp32(z), for z in its range.
#define EXP512(z, tt, p, q) \
	VMULPS.BCST ·log2e32(SB), z, tt  \
	VADDPS.BCST ·magic32(SB), tt, tt \
	VSUBPS.BCST ·magic32(SB), tt, p  \
	VMULPS.BCST ·ln2hi32(SB), p, q   \
	VSUBPS q, z, z                   \
	VMULPS.BCST ·ln2lo32(SB), p, q   \
	VSUBPS q, z, z                   \
	VMULPS.BCST ·exp32c4(SB), z, p   \
	VADDPS.BCST ·exp32c3(SB), p, p   \
	VMULPS z, p, p                   \
	VADDPS.BCST ·exp32c2(SB), p, p   \
	VMULPS z, p, p                   \
	VADDPS.BCST ·exp32c1(SB), p, p   \
	VMULPS z, p, p                   \
	VADDPS.BCST ·exp32c0(SB), p, p   \
	VMULPS z, z, q                   \
	VMULPS q, p, p                   \
	VADDPS p, z, z                   \
	VADDPS.BCST ·one32(SB), z, z     \
	VPSLLD $23, tt, tt               \
	VPADDD tt, z, z

// EXP sets Y5 to num.Exp(Y4), for |Y4| <= 708; it uses Y6 to Y13.
#define EXP \
	VMULPD ·log2e64(SB), Y4, Y5   \
	VADDPD ·magic64(SB), Y5, Y5   \
	VSUBPD ·magic64(SB), Y5, Y6   \
	VMULPD ·ln2hi64(SB), Y6, Y7   \
	VSUBPD Y7, Y4, Y7              \
	VMULPD ·ln2lo64(SB), Y6, Y6   \
	VSUBPD Y6, Y7, Y8              \
	VMULPD Y8, Y8, Y9              \
	VMULPD ·expc1(SB), Y8, Y10    \
	VADDPD ·expc0(SB), Y10, Y10   \
	VMULPD ·expc3(SB), Y8, Y11    \
	VADDPD ·expc2(SB), Y11, Y11   \
	VMULPD Y9, Y11, Y11            \
	VADDPD Y11, Y10, Y10           \
	VMULPD ·expc5(SB), Y8, Y11    \
	VADDPD ·expc4(SB), Y11, Y11   \
	VMULPD ·expc7(SB), Y8, Y12    \
	VADDPD ·expc6(SB), Y12, Y12   \
	VMULPD Y9, Y12, Y12            \
	VADDPD Y12, Y11, Y11           \
	VMULPD ·expc9(SB), Y8, Y12    \
	VADDPD ·expc8(SB), Y12, Y12   \
	VMULPD ·expc10(SB), Y9, Y13   \
	VADDPD Y13, Y12, Y12           \
	VMULPD Y9, Y9, Y13             \
	VMULPD Y13, Y12, Y12           \
	VADDPD Y12, Y11, Y11           \
	VMULPD Y13, Y11, Y11           \
	VADDPD Y11, Y10, Y10           \
	VMULPD Y9, Y10, Y10            \
	VSUBPD Y6, Y10, Y10            \
	VADDPD Y10, Y7, Y7             \
	VADDPD ·one64(SB), Y7, Y7     \
	VPSLLQ $52, Y5, Y5             \
	VPADDQ Y5, Y7, Y5

// A round of Philox on four blocks: words x0 to x3 in the low halves of 64-bit
// lanes; the high halves are ignored. Round keys are at off(DX).
#define ROUND(x0, x1, x2, x3) \
	VPMULUDQ x0, Y10, Y8  \
	VPMULUDQ x2, Y11, Y9  \
	VPSRLQ $32, Y9, x0    \
	VPXOR x1, x0, x0      \
	VPXOR Y12, x0, x0     \
	VPSRLQ $32, Y8, x2    \
	VPXOR x3, x2, x2      \
	VPXOR Y13, x2, x2     \
	VMOVDQA Y9, x1        \
	VMOVDQA Y8, x3

#define ROUNDS(off) \
	VPBROADCASTD off(DX), Y12   \
	VPBROADCASTD off+4(DX), Y13 \
	ROUND(Y0, Y1, Y2, Y3)       \
	ROUND(Y4, Y5, Y6, Y7)

// CHANGES writes, for a block of 32 units whose new states are in R10, those that turn on and those that turn off to
// DI, and advances to the next block. NOW is as in draw_amd64.s.
#define CHANGES(NOW) \
	VMOVDQU (R8), Y0 \
	VPSLLW $7, Y0, Y0 \
	VPMOVMSKB Y0, R11 \
	NOW \
	MOVL R11, R12 \
	NOTL R12 \
	ANDL R10, R12 \
	NOTL R10 \
	ANDL R11, R10 \
	MOVL R12, 0(DI) \
	MOVL R10, 4(DI) \
	ADDQ $8, DI \
	ADDQ $128, SI \
	ADDQ $32, R8
