#include "textflag.h"

// Each function does, lane by lane, the operations of the Go function of the same
// name, in the same order, so that its results have the same bits. There is no
// fused multiplication here, ever.

#define CONST4(name, bits) \
	DATA name<>+0(SB)/8, $(bits<<32|bits) \
	DATA name<>+8(SB)/8, $(bits<<32|bits) \
	DATA name<>+16(SB)/8, $(bits<<32|bits) \
	DATA name<>+24(SB)/8, $(bits<<32|bits) \
	GLOBL name<>(SB), RODATA|NOPTR, $32

#define CONST8(name, bits) \
	DATA name<>+0(SB)/8, $bits \
	DATA name<>+8(SB)/8, $bits \
	DATA name<>+16(SB)/8, $bits \
	DATA name<>+24(SB)/8, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $32

// float32, those of num.Exp32
CONST4(one32, 0x3f800000)
CONST4(sign32, 0x80000000)
CONST4(log2e32, 0x3fb8aa3b)
CONST4(magic32, 0x4b400000)
CONST4(ln2hi32, 0x3f318000)
CONST4(ln2lo32, 0xb95e8083)
CONST4(exp32c0, 0x3efffffe)
CONST4(exp32c1, 0x3e2aaa49)
CONST4(exp32c2, 0x3d2aac78)
CONST4(exp32c3, 0x3c091cea)
CONST4(exp32c4, 0x3ab51238)
CONST4(exp32max, 0x42b16666)
CONST4(exp32min, 0xc2ae999a)
CONST4(inf32, 0x7f800000)
CONST4(two16f, 0x47800000)
CONST4(two32f, 0x4f800000)
CONST4(low16, 0x0000ffff)

// float64, those of num.Exp
CONST8(one64, 0x3ff0000000000000)
CONST8(abs64, 0x7fffffffffffffff)
CONST8(low32, 0x00000000ffffffff)
CONST8(log2e64, 0x3ff71547652b82fe)
CONST8(magic64, 0x4338000000000000)
CONST8(ln2hi64, 0x3fe62e42fefa3800)
CONST8(ln2lo64, 0x3d2ef35793c76730)
CONST8(expleast, 0xc086200000000000)
CONST8(expmost, 0x4086200000000000)
CONST8(sign64, 0x8000000000000000)
CONST8(minus38, 0xc043000000000000)
CONST8(expunder, 0xc0874910d52d3051)
CONST8(expc0, 0x3fe0000000000000)
CONST8(expc1, 0x3fc555555555555b)
CONST8(expc2, 0x3fa5555555555503)
CONST8(expc3, 0x3f8111111110ec73)
CONST8(expc4, 0x3f56c16c16c30375)
CONST8(expc5, 0x3f2a01a01b37721a)
CONST8(expc6, 0x3efa01a0136bbe25)
CONST8(expc7, 0x3ec71ddf0300c160)
CONST8(expc8, 0x3e927e5b41883ba1)
CONST8(expc9, 0x3e5af6bd07de1266)
CONST8(expc10, 0x3e21e3d44f959e86)

// SUMS unpacks four words into eight int32: a negative low half has borrowed from
// the high half of its word.
#define SUMS(x, tmp) \
	VPSRLD $31, x, tmp  \
	VPSLLQ $32, tmp, tmp \
	VPADDD tmp, x, x

// EXP32 turns z into num.Exp32(z), for z in its range; t is left in tt.
#define EXP32(z, tt, p, q) \
	VMULPS log2e32<>(SB), z, tt   \
	VADDPS magic32<>(SB), tt, tt  \
	VSUBPS magic32<>(SB), tt, p   \
	VMULPS ln2hi32<>(SB), p, q    \
	VSUBPS q, z, z                \
	VMULPS ln2lo32<>(SB), p, q    \
	VSUBPS q, z, z                \
	VMULPS exp32c4<>(SB), z, p    \
	VADDPS exp32c3<>(SB), p, p    \
	VMULPS z, p, p                \
	VADDPS exp32c2<>(SB), p, p    \
	VMULPS z, p, p                \
	VADDPS exp32c1<>(SB), p, p    \
	VMULPS z, p, p                \
	VADDPS exp32c0<>(SB), p, p    \
	VMULPS z, z, q                \
	VMULPS q, p, p                \
	VADDPS p, z, z                \
	VADDPS one32<>(SB), z, z      \
	VPSLLD $23, tt, tt            \
	VPADDD tt, z, z

