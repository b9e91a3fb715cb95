package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// untilInterrupt returns a context that is never done: Go under JavaScript gets no signals, and Node ends the program
// at Ctrl-C.
func untilInterrupt() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}

// loadBundled reads a bundled model from the first folder that has it: LOGZ_MODELS, models next to the program, or the
// source tree.
func loadBundled(file string) ([]byte, error) {
	programDir := filepath.Dir(os.Args[0])
	var tried []string
	for _, dir := range []string{os.Getenv("LOGZ_MODELS"), filepath.Join(programDir, "models"),
		filepath.Join(programDir, "..", "site", "models"), "site/models", "../../site/models"} {
		if dir == "" {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
			return b, nil
		}
		tried = append(tried, dir)
	}
	return nil, fmt.Errorf("model file %s is in none of %v; set LOGZ_MODELS to its directory", file, tried)
}
