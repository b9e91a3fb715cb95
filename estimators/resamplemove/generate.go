package resamplemove

import (
	"math"

	"logzlab/core/num"
	"logzlab/estimators"
)

// generate adds batch i of particles that target p_n ([ARM] section 3.2) to the weighted set: copies, which are moved,
// or new particles, which start from data or the base and make many moves. The weights of a batch sum to one before it
// joins.
func (l *lane) generate(n, i int) {
	from := l.Rows
	l.sources = l.sources[:0]
	l.rule(l, l.particles(n), i)
	l.p.Resize(l.Rows)
	kernel, sweeps, steps := l.p.Move, l.Moves, l.Moves
	if l.sources[0] < 0 {
		kernel, sweeps, steps = l.p.Reseed, l.ReseedSweeps, l.ReseedSweeps+1
	} else {
		for q, source := range l.sources {
			l.p.Copy(from+q, int(source))
		}
	}
	at := l.at(n, estimators.PurposeGenerate)
	at.Step = uint32(i * steps)
	l.apply(kernel, at, from, sweeps)
	l.evaluate(from)
	l.join(from, l.DiscardInitial && i == 0)
	l.weigh()
	l.observe(n, stepGenerate)
}

// join adds the rows from a given one to the weighted set; old and new rows share it in proportion to their number
// ([ARM] Proposition 1). If discard is set, the earlier rows are dropped.
func (l *lane) join(from int, discard bool) {
	set, s := &l.set, l.Rows-from
	if discard {
		for q := range from {
			l.rho[q] = math.Inf(-1)
		}
		set.live, set.batches[0] = 0, 0
	}
	old, new := num.Log(float64(set.live)/float64(set.live+s)), num.Log(float64(s)/float64(set.live+s))
	for q := range l.rho {
		if q < from {
			l.rho[q] += old
		} else {
			l.rho[q] += new
		}
	}
	set.live += s
	first := len(l.batches) - len(set.batches)
	l.batches = append(l.batches, int32(s))
	set.batches = l.batches[first:]
}

// batchRule chooses the particles of batch i and calls add for each. r is the number R of particles of the stage.
type batchRule func(l *lane, r, i int)

// copyBatch copies the previous batch.
func (l *lane) copyBatch(r, i int) {
	from := 0
	if i > 0 {
		from = l.Rows - r
	}
	for q := range r {
		l.add(from+q, l.lw[q])
	}
}

// fresh adds max(ceil((1 - ratio/gamma) R), min(100, R)) new particles of equal weight, with ratio the effective sample
// size over the number of particles so far.
func (l *lane) fresh(r, _ int) {
	s := max(int(math.Ceil(num.Mul(1-l.ratio()/l.Gamma, float64(r)))), min(100, r))
	for range s {
		l.add(-1, -num.Log(float64(s)))
	}
	l.Ancestors.Add(s)
}

// anticipate copies the particles that the next stage favours. With w_r the normalised weight of particle r there, it
// makes N_r = floor(R w_r) copies, one if N_r is 0, and one more than N_r with extra_copies; the copies share the
// weight of particle r equally.
func (l *lane) anticipate(r, _ int) {
	total := math.Inf(-1)
	for q := range r {
		total = num.LogAddExp(total, l.logW[q]+l.lw[q])
	}
	for q := range r {
		k := 1
		share := math.Floor(num.Mul(float64(r), num.Exp(l.logW[q]+l.lw[q]-total)))
		if share >= 1 {
			k = int(share)
			if l.ExtraCopies {
				k++
			}
		}
		for range k {
			l.add(q, l.lw[q]-num.Log(float64(k)))
		}
	}
}

// add appends a row of log weight lw that will be a copy of row source, or new (-1).
func (l *lane) add(source int, lw float64) {
	l.sources = append(l.sources, int32(source))
	l.rho = append(l.rho, lw)
	l.Rows++
	l.view.addRow(source)
}
