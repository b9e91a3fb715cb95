package temper

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/schedule"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
	"logzlab/models"
)

// initAISSweeps is the number of sweeps at each rung of the annealing pass.
const initAISSweeps = 3

// temperCut is the cut of tempering rounds, in sweeps.
const temperCut = 1000

// run is a first guess (guess.go), up to init_rounds initial iterations, and one final run with frozen log Zhat. All
// chains share log Zhat. A check against exact samples of the target comes last (estimators/target_check.go).
//
// One sweep of a chain at (x, k): the kernel at k moves x; then k ~ q(.|x) with
//
//	log q(l|x) = log f_l(x) + log r_l - log Zhat_l - normaliser ([RTS] eq. 7),
//
// where r is the prior over rungs. Runs of auto choose every other k by a move that leaves q invariant (Overrelaxed).
// Initial iterations set log Zhat from the mean of q(l|x) (eq. 12). In the final run a lane records the statistics that
// the readers need, and each reader makes its estimate from them.
type run struct {
	estimators.Config
	estimators.Lanes
	ladderMove
	params              runParams
	ladder              []float64
	prior               prior
	needs               []*Statistic // recorded in the final run
	merges              bool         // a reader merges the initial iterations
	rounds              int          // largest number of initial iterations
	burn                int          // sweeps discarded in the final run
	keptSweeps, planned int          // sweeps for the estimate; the same before any were added
	Options
	ends     []ending // one for each time that sweeps were added, since burn-in
	burnt    *ending  // the end of burn-in; nil: as planned
	seMethod string   // kind of error bars
	byChain  bool     // several chains stay at every rung
	curved   bool     // log f is not linear in beta
	dim      int      // number of coordinates whose moments are recorded

	zhat        []float64 // log Zhat, 0 at the base
	iteration   int       // -1 first guess, 0..rounds-1 initial, rounds final
	done        int       // sweeps done in this iteration
	maxDev      float64   // max_k |c_k/r_k - 1| of the last initial iteration
	total       float64   // chain-sweeps spent in completed rounds
	before      float64   // total when this iteration began
	spent       int       // sweeps of each chain in the current round
	soFar       [][]byte  // partials of this iteration's last cut, for running estimates
	earlier     []*Record
	climbed     []float64            // see Result.Climbed
	thinned     mbar.Samples         // samples of the final run so far
	solveState  wire.Writer          // state of the lane of the fits, with the densities
	final       []*estimators.Result // results of each reader
	adapt       *adaptation          // makes the first guess, or nil
	guesses     []estimators.Guess
	check       estimators.TargetCheck
	awaitingFit *Record // the record, until the fits are done
}

// Options are features of a run that links cannot select: growing, and passing on its samples.
type Options struct {
	MaxSweeps      int // limit on the kept sweeps of each chain; 0: the initial number
	ExpectedSweeps int // planned final number of kept sweeps; 0: the run is not planned to grow
	// ExtraSweeps, if set, returns how many sweeps to add to each chain, given the result of the first reader. Each
	// chain has kept sweeps after burn-in, of which used are behind the estimate.
	ExtraSweeps func(found *estimators.Result, used, kept int) int
	// Hold, if set, receives the samples when the run is over (held.go).
	Hold func(*Held)
}

func newRun(c estimators.Config) (estimators.Method, error) { return WithOptions(c, Options{}) }

