package graph

import (
	"slices"
	"testing"

	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/models"
)

// plainSpins applies one sweep to a graph of spins, without stored sums, packed words or tiles. For each colour and
// each spin it sets
//
//	x_i = 1 with probability 1/(1 + exp(-b unit (b_i + sum_j w_ij x_j))).
//
// The spins x are ordered by place.
func plainSpins(c *couplings, s rng.Stream, x []uint8, b float64, back bool) {
	scale := float32(num.Mul(b, c.unit))
	for t := range c.colours {
		of := c.colours[t]
		if back {
			of = c.colours[len(c.colours)-1-t]
		}
		var words [4]uint32
		for i := range of.n {
			if i%4 == 0 {
				words[0], words[1], words[2], words[3] = s.Block()
			}
			p := of.start + i
			sum := c.bias(p)
			for k := c.firstNeighbour[p]; k < c.firstNeighbour[p+1]; k++ {
				sum += int32(c.weight(k)) * int32(x[2*c.wordOf[k]+c.highHalf(k)])
			}
			x[p] = 0
			if kernel.Bern(words[i%4], float32(float32(sum)*scale)) {
				x[p] = 1
			}
		}
	}
}

// TestSpinsArePlain checks that sweeps of spins, of dense spins and of spins with small sums are identical to
// plainSpins, bit for bit.
func TestSpinsArePlain(t *testing.T) {
	complete := &factor.Graph{}
	s := rng.NewKey(13, "complete", 0).Stream(0, 0, 0)
	for a := range 40 {
		complete.States = append(complete.States, 2)
		for b := range a {
			complete.Factors = append(complete.Factors, Coupling(b, a, .3*s.Normal()))
		}
	}
	for name, g := range map[string]*factor.Graph{"small sums": Glass(9, 7, .8, 1), "dense": complete,
		"sparse": Glass(200, 6, .8, 3).Power(1)} {
		if name == "sparse" { // sums of many values
			for i := range g.Factors {
				g.Factors[i] = Coupling(g.Factors[i].Vars[0], g.Factors[i].Vars[1], s.Normal())
			}
		}
		p, err := FileOf(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(p, 1, "")
		if err != nil || m.couplings == nil || (m.smallSums != nil) != (name == "small sums") {
			t.Fatal(name, err)
		}
		const n = 9
		ladder := []float64{0, .4, 1}
		pop := m.New(n, ladder)
		pop.Draw(rng.At{Key: rng.NewKey(1, "plain", 0)})
		x := make([][]uint8, n)
		for r := range n {
			x[r] = make([]uint8, m.couplings.size)
			for v, state := range stateOf(pop, r, m.g.States) {
				x[r][m.couplings.placeOf[v]] = uint8(state)
			}
		}
		rungs := make([]int32, n)
		for step := range 8 {
			at := rng.At{Key: rng.NewKey(1, "plain", 0), Step: uint32(step + 1)}
			for r := range rungs {
				rungs[r] = int32((r + step) % 3)
				plainSpins(m.couplings, at.Row(r), x[r], ladder[rungs[r]], step%2 == 1)
			}
			pop.Move(at, rungs, step%2 == 1)
			for r := range n {
				for v, state := range stateOf(pop, r, m.g.States) {
					if x[r][m.couplings.placeOf[v]] != uint8(state) {
						t.Fatalf("%s, step %d, row %d: variable %d differs from the plain sweep", name, step, r, v)
					}
				}
			}
		}
	}
}

// TestRowsDoNotDependOnOthers checks, for every population, that a row has the same bits in a population of one row as
// among rows at other rungs.
func TestRowsDoNotDependOnOthers(t *testing.T) {
	tested := map[string]bool{}
	for i, g := range randomGraphs(t, 21, 4)[:24] {
		m := modelOf(t, g)
		for _, sweeps := range Sweeps {
			if m.hasZeros && sweeps == trees {
				continue
			}
			x := *m
			x.sweep = sweeps
			const n = 7
			ladder := []float64{0, .6, 1}
			all := x.New(n, ladder)
			tested[popName(all)] = true
			all.Draw(rng.At{Key: rng.NewKey(3, "alone", i)})
			var one [n]models.Population
			rungs := make([]int32, n)
			for r := range one {
				one[r] = x.New(1, ladder)
				var w wire.Writer
				all.Append(r, &w)
				one[r].Load(0, &wire.Reader{B: w.B})
			}
			for step := range 4 {
				at := rng.At{Key: rng.NewKey(3, "alone", i), Step: uint32(step + 1)}
				for r := range rungs {
					rungs[r] = int32((r + step) % 3)
				}
				all.Move(at, rungs, step%2 == 1)
				for r := range one {
					alone := at
					alone.Slot += uint32(r)
					one[r].Move(alone, rungs[r:r+1], step%2 == 1)
					if !slices.Equal(stateOf(all, r, m.g.States), stateOf(one[r], 0, m.g.States)) {
						t.Fatalf("graph %d, %T, step %d: row %d differs when it is alone", i, all, step, r)
					}
				}
			}
		}
	}
	if len(tested) < 3 {
		t.Errorf("populations tested: %v", tested)
	}
}

// popName returns the name of the type of a population.
func popName(p models.Population) string {
	switch p.(type) {
	case *treeRows:
		return trees
	case *spins, *smallSpins:
		return "spins"
	}
	return "rows"
}
