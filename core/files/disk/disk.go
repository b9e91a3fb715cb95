package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
)

// Write replaces a file atomically: data are written to NAME.tmp in the same folder, which is synced and renamed, and
// then the folder is synced. After an error the old file is unchanged. Errors are those of the file system, such as a
// full disk.
func Write(path string, data []byte) error {
	tmp := path + tmpSuffix
	return rename(tmp, path, write(tmp, data))
}

// tmpSuffix ends the name of a temporary file. The name is always the same, so that a file left by a killed program is
// reused.
const tmpSuffix = ".tmp"

// rename renames a temporary file, unless writing it failed with err; then it is removed.
func rename(tmp, path string, err error) error {
	if err == nil {
		err = step("rename", func() error { return os.Rename(tmp, path) })
	}
	if err != nil {
		os.Remove(tmp)
		return err
	}
	if runtime.GOOS == "windows" { // Windows cannot sync folders
		return nil
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return step("sync folder", folder.Sync)
}

// write creates a file and syncs it.
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

// fill writes data and syncs the file.
func fill(f *os.File, data []byte) error {
	err := step("write", func() error { _, err := f.Write(data); return err })
	if err == nil {
		err = step("sync", f.Sync)
	}
	return err
}

// CheckWritable creates a folder if it is missing and checks, with a temporary file, that files can be written there.
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

// WholeLines returns a text up to the end of its last complete line; torn reports that the text continues after it, or
// is empty.
func WholeLines(text []byte) (whole []byte, torn bool) {
	whole = text[:bytes.LastIndexByte(text, '\n')+1]
	return whole, len(whole) < len(text) || len(text) == 0
}

// fault, if a test sets it, makes steps fail.
var fault func(name string) error

// step runs a step of writing, which a test can make fail.
func step(name string, do func() error) error {
	err := do()
	if err == nil && fault != nil {
		err = fault(name)
	}
	return err
}
