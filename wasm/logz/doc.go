// Command logz estimates log Z on the command line of site/docs/contract.md, natively and under Node. The program of the
// page is another one: wasm/page/worker.
//
//  1. cli.go, options.go, run.go, progress.go: the command line
//  2. compare.go, train.go, experiment.go, host.go, part.go, join.go, patient.go: its commands; array.go: which part a
//     task of a cluster computes; outcomes.go: the lines of files of parts
//  3. main_js.go, main_other.go: bundled models and signals, under Node and natively
//  4. limit.go and memory_linux.go: how much memory a run may take
//
// It must not decide anything about a digit: it calls engine and report.
package main
