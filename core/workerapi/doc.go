// Package workerapi defines the messages between the page and the two programs that it starts on demand. The compiler of
// Stan programs (wasm/compiler) gets a Compile and answers with a Compiled; the compiled program travels beside the
// answer, as a file. The reader of external samples (wasm/external) gets a Judge, with the files that the user chose
// beside it, and answers with a Judged. golden.go lists links that bring programs along, with the digits they must give.
//
// It must not know the language, samples or methods, which the page's own program does without.
package workerapi
