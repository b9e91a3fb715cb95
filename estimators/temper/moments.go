package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/models"
)

// TargetMoments are sums for expectations under the target from the samples x_i of all rungs ([RTS] section 2.1). Every
// sample counts with the probability of the target,
//
//	E[f] = sum_i q(K|x_i) f(x_i) / sum_i q(K|x_i),
//
// where f is each coordinate and its square. The means over the samples at the target alone, which are fewer, are
// recorded as well.
var TargetMoments = &Statistic{
	new: func(r *run, _, chains int) recorder {
		return &moments{largeSums: largeSums{sums{chains: chains, size: momentSize(r.dim)}}, dim: r.dim,
			every: 1 + r.dim/64}
	},
	floats: func(r *run, _ int) int { return momentSize(r.dim) },
}

// moments records TargetMoments for dim coordinates or named numbers. The sums of a batch are sum q(K|x), sum q(K|x) x
// of every coordinate, and sum q(K|x) x^2; then the same with 1 in place of q(K|x) if the chain chose the target, else 0.
type moments struct {
	largeSums
	dim   int
	every int // sweeps between two samples, so that their cost is small compared with q(.|x)
}

// momentSize returns the number of sums of a batch for d coordinates.
func momentSize(d int) int { return 2 * (1 + 2*d) }

// maxMoments is the largest number of sums kept for all rows together.
const maxMoments = 2_000_000

// momentDim returns the number of coordinates, or of named numbers, whose moments are recorded: 0 if the model has
// none, or too many for the number of rows.
func (r *run) momentDim(pop models.Population) int {
	d := models.AverageCount(r.Model, pop)
	averaged := models.RowCapabilitiesOf(pop).AddMoments != nil
	rows := float64(r.N)
	if length := r.batch(r.keptSweeps); length < math.MaxInt {
		rows *= float64(max(r.keptSweeps, r.MaxSweeps)/max(length, 1) + 1)
	}
	if !averaged || rows*float64(momentSize(d)) > maxMoments {
		return 0
	}
	return d
}

func (c *moments) observe(l *rows, kept int) {
	if kept%c.every != 0 {
		return
	}
	step, top := l.step, len(l.ladder)-1
	for i, k := range l.v.Rung {
		c.add(l.v.Can.AddMoments, i, step.Q[i*(top+1)+top]/step.Sum[i], int(k) == top)
	}
}

// add adds the state of a chain, weighted by the probability q of the target, and by 1 if the target was chosen.
func (c *moments) add(addTo func(sum, squares []float64, r int, weight float64), chain int, q float64,
	chosen bool) {
	sums, half := c.current(chain), c.size/2
	part := func(s []float64, weight float64) {
		s[0] += weight
		addTo(s[1:1+c.dim], s[1+c.dim:half], chain, weight)
	}
	if q > 0 {
		part(sums[:half], q)
	}
	if chosen {
		part(sums[half:], 1)
	}
}

func (c *moments) merge(t *Record, b batchCounts) {
	if len(c.x) == 0 {
		return
	}
	for chain := range c.chains {
		for i := range b.sweeps {
			t.Moments = append(t.Moments, c.get(chain, i))
		}
	}
}

// posterior returns mean, standard deviation and error of the mean of every coordinate: from all rungs, and from the
// target alone. Rows are independent. Errors are NaN for fewer than two rows; without samples the moments are nil.
func (t *Record) posterior() (all, alone []estimators.Moment) {
	if len(t.Moments) == 0 {
		return nil, nil
	}
	half := len(t.Moments[0]) / 2
	return momentsOf(t.Moments, 0, half), momentsOf(t.Moments, half, half)
}

// momentsOf returns the moments from sums[at:at+size] of each row.
func momentsOf(rows [][]float64, at, size int) []estimators.Moment {
	total := make([]float64, size)
	for _, row := range rows {
		add(total, row[at:at+size])
	}
	d, w := (size-1)/2, total[0]
	if !(w > 0) {
		return nil
	}
	n := float64(len(rows))
	scale := n / (n - 1)
	if n < 2 {
		scale = math.NaN()
	}
	out := make([]estimators.Moment, d)
	for i := range out {
		m, spread := total[1+i]/w, 0.0
		for _, row := range rows {
			u := (row[at+1+i] - num.Mul(row[at], m)) / w
			spread += num.Mul(u, u)
		}
		out[i] = estimators.Moment{Mean: m, SD: math.Sqrt(max(total[1+d+i]/w-num.Mul(m, m), 0)),
			SE: math.Sqrt(num.Mul(scale, spread))}
	}
	return out
}
