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

// Config is the input from which a run is made.
type Config struct {
	Readers   []Reader    // methods that read the run, at least one
	Values    spec.Values // parameters of the run with defaults filled in
	Model     models.Model
	Key       rng.Key
	PathStats *schedule.PathStats // what a pilot learned, for schedules that need it
	Fitted    bool                // the base of Model was fitted to samples (fitted_base.go)
	Target    float64             // wanted standard error, for methods that choose how much work they do
	Auxiliary bool                // the run serves another run, and climbs to no lower bounds (floor.go)
	// Overrelaxed selects moves with less variance than the moves of the papers: units flip (models.RowCapabilities),
	// and every other sweep of tempering reflects the rung instead of drawing it (kernel.Tempering.From).
	Overrelaxed bool
	Limit       float64 // approximate limit on the sweeps of such methods, though never below their smallest sizes; 0: no limit
	// LaneSize is the number of rows in a lane; 0 means the default of the method. It does not change the result.
	LaneSize int
	// Workers, if not 0, is the number of workers that share the lanes of this run. AIS and temper.RTS make larger
	// lanes if the model is faster on many rows and every worker still has enough of them. It does not change the
	// result.
	Workers int
	// Cut is the number of sweeps after which a round ends, so that a lost worker costs little; 0 means the default of
	// the method. It does not change the result.
	Cut int
}

// Path is the kind of route from the base to the target.
type Path int

// Kinds of paths.
const (
	Direct     Path = iota // draws from the base are weighted for the target in one step
	Tempered               // through inverse temperatures
	Sequential             // coordinate by coordinate (models.Sequence)
	Fitted                 // from a density fitted to samples of the target (models.Base)
)

// Provenance is the set of parts that carry a method from its start to the target: initial states, intermediate
// densities and moves. Methods that share a part can miss the same part of the target, so they do not confirm each
// other.
type Provenance uint8

// Parts of a provenance.
const (
	FromBase      Provenance = 1 << iota // draws from the base
	FromFirst                            // draws of the first coordinate
	FromData                             // data, if the model has them
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
	Short      string // description in two words
	About      string // description in a sentence
	Path       Path
	Provenance Provenance
	Params     []spec.Param // parameters of its run first
	Checks     []Check      // checks of its results, in addition to those of all methods
	// Adapts reports whether the method makes a run that adapts guesses of log Z: see Result.Guesses.
	Adapts bool
	// Overlaps reports whether results contain the overlap of neighbouring rungs.
	Overlaps bool
	// Unbiased reports whether E[Zhat] = Z; replicates are then combined by the log of their mean. It does not hold for
	// results with FlagAdaptive, which are unbiased only in the limit of many particles.
	Unbiased bool
	// Refines reports whether the method chooses the number of draws behind each estimated likelihood to suit its
	// ladder.
	Refines bool
	// Grower is the method whose estimate a result with FlagByGrowing reports.
	Grower *Info
	// Stretch is the factor by which the error bar of one run was too short at most of the budgets counted in
	// site/docs/calibration.md; 0 means 1.1.
	Stretch float64
	// Target is the standard error (nats) that replicates aim at if the experiment sets none; 0: one replicate.
	Target float64
	// New makes the run of a method that does not read the run of another.
	New func(Config) (Method, error)
	// Reads makes the estimate of a method that reads a run which others can share.
	Reads RunReader
}

// RunReader makes an estimate from the record of a run, which several methods may share. Its dynamic type belongs to
// the family of the run: temper.Reader, anneal.Reader. The run sets Sweeps and Evaluations of the result. The reader
// sets everything else: a Ladder from base to target, NaN for unavailable numbers, and a flag that gives the reason.
type RunReader interface {
	// Run returns the run that is read.
	Run() *Run
}

// Run describes a run. Methods that read the same run with the same parameters share it: it is made once and its work
// counts once. The result of a method does not depend on the other methods that read the run.
type Run struct {
	Name           string // determines its random numbers
	Params         []spec.Param
	OptionalParams []spec.Param // parameters of the run that only some readers offer; the others use the defaults
	New            func(Config) (Method, error)
}

// Run returns the run that the method makes or reads.
func (m Info) Run() Run {
	if m.Reads != nil {
		return *m.Reads.Run()
	}
	return Run{Name: m.Name, Params: m.Params, New: m.New}
}

// Leads reports whether the method reads a run that has the same name as the method.
func (m Info) Leads() bool { return m.Reads != nil && m.Run().Name == m.Name }

// Reader is a method that reads a run, together with the values of its parameters.
type Reader struct {
	Info
	Values spec.Values
}

