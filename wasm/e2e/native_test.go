package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"logzlab/estimators/report"
)

// result has the fields of `logz run -json` that the tests read.
type result struct {
	Link, Method, Hash string
	Logz, SE           *json.Number
}

// answers caches the results of native, because several tests use the same link.
var answers sync.Map

// native runs `logz run -json` with the given arguments and returns its results.
func native(t testing.TB, args ...string) []result {
	t.Helper()
	if known, ok := answers.Load(strings.Join(args, " ")); ok {
		return known.([]result)
	}
	cmd := exec.Command("../../bin/logz", append([]string{"run", "-json"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, errs.String())
	}
	out = bytes.TrimSpace(out)
	if len(out) > 0 && out[0] == '{' { // one method gives one object
		out = fmt.Appendf(nil, "[%s]", out)
	}
	var all []result
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	answers.Store(strings.Join(args, " "), all)
	return all
}

// goldenLine is one line of the golden file: a link with one method, its log Z
// as a hexadecimal float, and its hash.
type goldenLine struct{ link, logz, hash string }

// golden reads the golden file, which the native and Node tests use as well.
func golden(t *testing.T) []goldenLine {
	t.Helper()
	var all []goldenLine
	for line := range strings.Lines(report.Golden) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 || !strings.HasPrefix(f[0], "v=") {
			t.Fatalf("golden line %q", line)
		}
		all = append(all, goldenLine{f[0], f[1], f[2]})
	}
	if len(all) == 0 {
		t.Fatal("the golden file is empty")
	}
	return all
}
