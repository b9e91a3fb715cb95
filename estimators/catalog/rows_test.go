package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a method lacks on purpose, with the reason; everything else that TestConforming asks for must be there.
var lacks = map[string]string{
	"arm-tempered in the calibration's cells":  "uncalibrated yet: ./build.sh calibrate arm-tempered counts it",
	"auto in the lanes' table":                 "plans its run by what a pilot finds; estimators/auto tests it",
	"auto in the reports' table":               "runs until a wanted error is reached; estimators/engine tests it",
	"ti-continuous in the calibration's cells": "uncalibrated: ./build.sh calibrate has not run since it came",
}

// TestConforming: every method of the catalogue is in the table of the lanes (conforming in this package), in that of
// the reports (conforming in estimators/report), in an Example, and in the cells of the calibration, or lacks it on
// purpose.
func TestConforming(t *testing.T) {
	var lanes []string
	for _, c := range conforming {
		lanes = append(lanes, c.info.Name)
	}
	cells, err := os.ReadFile("../calibration/cells.txt")
	if err != nil {
		t.Fatal(err)
	}
	var counted []string
	for line := range strings.Lines(string(cells)) {
		name, _, _ := strings.Cut(line, " ")
		counted = append(counted, name)
	}
	reports, examples := reportRows(t), exampleNames(t)

	found := map[string]bool{}
	for _, m := range Methods {
		plain := strings.ReplaceAll(m.Name, "-", "")
		for place, there := range map[string]bool{
			"the lanes' table":        slices.Contains(lanes, m.Name),
			"the reports' table":      slices.Contains(reports, m.Name),
			"the calibration's cells": slices.Contains(counted, m.Name),
			"the Examples": slices.ContainsFunc(examples, func(name string) bool {
				return name == plain || strings.HasSuffix(name, "_"+plain)
			}),
		} {
			what := m.Name + " in " + place
			_, excused := lacks[what]
			switch found[what] = true; {
			case !there && !excused:
				t.Errorf("%s is missing", what)
			case there && excused:
				t.Errorf("%s is there, and said to be lacking", what)
			}
		}
	}
	for what := range lacks {
		if !found[what] {
			t.Errorf("%s: no method of the catalogue has it", what)
		}
	}
}

// reportRows lists the methods of the table conforming in estimators/report.
func reportRows(t *testing.T) (methods []string) {
	f, err := parser.ParseFile(token.NewFileSet(), "../report/conform_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	table, _ := f.Scope.Lookup("conforming").Decl.(*ast.ValueSpec)
	for _, row := range table.Values[0].(*ast.CompositeLit).Elts {
		for sum, ok := row.(*ast.BinaryExpr); ok; sum, ok = row.(*ast.BinaryExpr) {
			row = sum.X // the first literal of a row names its methods
		}
		link, err := strconv.Unquote(row.(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		names, _, _ := strings.Cut(link, "&")
		methods = append(methods, strings.Split(names, ",")...)
	}
	return methods
}

// exampleNames lists the Examples of estimators and the packages in it, in lower case and without "Example".
func exampleNames(t *testing.T) (names []string) {
	here, _ := filepath.Glob("../*_test.go")
	below, _ := filepath.Glob("../*/*_test.go")
	for _, path := range append(here, below...) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if name, ok := strings.CutPrefix(f.Name.Name, "Example"); ok {
					names = append(names, strings.ToLower(name))
				}
			}
		}
	}
	return names
}
