package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// cmdDist makes a site, leaves unchanged files alone when it runs again, and replaces and deletes files after a change.
func TestDist(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GOROOT", filepath.Join(dir, "go"))
	write := func(name, text string) {
		t.Helper()
		if err := replaceFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write("LICENSE", "MIT")
	write("go/lib/wasm/wasm_exec.js", "exec")
	write("site/index.html", "page")
	write("site/models/m.npz", "weights")
	write("site/types.d.ts", "types")
	write("bin/logz.wasm", "program")
	write("dist/stale.js", "stale")
	dist := func() {
		t.Helper()
		if err := cmdDist([]string{"-out", "dist", "site", "bin/logz.wasm"}); err != nil {
			t.Fatal(err)
		}
	}
	dist()
	var names []string
	walkFiles("dist", func(_, name string) error { names = append(names, name); return nil })
	want := []string{"LICENSE.txt", "index.html", "logz.wasm.gz", "models/m.npz"}
	if len(names) != len(want) {
		t.Fatalf("files %v, want %v", names, want)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Fatalf("files %v, want %v", names, want)
		}
	}
	packed, err := os.ReadFile("dist/logz.wasm.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || string(text) != "program" {
		t.Fatalf("inflates to %q, %v", text, err)
	}
	if !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("the header has time %v and name %q: not reproducible", z.ModTime, z.Name)
	}

	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, name := range names {
		if err := os.Chtimes(filepath.Join("dist", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	write("site/index.html", "new page")
	write("bin/logz.wasm", "new program")
	dist()
	for _, name := range names {
		info, err := os.Stat(filepath.Join("dist", name))
		if err != nil {
			t.Fatal(err)
		}
		changed := name == "index.html" || name == "logz.wasm.gz"
		if changed == info.ModTime().Equal(old) {
			t.Errorf("%s: written again %v, want %v", name, !info.ModTime().Equal(old), changed)
		}
	}
}

// Compressed programs are sent without Content-Encoding, because the page decompresses them.
func TestStatic(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "logz.wasm.gz"), []byte("packed"), 0o666); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	staticFiles(dir, false).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/logz.wasm.gz", nil))
	if w.Body.String() != "packed" || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("got %q with headers %v", w.Body, w.Header())
	}
}
