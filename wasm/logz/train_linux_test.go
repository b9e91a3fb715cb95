package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full from the start is reported before any work, and no file is left on it.
func TestTrainFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0) })
	full, err := os.Create(filepath.Join(dir, "full"))
	for err == nil {
		_, err = full.Write(make([]byte, 1024))
	}
	full.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Skipf("the file system does not fill up: %v", err)
	}
	status, _, says := run(trainArgs(filepath.Join(dir, "my.npz"))...)
	if status != exitUsage || !strings.Contains(says, "my.npz cannot be written: ") {
		t.Errorf("status %d, %q", status, says)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
}