// EXP sets Y5 to num.Exp(Y4), for |Y4| <= 708; it uses Y6 to Y13.
#define EXP \
	VMULPD log2e64<>(SB), Y4, Y5   \
	VADDPD magic64<>(SB), Y5, Y5   \
	VSUBPD magic64<>(SB), Y5, Y6   \
	VMULPD ln2hi64<>(SB), Y6, Y7   \
	VSUBPD Y7, Y4, Y7              \
	VMULPD ln2lo64<>(SB), Y6, Y6   \
	VSUBPD Y6, Y7, Y8              \
	VMULPD Y8, Y8, Y9              \
	VMULPD expc1<>(SB), Y8, Y10    \
	VADDPD expc0<>(SB), Y10, Y10   \
	VMULPD expc3<>(SB), Y8, Y11    \
	VADDPD expc2<>(SB), Y11, Y11   \
	VMULPD Y9, Y11, Y11            \
	VADDPD Y11, Y10, Y10           \
	VMULPD expc5<>(SB), Y8, Y11    \
	VADDPD expc4<>(SB), Y11, Y11   \
	VMULPD expc7<>(SB), Y8, Y12    \
	VADDPD expc6<>(SB), Y12, Y12   \
	VMULPD Y9, Y12, Y12            \
	VADDPD Y12, Y11, Y11           \
	VMULPD expc9<>(SB), Y8, Y12    \
	VADDPD expc8<>(SB), Y12, Y12   \
	VMULPD expc10<>(SB), Y9, Y13   \
	VADDPD Y13, Y12, Y12           \
	VMULPD Y9, Y9, Y13             \
	VMULPD Y13, Y12, Y12           \
	VADDPD Y12, Y11, Y11           \
	VMULPD Y13, Y11, Y11           \
	VADDPD Y11, Y10, Y10           \
	VMULPD Y9, Y10, Y10            \
	VSUBPD Y6, Y10, Y10            \
	VADDPD Y10, Y7, Y7             \
	VADDPD one64<>(SB), Y7, Y7     \
	VPSLLQ $52, Y5, Y5             \
	VPADDQ Y5, Y7, Y5

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET

// ROWS adds rows to acc, of whole eights of words, or subtracts them, four rows at a time: OP is VPADDQ or
// VPSUBQ, acc in DI, words in CX, w in SI, stride in DX, rows in R8, count in R9.
#define ROWS1(OP, off) \
	VMOVDQU off(DI)(AX*1), Y0      \
	OP off(R10)(AX*1), Y0, Y0      \
	VMOVDQU Y0, off(DI)(AX*1)

#define ROWS4(OP, off) \
	VMOVDQU off(R10)(AX*1), Y0     \
	VPADDQ off(R11)(AX*1), Y0, Y0  \
	VMOVDQU off(R12)(AX*1), Y1     \
	VPADDQ off(R13)(AX*1), Y1, Y1  \
	VPADDQ Y1, Y0, Y0              \
	VMOVDQU off(DI)(AX*1), Y1      \
	OP Y0, Y1, Y1                  \
	VMOVDQU Y1, off(DI)(AX*1)

#define ROWS(OP) \
	SHLQ $3, CX               \
	SHLQ $3, DX               \
four:                         \
	SUBQ $4, R9               \
	JLT rest                  \
	MOVLQSX 0(R8), R10        \
	MOVLQSX 4(R8), R11        \
	MOVLQSX 8(R8), R12        \
	MOVLQSX 12(R8), R13       \
	ADDQ $16, R8              \
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
	ROWS4(OP, 0)              \
	ROWS4(OP, 32)             \
	ADDQ $64, AX              \
	CMPQ AX, CX               \
	JLT loop4                 \
	JMP four                  \
