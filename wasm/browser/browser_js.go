package browser

import "syscall/js"

// Bytes copies an ArrayBuffer or an array of bytes. It is empty for undefined.
func Bytes(v js.Value) []byte {
	a := js.Global().Get("Uint8Array").New(v)
	b := make([]byte, a.Length())
	js.CopyBytesToGo(b, a)
	return b
}

// Array copies parts, one after another, into a new Uint8Array, whose buffer has nothing else.
func Array(parts ...[]byte) js.Value {
	size := 0
	for _, b := range parts {
		size += len(b)
	}
	a, at := js.Global().Get("Uint8Array").New(size), 0
	for _, b := range parts {
		js.CopyBytesToJS(a.Call("subarray", at), b)
		at += len(b)
	}
	return a
}

// Post sends a message to the page. A field that is a []byte, or a [][]byte of parts, becomes an ArrayBuffer; a nil
// []byte is left out. A field that is a Port becomes the port. These belong to the receiver from then on: they are not
// copied again. The fields of m change.
func Post(m map[string]any) { post(js.Global(), m) }

func post(to js.Value, m map[string]any) {
	var gone []any
	give := func(key string, v js.Value) {
		m[key] = v
		gone = append(gone, v)
	}
	for key, v := range m {
		switch v := v.(type) {
		case []byte:
			if v == nil {
				delete(m, key)
				continue
			}
			give(key, Array(v).Get("buffer"))
		case [][]byte:
			give(key, Array(v...).Get("buffer"))
		case Port:
			give(key, v.Value)
		}
	}
	to.Call("postMessage", m, gone)
}

// Port is an end of a channel.
type Port struct{ js.Value }

// NewChannel makes a channel and returns its ends. What is sent to an end waits there until it is listened at.
func NewChannel() (a, b Port) {
	channel := js.Global().Get("MessageChannel").New()
	return Port{channel.Get("port1")}, Port{channel.Get("port2")}
}

// Post sends a message to the other end, as Post does to the page.
func (p Port) Post(m map[string]any) { post(p.Value, m) }

// Listen has take called with each message that comes to the port. The returned function closes the port: what has not
// been taken by then is dropped.
func (p Port) Listen(take func(m js.Value)) (stop func()) {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		take(args[0].Get("data"))
		return nil
	})
	p.Set("onmessage", f)
	return func() {
		p.Call("close")
		f.Release()
	}
}

// Serve has JavaScript call take under a global name, with a message, and get what take returns.
func Serve(name string, take func(m js.Value) any) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return take(args[0]) }))
}

// Listen has take called with each message that worker.js hands on.
func Listen(take func(m js.Value)) {
	Serve("onGo", func(m js.Value) any {
		take(m)
		return nil
	})
}

// Text is a string of JavaScript, "" for anything else.
func Text(v js.Value) string {
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// Number is a number of JavaScript, 0 for anything else.
func Number(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return 0
	}
	return v.Float()
}
