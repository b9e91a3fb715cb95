package lab_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The examples compile in a module of their own, which requires this one: they need nothing that is internal to it.
func TestOutside(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	_, requirements, _ := strings.Cut(read("go.mod"), "\n") // below the name of the module
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module example.org/outside\n" + requirements + "\nrequire logzlab v0.0.0\nreplace logzlab => " + root + "\n",
		"go.sum":          read("go.sum"),
		"example_test.go": read("estimators/lab/example_test.go"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "vet", "-mod=mod", ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