rest:                         \
	ADDQ $4, R9               \
one:                          \
	SUBQ $1, R9               \
	JLT done                  \
	MOVLQSX 0(R8), R10        \
	ADDQ $4, R8               \
	IMULQ DX, R10             \
	ADDQ SI, R10              \
	XORQ AX, AX               \
loop1:                        \
	ROWS1(OP, 0)              \
	ROWS1(OP, 32)             \
	ADDQ $64, AX              \
	CMPQ AX, CX               \
	JLT loop1                 \
	JMP one                   \
done:                         \
	VZEROUPPER                \
	RET

// func addRowsAVX2(acc *int64, words int, w *int64, stride int, rows *int32, count int)
TEXT ·addRowsAVX2(SB), NOSPLIT, $0-48
	MOVQ acc+0(FP), DI
	MOVQ words+8(FP), CX
	MOVQ w+16(FP), SI
	MOVQ stride+24(FP), DX
	MOVQ rows+32(FP), R8
	MOVQ count+40(FP), R9
	ROWS(VPADDQ)

// func subRowsAVX2(acc *int64, words int, w *int64, stride int, rows *int32, count int)
TEXT ·subRowsAVX2(SB), NOSPLIT, $0-48
	MOVQ acc+0(FP), DI
	MOVQ words+8(FP), CX
	MOVQ w+16(FP), SI
	MOVQ stride+24(FP), DX
	MOVQ rows+32(FP), R8
	MOVQ count+40(FP), R9
	ROWS(VPSUBQ)

// A round of Philox on four blocks: words x0 to x3 in the low halves of 64-bit
// lanes, whatever is in the high halves. Round keys are at off(DX).
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

// BLOCKS orders the words of four blocks (0, 2, 1, 3) by unit: eight in lo, eight in hi.
#define BLOCKS(x0, x1, x2, x3, lo, hi) \
	VPSLLQ $32, x1, Y8          \
	VPBLENDD $0xAA, Y8, x0, x0  \
	VPSLLQ $32, x3, Y9          \
	VPBLENDD $0xAA, Y9, x2, x2  \
	VPUNPCKLQDQ x2, x0, lo      \
	VPUNPCKHQDQ x2, x0, hi

// BERN sets reg to eight bits r*(1 + exp(-x)) < 2^32; it uses Y4 to Y9, and adds
// the base term from Y4 if it is there.
#define BERN(r, aoff, boff, reg, label) \
	VMOVDQU aoff(SI), Y5          \
	SUMS(Y5, Y6)                  \
	VCVTDQ2PS Y5, Y5              \
	VMULPS Y14, Y5, Y5            \
	TESTQ BX, BX                  \
	JZ label                      \
	VMULPS boff(BX), Y15, Y6      \
	VADDPS Y6, Y5, Y5             \
label:                            \
	VXORPS sign32<>(SB), Y5, Y5   \
	VMOVAPS Y5, Y4                \
	EXP32(Y4, Y6, Y7, Y8)         \
	VCMPPS $0x11, exp32min<>(SB), Y5, Y6 \
	VANDNPS Y4, Y6, Y4            \
	VCMPPS $0x1e, exp32max<>(SB), Y5, Y6 \
	VBLENDVPS Y6, inf32<>(SB), Y4, Y4    \
	VADDPS one32<>(SB), Y4, Y4    \
	VPSRLD $16, r, Y5             \
	VCVTDQ2PS Y5, Y5              \
	VMULPS two16f<>(SB), Y5, Y5   \
	VPAND low16<>(SB), r, Y6      \
	VCVTDQ2PS Y6, Y6              \
	VADDPS Y6, Y5, Y5             \
	VMULPS Y5, Y4, Y4             \
	VCMPPS $0x11, two32f<>(SB), Y4, Y4 \
	VMOVMSKPS Y4, reg

