#include "textflag.h"

// Constants of the assembly, one for each lane.

#define CONST4(name, bits) \
	DATA name+0(SB)/8, $(bits<<32|bits) \
	DATA name+8(SB)/8, $(bits<<32|bits) \
	DATA name+16(SB)/8, $(bits<<32|bits) \
	DATA name+24(SB)/8, $(bits<<32|bits) \
	GLOBL name(SB), RODATA|NOPTR, $32

#define CONST8(name, bits) \
	DATA name+0(SB)/8, $bits \
	DATA name+8(SB)/8, $bits \
	DATA name+16(SB)/8, $bits \
	DATA name+24(SB)/8, $bits \
	GLOBL name(SB), RODATA|NOPTR, $32

// float32 constants of num.Exp32
CONST4(·one32, 0x3f800000)
CONST4(·sign32, 0x80000000)
CONST4(·log2e32, 0x3fb8aa3b)
CONST4(·magic32, 0x4b400000)
CONST4(·ln2hi32, 0x3f318000)
CONST4(·ln2lo32, 0xb95e8083)
CONST4(·exp32c0, 0x3efffffe)
CONST4(·exp32c1, 0x3e2aaa49)
CONST4(·exp32c2, 0x3d2aac78)
CONST4(·exp32c3, 0x3c091cea)
CONST4(·exp32c4, 0x3ab51238)
CONST4(·exp32max, 0x42b16666)
CONST4(·exp32min, 0xc2ae999a)
CONST4(·inf32, 0x7f800000)
CONST4(·two16f, 0x47800000)
CONST4(·two32f, 0x4f800000)
CONST4(·low16, 0x0000ffff)

// float64 constants of num.Exp
CONST8(·one64, 0x3ff0000000000000)
CONST8(·low32, 0x00000000ffffffff)
CONST8(·log2e64, 0x3ff71547652b82fe)
CONST8(·magic64, 0x4338000000000000)
CONST8(·ln2hi64, 0x3fe62e42fefa3800)
CONST8(·ln2lo64, 0x3d2ef35793c76730)
CONST8(·expleast, 0xc086200000000000)
CONST8(·expc0, 0x3fe0000000000000)
CONST8(·expc1, 0x3fc555555555555b)
CONST8(·expc2, 0x3fa5555555555503)
CONST8(·expc3, 0x3f8111111110ec73)
CONST8(·expc4, 0x3f56c16c16c30375)
CONST8(·expc5, 0x3f2a01a01b37721a)
CONST8(·expc6, 0x3efa01a0136bbe25)
CONST8(·expc7, 0x3ec71ddf0300c160)
CONST8(·expc8, 0x3e927e5b41883ba1)
CONST8(·expc9, 0x3e5af6bd07de1266)
CONST8(·expc10, 0x3e21e3d44f959e86)

// constants of Tempering
CONST8(·faintlog, 0xc085e00000000000)
CONST8(·faintsum, 0x04585d003f6488af)

// constants of num.Log
CONST8(·two64, 0x4000000000000000)
CONST8(·half64, 0x3fe0000000000000)
CONST8(·two52, 0x4330000000000000)
CONST8(·sqrthalf, 0x3fe6a09e667f3bcd)
CONST8(·logc0, 0x3fe555555555557e)
CONST8(·logc1, 0x3fd99999999854e6)
CONST8(·logc2, 0x3fd2492493dd433f)
CONST8(·logc3, 0x3fcc71c54fe7b77f)
CONST8(·logc4, 0x3fc7465b237af1a6)
CONST8(·logc5, 0x3fc39aec83f5f443)
CONST8(·logc6, 0x3fc2e8ae343f0f25)

// Philox
DATA ·order+0(SB)/8, $0
DATA ·order+8(SB)/8, $2
DATA ·order+16(SB)/8, $1
DATA ·order+24(SB)/8, $3
GLOBL ·order(SB), RODATA|NOPTR, $32

DATA ·order512+0(SB)/8, $0
DATA ·order512+8(SB)/8, $4
DATA ·order512+16(SB)/8, $1
DATA ·order512+24(SB)/8, $5
DATA ·order512+32(SB)/8, $2
DATA ·order512+40(SB)/8, $6
DATA ·order512+48(SB)/8, $3
DATA ·order512+56(SB)/8, $7
GLOBL ·order512(SB), RODATA|NOPTR, $64

DATA ·lanes32+0(SB)/8, $0x0000000100000000
DATA ·lanes32+8(SB)/8, $0x0000000300000002
DATA ·lanes32+16(SB)/8, $0x0000000500000004
DATA ·lanes32+24(SB)/8, $0x0000000700000006
GLOBL ·lanes32(SB), RODATA|NOPTR, $32

CONST8(·four64, 4)
CONST8(·eight64, 8)
CONST8(·philoxm0, 0xD2511F53)
CONST8(·philoxm1, 0xCD9E8D57)

// a shuffle that repeats each byte of 32 bits eight times, so that every bit can be tested in a separate byte
DATA ·bytesof32+0(SB)/8, $0x0000000000000000
DATA ·bytesof32+8(SB)/8, $0x0101010101010101
DATA ·bytesof32+16(SB)/8, $0x0202020202020202
DATA ·bytesof32+24(SB)/8, $0x0303030303030303
GLOBL ·bytesof32(SB), RODATA|NOPTR, $32
