// Package disk writes files atomically, so that a crash of the program or of the computer leaves either the old or the
// new file, and reads files that other programs left incomplete (disk.go). It locks files for exclusive use by one
// program (locked_file.go; lock_unix.go, lock_other.go). Only regular files are opened.
//
// It must not know the contents of the files. Code that results depend on must not import it.
package disk
