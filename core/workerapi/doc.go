// Package workerapi defines the messages between the page and the two programs that it starts on demand. The compiler
// of Stan programs (wasm/compiler) receives a CompileRequest and answers with a CompileAnswer; the compiled program is
// delivered separately, as a file. The reader of external samples (wasm/external) receives a ReportRequest, and
// separately the user's files, and answers with a ReportAnswer. golden.go has links that contain programs, with their
// expected results.
//
// This package must not import the Stan language, samples or methods, which the page's own program does not contain.
package workerapi
