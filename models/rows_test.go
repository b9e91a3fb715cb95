package models_test

import (
	"bytes"
	"slices"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators/catalog"
	"logzlab/estimators/targets"
	"logzlab/internal/labtest"
	"logzlab/models"
	"logzlab/models/ising"
)

// openFile returns the model of a file.
func openFile(t *testing.T, f models.File, v spec.Values) models.Model {
	t.Helper()
	m, err := models.FromFile("own", f, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lattice returns a torus with J = 1.
func lattice(l1, l2 int, beta float64) ising.Params {
	return ising.Params{L1: l1, L2: l2, Periodic: true, J: 1, Beta: &beta}
}

// A copied row equals a row that was encoded and loaded: in state, in log densities, and after a move. The test fails
// if Copy does not copy the sums of an RBM.
func TestCopy(t *testing.T) {
	rbm := openFile(t, targets.RandomRBM(9, 7, .5, 1), nil)
	mix, err := catalog.Kinds.Open("mixture2", spec.Values{"moves": "2"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	gpc, err := catalog.Kinds.Open("gpc-ou", nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ladder := []float64{0, .5, 1}
	for name, m := range map[string]models.Model{"rbm": rbm, "ising": openFile(t, lattice(4, 4, .4), nil), "mixture": mix,
		"gpc": gpc} {
		all := func(p models.Population) (out []byte) {
			logf := make([]float64, 4*3)
			p.LogF(0, 3, logf)
			w := wire.Writer{}
			for r := range 4 {
				p.Append(r, &w)
			}
			w.Floats(logf)
			return w.B
		}
		at := rng.At{Key: rng.NewKey(4, name, 0)}
		copied, loaded := m.New(4, ladder), m.New(4, ladder)
		for _, p := range []models.Population{copied, loaded} {
			p.Draw(at)
			p.Move(at, labtest.Rungs(4, 1), false)
		}
		var w wire.Writer
		loaded.Append(1, &w)
		loaded.Load(3, &wire.Reader{B: w.B})
		copied.Copy(3, 1)
		if !bytes.Equal(all(copied), all(loaded)) {
			t.Errorf("%s: a copied row differs from a loaded one", name)
		}
		at.Step = 1
		copied.Move(at, labtest.Rungs(4, 2), false)
		loaded.Move(at, labtest.Rungs(4, 2), false)
		if !bytes.Equal(all(copied), all(loaded)) {
			t.Errorf("%s: a copied row differs from a loaded one after a move", name)
		}
	}
}

// Load inverts Append, also if the number of units is not a multiple of 8, and a loaded row moves like the original.
func TestAppendLoad(t *testing.T) {
	ladder := []float64{0, 0.5, 1}
	gmm, err := catalog.Kinds.Open("mixture10", spec.Values{"moves": "2"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]models.Model{
		"rbm": openFile(t, targets.RandomRBM(9, 17, 1, 8), nil), "joint": openFile(t, targets.RandomRBM(11, 6, 1, 8),
			spec.Values{"form": "joint"}), "ising": openFile(t, lattice(3, 5, .4), nil),
		"gmm": gmm,
	} {
		key := rng.NewKey(1, name, 0)
		a := m.New(3, ladder)
		a.Draw(rng.At{Key: key, Slot: 10})
		a.Move(rng.At{Key: key, Slot: 10, Step: 1}, []int32{2, 1, 2}, false)
		// Load row 2 into a population of one row, at the same slot.
		b := m.New(1, ladder)
		var w wire.Writer
		a.Append(2, &w)
		w.Int(-77)
		in := wire.Reader{B: w.B}
		b.Load(0, &in)
		if in.Int() != -77 || in.Err != nil {
			t.Fatalf("%s: Load does not consume exactly the bytes of Append", name)
		}
		for step := uint32(2); step < 6; step++ {
			a.Move(rng.At{Key: key, Slot: 10, Step: step}, []int32{1, 1, int32(step) % 3}, step%2 == 0)
			b.Move(rng.At{Key: key, Slot: 12, Step: step}, []int32{int32(step) % 3}, step%2 == 0)
			x, y := make([]float64, 3), make([]float64, 3)
			labtest.LogF(a, 3, 2, 0, x)
			b.LogF(0, 3, y)
			var wa, wb wire.Writer
			a.Append(2, &wa)
			b.Append(0, &wb)
			if !slices.Equal(x, y) || !slices.Equal(wa.B, wb.B) {
				t.Fatalf("%s: a loaded row differs from the original at step %d: %v, %v", name, step, x, y)
			}
		}
		a.Load(0, &wire.Reader{B: w.B[:1]}) // cut short: no panic
	}
}