// Open makes the run that c.Readers read. Their values of the run's parameters must agree; c.Values is set from the
// first reader. If the model wants its base fitted and the path goes through temperatures, the run begins with that
// fit.
func Open(c Config) (Method, error) {
	c.Values = c.Readers[0].Values
	run := c.Readers[0].Run()
	if models.CapabilitiesOf(c.Model).Base.FitsFirst && c.Readers[0].Path == Tempered {
		return AfterFit(c, run.New)
	}
	return run.New(c)
}

// Round is a set of lanes that can run at the same time, on any worker.
type Round struct {
	Name   string   // shown to people: "forward", "reverse", "initial 3", "final"
	Work   Work     // kind of the lanes
	Plan   []byte   // input of every lane of the round
	Lanes  int      // units of work
	States [][]byte // state of each lane from an earlier round, or nil
	Sweeps float64  // chain-sweeps in the round
	Time   float64  // planned time of all lanes, as in Need, for progress
	// Cache, if not empty, names partials that depend on the model alone, so that other runs on the model can reuse
	// them.
	Cache string
}

// Work is the kind of a lane, numbered from 0 by the run.
type Work int

// Unit returns the unit of a lane of the round.
func (r *Round) Unit(lane int) *Unit {
	u := &Unit{Round: r.Name, Work: r.Work, Plan: r.Plan, Lane: lane}
	if r.States != nil {
		u.State = r.States[lane]
	}
	return u
}

// Run runs all lanes of the round one after another in this goroutine and returns the arguments of the following Next.
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
	// Partial is set when the lane has finished.
	Partial []byte
	// Peek encodes a valid partial of the work done so far, for running estimates. It is nil in lanes whose unfinished
	// work gives no estimate.
	Peek func() []byte
	// Note, if set, receives partials of the work up to certain steps, which are the same in all lanes of the round.
	// Together with the partials of the other lanes they make one point of the run's history.
	Note func(step int, partial []byte)
	// Watched makes the lane fill pictures into the frames that it yields. It may change between yields and costs
	// nothing if false.
	Watched bool
	// Each reports that every watched frame is displayed, in slow motion or step by step; none is skipped.
	Each bool
	// Film also requests pictures when a chain reaches one of the temperatures of frame.SnapshotBetas, or at even
	// intervals if chains change rungs.
	Film bool
	// Last is the step of the unit's last frame, which always has pictures.
	Last int
}

// Method is one run, read by one or more methods.
type Method interface {
	// Next takes the partials and states of the round that it returned before (nil at first) and returns the next
	// round, or nil when the estimate is final.
	Next(partials, states [][]byte) (*Round, error)
	// Lane runs u and yields a frame after every sweep of its rows. The frame is reused. If the loop over it ends
	// early, u has no Partial.
	Lane(u *Unit) iter.Seq[*frame.Frame]
	// Estimate returns the results so far, one for each of Config.Readers, or nil if there is no estimate yet. peeked
	// are the partials of the current round by lane, complete or peeked, nil if missing. Estimate changes nothing.
	Estimate(peeked [][]byte) []*Result
	// Sweeps returns the planned total of chain-sweeps, an upper bound if a stopping rule may end a phase early.
	Sweeps() float64
	// Need returns the planned memory and time of the run. The times of its rounds sum to Need.Time.
	Need() Need
}

// Phases are the first coordinate of the address of a random number.
const (
	PhaseStart   = iota // initial samples
	PhaseForward        // annealing
	PhaseReverse
	PhaseTemper // tempering rounds count up from here

	PhaseData = 1 << 16 // reverse annealing from data
)

// Lanes divides N rows into lanes of Size rows. The first lane has firstShort rows fewer; the last has the remainder.
type Lanes struct {
	N, Size, firstShort int
	Before              int // rows of other lanes, which take the first slots
}

// Count returns the number of lanes.
func (l Lanes) Count() int { return (l.N + l.firstShort + l.Size - 1) / l.Size }

// Span returns the first row of a lane and the number of its rows. It panics if the lane does not exist: see CorruptIf.
func (l Lanes) Span(lane int) (first, n int) {
	CorruptIf(lane < 0 || lane >= l.Count())
	first = max(lane*l.Size-l.firstShort, 0)
	return l.Before + first, min((lane+1)*l.Size-l.firstShort, l.N) - first
}

// Chains in a lane of AIS and temper.RTS. The default is ten, so that workers of different speed finish together; the
// first lane has four, so that the first estimate comes early. For models that are faster on many rows, a lane has a
// worker's whole share, but at least four rows, if the model wants large batches, else up to 25 if each worker then
// still has two lanes.
const (
	firstLane   = 4
	defaultLane = 10
	sharedLane  = 25
	largestLane = 100
)

