// Command canvas is the moving picture of the page: an Ebitengine canvas that lives in an iframe of its own
// (site/stage.html), takes frames, draws scenes (package render) and acknowledges them. Build it with GOOS=js
// GOARCH=wasm; main_js.go has the protocol.
//
// It must not know models, methods or reports: numbers never wait for the picture.
package main
