//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// canRenameOpen reports whether an open file can be renamed.
const canRenameOpen = true

// lock locks a file for this program, until it is closed or the program ends for whatever reason. unlocked is true if
// the file system does not support locks, as on some network disks.
func lock(f *os.File) (unlocked bool, err error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return false, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EACCES):
			return false, ErrLocked
		default:
			return true, nil
		}
	}
}
