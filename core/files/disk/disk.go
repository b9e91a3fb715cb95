package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
)

// Write makes a file hold data, or leaves the one that is there as it was: data go to NAME.tmp in the same folder,
// which is synced and renamed, and then the folder is synced. Errors are those of the file system, as a full disk's.
func Write(path string, data []byte) error {
	tmp := path + tmpSuffix
	return rename(tmp, path, write(tmp, data))
}

// tmpSuffix is the end of a name under which a file is written: always the same, so that what a killed program left is
// used again.
const tmpSuffix = ".tmp"

// rename puts a file that was written, unless that failed, in the place of another one.
func rename(tmp, path string, err error) error {
	if err == nil {
		err = step("rename", func() error { return os.Rename(tmp, path) })
	}
	if err != nil {
		os.Remove(tmp)
		return err
	}
	if runtime.GOOS == "windows" { // which cannot sync folders
		return nil
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return step("sync folder", folder.Sync)
}

// write makes a file that is safely on the disk.
func write(path string, data []byte) error {
	var f *os.File
	err := step("create", func() (err error) { f, err = os.Create(path); return err })
	if err != nil {
		return err
	}
	err = fill(f, data)
	if e := step("close", f.Close); err == nil {
		err = e
	}
	return err
}

// fill writes data safely to the disk.
func fill(f *os.File, data []byte) error {
	err := step("write", func() error { _, err := f.Write(data); return err })
	if err == nil {
		err = step("sync", f.Sync)
	}
	return err
}

// CheckWritable makes a folder, and makes sure that files can be written there by writing one and removing it.
func CheckWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	path := filepath.Join(dir, "logz-try")
	if err := Write(path, []byte("This file may be removed.\n")); err != nil {
		return err
	}
	return os.Remove(path)
}

// WholeLines is a text up to the end of its last whole line; torn tells that there was more, or nothing.
func WholeLines(text []byte) (whole []byte, torn bool) {
	whole = text[:bytes.LastIndexByte(text, '\n')+1]
	return whole, len(whole) < len(text) || len(text) == 0
}

// fault, where a test sets it, fails steps.
var fault func(name string) error

func step(name string, do func() error) error {
	err := do()
	if err == nil && fault != nil {
		err = fault(name)
	}
	return err
}
