package main

import (
	"os"
	"syscall/js"
)

// readModel returns the file from the worker of the browser, or reads it under Node.
func readModel(path string) ([]byte, error) {
	data := js.Global().Get("modelFile")
	if data.IsUndefined() {
		return os.ReadFile(path)
	}
	b := make([]byte, data.Length())
	js.CopyBytesToGo(b, data)
	return b, nil
}
