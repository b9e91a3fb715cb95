#include "textflag.h"

// Sums of rows of weights, with vectors of 256 bits (AVX2) and of 512 bits (AVX-512). The numbers are integers, so that
// any order gives the same bits.

// ADD1 adds one row to eight words of acc, or subtracts it: OP is VPADDQ or VPSUBQ. ADD4 does this for four rows.
#define ADD1(OP, MOVE, off, A) \
	MOVE off(DI)(AX*1), A      \
	OP off(R10)(AX*1), A, A    \
	MOVE A, off(DI)(AX*1)

#define ADD4(OP, MOVE, off, A, B) \
	MOVE off(R10)(AX*1), A        \
	VPADDQ off(R11)(AX*1), A, A   \
	MOVE off(R12)(AX*1), B        \
	VPADDQ off(R13)(AX*1), B, B   \
	VPADDQ B, A, A                \
	MOVE off(DI)(AX*1), B         \
	OP A, B, B                    \
	MOVE B, off(DI)(AX*1)

#define ADD1_256(OP) ADD1(OP, VMOVDQU, 0, Y0); ADD1(OP, VMOVDQU, 32, Y0)
#define ADD4_256(OP) ADD4(OP, VMOVDQU, 0, Y0, Y1); ADD4(OP, VMOVDQU, 32, Y0, Y1)
#define ADD1_512(OP) ADD1(OP, VMOVDQU64, 0, Z0)
#define ADD4_512(OP) ADD4(OP, VMOVDQU64, 0, Z0, Z1)

// ROWS does this for all words, a multiple of eight: acc in DI, words in CX, w in SI, stride in DX, rows in R8, count
// in R9.
#define ROWS(ONE, FOUR, OP) \
	MOVQ acc+0(FP), DI        \
	MOVQ words+8(FP), CX      \
	MOVQ w+16(FP), SI         \
	MOVQ stride+24(FP), DX    \
	MOVQ rows+32(FP), R8      \
	MOVQ count+40(FP), R9     \
	SHLQ $3, CX               \
	SHLQ $3, DX               \
four:                         \
	SUBQ $4, R9               \
	JLT rest                  \
	MOVWQZX 0(R8), R10        \
	MOVWQZX 2(R8), R11        \
	MOVWQZX 4(R8), R12        \
	MOVWQZX 6(R8), R13        \
	ADDQ $8, R8               \
	IMULQ DX, R10             \
	IMULQ DX, R11             \
	IMULQ DX, R12             \
	IMULQ DX, R13             \
	ADDQ SI, R10              \
	ADDQ SI, R11              \
	ADDQ SI, R12              \
	ADDQ SI, R13              \
	XORQ AX, AX               \
loop4:                        \
	FOUR(OP)                  \
	ADDQ $64, AX              \
	CMPQ AX, CX               \
	JLT loop4                 \
	JMP four                  \
rest:                         \
	ADDQ $4, R9               \
one:                          \
	SUBQ $1, R9               \
	JLT done                  \
	MOVWQZX 0(R8), R10        \
	ADDQ $2, R8               \
	IMULQ DX, R10             \
	ADDQ SI, R10              \
	XORQ AX, AX               \
loop1:                        \
	ONE(OP)                   \
	ADDQ $64, AX              \
	CMPQ AX, CX               \
	JLT loop1                 \
	JMP one                   \
done:                         \
	VZEROUPPER                \
	RET

// Two lines of a tile, at AX and DX, are added to two sums.
#define LINES256(OP) \
	OP (SI)(AX*8), Y0, Y0   \
	OP 32(SI)(AX*8), Y1, Y1 \
	OP (SI)(DX*8), Y2, Y2   \
	OP 32(SI)(DX*8), Y3, Y3

#define LINES512(OP) \
	OP (SI)(AX*8), Z0, Z0 \
	OP (SI)(DX*8), Z2, Z2

