#include "textflag.h"
#include "vector_amd64.h"

// Fields of spinsCall.
#define STATE 0
#define CONSTANT 8
#define FIRST 16
#define EDGES 24
#define LIMITS 32
#define BASE 40
#define INDEX 48
#define STRIDE 56
#define GROUPS 64
#define QUADS 72
#define KEYS 80
#define PLACE 88
#define CTR 96

// SPIN draws eight rows of a place by their words x; R10 is at their sums, R11 at their states, R12 has their bases.
#define SPIN(x) \
	VPMOVZXBD (R10), Y8                \
	VPADDD (R12), Y8, Y8               \
	VPCMPEQD Y9, Y9, Y9                \
	VPGATHERDD Y9, (R13)(Y8*4), Y10    \
	VPMINUD x, Y10, Y10                \
	VPCMPEQD x, Y10, Y10               \
	VEXTRACTI128 $1, Y10, X11          \
	VPACKSSDW X11, X10, X10            \
	VPACKSSWB X10, X10, X10            \
	VMOVQ X10, (R11)                   \
	ADDQ R9, R10                       \
	ADDQ R9, R11

// WORD joins the words of rows 0, 2, 4, 6 and 1, 3, 5, 7.
#define WORD(even, odd) \
	VPSLLQ $32, odd, odd             \
	VPBLENDD $0xAA, odd, even, even

// func spinsAVX2(call *spinsCall)
// It is Spins.drawGo, for whole groups of eight rows.
TEXT ·spinsAVX2(SB), NOSPLIT, $0-8
	MOVQ call+0(FP), DI
	MOVQ STRIDE(DI), R9
	MOVQ KEYS(DI), DX
	MOVQ LIMITS(DI), R13
quad:
	// The sums of four places.
	MOVQ INDEX(DI), R10
	MOVQ $4, R8
place:
	MOVQ FIRST(DI), R11
	MOVLQSX 0(R11), SI
	MOVLQSX 4(R11), CX
	ADDQ $4, R11
	MOVQ R11, FIRST(DI)
	SUBQ SI, CX // edges
	SHLQ $3, SI
	ADDQ EDGES(DI), SI
	MOVQ CONSTANT(DI), R11
	VPBROADCASTB (R11), Y7
	INCQ R11
	MOVQ R11, CONSTANT(DI)
	MOVQ STATE(DI), R12
	XORQ BX, BX // row
rows:
	VMOVDQA Y7, Y0
	MOVQ SI, R11
	MOVQ CX, R15
	TESTQ R15, R15
	JZ summed
edge:
	MOVLQSX 0(R11), AX
	ADDQ R12, AX
	VPBROADCASTB 4(R11), Y1
	VPBROADCASTB 5(R11), Y2
	VPXOR (AX)(BX*1), Y1, Y1
	VPAND Y2, Y1, Y1
	VPADDB Y1, Y0, Y0
	ADDQ $8, R11
	DECQ R15
	JNZ edge
summed:
	VMOVDQU Y0, (R10)(BX*1)
	ADDQ $32, BX
	CMPQ BX, R9
	JLT rows
	ADDQ R9, R10
	DECQ R8
	JNZ place

	// Their states.
	XORQ BX, BX
	MOVQ GROUPS(DI), R8
group:
	VPBROADCASTD CTR(DI), Y0
	VPBROADCASTD CTR+4(DI), Y1
	VPBROADCASTD CTR+8(DI), Y2
	VPADDD ·lanes32(SB), Y2, Y2
	VMOVD BX, X3
	VPBROADCASTD X3, Y3
	VPADDD Y3, Y2, Y2
	VPBROADCASTD CTR+12(DI), Y3
	VMOVDQA Y0, Y4
	VMOVDQA Y1, Y5
	VPSRLQ $32, Y2, Y6
	VMOVDQA Y3, Y7
	VMOVDQU ·philoxm0(SB), Y10
	VMOVDQU ·philoxm1(SB), Y11
	ROUNDS(0)
	ROUNDS(8)
	ROUNDS(16)
	ROUNDS(24)
	ROUNDS(32)
	ROUNDS(40)
	ROUNDS(48)
	ROUNDS(56)
	ROUNDS(64)
	ROUNDS(72)
	WORD(Y0, Y4)
	WORD(Y1, Y5)
	WORD(Y2, Y6)
	WORD(Y3, Y7)
	MOVQ INDEX(DI), R10
	ADDQ BX, R10
	MOVQ PLACE(DI), R11
	ADDQ BX, R11
	MOVQ BASE(DI), R12
	LEAQ (R12)(BX*4), R12
	SPIN(Y0)
	SPIN(Y1)
	SPIN(Y2)
	SPIN(Y3)
	ADDQ $8, BX
	DECQ R8
	JNZ group
	MOVQ PLACE(DI), R11
	LEAQ (R11)(R9*4), R11
	MOVQ R11, PLACE(DI)
	INCL CTR(DI)
	DECQ QUADS(DI)
	JNZ quad
	VZEROUPPER
	RET
