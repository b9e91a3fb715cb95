// Package programs is the Stan program that the user works at: it has the compiler (wasm/compiler) make a tape of it, runs
// what a link brings along for comparison first, and keeps what programs before it came to. Package order has
// the messages. It must not know lanes or views.
package programs
