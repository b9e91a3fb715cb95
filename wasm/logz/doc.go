// Command logz estimates log Z on the command line. It runs natively and under Node; site/docs/contract.md lists its
// commands, files and exit statuses. The program of the page is wasm/page/worker.
//
//  1. cli.go, options.go, run.go, progress.go: commands, flags, reports as text; help.go, version.go
//  2. A file for each larger command: bounds.go, compare.go, experiment.go, host.go, join.go, part.go, prior.go, read.go,
//     train.go; array.go and numbering.go: which part a task of a cluster computes; outcomes.go: the files of parts;
//     server_client.go: requests to the server of a room
//  3. main_js.go, main_other.go: bundled models and signals, under Node and natively
//  4. limit.go, memory_linux.go: how much memory a run may use
//
// Code that affects a result belongs to estimators/engine and estimators/report, not here.
package main
