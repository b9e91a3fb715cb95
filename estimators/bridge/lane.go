package bridge

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// lane runs some of the chains through a stretch of a phase.
type lane struct {
	*run
	phase        phase
	from, to     int // sweeps of the phase
	length       int // number of sweeps of the phase, or of the block of burn-in
	sweepsBefore int // sweeps of earlier phases

	v        *estimators.View
	pop      models.Population // the chains
	can      models.RowCapabilities
	top      int    // rung of the target
	at, draw rng.At // random-number addresses of moves, and of draws from q
	sums     [][]float64
	found    []chainRecord
	logf     []float64
	averaged int // see run.averages

	// Used while bridging: rows of the fitted model for the points of the chains, for draws from q, and for mirror
	// images.
	rows, fromQ, image models.Population
}

func (b *run) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		moments := plan.Floats()
		estimators.MustDecode(&plan)
		if n := stats.MomentCount(b.Model.Info().Dim); len(moments) > 0 {
			estimators.CorruptIf(len(moments) != n+1 || !(moments[n] >= 1) || !b.fit(moments))
		}
		if u.Work == estimators.LaneTarget {
			estimators.CorruptIf(b.fitted == nil)
			whole := u.Plan
			defer func() { u.Plan = whole }()
			u.Plan = plan.B
			b.check.Lane(u, u.Lane)(yield)
			return
		}
		b.runSweeps(u, &plan, yield)
	}
}

// runSweeps makes the sweeps of a unit.
func (b *run) runSweeps(u *estimators.Unit, plan *wire.Reader, yield func(*frame.Frame) bool) {
	l := b.newLane(u, plan)
	for t := l.from; t < l.to; t++ {
		l.sweep(t)
		if !yield(l.v.Show(t + 1)) {
			return
		}
	}
	u.State, u.Partial = l.encode()
}

// sweep makes sweep t of the phase.
func (l *lane) sweep(t int) {
	// While cooling, chains go rung by rung from the base to the target; later they stay at the target.
	rung := l.top
	if l.phase == cooling {
		rung = t + 1
	}
	estimators.Fill(l.v.Rung, int32(rung))
	l.at.Step = uint32(l.sweepsBefore + t)
	l.pop.Move(l.at, l.v.Rung, false)
	l.addSweep(2*t >= l.length-l.length%2)

	// While bridging, record log f/q at the points of the chains and at independent draws from q.
	if l.phase == bridging && t%l.thinning == 0 {
		l.draw.Step = uint32(t)
		l.fromQ.Draw(l.draw)
		l.recordRatios()
	}
}

// newLane makes the chains of a unit, from its state or from the base.
func (b *run) newLane(u *estimators.Unit, plan *wire.Reader) *lane {
	s, block := phase(plan.IntWithin(0, int(bridging))), plan.IntWithin(0, burnBlocks-1)
	sweepsBefore, done, n := plan.IntWithin(0, b.totalSweeps()), plan.Int(), plan.Int()
	estimators.MustDecode(plan)
	planned := *b // a worker knows the block only from the plan
	planned.block = block
	length := planned.length(s)
	estimators.CorruptIf(done < 0 || n < 1 || done+n > length || s == bridging && b.fitted == nil)

	// After cooling, chains of a target with one mode take proposals from the fit.
	c, ladder := b.Config, b.ladder
	if b.oneMode && len(b.fitMoments) > 0 && s > cooling {
		c.Model, ladder = b.fitted, []float64{0, 1}
	}
	v := estimators.NewView(c, ladder, u, b.Lanes)
	v.LogW, v.Frame.Steps, u.LastStep = nil, length, done+n
	first, rows := b.Span(u.Lane)
	l := &lane{run: b, phase: s, from: done, to: done + n, length: length, sweepsBefore: sweepsBefore, v: v, pop: v.Pop,
		can: v.Can,
		top: len(ladder) - 1, at: b.At(estimators.PhaseForward, first), draw: b.At(estimators.PhaseReverse, first),
		sums: make([][]float64, rows), found: make([]chainRecord, rows), logf: make([]float64, 2*rows),
		averaged: b.averages()}
	if u.State == nil {
		l.pop.Draw(b.At(estimators.PhaseStart, first))
	} else {
		l.loadState(u.State)
	}
	l.startPhase(done == 0)
	return l
}

// encode returns the state, which is the points and sums of the chains, and the partial, their sums and ratios.
func (l *lane) encode() (state, partial []byte) {
	var w, p wire.Writer
	for r, sums := range l.sums {
		l.pop.Append(r, &w)
		w.Floats(sums)
		p.Floats(sums)
		p.Floats(l.found[r].draws)
		p.Floats(l.found[r].drawn)
	}
	return w.B, p.B
}

