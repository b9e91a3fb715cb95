//go:build !js

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// logz host with workers of its own, and logz work beside it, print what logz run prints; nothing is left behind.
func TestHost(t *testing.T) {
	args := []string{"-model", "mixture2", "-method", "ais,rts", "-set", "chains=20", "-set", "temperatures=20",
		"-set", "sweeps=40"}
	_, want, _ := run(append([]string{"run"}, args...)...)
	file := filepath.Join(t.TempDir(), "a.room")
	errs, w := io.Pipe()
	var out bytes.Buffer
	end := make(chan int, 1)
	go func() {
		end <- cli(append([]string{"host", "-addr", "127.0.0.1:0", "-file", file}, args...), &out, w)
		w.Close()
	}()
	said := make([]byte, 200)
	n, _ := errs.Read(said)
	link := regexp.MustCompile(`http://\S+#room=[A-Z0-9]{6}`).FindString(string(said[:n]))
	if link == "" {
		t.Fatalf("no link in %q", said[:n])
	}
	go io.Copy(io.Discard, errs)
	if status, _, why := run("work", link, "-workers", "2"); status != exitOK {
		t.Fatalf("work: status %d, %s", status, why)
	}
	if status := <-end; status != exitOK {
		t.Fatalf("host: status %d", status)
	}
	hashes := func(s string) []string { return regexp.MustCompile(`hash +\w+`).FindAllString(s, -1) }
	if a, b := hashes(out.String()), hashes(want); strings.Join(a, " ") != strings.Join(b, " ") || len(a) != 2 {
		t.Errorf("the room has %q, run %q", a, b)
	}
	if left, _ := filepath.Glob(file + "*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file is still there")
	}
}

// What is missing or wrong is said before any work.
func TestRoomArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"work", "the link of the room is missing"},
		{"work http://127.0.0.1:1/", "is no link to a room"},
		{"work ftp://a/#room=ABCDEF", "is no link to a room"},
		{"host a b", "give one link"},
		{"host -model mixture2 -workers 0", "must be at least 1"},
	} {
		status, _, err := run(strings.Fields(c.args)...)
		if status != exitUsage || !strings.Contains(err, c.want) {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, err, c.want)
		}
	}
}
