package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/wasm/page"
)

var (
	goFile   = regexp.MustCompile(`[\w/.]*\w+\.(?:go|js)\b`)
	document = regexp.MustCompile(`\[[^\]]*\]\(([^):#]+)\)`)
)

// The map of ARCHITECTURE.md has every package, and nothing else; files that the documents
// name are there. README.md names every method, built-in model and scene.
func TestDocuments(t *testing.T) {
	root := filepath.Join("..", "..")
	var packages, files []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != root ||
			slices.Contains([]string{"node_modules", "bin", "dist", "testdata"}, d.Name())) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err != nil || d.IsDir() {
			return err
		}
		rel = filepath.ToSlash(rel)
		files = append(files, rel)
		if dir := path.Dir(rel); path.Ext(rel) == ".go" && !slices.Contains(packages, dir) {
			packages = append(packages, dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CONTRACT.md"} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		text[name] = string(b)
		for _, m := range document.FindAllStringSubmatch(text[name], -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
		for _, file := range goFile.FindAllString(text[name], -1) {
			ends := func(f string) bool { return f == file || strings.HasSuffix(f, "/"+file) }
			if !slices.ContainsFunc(files, ends) && !strings.Contains(file, "NAME") {
				t.Errorf("%s names %s, which does not exist", name, file)
			}
		}
	}
	var names []string
	for _, m := range catalog.Methods {
		names = append(names, m.Name)
	}
	for _, e := range models.Builtin() {
		names = append(names, e.Name)
	}
	for _, name := range names {
		if !strings.Contains(text["README.md"], "`"+name+"`") && !strings.HasPrefix(name, "rbm-") {
			t.Errorf("README.md does not name %s", name)
		}
	}
	for _, name := range page.SceneNames() {
		if !strings.Contains(text["README.md"], "*"+name+"*") {
			t.Errorf("README.md does not describe the scene %s", name)
		}
	}
	var listed []string
	_, list, _ := strings.Cut(text["ARCHITECTURE.md"], "## The map\n")
	list, _, _ = strings.Cut(list, "Imports run one way")
	for _, line := range strings.Split(list, "\n") {
		names, ok := strings.CutPrefix(line, "    ")
		if !ok {
			continue
		}
		names, _, _ = strings.Cut(names, "  ")
		first := ""
		for _, name := range strings.Split(names, ", ") {
			if first != "" {
				name = path.Join(path.Dir(first), name)
			}
			first = name
			listed = append(listed, name)
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("the map has %s: %v", name, err)
			}
		}
	}
	for _, name := range packages {
		inside := strings.Count(name, "/") > 1 || path.Base(name) == "gen" // listed with its parent
		if !slices.Contains(listed, name) && !(inside && slices.Contains(listed, path.Dir(name))) {
			t.Errorf("the map lacks %s", name)
		}
	}
}
