//go:build darwin || dragonfly || freebsd || linux

package native

import (
	"path/filepath"
	"syscall"
)

// free returns the free bytes of the disk of a file.
func free(file string) int {
	var s syscall.Statfs_t
	if syscall.Statfs(filepath.Dir(file), &s) != nil {
		return mostBytes
	}
	return int(min(uint64(s.Bavail)*uint64(s.Bsize), 2*mostBytes))
}
