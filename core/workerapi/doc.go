// Package order is what the page and its two programs send each other. The compiler of Stan programs (wasm/compiler) gets
// Compile and answers with Compiled: the tape travels beside the answer, as a file. The reader of other programs'
// samples (estimators/external/show) gets Judge, with the files that the user chose beside it, and answers with Judged.
// golden.go has the promised digits of links that bring programs along.
//
// It must not know the language, samples or methods: the page's program does without them.
package workerapi
