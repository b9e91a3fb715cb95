package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// LockedFile is a regular file that this program alone has, from Take until Close, or until the program ends in whatever way.
type LockedFile struct {
	*os.File
	Path     string
	Unlocked bool // files cannot be locked in this folder, so nothing keeps other programs off
}

// ErrLocked says that another program has the file now.
var ErrLocked = errors.New("the file is in use by another program that runs now")

// OpenLocked opens a file, or makes it, for this program alone.
func OpenLocked(path string) (*LockedFile, error) {
	for {
		o, err := openLocked(path)
		if err != nil || o.hasName(path) {
			return o, err
		}
		o.Close() // who had the file before has replaced or removed it meanwhile: the lock is on one without a name
	}
}

// openLocked opens and locks a file.
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

// Replace makes the file hold data, or leaves it as it was. It stays this program's in either case, since the new file
// is locked before it gets the name. What is written next follows on what the file holds.
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

	// The new file has the rights of the old file, and the data.
	st, err := o.Stat()
	if err == nil {
		err = errors.Join(next.Truncate(0), next.Chmod(st.Mode().Perm())) // a killed program may have left it
	}
	if err == nil {
		err = fill(next.File, data)
	}

	// On Windows only closed files get a new name.
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

	// Elsewhere the new file stays locked while renamed.
	err = rename(tmp, o.Path, err)
	if err == nil || next.hasName(o.Path) { // an error may come after the new file has the name
		o.Close()
		o.File, o.Unlocked = next.File, next.Unlocked
	} else {
		next.Close()
	}
	return err
}

// Remove deletes the file and closes it. Nobody gets it in between.
func (o *LockedFile) Remove() error {
	if canRenameOpen {
		return errors.Join(os.Remove(o.Path), o.Close())
	}
	return errors.Join(o.Close(), os.Remove(o.Path))
}

// hasName reports whether the file has a name.
func (o *LockedFile) hasName(path string) bool {
	mine, err := o.Stat()
	if err != nil {
		return false
	}
	other, err := os.Stat(path)
	return err == nil && os.SameFile(mine, other)
}

// Open opens a regular file to read.
func Open(path string) (*os.File, error) { return openRegular(path, os.O_RDONLY) }

// Read reads a regular file of at most so many bytes.
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

// openRegular opens a regular file. Anything else is an error before it is opened: a pipe may wait, and a device go on
// for ever.
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
		err = checkRegular(path, st) // it may have become another one
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// CheckRegular refuses a name under which there is something else than a file.
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
