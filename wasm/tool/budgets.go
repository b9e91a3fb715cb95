package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// programBudgets are the greatest sizes of the programs as they are sent, in bytes. A change that needs more raises
// the budget and says why, but never above 3.5 MB for logz.wasm.gz and 4.4 MB for lab.wasm.gz.
var programBudgets = []struct {
	path string
	max  int
}{
	{"dist/logz.wasm.gz", 3_500_000}, // with every method and kind of model, graphs too
	{"dist/lab.wasm.gz", 3_900_000},
	{"dist/stan.wasm.gz", 1_500_000},  // fetched when a program is first to be compiled
	{"dist/court.wasm.gz", 1_500_000}, // fetched when samples of another program are first dropped
}

// scriptBudget is the greatest number of lines of JavaScript in site/. Logic belongs to Go; the hero paints before any
// program is there.
const scriptBudget = 2000

// cmdBudgets prints the sizes of what the site sends and fails when one is over
// its budget. It takes no arguments and runs at the root of the project, where
// `dist` has made the site.
func cmdBudgets(args []string) error {
	var over []error
	report := func(what string, got, max int, unit string) {
		fmt.Printf("%-20s %9d of %9d %s\n", what, got, max, unit)
		if got > max {
			over = append(over, fmt.Errorf("%s: %d %s, the budget is %d", what, got, unit, max))
		}
	}
	for _, b := range programBudgets {
		info, err := os.Stat(b.path)
		if err != nil {
			return fmt.Errorf("%w; run ./build.sh build", err)
		}
		report(b.path, int(info.Size()), b.max, "bytes")
	}
	scripts, err := filepath.Glob("site/*.js")
	if err != nil {
		return err
	}
	lines := 0
	for _, path := range append(scripts, "site/lessons/figure.js") {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines += bytes.Count(data, []byte("\n"))
	}
	report("site/*.js", lines, scriptBudget, "lines")
	return errors.Join(over...)
}
