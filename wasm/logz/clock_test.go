//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/internal/labtest"
	"logzlab/internal/tier"
)

// buildWithJumpingClock builds the command with a clock that jumps by up to 28 minutes, back or forth, three times a
// second: package time gets another Now. Timers are not affected, as on a computer whose clock is set.
func buildWithJumpingClock(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	file := filepath.Join(strings.TrimSpace(string(root)), "src/time/time.go")
	var b []byte
	if err == nil {
		b, err = os.ReadFile(file)
	}
	if err != nil {
		t.Skipf("NOT TESTED, for want of Go's sources: clocks that jump: %v", err)
	}
	const now = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {\n"
	text := strings.Replace(string(b), now, strings.Replace(now, "\tif", "\tsec += jumped(mono)\n\tif", 1), 1) +
		"\nfunc jumped(mono int64) int64 { return int64(uint64(mono/3e8)*0x9E3779B97F4A7C15%3400) - 1700 }\n"
	if text == string(b) || strings.Count(text, "jumped(mono)") != 1 {
		t.Fatal("Now looks otherwise in this version of Go")
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: filepath.Join(dir, "time.go")}})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "time.go"), []byte(text), 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "logz")
	c := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", out, "./wasm/logz")
	c.Dir = labtest.Root(t)
	if says, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, says)
	}
	return out
}

// A room gives the result of logz run, even if the clocks of its host, server and devices jump.
func TestJumpingClocks(t *testing.T) {
	tier.Release(t) // it builds Go's library again
	logz := buildWithJumpingClock(t)
	args := strings.Fields("-model mixture2 -method ais,rts -replicates 12 -set chains=40 -set temperatures=60 -set sweeps=40 -json")
	want := withoutSeconds(mustRun(t, append([]string{"run"}, args...)...))
	for range 10 {
		host := exec.Command(logz, append([]string{"host", "-addr", "127.0.0.1:0", "-file",
			filepath.Join(t.TempDir(), "a.room")}, args...)...)
		var out strings.Builder
		host.Stdout = &out
		says, err := host.StderrPipe()
		if err == nil {
			err = host.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(says)
		lines.Scan()
		_, link, ok := strings.Cut(lines.Text(), ": ")
		if !ok {
			t.Fatalf("the host says %q", lines.Text())
		}
		var devices []*exec.Cmd
		for range 3 {
			d := exec.Command(logz, "work", "-workers", "1", link)
			if err := d.Start(); err != nil {
				t.Fatal(err)
			}
			devices = append(devices, d)
		}
		said := ""
		for lines.Scan() {
			said += lines.Text() + "\n"
		}
		if err := host.Wait(); err != nil || withoutSeconds(out.String()) != want {
			t.Errorf("%v: %s\n%s\nwant %s", err, said, out.String(), want)
		}
		for _, d := range devices {
			if err := d.Wait(); err != nil {
				t.Errorf("a device ended with %v", err)
			}
		}
	}
}
