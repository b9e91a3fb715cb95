package main

import (
	"context"

	"logzlab/core/spec"
	"logzlab/core/workerapi"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
)

// checkPrograms compiles and runs the Stan programs in the links of workerapi.Golden, and compares log Z and hash of
// each with the expected ones, digit for digit.
func checkPrograms(ctx context.Context, workers int) (out []report.GoldenResult) {
	for _, want := range report.PromisesOf(workerapi.Golden) {
		got, err := runProgram(ctx, want.Link, workers)
		switch {
		case err != nil:
			got.Problem = err.Error()
		case got.LogZ != want.LogZ || got.Hash != want.Hash:
			got.Problem = "expected " + want.LogZ + " " + want.Hash
		}
		got.Link, got.OK = want.Link, got.Problem == ""
		out = append(out, got)
	}
	return out
}

// runProgram compiles the Stan program that a link contains, runs the link, and returns its result.
func runProgram(ctx context.Context, link string, workers int) (result report.GoldenResult, err error) {
	name, tape, err := tapeInLink(link)
	if err != nil {
		return result, err
	}
	r, err := runTape(ctx, link, name, tape, workers)
	if err != nil {
		return result, err
	}
	return r.Golden(), nil
}

// runTape runs a link on a compiled program and returns the report of its first method.
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
