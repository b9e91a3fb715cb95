// Package disk writes files that stay whole, whatever ends the program or the machine, and reads files that did not
// (disk.go). It keeps files for one program at a time (own.go; lock_unix.go, lock_other.go). Only regular files are
// opened.
//
// It must not know what the files hold. Code that reaches a digit must not import it.
package disk
