//go:build !js

package main

import (
	"os"
	"os/signal"
	"slices"
	"strings"
	"testing"
	"time"
)

// Ctrl-C ends a run with status 130 and the result so far.
func TestInterrupt(t *testing.T) {
	// The test process must survive signals that come before or after the command's
	// own handler is there.
	c := make(chan os.Signal, 100)
	signal.Notify(c, os.Interrupt)
	defer signal.Stop(c)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		status   int
		out, err string
	}
	done := make(chan answer)
	go func() {
		status, out, err := run("run", "-model", "mixture2", "-method", "rts", "-set", "sweeps=10000000", "-json")
		done <- answer{status, out, err}
	}()
	limit := time.After(60 * time.Second)
	for first := time.After(time.Second); ; {
		select {
		case <-first:
		case <-time.After(2 * time.Second):
		case a := <-done:
			r := parseReport(t, a.out)
			if a.status != exitInterrupted || a.err != "" || !slices.Contains(r.Flags, "interrupted") {
				t.Errorf("status %d, stderr %q, flags %v", a.status, a.err, r.Flags)
			}
			if r.LogZ == nil {
				t.Error("no partial result")
			}
			if !strings.Contains(a.out, `"hash":null`) {
				t.Errorf("an interrupted result has a hash: %s", a.out)
			}
			return
		case <-limit:
			t.Fatal("the run goes on")
		}
		if err := self.Signal(os.Interrupt); err != nil {
			t.Skipf("signals cannot be sent here: %v", err)
		}
	}
}
