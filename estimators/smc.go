package estimators

import (
	"iter"
	"math"
	"strconv"

	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/resample"
	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/core/stats"
	"logzlab/models"
)

// Flags that this file sets.
var (
	FlagAdaptive = diag.NewFlag("adaptive",
		"Temperatures were picked by the particles that are averaged, so log Z may be off by more than chance while "+
			"they are few.")
)

// SMC is sequential Monte Carlo along a path of temperatures ([DelMoral2006]): annealed
// importance sampling whose particles are resampled.
var SMC = Info{
	Name: "smc", Label: "SMC", Short: "particles", Path: Tempered, Road: onRungs,
	Checks: islandChecks, Unbiased: true, New: newSMC,
	About: "Sequential Monte Carlo: particles are cooled from the base to the target, weighted at every step, and " +
		"resampled where their weights are uneven.",
	Params: []spec.Param{
		paramMain("particles", "100", 1, 1e4, "Number R of particles in an island."), paramIslands,
		paramMain("temperatures", "500", 2, 1e6, "Number of inverse temperatures from 0 to 1, both ends counted."),
		paramSchedule,
		paramInt("moves", "1", 1, 1e4, "Kernel applications to each particle at every temperature between the ends."),
		paramFloat("ess", "0.5", 0, 1, "Ratio of effective sample size to particles below which particles are resampled."),
		yesNo("adaptive", "Whether each island picks its own temperatures among those of the schedule, as far apart as "+
			"cess allows."),
		paramFloat("cess", "0.9", 0, 1, "With adaptive = yes, the conditional effective sample size that a step must "+
			"keep, as a share of the particles."),
		paramResample,
	},
}

// smc folds islands, each a lane. A step goes from rung k to k' (the next one, or
// the farthest whose conditional effective sample size is at least cess R):
//
//	log w += log f_k'(x) - log f_k(x);  log Z += log of the mean of the step's
//	weights under those before;  resample below ess;  move at k' unless it is the end.
//
// With a ladder fixed beforehand E[Zhat] = Z, so islands are combined by the log of
// the mean. A round is a number of steps of every island.
type smc struct {
	Config
	lanes
	ladder   []float64
	record   []int // recorded rungs of a fixed ladder, increasing, the last is K-1
	moves    int
	ess      float64
	adaptive bool
	cess     float64

	known []*cooled
	done  bool
}

// cooled is the record of one island.
type cooled struct {
	rung             int
	logZ             float64   // at rung, above the base
	logZs            []float64 // at the recorded rungs passed
	steps, resampled int
	within, worst    float64 // of Var(log Z), particles taken for independent; of ESS/R
	sweeps, evals    float64
	climbed          []float64 // see Result.Climbed
}

func (d *cooled) append(w *frame.Writer) {
	for _, x := range [...]int{d.rung, d.steps, d.resampled} {
		w.Int(x)
	}
	for _, x := range [...]float64{d.logZ, d.within, d.worst, d.sweeps, d.evals} {
		w.Float(x)
	}
	w.Floats(d.logZs)
	w.Floats(d.climbed)
}

func readCooled(r *frame.Reader) *cooled {
	d := &cooled{rung: r.Int(), steps: r.Int(), resampled: r.Int(), logZ: r.Float(), within: r.Float(), worst: r.Float(),
		sweeps: r.Float(), evals: r.Float(), logZs: r.Floats(), climbed: r.Floats()}
	must(r)
	return d
}

func newSMC(c Config) (Method, error) {
	v := c.Values
	r := v.Int("particles")
	s := &smc{Config: c, lanes: lanes{n: v.Int("islands") * r, size: r}, moves: v.Int("moves"), ess: v.Float("ess"),
		adaptive: v["adaptive"] == "yes", cess: v.Float("cess")}
	var err error
	if s.ladder, err = c.ladder(); err != nil {
		return nil, err
	}
	if s.record = recorded(len(s.ladder), s.count()); s.adaptive {
		s.record = []int{0, len(s.ladder) - 1}
	}
	return s, nil
}

func (s *smc) Sweeps() float64 { return float64(s.n*s.moves) * float64(len(s.ladder)-2) }

// smcWork is the number of particle-sweeps in a unit, about.
const smcWork = 200000

