//go:build !js

// Package edgetest starts room servers for tests.
package edgetest

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"logzlab/internal/labtest"
)

// Workerd is a running edge worker with its own empty database.
type Workerd struct {
	URL string
	pid int

	inspector string // address of the inspector (debugger protocol) of its JavaScript
}

// Start runs the edge worker under workerd until the test is over. It skips the test if workerd is not installed.
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

	// Start the worker; workerd reports its port through a pipe.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "serve", "--experimental", "--control-fd=3", "--socket-addr=http=127.0.0.1:0",
		"--inspector-addr=127.0.0.1:0", "wrangler.jsonc")
	cmd.Dir, cmd.ExtraFiles, cmd.Stderr = dir, []*os.File{w}, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	w.Close()
	run := &Workerd{pid: cmd.Process.Pid}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var e struct {
			Event string
			Port  int
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Event == "listen-inspector" {
			run.inspector = fmt.Sprintf("127.0.0.1:%d", e.Port)
		} else if e.Event == "listen" {
			run.URL = fmt.Sprintf("http://127.0.0.1:%d/", e.Port)
		}
		if run.URL != "" && run.inspector != "" {
			return run
		}
	}
	t.Fatal("workerd did not start listening")
	return nil
}

// Heap returns the bytes in use by the worker's JavaScript: objects and buffers, including uncollected garbage, but
// without the memory of the Go program's instances, the runtime's own memory, compiled code and the database.
func (w *Workerd) Heap(t testing.TB) int {
	t.Helper()
	c, err := net.Dial("tcp", w.inspector)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	r := bufio.NewReader(c)

	// Open a WebSocket, and send one text frame with a zero mask.
	fmt.Fprintf(c, "GET /logz-lab HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", w.inspector)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("no inspector: %v", err)
	}
	request := `{"id":1,"method":"Runtime.getHeapUsage"}`
	if _, err := c.Write(append([]byte{0x81, 0x80 | byte(len(request)), 0, 0, 0, 0}, request...)); err != nil {
		t.Fatal(err)
	}
	for {
		var head [2]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			t.Fatal(err)
		}
		size := uint64(head[1])
		if size >= 126 {
			extendedSize := make([]byte, 2+6*(size-126))
			if _, err := io.ReadFull(r, extendedSize); err != nil {
				t.Fatal(err)
			}
			size = binary.BigEndian.Uint64(append(make([]byte, 8-len(extendedSize)), extendedSize...))
		}
		message := make([]byte, size)
		if _, err := io.ReadFull(r, message); err != nil {
			t.Fatal(err)
		}
		var x struct {
			ID     int
			Result struct{ UsedSize, BackingStorageSize float64 }
		}
		if json.Unmarshal(message, &x) == nil && x.ID == 1 {
			return int(x.Result.UsedSize + x.Result.BackingStorageSize)
		}
	}
}

// Memory returns the resident bytes of the runtime's process. When idle it has 80 MB, of which the program is 66 MB.
func (w *Workerd) Memory(t testing.TB) int {
	pages, err := strconv.Atoi(w.stat(t, "statm")[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Time returns the CPU time that the runtime has used, in Linux's units of 10 ms.
func (w *Workerd) Time(t testing.TB) time.Duration {
	fields := w.stat(t, "stat")
	user, err := strconv.Atoi(fields[13])
	if err != nil {
		t.Fatal(err)
	}
	system, err := strconv.Atoi(fields[14])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// stat returns the fields of a file in /proc of the process.
func (w *Workerd) stat(t testing.TB, name string) []string {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", w.pid, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}
