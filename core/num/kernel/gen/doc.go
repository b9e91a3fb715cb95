// Command gen assembles the SIMD module of core/num/kernel: `go generate ./core/num/kernel` writes simd.wasm there. The module
// does for all rows of a lane, in one call, what core/num/kernel does row by row, with the same bits. Each of its functions
// transcribes a function of core/num/kernel, core/num/rng or core/num that is named beside it. Constants are read from Go's
// source, so they stand in one place.
//
//  1. main.go, asm.go, const.go: the module; expressions and functions of WebAssembly; constants of Go
//  2. random.go, normals.go: random numbers, uniform and normal
//  3. rows.go, draw.go, softplus.go, sweep.go: sums of weights, Bernoulli draws, softplus, a whole sweep
//  4. ladder.go, tempering.go, means.go, products.go, pool.go, filter.go, spins.go: as the files of core/num/kernel
package main