func (s *smc) Next(partials, states [][]byte) (*Round, error) {
	if partials != nil {
		s.known, s.done = nil, true
		for _, p := range partials {
			d := readCooled(&frame.Reader{B: p})
			s.known = append(s.known, d)
			s.done = s.done && d.rung == len(s.ladder)-1
		}
		if s.done {
			return nil, nil
		}
	}
	steps := max(smcWork/(s.size*s.moves), 1)
	if s.Cut > 0 {
		steps = max(s.Cut/s.moves, 1)
	}
	steps = min(steps, len(s.ladder)-1)
	var w frame.Writer
	w.Int(steps)
	return &Round{Name: "cooling", Plan: w.B, Lanes: s.count(), States: states,
		Sweeps: float64(steps*s.moves) * float64(s.n), Time: s.time(s.parts(), steps)}, nil
}

func (s *smc) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		v := newView(s.Config, s.ladder, u, s.lanes)
		v.f.Steps = len(s.ladder) * s.moves
		l := &smcLane{smc: s, u: u, v: v, pop: v.pop, lw: v.logw, sampler: resample.New(s.Values["resample"])}
		l.a, l.cur, l.next = make([]float64, s.size), make([]float64, s.size), make([]float64, s.size)
		l.counts, l.parents = make([]int32, s.size), make([]int32, s.size)
		l.run(yield)
	}
}

// smcLane is an island at work; lw are its normalised log weights.
type smcLane struct {
	*smc
	cooled
	u               *Unit
	v               *view
	pop             models.Population
	lw, a           []float64
	cur, next       []float64 // log f at the rung, and at another
	counts, parents []int32
	sampler         *resample.Sampler
}

// at addresses row 0 of the island at a rung: phases count rungs, and purposes as
// those of forming.
func (l *smcLane) at(rung, purpose int) rng.At {
	return rng.At{Key: l.Key, Phase: uint32(rung)<<3 | uint32(purpose), Slot: uint32(l.u.Lane) << islandBits}
}

func (l *smcLane) run(yield func(*frame.Frame) bool) {
	l.u.Last = -1
	l.u.Peek = func() []byte {
		var w frame.Writer
		l.cooled.append(&w)
		return w.B
	}
	top := len(l.ladder) - 1
	if l.u.State == nil {
		l.pop.Draw(l.at(0, purposeStart))
		l.even()
		l.worst = 1
		l.logZs = make([]float64, 0, len(l.record))
		l.note()
		if !yield(l.v.show(0)) {
			return
		}
	} else {
		in := frame.Reader{B: l.u.State}
		l.cooled = *readCooled(&in)
		loadIsland(&in, l.lw, l.pop)
		must(&in)
		fill(l.v.rung, l.rung)
	}
	for steps := (&frame.Reader{B: l.u.Plan}).Int(); steps > 0 && l.rung < top; steps-- {
		l.step()
		if l.rung == top {
			break
		}
		at := l.at(l.rung, purposeMove)
		for t := range l.moves {
			at.Step = uint32(t)
			l.pop.Move(at, l.v.rung, false)
			l.sweeps += float64(l.size)
			if !yield(l.v.show(l.rung*l.moves + t)) {
				return
			}
		}
	}
	l.u.Last = l.rung*l.moves + l.moves
	if !yield(l.v.show(l.u.Last)) {
		return
	}
	if l.rung == top && l.u.Lane < climbed {
		l.climbed = climb(l.Model, min(l.size, climbedParticles), l.pop.Read)
	}
	var w, p frame.Writer
	l.cooled.append(&p)
	l.cooled.append(&w)
	saveIsland(&w, l.lw, l.pop)
	l.u.State, l.u.Partial = w.B, p.B
}

func (l *smcLane) even() {
	for r := range l.lw {
		l.lw[r] = -num.Log(float64(l.size))
	}
}

// note records log Z at the rungs that an estimate lists.
func (l *smcLane) note() {
	if i := len(l.logZs); i < len(l.record) && l.record[i] == l.rung {
		l.logZs = append(l.logZs, l.logZ)
	}
}

// density evaluates log f of every row at a rung.
func (l *smcLane) density(rung int, out []float64) {
	l.pop.LogF(rung, 1, out)
	l.evals += float64(l.size)
}

