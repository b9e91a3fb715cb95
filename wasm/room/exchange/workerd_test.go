//go:build !js

package exchange

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"logzlab/wasm/room"
)

// workerd starts Cloudflare's runtime with the edge worker and an empty database of its own.
func workerd(t *testing.T) room.Transport {
	t.Helper()
	program, err := filepath.Abs("../../../node_modules/@cloudflare/workerd-linux-64/bin/workerd")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skipf("NOT TESTED, for want of workerd: rooms on Cloudflare's runtime (%v; npm ci brings it on Linux)", err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("bash", "../../../build.sh", "edge_worker", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
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
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	w.Close()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var e struct {
			Event string
			Port  int
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Event == "listen" {
			return room.HTTP{Base: "http://127.0.0.1:" + number(e.Port) + "/"}
		}
	}
	t.Fatal("workerd does not listen")
	return nil
}

func number(n int) string { b, _ := json.Marshal(n); return string(b) }

// A room on Cloudflare's runtime and its database has the digits of a run alone, with a liar among the devices.
func TestWorkerd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the edge worker")
	}
	tr := workerd(t)
	defer func(b string) { room.Build = b }(room.Build)
	m, err := room.ReadMeta(t.Context(), tr)
	if err != nil {
		t.Fatal(err)
	}
	room.Build = m.Build
	link := links[0]
	h := host(t, tr, link)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	bad := join(t, tr, h.Owner.Code)
	good := []*Device{join(t, tr, h.Owner.Code), join(t, tr, h.Owner.Code)}
	go liar(ctx, bad, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
	go func() { _ = WorkAll(ctx, good) }()
	begun := time.Now()
	j, err := h.Run(ctx, open(t, link))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f s, %+v", time.Since(begun).Seconds(), h.Counts())
	same(t, link, hashes(j), alone(t, link))
}
