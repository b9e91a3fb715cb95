#include "textflag.h"
#include "vector_amd64.h"

// Each function performs, lane by lane, the operations of the Go function of the same
// name, in the same order, so that its results have the same bits. Fused multiply-adds
// must not be used.

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

// func meansAVX2(out *float64, words int, w *int64, rows int, x *float64)
TEXT ·meansAVX2(SB), NOSPLIT, $0-40
	MOVQ words+8(FP), CX
	MOVQ w+16(FP), SI
	MOVQ rows+24(FP), DX
	MOVQ x+32(FP), R8
row:
	VBROADCASTSD (R8), Y0
	ADDQ $8, R8
	MOVQ out+0(FP), DI
	MOVQ CX, R9
eight:
	VMOVDQU (SI), Y1
	SUMS(Y1, Y2)
	VEXTRACTI128 $1, Y1, X2
	VCVTDQ2PD X1, Y1
	VCVTDQ2PD X2, Y2
	VMULPD Y0, Y1, Y1
	VMULPD Y0, Y2, Y2
	VADDPD (DI), Y1, Y1
	VADDPD 32(DI), Y2, Y2
	VMOVUPD Y1, (DI)
	VMOVUPD Y2, 32(DI)
	ADDQ $32, SI
	ADDQ $64, DI
	SUBQ $4, R9
	JNZ eight
	DECQ DX
	JNZ row
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
	VMAXPD ·expleast(SB), Y4, Y4 // e^-708 does not change p, like 0
	EXP
	VMULPD Y5, Y0, Y5
	VADDPD Y5, Y0, Y0
	ADDQ $16, SI
	DECQ CX
	JNZ quad
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET

// func factors32AVX2(p *[4]float64, acc *int64, eights int, scale float32)
TEXT ·factors32AVX2(SB), NOSPLIT, $0-28
	MOVQ p+0(FP), DI
	MOVQ acc+8(FP), SI
	MOVQ eights+16(FP), CX
	VBROADCASTSS scale+24(FP), Y15
	VMOVUPD (DI), Y0
	VPXOR Y1, Y1, Y1
eight:
	VMOVDQU (SI), Y4
	SUMS(Y4, Y5)
	VPABSD Y4, Y4
	VPSUBD Y4, Y1, Y4
	VCVTDQ2PS Y4, Y4
	VMULPS Y15, Y4, Y4
	VMAXPS ·exp32min(SB), Y4, Y4 // smaller arguments do not change p either
	EXP32(Y4, Y6, Y7, Y8)
	VCVTPS2PD X4, Y5
	VEXTRACTF128 $1, Y4, X4
	VCVTPS2PD X4, Y4
	VMULPD Y5, Y0, Y5
	VADDPD Y5, Y0, Y0
	VMULPD Y4, Y0, Y4
	VADDPD Y4, Y0, Y0
	ADDQ $32, SI
	DECQ CX
	JNZ eight
	VMOVUPD Y0, (DI)
	VZEROUPPER
	RET
