package frame

import (
	"math"
	"testing"
)

// Growth and Latent that do not fit their frame, or themselves, are errors.
func TestGrowthShapes(t *testing.T) {
	ok := func() *Frame {
		return &Frame{N: 3, Growth: &Growth{Stage: 2, Stages: 4, R: 3, Parents: []int32{0, -1, 2}, Record: []StageRecord{{N: 1}, {N: 2}}}}
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
		"parent not there":     func(g *Growth) { g.Parents[0] = 1 << 20 },
		"parent below -1":      func(g *Growth) { g.Parents[0] = -2 },
		"record past the end":  func(g *Growth) { g.Record[1].N = 5 },
		"record not in order":  func(g *Growth) { g.Record[1].N = 1 },
		"record before 0":      func(g *Growth) { g.Record[0].N = -1 },
		"many batches":         func(g *Growth) { g.Record[0].Batches = make([]int32, maxBatches+1) },
		"many batches now":     func(g *Growth) { g.Batches = make([]int32, maxBatches+1) },
		"many cells":           func(g *Growth) { g.Cell = make([]int32, maxStages+1) },
	} {
		f := ok()
		spoil(f.Growth)
		if g, err := Decode(f.Append(nil)); err == nil {
			t.Errorf("%s: accepted as %+v", name, g.Growth)
		}
	}
	// Unknown numbers are no error: scenes leave them out.
	f := ok()
	f.Growth.Record[0] = StageRecord{N: 0, LogZ: math.NaN(), Exact: math.NaN(), Gamma: float32(math.NaN()), Batches: []int32{-4}}
	if _, err := Decode(f.Append(nil)); err != nil {
		t.Error(err)
	}
}

func TestLatentShapes(t *testing.T) {
	ok := func() *Frame {
		return &Frame{N: 2, Latent: &Latent{D: 1, X: []float32{1, 2}, Label: []int32{1, -1}, GW: 3, GH: 1, Values: make([]float32, 6), Mean: make([]float32, 3), At: []float32{1}}}
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
		"too many chances":  func(l *Latent) { l.At = make([]float32, 3) },
	} {
		f := ok()
		spoil(f.Latent)
		if g, err := Decode(f.Append(nil)); err == nil {
			t.Errorf("%s: accepted as %+v", name, g.Latent)
		}
	}
	// No data at all, and pictures only, are views like others.
	for _, l := range []*Latent{{}, {W: 1, H: 1, Label: []int32{1}, Pictures: []byte{9}}} {
		if _, err := Decode((&Frame{Latent: l}).Append(nil)); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
	}
}
