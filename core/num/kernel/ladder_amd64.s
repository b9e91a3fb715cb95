#include "textflag.h"
#include "vector_amd64.h"

// The rules of layer_amd64.s apply.

// func extentAVX2(acc *int64, groups int, top *[8]int32, pos, abs *[4]int64)
TEXT ·extentAVX2(SB), NOSPLIT, $0-40
	MOVQ acc+0(FP), SI
	MOVQ groups+8(FP), CX
	VPXOR Y0, Y0, Y0 // zero
	VPXOR Y1, Y1, Y1 // largest
	VPXOR Y2, Y2, Y2 // positive
	VPXOR Y3, Y3, Y3 // absolute
	VMOVDQU ·low32(SB), Y7
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
	VMOVUPS ·one32(SB), Y14
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

// NODE512 multiplies 1 + t into the sixteen lanes in p and squares t.
#define NODE512(t, p) \
	VADDPS Z14, t, Z8  \
	VMULPS Z8, p, p    \
	VMULPS t, t, t

// func powersAVX512(p *float32, pairs int, acc *int64, blocks int, scale float32)
// Like powersAVX2, with the lanes of both nodes of a pair at once.
TEXT ·powersAVX512(SB), NOSPLIT, $0-36
	MOVQ acc+16(FP), SI
	MOVQ blocks+24(FP), CX
	VBROADCASTSS scale+32(FP), Z15
	VBROADCASTSS ·one32(SB), Z14
block:
	VMOVDQU64 (SI), Z0
	VPSRLD $31, Z0, Z8
	VPSLLQ $32, Z8, Z8
	VPADDD Z8, Z0, Z0
	VPABSD Z0, Z0
	VCVTDQ2PS Z0, Z0
	VMULPS Z15, Z0, Z0
	EXP512(Z0, Z8, Z9, Z10)
	VMULPS Z0, Z0, Z4
	VMULPS Z4, Z0, Z0
	VSHUFF64X2 $0xEE, Z0, Z4, Z5
	VSHUFF64X2 $0x44, Z0, Z4, Z4
	MOVQ p+0(FP), DI
	MOVQ pairs+8(FP), DX
pair:
	VMOVUPS (DI), Z12
	NODE512(Z4, Z12)
	NODE512(Z5, Z12)
	VMOVUPS Z12, (DI)
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

// func conditionalsAVX2(x, q *float64, quads int, top float64, sums *[4]float64)
TEXT ·conditionalsAVX2(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), SI
	MOVQ q+8(FP), DI
	MOVQ quads+16(FP), CX
	VBROADCASTSD top+24(FP), Y0
	MOVQ sums+32(FP), R8
	VMOVUPD (R8), Y1
quad:
	VMOVUPD (SI), Y4
	VSUBPD Y0, Y4, Y4
	VCMPPD $0x11, ·faintlog(SB), Y4, Y14
	VCMPPD $3, Y4, Y4, Y15 // NaN
	EXP
	VANDNPD Y5, Y14, Y5
	VORPD Y15, Y5, Y5
	VMOVUPD Y5, (DI)
	VADDPD Y5, Y1, Y1
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ quad
	VMOVUPD Y1, (R8)
	VZEROUPPER
	RET

// func countAVX2(c, q *float64, quads int, inverse float64) int
TEXT ·countAVX2(SB), NOSPLIT, $0-40
	MOVQ c+0(FP), DI
	MOVQ q+8(FP), SI
	MOVQ quads+16(FP), CX
	VBROADCASTSD inverse+24(FP), Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VMOVUPD ·faintsum(SB), Y3
count:
	VMOVUPD (SI), Y4
	VMULPD Y0, Y4, Y5
	VADDPD (DI), Y5, Y5
	VMOVUPD Y5, (DI)
	VCMPPD $0, Y1, Y4, Y4
	VCMPPD $0x11, Y3, Y5, Y5
	VANDPD Y4, Y5, Y5
	VORPD Y5, Y2, Y2
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ count
	VMOVMSKPD Y2, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET

// func logsAVX2(x *float64, quads int)
TEXT ·logsAVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ quads+8(FP), CX
quad:
	VMOVUPD (SI), Y0
	VPSUBQ ·sqrthalf(SB), Y0, Y1
	VPSRLQ $52, Y1, Y1 // k, not negative
	VPSLLQ $52, Y1, Y2
	VPSUBQ Y2, Y0, Y0
	VPOR ·two52(SB), Y1, Y1
	VSUBPD ·two52(SB), Y1, Y1
	VSUBPD ·one64(SB), Y0, Y0  // f
	VADDPD ·two64(SB), Y0, Y2
	VDIVPD Y2, Y0, Y2          // s
	VMULPD Y2, Y2, Y3          // z
	VMULPD Y3, Y3, Y4          // w
	VMULPD ·logc5(SB), Y4, Y5
	VADDPD ·logc3(SB), Y5, Y5
	VMULPD Y4, Y5, Y5
	VADDPD ·logc1(SB), Y5, Y5  // odd
	VMULPD ·logc6(SB), Y4, Y6
	VADDPD ·logc4(SB), Y6, Y6
	VMULPD Y4, Y6, Y6
	VADDPD ·logc2(SB), Y6, Y6
	VMULPD Y4, Y6, Y6
	VADDPD ·logc0(SB), Y6, Y6  // even
	VMULPD Y3, Y5, Y5
	VADDPD Y5, Y6, Y6
	VMULPD Y3, Y6, Y6          // r
	VMULPD Y0, Y0, Y7
	VMULPD ·half64(SB), Y7, Y7 // h
	VADDPD Y6, Y7, Y6
	VMULPD Y2, Y6, Y6
	VMULPD ·ln2lo64(SB), Y1, Y8
	VADDPD Y8, Y6, Y6
	VSUBPD Y6, Y7, Y6
	VSUBPD Y0, Y6, Y6
	VMULPD ·ln2hi64(SB), Y1, Y1
	VSUBPD Y6, Y1, Y1
	VMOVUPD Y1, (SI)
	ADDQ $32, SI
	DECQ CX
	JNZ quad
	VZEROUPPER
	RET

// func subtractAVX2(x, y *float64, n int, top *[4]float64)
TEXT ·subtractAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ top+24(FP), R8
	VMOVUPD (R8), Y0
	XORQ AX, AX
quad:
	ADDQ $4, AX
	CMPQ AX, CX
	JGT done
	VMOVUPD -32(DI)(AX*8), Y1
	VSUBPD -32(SI)(AX*8), Y1, Y1
	VMOVUPD Y1, -32(DI)(AX*8)
	VMAXPD Y0, Y1, Y0
	JMP quad
done:
	VMOVUPD Y0, (R8)
	VZEROUPPER
	RET
