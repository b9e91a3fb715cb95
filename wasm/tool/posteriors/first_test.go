package main

import (
	"os"
	"path/filepath"
	"testing"

	"logzlab/core/num"
)

// runFirst makes a row of the output of a run: a result, an error of the program, or the results so far at the time
// limit.
func TestFirst(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell")
	}
	p := posterior{name: "a-b", dir: t.TempDir()}
	for _, name := range []string{p.program(), p.data()} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const known = `printf '%s\n' '{"link":"v=1&model=file:0","understood":"coordinates: 7, operations: 33; more","logz":-1.5,` +
		`"se":null,"diagnostics":{"pareto_k":0.25},"flags":["cut","improper"],"verdict":{"level":"caution","checks":[` +
		`{"name":"Good","ok":true},{"name":"Bad","ok":false}]},"hash":"f00"}'`
	for _, c := range []struct {
		script string
		want   row
	}{
		{known, row{Status: done, Verdict: "caution", Flags: "cut improper", Checks: "Bad", Hash: "f00", Dim: 7}},
		{"echo \"logz: $3: line 2: no\" >&2; echo here >&2; exit 2", row{Status: notCompiled, Reason: "line 2: no"}},
		{"echo \"logz: memory\" >&2; exit 1", row{Status: failed, Reason: "memory"}},
		{"trap 'exit 130' TERM; while :; do :; done", row{Status: overTime, Reason: "more than 0.2 s"}},
		{"known() { " + known + "\nexit 130; }\ntrap known TERM; while :; do :; done", row{Status: overTime,
			Reason: "more than 0.2 s", Verdict: "caution", Flags: "cut improper", Checks: "Bad", Hash: "f00", Dim: 7}},
	} {
		logz := filepath.Join(t.TempDir(), "logz")
		if err := os.WriteFile(logz, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		got := p.runFirst(logz, .2)
		if got.Status != c.want.Status || got.Reason != c.want.Reason || got.Verdict != c.want.Verdict ||
			got.Flags != c.want.Flags || got.Checks != c.want.Checks || got.Hash != c.want.Hash ||
			c.want.Dim > 0 && (got.Dim != 7 || got.LogZ != -1.5 || num.NotNaN(got.SE) || got.ParetoK != .25) {
			t.Errorf("%s: the row is %+v", c.script, got)
		}
	}
}
