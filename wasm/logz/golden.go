//go:build !page

package main

import (
	"context"
	_ "embed"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
)

// goldenPrograms are promised digits, as report.Golden has them, of links that bring a program along.
//
//go:embed testdata/programs.txt
var goldenPrograms string

// checkPrograms compiles and runs the programs of goldenPrograms, and compares with ==.
func checkPrograms(ctx context.Context, workers int) (out []report.GoldenResult) {
	for line := range strings.Lines(goldenPrograms) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		got, err := runProgram(ctx, f[0], workers)
		switch {
		case err != nil:
			got.Problem = err.Error()
		case len(f) != 3 || got.LogZ != f[1] || got.Hash != f[2]:
			got.Problem = "expected " + strings.Join(f[1:], " ")
		}
		got.Link, got.OK = f[0], got.Problem == ""
		out = append(out, got)
	}
	return out
}

// runProgram is the digits of a link that brings its program along.
func runProgram(ctx context.Context, link string, workers int) (got report.GoldenResult, err error) {
	name, tape, err := ofLink(link)
	if err != nil {
		return got, err
	}
	r, err := runTape(ctx, link, name, tape, workers)
	if err != nil {
		return got, err
	}
	return r.Golden(), nil
}

// runTape is the first result of a link about a tape.
func runTape(ctx context.Context, link, name string, tape []byte, workers int) (*report.Report, error) {
	var err error
	src := engine.Source{Name: name}
	if src.File, err = catalog.Kinds.ReadFile(tape, nil); err != nil {
		return nil, err
	}
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil {
		return nil, err
	}
	m, err := src.Open(s, nil)
	if err != nil {
		return nil, err
	}
	r, err := report.RunSpec(ctx, s, m, engine.Options{}, workers)
	if err != nil {
		return nil, err
	}
	return r[0], nil
}
