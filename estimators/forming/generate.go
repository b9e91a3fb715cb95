package forming

import (
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
)

// batchRule chooses the particles of batch i and calls add for each: a copy of a row, or -1 for a new one. r is the
// number of particles wanted at the stage, ratio the effective sample size divided by the particles so far.
type batchRule func(l *lane, r, i int, ratio float64)

// generate adds batch i of particles that target p_n, with log weights that sum to
// one ([ARM] section 3.2): rows from l.rows on, and their part of rho. Copies are moved; new particles start anew and
// are moved for long.
func (l *lane) generate(n, i int, ratio float64) bool {
	lo := l.rows
	l.sources = l.sources[:0]
	at := l.at(n, estimators.PurposeGenerate)
	l.rule(l, l.particles(n), i, ratio)
	l.p.Resize(l.rows)
	if l.sources[0] < 0 {
		at.Step = uint32(i * (l.reseed + 1))
		return l.move(at, lo, l.rows, l.reseed, true)
	}
	for q := lo; q < l.rows; q++ {
		l.p.Copy(q, int(l.sources[q-lo]))
	}
	at.Step = uint32(i * l.moves)
	return l.move(at, lo, l.rows, l.moves, false)
}

// copyBatch copies the batch before.
func (l *lane) copyBatch(r, i int, _ float64) {
	from := 0
	if i > 0 {
		from = l.rows - r
	}
	for q := range r {
		l.add(from+q, l.lw[q])
	}
}

// fresh adds max(ceil((1 - ratio/gamma) R), min(100, R)) new particles of even weight.
func (l *lane) fresh(r, _ int, ratio float64) {
	s := max(int(math.Ceil(num.Mul(1-ratio/l.gamma, float64(r)))), min(100, r))
	for range s {
		l.add(-1, -num.Log(float64(s)))
	}
	l.ancestors.Join(s)
}

// anticipate copies the particles that the next stage favours. With w_r the normalised weight of particle r there, it
// makes N_r = floor(R w_r) copies, one if that is 0, and one more than N_r with extra_copies; they share the weight of
// particle r evenly.
func (l *lane) anticipate(r, _ int, _ float64) {
	total := math.Inf(-1)
	for q := range r {
		total = num.LogAddExp(total, l.logw[q]+l.lw[q])
	}
	for q := range r {
		k := 1
		share := math.Floor(num.Mul(float64(r), num.Exp(l.logw[q]+l.lw[q]-total)))
		if share >= 1 {
			k = int(share)
			if l.extra {
				k++
			}
		}
		for range k {
			l.add(q, l.lw[q]-num.Log(float64(k)))
		}
	}
}

// add appends a row of log weight lw that will be a copy of row src, or new (-1).
func (l *lane) add(src int, lw float64) {
	l.sources = append(l.sources, int32(src))
	l.rho = append(l.rho, lw)
	l.rows++
	l.view.born(src)
}
