//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import "os"

// canRenameOpen reports whether a file that is open can be renamed: not on Windows.
const canRenameOpen = false

// lock does nothing where package syscall has no Flock.
func lock(*os.File) (free bool, err error) { return true, nil }
