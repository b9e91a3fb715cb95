//go:build darwin || dragonfly || freebsd || linux

package native

import (
	"path/filepath"
	"syscall"
)

// freeBytes returns the free bytes of the disk of a file.
func freeBytes(file string) int {
	var s syscall.Statfs_t
	if syscall.Statfs(filepath.Dir(file), &s) != nil {
		return maxBytes
	}
	return int(min(uint64(s.Bavail)*uint64(s.Bsize), 2*maxBytes))
}
