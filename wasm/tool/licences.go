package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// goLicence is used if the installation of Go lacks its licence, as in packages of some systems.
const goLicence = "The licence of Go is at https://go.dev/LICENSE (BSD, three clauses)."

// licenceFile matches names of licence files of modules.
var licenceFile = regexp.MustCompile(`^(LICEN[CS]E|COPYING|NOTICE)`)

// licences returns the text of LICENSE.txt: the licence of the lab (ownLicence), and the licences of Go and of all
// modules that are compiled into the programs. A text that several modules share appears once.
func licences(ownLicence []byte, programs map[string][]byte) ([]byte, error) {
	names := map[string][]string{} // names of modules by licence text
	text, err := goLicenceText()
	if err != nil {
		return nil, err
	}
	names[text] = []string{"Go"}
	for _, program := range programs {
		for _, m := range modulesIn(program) {
			text, err := licenceOf(m)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(names[text], m) {
				names[text] = append(names[text], m)
			}
		}
	}
	var parts []string
	for text, modules := range names {
		slices.Sort(modules)
		parts = append(parts, strings.Join(modules, "\n")+"\n\n"+strings.TrimSpace(text)+"\n")
	}
	slices.Sort(parts)
	const heading = "\n----\n\nThe programs of this site are compiled from these too, on terms of their own:\n\n"
	return []byte(string(ownLicence) + heading + strings.Join(parts, "\n----\n\n")), nil
}

// Byte sequences around the list of modules in a Go program, as in package runtime/debug.
const (
	modulesBegin = "0w\xaf\x0c\x92t\x08\x02A\xe1\xc1\x07\xe6\xd6\x18\xe6"
	modulesEnd   = "\xf92C1\x86\x18 r\x00\x82B\x10A\x16\xd8\xf2"
)

// modulesIn returns the modules that a program depends on, as "rsc.io/qr v0.2.0".
func modulesIn(program []byte) (modules []string) {
	_, list, _ := bytes.Cut(program, []byte(modulesBegin))
	list, _, _ = bytes.Cut(list, []byte(modulesEnd))
	for line := range strings.Lines(string(list)) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "dep" {
			modules = append(modules, f[1]+" "+f[2])
		}
	}
	return modules
}

// licenceOf returns the licence of a module ("path version") from the module cache. It returns an error if the cache
// has another version or no licence.
func licenceOf(module string) (string, error) {
	path, version, _ := strings.Cut(module, " ")
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", path).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", path, err)
	}
	found, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if found != version || dir == "" {
		return "", fmt.Errorf("a program has %s, and the source at hand is %s in %q: build it again", module, found, dir)
	}
	text, err := licenceIn(dir)
	if err == nil && text == "" {
		err = fmt.Errorf("%s has no licence in %s", module, dir)
	}
	return text, err
}

// licenceIn returns the text of the licence files in a folder.
func licenceIn(dir string) (text string, err error) {
	files, err := os.ReadDir(dir)
	for _, f := range files {
		if f.IsDir() || !licenceFile.MatchString(f.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return "", err
		}
		text += string(b) + "\n"
	}
	return text, err
}

// goLicenceText returns the licence of Go.
func goLicenceText() (string, error) {
	root, err := goRoot()
	if err != nil {
		return "", err
	}
	text, err := licenceIn(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if text == "" {
		text = goLicence
	}
	return text, nil
}
