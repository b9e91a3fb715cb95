#include "textflag.h"
#include "vector_amd64.h"

// Draws with vectors of 256 bits (AVX2): Layer.Draw, with the same operations in the same order.

// BLOCKS orders the words of four blocks (0, 2, 1, 3) by unit: eight in lo, eight in hi.
#define BLOCKS(x0, x1, x2, x3, lo, hi) \
	VPSLLQ $32, x1, Y8          \
	VPBLENDD $0xAA, Y8, x0, x0  \
	VPSLLQ $32, x3, Y9          \
	VPBLENDD $0xAA, Y9, x2, x2  \
	VPUNPCKLQDQ x2, x0, lo      \
	VPUNPCKHQDQ x2, x0, hi

// Y5 has minus the logit of eight units. SIGN reverses its sign for units that are on, if units flip: then it is minus
// the logit of the other state. ODDS turns e^-x in Y4 into the factor of the random number: 1 + e^-x, or e^-x if units
// flip. NOW turns R10, which then has the flips, into the new states; R11 has the old states.
#define AFRESH(soff)
#define FLIPPED(soff) VPMOVZXBD soff(R8), Y6; VPSLLD $31, Y6, Y6; VPXOR Y6, Y5, Y5
#define AFRESHODDS VADDPS ·one32(SB), Y4, Y4
#define FLIPPEDODDS
#define AFRESHNOW
#define FLIPPEDNOW XORL R11, R10

// BERN sets reg to eight bits r*(1 + exp(-x)) < 2^32 or, with FLIPPED, r*exp(-x) < 2^32; it uses Y4 to Y9. The base
// term, Y15 times the numbers at BX, is added unless BX is 0.
#define BERN(r, aoff, boff, soff, reg, label, SIGN, ODDS) \
	VMOVDQU aoff(SI), Y5          \
	SUMS(Y5, Y6)                  \
	VCVTDQ2PS Y5, Y5              \
	VMULPS Y14, Y5, Y5            \
	TESTQ BX, BX                  \
	JZ label                      \
	VMULPS boff(BX), Y15, Y6      \
	VADDPS Y6, Y5, Y5             \
label:                            \
	VXORPS ·sign32(SB), Y5, Y5   \
	SIGN(soff)                    \
	VMOVAPS Y5, Y4                \
	EXP32(Y4, Y6, Y7, Y8)         \
	VCMPPS $0x11, ·exp32min(SB), Y5, Y6 \
	VANDNPS Y4, Y6, Y4            \
	VCMPPS $0x1e, ·exp32max(SB), Y5, Y6 \
	VBLENDVPS Y6, ·inf32(SB), Y4, Y4    \
	ODDS                         \
	VPSRLD $16, r, Y5             \
	VCVTDQ2PS Y5, Y5              \
	VMULPS ·two16f(SB), Y5, Y5   \
	VPAND ·low16(SB), r, Y6      \
	VCVTDQ2PS Y6, Y6              \
	VADDPS Y6, Y5, Y5             \
	VMULPS Y5, Y4, Y4             \
	VCMPPS $0x11, ·two32f(SB), Y4, Y4 \
	VMOVMSKPS Y4, reg

// DRAW writes, for each block of 32 units, those that turn on and those that turn off.
#define DRAW(SIGN, ODDS, NOW) \
	MOVQ flips+0(FP), DI \
	MOVQ blocks+8(FP), CX \
	MOVQ acc+16(FP), SI \
	MOVQ base+24(FP), BX \
	MOVQ state+32(FP), R8 \
	VBROADCASTSS scale+40(FP), Y14 \
	VBROADCASTSS baseScale+44(FP), Y15 \
	MOVQ keys+48(FP), DX \
	MOVQ ctr+56(FP), R9 \
	VPBROADCASTD 0(R9), Y0 \
	VPADDD ·order(SB), Y0, Y0 \
	VMOVDQU Y0, counter-32(SP) \
