package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// The page has the mark, and the service worker the new hash of the page; the server sends the same.
func TestRoomsMark(t *testing.T) {
	dir := t.TempDir()
	index := []byte("<html><meta name=\"viewport\" content=\"x\"></html>")
	worker := []byte(`F={"./":"` + integrity(index) + `"}`)
	for name, data := range map[string][]byte{"index.html": index, "sw.js": worker} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := withRooms(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(files["index.html"], []byte(roomsMark)) ||
		!bytes.Contains(files["sw.js"], []byte(integrity(files["index.html"]))) {
		t.Errorf("%s", files)
	}
	for _, path := range []string{"/", "/index.html"} {
		w := httptest.NewRecorder()
		staticFiles(dir, true).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if !bytes.Equal(w.Body.Bytes(), files["index.html"]) {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "models"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/models/", "/models"} {
		w := httptest.NewRecorder()
		if staticFiles(dir, true).ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != 404 {
			t.Errorf("%s lists a folder: %d", path, w.Code)
		}
	}
	if err := cmdRooms([]string{dir}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "sw.js")); !bytes.Equal(got, files["sw.js"]) {
		t.Errorf("%s", got)
	}
}
