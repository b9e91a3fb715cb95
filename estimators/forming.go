package estimators

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/resample"
	"logzlab/core/spec"
	"logzlab/core/stats"
	"logzlab/models"
)

// former folds islands, each a lane with its own particles, that form a model
// unit by unit ([ARM] Algorithms 1 and 2). A round takes every island through some
// stages; its state is the particles, its partial what is known of every stage.
type former struct {
	Config
	name    string
	seq     models.Sequential
	n       int // stages N
	r       int // particles R
	islands int
	moves   int
	scheme  string
	essMin  float64 // resample below
	gamma   float64 // generate below, 0: never
	iMax    int
	rule    batchRule // of generated particles
	discard bool      // of a set below gamma, the first particles
	extra   bool      // copies of promising particles beyond their share
	reseed  int       // sweeps of a new particle
	mean    bool      // islands are combined by the mean of log Zhat, else by the log of the mean
	most    float64   // particles that an island may hold at once, in multiples of R

	trial   models.Fillable // of which samples make the sequence, nil: of none
	samples [][]byte        // of that round by lane
	pilot   bool            // rounds of the pilot run are under way
	sizes   []int32         // particles of each stage, nil: R
	from    int             // next stage
	known   []*island
	first   []*island // of the pilot
}

// Particles of an island take slots from island << islandBits on.
const islandBits = 22

// maxStages bounds the stages of a model.
const maxStages = 1 << 13

// Purposes are the last three bits of the phase of a randomness address, stages
// the bits before them; the top bit is set in a pilot run. The step is the sweep
// of a move; batch i of generated particles draws from its own range of steps.
const (
	purposeStart = iota
	purposeMove
	purposeGenerate
	purposeResample
	purposeAugment
)

// newFormer reads the parameters that all of these methods have.
func newFormer(c Config, name string) (*former, error) {
	f := &former{Config: c, name: name, from: 1, most: 1}
	var ok bool
	if f.seq, ok = c.Model.(models.Sequential); !ok {
		return nil, problem.New("the method %s forms a model unit by unit; a model of kind %s cannot be formed so: "+
			"choose a method that goes through temperatures", name, c.Model.Info().Kind)
	}
	if m, ok := c.Model.(models.Fillable); ok && c.Values["absent"] == models.Sampled {
		f.trial = m
	} else if ok {
		f.seq = m.Fill(c.Values["absent"])
	}
	if f.n = f.seq.Stages(); f.n > maxStages {
		return nil, problem.New("the method %s forms at most %d units one by one; this model has %d: "+
			"choose a method that goes through temperatures",
			name, maxStages, f.n)
	}
	v := c.Values
	f.r, f.islands, f.moves, f.scheme = v.Int("particles"), v.Int("islands"), v.Int("moves"), v["resample"]
	f.essMin, f.gamma, f.iMax = v.Float("ess"), v.Float("gamma"), v.Int("i_max")
	if f.essMin < 0 {
		f.essMin = f.gamma
	}
	f.discard, f.extra, f.reseed = v["discard_initial"] == "yes", v["extra_copies"] == "yes", v.Int("reseed_sweeps")
	// A batch has at most R particles, or R and a copy of as many.
	most := float64(f.r) * float64(1+2*f.iMax)
	if most > 1<<islandBits {
		return nil, problem.New("%s: particles = %d with i_max = %d may make %.0f particles in an island; at most %d fit: "+
			"lower one of them", name, f.r, f.iMax, most, 1<<islandBits)
	}
	return f, nil
}

// Parameters that these methods share.
var (
	paramParticles = paramMain("particles", "400", 1, 1e5, "Number R of particles in an island.")
	paramIslands   = islandsParam("12")
	paramMoves     = paramInt("moves", "3", 1, 1e4,
		"Kernel applications to each particle at a stage; with absent = sampled only where the new units weigh enough.")
	paramAbsent = spec.Param{Name: "absent", Type: "choice", Default: models.Sampled, Choices: models.Absents,
		For: spec.Fills, Help: "How the units of an RBM that are not formed yet act on its hidden units: by weights that " +
			"fit samples of a short run, which also orders the units (sampled), not at all (off, as in the paper), by their " +
			"base rates (rates), or by rates that mean-field theory makes of those (mean-field)."}
	paramResample = spec.Param{Name: "resample", Type: "choice", Default: resample.Schemes[0], Choices: resample.Schemes,
		Help: "How offspring are drawn in proportion to the weights."}
)

//go:noinline
func islandsParam(n string) spec.Param {
	return paramInt("islands", n, 1, 1000, "Number of independent sets of particles; their spread gives the error bar.")
}

// island is the record of one island's run.
type island struct {
	logZ1         float64
	stages        []stage // from n to n+1
	rows          int     // particles at the stage reached
	ess           float64 // of their weights
	sweeps, evals float64
	climbed       []float64 // see Result.Climbed
}

