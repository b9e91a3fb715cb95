package main

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fileName is the name of a file of Go in a text.
var fileName = regexp.MustCompile(`\w+\.go`)

// TestChaptersNameFiles: the chapter of a package of core, models, estimators or render, its doc.go, names each of its
// files.
func TestChaptersNameFiles(t *testing.T) {
	files := map[string][]string{}
	for _, name := range sources(t) {
		base, dir := path.Base(name), path.Dir(name)
		if strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") && base != "doc.go" &&
			fitsAny(dir, []string{"core/...", "models", "models/...", "estimators", "estimators/...", "render", "render/..."}) {
			files[dir] = append(files[dir], base)
		}
	}
	if len(files) < 60 {
		t.Fatalf("only %d packages found", len(files))
	}
	for dir, names := range files {
		chapter, err := os.ReadFile(path.Join(root, dir, "doc.go"))
		if err != nil || len(names) == 1 {
			continue // a package of figures, or one that is its file
		}
		named := fileName.FindAllString(string(chapter), -1)
		for _, name := range names {
			if !slices.Contains(named, name) {
				t.Errorf("%s/doc.go does not name %s", dir, name)
			}
		}
	}
}
