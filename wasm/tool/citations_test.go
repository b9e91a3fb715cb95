package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	entry = regexp.MustCompile(`(?m)^- \*\*\[([A-Za-z0-9]+)\]\*\*`)
	// A key is a name with a year, or only capital letters.
	citation = regexp.MustCompile(`\[([A-Z][A-Za-z]*(?:19|20)\d\d|[A-Z]{3,})\]`)
	// References that a reader cannot look up: without a key, or to papers that are not here.
	keyless = regexp.MustCompile(`\b(?:RTS|ARM|VAROPT|AISEL),? (?:\d|eqs?\.|section|sec\.|Algorithms?|Theorem|Appendix)` +
		`|\bet al\.|\b[A-Z][a-z]+,? \(?(?:19[5-9]|20[0-2])\d\b|\bspec [A-Z]\d|\bcontract section`)
	months = regexp.MustCompile(`^(January|February|March|April|May|June|July|August|September|October|November|` +
		`December) `)
	// "contract.md, Heading" in a comment.
	clause = regexp.MustCompile(`contract\.md, ([A-Z][A-Za-z ]*[a-z])`)
)

// Comments cite by keys of BIBLIOGRAPHY.md and by headings of contract.md, and every entry of the bibliography is
// cited.
func TestCitations(t *testing.T) {
	root := filepath.Join("..", "..")
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	cited := map[string]bool{}
	for _, m := range entry.FindAllStringSubmatch(text("BIBLIOGRAPHY.md"), -1) {
		if _, twice := cited[m[1]]; twice {
			t.Errorf("BIBLIOGRAPHY.md has %s twice", m[1])
		}
		cited[m[1]] = false
	}
	if len(cited) < 10 {
		t.Fatalf("only %d entries in BIBLIOGRAPHY.md", len(cited))
	}
	contract := text("site/docs/contract.md")
	for name, comments := range goComments(t, root) {
		for _, m := range citation.FindAllStringSubmatch(comments, -1) {
			if _, ok := cited[m[1]]; !ok {
				t.Errorf("%s cites %s, which BIBLIOGRAPHY.md does not have", name, m[1])
			}
			cited[m[1]] = true
		}
		for _, x := range keyless.FindAllString(comments, -1) {
			if !months.MatchString(x) {
				t.Errorf("%s: %q: cite by a key of BIBLIOGRAPHY.md or a heading of contract.md", name, x)
			}
		}
		for _, m := range clause.FindAllStringSubmatch(comments, -1) {
			if !strings.Contains(contract, "## "+m[1]+"\n") {
				t.Errorf("%s refers to %q, which is no heading of contract.md", name, m[1])
			}
		}
	}
	for key, ok := range cited {
		if !ok {
			t.Errorf("nothing cites %s of BIBLIOGRAPHY.md", key)
		}
	}
}

// goComments returns the comments of every Go file below root, each in one line.
func goComments(t *testing.T, root string) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || name != root &&
			strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" || d.Name() == "citations_test.go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		var all []string
		for _, c := range f.Comments {
			all = append(all, strings.Join(strings.Fields(c.Text()), " "))
		}
		out[name] = strings.Join(all, " | ")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