DATA order<>+0(SB)/8, $0
DATA order<>+8(SB)/8, $2
DATA order<>+16(SB)/8, $1
DATA order<>+24(SB)/8, $3
GLOBL order<>(SB), RODATA|NOPTR, $32

CONST8(four64, 4)
CONST8(eight64, 8)
CONST8(philoxm0, 0xD2511F53)
CONST8(philoxm1, 0xCD9E8D57)

// func drawAVX2(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys, ctr *uint32)
// Per block of 32 units: the units that turn on, those that turn off.
TEXT ·drawAVX2(SB), NOSPLIT, $32-64
	MOVQ flips+0(FP), DI
	MOVQ blocks+8(FP), CX
	MOVQ acc+16(FP), SI
	MOVQ base+24(FP), BX
	MOVQ state+32(FP), R8
	VBROADCASTSS scale+40(FP), Y14
	VBROADCASTSS baseScale+44(FP), Y15
	MOVQ keys+48(FP), DX
	MOVQ ctr+56(FP), R9
	VPBROADCASTD 0(R9), Y0
	VPADDD order<>(SB), Y0, Y0
	VMOVDQU Y0, counter-32(SP)
block:
	VMOVDQU counter-32(SP), Y0
	VPADDD four64<>(SB), Y0, Y4
	VPADDD eight64<>(SB), Y0, Y1
	VMOVDQU Y1, counter-32(SP)
	VPBROADCASTD 4(R9), Y1
	VPBROADCASTD 8(R9), Y2
	VPBROADCASTD 12(R9), Y3
	VMOVDQA Y1, Y5
	VMOVDQA Y2, Y6
	VMOVDQA Y3, Y7
	VMOVDQU philoxm0<>(SB), Y10
	VMOVDQU philoxm1<>(SB), Y11
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
	BLOCKS(Y0, Y1, Y2, Y3, Y10, Y11)
	BLOCKS(Y4, Y5, Y6, Y7, Y12, Y13)
	BERN(Y10, 0, 0, R10, b0)
	BERN(Y11, 32, 32, R11, b1)
	BERN(Y12, 64, 64, R12, b2)
	BERN(Y13, 96, 96, R13, b3)
	SHLL $8, R11
	SHLL $16, R12
	SHLL $24, R13
	ORL R11, R10
	ORL R13, R12
	ORL R12, R10
	VMOVDQU (R8), Y0
	VPSLLW $7, Y0, Y0
	VPMOVMSKB Y0, R11
	MOVL R11, R12
	NOTL R12
	ANDL R10, R12
	NOTL R10
	ANDL R11, R10
	MOVL R12, 0(DI)
	MOVL R10, 4(DI)
	ADDQ $8, DI
	ADDQ $128, SI
	ADDQ $32, R8
	TESTQ BX, BX
	JZ next
	ADDQ $128, BX
next:
	DECQ CX
	JNZ block
	VZEROUPPER
	RET

// func factorsAVX2(p *[4]float64, acc *int64, quads int, scale float64)
TEXT ·factorsAVX2(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), DI
	MOVQ acc+8(FP), SI
	MOVQ quads+16(FP), CX
	VBROADCASTSD scale+24(FP), Y15
	VMOVUPD (DI), Y0
	VPXOR X1, X1, X1
quad:
	VMOVDQU (SI), X4
	SUMS(X4, X5)
	VPABSD X4, X4
	VPSUBD X4, X1, X4
	VCVTDQ2PD X4, Y4
	VMULPD Y15, Y4, Y4
	VMAXPD expleast<>(SB), Y4, Y4 // e^-708 adds as little to p as 0
	EXP
	VMULPD Y5, Y0, Y5
	VADDPD Y5, Y0, Y0
	ADDQ $16, SI
	DECQ CX
	JNZ quad
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET

// func extentAVX2(acc *int64, groups int, top *[8]int32, pos, abs *[4]int64)
TEXT ·extentAVX2(SB), NOSPLIT, $0-40
	MOVQ acc+0(FP), SI
	MOVQ groups+8(FP), CX
	VPXOR Y0, Y0, Y0 // zero
	VPXOR Y1, Y1, Y1 // largest
	VPXOR Y2, Y2, Y2 // positive
	VPXOR Y3, Y3, Y3 // absolute
	VMOVDQU low32<>(SB), Y7
