//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// canRenameOpen reports whether a file that is open can be renamed.
const canRenameOpen = true

// lock takes a file for this program, until it is closed or the program ends in whatever way. free is true where files
// cannot be locked, as on some network disks.
func lock(f *os.File) (free bool, err error) {
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
