package temper

import (
	"iter"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/kernel"
	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// annealLane is one anneal.AIS pass over the ladder, initAISSweeps at each rung. Each
// chain has drawn its start rung beforehand and keeps the state it had there.
// Partial: log w of each chain at every rung.
func (r *run) annealLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, n := r.Span(u.Lane)
		v := estimators.NewView(r.Config, r.ladder, u, r.Lanes)
		k1 := len(r.ladder) - 1
		v.Frame.Steps = initAISSweeps * k1
		u.Last = v.Frame.Steps
		start := make([]int, n)
		kept := make([][]byte, n)
		keep := func(k int) {
			for i := range start {
				if start[i] == k {
					var w wire.Writer
					v.Pop.Append(i, &w)
					w.Int(k)
					kept[i] = w.B
				}
			}
		}
		at := r.At(estimators.PhaseForward, first)
		for i := range start {
			start[i] = int(r.start(at, i))
		}
		v.Pop.Draw(r.At(estimators.PhaseStart, first))
		keep(0)
		record := make([][]float64, n)
		for i := range record {
			record[i] = make([]float64, len(r.ladder))
		}
		pairs := make([]float64, 2*n)
		for k := 1; k <= k1; k++ {
			v.Pop.LogF(k-1, 2, pairs)
			for i := range record {
				v.LogW[i] += anneal.WeightStep(pairs[2*i], pairs[2*i+1])
				record[i][k] = v.LogW[i]
			}
			estimators.Fill(v.Rung, k)
			for t := 0; t < initAISSweeps; t++ {
				at.Step++
				v.Pop.Move(at, v.Rung, false)
				if !yield(v.Show(int(at.Step))) {
					return
				}
			}
			keep(k)
		}
		var s, p wire.Writer
		for i := range record {
			s.B = append(s.B, kept[i]...)
			p.Floats(record[i])
		}
		u.State, u.Partial = s.B, p.B
	}
}

// rows are the chains of a lane at work: rows, rungs, and what has been recorded of each.
type rows struct {
	*run
	v      *estimators.View
	first  int // chain of the first row
	what   Part
	sums   []chainRecord
	step   *kernel.Tempering
	kept   [][]float64 // where Step adds the conditionals of each row
	moves  [][]float64 // and where once more: to those of moves at its rung
	slopes *slopes
}

func (r *run) newRows(v *estimators.View, first, stage int, zhat []float64) *rows {
	n, rungs := len(v.Rung), len(r.ladder)
	l := &rows{run: r, v: v, first: first, what: r.records(stage), sums: make([]chainRecord, n),
		step: kernel.NewTempering(make([]float64, n*rungs), zhat), kept: make([][]float64, n), moves: make([][]float64, n),
		slopes: newSlopes(v.Pop, n, rungs)}
	for i := range l.sums {
		l.sums[i] = *r.newRecord(stage, first+i)
	}
	return l
}

// load decodes a state, with records if the stage has begun.
func (l *rows) load(state []byte, begun bool) {
	s := wire.Reader{B: state}
	for i := range l.sums {
		l.v.Pop.Load(i, &s)
		l.v.Rung[i] = int32(s.Int())
		if begun {
			l.sums[i].load(&s)
		}
	}
	estimators.Must(&s)
}

// state encodes the rows, with their records if the stage goes on.
func (l *rows) state(goesOn bool) []byte {
	return l.each(func(w *wire.Writer, i int) {
		l.v.Pop.Append(i, w)
		w.Int(int(l.v.Rung[i]))
		if goesOn {
			l.sums[i].append(w, true)
		}
	})
}

// partial encodes the records; moves, which are large, only in the last one of a stage.
func (l *rows) partial(moves bool) []byte {
	return l.each(func(w *wire.Writer, i int) { l.sums[i].append(w, moves) })
}

