package main

import (
	"os"
	"path"
	"strings"
	"testing"
)

// TestChaptersNameFiles: the chapter of a package of models or estimators, its doc.go, names each of its files, if
// there are several.
func TestChaptersNameFiles(t *testing.T) {
	files := map[string][]string{}
	for _, name := range sources(t) {
		base, dir := path.Base(name), path.Dir(name)
		if strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") && base != "doc.go" &&
			fitsAny(dir, []string{"models", "models/...", "estimators", "estimators/..."}) {
			files[dir] = append(files[dir], base)
		}
	}
	if len(files) < 20 {
		t.Fatalf("only %d packages found", len(files))
	}
	for dir, names := range files {
		chapter, err := os.ReadFile(path.Join(root, dir, "doc.go"))
		if err != nil || len(names) == 1 {
			continue // a package of figures, or one that is its file
		}
		for _, name := range names {
			if !strings.Contains(string(chapter), name) {
				t.Errorf("%s/doc.go does not name %s", dir, name)
			}
		}
	}
}
