package program

import (
	"fmt"
	"math"
	"testing"

	"logzlab/models/stan/tape"
)

// TestSearchFarModes checks that the search finds modes of different widths and masses that are neither at the origin,
// nor on the diagonal, nor along one coordinate, up to 200 standard deviations away: the mean importance weight of
// draws from the base is Z.
func TestSearchFarModes(t *testing.T) {
	t.Parallel()
	for _, dim := range []int{1, 2, 3, 6, 12} {
		for k, c := range []struct {
			share, at, sd, at2, sd2 float64
			along                   bool
		}{{.3, -5, .3, 5, 1, false}, {.5, 100, 1, 130, 5, false}, {.5, 0, 1, 200, 1, false}, {.2, -4, 1, 6, .5, false},
			{.9, 10, 2, -60, .5, false}, {.5, 0, 1, 40, .5, true}, {.05, 150, 3, -20, 1, true}} {
			b := tape.NewBuilder(dim)
			one, two := []tape.Scalar{tape.Const(math.Log(c.share))}, []tape.Scalar{tape.Const(math.Log(1 - c.share))}
			for i, x := range b.Inputs() {
				at, at2 := c.at, c.at2
				if c.along && i > 0 {
					at, at2 = 0, 0
				}
				one = append(one, normal(b, x, tape.Const(at), tape.Const(c.sd)))
				two = append(two, normal(b, x, tape.Const(at2), tape.Const(c.sd2)))
			}
			b.Target(b.LogSumExp([]tape.Scalar{b.Sum(one), b.Sum(two)}))
			tape := finish(t, b)
			name := fmt.Sprintf("%d coordinates, case %d", dim, k)
			p := runPilot(tape)
			if p.modes != 2 {
				t.Errorf("%s: %d modes, want 2", name, p.modes)
			}
			covers(t, name, tape, p, .2)
		}
	}
}

// TestSearchRotatedModes checks that the search finds a narrow mixture component whose centre is given by linear
// combinations of coordinates, for which Tape.Centres cannot solve.
func TestSearchRotatedModes(t *testing.T) {
	t.Parallel()
	const dim = 6
	b := tape.NewBuilder(dim)
	x := b.Inputs()
	one, two := []tape.Scalar{tape.Const(math.Log(.2))}, []tape.Scalar{tape.Const(math.Log(.8))}
	for i := range x {
		y := b.Do(tape.Sub, b.Do(tape.Mul, x[i], tape.Const(1.5)), b.Do(tape.Mul, x[(i+1)%dim], tape.Const(.7)))
		one = append(one, normal(b, y, tape.Const(0), tape.Const(1)))
		two = append(two, normal(b, y, tape.Const(float64(15-7*i)), tape.Const(.2)))
	}
	log := math.Log(math.Pow(1.5, dim) - math.Pow(.7, dim)) // of the determinant
	b.Target(b.LogSumExp([]tape.Scalar{b.Sum(one), b.Sum(two)}), tape.Const(log))
	tape := finish(t, b)
	p := runPilot(tape)
	if p.modes != 2 {
		t.Errorf("%d modes", p.modes)
	}
	covers(t, "rotated", tape, p, .2)
}