// WithOptions returns a tempering run with options.
func WithOptions(c estimators.Config, o Options) (estimators.Method, error) {
	var p runParams
	c.Values.Fill(&p)
	r := &run{Config: c, Options: o, params: p, Lanes: c.Lanes(p.Chains), keptSweeps: p.Sweeps, planned: p.Sweeps,
		burn: p.BurnIn, rounds: p.InitRounds, iteration: -2}
	if r.burn < 0 {
		r.burn = max(20, r.keptSweeps/10)
	}
	var err error
	if r.ladder, err = c.Ladder(); err != nil {
		return nil, err
	}
	if r.prior, err = schedule.Prior(p.Prior, r.ladder); err != nil {
		return nil, err
	}

	// The statistics that the readers need.
	for _, reader := range c.Readers {
		reads := reads(reader)
		for _, s := range reads.Needs {
			r.need(s)
		}
		r.merges = r.merges || merges(reader.Values)
		if reads.CheckRungs == nil {
			continue
		}
		if err := reads.CheckRungs(len(r.ladder), reader.Values); err != nil {
			return nil, err
		}
	}
	if r.Hold != nil {
		if len(r.ladder) > maxHeld {
			return nil, problem.New("a file of u_kn has at most %d rungs, not %d; use fewer temperatures", maxHeld,
				len(r.ladder))
		}
		r.need(ThinnedSamples)
	}

	// The moves on the ladder, and the statistics recorded.
	if r.ladderMove = (tempering{r.N, len(r.ladder)}); p.Samples == "fixed" {
		if r.ladderMove, err = newFixedChains(p.Init, r.N, len(r.ladder)); err != nil {
			return nil, err
		}
		r.rounds = 0
	}
	r.seMethod, r.byChain = r.errorBars()
	pop := c.Model.New(1, r.ladder)
	r.curved = models.RowCapabilitiesOf(pop).Slopes != nil
	r.dim = r.momentDim(pop)
	r.needs = slices.DeleteFunc(r.needs, func(s *Statistic) bool {
		return s == TargetMoments && r.dim == 0 || !s.fixed && !r.moves()
	})
	r.thinned.Every, r.thinned.EveryChain = r.thinning()

	// The first guess, and the check at the end.
	r.zhat = make([]float64, len(r.ladder))
	r.check = estimators.NewTargetCheck(c, r.ladder)
	if rule, ok := guessRules[p.Init]; ok {
		r.adapt = &adaptation{Config: c, Lanes: estimators.Lanes{N: r.N, Size: min(adaptChains, r.N)}, ladder: r.ladder,
			prior: r.prior, rule: rule(len(r.ladder), p.AdaptSweeps), length: p.AdaptSweeps}
	}
	return r, nil
}

// need adds a statistic to those that the final run records.
func (r *run) need(s *Statistic) {
	if !r.records(s) {
		r.needs = append(r.needs, s)
	}
}

func (r *run) initAIS() bool { return r.params.Init == "ais" }

// startsEqual reports whether the run starts from log Zhat = 0.
func (r *run) startsEqual() bool { return r.params.Init == "ones" }

// length returns the number of sweeps of an iteration.
func (r *run) length(iteration int) int {
	switch {
	case iteration < 0 && r.adapt != nil:
		return r.adapt.length
	case iteration < 0:
		return initAISSweeps * (len(r.ladder) - 1)
	case iteration < r.rounds:
		return r.params.InitSweeps
	}
	return r.burn + r.keptSweeps
}

// sweepsToCome returns the number of planned sweeps that are not yet added to each chain.
func (r *run) sweepsToCome() int {
	if r.final != nil {
		return 0
	}
	return max(r.ExpectedSweeps-r.keptSweeps, 0)
}

func (r *run) Sweeps() float64 {
	n := r.length(r.rounds) + r.sweepsToCome()
	if r.rounds > 0 {
		n += r.rounds * r.length(0)
	}
	if !r.startsEqual() {
		n += r.length(-1)
	}
	return float64(n * r.N)
}

func (r *run) Next(partials, states [][]byte) (*estimators.Round, error) {
	if partials == nil {
		if r.iteration = -1; r.startsEqual() {
			r.iteration = 0
		}
		return r.round(nil), nil
	}
	if r.final != nil {
		return r.lastRound(partials), nil
	}

	// Continue the iteration to its next cut.
	r.total += float64(r.spent * r.N)
	if r.iteration == r.rounds {
		partials = r.gather(partials)
	}
	if r.soFar = partials; r.done < r.length(r.iteration) {
		return r.round(states), nil
	}

	// At the end of an iteration, improve log Zhat or make the estimates.
	switch {
	case r.iteration < 0 && r.adapt != nil:
		states = r.guessFromIslands(partials, states)
	case r.iteration < 0:
		r.guessFromWeights(partials)
	case r.iteration < r.rounds:
		r.improve(r.collect(partials))
	default:
		b := r.collect(partials)
		if r.climbed == nil { // only once
			r.climbed = b.Climbed
		}
		b.Climbed = r.climbed
		if b = r.grow(b); b == nil {
			return r.round(states), nil
		}
		r.finish(b)
		return r.lastRound(nil), nil
	}
	r.iteration++
	r.done, r.before, r.soFar = 0, r.total, nil
	return r.round(states), nil
}