group:
	VMOVDQU (SI), Y4
	SUMS(Y4, Y5)
	VPMAXSD Y0, Y4, Y6
	VPABSD Y4, Y4
	VPMAXSD Y4, Y1, Y1
	VPAND Y7, Y6, Y5
	VPADDQ Y5, Y2, Y2
	VPSRLQ $32, Y6, Y6
	VPADDQ Y6, Y2, Y2
	VPAND Y7, Y4, Y5
	VPADDQ Y5, Y3, Y3
	VPSRLQ $32, Y4, Y4
	VPADDQ Y4, Y3, Y3
	ADDQ $32, SI
	DECQ CX
	JNZ group
	MOVQ top+16(FP), DI
	VMOVDQU Y1, (DI)
	MOVQ pos+24(FP), DI
	VMOVDQU Y2, (DI)
	MOVQ abs+32(FP), DI
	VMOVDQU Y3, (DI)
	VZEROUPPER
	RET

// POWER puts exp(scale |x|) of eight units at off(SI) into t.
#define POWER(off, t) \
	VMOVDQU off(SI), t       \
	SUMS(t, Y8)              \
	VPABSD t, t              \
	VCVTDQ2PS t, t           \
	VMULPS Y15, t, t         \
	EXP32(t, Y8, Y9, Y10)

// NODE multiplies 1 + t into the eight lanes in p and squares t.
#define NODE(t, p) \
	VADDPS Y14, t, Y8  \
	VMULPS Y8, p, p    \
	VMULPS t, t, t

// func powersAVX2(p *float32, pairs int, acc *int64, blocks int, scale float32)
// A block is eight words.
TEXT ·powersAVX2(SB), NOSPLIT, $0-36
	MOVQ acc+16(FP), SI
	MOVQ blocks+24(FP), CX
	VBROADCASTSS scale+32(FP), Y15
	VMOVUPS one32<>(SB), Y14
block:
	POWER(0, Y0)
	POWER(32, Y1)
	VMULPS Y0, Y0, Y4
	VMULPS Y1, Y1, Y5
	VMULPS Y4, Y0, Y0
	VMULPS Y5, Y1, Y1
	MOVQ p+0(FP), DI
	MOVQ pairs+8(FP), DX
pair:
	VMOVUPS 0(DI), Y12
	VMOVUPS 32(DI), Y13
	NODE(Y4, Y12)
	NODE(Y0, Y13)
	NODE(Y5, Y12)
	NODE(Y1, Y13)
	VMOVUPS Y12, 0(DI)
	VMOVUPS Y13, 32(DI)
	ADDQ $64, DI
	DECQ DX
	JNZ pair
	ADDQ $64, SI
	DECQ CX
	JNZ block
	VZEROUPPER
	RET

// func combineAVX2(out *float64, n int, w *float64, stride int, y *float64, m int)
// n is a multiple of 4, m at least 2.
TEXT ·combineAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ w+16(FP), SI
	MOVQ stride+24(FP), DX
	SHLQ $3, DX
	MOVQ y+32(FP), R8
	MOVQ m+40(FP), R9
sixteen:
	CMPQ CX, $16
	JLT four
	MOVQ SI, R10
	VBROADCASTSD (R8), Y4
	VMULPD 0(R10), Y4, Y0
	VMULPD 32(R10), Y4, Y1
	VMULPD 64(R10), Y4, Y2
	VMULPD 96(R10), Y4, Y3
	MOVQ $1, AX
term16:
	ADDQ DX, R10
	VBROADCASTSD (R8)(AX*8), Y4
	VMULPD 0(R10), Y4, Y5
	VMULPD 32(R10), Y4, Y6
	VMULPD 64(R10), Y4, Y7
	VMULPD 96(R10), Y4, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	INCQ AX
	CMPQ AX, R9
	JLT term16
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $128, SI
	SUBQ $16, CX
	JMP sixteen
