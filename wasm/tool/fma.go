package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// digitPackages are the packages whose arithmetic contributes to results.
var digitPackages = []string{"./core/...", "./models/...", "./estimators", "./estimators/anneal", "./estimators/mbar",
	"./estimators/temper", "./estimators/smc", "./estimators/resamplemove", "./estimators/bridge", "./estimators/auto",
	"./estimators/engine", "./estimators/report", "./estimators/training", "./estimators/external",
	"./estimators/external/samples", "./estimators/external/draws"}

// isExemptFile reports whether the numbers in a file of digitPackages never contribute to results, so that the file may
// use packages math and gonum: files with planned memory and time (which models.RoundTime rounds before any decision),
// and the closed form of the exact log Z of the Ising model.
func isExemptFile(file string) bool {
	base := path.Base(file)
	return base == "cost.go" || base == "need.go" || file == "estimators/engine/budget.go" ||
		file == "models/ising/kaufman.go"
}

// genericPackages are those of digitPackages that have generic code only, which is compiled into the packages that use
// it.
var genericPackages = []string{"logzlab/core/lazy"}

// cmdFMA fails if the compiler fuses a multiplication and an addition in one
// of the digit packages: `fma [PACKAGE...]`.
func cmdFMA(args []string) error {
	if len(args) == 0 {
		args = digitPackages
	}
	found, err := fusedOperations(".", args...)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, isExempt)
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		return fmt.Errorf("%d fused operations: write num.Mul(x, y) + z, so that arm64 rounds as amd64 and wasm do",
			len(found))
	}
	return nil
}

// fusedOp matches fused instructions in the disassembly of arm64, which round x*y+z
// only once. Its first group is the file and line.
var fusedOp = regexp.MustCompile(`^\s*(\S+:\d+)\s.*\b(FN?M(?:ADD|SUB)[SD])\b`)

// fusedOperations compiles the packages of the module in dir for arm64, where the Go compiler fuses whenever the source
// allows it, and lists every fused operation as "function file:line: instruction". It reads whole packages, so code
// that no program calls is included.
func fusedOperations(dir string, packages ...string) ([]string, error) {
	list := command(dir, append([]string{"list", "-export", "-f", "{{.ImportPath}} {{.Export}}"}, packages...)...)
	out, err := list.Output()
	if err != nil {
		return nil, withStderr(list, err)
	}
	var found []string
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		pkg, archive, _ := strings.Cut(line, " ")
		if archive == "" { // a package with tests only
			continue
		}
		objdump := command(dir, "tool", "objdump", archive)
		text, err := objdump.Output()
		if err != nil {
			return nil, withStderr(objdump, err)
		}
		if !bytes.Contains(text, []byte("TEXT ")) && !hasNoCode(pkg, dir) && !slices.Contains(genericPackages, pkg) {
			return nil, fmt.Errorf("no code in the disassembly of %s", pkg)
		}
		found = append(found, scanFused(string(text))...)
	}
	return found, nil
}

// isExempt reports whether an operation found by fusedOperations is in a file that does not contribute to results.
func isExempt(f string) bool {
	function, rest, _ := strings.Cut(f, " ")
	file, _, _ := strings.Cut(rest, ":")
	base := path.Base(function)
	name, _, _ := strings.Cut(base, ".")
	dir := strings.TrimPrefix(path.Join(path.Dir(function), name), "logzlab/")
	// The disassembly names a file without its folder. For inlined code this assumes the folder of the calling function.
	return isExemptFile(path.Join(dir, file))
}

// scanFused returns the fused operations in a disassembly, as "function file:line: instruction".
func scanFused(text string) []string {
	var found []string
	function := ""
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "TEXT "); ok {
			function, _, _ = strings.Cut(rest, " ")
			function = strings.TrimSuffix(function, "(SB)")
		} else if !strings.Contains(line, "MADD") && !strings.Contains(line, "MSUB") {
			continue // regular expressions are slow, and there are a million lines
		} else if m := fusedOp.FindStringSubmatch(line); m != nil {
			found = append(found, fmt.Sprintf("%s %s: %s", function, m[1], m[2]))
		}
	}
	return found
}

// hasNoCode reports whether a package declares no function with a body.
func hasNoCode(pkg, dir string) bool {
	list := command(dir, "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, pkg)
	out, err := list.Output()
	if err != nil {
		return false
	}
	for _, path := range strings.Fields(string(out)) {
		src, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil || bytes.Contains(src, []byte("\nfunc ")) {
			return false
		}
	}
	return true
}

// command returns a call of the go command for arm64 in dir.
func command(dir string, args ...string) *exec.Cmd {
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS=-trimpath")
	return c
}

// withStderr adds the command line and the standard error of the command to an error.
func withStderr(c *exec.Cmd, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, exit.Stderr)
	}
	return fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
}
