package main

import (
	"os"
	"syscall/js"
)

// readModel returns the file from the worker of the browser, or reads it under Node.
func readModel(path string) ([]byte, error) {
	given := js.Global().Get("modelFile")
	if given.IsUndefined() {
		return os.ReadFile(path)
	}
	b := make([]byte, given.Length())
	js.CopyBytesToGo(b, given)
	return b, nil
}
