// Command compiler compiles Stan programs with their data to tapes (models/stan), in a worker of the page that is
// started for each program. It is a separate program, fetched when a program is first compiled, so that the page's
// first result does not wait for it. Build it with GOOS=js GOARCH=wasm; main_js.go has the protocol.
//
// It must not depend on models or methods; the page decides what to do with a tape.
package main
