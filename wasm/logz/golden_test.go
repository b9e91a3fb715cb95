package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/workerapi"
	"logzlab/models/stan"
)

var update = flag.Bool("update", false, "write the results of Stan programs on this computer as the expected ones")

// goldenMethods are the methods whose results of examples are in workerapi.Golden.
var goldenMethods = []struct{ name, method string }{{"coin", "bridge"}, {"line", "auto"},
	{"schools", "smc&smc.particles=40&smc.temperatures=60"},
	{"coin", "stepping-stone&base=prior&stepping-stone.chains=20&stepping-stone.sweeps=100"}}

// Stan programs of the page's menu, compiled from links, give the expected results. logz check compares them under
// Node, and wasm/e2e in a browser.
func TestGoldenPrograms(t *testing.T) {
	if *update {
		var b strings.Builder
		for _, g := range goldenMethods {
			name := g.name
			var text [2][]byte
			for i, ending := range []string{".stan", ".json"} {
				var err error
				if text[i], err = os.ReadFile("../../site/programs/" + name + ending); err != nil {
					t.Fatal(err)
				}
			}
			x := stan.Text{Name: name, Source: string(text[0]), Data: string(text[1])}
			c, err := x.Compile()
			if err != nil {
				t.Fatal(err)
			}
			link := "v=1&model=" + modelfile.ID(c.Tape.Bytes()) + "&method=" + g.method + "&view.program=" +
				x.Pack()
			got, err := runProgram(t.Context(), link, 2)
			if err != nil {
				t.Fatal(name, err)
			}
			b.WriteString(link + "\t" + got.LogZ + "\t" + got.Hash + "\n")
		}
		if err := os.WriteFile("../../core/workerapi/golden.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	results := checkPrograms(t.Context(), 2)
	if len(results) != len(goldenMethods) {
		t.Errorf("%d programs", len(results))
	}
	for _, r := range results {
		if !r.OK {
			t.Errorf("%.60s: %s %s, %s", r.Link, r.LogZ, r.Hash, r.Problem)
		}
	}
}

// A link with a Stan program runs without a file. A program that compiles to another tape than its link names is
// refused.
func TestLinkWithProgram(t *testing.T) {
	link, result, _ := strings.Cut(workerapi.Golden, "\t")
	_, hash, _ := strings.Cut(strings.SplitN(result, "\n", 2)[0], "\t")
	if out := mustRun(t, "run", "-link", link, "-json"); !strings.Contains(out, hash) {
		t.Errorf("no hash %s: %s", hash, out)
	}
	_, rest, _ := strings.Cut(link, "&method=")
	mustRefuse(t, "compiles the program of the link to", "run", "-link", "v=1&model=file:0123456789ab&method="+rest)
	mustRefuse(t, "damaged or incomplete", "run", "-link", link[:len(link)-9])
}
