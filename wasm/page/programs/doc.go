// Package programs handles the Stan program that the user edits. It sends the program to the compiler (wasm/compiler,
// in a worker of its own) with the messages of core/workerapi, first runs the programs that a link lists for
// comparison, and keeps the results of earlier programs. It must not depend on lanes or views.
package programs
