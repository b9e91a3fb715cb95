package disk

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// holds reports what a file has, and fails where anything else is in its folder.
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

// Whichever step of writing fails, the file is the old one or the new one, and nothing else is left behind.
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
			t.Errorf("%s fails: the file has %q, error %v", name, got, err)
		}
		fault = nil
		if err := Write(path, []byte("old\n")); err != nil {
			t.Fatal(err)
		}
	}
}

// Try leaves nothing behind, and says where nothing can be written.
func TestTry(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := CheckWritable(dir); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("left %v, error %v", files, err)
	}
	defer func() { fault = nil }()
	fault = func(string) error { return syscall.EROFS }
	if err := CheckWritable(dir); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a folder that cannot be written: %v", err)
	}
}

func TestWhole(t *testing.T) {
	for text, want := range map[string]struct {
		whole string
		torn  bool
	}{"": {"", true}, "a": {"", true}, "a\n": {"a\n", false}, "a\nb": {"a\n", true}, "a\n\x00\x00": {"a\n", true}} {
		if whole, torn := WholeLines([]byte(text)); string(whole) != want.whole || torn != want.torn {
			t.Errorf("%q: %q, torn %v", text, whole, torn)
		}
	}
}
