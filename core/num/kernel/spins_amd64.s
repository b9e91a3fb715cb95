#include "textflag.h"
#include "vector_amd64.h"

// Fields of spinsArgs.
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
#define ALIKES 96
#define CTR 104

// LIMITED sets Y10 to the thresholds of eight rows; R10 points to their sums, R12 to their bases. ALIKE does so if all
// rows have the same rung and at most sixteen sums, whose thresholds are in Y14 and Y15.
#define LIMITED \
	VPMOVZXBD (R10), Y8                \
	VPADDD (R12), Y8, Y8               \
	VPCMPEQD Y9, Y9, Y9                \
	VPGATHERDD Y9, (R13)(Y8*4), Y10

#define ALIKE \
	VPMOVZXBD (R10), Y8                \
	VPERMD Y14, Y8, Y10                \
	VPERMD Y15, Y8, Y9                 \
	VPSLLD $28, Y8, Y8                 \
	VBLENDVPS Y8, Y9, Y10, Y10

// SPIN draws eight rows of a place by their words x; R11 points to their states.
#define SPIN(x, LIMIT) \
	LIMIT                              \
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

// WORDS sets Y0 to Y3 to a block of random numbers of eight rows, the first of which is row BX; ctr is the counter of
// row 0.
#define WORDS(ctr, reg) \
	VPBROADCASTD ctr(reg), Y0 \
	VPBROADCASTD ctr+4(reg), Y1 \
	VPBROADCASTD ctr+8(reg), Y2 \
	VPADDD ·lanes32(SB), Y2, Y2 \
	VMOVD BX, X3 \
	VPBROADCASTD X3, Y3 \
	VPADDD Y3, Y2, Y2 \
	VPBROADCASTD ctr+12(reg), Y3 \
	VMOVDQA Y0, Y4 \
	VMOVDQA Y1, Y5 \
	VPSRLQ $32, Y2, Y6 \
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
	WORD(Y0, Y4) \
	WORD(Y1, Y5) \
	WORD(Y2, Y6) \
	WORD(Y3, Y7)

// func spinsAVX2(call *spinsArgs)
// It is Spins.drawGo, for whole groups of eight rows.
TEXT ·spinsAVX2(SB), NOSPLIT, $0-8
	MOVQ call+0(FP), DI
	MOVQ STRIDE(DI), R9
	MOVQ KEYS(DI), DX
	MOVQ LIMITS(DI), R13
	CMPQ ALIKES(DI), $0
	JEQ quad
	MOVQ BASE(DI), R12
	MOVLQSX (R12), R12
	VMOVDQU (R13)(R12*4), Y14
	VMOVDQU 32(R13)(R12*4), Y15
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
	WORDS(CTR, DI)
	MOVQ INDEX(DI), R10
	ADDQ BX, R10
	MOVQ PLACE(DI), R11
	ADDQ BX, R11
	MOVQ BASE(DI), R12
	LEAQ (R12)(BX*4), R12
	CMPQ ALIKES(DI), $0
	JNE alike
	SPIN(Y0, LIMITED)
	SPIN(Y1, LIMITED)
	SPIN(Y2, LIMITED)
	SPIN(Y3, LIMITED)
	JMP drawn
alike:
	SPIN(Y0, ALIKE)
	SPIN(Y1, ALIKE)
	SPIN(Y2, ALIKE)
	SPIN(Y3, ALIKE)
drawn:
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

#define ADDHALVES(x, even, odd) \
	VPAND Y8, x, Y1           \
	VPADDW Y1, even, even     \
	VPSRLW $8, x, x           \
	VPADDW x, odd, odd

// func energyAVX2(args *energyArgs)
// It is Spins.addGo for halves that are 0.
TEXT ·energyAVX2(SB), NOSPLIT, $0-8
	MOVQ args+0(FP), DI
	VPCMPEQD Y8, Y8, Y8
	VPSRLW $8, Y8, Y8
	MOVQ 56(DI), R9 // stride
	MOVQ 0(DI), R12 // state
	XORQ BX, BX // row
energies:
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	MOVQ 48(DI), R10
	ADDQ BX, R10 // states of the place
	MOVQ 24(DI), DX
	XORQ R8, R8 // place
adding:
	MOVLQSX 0(DX), SI
	MOVLQSX 4(DX), CX
	ADDQ $4, DX
	SUBQ SI, CX // edges
	SHLQ $3, SI
	ADDQ 32(DI), SI
	MOVQ 8(DI), R11
	VPBROADCASTB (R11)(R8*1), Y0
	VMOVDQU (R10), Y3
	TESTQ CX, CX
	JZ added
before:
	MOVLQSX 0(SI), AX
	ADDQ R12, AX
	VPBROADCASTB 4(SI), Y1
	VPBROADCASTB 5(SI), Y2
	VPXOR (AX)(BX*1), Y1, Y1
	VPAND Y2, Y1, Y1
	VPADDB Y1, Y0, Y0
	ADDQ $8, SI
	DECQ CX
	JNZ before
added:
	VPAND Y3, Y0, Y0
	ADDHALVES(Y0, Y4, Y5)
	MOVQ 16(DI), R11
	VPBROADCASTB (R11)(R8*1), Y0
	VPAND Y3, Y0, Y0
	ADDHALVES(Y0, Y6, Y7)
	ADDQ R9, R10
	INCQ R8
	CMPQ R8, 64(DI)
	JLT adding
	MOVQ 40(DI), R11
	ADDQ BX, R11
	VMOVDQU Y4, (R11)
	ADDQ R9, R11
	VMOVDQU Y5, (R11)
	ADDQ R9, R11
	VMOVDQU Y6, (R11)
	ADDQ R9, R11
	VMOVDQU Y7, (R11)
	ADDQ $32, BX
	CMPQ BX, R9
	JLT energies
	VZEROUPPER
	RET

// func wordsAVX2(words *uint32, stride, groups int, keys *rng.Key, ctr *[4]uint32)
// It is RowWords.drawGo, for whole groups of eight rows; stride is in bytes.
TEXT ·wordsAVX2(SB), NOSPLIT, $0-40
	MOVQ words+0(FP), R11
	MOVQ stride+8(FP), R9
	MOVQ groups+16(FP), R8
	MOVQ keys+24(FP), DX
	MOVQ ctr+32(FP), SI
	LEAQ (R9)(R9*2), R10
	XORQ BX, BX
words:
	WORDS(0, SI)
	VMOVDQU Y0, (R11)
	VMOVDQU Y1, (R11)(R9*1)
	VMOVDQU Y2, (R11)(R9*2)
	VMOVDQU Y3, (R11)(R10*1)
	ADDQ $32, R11
	ADDQ $8, BX
	DECQ R8
	JNZ words
	VZEROUPPER
	RET