// loadState decodes the points and the sums of the chains.
func (l *lane) loadState(state []byte) {
	in := wire.Reader{B: state}
	for r := range l.sums {
		l.pop.Load(r, &in)
		l.sums[r] = in.Floats()
	}
	estimators.MustDecode(&in)
}

// startPhase allocates the sums of a phase, if it begins anew, and the populations for bridging.
func (l *lane) startPhase(anew bool) {
	d := l.Model.Info().Dim
	size := [...]int{0, 2 + stats.MomentCount(d), stats.MomentCount(d), 2*d + 2*l.averaged}[l.phase]
	for r := range l.sums {
		if anew {
			l.sums[r] = make([]float64, size)
		}
		estimators.CorruptIf(len(l.sums[r]) != size)
	}
	if l.phase != bridging {
		return
	}
	add := func() models.Population { return l.fitted.New(len(l.sums), []float64{0, 1}) }
	l.fromQ, l.image = add(), add()
	if l.rows = l.pop; !l.oneMode {
		l.rows = add()
	}
}

// addSweep adds a sweep to the sums of each chain. In burn-in these are the sums of log f over the first and the second
// half of a block, and moments (stats.AddMoments) over the second half; in fitting they are moments; in bridging they
// are the sums of addAverages.
func (l *lane) addSweep(second bool) {
	if l.phase == burning {
		l.pop.LogF(l.top, 1, l.logf)
	}
	for r, sums := range l.sums {
		switch {
		case l.phase == bridging:
			l.addAverages(r, sums)
		case l.phase == burning && !second:
			sums[0] += l.logf[r]
		case l.phase == burning:
			sums[1] += l.logf[r]
			stats.AddMoments(sums[2:], l.can.Points.Point(r), 1)
		case l.phase == fitting:
			stats.AddMoments(sums, l.can.Points.Point(r), 1)
		}
	}
}

// addAverages adds to sums the coordinates x of a row and their squares, and then the reported quantities and their
// squares. With heavy tails, where means may not exist, it adds x/(1 + |x|) for x, and nothing is reported.
func (l *lane) addAverages(r int, sums []float64) {
	x, heavy := l.can.Points.Point(r), l.heavy()
	for i, u := range x {
		if heavy {
			u /= 1 + math.Abs(u)
		}
		sums[i] += u
		sums[len(x)+i] += num.Mul(u, u)
	}
	if l.averaged > 0 {
		sums = sums[2*len(x):]
		l.can.AddMoments(sums[:l.averaged], sums[l.averaged:], r, 1)
	}
}

// recordRatios appends log f/q at the points of the chains and at the draws from q to the records of the chains.
func (l *lane) recordRatios() {
	if l.rows != l.pop {
		var w wire.Writer
		for r := range l.sums {
			l.pop.Append(r, &w)
		}
		in := wire.Reader{B: w.B}
		for r := range l.sums {
			l.rows.Load(r, &in)
		}
	}
	l.logRatios(l.rows)
	for r := range l.found {
		l.found[r].draws = append(l.found[r].draws, l.logf[2*r+1])
	}
	l.logRatios(l.fromQ)
	for r := range l.found {
		l.found[r].drawn = append(l.found[r].drawn, l.logf[2*r+1])
	}
}

// logRatios sets logf[2r+1] to log f/q at row r. With warp-III f is the mean of the density at the point and at its
// mirror image about the mean of q.
func (l *lane) logRatios(rows models.Population) {
	if l.mirror {
		var w wire.Writer
		points := models.RowCapabilitiesOf(rows).Points
		for r := range l.sums {
			for i, x := range points.Point(r) {
				w.Float(num.Mul(2, l.fitMoments[i]/l.fitMoments[len(l.fitMoments)-1]) - x)
			}
		}
		in := wire.Reader{B: w.B}
		for r := range l.sums {
			l.image.Load(r, &in)
		}
	}
	rows.LogF(0, 2, l.logf)
	var image []float64
	if l.mirror {
		image = make([]float64, len(l.sums))
		l.image.LogF(1, 1, image)
	}
	for r := range l.sums {
		q, f := l.logf[2*r], l.logf[2*r+1]
		if l.mirror {
			f = num.LogAddExp(f, image[r]) - math.Ln2
		}
		if f -= q; !num.NotNaN(f) { // f is 0 at the point
			f = math.Inf(-1)
		}
		l.logf[2*r+1] = f
	}
}
