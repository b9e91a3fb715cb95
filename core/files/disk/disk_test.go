package disk

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// holds returns the content of a file, and fails the test if the folder contains any other file.
func holds(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("files %v, error %v", files, err)
	}
	return string(b)
}

// Whichever step of writing fails, the file is the old one or the new one, and no other file remains.
func TestWriteFails(t *testing.T) {
	defer func() { fault = nil }()
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path+".tmp", []byte("left by a killed program, and longer"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("old\n")); err != nil || holds(t, path) != "old\n" {
		t.Fatalf("%q, error %v", holds(t, path), err)
	}
	var steps []string
	fault = func(name string) error { steps = append(steps, name); return nil }
	if err := Write(path, []byte("old\n")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"create", "write", "sync", "close", "rename", "sync folder"}; !slices.Equal(steps, want) {
		t.Fatalf("steps %q, want %q", steps, want)
	}
	for n, name := range steps {
		at := 0
		fault = func(string) error {
			if at++; at == n+1 {
				return syscall.ENOSPC
			}
			return nil
		}
		err := Write(path, []byte("new\n"))
		got := holds(t, path)
		if !errors.Is(err, syscall.ENOSPC) || got != "old\n" && (got != "new\n" || n < slices.Index(steps, "rename")) {
			t.Errorf("step %s fails: the file has %q, error %v", name, got, err)
		}
		fault = nil
		if err := Write(path, []byte("old\n")); err != nil {
			t.Fatal(err)
		}
	}
}

// CheckWritable leaves no file behind, and reports a folder that cannot be written.
func TestCheckWritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := CheckWritable(dir); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("the folder has %v, want nothing, error %v", files, err)
	}
	defer func() { fault = nil }()
	fault = func(string) error { return syscall.EROFS }
	if err := CheckWritable(dir); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a folder that cannot be written: %v", err)
	}
}

func TestWholeLines(t *testing.T) {
	for text, want := range map[string]struct {
		whole string
		torn  bool
	}{"": {"", true}, "a": {"", true}, "a\n": {"a\n", false}, "a\nb": {"a\n", true}, "a\n\x00\x00": {"a\n", true}} {
		if whole, torn := WholeLines([]byte(text)); string(whole) != want.whole || torn != want.torn {
			t.Errorf("%q: %q, torn %v", text, whole, torn)
		}
	}
}
