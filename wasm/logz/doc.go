// Command logz estimates log Z. Natively and under Node it is the command line of site/docs/contract.md; in a browser
// it is the page's brain or one of its lane workers. The page's is built with the tag "page", which leaves out the
// command line.
//
//  1. main.go, and main_js.go in a browser: which of the three this program is
//  2. brain_js.go, rooms_js.go: Host of wasm/page/desk, which is the browser as the brain sees it
//  3. lane_js.go, breath_js.go: a lane worker; events are let in every 16 ms, every 6 while a picture is not
//     acknowledged
//  4. cli.go, options.go, run.go, progress.go: the command line
//  5. compare.go, train.go, experiment.go, host.go, part.go, join.go, patient.go: its commands; array.go: which part a
//     task of a cluster computes; outcomes.go: the lines of files of parts
//  6. limit.go and memory_linux.go: how much memory a run may take
//
// It must not decide anything about a digit: it calls engine, report and page.
package main
