package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// copyTree returns a copy of the repository, without built files, made of hard links.
func copyTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "node_modules", "bin", "dist", "dist-edge", "data"}, rel) {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(dir, rel), 0o777)
		}
		to := filepath.Join(dir, rel)
		if os.Link(name, to) == nil || !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The files of a new method, model and scene compile and pass the tests of all methods, models and scenes.
func TestNew(t *testing.T) {
	tier.Test(t)
	dir := copyTree(t)
	for _, c := range [][]string{{"method", "two-cumulants"}, {"model", "laplace"}, {"scene", "lines"}} {
		files, next, err := newFiles(dir, c[0], c[1])
		if err != nil || len(next) == 0 {
			t.Fatal(err, next)
		}
		for name, text := range files {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(name) // it may be a link to a file of the repository
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	commands := []string{
		"go vet ./estimators/anneal ./estimators/catalog ./models/laplace ./render ./render/lines ./wasm/page/scene ./wasm/logz",
		"go test -vet=off ./models/laplace ./render/lines ./wasm/page/scene",
		"go test -vet=off -run Parameters|Names|Grouping|NoNaN|Signs|Cost ./estimators/catalog",
		"go test -vet=off -run Layers|Documents ./wasm/tool",
		"go run ./wasm/tool fma ./estimators/anneal ./models/laplace",
		"go run ./wasm/logz run -model mixture2 -method two-cumulants",
	}
	for _, command := range commands[:tier.Size(1, 2, len(commands))] {
		args := strings.Fields(command)
		c := exec.Command(args[0], args[1:]...)
		c.Dir, c.Env = dir, append(os.Environ(), "LOGZ_RELEASE=")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

// Wrong arguments are errors that name the argument, and no file is written.
func TestNewErrors(t *testing.T) {
	for _, c := range [][3]string{
		{"page", "a", "give method, model or scene"},
		{"method", "My method", "must match"},
		{"model", "my-model", "must match"},
		{"scene", "func", "keyword"},
		{"method", "ais", "exists; choose another name"},
		{"model", "rbm", "exists; choose another name"},
		{"scene", "race", "exists; choose another name"},
	} {
		if files, _, err := newFiles(root, c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("new %s %s: %d files, %v; want an error with %q", c[0], c[1], len(files), err, c[2])
		}
	}
}
