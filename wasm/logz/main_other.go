//go:build !js

package main

import (
	"context"
	"os"
	"os/signal"

	"logzlab/site"
)

func inBrowser() bool { return false }

func serveBrowser() {}

// loadBundled reads a bundled model from the program itself.
func loadBundled(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }

// untilInterrupt is a context that Ctrl-C ends.
func untilInterrupt() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt)
}