// each encodes all rows, with room for all at once: they take about as much.
func (l *rows) each(row func(w *wire.Writer, i int)) []byte {
	var w wire.Writer
	for i := range l.sums {
		row(&w, i)
		if i == 0 {
			w.B = slices.Grow(w.B, len(l.sums)*len(w.B))
		}
	}
	return w.B
}

// sweep moves every row at its rung and chooses its next one. kept is the number of the sweep among those that are
// recorded, negative during burn-in.
func (l *rows) sweep(at rng.At, kept, batch int) {
	v, rungs := l.v, len(l.ladder)
	v.Pop.Move(at, v.Rung, false)
	sampled := kept >= 0 && l.what&Densities != 0 && kept%l.every == 0
	sloped := kept >= 0 && l.what&Slopes != 0 && kept%l.slopes.every == 0 ||
		kept >= 0 && l.what&MeanSlopes != 0 && kept%l.slopes.mean == 0
	if !l.fixed || sampled || sloped && l.slopes.curved == nil {
		v.Pop.LogF(0, rungs, l.step.X)
	}
	if sloped && l.slopes.curved == nil {
		l.slopes.line(l.step.X)
	}
	for i := range l.sums {
		if kept >= 0 {
			l.kept[i] = l.sums[i].take(kept / batch)
		}
		if sampled && (l.first+i)%l.everyChain == 0 {
			s := &l.sums[i].samples
			if s.logf == nil { // room for all of this cut at once
				s.logf = make(floats, 0, 8*rungs*l.samplesOf(min(l.run.keptSweeps, l.CutAfter(temperCut))+l.every))
			}
			s.logf = s.logf.with(l.step.X[i*rungs : (i+1)*rungs]...)
		}
	}
	if !l.fixed {
		l.choose(at, kept)
	}
	if sampled {
		for i := range l.sums {
			if (l.first+i)%l.everyChain == 0 {
				l.sums[i].samples.rung = append(l.sums[i].samples.rung, v.Rung[i])
			}
		}
	}
	if sloped {
		l.slope(kept)
	}
}

// choose draws the next rung of every row and records the conditionals.
func (l *rows) choose(at rng.At, kept int) {
	step, rungs := l.step, len(l.ladder)
	for i := range l.sums {
		// The choice of a rung has its own address: the phase of the sweep with the top bit set.
		step.U[i] = at.Key.Uniform(at.Phase|choosePhase, at.Slot+uint32(i), at.Step)
	}
	if kept >= 0 && l.what&Conditionals != 0 {
		step.C = l.kept
	}
	if kept >= 0 && l.what&Transitions != 0 {
		for i := range l.sums {
			l.moves[i] = l.sums[i].movesFrom(int(l.v.Rung[i]))
		}
		step.D = l.moves
	}
	// Mirrored twice in a row, a slow chain would only go to and fro.
	if step.From = nil; l.Overrelaxed && at.Step%2 == 0 {
		step.From = l.v.Rung
	}
	step.Step()
	for i := range l.sums {
		c, q := &l.sums[i], step.Q[i*rungs:(i+1)*rungs]
		if step.C != nil && step.Faint[i] {
			row := i * rungs
			c.takeFaint(step.X[row:row+rungs], q, step.Top[i]+num.Log(step.Sum[i]))
		}
		k := int(step.Rung[i])
		l.v.Rung[i] = int32(k)
		c.trip(k)
		if c.travel != nil {
			c.travel.see(k, c.ends)
		}
		if kept < 0 {
			continue
		}
		c.visit(k)
		if step.C != nil && kept%overlapEvery == 0 {
			c.overlap(q, step.Sum[i])
		}
		if c.travel != nil && kept%travelEvery == 0 {
			c.travel.meet(q, step.Sum[i])
		}
	}
}

