//go:build !js

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var hashLine = regexp.MustCompile(`hash +\w+`)

// Parts of whole replicates are joined at once, those of one run round by round; both have the hash of run.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		args   string
		rounds int
	}{
		{"-model mixture2 -method ais -set chains=20 -set temperatures=20 -replicates 5", 1},
		{"-model mixture2 -method rts -set chains=20 -set temperatures=10 -set sweeps=40", 30},
	} {
		args := strings.Fields(c.args)
		want := hashLine.FindString(good(t, append([]string{"run"}, args...)...))
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		good(t, append([]string{"part", "1/2", "-out", a}, args...)...)
		if status, _, err := run("join", a); status != exitFailed || !strings.Contains(err, "units are missing") {
			t.Errorf("half of the parts: status %d, %q", status, err)
		}
		good(t, append([]string{"part", "2/2", "-out", b}, args...)...)
		rounds := 1
		for ; rounds < c.rounds; rounds++ {
			first := good(t, append([]string{"part", "1/2", "-out", a, "-with", b}, args...)...)
			second := good(t, append([]string{"part", "2/2", "-out", b, "-with", a}, args...)...)
			if !strings.Contains(first+second, "without") {
				break
			}
		}
		if got := hashLine.FindString(good(t, "join", a, b)); got != want || want == "" {
			t.Errorf("%s: joined after %d rounds %q, run %q", c.args, rounds, got, want)
		}
	}
}

// A part of whole replicates says that it is complete, join names the parts that lack units, and flags may stand first.
func TestCompleteParts(t *testing.T) {
	dir := t.TempDir()
	file := func(k string) string { return filepath.Join(dir, k) }
	for _, k := range []string{"1", "2"} {
		said := good(t, "part", "-model", "mixture2", "-method", "is", "-set", "particles=500", "-replicates", "6", "-out",
			file(k), k+"/3")
		if !strings.Contains(said, "complete") || strings.Contains(said, "without") {
			t.Errorf("part %s: %q", k, said)
		}
	}
	status, _, err := run("join", "-json", file("1"), file("2"))
	if status != exitFailed || !strings.Contains(err, "these of 3 parts are not complete: 3 (missing)\n") {
		t.Errorf("join: status %d, %q", status, err)
	}
}

// What is missing or wrong is said before any work.
func TestPartArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"part", "which one is missing"},
		{"part 0/3 -model mixture2 -out a", "must be K/N"},
		{"part 4/3 -model mixture2 -out a", "must be K/N"},
		{"part 1/3x -model mixture2 -out a", "must be K/N"},
		{"part 1/3 -model mixture2", "-out FILE or -out FOLDER/ is missing"},
		{"part 1/3 -of 3 -model mixture2 -out a", "leave -of and -from out"},
		{"part 1/3 -of 0 -model mixture2 -out a", "it must be a whole number from 1 to 100000"},
		{"part 1/3 -model mixture2 -out /dev/full", "/dev/full is a device; give the name of a file"},
		{"part 1/3 -model mixture2 -out part_test.go", "is no file of a part"},
		{"part 1/3 -model mixture2 -out a -with /dev/zero", "/dev/zero is a device; give the name of a file"},
		{"host -model mixture2 -file /dev/zero", "/dev/zero is a device; give the name of a file"},
		{"host -model mixture2 -file .", ". is a folder; give the name of a file"},
		{"join", "the files of the parts are missing"},
		{"join part_test.go", "is no file of a part"},
		{"join /dev/zero", "/dev/zero is a device; give the name of a file"},
		{"join .", "join: . has no files of parts, as logz part -out ./ makes"},
	} {
		status, _, err := run(strings.Fields(c.args)...)
		if status != exitUsage || !strings.Contains(err, c.want) {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, err, c.want)
		}
	}
}
