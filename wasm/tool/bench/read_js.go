package main

import (
	"os"
	"syscall/js"
)

// readModel takes the file from the browser's worker, or reads it under Node.
func readModel(path string) ([]byte, error) {
	given := js.Global().Get("modelFile")
	if given.IsUndefined() {
		return os.ReadFile(path)
	}
	b := make([]byte, given.Length())
	js.CopyBytesToGo(b, given)
	return b, nil
}
