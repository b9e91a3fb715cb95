// Command worker is the program of the page's web workers, in WebAssembly. One worker is the controller (package
// wasm/page: what the page shows and which work is done); the others are lane workers (package estimators/engine: they
// compute units). The script site/worker.js sets the role of each. Build it with GOOS=js GOARCH=wasm.
//
// Files in reading order:
//
//  1. main_js.go: the role, and the frequency of garbage collections
//  2. controller_js.go: the messages of the controller; rooms_js.go: its requests to the server of rooms
//  3. lane_js.go: the messages of a lane worker
//  4. breath_js.go: pauses in which the browser delivers messages while Go computes
//
// It must not depend on methods or models: it passes messages between JavaScript and the packages above.
package main
