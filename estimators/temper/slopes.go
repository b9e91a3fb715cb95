package temper

import (
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// SlopeSums are sums of the slopes d = d log f_beta(x)/d beta of samples, for every rung in turn and, in records of a
// chain, batch after batch of them.
type SlopeSums struct {
	At    int       // first rung
	W     []float64 // weights
	D     []float64 // W d
	DD    []float64 // W d^2; nil where it is not recorded
	Curve []float64 // W d^2 log f/d beta^2; nil as DD
}

// grow adds a batch.
func (m *SlopeSums) grow(rungs int, squares bool) {
	zero := make([]float64, rungs)
	m.W, m.D = append(m.W, zero...), append(m.D, zero...)
	if squares {
		m.DD, m.Curve = append(m.DD, zero...), append(m.Curve, zero...)
	}
}

// visit adds a sample at one rung of the last batch, i before its end.
func (m *SlopeSums) visit(i int, d, curve float64) {
	i = len(m.W) - i
	m.W[i]++
	m.D[i] += d
	m.DD[i] += num.Mul(d, d)
	m.Curve[i] += curve
}

// spread adds a sample at every rung to the last batch, weighted by q / sum.
func (m *SlopeSums) spread(q []float64, sum float64, d []float64) {
	first, scale := len(m.W)-len(q), 1/sum
	w, wd := m.W[first:], m.D[first:]
	for k, x := range q {
		if x > 0 { // d may be infinite where f is 0
			x = num.Mul(x, scale)
			w[k] += x
			wd[k] += num.Mul(x, d[k])
		}
	}
}

func (m *SlopeSums) Append(w *wire.Writer) {
	for _, x := range [][]float64{m.W, m.D, m.DD, m.Curve} {
		w.Floats(x)
	}
}

func (m *SlopeSums) Load(r *wire.Reader, want bool, size int, squares bool) {
	m.W, m.D, m.DD, m.Curve = r.Floats(), r.Floats(), r.Floats(), r.Floats()
	second := 0
	if squares {
		second = size
	}
	if want && (len(m.W) != size || len(m.D) != size || len(m.DD) != second || len(m.Curve) != second) {
		r.Err = wire.ErrShort
	}
}

// total is all batches of one rung together.
func (m *SlopeSums) total() SlopeSums {
	sum := func(x []float64) []float64 {
		total := 0.0
		for _, v := range x {
			total += v
		}
		return []float64{total}
	}
	return SlopeSums{m.At, sum(m.W), sum(m.D), sum(m.DD), sum(m.Curve)}
}

// batch is that of one batch.
func (m *SlopeSums) batch(i, rungs int) SlopeSums {
	lo, hi := i*rungs, (i+1)*rungs
	out := SlopeSums{At: m.At, W: m.W[lo:hi], D: m.D[lo:hi]}
	if len(m.DD) > 0 {
		out.DD, out.Curve = m.DD[lo:hi], m.Curve[lo:hi]
	}
	return out
}

// slopeEvery is the number of sweeps from one look at the slope at a chain's rung to the next where log f is not linear
// in beta, meanSlopeEvery at those of all rungs, which then cost more than log f at all rungs.
const slopeEvery, meanSlopeEvery = 4, 8

// slopes computes the slopes of the rows of a lane.
type slopes struct {
	curved models.Curved // nil: log f is linear in beta
	every  int           // sweeps from one look to the next, at the rung
	mean   int           // and at all rungs
	rungs  int
	d      []float64 // of each row at its rung, or at every rung where it is linear
	curve  []float64 // of each row at its rung
	all    []float64 // rows x rungs
}

func newSlopes(pop models.Population, rows, rungs int) *slopes {
	s := &slopes{every: 1, mean: 1, rungs: rungs, d: make([]float64, rows), curve: make([]float64, rows),
		all: make([]float64, rows*rungs)}
	if c, ok := pop.(models.Curved); ok {
		s.curved, s.every, s.mean = c, slopeEvery, meanSlopeEvery
	}
	return s
}

// line sets the slopes of linear paths from log f at all rungs.
func (s *slopes) line(logf []float64) {
	for i := range s.d {
		row := logf[i*s.rungs : (i+1)*s.rungs]
		s.d[i] = anneal.WeightStep(row[0], row[s.rungs-1])
	}
}

// At sets the slopes at the rung of each row.
func (s *slopes) At(rung []int32) {
	if s.curved != nil {
		s.curved.Slope(rung, s.d, s.curve)
	}
}

// everywhere lists the slopes of each row at every rung, row by row.
func (s *slopes) everywhere() []float64 {
	if s.curved != nil {
		s.curved.Slopes(s.all)
		return s.all
	}
	for i, d := range s.d {
		row := s.all[i*s.rungs : (i+1)*s.rungs]
		for k := range row {
			row[k] = d
		}
	}
	return s.all
}
