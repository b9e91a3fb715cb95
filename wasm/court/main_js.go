package main

import (
	"runtime/debug"
	"syscall/js"
	"time"

	"logzlab/core/samples"
	"logzlab/core/wire"
	"logzlab/wasm/page/reading"
)

// memory is what the program may take before it collects garbage more eagerly, in bytes.
const memory = 300 << 20

// often is the least time between two words about progress.
const often = 100 * time.Millisecond

// main does the orders that the page posts as {t: "order", data, files}, one after another, and answers each with
// {t: "answer", data}, also while it works. files are those that the user chose.
func main() {
	debug.SetMemoryLimit(memory)
	debug.SetGCPercent(50)
	type job struct {
		order reading.Order
		files js.Value
	}
	jobs := make(chan job, 16)
	js.Global().Set("onGo", js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := js.Global().Get("Uint8Array").New(args[0].Get("data"))
		r := wire.Reader{B: make([]byte, data.Length())}
		js.CopyBytesToGo(r.B, data)
		var o reading.Order
		o.Load(&r)
		jobs <- job{o, args[0].Get("files")}
		return nil
	}))
	var s session
	said := time.Time{}
	for j := range jobs {
		load := func() []samples.File { return chosen(j.files) }
		if len(j.order.Files) > 0 {
			given := bundled(j.order.Files)
			load = func() []samples.File { return given }
		}
		s.do(&j.order, load, func(a *reading.Answer) {
			if a.Busy && a.Body == "" && time.Since(said) < often {
				return
			}
			said = time.Now()
			var w wire.Writer
			a.Append(&w)
			out := js.Global().Get("Uint8Array").New(len(w.B))
			js.CopyBytesToJS(out, w.B)
			js.Global().Call("postMessage", map[string]any{"t": "answer", "data": out.Get("buffer")})
		})
	}
}

// bundled are files of the site.
func bundled(files []reading.File) (out []samples.File) {
	for _, f := range files {
		out = append(out, samples.File{Name: f.Name, Data: f.Data})
	}
	return out
}

// chosen reads files of the user.
func chosen(files js.Value) (out []samples.File) {
	reader := js.Global().Get("FileReaderSync").New()
	for i := range files.Length() {
		f := files.Index(i)
		name := f.Get("webkitRelativePath").String()
		if name == "" {
			name = f.Get("name").String()
		}
		data := js.Global().Get("Uint8Array").New(reader.Call("readAsArrayBuffer", f))
		b := make([]byte, data.Length())
		js.CopyBytesToGo(b, data)
		out = append(out, samples.File{Name: name, Data: b})
	}
	return out
}
