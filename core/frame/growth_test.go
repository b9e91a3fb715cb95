package frame

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"logzlab/core/wire"
)

// TestGrowthShapes checks that inconsistent Growth and Latent are errors.
func TestGrowthShapes(t *testing.T) {
	t.Parallel()
	ok := func() *Frame {
		return &Frame{N: 3, Growth: &Growth{Stage: 2, Stages: 4, R: 3, Parents: []int32{0, -1, 2},
			Record: []StageRecord{{N: 1}, {N: 2}}}}
	}
	if _, err := Decode(ok().Append(nil)); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Growth){
		"stage past the end":   func(g *Growth) { g.Stage = 5 },
		"negative stage":       func(g *Growth) { g.Stage = -1 },
		"too many stages":      func(g *Growth) { g.Stages = maxStages + 1 },
		"negative R":           func(g *Growth) { g.R = -1 },
		"two parents of three": func(g *Growth) { g.Parents = g.Parents[:2] },
		"parent not there":     func(g *Growth) { g.Parents[0] = MaxLines },
		"parents past the end": func(g *Growth) { g.Parents = []int32{MaxLines - 2, MaxLines - 1, MaxLines} },
		"parent below -1":      func(g *Growth) { g.Parents[0] = -2 },
		"many parents":         func(g *Growth) { g.Parents = make([]int32, MaxLines+1) },
		"record past the end":  func(g *Growth) { g.Record[1].N = 5 },
		"record not in order":  func(g *Growth) { g.Record[1].N = 1 },
		"record before 0":      func(g *Growth) { g.Record[0].N = -1 },
		"many batches":         func(g *Growth) { g.Record[0].Batches = make([]int32, maxBatches+1) },
		"many batches now":     func(g *Growth) { g.Batches = make([]int32, maxBatches+1) },
		"exact at one stage":   func(g *Growth) { g.Exact = []float64{1} },
		"many cells":           func(g *Growth) { g.Cell = make([]int32, maxStages+1) },
	} {
		f := ok()
		spoil(f.Growth)
		if g, err := Decode(f.Append(nil)); err == nil {
			t.Errorf("%s: accepted as %+v", name, g.Growth)
		}
	}
	// There may be more rows than pictures.
	more := ok()
	more.Growth.Parents = []int32{0, 1, 2, MaxLines - 1, -1, -1, 4}
	if f, err := Decode(more.Append(nil)); err != nil || !slices.Equal(f.Growth.Parents, more.Growth.Parents) {
		t.Errorf("parents of more rows: %v", err)
	}
	// Unknown values are no error: scenes omit them.
	f := ok()
	f.Growth.Exact = []float64{1, math.NaN(), math.NaN(), math.Inf(1)}
	f.Growth.Record[0] = StageRecord{N: 0, LogZ: math.NaN(), Gamma: float32(math.NaN()), Batches: []int32{-4}}
	if _, err := Decode(f.Append(nil)); err != nil {
		t.Error(err)
	}
}

// TestParents checks that the encoding of parents is compact, and that few bytes cannot decode to many rows.
func TestParents(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		parent func(i int) int
		bytes  int // for a thousand rows
	}{
		"themselves": {func(i int) int { return i }, 8},
		"nobody":     {func(int) int { return -1 }, 8},
		"resampled": {func(i int) int { // a third is replaced by others
			if i%3 == 1 {
				return r.IntN(1000)
			}
			return i
		}, 2200},
		"any": {func(int) int { return r.IntN(4000) - 1 }, 4000},
	} {
		for _, n := range []int{0, 1, 1000, MaxLines} {
			var w wire.Writer
			want := make([]int32, n)
			for i := range want {
				want[i] = int32(c.parent(i))
			}
			writeParents(&w, want)
			in := wire.Reader{B: w.B}
			if got := readParents(&in); !slices.Equal(got, want) || in.Err != nil || len(in.B) != 0 {
				t.Errorf("%s: %d rows are read as %d, %v", name, n, len(got), in.Err)
			}
			if n == 1000 && len(w.B) > c.bytes {
				t.Errorf("%s: %d bytes", name, len(w.B))
			}
		}
	}
	for name, b := range map[string][]uint64{
		"too many":         {MaxLines + 1, MaxLines + 1, 0},
		"nothing":          {5, 0, 0},
		"more than all":    {5, 6, 0},
		"far more":         {5, math.MaxUint64, 0},
		"half":             {5, 3, 0},
		"before the first": {5, 1, 3}, // -2
		"past the last":    {5, 5, 2 * (MaxLines - 4)},
		"far away":         {5, 1, math.MaxUint64 - 1},
		"far behind":       {5, 1, math.MaxUint64},
	} {
		var w wire.Writer
		for _, x := range b {
			w.Uint(x) // zigzag encoding of a signed number
		}
		in := wire.Reader{B: w.B}
		if got := readParents(&in); in.Err == nil || got != nil {
			t.Errorf("%s is read as %v", name, got)
		}
	}
}

func TestLatentShapes(t *testing.T) {
	t.Parallel()
	ok := func() *Frame {
		return &Frame{N: 2, Latent: &Latent{D: 1, X: []float32{1, 2}, Label: []int32{1, -1}, GW: 3, GH: 1,
			Values: make([]float32, 6), Mean: make([]float32, 3), ProbAtData: []float32{1}}}
	}
	if _, err := Decode(ok().Append(nil)); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Latent){
		"three dimensions":  func(l *Latent) { l.D, l.X = 3, make([]float32, 6) },
		"too few x":         func(l *Latent) { l.X = l.X[:1] },
		"values of one row": func(l *Latent) { l.Values = l.Values[:3] },
		"mean off the grid": func(l *Latent) { l.Mean = l.Mean[:2] },
		"wide grid":         func(l *Latent) { l.GW = maxGrid + 1 },
		"negative grid":     func(l *Latent) { l.GW, l.GH = -3, -1 },
		"half a picture":    func(l *Latent) { l.W, l.H, l.Pictures = 2, 2, make([]byte, 7) },
		"too many chances":  func(l *Latent) { l.ProbAtData = make([]float32, 3) },
	} {
		f := ok()
		spoil(f.Latent)
		if g, err := Decode(f.Append(nil)); err == nil {
			t.Errorf("%s: accepted as %+v", name, g.Latent)
		}
	}
	// Without data, or with pictures only, the view is valid.
	for _, l := range []*Latent{{}, {W: 1, H: 1, Label: []int32{1}, Pictures: []byte{9}}} {
		if _, err := Decode((&Frame{Latent: l}).Append(nil)); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
	}
}