block: \
	VMOVDQU counter-32(SP), Y0 \
	VPADDD ·four64(SB), Y0, Y4 \
	VPADDD ·eight64(SB), Y0, Y1 \
	VMOVDQU Y1, counter-32(SP) \
	VPBROADCASTD 4(R9), Y1 \
	VPBROADCASTD 8(R9), Y2 \
	VPBROADCASTD 12(R9), Y3 \
	VMOVDQA Y1, Y5 \
	VMOVDQA Y2, Y6 \
	VMOVDQA Y3, Y7 \
	VMOVDQU ·philoxm0(SB), Y10 \
	VMOVDQU ·philoxm1(SB), Y11 \
	ROUNDS(0) \
	ROUNDS(8) \
	ROUNDS(16) \
	ROUNDS(24) \
	ROUNDS(32) \
	ROUNDS(40) \
	ROUNDS(48) \
	ROUNDS(56) \
	ROUNDS(64) \
	ROUNDS(72) \
	BLOCKS(Y0, Y1, Y2, Y3, Y10, Y11) \
	BLOCKS(Y4, Y5, Y6, Y7, Y12, Y13) \
	BERN(Y10, 0, 0, 0, R10, b0, SIGN, ODDS) \
	BERN(Y11, 32, 32, 8, R11, b1, SIGN, ODDS) \
	BERN(Y12, 64, 64, 16, R12, b2, SIGN, ODDS) \
	BERN(Y13, 96, 96, 24, R13, b3, SIGN, ODDS) \
	SHLL $8, R11 \
	SHLL $16, R12 \
	SHLL $24, R13 \
	ORL R11, R10 \
	ORL R13, R12 \
	ORL R12, R10 \
	CHANGES(NOW) \
	TESTQ BX, BX \
	JZ next \
	ADDQ $128, BX \
next: \
	DECQ CX \
	JNZ block \
	VZEROUPPER \
	RET

// func drawAVX2(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
//	ctr *uint32)
TEXT ·drawAVX2(SB), NOSPLIT, $32-64
	DRAW(AFRESH, AFRESHODDS, AFRESHNOW)

// func flipAVX2(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
//	ctr *uint32)
TEXT ·flipAVX2(SB), NOSPLIT, $32-64
	DRAW(FLIPPED, FLIPPEDODDS, FLIPPEDNOW)

// APPEND lists the units of the lowest byte of mask at to, and shifts it out. X0 has the number of the first of them.
#define APPEND(mask, to) \
	MOVBLZX mask, AX             \
	VPMOVZXBW (R8)(AX*8), X1     \
	VPADDW X0, X1, X1            \
	VMOVDQU X1, (to)             \
	POPCNTL AX, AX               \
	LEAQ (to)(AX*2), to          \
	SHRL $8, mask

#define APPENDS APPEND(R10, DI); APPEND(R11, SI); VPADDW X2, X0, X0

// func listAVX2(on, off *uint16, flips *uint32, units int, state *uint8, positions *[256]uint64) (ons, offs int)
// It lists the units that flips, the output of drawAVX2, turn on and off, and changes their states. It writes up to eight
// numbers beyond the end of each list and 32 states at a time; states beyond units do not change.
TEXT ·listAVX2(SB), NOSPLIT, $0-64
	MOVQ on+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ flips+16(FP), DX
	MOVQ units+24(FP), R9
	MOVQ state+32(FP), BX
	MOVQ positions+40(FP), R8
	VPXOR Y0, Y0, Y0
	MOVL $8, AX
	VMOVD AX, X2
	VPBROADCASTW X2, X2
	VMOVDQU ·bytesof32(SB), Y3
	MOVQ $0x8040201008040201, AX
	VMOVQ AX, X4
	VPBROADCASTQ X4, Y4
block:
	MOVL 0(DX), R10
	MOVL 4(DX), R11
	CMPQ R9, $32
	JGE whole
	MOVQ R9, CX // remaining units
	MOVL $1, R12
	SHLL CX, R12
	DECL R12
	ANDL R12, R10
	ANDL R12, R11
whole:
	MOVL R10, R12
	ORL R11, R12
	VMOVD R12, X1
	VPBROADCASTD X1, Y1
	VPSHUFB Y3, Y1, Y1
	VPAND Y4, Y1, Y1
	VPCMPEQB Y4, Y1, Y1
	VPABSB Y1, Y1
	VPXOR (BX), Y1, Y1
	VMOVDQU Y1, (BX)
	APPENDS
	APPENDS
	APPENDS
	APPENDS
	ADDQ $8, DX
	ADDQ $32, BX
	SUBQ $32, R9
	JGT block
	SUBQ on+0(FP), DI
	SUBQ off+8(FP), SI
	SHRQ $1, DI
	SHRQ $1, SI
	MOVQ DI, ons+48(FP)
	MOVQ SI, offs+56(FP)
	VZEROUPPER
	RET
