package temper

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
)

// travel is what each of the first chains records of its final run for pictures: how it went over the ladder, and what
// every two rungs have in common. It reaches no digit.
type travel struct {
	every   int // sweeps from one entry of path to the next
	sweeps  int
	ends    int       // as in chainRecord, after the last sweep
	path    []int32   // rungs
	turns   []int32   // see frame.Travel.Turns
	visits  []int32   // of each rung, once the chain has been at the base
	up      []int32   // those of them since it was at the base, and not at the target
	overlap []float64 // triangle by rows: sums of Q_g Q_h, where Q_g is the sum of q(k|x) over the rungs k of row g
}

// Bounds of what is recorded.
const (
	travelChains = 32
	travelPath   = 240
	travelTurns  = 31 // odd: the oldest is at the base
	travelEvery  = 2 * overlapEvery
)

func (r *run) newTravel() *travel {
	k := len(r.ladder)
	n := min(k, frame.MaxOverlap)
	return &travel{every: 1 + (r.burn+max(r.keptSweeps, r.Most)-1)/travelPath, path: make([]int32, 0, travelPath),
		turns: make([]int32, 0, travelTurns+1), visits: make([]int32, k), up: make([]int32, k),
		overlap: make([]float64, n*(n+1)/2)}
}

// see notes that the chain chose rung k; ends as in chainRecord.
func (t *travel) see(k, ends int) {
	if t.sweeps++; t.sweeps == (len(t.path)+1)*t.every {
		t.path = append(t.path, int32(k))
	}
	if ends != t.ends {
		t.ends, t.turns = ends, append(t.turns, int32(t.sweeps))
		if len(t.turns) > travelTurns {
			t.turns = t.turns[:copy(t.turns, t.turns[2:])]
		}
	}
	if ends > 0 {
		t.visits[k]++
	}
	if ends == 1 {
		t.up[k]++
	}
}

// meet adds a sample with conditionals q / sum.
func (t *travel) meet(q []float64, sum float64) {
	var rows [frame.MaxOverlap]float64
	n, scale, i := min(len(q), len(rows)), 1/sum, 0
	for k, x := range q {
		row := k
		if n < len(q) {
			row = k * n / len(q)
		}
		rows[row] += num.Mul(x, scale)
	}
	for g, x := range rows[:n] {
		for _, y := range rows[g:n] {
			t.overlap[i] += num.Mul(x, y)
			i++
		}
	}
}

func (t *travel) Append(w *wire.Writer) {
	w.Int(t.sweeps)
	w.Int(t.ends)
	for _, x := range [...][]int32{t.path, t.turns, t.visits, t.up} {
		w.Ints(x)
	}
	w.Floats(t.overlap)
}

func (t *travel) Load(r *wire.Reader) {
	t.sweeps, t.ends = r.Int(), r.Int()
	rungs, size := len(t.visits), len(t.overlap)
	for _, x := range [...]*[]int32{&t.path, &t.turns, &t.visits, &t.up} {
		*x = r.Ints()
	}
	if t.overlap = r.Floats(); len(t.visits) != rungs || len(t.up) != rungs || len(t.overlap) != size {
		r.Err = wire.ErrShort
	}
}

// travels joins what chains recorded, in their order.
type travels struct {
	frame.Travel
	visits, up []float64
	overlap    []float64
}

func (s *travels) add(c *chainRecord) {
	s.Total += c.trips
	t := c.travel
	if t == nil {
		return
	}
	if s.visits == nil {
		s.visits, s.up = make([]float64, len(t.visits)), make([]float64, len(t.up))
		s.overlap = make([]float64, len(t.overlap))
	}
	s.Every = t.every
	s.Paths, s.Turns, s.Trips = append(s.Paths, t.path), append(s.Turns, t.turns), append(s.Trips, int32(c.trips))
	for k, n := range t.visits {
		s.visits[k] += float64(n)
		s.up[k] += float64(t.up[k])
	}
	add(s.overlap, t.overlap)
}

// result is nil if no chain recorded anything.
func (s *travels) result() *frame.Travel {
	if s.visits == nil {
		return nil
	}
	for k, n := range s.visits {
		s.Up = append(s.Up, s.up[k]/n) // NaN where no chain was
	}
	n := min(len(s.visits), frame.MaxOverlap)
	s.Matrix = make([]float64, n*n)
	i := 0
	for g := range n {
		for h := g; h < n; h++ {
			s.Matrix[g*n+h], s.Matrix[h*n+g] = s.overlap[i], s.overlap[i]
			i++
		}
	}
	for g := range n { // the conditionals of a sample sum to 1, so a row sums to the mean share of its rungs
		row, sum := s.Matrix[g*n:(g+1)*n], 0.0
		for _, x := range row {
			sum += x
		}
		for h := range row {
			if row[h] /= sum; math.IsInf(row[h], 0) {
				row[h] = math.NaN()
			}
		}
	}
	return &s.Travel
}
