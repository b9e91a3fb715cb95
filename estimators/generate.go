package estimators

import (
	"math"

	"logzlab/core/num"
)

// generate adds batch i of particles that target p_n, with log weights that sum to
// one ([ARM] section 3.2): rows from l.rows on, and their part of rho.
//
//	arm            a copy of the batch before, moved
//	arm-anticipate the first particles, those with N_r = floor(R w_r) >= 1 for
//	               their normalised weights w at the next stage in N_r copies of
//	               weight lw_r / N_r, moved; with extra copies N_r + 1
//	arm-reseed     max((1 - ratio/gamma) R, 100) new particles of even weight
func (l *formLane) generate(n, i int, ratio float64) bool {
	r, lo := l.particles(n), l.rows
	l.sources = l.sources[:0]
	at := l.at(n, purposeGenerate)
	switch l.how {
	case "arm-reseed":
		s := max(int(math.Ceil(float64((1-ratio/l.gamma)*float64(r)))), min(100, r))
		for range s {
			l.add(-1, -num.Log(float64(s)))
		}
		l.p.Resize(l.rows)
		at.Step = uint32(i * (l.reseed + 1))
		return l.move(at, lo, l.rows, l.reseed, true)
	case "arm-anticipate":
		l.anticipate(r)
	default:
		from := 0 // the batch before
		if i > 0 {
			from = lo - r
		}
		for q := range r {
			l.add(from+q, l.lw[q])
		}
	}
	l.p.Resize(l.rows)
	for q := lo; q < l.rows; q++ {
		l.p.Copy(q, int(l.sources[q-lo]))
	}
	at.Step = uint32(i * l.moves)
	return l.move(at, lo, l.rows, l.moves, false)
}

// anticipate lists the copies of the first r particles.
func (l *formLane) anticipate(r int) {
	total := math.Inf(-1)
	for q := range r {
		total = num.LogAddExp(total, l.logw[q]+l.lw[q])
	}
	for q := range r {
		k := 1
		share := math.Floor(float64(float64(r) * num.Exp(l.logw[q]+l.lw[q]-total)))
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
func (l *formLane) add(src int, lw float64) {
	l.sources = append(l.sources, int32(src))
	l.rho = append(l.rho, lw)
	l.rows++
	l.view.born(src)
}