// Lanes divides n chains into lanes for AIS and temper.RTS.
func (c Config) Lanes(n int) Lanes {
	if c.LaneSize > 0 {
		return Lanes{N: n, Size: min(n, c.LaneSize)}
	}
	size := defaultLane
	if k := models.CapabilitiesOf(c.Model).Kernel; k.Batched && c.Workers > 0 {
		share := min((n+c.Workers-1)/c.Workers, largestLane)
		if k.LargeBatches {
			return Lanes{N: n, Size: max(share, min(n, firstLane))}
		}
		size = max(size, min((share+1)/2, sharedLane))
	}
	if n <= size {
		return Lanes{N: n, Size: n}
	}
	return Lanes{N: n, Size: size, firstShort: size - firstLane}
}

// CutAfter returns Cut if it is set, else own, the default of the method.
func (c Config) CutAfter(own int) int {
	if c.Cut > 0 {
		return c.Cut
	}
	return own
}

// MustDecode panics if a partial, plan or state could not be decoded. Call it before using anything that was read.
// Lanes and fold are the same program, so damage means a bug or a message from elsewhere; whoever runs a lane or a fold
// turns the panic into an error.
func MustDecode(r *wire.Reader) {
	if r.Err != nil {
		panic(r.Err)
	}
}

// CorruptIf panics as MustDecode does if damaged, which says that a number in a unit is out of range.
func CorruptIf(damaged bool) {
	if damaged {
		panic(wire.ErrDamaged)
	}
}

// At returns the address of the random numbers of rows from slot first in a phase.
func (c Config) At(phase uint32, first int) rng.At {
	return rng.At{Key: c.Key, Phase: phase, Slot: uint32(first)}
}

// LadderParams are the parameters that determine a ladder.
type LadderParams struct {
	Temperatures int    `param:"temperatures"`
	Schedule     string `param:"schedule"`
}

// LadderParams returns the parameters of the ladder.
func (c Config) LadderParams() (p LadderParams) {
	c.Values.Fill(&p)
	return p
}

// Ladder returns the inverse temperatures of the run, from 0 to 1.
func (c Config) Ladder() ([]float64, error) {
	p := c.LadderParams()
	return schedule.Make(p.Schedule, p.Temperatures, c.PathStats)
}

var (
	ScheduleParam = spec.Param{Name: "schedule", Type: "string", Default: "linear", Check: schedule.Canonical,
		Help: "How the inverse temperatures are spaced: " + schedule.Help + "."}
)

// With returns a new slice: list followed by more.
//
//go:noinline
func With[T any](list []T, more ...T) []T { return append(slices.Clip(list), more...) }

// Functions that initialise package variables, like With and the following, are not inlined: Go compiles all
// initialisation of a package into one function, and a browser spends a tenth of a second at the start on optimising a
// long one, though it runs once.

// IntParam returns an integer parameter in [lo, hi].
//

//go:noinline
func IntParam(name string, def string, lo, hi float64, help string) spec.Param {
	return spec.Param{Name: name, Type: "int", Default: def, Min: lo, Max: hi, Help: help}
}

// MainParam returns an integer parameter that the page offers first, because the cost of a run depends on it most.
//
//go:noinline
func MainParam(name string, def string, lo, hi float64, help string) spec.Param {
	p := IntParam(name, def, lo, hi, help)
	p.Main = true
	return p
}

// FloatParam returns a real parameter in [lo, hi].
//
//go:noinline
func FloatParam(name, def string, lo, hi float64, help string) spec.Param {
	return spec.Param{Name: name, Type: "float", Default: def, Min: lo, Max: hi, Help: help}
}

// YesNoParam returns a parameter with the choices no and yes, by default no.
//
//go:noinline
func YesNoParam(name, help string) spec.Param {
	return spec.Param{Name: name, Type: "choice", Default: "no", Choices: []string{"no", "yes"}, Help: help}
}

// Fill sets every element of x to the value to.
func Fill[T any](x []T, to T) {
	for i := range x {
		x[i] = to
	}
}

// ReadBlocks reads from the plan of a unit the input of exact draws of the target: the logs of the sums over the blocks
// of an enumeration. It panics if one is NaN or +Inf, or if all are -Inf.
func ReadBlocks(m models.Model, plan *wire.Reader) []float64 {
	n, ok := ExactTarget(m)
	CorruptIf(!ok)
	blocks := plan.FloatsN(n)
	MustDecode(plan)
	some := n == 0
	for _, x := range blocks {
		CorruptIf(math.IsNaN(x) || math.IsInf(x, 1))
		some = some || !math.IsInf(x, -1)
	}
	CorruptIf(!some)
	return blocks
}

// ExactTarget returns the number of blocks that must be enumerated before the target can be drawn exactly (0: none). ok
// is false if the target cannot be drawn exactly.
func ExactTarget(m models.Model) (blocks int, ok bool) {
	if models.RowCapabilitiesOf(m.New(1, []float64{0, 1})).DrawTarget == nil {
		return 0, false
	}
	if sum := models.CapabilitiesOf(m).Exact.Sum; sum != nil {
		return sum.Blocks(models.MaxExactUnits)
	}
	return 0, true
}
