// Package kernel has the arithmetic of Bernoulli layers: sums of the weight rows of active units, Bernoulli draws, and
// sums of softplus; and a particle filter. A lane is a batch of chains that one call handles; a row is the state of one
// of these chains. Weights are integers, multiples of 2^-s, so a sum is exact in any order and
// any layout: recomputing it, or adding only the rows of units that flipped, gives the same bits.
//
// Two int32 sums share one int64: the pair (lo, hi) is stored as lo + hi 2^32 in ordinary signed arithmetic, so one
// 64-bit addition adds both, and the borrow of a negative low half is undone on reading. Each sum must be in (-2^31,
// 2^31). Models choose s so that the absolute values of the terms of every sum, as integers, add up to less than 2^30,
// because the SIMD code works with doubled sums (Matrix.twice).
//
//  1. kernel.go, rows.go: a matrix of weights; the layers of all rows of a lane, in Go
//  2. tiles.go: weights in tiles, so that a tile is read once for many rows
//  3. ladder.go, slope.go: the sum of softplus over a whole ladder, interpolated from a few nodes
//  4. tempering.go: the step of tempering chains between two sweeps ([RTS] eq. 7)
//  5. means.go, products.go, pool.go: means of units, enumerations, samples weighted for mbar
//     filter.go, guided.go: particle filter, and its steps that guide particles to outlying observations
//  6. spins.go: spins whose sums are small integers, drawn by comparing random numbers with tabulated thresholds;
//     row_words.go: random numbers of many rows
//  7. avx2_amd64.go, tiles_amd64.go, spins_amd64.go: assembly with AVX2 or AVX-512; generic.go: other processors
//  8. simd.go, simd_js.go: the same in simd.wasm, one call for all rows of a lane; gen assembles the module. The Go
//     side of the calls: simd_ladder.go, simd_tempering.go, simd_means.go, simd_products.go, simd_pool.go, simd_filter.go,
//     simd_spins.go
//
// Bernoulli draws are float32, log densities float64. Assembly and SIMD must give the bits of the Go functions, which
// run if neither is available.
package kernel