#define LOAD256 VMOVDQU (R8), Y0; VMOVDQU 32(R8), Y1; VPXOR Y2, Y2, Y2; VPXOR Y3, Y3, Y3
#define LOAD512 VMOVDQU64 (R8), Z0; VPXORQ Z2, Z2, Z2
#define STORE256 VPADDQ Y2, Y0, Y0; VPADDQ Y3, Y1, Y1; VMOVDQU Y0, (R8); VMOVDQU Y1, 32(R8)
#define STORE512 VPADDQ Z2, Z0, Z0; VMOVDQU64 Z0, (R8)

// PAIRS adds the lines of a tile that a part of a list names, two at a time, or subtracts them: OP is VPADDQ or VPSUBQ,
// SI points to the tile, BX to the part, and CX has the number of its pairs.
#define PAIRS(LINES, OP, loop, done) \
	TESTL CX, CX              \
	JZ done                   \
loop:                         \
	MOVWLZX (BX), AX          \
	MOVWLZX 2(BX), DX         \
	SHLL $3, AX               \
	SHLL $3, DX               \
	ADDQ $4, BX               \
	LINES(OP)                 \
	DECL CX                   \
	JNZ loop                  \
done:

// Narrow sums (see tiling) start from 2^15 in each of the four fields of a word, so that none borrows from the next. At
// the end a mask and a shift separate them, 2^15 is subtracted, and they are added to the sums of two wide tiles.
#define NARROW(BROADCAST, A, B, C)    \
	MOVQ $0x8000800080008000, AX \
	MOVQ AX, X4                  \
	BROADCAST X4, A              \
	MOVQ $0x0000FFFF0000FFFF, AX \
	MOVQ AX, X5                  \
	BROADCAST X5, B              \
	MOVQ $0x0000800000008000, AX \
	MOVQ AX, X6                  \
	BROADCAST X6, C              \
	MOVQ shift+80(FP), X7

// PLACE adds the masked sums B to those of a wide tile.
#define PLACE(MOVE, at, B, C) \
	VPSUBQ C, B, B    \
	VPSLLQ X7, B, B   \
	VPADDQ at, B, B   \
	MOVE B, at

#define NARROW256 NARROW(VPBROADCASTQ, Y4, Y5, Y6)
#define NARROW512 NARROW(VPBROADCASTQ, Z4, Z5, Z6)
#define LOADNARROW256 PREFETCHT1 128(R8); VMOVDQA Y4, Y0; VMOVDQA Y4, Y1; VPXOR Y2, Y2, Y2; VPXOR Y3, Y3, Y3
#define LOADNARROW512 PREFETCHT1 128(R8); VMOVDQA64 Z4, Z0; VPXORQ Z2, Z2, Z2
// If only one wide tile remains, the second one is not used.
#define STORENARROW256 \
	VPADDQ Y2, Y0, Y0                \
	VPADDQ Y3, Y1, Y1                \
	VPAND Y5, Y0, Y2                 \
	VPAND Y5, Y1, Y3                 \
	PLACE(VMOVDQU, (R8), Y2, Y6)     \
	PLACE(VMOVDQU, 32(R8), Y3, Y6)   \
	CMPQ R13, $1                     \
	JEQ one                          \
	VPSRLQ $16, Y0, Y0               \
	VPSRLQ $16, Y1, Y1               \
	VPAND Y5, Y0, Y0                 \
	VPAND Y5, Y1, Y1                 \
	PLACE(VMOVDQU, 64(R8), Y0, Y6)   \
	PLACE(VMOVDQU, 96(R8), Y1, Y6)   \
one:
#define STORENARROW512 \
	VPADDQ Z2, Z0, Z0                \
	VPANDQ Z5, Z0, Z2                \
	PLACE(VMOVDQU64, (R8), Z2, Z6)   \
	CMPQ R13, $1                     \
	JEQ one                          \
	VPSRLQ $16, Z0, Z0               \
	VPANDQ Z5, Z0, Z0                \
	PLACE(VMOVDQU64, 64(R8), Z0, Z6) \
