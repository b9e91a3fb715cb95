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
	"logzlab/wasm/page/scene"
)

var (
	goFile   = regexp.MustCompile(`[\w/.]*\w+\.(?:go|js)\b`)
	document = regexp.MustCompile(`\[[^\]]*\]\(([^):#]+)\)`)
	folder   = regexp.MustCompile("`((?:core|models|estimators|render|wasm|internal|site)/[\\w/.-]+)`")
)

// quotedResult matches the end of a result as the command prints it: its link and its hash.
var quotedResult = regexp.MustCompile(`link +#(\S+)\n +hash +([0-9a-f]{16})`)

const root = "../.."

// sources lists the files of the repository, without generated ones.
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

// documents returns the texts for readers, by name: the documents in the root, except the lists of papers and speeds,
// and the pages of the documentation and about papers.
func documents(t *testing.T) map[string]string {
	names := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "RATIONALE.md"}
	for folder := range markdownFolders {
		pages, err := filepath.Glob(filepath.Join(root, "site", folder, "*.md"))
		if err != nil || len(pages) == 0 {
			t.Fatal(pages, err)
		}
		for _, name := range pages {
			names = append(names, path.Join("site", folder, filepath.Base(name)))
		}
	}
	text := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		text[name] = string(b)
	}
	return text
}

// Files and packages that the documents name exist, and the documentation names every method, built-in model and scene.
func TestDocuments(t *testing.T) {
	files := sources(t)
	text := documents(t)
	for name, says := range text {
		for _, m := range document.FindAllStringSubmatch(says, -1) {
			at := filepath.Join(root, path.Dir(name), m[1])
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
		for _, file := range goFile.FindAllString(says, -1) {
			ends := func(f string) bool { return f == file || strings.HasSuffix(f, "/"+file) }
			if !slices.ContainsFunc(files, ends) && !strings.Contains(file, "NAME") && file != "wasm_exec.js" {
				t.Errorf("%s names %s, which does not exist", name, file)
			}
		}
	}
	names := func(page, mark, name string) {
		if !strings.Contains(text["site/docs/"+page], mark+name+mark) {
			t.Errorf("site/docs/%s does not name %s", page, name)
		}
	}
	for _, m := range catalog.Methods {
		names("methods.md", "`", m.Name)
	}
	for _, e := range catalog.Kinds.Builtin() {
		names("models.md", "`", e.Name)
	}
	for _, name := range scene.Names() {
		names("page.md", "*", name)
	}
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		for _, m := range folder.FindAllStringSubmatch(text[name], -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil && !strings.Contains(m[1], "NAME") {
				t.Errorf("%s names a path that does not exist: %v", name, err)
			}
		}
	}
}

// Results that the documents quote are results of golden links, so that a change of results is noticed in the
// documents.
func TestQuotedResults(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join(root, "estimators/report/testdata/golden.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, text := range documents(t) {
		for _, m := range quotedResult.FindAllStringSubmatch(text, -1) {
			n++
			pinned := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(m[1]) + `\t.*\t` + m[2] + `$`)
			if !pinned.Match(golden) {
				t.Errorf("%s: the golden file does not have %s with the hash %s", name, m[1], m[2])
			}
		}
	}
	if n == 0 {
		t.Error("no result is shown")
	}
}

// A string in a stylesheet ends on its line: a browser ignores a string that continues on the next line, and all rules
// after it.
func TestStylesheetTexts(t *testing.T) {
	paths, err := filepath.Glob("../../site/style/*.css")
	if err != nil || len(paths) < 5 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if strings.Count(line, `"`)%2 != 0 {
				t.Errorf("%s:%d: the text does not end: %s", path, i+1, line)
			}
		}
	}
}
