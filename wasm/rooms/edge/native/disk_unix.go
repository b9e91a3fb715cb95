//go:build darwin || dragonfly || freebsd || linux

package native

import (
	"path/filepath"
	"syscall"
)

// free is how many bytes the disk of a file has left.
func free(file string) int {
	var s syscall.Statfs_t
	if syscall.Statfs(filepath.Dir(file), &s) != nil {
		return mostBytes
	}
	return int(min(uint64(s.Bavail)*uint64(s.Bsize), 2*mostBytes))
}
