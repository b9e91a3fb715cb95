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
)

// cmdDist makes the static site: `dist -out DIR SITE NAME.wasm...`. DIR then
// holds every file of SITE, Go's wasm_exec.js, the licence, and NAME.wasm.gz of
// each program, and nothing else. What has not changed is left alone, and a
// changed file replaces the old one in one step, so a server may keep running.
func cmdDist(args []string) error {
	set := flag.NewFlagSet("dist", flag.ExitOnError)
	out := set.String("out", "dist", "the folder to make")
	set.Parse(args)
	if set.NArg() < 1 {
		return errors.New("usage: tool dist -out DIR SITE [NAME.wasm]...; SITE is missing")
	}
	keep := map[string]bool{}
	add := func(name string, data []byte) error {
		keep[name] = true
		return replace(filepath.Join(*out, name), data)
	}
	site := set.Arg(0)
	err := walkFiles(site, func(path, name string) error {
		if strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(name, ".go") {
			return nil // types for the checker, and what embeds the models
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if name == "index.html" {
			if data, err = fill(data); err != nil {
				return err
			}
		}
		return add(name, data)
	})
	if err != nil {
		return err
	}
	script, err := goWasm("wasm_exec.js")
	if err != nil {
		return err
	}
	for name, path := range map[string]string{"wasm_exec.js": script, "LICENSE.txt": "LICENSE"} {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := add(name, data); err != nil {
			return err
		}
	}
	for _, path := range set.Args()[1:] {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Base(path) + ".gz"
		keep[name] = true
		if err := replaceGzip(filepath.Join(*out, name), data); err != nil {
			return err
		}
	}
	if keep["sw.js"] {
		if err := stamp(*out, keep); err != nil {
			return err
		}
	}
	return walkFiles(*out, func(path, name string) error {
		if keep[name] {
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
	tmp := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	if err := os.WriteFile(tmp, data, 0o666); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// replaceGzip makes path hold data compressed; equal data give equal bytes, as
// the header carries neither name nor time.
func replaceGzip(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && sameGzip(old, data) {
		return nil
	}
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return replace(path, buf.Bytes())
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