// improve sets log Zhat from an initial iteration. If the iteration visited all rungs evenly, it is the last one.
func (r *run) improve(b *Record) {
	r.zhat = b.logZ(b.Conditionals)
	logC := slices.Clone(b.Conditionals.LogC)
	k := float64(len(r.ladder))
	r.maxDev = 0
	for i, lc := range logC {
		r.maxDev = max(r.maxDev, math.Abs(r.prior.over(i, num.Mul(k, num.Exp(lc)))-1))
	}
	for i, x := range r.prior {
		logC[i] -= x
	}
	r.guess(logC)
	if r.merges && r.maxDev < 5 {
		r.earlier = append(r.earlier, b)
	}
	// For uniform r this is max |r_k - c_k| < 0.1/K ([RTS] section 2.4).
	if r.maxDev < 0.1 {
		r.iteration = r.rounds - 1
	}
}

// finish makes the estimates of the readers.
func (r *run) finish(b *Record) {
	b.Final, b.Earlier, b.Samples = true, r.earlier, r.samples()
	r.final, r.soFar = r.read(b), nil
	if r.Hold != nil {
		r.Hold(r.held(&b.Samples))
	}
	r.thinned.Rung, r.thinned.Row, r.thinned.LogF = nil, nil, nil
	if len(r.fitReaders()) > 0 {
		r.awaitingFit = b
	} else {
		r.solveState.B = nil
	}
}

// name returns the name of the current iteration.
func (r *run) name() string {
	switch {
	case r.iteration < 0 && r.adapt != nil:
		return adapting
	case r.iteration < 0:
		return "annealing pass"
	case r.iteration < r.rounds:
		return fmt.Sprintf("initial %d", r.iteration+1)
	}
	return "final"
}

// round returns the next stretch of sweeps of the current iteration, up to a cut.
func (r *run) round(states [][]byte) *estimators.Round {
	if r.iteration < 0 && r.adapt != nil {
		from := r.adapt.done
		round := r.adapt.round(states)
		r.done = r.adapt.done
		r.spent = r.done - from
		return round
	}
	n := r.length(r.iteration) - r.done
	if r.iteration >= 0 {
		n = min(n, r.RoundSweepsOr(temperCut))
	}
	var w wire.Writer
	w.Int(r.iteration)
	w.Int(r.done)
	w.Int(n)
	w.Int(r.length(r.iteration))
	w.Floats(r.prior.levels(r.zhat))
	r.done += n
	r.spent = n
	work := workTemper
	if r.iteration < 0 {
		work = workAnneal
	}
	return &estimators.Round{Name: r.name(), Work: work, Plan: w.B, Lanes: r.Count(), States: states,
		Sweeps: float64(n * r.N), Time: r.time(r.Costs(), r.iteration, n)}
}

// Kinds of lanes of a tempering run.
const (
	workTemper estimators.Work = iota
	workAnneal
	workAdapt = estimators.LaneTarget + 1
)

func (r *run) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch u.Work {
	case workAnneal:
		return r.annealLane(u)
	case workAdapt:
		estimators.CorruptIf(r.adapt == nil)
		return r.adapt.lane(u)
	case estimators.LaneExact:
		return estimators.ExactLane(r.Model, u)
	case estimators.LaneTarget:
		at := u.Lane
		if len(r.fitReaders()) > 0 { // the first lane is for the fits: see lastRound
			at--
		}
		if at < 0 {
			return r.fitLane(u)
		}
		return r.check.Lane(u, at)
	}
	return r.temperLane(u)
}

// read returns the results of the readers from a record. In initial iterations, which lack a reader's statistics, the
// result is the RTS estimate of the iteration.
func (r *run) read(b *Record) []*estimators.Result {
	out := make([]*estimators.Result, len(r.Readers))
	for i := range r.Readers {
		out[i] = r.readOne(b, i)
	}
	return out
}

func (r *run) readOne(b *Record, i int) (out *estimators.Result) {
	if reader := r.Readers[i]; r.iteration < r.rounds {
		out = b.result(b.Conditionals)
	} else {
		out = reads(reader).Read(b, reader.Values)
	}
	out.Climbed, out.Guesses, out.Travel = b.Climbed, r.guesses, b.Travel
	out.Doing = r.name()
	out.Sweeps, out.Evaluations = r.total, r.evaluations()
	return out
}

// evaluations returns the number of log densities evaluated so far; the annealing pass evaluates two at each rung.
func (r *run) evaluations() float64 {
	anneal := 0
	if r.initAIS() && r.iteration >= 0 {
		anneal = r.N * r.length(-1)
	}
	return float64(2*anneal/initAISSweeps + (int(r.total)-anneal)*r.densities())
}
