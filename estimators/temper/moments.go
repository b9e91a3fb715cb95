package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Expectations under the target from the samples x_i of all rungs ([RTS] section 2.1): every sample counts with the
// probability of the target,
//
//	E[f] = sum_i q(K|x_i) f(x_i) / sum_i q(K|x_i),
//
// f being each coordinate and its square. Beside them stand the means of the samples whose rung was the target, which
// are fewer.

// moments are the sums of a chain, batch after batch: sum q(K|x), of every coordinate sum q(K|x) x, then
// sum q(K|x) x^2; then the same with 1 for q(K|x) where the chain chose the target, else 0.
type moments []float64

// momentSize is the number of sums of a batch for d coordinates.
func momentSize(d int) int { return 2 * (1 + 2*d) }

// maxMoments bounds the sums that are kept for all rows.
const maxMoments = 2_000_000

// momentsEvery is the number of sweeps from one look at d coordinates to the next: what a look costs is to be little
// beside q(.|x) of the sweeps between.
func momentsEvery(d int) int { return 1 + d/64 }

// averages is the number of coordinates, or of named numbers, whose moments are recorded, 0 where the model has none or
// has too many for so many rows.
func (r *run) averages() int {
	pop := r.Model.New(1, r.ladder)
	d := models.Averages(r.Model, pop)
	_, averaged := pop.(models.Averaged)
	rows := float64(r.N)
	if length := r.batch(r.keptSweeps); length < math.MaxInt {
		rows *= float64(max(r.keptSweeps, r.Most)/max(length, 1) + 1)
	}
	if !averaged || rows*float64(momentSize(d)) > maxMoments {
		return 0
	}
	return d
}

// add adds row r to the sums of the last batch, with the probability q of the target, and with whether that was chosen.
func (m moments) add(pop models.Averaged, r, d int, q float64, chosen bool) {
	half := momentSize(d) / 2
	last := m[len(m)-2*half:]
	part := func(s []float64, weight float64) {
		s[0] += weight
		pop.AddTo(s[1:1+d], s[1+d:half], r, weight)
	}
	if q > 0 {
		part(last[:half], q)
	}
	if chosen {
		part(last[half:], 1)
	}
}

// loadMoments decodes the sums of n batches of d coordinates; partials on the way have none.
func loadMoments(in *wire.Reader, n, d int) moments {
	m := moments(in.Floats())
	if len(m) != 0 && (d == 0 || len(m) != n*momentSize(d)) {
		in.Err = wire.ErrShort
	}
	return m
}

// posterior is the mean, the standard deviation and the error of the mean of every coordinate: from all rungs, and from
// the target alone. Rows are independent; errors are NaN from fewer than two, and all is nil without a sample there.
func (t *Record) posterior() (all, alone []estimators.Moment) {
	if len(t.Moments) == 0 {
		return nil, nil
	}
	half := len(t.Moments[0]) / 2
	return momentsOf(t.Moments, 0, half), momentsOf(t.Moments, half, half)
}

// momentsOf is posterior for the sums from place at on, so many of each row.
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
