package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Limits of compressed sizes of the site, in bytes. They are generous, and only catch a dependency that was added by
// accident.
const (
	programMost    = 5_000_000
	laterMost      = 2_000_000 // of a program that is fetched when it is first needed
	javaScriptMost = 200_000   // of all scripts together
)

// cmdBudgets prints the sizes of programs and scripts of the site, and fails if one exceeds its limit. It takes no
// arguments and runs in the root folder, after `dist`.
func cmdBudgets(args []string) error {
	var over []error
	report := func(what string, got, most int) {
		fmt.Printf("%-20s %7.1f of %4d kB\n", what, float64(got)/1000, most/1000)
		if got > most {
			over = append(over, fmt.Errorf("%s: %d bytes, the limit is %d", what, got, most))
		}
	}

	// Programs are packed in dist.
	for _, p := range []struct {
		name string
		most int
	}{{"logz", programMost}, {"canvas", programMost}, {"compiler", laterMost}, {"external", laterMost}} {
		path := "dist/" + p.name + ".wasm.gz"
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("%w; run ./build.sh build", err)
		}
		report(path, int(info.Size()), p.most)
	}

	// Scripts are packed by servers.
	all := 0
	err := walkFiles("dist", func(path, name string) error {
		if filepath.Ext(name) != ".js" {
			return nil
		}
		script, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		packed, err := gzipped(script)
		all += len(packed)
		return err
	})
	report("JavaScript", all, javaScriptMost)
	return errors.Join(append(over, err)...)
}
