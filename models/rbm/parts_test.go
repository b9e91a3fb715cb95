package rbm

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
)

// TestJoined checks that three arrays in any order give one file with identical bytes, and that vectors are identified
// by name or by length.
func TestJoined(t *testing.T) {
	part := func(name string, x []float64, shape ...int) modelfile.Part {
		return modelfile.Part{Name: "some/folder/" + name + ".npy", Data: npy("<f8", false, x, shape...)}
	}
	a, b := part("a", c3, 3), part("b", b2, 2)
	w, square := part("W", w32, 3, 2), part("W", w32[:4], 2, 2)
	for name, c := range map[string]struct {
		parts []modelfile.Part
		want  string // names in the archive, in order
		m     int    // number of visible units
		says  string // part of the error, "" for none
	}{
		"known names": {[]modelfile.Part{w, a, b}, "W a b", 3, ""},
		"by length":   {[]modelfile.Part{part("final", w32, 3, 2), part("x", c3, 3), part("y", b2, 2)}, "W a b", 3, ""},
		"column, row": {[]modelfile.Part{w, part("x", c3, 3, 1), part("y", b2, 1, 2)}, "W a b", 3, ""},
		"turned": {[]modelfile.Part{part("W", w32, 2, 3), part("v_bias", c3, 3), part("h_bias", b2, 2)},
			"W v_bias h_bias", 3, ""},
		"with p1": {[]modelfile.Part{w, a, b, part("p1", []float64{.5, .5, 1}, 3)}, "W a b p1", 3, ""},
		"square, known": {[]modelfile.Part{square, part("v_bias", b2, 2), part("h_bias", c3[:2], 2)},
			"W v_bias h_bias", 2, ""},
		"one known":  {[]modelfile.Part{square, part("hidden_bias", b2, 2), part("x", c3[:2], 2)}, "W a b", 2, ""},
		"one hidden": {[]modelfile.Part{part("W", c3, 3, 1), a, part("b", b2[:1], 1)}, "W a b", 3, ""},
		"square": {[]modelfile.Part{square, part("x", b2, 2), part("y", c3[:2], 2)}, "", 0,
			"name the files c_visible.npy and"},
		"two matrices": {[]modelfile.Part{w, part("W2", w32, 3, 2), b}, "", 0, "are both matrices"},
		"no matrix":    {[]modelfile.Part{part("x", c3, 3), a, b}, "", 0, "give one matrix"},
		"too many":     {[]modelfile.Part{w, part("x", c3, 3), a, b}, "", 0, "give one matrix"},
		"3-D":          {[]modelfile.Part{w, a, b, part("T", make([]float64, 8), 2, 2, 2)}, "", 0, "T.npy has 3 dim"},
		"damaged":      {[]modelfile.Part{{Name: "W.npy", Data: []byte("x")}, a}, "", 0, "W.npy: not a .npy array"},
	} {
		first, err := modelfile.Part{}, error(nil)
		var file []byte
		for range c.parts { // every rotation of the parts
			first, c.parts = c.parts[0], c.parts[1:]
			c.parts = append(c.parts, first)
			rotated, rotatedErr := JoinArrays(c.parts)
			if file != nil && !bytes.Equal(file, rotated) {
				t.Errorf("%s: the bytes depend on the order", name)
			}
			file, err = rotated, rotatedErr
		}
		if checkError(t, name, nil, err, c.says); err != nil {
			continue
		}
		f, err := kinds.ReadFile(file, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var positions []int
		for _, want := range strings.Fields(c.want) {
			positions = append(positions, bytes.Index(file, []byte(want+".npy")))
		}
		for i, x := range positions {
			if x < 0 || i > 0 && x < positions[i-1] {
				t.Errorf("%s: the archive lacks %s", name, c.want)
			}
		}
		if p := f.(Params); p.M != c.m {
			t.Errorf("%s: %+v", name, p)
		}
	}
	file, err := JoinArrays([]modelfile.Part{b, a, w})
	if id := modelfile.ID(file); err != nil || id != "file:c07d370b2076" {
		t.Errorf("the id in links changed to %s: %v", id, err)
	}
}

// TestParts checks that an archive of several files is split into its files, and that a damaged archive is an error.
func TestParts(t *testing.T) {
	want := []modelfile.Part{{Name: "W 1.npy", Data: []byte("abc\n\n")}, {Name: "a.NPY", Data: []byte{}}}
	b := fmt.Appendf(nil, "%s\n%d %s\n%d %s\n\n%s", modelfile.PartsMark, 5, "W 1.npy", 0, "a.NPY", "abc\n\n")
	got, err := modelfile.Parts(b)
	if err != nil || !reflect.DeepEqual(got, want) || got[0].Stem() != "W 1" {
		t.Errorf("%q, %v", got, err)
	}
	for n := range b {
		if got, err := modelfile.Parts(b[:n]); err == nil {
			t.Fatalf("%d bytes: %q", n, got)
		}
	}
}
