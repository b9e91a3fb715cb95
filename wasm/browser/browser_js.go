package browser

import "syscall/js"

// Bytes copies an ArrayBuffer or an array of bytes; undefined gives no bytes.
func Bytes(v js.Value) []byte {
	a := js.Global().Get("Uint8Array").New(v)
	b := make([]byte, a.Length())
	js.CopyBytesToGo(b, a)
	return b
}

// Array copies parts, concatenated, into a new Uint8Array with its own buffer.
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

// Post sends a message to the page. A []byte, or a [][]byte of parts, becomes an ArrayBuffer; a nil []byte is left out;
// a Port becomes the port. Buffers and ports are transferred, not copied. The fields of m change.
func Post(m map[string]any) { post(js.Global(), m) }

func post(target js.Value, m map[string]any) {
	var transferred []any
	transfer := func(key string, v js.Value) {
		m[key] = v
		transferred = append(transferred, v)
	}
	for key, v := range m {
		switch v := v.(type) {
		case []byte:
			if v == nil {
				delete(m, key)
				continue
			}
			transfer(key, Array(v).Get("buffer"))
		case [][]byte:
			transfer(key, Array(v...).Get("buffer"))
		case Port:
			transfer(key, v.Value)
		}
	}
	target.Call("postMessage", m, transferred)
}

// Port is one end of a channel.
type Port struct{ js.Value }

// NewChannel returns the two ends of a new channel. Messages to an end wait until it has a listener.
func NewChannel() (a, b Port) {
	channel := js.Global().Get("MessageChannel").New()
	return Port{channel.Get("port1")}, Port{channel.Get("port2")}
}

// Post sends a message to the other end, like Post to the page.
func (p Port) Post(m map[string]any) { post(p.Value, m) }

// Listen calls handle with each message to the port. The returned function closes the port; pending messages are dropped.
func (p Port) Listen(handle func(m js.Value)) (stop func()) {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		handle(args[0].Get("data"))
		return nil
	})
	p.Set("onmessage", f)
	return func() {
		p.Call("close")
		f.Release()
	}
}

// Serve defines a global JavaScript function that passes its argument to handle and returns the result.
func Serve(name string, handle func(m js.Value) any) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return handle(args[0]) }))
}

// Listen calls handle with each message that worker.js passes on.
func Listen(handle func(m js.Value)) {
	Serve("onGo", func(m js.Value) any {
		handle(m)
		return nil
	})
}

// Text returns a JavaScript string, "" for any other value.
func Text(v js.Value) string {
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// Number returns a JavaScript number, 0 for any other value.
func Number(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return 0
	}
	return v.Float()
}
