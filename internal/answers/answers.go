// Package answers has what tests compare with: known answers that other code computed, and public data. They are part
// of the tree (testdata, whose README.md names sources, licences and formulas) and are compiled in, so that every test
// finds them, natively and under Node. No program imports it.
package answers

import (
	"embed"
	"encoding/json"
	"testing"
)

//go:embed testdata
var files embed.FS

// Read is a file of testdata, as public_golden.json.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := files.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Decode reads a file of testdata into a value.
func Decode(t testing.TB, name string, to any) {
	t.Helper()
	if err := json.Unmarshal(Read(t, name), to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Golden reads a section of public_golden.json into a value.
func Golden(t testing.TB, section string, to any) {
	t.Helper()
	var all map[string]json.RawMessage
	Decode(t, "public_golden.json", &all)
	if err := json.Unmarshal(all[section], to); err != nil {
		t.Fatalf("section %s: %v", section, err)
	}
}
