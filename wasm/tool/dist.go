package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"logzlab/core/files/disk"
	"logzlab/core/words"
	"logzlab/wasm/tool/translations"
)

// cmdDist makes the static site: `dist -out DIR SITE NAME.wasm...`. DIR then has the files of SITE, with bundled
// scripts (see scripts) and with documentation as HTML pages (see documentation); LICENSE.txt (see licences);
// NAME.wasm.gz for each program; a file of translations for each language; and nothing else. Pages and the service
// worker contain the hashes of the files that they load (see seal). Unchanged files are not written, and a changed file
// replaces the old one atomically, so a server may keep running.
func cmdDist(args []string) error {
	flags := flag.NewFlagSet("dist", flag.ExitOnError)
	out := flags.String("out", "dist", "the folder to make")
	address := flags.String("url", os.Getenv("SITE_URL"), "the address of the site, which previews of its links need in full")
	flags.Parse(args)
	if flags.NArg() < 1 {
		return errors.New("usage: tool dist -out DIR SITE [NAME.wasm]...; SITE is missing")
	}
	files := map[string][]byte{}
	err := walkFiles(flags.Arg(0), func(path, name string) (err error) {
		if strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(name, ".go") ||
			(strings.HasPrefix(name, "lessons/") || strings.HasPrefix(name, "decks/")) && strings.HasSuffix(name, ".md") {
			return nil // types for the checker, Go files, and the sources of lessons and exercises
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		return err
	}
	if *address != "" {
		files["index.html"] = bytes.Replace(files["index.html"], []byte(`content="previews/`),
			[]byte(`content="`+html.EscapeString(strings.TrimSuffix(*address, "/"))+`/previews/`), 1)
	}
	if err := documentation(files); err != nil { // makes pages of Markdown
		return err
	}
	boot, err := scripts(flags.Arg(0), files)
	if err != nil {
		return err
	}

	// Compressed programs and translations, and the licences of the programs.
	programs := map[string][]byte{} // uncompressed programs and translations, by the names of their compressed files
	for _, path := range flags.Args()[1:] {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Base(path) + ".gz"
		programs[name] = data
		if files[name], err = gzipped(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	ownLicence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	if files["LICENSE.txt"], err = licences(ownLicence, programs); err != nil {
		return err
	}
	languages, err := translations.All(".")
	if err != nil {
		return err
	}
	for _, c := range languages {
		name := words.File(c.Lang)
		programs[name] = c.Data
		if files[name], err = gzipped(c.Data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, s := range c.Changed {
			fmt.Printf("core/words/%s.po is older than its English: %q is now %q\n", c.Lang, s.Was, s.Is)
		}
	}

	// Write the hashes into the pages. Then write the files and delete all other files.
	if err := seal(files, programs, boot, languages); err != nil {
		return err
	}
	for name, data := range files {
		if err := replaceFile(filepath.Join(*out, name), data); err != nil {
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

// goRoot returns the folder of the Go installation.
func goRoot() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}

// goWasm returns the path of a file in lib/wasm of the Go installation.
func goWasm(name string) (string, error) {
	root, err := goRoot()
	return filepath.Join(root, "lib", "wasm", name), err
}

// walkFiles calls f with the path of every file below dir, and its name relative to dir.
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

// replaceFile writes a file atomically, unless it already has this content.
func replaceFile(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.Write(path, data)
}

// gzipped compresses data. Equal data give equal bytes.
func gzipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
