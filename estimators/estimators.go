package estimators

import (
	"iter"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num/rng"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/models"
)

// Config is what a method is made from.
type Config struct {
	Readers   []Reader    // the methods that read the run, at least one
	Values    spec.Values // parameters of the run, defaults filled in; Open takes those of the first reader
	Model     models.Model
	Key       rng.Key
	PathStats *schedule.PathStats // makes the ladder of schedules that need one
	Fitted    bool                // the base of Model was fitted to samples (fitted_base.go)
	Target    float64             // wanted standard error, for methods that choose how much work they do
	Auxiliary bool                // the run serves another one, whose samples are climbed from (floor.go)
	// Overrelaxed has moves after which averages vary less than after those of the papers: units flip
	// (models.RowCapabilities), and every other sweep of tempering mirrors rungs in place of drawing them
	// (kernel.Tempering.From).
	Overrelaxed bool
	Limit       float64 // the most sweeps that these take, about, unless their least sizes have more; 0: any
	// LaneSize is the number of rows in a lane; 0 is the method's own. It changes
	// no digit.
	LaneSize int
	// Workers, if not 0, is the number of workers that share the lanes of this run. AIS and
	// temper.RTS make larger lanes where the model is faster on many rows and every worker still
	// has enough of them. It changes no digit.
	Workers int
	// Cut is the number of sweeps after which a round ends, so that a lost worker costs
	// little; 0 is the method's own. It changes no digit.
	Cut int
}

// Path says how a method comes from the base to the target.
type Path int

// Paths.
const (
	Direct     Path = iota // draws from the base are weighted for the target at once
	Tempered               // through inverse temperatures
	Sequential             // coordinate by coordinate (models.Sequence)
	Fitted                 // from a density that is fitted to samples of the target (models.Base)
)

// Provenance says what carries a method from a start to the target: its start, its sequence of densities and its moves.
// Methods that share any of these can miss the same part of the target, and so do not confirm each other.
type Provenance uint8

// Parts of a provenance.
const (
	FromBase      Provenance = 1 << iota // draws from the base
	FromFirst                            // draws of the first coordinate
	FromData                             // data, where the model has them
	ThroughRungs                         // densities at inverse temperatures
	ThroughStages                        // densities of a growing number of coordinates
	MovesAtRungs                         // kernels that leave the density of a rung invariant
	MovesAtStages                        // kernels that leave the density of a stage invariant
	OnRungs       = FromBase | ThroughRungs | MovesAtRungs
	OnStages      = FromFirst | ThroughStages | MovesAtStages
)

// Info describes a method for links, lists, verdicts and the page.
type Info struct {
	Name       string // in links
	Label      string // on the page
	Short      string // what it does, in two words
	About      string // the same in a sentence
	Path       Path
	Provenance Provenance
	Params     []spec.Param // those of its run first
	Checks     []Check      // the conditions of trust in its results, besides those of all methods
	// Adapts is true where the method has a run of its own that adapts guesses of log Z: Result.Guesses tells them.
	Adapts bool
	// Overlaps is true where results measure the overlap of neighbouring rungs.
	Overlaps bool
	// Unbiased is true where E[Zhat] = Z, so that replicates are combined by the
	// log of their mean. Results with FlagAdaptive are excepted: there it holds with many particles only.
	Unbiased bool
	// Refines is true where the method asks models with estimated likelihoods for the draws that suit its ladder.
	Refines bool
	// Formed is the method whose number a result with FlagFormed has.
	Formed *Info
	// Stretch is how many times too short the error bar of one run was at most of the budgets counted in
	// site/docs/calibration.md; 0: 1.1.
	Stretch float64
	// Target is the standard error that the method is repeated for where the experiment names none (nats); 0: once.
	Target float64
	// New makes the run of a method that has one of its own.
	New func(Config) (Method, error)
	// Reads makes the estimate of a method without a run of its own.
	Reads RunReader
}

// RunReader makes an estimate from what a run has recorded, a run that several methods may share. Its type is that of
// the family of the run: temper.Reader, anneal.Reader. The run sets Sweeps and Evaluations of the result; the reader
// sets all else: a Ladder from base to target, NaN where something cannot be had, and a flag that says why.
type RunReader interface {
	// Run is the run that is read.
	Run() *Run
}

// Run describes a run. Methods that read the same run with the same parameters share one run, made once and paid for
// once; the digits of a method do not depend on the company.
type Run struct {
	Name   string // names its randomness
	Params []spec.Param
	Some   []spec.Param // of the run too, but offered by some of its readers only; the others have their defaults
	New    func(Config) (Method, error)
}

// Run is the run that the method reads.
func (m Info) Run() Run {
	if m.Reads != nil {
		return *m.Reads.Run()
	}
	return Run{Name: m.Name, Params: m.Params, New: m.New}
}

// Leads reports whether the run that the method reads is named after it.
func (m Info) Leads() bool { return m.Reads != nil && m.Run().Name == m.Name }

