package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"logzlab/estimators/disk"
)

// cmdDist makes the static site: `dist -out DIR SITE NAME.wasm...`. DIR then
// holds every file of SITE, its scripts joined (see scripts), the licence, and NAME.wasm.gz of
// each program, and nothing else; pages and the service worker carry the content hashes of what they
// load (see seal). What has not changed is left alone, and a
// changed file replaces the old one in one step, so a server may keep running.
func cmdDist(args []string) error {
	set := flag.NewFlagSet("dist", flag.ExitOnError)
	out := set.String("out", "dist", "the folder to make")
	set.Parse(args)
	if set.NArg() < 1 {
		return errors.New("usage: tool dist -out DIR SITE [NAME.wasm]...; SITE is missing")
	}
	files := map[string][]byte{}
	err := walkFiles(set.Arg(0), func(path, name string) (err error) {
		if strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(name, ".go") {
			return nil // types for the checker, and what embeds the models
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		return err
	}
	if err := documentation(files); err != nil { // Markdown becomes pages
		return err
	}
	boot, err := scripts(set.Arg(0), files)
	if err != nil {
		return err
	}
	if files["LICENSE.txt"], err = os.ReadFile("LICENSE"); err != nil {
		return err
	}
	programs := map[string][]byte{} // as servers send them that declare Content-Encoding: gzip
	for _, path := range set.Args()[1:] {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if data, err = smaller(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name := filepath.Base(path) + ".gz"
		programs[name] = data
		files[name] = packed(filepath.Join(*out, name), data)
	}
	if err := seal(files, programs, boot); err != nil {
		return err
	}
	for name, data := range files {
		if err := replace(filepath.Join(*out, name), data); err != nil {
			return err
		}
	}
	return walkFiles(*out, func(path, name string) error {
		if files[name] != nil {
			return nil
		}
		return os.Remove(path)
	})
}

// goWasm is the path of a file that Go brings along for running wasm.
func goWasm(name string) (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", name), nil
}

// walkFiles calls f with the path of every file below dir, and its name there.
func walkFiles(dir string, f func(path, name string) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return f(path, filepath.ToSlash(name))
	})
}

// replace makes path hold data, whole or not at all.
func replace(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.Write(path, data)
}

// packed is data compressed, as it stands at path if that is up to date; equal data give equal bytes.
func packed(path string, data []byte) []byte {
	if old, err := os.ReadFile(path); err == nil && sameGzip(old, data) {
		return old
	}
	return gzipped(data)
}

// sameGzip reports whether z inflates to data; inflating is far cheaper than
// compressing the same program again.
func sameGzip(z, data []byte) bool {
	r, err := gzip.NewReader(bytes.NewReader(z))
	if err != nil {
		return false
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(r); err != nil {
		return false
	}
	return bytes.Equal(buf.Bytes(), data)
}
