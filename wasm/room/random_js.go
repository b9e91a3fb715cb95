package room

import "syscall/js"

// random fills bytes at random, for codes and secrets. The browser has a generator; crypto/rand would bring one of its
// own to every phone, with AES and large integers: 7 kB.
func random(b []byte) {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.Global().Get("crypto").Call("getRandomValues", a)
	js.CopyBytesToGo(b, a)
}