// Reader is a method that reads a run, with the values of its parameters.
type Reader struct {
	Info
	Values spec.Values
}

// Open makes the run that c.Readers read; their values of its parameters agree. It begins with a fit of the base where
// the model asks for that and a run comes from the base by temperatures.
func Open(c Config) (Method, error) {
	c.Values = c.Readers[0].Values
	run := c.Readers[0].Run()
	if models.Can(c.Model).Base.FitsFirst && c.Readers[0].Path == Tempered {
		return AfterFit(c, run.New)
	}
	return run.New(c)
}

// Round is a set of lanes that may run at the same time, anywhere.
type Round struct {
	Name   string   // shown to people: "forward", "reverse", "initial 3", "final"
	Work   Work     // which lanes these are
	Plan   []byte   // what every lane of the round needs to know
	Lanes  int      // units of work
	States [][]byte // state of each lane from an earlier round, or nil
	Sweeps float64  // chain-sweeps in the round
	Time   float64  // planned for all lanes, as in Need, for progress
	// Cache, if not empty, names partials that depend on the model alone and may be reused
	// by other runs on it.
	Cache string
}

// Work tells the kinds of lanes of a run apart, by the run's own numbers from 0.
type Work int

// Unit is a lane of the round, ready to run.
func (r *Round) Unit(lane int) *Unit {
	u := &Unit{Round: r.Name, Work: r.Work, Plan: r.Plan, Lane: lane}
	if r.States != nil {
		u.State = r.States[lane]
	}
	return u
}

// Run works through all lanes of the round in this goroutine, one after another, and returns what Next wants.
func (r *Round) Run(m Method) (partials, states [][]byte) {
	partials, states = make([][]byte, r.Lanes), make([][]byte, r.Lanes)
	for lane := range partials {
		u := r.Unit(lane)
		for range m.Lane(u) {
			meter.YieldToOthers()
		}
		partials[lane], states[lane] = u.Partial, u.State
	}
	return partials, states
}

// Unit is one lane of one round, ready to run.
type Unit struct {
	Round string // its name
	Work  Work
	Plan  []byte
	Lane  int
	State []byte // in: state of the lane; out: its new state
	// Partial is set when the lane has run to its end.
	Partial []byte
	// Peek encodes a valid partial of the work done so far, for running estimates. It is
	// nil in lanes whose unfinished work gives no estimate.
	Peek func() []byte
	// Note, if set, takes partials of the work up to some steps, which are the same for all lanes of the round: with
	// those of the other lanes they make a point of the run's history.
	Note func(step int, partial []byte)
	// Watched asks the lane to fill pictures into the frames it yields. It may
	// change between yields and costs nothing when false.
	Watched bool
	// Each tells that watched frames are shown one by one, in slow motion or step by step: none is passed over.
	Each bool
	// Film also asks for pictures when a chain reaches one of the temperatures of
	// frame.SnapshotBetas, or at even intervals where chains change rungs.
	Film bool
	// Last is the step of the unit's last frame, which always has pictures.
	Last int
}

// Method is one run, read by one method or several.
type Method interface {
	// Next takes the partials and states of the round it returned before (nil at
	// first) and returns the next round, or nil when the estimate is final.
	Next(partials, states [][]byte) (*Round, error)
	// Lane runs u, yielding a view after every sweep of its rows. The frame is
	// reused. A loop that ends early leaves u without a Partial.
	Lane(u *Unit) iter.Seq[*frame.Frame]
	// Estimate lists the results so far, one for each of Config.Readers. peeked are partials of
	// the current round by lane, complete or peeked, nil where there are none. It changes nothing and
	// returns nil while there is no estimate.
	Estimate(peeked [][]byte) []*Result
	// Sweeps is the planned total of chain-sweeps; an upper bound where a stop rule may end
	// a phase early.
	Sweeps() float64
	// Need is what the run takes. The times of its rounds sum to Need.Time.
	Need() Need
}

// Phases are the first coordinate of a randomness address.
const (
	PhaseStart   = iota // initial samples
	PhaseForward        // annealing
	PhaseReverse
	PhaseTemper // tempering rounds count up from here

	PhaseData = 1 << 16 // reverse annealing from data
)

// Lanes cuts n rows into lanes of size rows. The first has lacks rows fewer; the last has what is left.
type Lanes struct {
	N, Size, lacks int
	Before         int // rows of other lanes, which have the first slots
}

func (l Lanes) Count() int { return (l.N + l.lacks + l.Size - 1) / l.Size }

// Span returns the first row of a lane and the number of its rows. It panics if there is no such lane (see CorruptIf).
func (l Lanes) Span(lane int) (first, n int) {
	CorruptIf(lane < 0 || lane >= l.Count())
	first = max(lane*l.Size-l.lacks, 0)
	return l.Before + first, min((lane+1)*l.Size-l.lacks, l.N) - first
}

