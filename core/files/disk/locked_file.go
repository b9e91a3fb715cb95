package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// LockedFile is a regular file that only this program may use, from OpenLocked until Close or the end of the program.
type LockedFile struct {
	*os.File
	Path     string
	Unlocked bool // the folder does not support locks, so other programs are not kept out
}

// ErrLocked is returned if another program has locked the file.
var ErrLocked = errors.New("the file is in use by another program that runs now")

// OpenLocked opens or creates a file and locks it for this program.
func OpenLocked(path string) (*LockedFile, error) {
	for {
		o, err := openLocked(path)
		if err != nil || o.hasName(path) {
			return o, err
		}
		o.Close() // the previous owner replaced or removed the file meanwhile: this lock is on a file without a name
	}
}

// openLocked opens and locks a file once.
func openLocked(path string) (*LockedFile, error) {
	f, err := openRegular(path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	free, err := lock(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &LockedFile{f, path, free}, nil
}

// Replace replaces the content of the file atomically. The file stays locked whether or not Replace fails, because the
// new file is locked before it is renamed. Later writes append to the content.
func (o *LockedFile) Replace(data []byte) error {
	tmp := o.Path + tmpSuffix
	var next *LockedFile
	if err := step("create", func() (err error) { next, err = openLocked(tmp); return err }); err != nil {
		if next != nil {
			next.Close()
			os.Remove(tmp)
		}
		return err
	}

	// The new file gets the permissions of the old one, and the data.
	st, err := o.Stat()
	if err == nil {
		err = errors.Join(next.Truncate(0), next.Chmod(st.Mode().Perm())) // a killed program may have left data
	}
	if err == nil {
		err = fill(next.File, data)
	}

	// Windows cannot rename open files.
	if !canRenameOpen {
		next.Close()
		o.Close()
		err = rename(tmp, o.Path, err)
		again, e := openLocked(o.Path)
		if e == nil {
			_, e = again.Seek(0, io.SeekEnd)
			o.File = again.File
		}
		return errors.Join(err, e)
	}

	// Elsewhere the new file stays locked while it is renamed.
	err = rename(tmp, o.Path, err)
	if err == nil || next.hasName(o.Path) { // an error may occur after the new file got its name
		o.Close()
		o.File, o.Unlocked = next.File, next.Unlocked
	} else {
		next.Close()
	}
	return err
}

// Remove deletes and closes the file, without giving other programs a chance to open it.
func (o *LockedFile) Remove() error {
	if canRenameOpen {
		return errors.Join(os.Remove(o.Path), o.Close())
	}
	return errors.Join(o.Close(), os.Remove(o.Path))
}

// hasName reports whether path still refers to the file.
func (o *LockedFile) hasName(path string) bool {
	mine, err := o.Stat()
	if err != nil {
		return false
	}
	other, err := os.Stat(path)
	return err == nil && os.SameFile(mine, other)
}

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) { return openRegular(path, os.O_RDONLY) }

// Read reads a regular file of at most the given number of bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err == nil && st.Size() > most {
		err = fmt.Errorf("%s has %d MB, more than the limit of %d MB", path, st.Size()>>20, most>>20)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// openRegular opens a regular file. Anything else is an error before it is opened, because a pipe may block and a
// device may never end.
func openRegular(path string, how int) (*os.File, error) {
	if err := CheckRegular(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, how, 0o600)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil {
		err = checkRegular(path, st) // the file may have been replaced meanwhile
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// CheckRegular returns an error if path exists and is not a regular file.
func CheckRegular(path string) error {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return checkRegular(path, st)
}

// checkRegular returns an error unless st is a regular file.
func checkRegular(path string, st fs.FileInfo) error {
	what := "a device"
	switch {
	case st.Mode().IsRegular():
		return nil
	case st.IsDir():
		what = "a folder"
	case st.Mode()&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case st.Mode()&fs.ModeSocket != 0:
		what = "a socket"
	}
	return fmt.Errorf("%s is %s; give the name of a file", path, what)
}
