package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"logzlab/estimators/catalog"
	"logzlab/wasm/page"
)

var (
	goFile   = regexp.MustCompile(`[\w/.]*\w+\.(?:go|js)\b`)
	document = regexp.MustCompile(`\[[^\]]*\]\(([^):#]+)\)`)
)

const root = "../.."

// sources lists the files of the repository, but not those that are made.
func sources(t *testing.T) (files []string) {
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != root ||
			slices.Contains([]string{"node_modules", "bin", "dist", "testdata"}, d.Name())) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err == nil && !d.IsDir() {
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Lines have at most 120 columns, files of Go 400 lines, functions outside tests 80.
func TestSizes(t *testing.T) {
	for _, name := range sources(t) {
		if !slices.Contains([]string{".go", ".css", ".sh", ".js"}, path.Ext(name)) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(b), "\n")
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > 120 {
				t.Errorf("%s:%d has %d columns", name, i+1, n)
			}
		}
		if path.Ext(name) != ".go" {
			continue
		}
		if len(lines) > 401 {
			t.Errorf("%s has %d lines", name, len(lines))
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		at := token.NewFileSet()
		file, err := parser.ParseFile(at, name, b, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := at.Position(f.End()).Line - at.Position(f.Pos()).Line + 1; n > 80 {
				t.Errorf("%s: %s has %d lines", name, f.Name, n)
			}
		}
	}
}

// The map of ARCHITECTURE.md has every package, and nothing else; files that the documents
// name are there. README.md names every method, built-in model and scene.
func TestDocuments(t *testing.T) {
	files := sources(t)
	var packages []string
	for _, name := range files {
		if dir := path.Dir(name); path.Ext(name) == ".go" && !slices.Contains(packages, dir) {
			packages = append(packages, dir)
		}
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
	for _, e := range catalog.Kinds.Builtin() {
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

// A text of the stylesheet ends on its line: one that goes on in the next is none, and all rules after it are lost.
func TestStylesheetTexts(t *testing.T) {
	b, err := os.ReadFile("../../site/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(b), "\n") {
		if strings.Count(line, `"`)%2 != 0 {
			t.Errorf("site/style.css:%d: the text does not end: %s", i+1, line)
		}
	}
}