// slope records the slopes of every row.
func (l *rows) slope(kept int) {
	rungs := len(l.ladder)
	if l.what&Slopes != 0 && kept%l.slopes.every == 0 {
		l.slopes.at(l.v.Rung)
		for i := range l.sums {
			back := 1
			if !l.fixed {
				back = rungs - int(l.v.Rung[i])
			}
			l.sums[i].slopes.visit(back, l.slopes.d[i], l.slopes.curve[i])
		}
	}
	if l.what&MeanSlopes != 0 && kept%l.slopes.mean == 0 {
		all := l.slopes.everywhere()
		for i := range l.sums {
			row := i * rungs
			l.sums[i].means.spread(l.step.Q[row:row+rungs], l.step.Sum[i], all[row:row+rungs])
		}
	}
}

// temperLane runs sweeps from..from+n of a stage under a frozen log Zhat; the stage has so many steps, or more if it
// may grow. State and partial: rows, rungs, and for every chain the running sums.
func (r *run) temperLane(u *estimators.Unit, stage, from, n, steps int, zhat []float64) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, rows := r.Span(u.Lane)
		v := estimators.NewView(r.Config, r.ladder, u, r.Lanes)
		v.LogW = nil
		// Lanes that are never shown make no film; an annealing pass has made one already.
		if v.Film != nil && (stage == r.rounds || r.equal()) {
			v.Hops = 32
		}
		v.Film = nil
		v.Frame.Steps = steps
		u.Last = from + n
		at := r.At(estimators.PhaseTemper+uint32(stage), first)
		burn, last := 0, stage == r.rounds
		if last {
			burn = r.burn
		}
		batch := r.batchLength(stage)
		l := r.newRows(v, first, stage, zhat)
		if u.State != nil {
			l.load(u.State, from > 0)
		} else {
			v.Pop.Draw(r.At(estimators.PhaseStart, first))
		}
		// From equal guesses, initial iterations start from fresh uniform rungs ([RTS]
		// section 2.4), or all chains would stay at the base. After another first guess every
		// chain has a state made at its own rung and goes on from there: a fresh rung
		// would quench hot states and undo the pass. The final run always goes on.
		if from == 0 && stage < r.rounds && r.equal() || u.State == nil {
			for i := range v.Rung {
				v.Rung[i] = r.start(at, i)
			}
		}
		goesOn := from+n < v.Frame.Steps
		u.Peek = func() []byte { return l.partial(false) }
		for t := from; t < from+n; t++ {
			at.Step = uint32(t + 1)
			l.sweep(at, t-burn, batch)
			if last && u.Note != nil && estimators.HistoryStep(t+1-burn, steps-burn) {
				u.Note(t+1, l.partial(false))
			}
			if !yield(v.Show(int(at.Step))) {
				return
			}
		}
		u.State, u.Partial = l.state(goesOn || last && r.ExtraSweeps != nil), l.partial(!goesOn)
		if last {
			var bounds []float64
			if !goesOn && steps == r.burn+r.first { // once, though the run may grow
				bounds = r.Climb(min(rows, estimators.ClimbedChains-first), v.Pop.Read)
			}
			u.Partial = l.finish(u.Partial, bounds)
		}
	}
}

// finish appends to a partial what is in none that is peeked: bounds by climbing, and the samples of this cut.
func (l *rows) finish(partial []byte, bounds []float64) []byte {
	size := 0
	for i := range l.sums {
		size += len(l.sums[i].samples.logf) + 3*len(l.sums[i].samples.rung) + 16
	}
	w := wire.Writer{B: slices.Grow(partial, size+8*len(bounds)+8)}
	w.Floats(bounds)
	for i := range l.sums {
		s := &l.sums[i].samples
		w.Ints(s.rung)
		w.Bytes(s.logf)
	}
	return w.B
}

// start is the first rung of row i of the lane at at: drawn, or the chain's own where chains are fixed.
func (r *run) start(at rng.At, i int) int32 {
	if r.fixed {
		return int32(r.rungOf(int(at.Slot) + i))
	}
	s := at.Row(i)
	return int32(s.Intn(len(r.ladder)))
}

// choosePhase is set in the address of the draw that chooses the next rung, which so shares no random number with the
// sweep.
const choosePhase = 1 << 31