// stage is what happened from one stage to the next.
type stage struct {
	batches   []int32 // particles: the first ones, then each generate
	count     int     // their number
	ess       float64 // of the weights W
	v         float64 // vhat, the variance of W over its mean ([ARM] Theorem 1)
	within    float64 // variance of the log of the mean of W if particles were independent
	logZ      float64 // of the stage after
	moved     float64 // how far later batches have moved it, at this stage and those before
	resampled bool
}

func (s *stage) gamma() float64 { return s.ess / float64(s.count) }

func (d *island) append(w *frame.Writer) {
	for _, x := range [...]float64{d.logZ1, d.ess, d.sweeps, d.evals} {
		w.Float(x)
	}
	w.Floats(d.climbed)
	w.Int(d.rows)
	w.Int(len(d.stages))
	for i := range d.stages {
		s := &d.stages[i]
		w.Ints(s.batches)
		w.Int(s.count)
		for _, x := range [...]float64{s.ess, s.v, s.within, s.logZ, s.moved} {
			w.Float(x)
		}
		w.Bool(s.resampled)
	}
}

func readIsland(r *frame.Reader) *island {
	d := &island{logZ1: r.Float(), ess: r.Float(), sweeps: r.Float(), evals: r.Float(), climbed: r.Floats(),
		rows: r.Int()}
	for n := r.Int(); n > 0 && r.Err == nil; n-- {
		d.stages = append(d.stages, stage{batches: r.Ints(), count: r.Int(), ess: r.Float(), v: r.Float(),
			within: r.Float(), logZ: r.Float(), moved: r.Float(), resampled: r.Bool()})
	}
	must(r)
	return d
}

// logZ is log Z_n, n from 1.
func (d *island) logZ(n int) float64 {
	if n == 1 {
		return d.logZ1
	}
	return d.stages[n-2].logZ
}

// particles is the number wanted at stage n.
func (f *former) particles(n int) int {
	if n <= len(f.sizes) {
		return int(f.sizes[n-1])
	}
	return f.r
}

func (f *former) Sweeps() float64 {
	return float64(f.islands) * float64(f.moves) * float64((f.n-1)*f.r)
}

// unitWork is the number of particle-sweeps in a unit, about, and unitStages the
// most stages.
const (
	unitWork   = 100000
	unitStages = 64
)

// stretch is the next round: some stages of every island.
func (f *former) stretch(states [][]byte) *Round {
	from := f.from
	n := min(max(unitWork/(f.moves*f.r), 1), unitStages)
	if f.Cut > 0 {
		n = max(f.Cut/f.moves, 1)
	}
	f.from = min(from+n, f.n)
	var w frame.Writer
	w.Int(from)
	w.Int(f.from)
	w.Bool(f.pilot)
	w.Ints(f.sizes)
	w.Int(len(f.samples))
	for _, b := range f.samples {
		w.Bytes(b)
	}
	round := &Round{Name: "forming", Plan: w.B, Lanes: f.islands, States: states, Time: f.time(from, f.from),
		Sweeps: float64(f.islands*f.moves) * float64((f.from-from)*f.r)}
	if f.pilot {
		round.Name = "pilot"
		round.Sweeps *= float64(pilotParticles(f.r)) / float64(f.r)
	}
	return round
}

func (f *former) Next(partials, states [][]byte) (*Round, error) {
	if partials != nil {
		f.known = readIslands(partials)
		if f.from == f.n {
			return nil, nil
		}
	}
	return f.stretch(states), nil
}

func readIslands(partials [][]byte) (out []*island) {
	for _, p := range partials {
		if p != nil {
			out = append(out, readIsland(&frame.Reader{B: p}))
		}
	}
	return
}

func (f *former) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) { f.newLane(u).run(yield) }
}

// Stage is the estimate of log Z_n and the weights W with which particles of
// stage n went on to the next one: their number R, effective sample size and
// gamma = ess/R, averaged over islands. At the last stage W = 1.
type Stage struct {
	N     int     `json:"n"`
	LogZ  float64 `json:"logz"`
	SE    float64 `json:"-"`
	R     float64 `json:"R"`
	ESS   float64 `json:"ess"`
	Gamma float64 `json:"gamma"`
}

// MarshalJSON has null where a number is not known.
func (s Stage) MarshalJSON() ([]byte, error) {
	n := spec.JSONNumber
	return []byte(`{"n":` + strconv.Itoa(s.N) + `,"logz":` + n(s.LogZ) + `,"R":` + n(s.R) + `,"ess":` + n(s.ESS) +
		`,"gamma":` + n(s.Gamma) + `}`), nil
}

func (f *former) Estimate(peeked [][]byte) []*Result { return one(f.estimate(peeked)) }

