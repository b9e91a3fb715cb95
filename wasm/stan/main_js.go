package main

import (
	"syscall/js"

	"logzlab/core/wire"
	"logzlab/wasm/page/order"
)

// main does the orders that the page posts as {t: "order", data}, one after another, and answers with {t: "answer",
// data} and, if there is one, the tape with a name for its file.
func main() {
	orders := make(chan order.Compile, 1)
	js.Global().Set("onGo", js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := js.Global().Get("Uint8Array").New(args[0].Get("data"))
		r := wire.Reader{B: make([]byte, data.Length())}
		js.CopyBytesToGo(r.B, data)
		var o order.Compile
		o.Decode(&r)
		orders <- o
		return nil
	}))
	for o := range orders {
		a, tape := compile(o)
		var w wire.Writer
		a.Append(&w)
		m := map[string]any{"t": "answer", "data": buffer(w.B)}
		if tape != nil {
			m["tape"], m["name"] = buffer(tape), a.Name+order.Ending
		}
		js.Global().Call("postMessage", m)
	}
}

// buffer copies bytes for the page.
func buffer(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a.Get("buffer")
}
