package main

import (
	"runtime/debug"
	"syscall/js"
	"time"

	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/external/show"
	"logzlab/wasm/browser"
)

// memory is the memory limit of the Go runtime in bytes: near it garbage is collected more often.
const memory = 300 << 20

// progressInterval is the shortest time between two progress reports.
const progressInterval = 100 * time.Millisecond

// main handles the requests that the page posts as {t: "order", data, files}, one after another, and posts {t:
// "answer", data} with progress and results. files are those that the user chose.
func main() {
	debug.SetMemoryLimit(memory)
	debug.SetGCPercent(15)
	type job struct {
		order workerapi.ReportRequest
		files js.Value
	}

	// Requests are queued.
	jobs := make(chan job, 16)
	browser.Listen(func(m js.Value) {
		r := wire.Reader{B: browser.Bytes(m.Get("data"))}
		var o workerapi.ReportRequest
		r.Value(&o)
		jobs <- job{o, m.Get("files")}
	})

	// Handle requests, with limited progress reports.
	var s show.Session
	lastProgress := time.Time{}
	for j := range jobs {
		files := bundledFiles(j.order.Files)
		if len(files) == 0 {
			files = userFiles(j.files)
		}
		s.Do(&j.order, files, func(a *workerapi.ReportAnswer) {
			if a.Busy && a.Body == "" && time.Since(lastProgress) < progressInterval {
				return
			}
			lastProgress = time.Now()
			var w wire.Writer
			w.Value(a)
			browser.Post(map[string]any{"t": "answer", "data": w.B})
		})
	}
}

// bundledFiles converts files of the site.
func bundledFiles(files []workerapi.File) (out []samples.File) {
	for _, f := range files {
		out = append(out, samples.File{Name: f.Name, Data: f.Data})
	}
	return out
}

// userFiles converts files of the user.
func userFiles(files js.Value) (out []samples.File) {
	for i := range files.Length() {
		f := files.Index(i)
		name := f.Get("webkitRelativePath").String()
		if name == "" {
			name = f.Get("name").String()
		}
		size := f.Get("size").Int()
		out = append(out, samples.File{Name: name, Size: size,
			Load: func() ([]byte, error) { return contents(name, f, size) }})
	}
	return out
}

// chunkSize is the number of bytes of a file read at a time; the browser stores each chunk twice for a while.
const chunkSize = 4 << 20

// contents reads a file of the user in chunks. It fails if the file was changed or removed since it was chosen.
func contents(name string, file js.Value, size int) (b []byte, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = problem.New("%s: it cannot be read any more (%v); choose it again", name, e)
		}
	}()
	reader := js.Global().Get("FileReaderSync").New()
	b = make([]byte, size)
	for at := 0; at < size; at += chunkSize {
		chunk := reader.Call("readAsArrayBuffer", file.Call("slice", at, min(at+chunkSize, size)))
		js.CopyBytesToGo(b[at:], js.Global().Get("Uint8Array").New(chunk))
		if chunk.Get("transfer").Truthy() {
			chunk.Call("transfer", 0) // frees its memory now, if the browser supports it
		}
	}
	return b, nil
}
