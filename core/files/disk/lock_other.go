//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import "os"

// canRenameOpen reports whether an open file can be renamed: not on Windows.
const canRenameOpen = false

// lock does nothing on systems where package syscall has no Flock; unlocked is true.
func lock(*os.File) (unlocked bool, err error) { return true, nil }