// step goes to the next rung and resamples where weights have become uneven.
func (l *smcLane) step() {
	l.density(l.rung, l.cur)
	to := l.rung + 1
	if l.adaptive {
		to = l.farthest()
	}
	l.density(to, l.next)
	for r, w := range l.lw {
		l.a[r] = w + weightStep(l.cur[r], l.next[r])
		if l.a[r] != l.a[r] {
			l.a[r] = math.Inf(-1) // a dead particle whose density is zero here too
		}
	}
	total := num.LogSumExp(l.a)
	l.logZ += total
	l.rung = to
	l.steps++
	l.note()
	fill(l.v.rung, to)
	if total-total != 0 { // no particle is left
		l.even()
		l.worst = 0
		return
	}
	squares := 0.0
	for r, w := range l.lw {
		p := num.Exp(w)
		l.lw[r] = l.a[r] - total
		q := num.Exp(l.lw[r])
		squares += float64(q * q)
		l.within += float64((q - p) * (q - p)) // p (W/m - 1), squared
	}
	ratio := 1 / float64(squares*float64(l.size))
	l.worst = min(l.worst, ratio)
	if ratio < l.ess {
		l.again()
	}
}

// farthest is the farthest rung with CESS >= cess R, at least the next one; CESS =
// R (sum W u)^2 / sum W u^2 with u the step's weights falls as the step grows.
func (l *smcLane) farthest() int {
	ok := func(rung int) bool {
		l.density(rung, l.next)
		top := math.Inf(-1)
		for r := range l.a {
			l.a[r] = weightStep(l.cur[r], l.next[r])
			if l.a[r] > top && l.lw[r] > math.Inf(-1) {
				top = l.a[r]
			}
		}
		s, s2 := 0.0, 0.0
		for r, x := range l.a {
			if w := num.Exp(l.lw[r]); w > 0 {
				u := num.Exp(x - top)
				s += float64(w * u)
				s2 += float64(w * float64(u*u))
			}
		}
		return float64(s*s) >= float64(l.cess*s2)
	}
	lo, hi := l.rung+1, len(l.ladder)-1
	if ok(hi) {
		return hi
	}
	for hi-lo > 1 { // lo is taken, hi is too far
		if mid := (lo + hi) / 2; ok(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// again resamples.
func (l *smcLane) again() {
	s := l.at(l.rung, purposeResample).Row(0)
	l.sampler.Counts(l.lw, l.size, &s, l.counts)
	resample.Parents(l.counts, l.parents)
	for r, p := range l.parents {
		if int32(r) != p {
			l.pop.Copy(r, int(p))
		}
	}
	l.even()
	l.resampled++
}

func (s *smc) Estimate(peeked [][]byte) []*Result { return one(s.estimate(peeked)) }

func (s *smc) estimate(peeked [][]byte) *Result {
	known := s.known
	if !s.done {
		var more []*cooled
		for _, p := range peeked {
			if p != nil {
				more = append(more, readCooled(&frame.Reader{B: p}))
			}
		}
		if len(more) == s.count() {
			known = more
		}
	}
	if len(known) == 0 {
		return nil
	}
	top, z0 := len(s.ladder)-1, s.Model.LogZ0()
	res := &Result{LogZ: math.NaN(), SE: math.NaN(), SEMethod: SEIslands, Bias: "down", Lower: math.NaN(),
		Upper: math.NaN()}
	res.flag(FlagNoSandwich)
	reached := top
	for _, d := range known {
		reached = min(reached, d.rung)
		res.Sweeps += d.sweeps
		res.Evaluations += d.evals
	}
	res.Stage = "rung " + strconv.Itoa(reached+1) + " of " + strconv.Itoa(top+1)
	if reached < top {
		return res
	}
	z := make([]float64, len(known))
	for i, k := range s.record {
		for j, d := range known {
			z[j] = d.logZs[i]
		}
		mean, se := stats.LogMeanSE(z)
		res.Ladder = append(res.Ladder, Rung{s.ladder[k], mean + z0, se})
	}
	last := res.Ladder[len(res.Ladder)-1]
	res.LogZ, res.SE = last.LogZ, last.SE
	islands := float64(len(known))
	within, steps, resampled, worst := 0.0, 0.0, 0.0, 1.0
	for _, d := range known {
		res.Climbed = append(res.Climbed, d.climbed...)
		within += d.within
		steps += float64(d.steps)
		resampled += float64(d.resampled)
		worst = min(worst, d.worst)
	}
	res.islands(z, within)
	res.diagnose(DiagTemperaturesUsed, steps/islands+1)
	res.diagnose(DiagResamplings, resampled/islands)
	res.diagnose(DiagGammaMin, worst)
	switch {
	case s.adaptive:
		res.flag(FlagAdaptive)
	case len(s.record) < len(s.ladder):
		res.flag(FlagLadderThinned)
	}
	return res
}
