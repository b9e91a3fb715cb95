package kernel

import (
	_ "embed"
	"sync"
	"syscall/js"
	"unsafe"
)

//go:embed simd.wasm
var simdModule []byte

// exports returns the exports of the module, or undefined.
var exports = sync.OnceValue(instantiate)

// SIMD reports whether the SIMD module is available.
func SIMD() bool { return exports().Truthy() }

func init() {
	room := func(words int) []uint64 { return make([]uint64, words) }
	bind := func(export string, address uint32) func() {
		f, args := exports().Get(export), []any{js.ValueOf(address)}
		return func() { f.Invoke(args...) } // without an allocation
	}
	newAccelerator = func(p *Rows) accelerator {
		if !SIMD() {
			return nil
		}
		return newSIMD(p, 0, room, bind)
	}

	// Other accelerators are made once, on first use.
	tempering = sync.OnceValue(func() temperingAccelerator {
		if !SIMD() {
			return nil
		}
		return newSIMDTempering(&simd{room: room, bind: bind})
	})
	products = sync.OnceValue(func() productsAccelerator {
		if !SIMD() {
			return nil
		}
		return newSIMDProducts(&simd{room: room, bind: bind})
	})
	meansBy = sync.OnceValue(func() meansAccelerator {
		if !SIMD() {
			return nil
		}
		return newSIMDMeans(&simd{room: room, bind: bind})
	})
	spinsBy = sync.OnceValue(func() spinsAccelerator {
		if !SIMD() {
			return nil
		}
		return newSIMDSpins(&simd{room: room, bind: bind})
	})
	filters = sync.OnceValue(func() filterAccelerator {
		if !SIMD() {
			return nil
		}
		return newSIMDFilter(&simd{room: room, bind: bind})
	})
	pools = sync.OnceValue(func() poolAccelerator {
		if !SIMD() {
			return nil
		}
		return newSIMDPool(&simd{room: room, bind: bind})
	})
}

// instantiate instantiates the SIMD module with the memory of this program and returns its exports, or undefined if
// that fails.
//
// wasm_exec.js is used unchanged, so the memory is found through syscall/js, which has the Go object that runs this
// program as value 6.
func instantiate() (exports js.Value) {
	defer func() {
		if recover() != nil { // not supported: the Go code runs
			exports = js.Undefined()
		}
	}()
	code := js.Global().Get("Uint8Array").New(len(simdModule))
	js.CopyBytesToJS(code, simdModule)
	wasm := js.Global().Get("WebAssembly")
	if !wasm.Call("validate", code).Bool() {
		return js.Undefined()
	}
	var program js.Value
	*(*uint64)(unsafe.Pointer(&program)) = 0x7FF80001<<32 | 6
	memory := program.Get("_inst").Get("exports").Get("mem")
	imports := map[string]any{"env": map[string]any{"memory": memory}}
	return wasm.Get("Instance").New(wasm.Get("Module").New(code), imports).Get("exports")
}
