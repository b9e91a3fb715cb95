package bridge

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// lane is some chains at work.
type lane struct {
	*run
	pop   models.Population // the chains
	top   int               // rung of the target
	sums  [][]float64
	found []record
	logf  []float64
	told  int // numbers of a row that results tell

	// Of the last phase: rows that hold the points of the chains, draws from q, and mirror images.
	at, drawn, image models.Population
}

func (b *run) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		on := plan.Floats()
		estimators.Must(&plan)
		d := b.Model.Info().Dim
		estimators.Refuse(len(on) != 0 && (len(on) != stats.MomentCount(d)+1 || !(on[len(on)-1] >= 1) || !b.fit(on)))
		if u.Work == estimators.WorkTarget {
			estimators.Refuse(b.fitted == nil)
			whole := u.Plan
			defer func() { u.Plan = whole }()
			u.Plan = plan.B
			b.check.Lane(u, u.Lane)(yield)
			return
		}
		b.sweep(u, &plan, yield)
	}
}

// sweep moves the chains of a unit.
func (b *run) sweep(u *estimators.Unit, plan *wire.Reader, yield func(*frame.Frame) bool) {
	s, block := phase(plan.Within(0, int(bridging))), plan.Within(0, burnBlocks-1)
	spent, done, n := plan.Within(0, b.total()), plan.Int(), plan.Int()
	estimators.Must(plan)
	whole := *b // the block of the plan, in a worker
	whole.block = block
	length := whole.length(s)
	estimators.Refuse(done < 0 || n < 1 || done+n > length || s == bridging && b.fitted == nil)

	// After cooling, chains move on the model with the fitted base.
	c, ladder := b.Config, b.ladder
	if b.shaped && len(b.on) > 0 && s > cooling {
		c.Model, ladder = b.fitted, []float64{0, 1}
	}
	v := estimators.NewView(c, ladder, u, b.Lanes)
	v.LogW, v.Frame.Steps, u.Last = nil, length, done+n
	first, rows := b.Span(u.Lane)
	l := &lane{run: b, pop: v.Pop, top: len(ladder) - 1, sums: make([][]float64, rows), found: make([]record, rows),
		logf: make([]float64, 2*rows), told: b.tells()}

	// Chains begin at the base, or go on from the state saved.
	if u.State == nil {
		l.pop.Draw(b.At(estimators.PhaseStart, first))
	} else {
		l.load(u.State)
	}
	l.begin(s, done == 0)

	// The sweeps; in bridging, log f/q of the chains and of fresh draws from the fit.
	at, draw := b.At(estimators.PhaseForward, first), b.At(estimators.PhaseReverse, first)
	for t := done; t < done+n; t++ {
		rung := l.top
		if s == cooling {
			rung = t + 1
		}
		estimators.Fill(v.Rung, int32(rung))
		at.Step = uint32(spent + t)
		l.pop.Move(at, v.Rung, false)
		l.take(s, 2*t >= length-length%2)
		if s == bridging && t%b.every == 0 {
			draw.Step = uint32(t)
			l.drawn.Draw(draw)
			l.compare()
		}
		if !yield(v.Show(t + 1)) {
			return
		}
	}

	// The state for the next unit, and the sums for the fit or the estimate.
	var w, p wire.Writer
	for r, sums := range l.sums {
		l.pop.Append(r, &w)
		w.Floats(sums)
		p.Floats(sums)
		p.Floats(l.found[r].draws)
		p.Floats(l.found[r].drawn)
	}
	u.State, u.Partial = w.B, p.B
}

// load decodes the state.
func (l *lane) load(state []byte) {
	in := wire.Reader{B: state}
	for r := range l.sums {
		l.pop.Load(r, &in)
		l.sums[r] = in.Floats()
	}
	estimators.Must(&in)
}

// begin makes room for the sums of a phase, if it begins, and for the populations of the last one.
func (l *lane) begin(s phase, anew bool) {
	d := l.Model.Info().Dim
	size := [...]int{0, 2 + stats.MomentCount(d), stats.MomentCount(d), 2*d + 2*l.told}[s]
	for r := range l.sums {
		if anew {
			l.sums[r] = make([]float64, size)
		}
		estimators.Refuse(len(l.sums[r]) != size)
	}
	if s != bridging {
		return
	}
	add := func() models.Population { return l.fitted.New(len(l.sums), []float64{0, 1}) }
	l.drawn, l.image = add(), add()
	if l.at = l.pop; !l.shaped {
		l.at = add()
	}
}

// take adds a sweep to the sums: in burn-in log f in the first and in the second half of a block, and moments
// (models.Counter) in the second; for the fit moments; at last the coordinates and what is told of the posterior, and
// their squares.
func (l *lane) take(s phase, second bool) {
	if s == burning {
		l.pop.LogF(l.top, 1, l.logf)
	}
	for r, sums := range l.sums {
		if s == bridging {
			l.average(r, sums)
			continue
		}

		// In burn-in the first half of a block counts for log f alone.
		if s == burning && !second {
			sums[0] += l.logf[r]
		}
		if s == cooling || s == burning && !second {
			continue
		}
		if s == burning {
			sums[1] += l.logf[r]
			sums = sums[2:]
		}

		stats.AddMoments(sums, l.pop.(models.Steered).Point(r), 1)
	}
}

// average adds the coordinates x of a row and their squares to sums, then the numbers that results tell of and their
// squares. Under heavy tails, where these have no means, it adds x/(1 + |x|) for x, and nothing is told.
func (l *lane) average(r int, sums []float64) {
	x, heavy := l.pop.(models.Steered).Point(r), l.heavy()
	for i, u := range x {
		if heavy {
			u /= 1 + math.Abs(u)
		}
		sums[i] += u
		sums[len(x)+i] += num.Mul(u, u)
	}
	if l.told > 0 {
		sums = sums[2*len(x):]
		l.pop.(models.Averaged).AddTo(sums[:l.told], sums[l.told:], r, 1)
	}
}

// compare notes log f/q of the chains and of the draws from q.
func (l *lane) compare() {
	if l.at != l.pop {
		var w wire.Writer
		for r := range l.sums {
			l.pop.Append(r, &w)
		}
		in := wire.Reader{B: w.B}
		for r := range l.sums {
			l.at.Load(r, &in)
		}
	}
	l.weigh(l.at)
	for r := range l.found {
		l.found[r].draws = append(l.found[r].draws, l.logf[2*r+1])
	}
	l.weigh(l.drawn)
	for r := range l.found {
		l.found[r].drawn = append(l.found[r].drawn, l.logf[2*r+1])
	}
}

// weigh sets every second number of logf to log f/q of rows of points.
func (l *lane) weigh(rows models.Population) {
	if l.mirror {
		var w wire.Writer
		for r := range l.sums {
			for i, x := range rows.(models.Steered).Point(r) {
				w.Float(num.Mul(2, l.on[i]/l.on[len(l.on)-1]) - x)
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
		if f -= q; !num.Known(f) { // f is 0 there
			f = math.Inf(-1)
		}
		l.logf[2*r+1] = f
	}
}