one:

// TILES updates the sums of all rows, one tile after another or two at a time (WIDE). Strides are in bytes. With each
// row, some lines (ahead) of the next tile are prefetched into the second-level cache.
#define TILES(LOAD, LINES, STORE, WIDE) \
	MOVQ acc+0(FP), DI        \
	MOVQ accStride+8(FP), R12 \
	MOVQ w+24(FP), SI         \
	MOVQ tiles+40(FP), R13    \
	MOVQ listStride+56(FP), R14 \
tile:                         \
	MOVQ DI, R8               \
	MOVQ lists+48(FP), R9     \
	MOVQ pairs+64(FP), R10    \
	MOVQ rows+16(FP), R11     \
	MOVQ wStride+32(FP), R15  \
	ADDQ SI, R15              \
row:                          \
	MOVQ ahead+72(FP), CX     \
next:                         \
	PREFETCHT1 (R15)          \
	ADDQ $64, R15             \
	DECQ CX                   \
	JNZ next                  \
	PREFETCHT1 64(R8)         \
	LOAD                      \
	MOVL 0(R10), CX           \
	MOVQ R9, BX               \
	PAIRS(LINES, VPADDQ, on, onDone) \
	MOVQ R14, BX              \
	SHRQ $1, BX               \
	ADDQ R9, BX               \
	ADDQ R14, R9              \
	MOVL 4(R10), CX           \
	PAIRS(LINES, VPSUBQ, off, offDone) \
	STORE                     \
	ADDQ $8, R10              \
	ADDQ R12, R8              \
	DECQ R11                  \
	JNZ row                   \
	ADDQ $(64*WIDE), DI       \
	ADDQ wStride+32(FP), SI   \
	SUBQ $WIDE, R13           \
	JGT tile                  \
	VZEROUPPER                \
	RET

// func addRowsAVX2(acc *int64, words int, w *int64, stride int, rows *uint16, count int)
TEXT ·addRowsAVX2(SB), NOSPLIT, $0-48
	ROWS(ADD1_256, ADD4_256, VPADDQ)

// func subRowsAVX2(acc *int64, words int, w *int64, stride int, rows *uint16, count int)
TEXT ·subRowsAVX2(SB), NOSPLIT, $0-48
	ROWS(ADD1_256, ADD4_256, VPSUBQ)

// func addRowsAVX512(acc *int64, words int, w *int64, stride int, rows *uint16, count int)
TEXT ·addRowsAVX512(SB), NOSPLIT, $0-48
	ROWS(ADD1_512, ADD4_512, VPADDQ)

// func subRowsAVX512(acc *int64, words int, w *int64, stride int, rows *uint16, count int)
TEXT ·subRowsAVX512(SB), NOSPLIT, $0-48
	ROWS(ADD1_512, ADD4_512, VPSUBQ)

// func addTilesAVX2(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
//	pairs *int32, ahead, shift int)
TEXT ·addTilesAVX2(SB), NOSPLIT, $0-88
	TILES(LOAD256, LINES256, STORE256, 1)

// func addTilesAVX512(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
//	pairs *int32, ahead, shift int)
TEXT ·addTilesAVX512(SB), NOSPLIT, $0-88
	TILES(LOAD512, LINES512, STORE512, 1)

// func addNarrowTilesAVX2(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
//	pairs *int32, ahead, shift int)
TEXT ·addNarrowTilesAVX2(SB), NOSPLIT, $0-88
	NARROW256
	TILES(LOADNARROW256, LINES256, STORENARROW256, 2)

// func addNarrowTilesAVX512(acc *int64, accStride, rows int, w *int64, wStride, tiles int, lists *uint16, listStride int,
//	pairs *int32, ahead, shift int)
TEXT ·addNarrowTilesAVX512(SB), NOSPLIT, $0-88
	NARROW512
	TILES(LOADNARROW512, LINES512, STORENARROW512, 2)
