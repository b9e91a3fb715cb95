//go:build unix

package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The file is locked until Close, also after Replace, and keeps its last content.
func TestOpenLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine")
	o, err := OpenLocked(path)
	if err != nil {
		t.Fatal(err)
	}
	if o.Unlocked {
		t.Skip("files cannot be locked here")
	}
	taken := func(when string) {
		t.Helper()
		if _, err := OpenLocked(path); !errors.Is(err, ErrLocked) {
			t.Errorf("%s: %v", when, err)
		}
	}
	taken("at first")
	if err := o.Replace([]byte("a longer text")); err != nil {
		t.Fatal(err)
	}
	taken("after it was replaced")
	if err := o.Replace([]byte("text")); err != nil {
		t.Fatal(err)
	}
	taken("after it was replaced again")
	if _, err := o.Write([]byte(" and more")); err != nil || holds(t, path) != "text and more" {
		t.Errorf("the file has %q, error %v", holds(t, path), err)
	}
	o.Close()
	next, err := OpenLocked(path)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if b, err := io.ReadAll(next); err != nil || string(b) != "text and more" {
		t.Errorf("after reopening the file has %q, error %v", b, err)
	}
}

// A lock on a file that was replaced meanwhile does not count: OpenLocked opens the file that has the name now.
func TestOpenLockedReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine")
	before, err := openLocked(path)
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	o, err := OpenLocked(path)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if b, err := io.ReadAll(o); err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
}

// Whichever step of Replace fails, the file has the old or the new content, is still locked, and can be appended to.
func TestReplaceFails(t *testing.T) {
	defer func() { fault = nil }()
	for n, name := range []string{"create", "write", "sync", "rename", "sync folder"} {
		path := filepath.Join(t.TempDir(), "mine")
		o, err := OpenLocked(path)
		if err == nil {
			err = o.Replace([]byte("old"))
		}
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		fault = func(step string) error {
			if steps = append(steps, step); len(steps) == n+1 {
				return syscall.ENOSPC
			}
			return nil
		}
		err = o.Replace([]byte("new"))
		fault = nil
		if !errors.Is(err, syscall.ENOSPC) || steps[n] != name {
			t.Errorf("step %s fails: error %v after steps %q", name, err, steps)
		}
		_, err = o.Write([]byte("er"))
		if got := holds(t, path); err != nil || got != "older" && (got != "newer" || n < 3) {
			t.Errorf("step %s fails: the file has %q, error %v", name, got, err)
		}
		if _, err := OpenLocked(path); !o.Unlocked && !errors.Is(err, ErrLocked) {
			t.Errorf("step %s fails: the lock is lost: %v", name, err)
		}
		o.Close()
	}
}

// Only regular files are opened, and never more is read than allowed.
func TestRegular(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(file, make([]byte, 1000), 0o600)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{dir: "is a folder", pipe: "is a pipe", os.DevNull: "is a device",
		"/dev/zero": "is a device", filepath.Join(dir, "none"): "no such file"} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("open %s: %v, want %q", path, err, want)
		}
		if _, err := OpenLocked(path); want != "no such file" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("take %s: %v, want %q", path, err, want)
		}
	}
	if b, err := Read(file, 1000); err != nil || len(b) != 1000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := Read(file, 999); err == nil || !strings.Contains(err.Error(), "more than the limit") {
		t.Errorf("a file over the limit: error %v", err)
	}
}
