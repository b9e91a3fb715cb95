// Command worker is the program of the page's web workers, in WebAssembly: one worker is the brain (package wasm/page:
// what the page shows and which work is done), the others are lanes (package estimators/engine: they do the units of
// work). The script site/worker.js tells each its role. Build it with GOOS=js GOARCH=wasm.
//
// Files in reading order:
//
//  1. main_js.go: the role, and how often garbage is collected
//  2. brain_js.go: the messages of the brain; rooms_js.go: its requests to the server of rooms
//  3. lane_js.go: the messages of a lane
//  4. breath_js.go: pauses in which the browser delivers messages while Go computes
//
// It must not know a method or a model: it moves messages between JavaScript and the packages above.
package main
