package main

import (
	"syscall/js"

	"logzlab/core/wire"
	"logzlab/wasm/browser"
	"logzlab/wasm/page/order"
)

// main does the orders that the page posts as {t: "order", data}, one after another, and answers with {t: "answer",
// data} and, if there is one, the tape with a name for its file.
func main() {
	orders := make(chan order.Compile, 1)
	browser.Listen(func(m js.Value) {
		r := wire.Reader{B: browser.Bytes(m.Get("data"))}
		var o order.Compile
		o.Decode(&r)
		orders <- o
	})
	for o := range orders {
		a, tape := compile(o)
		var w wire.Writer
		a.Append(&w)
		browser.Post(map[string]any{"t": "answer", "data": w.B, "tape": tape, "name": a.Name + order.Ending})
	}
}
