package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Limits of compressed sizes of the site, in bytes. They are generous: their purpose is to detect a large dependency
// that was added by accident.
const (
	maxProgram      = 5_000_000
	maxLaterProgram = 2_000_000 // for a program that is fetched when it is first needed
	maxJavaScript   = 200_000   // of all scripts together
)

// cmdBudgets prints the sizes of programs and scripts of the site, and fails if one exceeds its limit. It takes no
// arguments and runs in the root folder, after `dist`.
func cmdBudgets(args []string) error {
	var exceeded []error
	report := func(name string, size, limit int) {
		fmt.Printf("%-20s %7.1f of %4d kB\n", name, float64(size)/1000, limit/1000)
		if size > limit {
			exceeded = append(exceeded, fmt.Errorf("%s: %d bytes, the limit is %d", name, size, limit))
		}
	}

	// Programs are compressed files in dist.
	for _, p := range []struct {
		name  string
		limit int
	}{{"logz", maxProgram}, {"canvas", maxProgram}, {"compiler", maxLaterProgram}, {"external", maxLaterProgram}} {
		path := "dist/" + p.name + ".wasm.gz"
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("%w; run ./build.sh build", err)
		}
		report(path, int(info.Size()), p.limit)
	}

	// Scripts are compressed by servers.
	total := 0
	err := walkFiles("dist", func(path, name string) error {
		if filepath.Ext(name) != ".js" {
			return nil
		}
		script, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		packed, err := gzipped(script)
		total += len(packed)
		return err
	})
	report("JavaScript", total, maxJavaScript)
	return errors.Join(append(exceeded, err)...)
}
