// Command compiler compiles programs of the Stan language with their data to tapes (models/stan), in a worker of the page
// that is started for each program. It is a program of its own, fetched when a program is first to be compiled, so that
// the page's first number need not wait for a compiler. Build it with GOOS=js GOARCH=wasm; main_js.go has the protocol.
//
// It must not know models or methods: what is done with a tape is the page's business.
package main
