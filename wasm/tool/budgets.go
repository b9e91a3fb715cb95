package main

import (
	"errors"
	"fmt"
	"os"
)

// programBudgets are limits of the compressed size of each program, in bytes: generous ones, which only catch a
// dependency that was added by accident.
var programBudgets = []struct {
	path string
	max  int
}{
	{"dist/logz.wasm.gz", 5_000_000},
	{"dist/lab.wasm.gz", 5_000_000},
	{"dist/stan.wasm.gz", 2_000_000},  // fetched when a program is first to be compiled
	{"dist/court.wasm.gz", 2_000_000}, // fetched when samples of another program are first dropped
}

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
	return errors.Join(over...)
}
