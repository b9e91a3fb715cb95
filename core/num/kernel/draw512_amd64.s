#include "textflag.h"
#include "vector_amd64.h"

// Draws with vectors of 512 bits (AVX-512): drawAVX2 (draw_amd64.s) for sixteen units at a time, with the same operations in the same
// order.

// ROUND512 is a round of Philox on eight blocks, words in Z0 to Z3; $0x96 is the exclusive or of three.
#define ROUND512(k0, k1) \
	VPMULUDQ.BCST ·philoxm0(SB), Z0, Z8 \
	VPMULUDQ.BCST ·philoxm1(SB), Z2, Z9 \
	VPSRLQ $32, Z9, Z0                  \
	VPTERNLOGQ $0x96, Z1, k0, Z0        \
	VPSRLQ $32, Z8, Z2                  \
	VPTERNLOGQ $0x96, Z3, k1, Z2        \
	VMOVDQA64 Z9, Z1                    \
	VMOVDQA64 Z8, Z3

// SIGN, ODDS and NOW are as in draw_amd64.s.
#define AFRESH512(soff)
#define FLIPPED512(soff) VPMOVZXBD soff(R8), Z6; VPSLLD $31, Z6, Z6; VPXORD Z6, Z5, Z5
#define AFRESHODDS512 VADDPS.BCST ·one32(SB), Z4, Z4
#define FLIPPEDODDS512
#define AFRESHNOW512
#define FLIPPEDNOW512 XORL R11, R10

// BERN512 sets reg to sixteen bits r*(1 + exp(-x)) < 2^32 or, with FLIPPED512, r*exp(-x) < 2^32; it uses Z4 to Z7, and
// adds the base term if there is one.
#define BERN512(r, off, soff, reg, label, SIGN, ODDS) \
	VMOVDQU64 off(SI), Z5                     \
	VPSRLD $31, Z5, Z6                        \
	VPSLLQ $32, Z6, Z6                        \
	VPADDD Z6, Z5, Z5                         \
	VCVTDQ2PS Z5, Z5                          \
	VMULPS Z10, Z5, Z5                        \
	TESTQ BX, BX                              \
	JZ label                                  \
	VMULPS off(BX), Z11, Z6                   \
	VADDPS Z6, Z5, Z5                         \
label:                                        \
	VPXORD.BCST ·sign32(SB), Z5, Z5           \
	SIGN(soff)                                \
	VMOVAPS Z5, Z4                            \
	EXP512(Z4, Z6, Z7, Z8)                    \
	VCMPPS.BCST $0x15, ·exp32min(SB), Z5, K2  \
	VMOVAPS.Z Z4, K2, Z4                      \
	VCMPPS.BCST $0x1e, ·exp32max(SB), Z5, K2  \
	VBROADCASTSS ·inf32(SB), K2, Z4           \
	ODDS                                      \
	VPSRLD $16, r, Z5                         \
	VCVTDQ2PS Z5, Z5                          \
	VMULPS.BCST ·two16f(SB), Z5, Z5           \
	VPANDD.BCST ·low16(SB), r, Z6             \
	VCVTDQ2PS Z6, Z6                          \
	VADDPS Z6, Z5, Z5                         \
	VMULPS Z5, Z4, Z4                         \
	VCMPPS.BCST $0x11, ·two32f(SB), Z4, K2    \
	KMOVW K2, reg

// DRAW512 writes, for each block of 32 units, those that turn on and those that turn off.
#define DRAW512(SIGN, ODDS, NOW) \
	MOVQ flips+0(FP), DI \
	MOVQ blocks+8(FP), CX \
	MOVQ acc+16(FP), SI \
	MOVQ base+24(FP), BX \
	MOVQ state+32(FP), R8 \
	VBROADCASTSS scale+40(FP), Z10 \
	VBROADCASTSS baseScale+44(FP), Z11 \
	MOVQ keys+48(FP), DX \
	MOVQ ctr+56(FP), R9 \
	MOVL 0(R9), R13 \
	MOVL $0xAAAA, AX \
	KMOVW AX, K1 \
	VPBROADCASTD 0(DX), Z12 \
	VPBROADCASTD 4(DX), Z13 \
	VPBROADCASTD 8(DX), Z14 \
	VPBROADCASTD 12(DX), Z15 \
	VPBROADCASTD 16(DX), Z16 \
	VPBROADCASTD 20(DX), Z17 \
	VPBROADCASTD 24(DX), Z18 \
	VPBROADCASTD 28(DX), Z19 \
	VPBROADCASTD 32(DX), Z20 \
	VPBROADCASTD 36(DX), Z21 \
	VPBROADCASTD 40(DX), Z22 \
	VPBROADCASTD 44(DX), Z23 \
	VPBROADCASTD 48(DX), Z24 \
	VPBROADCASTD 52(DX), Z25 \
	VPBROADCASTD 56(DX), Z26 \
	VPBROADCASTD 60(DX), Z27 \
	VPBROADCASTD 64(DX), Z28 \
	VPBROADCASTD 68(DX), Z29 \
	VPBROADCASTD 72(DX), Z30 \
	VPBROADCASTD 76(DX), Z31 \
block: \
	VPBROADCASTD R13, Z0 \
	VPADDD ·order512(SB), Z0, Z0 \
	ADDL $8, R13 \
	VPBROADCASTD 4(R9), Z1 \
	VPBROADCASTD 8(R9), Z2 \
	VPBROADCASTD 12(R9), Z3 \
	ROUND512(Z12, Z13) \
	ROUND512(Z14, Z15) \
	ROUND512(Z16, Z17) \
	ROUND512(Z18, Z19) \
	ROUND512(Z20, Z21) \
	ROUND512(Z22, Z23) \
	ROUND512(Z24, Z25) \
	ROUND512(Z26, Z27) \
	ROUND512(Z28, Z29) \
	ROUND512(Z30, Z31) \
	VPSLLQ $32, Z1, Z1 \
	VPBLENDMD Z1, Z0, K1, Z0 \
	VPSLLQ $32, Z3, Z3 \
	VPBLENDMD Z3, Z2, K1, Z2 \
	VPUNPCKLQDQ Z2, Z0, Z1 \
	VPUNPCKHQDQ Z2, Z0, Z2 \
	BERN512(Z1, 0, 0, R10, first, SIGN, ODDS) \
	BERN512(Z2, 64, 16, R12, second, SIGN, ODDS) \
	SHLL $16, R12 \
	ORL R12, R10 \
	CHANGES(NOW) \
	TESTQ BX, BX \
	JZ last \
	ADDQ $128, BX \
last: \
	DECQ CX \
	JNZ block \
	VZEROUPPER \
	RET

// func drawAVX512(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
//	ctr *uint32)
TEXT ·drawAVX512(SB), NOSPLIT, $0-64
	DRAW512(AFRESH512, AFRESHODDS512, AFRESHNOW512)

// func flipAVX512(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
//	ctr *uint32)
TEXT ·flipAVX512(SB), NOSPLIT, $0-64
	DRAW512(FLIPPED512, FLIPPEDODDS512, FLIPPEDNOW512)
