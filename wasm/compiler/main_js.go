package main

import (
	"syscall/js"

	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/wasm/browser"
)

// main handles the requests that the page posts as {t: "order", data}, one after another, and posts {t: "answer", data}
// with, if successful, the tape and a name for its file.
func main() {
	orders := make(chan workerapi.CompileRequest, 1)
	browser.Listen(func(m js.Value) {
		r := wire.Reader{B: browser.Bytes(m.Get("data"))}
		var o workerapi.CompileRequest
		r.Value(&o)
		orders <- o
	})
	for o := range orders {
		a, tape := compile(o)
		var w wire.Writer
		w.Value(a)
		browser.Post(map[string]any{"t": "answer", "data": w.B, "tape": tape, "name": a.Name + workerapi.TapeExtension})
	}
}
