package estimators

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/kernel"
	"logzlab/core/num"
)

// annealLane is one AIS pass over the ladder, initAISSweeps at each rung. Each
// chain has drawn its start rung beforehand and keeps the state it had there.
// Partial: log w of each chain at every rung.
func (r *temper) annealLane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, n := r.span(u.Lane)
		v := newView(r.Config, r.ladder, u, r.lanes)
		k1 := len(r.ladder) - 1
		v.f.Steps = initAISSweeps * k1
		u.Last = v.f.Steps
		start := make([]int, n)
		kept := make([][]byte, n)
		keep := func(k int) {
			for i := range start {
				if start[i] == k {
					var w frame.Writer
					v.pop.Append(i, &w)
					w.Int(k)
					kept[i] = w.B
				}
			}
		}
		at := r.at(phaseForward, first)
		for i := range start {
			s := at.Row(i)
			start[i] = s.Intn(len(r.ladder))
		}
		v.pop.Draw(r.at(phaseStart, first))
		keep(0)
		record := make([][]float64, n)
		for i := range record {
			record[i] = make([]float64, len(r.ladder))
		}
		pairs := make([]float64, 2*n)
		for k := 1; k <= k1; k++ {
			v.pop.LogF(k-1, 2, pairs)
			for i := range record {
				v.logw[i] += weightStep(pairs[2*i], pairs[2*i+1])
				record[i][k] = v.logw[i]
			}
			fill(v.rung, k)
			for t := 0; t < initAISSweeps; t++ {
				at.Step++
				v.pop.Move(at, v.rung, false)
				if !yield(v.show(int(at.Step))) {
					return
				}
			}
			keep(k)
		}
		var s, p frame.Writer
		for i := range record {
			s.B = append(s.B, kept[i]...)
			p.Floats(record[i])
		}
		u.State, u.Partial = s.B, p.B
	}
}

// temperRows are the chains of a lane: rows, rungs, and what has been recorded of each.
type temperRows struct {
	v    *view
	sums []chainRecord
}

func newTemperRows(v *view, rungs int, what Record) *temperRows {
	l := &temperRows{v, make([]chainRecord, len(v.rung))}
	for i := range l.sums {
		l.sums[i] = chainRecord{rungs: rungs, what: what}
	}
	return l
}

// load decodes a state, with records if the stage has begun.
func (l *temperRows) load(state []byte, begun bool) {
	s := frame.Reader{B: state}
	for i := range l.sums {
		l.v.pop.Load(i, &s)
		l.v.rung[i] = int32(s.Int())
		if begun {
			l.sums[i].load(&s)
		}
	}
	must(&s)
}

// save encodes the state, with records if the stage goes on, and the partial.
func (l *temperRows) save(goesOn bool) (state, partial []byte) {
	var s, p frame.Writer
	for i := range l.sums {
		l.v.pop.Append(i, &s)
		s.Int(int(l.v.rung[i]))
		if goesOn {
			l.sums[i].append(&s)
		}
		l.sums[i].append(&p)
	}
	return s.B, p.B
}

// temperLane runs sweeps from..from+n of a stage under a frozen log Zhat.
// State and partial: rows, rungs, and for every chain the running sums.
func (r *temper) temperLane(u *Unit, stage, from, n int, zhat []float64) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, rows := r.span(u.Lane)
		v := newView(r.Config, r.ladder, u, r.lanes)
		v.logw = nil
		// Lanes that are never shown make no film; an annealing pass has made one already.
		if v.film != nil && (stage == r.rounds || !r.initAIS()) {
			v.hops = 32
		}
		v.film = nil
		v.f.Steps = r.length(stage)
		u.Last = from + n
		at := r.at(phaseTemper+uint32(stage), first)
		burn, last := 0, stage == r.rounds
		if last {
			burn = r.burn
		}
		rungs, what := len(r.ladder), r.records(stage)
		batch := r.batchLength(stage)
		l := newTemperRows(v, rungs, what)
		if u.State != nil {
			l.load(u.State, from > 0)
		} else {
			v.pop.Draw(r.at(phaseStart, first))
		}
		// From equal guesses, initial iterations start from fresh uniform rungs ([RTS]
		// section 2.4), or all chains would stay at the base. After an annealing pass every
		// chain has a state made at its own rung and goes on from there: a fresh rung
		// would quench hot states and undo the pass. The final run always goes on.
		if from == 0 && stage < r.rounds && !r.initAIS() || u.State == nil {
			for i := range v.rung {
				s := at.Row(i)
				v.rung[i] = int32(s.Intn(len(r.ladder)))
			}
		}
		between := kernel.NewTempering(make([]float64, rows*rungs), zhat)
		kept := make([][]float64, rows)
		goesOn := from+n < v.f.Steps
		u.Peek = func() []byte { _, p := l.save(goesOn); return p }
		for t := from; t < from+n; t++ {
			at.Step = uint32(t + 1)
			v.pop.Move(at, v.rung, false)
			v.pop.LogF(0, rungs, between.X)
			for i := range l.sums {
				// The choice of a rung has its own address: the phase of the sweep with
				// the top bit set.
				between.U[i] = at.Key.Uniform(at.Phase|choosePhase, at.Slot+uint32(i), at.Step)
				if t >= burn {
					kept[i] = l.sums[i].take((t - burn) / batch)
				}
			}
			if t >= burn && what&Conditionals != 0 {
				between.C = kept
			}
			between.Step()
			for i := range l.sums {
				if between.C != nil && between.Faint[i] {
					row := i * rungs
					l.sums[i].takeFaint(between.X[row:row+rungs], between.Q[row:], between.Top[i]+num.Log(between.Sum[i]))
				}
				v.rung[i] = between.Rung[i]
				l.sums[i].trip(int(v.rung[i]))
				if t >= burn {
					l.sums[i].visit(int(v.rung[i]))
					if between.C != nil && (t-burn)%overlapEvery == 0 {
						l.sums[i].overlap(between.Q[i*rungs:(i+1)*rungs], between.Sum[i])
					}
				}
			}
			if !yield(v.show(int(at.Step))) {
				return
			}
		}
		u.State, u.Partial = l.save(goesOn)
		if last && !goesOn {
			u.Partial = addClimbs(u.Partial, climb(r.Model, min(rows, climbed-first), v.pop.Read))
		}
	}
}

// addClimbs appends bounds to a partial.
func addClimbs(partial []byte, bounds []float64) []byte {
	w := frame.Writer{B: partial}
	w.Floats(bounds)
	return w.B
}

// choosePhase is set in the address of the draw that chooses the next rung, which so shares no random number with the
// sweep.
const choosePhase = 1 << 31
