package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The model file has the given numbers of threes and fives, none twice, in random order, with their labels.
func TestUSPSModel(t *testing.T) {
	var in strings.Builder
	for i := range 40 { // the first pixel says which digit it is
		fmt.Fprintf(&in, "train,%d,%d,%d%s\n", i, 3+i/20*2, i, strings.Repeat(",-1", 255))
	}
	b, err := uspsModel(strings.NewReader(in.String()), 7, 9)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		cells := strings.Split(line, ",")
		label := cells[len(cells)-1]
		if len(cells) != 257 || seen[cells[0]] || (label == "1") != (len(cells[0]) < 2 || cells[0] < "20") {
			t.Errorf("%s", line)
		}
		seen[cells[0]] = true
		labels = append(labels, label)
	}
	if n := strings.Count(strings.Join(labels, " ")+" ", "-1 "); len(labels) != 16 || n != 9 {
		t.Errorf("%d digits, %d fives", len(labels), n)
	}
	if slices.IsSorted(labels) {
		t.Error("the classes are not mixed")
	}
	if _, err := uspsModel(strings.NewReader(in.String()), 21, 1); err == nil {
		t.Error("21 of 20 threes were drawn")
	}
}
