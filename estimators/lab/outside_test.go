package lab_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The commands of site/docs/library.md set up a module outside of the repository in which the Examples of this package
// compile.
func TestLibraryPageCommandsBuildModule(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	commands := regexp.MustCompile(`(?m)^    (go mod .*)$`).FindAllSubmatch(read("site/docs/library.md"), -1)
	if len(commands) != 2 {
		t.Fatalf("site/docs/library.md has %d commands, want go mod edit and go mod tidy", len(commands))
	}

	// The repository is ../logzlab, as on the page.
	dir := filepath.Join(t.TempDir(), "mine")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(dir, "..", "logzlab")); err != nil {
		t.Skipf("no symbolic links: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "example_test.go"), read("estimators/lab/example_test.go"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(command string) {
		c := exec.Command("sh", "-c", command)
		c.Dir = dir
		// Nothing is downloaded: the dependencies are in the module cache.
		c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	run("go mod init example.org/mine")
	for _, c := range commands {
		run(string(c[1]))
	}
	run("go vet .")
}
