//go:build !js

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"logzlab/site"
)

// loadBundled reads a bundled model, which is embedded in the program.
func loadBundled(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }

// untilInterrupt returns a context that Ctrl-C or SIGTERM cancels. A second signal ends the program.
func untilInterrupt() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
