//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package exchange

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file for this program, until it is closed or the program ends in whatever way; false if another has it.
// Where files cannot be locked, as on some network disks, nobody has it.
func lock(f *os.File) bool {
	return !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}
