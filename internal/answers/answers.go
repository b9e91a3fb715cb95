// Package answers has reference values computed by independent code, and public data, for tests. The files are in
// testdata, whose README.md gives sources, licences and formulas. They are embedded, so that tests can read them natively
// and under Node. Only tests import the package.
package answers

import (
	"embed"
	"encoding/json"
	"testing"
)

//go:embed testdata
var files embed.FS

// Read returns a file of testdata, such as public_golden.json.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := files.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Decode decodes a JSON file of testdata.
func Decode(t testing.TB, name string, to any) {
	t.Helper()
	if err := json.Unmarshal(Read(t, name), to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Golden decodes a section of public_golden.json.
func Golden(t testing.TB, section string, to any) {
	t.Helper()
	var all map[string]json.RawMessage
	Decode(t, "public_golden.json", &all)
	if err := json.Unmarshal(all[section], to); err != nil {
		t.Fatalf("section %s: %v", section, err)
	}
}
