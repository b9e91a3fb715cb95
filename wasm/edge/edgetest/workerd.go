//go:build !js

// Package edgetest starts servers of rooms for tests.
package edgetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"logzlab/core/labtest"
)

// Workerd is a running edge worker with an empty database of its own.
type Workerd struct {
	URL string
	pid int
}

// Start runs the edge worker under workerd until the test is over. Where workerd cannot be had it says so.
func Start(t testing.TB) *Workerd {
	t.Helper()
	root := labtest.Root(t)
	program := filepath.Join(root, "node_modules/@cloudflare/workerd-linux-64/bin/workerd")
	if _, err := os.Stat(program); err != nil {
		t.Skipf("NOT TESTED, for want of workerd: rooms on Cloudflare's runtime (%v; npm ci brings it on Linux)", err)
	}

	// The build.
	dir := t.TempDir()
	build := exec.Command("bash", "build.sh", "edge_worker", dir)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	// The worker, at a port that workerd tells through a pipe.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "serve", "--experimental", "--control-fd=3", "--socket-addr=http=127.0.0.1:0",
		"wrangler.jsonc")
	cmd.Dir, cmd.ExtraFiles, cmd.Stderr = dir, []*os.File{w}, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	w.Close()
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var e struct {
			Event string
			Port  int
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Event == "listen" {
			return &Workerd{fmt.Sprintf("http://127.0.0.1:%d/", e.Port), cmd.Process.Pid}
		}
	}
	t.Fatal("workerd does not listen")
	return nil
}

// Memory is what the runtime holds now, in bytes.
func (w *Workerd) Memory(t testing.TB) int {
	pages, err := strconv.Atoi(w.stat(t, "statm")[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Time is the processor time that the runtime has used. Linux counts it in hundredths of a second.
func (w *Workerd) Time(t testing.TB) time.Duration {
	all := w.stat(t, "stat")
	user, err := strconv.Atoi(all[13])
	if err != nil {
		t.Fatal(err)
	}
	system, err := strconv.Atoi(all[14])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

func (w *Workerd) stat(t testing.TB, name string) []string {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", w.pid, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}