func (f *former) estimate(peeked [][]byte) *Result {
	known := f.known
	if more := readIslands(peeked); known == nil {
		known = furthest(more, min(f.islands, 2))
	} else if len(more) == f.islands {
		known = more
	}
	if len(known) == 0 {
		return nil
	}
	reached := f.n
	for _, d := range known {
		reached = min(reached, 1+len(d.stages))
	}
	res := &Result{LogZ: math.NaN(), SE: math.NaN(), SEMethod: SEIslands, Bias: "down", Lower: math.NaN(),
		Upper: math.NaN()}
	if f.mean { // O(1/R), of a sign that depends on the model
		res.Bias = "either"
	}
	res.Stage = "stage " + strconv.Itoa(reached) + " of " + strconv.Itoa(f.n)
	res.flag(FlagNoSandwich)
	for n := 1; n <= reached; n++ {
		s := stageMean(known, n)
		s.LogZ, s.SE = f.combine(known, n)
		res.Stages = append(res.Stages, s)
	}
	for _, d := range append(f.first[:len(f.first):len(f.first)], known...) {
		res.Sweeps += d.sweeps
		res.Evaluations += d.evals
	}
	if reached == f.n && !f.pilot {
		f.conclude(res, known)
	}
	return res
}

// moved is how far batches after the first ones have moved log Z_n.
func (d *island) moved(n int) float64 {
	if n == 1 {
		return 0
	}
	return d.stages[n-2].moved
}

// combine is the estimate of log Z_n from islands and its error: the log of the mean of Zhat where E[Zhat] = Z, else
// the mean of log Zhat. More particles are generated where the first ones happen to have heavy weights, so their
// average is too low; the first ones alone, which no weight has chosen, say by how much. Their distance is part of the
// error, for a log Z that is moved by it would be too noisy.
func (f *former) combine(known []*island, n int) (z, se float64) {
	all := make([]float64, len(known))
	for i, d := range known {
		all[i] = d.logZ(n)
	}
	if !f.mean {
		w := stats.LogWeights(all)
		return w.LogMean, w.SE
	}
	mean, v := stats.MeanVar(all)
	for i, d := range known {
		all[i] = d.moved(n)
	}
	bias, _ := stats.MeanVar(all)
	return mean, math.Sqrt(v/float64(len(all)) + num.Mul(bias, bias))
}

// furthest lists the islands that have reached the last stage that n of them have, nil where there are not so many.
func furthest(islands []*island, n int) []*island {
	if len(islands) < n {
		return nil
	}
	slices.SortFunc(islands, func(a, b *island) int { return len(b.stages) - len(a.stages) })
	last := len(islands[n-1].stages)
	return slices.DeleteFunc(islands, func(d *island) bool { return len(d.stages) < last })
}

// stageMean averages the records of the islands about the weights of stage n.
func stageMean(known []*island, n int) Stage {
	out := Stage{N: n}
	k := float64(len(known))
	for _, d := range known {
		rows, ess := float64(d.rows), d.ess
		if n <= len(d.stages) {
			rows, ess = float64(d.stages[n-1].count), d.stages[n-1].ess
		}
		out.R += rows
		out.ESS += ess
		out.Gamma += ess / rows
	}
	out.R, out.ESS, out.Gamma = out.R/k, out.ESS/k, out.Gamma/k
	return out
}

// conclude fills in the results of a complete run. The variance within a run is
// sum_n vhat_n / R_n ([ARM] Theorem 1).
func (f *former) conclude(res *Result, known []*island) {
	if res.LogZ, res.SE = f.combine(known, f.n); res.SE > rounding {
		res.SE = max(res.SE, 1/float64(len(known)*f.r)) // what N particles have not met may have 1/N of the mass
	}
	within, gammas, below, total, exhausted := 0.0, 0.0, 0.0, 0.0, 0.0
	worst := 1.0
	z := make([]float64, len(known))
	for i, d := range known {
		z[i] = d.logZ(f.n)
		res.Climbed = append(res.Climbed, d.climbed...)
		for j := range d.stages {
			s := &d.stages[j]
			g := s.gamma()
			within += s.within
			gammas += g
			total += float64(s.count)
			worst = min(worst, g)
			if g < max(f.gamma, f.essMin) {
				below++
			}
			if f.iMax > 0 && g < f.gamma {
				exhausted++
			}
		}
	}
	steps := float64(len(known)) * float64(max(f.n-1, 1))
	res.islands(z, within)
	if f.n > 1 {
		res.diagnose(DiagGammaMean, gammas/steps)
		res.diagnose(DiagGammaMin, worst)
		res.diagnose(DiagStagesBelow, below/steps)
		res.diagnose(DiagParticlesMean, total/steps)
	}
	if f.gamma > 0 {
		res.diagnose(DiagIMaxShare, exhausted/steps)
	}
}