four:
	SUBQ $4, CX
	JLT done
	MOVQ SI, R10
	VBROADCASTSD (R8), Y4
	VMULPD (R10), Y4, Y0
	MOVQ $1, AX
term4:
	ADDQ DX, R10
	VBROADCASTSD (R8)(AX*8), Y4
	VMULPD (R10), Y4, Y5
	VADDPD Y5, Y0, Y0
	INCQ AX
	CMPQ AX, R9
	JLT term4
	VMOVUPD Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	JMP four
done:
	VZEROUPPER
	RET

// EDGES leaves off at a quad where a lane of Y4 is neither in the range of EXP, not
// |z| <= 708, nor so small that num.Exp is 0, or is set in more. Lanes that are so
// small are set in Y14.
#define EDGES(more) \
	VANDPD abs64<>(SB), Y4, Y5            \
	VCMPPD $0x16, expmost<>(SB), Y5, Y5   \
	VCMPPD $0x11, expunder<>(SB), Y4, Y14 \
	VANDNPD Y5, Y14, Y5                   \
	VORPD more, Y5, Y5                    \
	VMOVMSKPD Y5, R9                      \
	TESTL R9, R9                          \
	JNZ done

// func expsAVX2(out, x *float64, n int, shift float64) int
TEXT ·expsAVX2(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD shift+24(FP), Y0
	VXORPD Y1, Y1, Y1
	XORQ AX, AX
quad:
	ADDQ $4, AX
	CMPQ AX, CX
	JGT done
	VMOVUPD -32(SI)(AX*8), Y4
	VSUBPD Y0, Y4, Y4
	EDGES(Y1)
	EXP
	VANDNPD Y5, Y14, Y5
	VMOVUPD Y5, -32(DI)(AX*8)
	JMP quad
done:
	SUBQ $4, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET

// func absorbAVX2(m, s, x *float64, n int, shift float64) int
TEXT ·absorbAVX2(SB), NOSPLIT, $0-48
	MOVQ m+0(FP), DI
	MOVQ s+8(FP), R8
	MOVQ x+16(FP), SI
	MOVQ n+24(FP), CX
	VXORPD Y15, Y15, Y15
	MOVQ shift+32(FP), R10
	XORQ AX, AX
quad:
	ADDQ $4, AX
	CMPQ AX, CX
	JGT done
	VMOVUPD -32(SI)(AX*8), Y0
	MOVQ R10, X1
	VBROADCASTSD X1, Y1
	VSUBPD Y1, Y0, Y0 // x
	VMOVUPD -32(DI)(AX*8), Y1 // M
	VMOVUPD -32(R8)(AX*8), Y2 // S
	VSUBPD Y1, Y0, Y4
	// Four terms below e^-38 = 2^-54.8 of sums of at least 1 change nothing.
	VCMPPD $0x11, minus38<>(SB), Y4, Y3
	VCMPPD $0x1d, one64<>(SB), Y2, Y5
	VANDPD Y5, Y3, Y3
	VMOVMSKPD Y3, R9
	CMPL R9, $15
	JEQ quad
	VORPD sign64<>(SB), Y4, Y4
	VCMPPD $0, Y15, Y2, Y3 // empty sums
	EDGES(Y3)
	EXP
	VANDNPD Y5, Y14, Y5
	VADDPD Y5, Y2, Y6 // x <= M: S + e^(x-M)
	VMULPD Y5, Y2, Y7 // x > M: S e^(M-x) + 1, and M = x
	VADDPD one64<>(SB), Y7, Y7
	VCMPPD $0x1e, Y1, Y0, Y8
	VBLENDVPD Y8, Y7, Y6, Y6
	VBLENDVPD Y8, Y0, Y1, Y1
	VMOVUPD Y1, -32(DI)(AX*8)
	VMOVUPD Y6, -32(R8)(AX*8)
	JMP quad
done:
	SUBQ $4, AX
	MOVQ AX, ret+40(FP)
	VZEROUPPER
	RET
