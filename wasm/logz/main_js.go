package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall/js"
	"time"
)

// inBrowser reports whether this is a worker of the page, which has a role, and not Node.
func inBrowser() bool { return js.Global().Get("logz").Truthy() }

// serveBrowser plays the role that worker.js was started in, for ever.
func serveBrowser() {
	lazyCollector()
	if js.Global().Get("logz").Get("role").String() == "brain" {
		serveBrain()
	} else {
		serveLane()
	}
}

// lazyCollector lets the heap grow to 16 MB, not 4, before the first collection, and ends that after a while. Most of
// what a worker makes at its start stays, so early collections find little and delay the first number. From then on
// the heap may grow by half, not to twice its size: a WebAssembly memory never shrinks, and what is large here are
// numbers, which cost a collection nothing.
func lazyCollector() {
	debug.SetGCPercent(400)
	time.AfterFunc(2*time.Second, func() { debug.SetGCPercent(50) })
}

// untilInterrupt is a context that nothing ends: Go under JavaScript gets no signals, and
// Node ends the program at Ctrl-C.
func untilInterrupt() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}

// loadBundled reads a bundled model under Node: from LOGZ_MODELS, beside the
// program, or from the source tree.
func loadBundled(file string) ([]byte, error) {
	beside := filepath.Dir(os.Args[0])
	var tried []string
	for _, dir := range []string{os.Getenv("LOGZ_MODELS"), filepath.Join(beside, "models"),
		filepath.Join(beside, "..", "site", "models"), "site/models", "../../site/models"} {
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
