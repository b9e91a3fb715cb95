// Package num has the elementary and special functions of the numerical core. Every function returns the same bits on
// amd64, arm64, js/wasm under Node and in browsers.
//
// # Why not package math
//
// math.Exp, math.Log, math.Erf and others have assembly on some platforms and portable code on others, and the results
// differ in the last bit. This package uses only operations that IEEE 754 rounds exactly: + - * /, math.Sqrt, math.Abs,
// math.Copysign, bit casts and integer operations.
//
// # FMA-free code
//
// The Go specification allows a compiler to fuse x*y + z, and the arm64 compiler does so, also across statements. A
// fused product is not rounded, so the result changes by an ulp. An explicit conversion prevents the fusion: every
// product that feeds an addition or a subtraction is written Mul(x, y), here and in kernels float64(x*y) (or
// float32(x*y)). `tool fma` compiles the package for arm64 and fails on any fused instruction in it. Quotients and
// products of products need no conversion, with one exception: the compiler writes 2*p as p + p, and fuses that sum if
// p is a product.
//
// Two more rules follow from portability: int(x) is called only after a range test (out of range it depends on the
// platform), and NaN payloads are unspecified (only "is NaN" is guaranteed).
//
// # Files
//
//  1. plain.go: Finite, NotNaN, Mul; parse.go: decimal numbers
//  2. exp.go, log.go, trig.go, hyperbolic.go: elementary functions
//  3. erf.go, normal.go, phiinv.go: the error function, the normal distribution and its quantile
//  4. gamma.go, gammainc.go, betainc.go, bessel.go: special functions; incomplete.go: continued fractions with their
//     derivatives
//  5. lse.go: log-sum-exp
//  6. vector.go, chol.go, invert.go: vectors, Cholesky factors, inverses
//
// # Vectorisation
//
// Exp and Exp32 have a straight-line core: k = x*log2(e) is rounded to even by adding and subtracting 1.5*2^52
// (1.5*2^23), a two-term Cody-Waite reduction follows, then a polynomial with the evaluation order written in the
// source, and k is added to the exponent field with an integer shift and addition. A f64x2 or f32x4 version in this
// order returns the same bits.
//
// The polynomials were fitted by testdata/coeffs.py (Remez). The inverse normal uses the rational functions of
// algorithm AS 241 [Wichura1988]. All error bounds stated at the functions are measured against math/big references by
// the package tests; 1 ulp is the spacing of float64 at the exact result.
package num
