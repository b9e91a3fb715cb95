//go:build !js

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"logzlab/site"
)

// loadBundled reads a bundled model from the program itself.
func loadBundled(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }

// untilInterrupt is a context that Ctrl-C or SIGTERM ends. A second one ends the program.
func untilInterrupt() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