// Chains in a lane of AIS and temper.RTS. The default is ten, so that workers of different speed finish
// together; the first lane has four, so that the first number comes early. Models that are faster on many rows get a
// worker's whole share, but at least four, where they ask for it, else up to 25 if each worker keeps two lanes.
const (
	firstLane   = 4
	defaultLane = 10
	commonLane  = 25
	largestLane = 100
)

func (c Config) Lanes(n int) Lanes {
	if c.LaneSize > 0 {
		return Lanes{N: n, Size: min(n, c.LaneSize)}
	}
	size := defaultLane
	if k := models.Can(c.Model).Kernel; k.Batched && c.Workers > 0 {
		share := min((n+c.Workers-1)/c.Workers, largestLane)
		if k.LargeBatches {
			return Lanes{N: n, Size: max(share, min(n, firstLane))}
		}
		size = max(size, min((share+1)/2, commonLane))
	}
	if n <= size {
		return Lanes{N: n, Size: n}
	}
	return Lanes{N: n, Size: size, lacks: size - firstLane}
}

// CutAfter is Cut, or a method's own.
func (c Config) CutAfter(own int) int {
	if c.Cut > 0 {
		return c.Cut
	}
	return own
}

// MustDecode panics if a partial, plan or state could not be decoded. Call it before anything is made of what was read.
// Lanes and fold are the same program, so damage is a bug, or a message from somebody else; whoever runs a lane or folds
// turns the panic into an error.
func MustDecode(r *wire.Reader) {
	if r.Err != nil {
		panic(r.Err)
	}
}

// CorruptIf panics, as MustDecode does, if a number in a unit is out of range.
func CorruptIf(damaged bool) {
	if damaged {
		panic(wire.ErrShort)
	}
}

// At addresses rows from slot first in a phase.
func (c Config) At(phase uint32, first int) rng.At {
	return rng.At{Key: c.Key, Phase: phase, Slot: uint32(first)}
}

// LadderParams are the parameters that make a ladder.
type LadderParams struct {
	Temperatures int    `param:"temperatures"`
	Schedule     string `param:"schedule"`
}

// LadderParams reads the parameters of the ladder.
func (c Config) LadderParams() (p LadderParams) {
	c.Values.Fill(&p)
	return p
}

// Ladder makes the inverse temperatures of a run, from 0 to 1.
func (c Config) Ladder() ([]float64, error) {
	p := c.LadderParams()
	return schedule.Make(p.Schedule, p.Temperatures, c.PathStats)
}

// Parameters that several methods share.
var (
	ScheduleParam = spec.Param{Name: "schedule", Type: "string", Default: "linear", Check: schedule.Canonical,
		Help: "How the inverse temperatures are spaced: " + schedule.Help + "."}
)

// With is a list and more, in a list of its own.
//
//go:noinline
func With[T any](list []T, more ...T) []T { return append(slices.Clip(list), more...) }

// What fills package variables, as With and these, is called rather than inlined: Go makes one function of all such code
// in a package, and where it is long, a browser spends a tenth of a second of the start on optimising it, though it runs
// once.

//go:noinline
func IntParam(name string, def string, lo, hi float64, help string) spec.Param {
	return spec.Param{Name: name, Type: "int", Default: def, Min: lo, Max: hi, Help: help}
}

// MainParam is a parameter that people choose first, because the cost of a run depends on it most.
//
//go:noinline
func MainParam(name string, def string, lo, hi float64, help string) spec.Param {
	p := IntParam(name, def, lo, hi, help)
	p.Main = true
	return p
}

//go:noinline
func FloatParam(name, def string, lo, hi float64, help string) spec.Param {
	return spec.Param{Name: name, Type: "float", Default: def, Min: lo, Max: hi, Help: help}
}

//go:noinline
func YesNoParam(name, help string) spec.Param {
	return spec.Param{Name: name, Type: "choice", Default: "no", Choices: []string{"no", "yes"}, Help: help}
}

// Fill sets every element of x.
func Fill[T any](x []T, to T) {
	for i := range x {
		x[i] = to
	}
}

// ReadBlocks reads what exact draws of the target need from the plan of a unit: the logs of the sums over the blocks of
// an enumeration. None may be NaN, and some must be finite.
func ReadBlocks(m models.Model, plan *wire.Reader) []float64 {
	n, ok := ExactTarget(m)
	CorruptIf(!ok)
	blocks := plan.Exactly(n)
	MustDecode(plan)
	some := n == 0
	for _, x := range blocks {
		CorruptIf(math.IsNaN(x) || math.IsInf(x, 1))
		some = some || !math.IsInf(x, -1)
	}
	CorruptIf(!some)
	return blocks
}

// ExactTarget is the number of blocks that must be enumerated before the target can be drawn
// exactly (0: none). ok is false if the target cannot be drawn.
func ExactTarget(m models.Model) (blocks int, ok bool) {
	if models.RowsCan(m.New(1, []float64{0, 1})).DrawTarget == nil {
		return 0, false
	}
	if sum := models.Can(m).Exact.Sum; sum != nil {
		return sum.Blocks(models.MaxExactUnits)
	}
	return 0, true
}
