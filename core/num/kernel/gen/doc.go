// Command gen assembles the SIMD module of core/num/kernel: `go generate ./core/num/kernel` writes simd.wasm there. For
// all rows of a lane, in one call, the module computes what core/num/kernel computes row by row, with the same bits.
// Each of its functions transcribes the function of core/num/kernel, core/num/rng or core/num that its comment names.
// Constants are read from the Go source, so they are defined once.
//
//  1. main.go, asm.go, const.go: the module; expressions and functions of WebAssembly; constants of Go
//  2. random.go, normals.go: random numbers, uniform and normal
//  3. rows.go, draw.go, softplus.go, sweep.go: sums of weights, Bernoulli draws, softplus, a whole sweep
//  4. ladder.go, tempering.go, means.go, products.go, pool.go, filter.go, spins.go: the same as the files of this name
//     in core/num/kernel
package main
