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
	Readers    []Reader    // the methods that make their estimates from this run, at least one
	Values     spec.Values // parameters of the run with defaults filled in
	Model      models.Model
	Key        rng.Key
	PathStats  *schedule.PathStats // statistics of the path measured by a pilot run, for schedules that use them
	BaseFitted bool                // the base of Model was fitted to samples (fitted_base.go)
	Target     float64             // wanted standard error (nats), for methods that choose their own amount of work
	Auxiliary  bool                // the run is a step of another run, so it computes no lower bounds of log Z (floor.go)
	// Overrelaxed selects moves with less variance than those of the papers: units flip (models.RowCapabilities.FlipUnits),
	// and every other sweep of tempering reflects the rung instead of drawing a new one (kernel.Tempering.From).
	Overrelaxed bool
	SweepLimit  float64 // approximate limit on the sweeps of methods that choose their own amount of work, which keep a minimum; 0: no limit
	// LaneSize is the number of rows in a lane; 0 means the default of the method. LaneSize does not change the result.
	LaneSize int
	// Workers, if not 0, is the number of workers that share the lanes of this run. AIS and temper.RTS make larger
	// lanes if the model is faster on many rows and every worker still has enough lanes. Workers does not change the
	// result.
	Workers int
	// RoundSweeps is the number of sweeps after which a round ends, so that little work is lost with a worker; 0 means
	// the default of the method. It does not change the result.
	RoundSweeps int
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

// Provenance is the set of elements of an algorithm that lead it from its start to the target: initial states,
// intermediate densities and moves. Methods that share an element can miss the same region of the target, so they do
// not confirm each other.
type Provenance uint8

// Elements of a provenance.
const (
	FromBase            Provenance = 1 << iota // draws from the base
	FromFirstCoordinate                        // draws of the first coordinate
	FromData                                   // data rows that accompany the model, if any
	ThroughRungs                               // densities at inverse temperatures
	ThroughStages                              // densities of a growing number of coordinates
	MovesAtRungs                               // kernels that leave the density of a rung invariant
	MovesAtStages                              // kernels that leave the density of a stage invariant
	OnRungs             = FromBase | ThroughRungs | MovesAtRungs
	OnStages            = FromFirstCoordinate | ThroughStages | MovesAtStages
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
	// Adapts reports whether the run adapts guesses of log Z of the rungs: see Result.Guesses.
	Adapts bool
	// Overlaps reports whether results contain the overlap of neighbouring rungs (Result.Overlap).
	Overlaps bool
	// Unbiased reports whether E[Zhat] = Z; replicates are then combined by the log of the mean Zhat. Results with
	// FlagAdaptive are an exception: they are unbiased only in the limit of many particles.
	Unbiased bool
	// Refines reports whether the method adjusts the number of draws per estimated likelihood to its ladder.
	Refines bool
	// GrowingMethod is the method that made the estimate of a result with FlagByGrowing; nil for other methods.
	GrowingMethod *Info
	// SEStretch is the factor by which the error bar of one run has to be multiplied, as it was too short by this factor
	// at most of the budgets in site/docs/calibration.md; 0 means 1.1.
	SEStretch float64
	// Target is the standard error (nats) to reach by adding replicates if the experiment sets none; 0: one replicate.
	Target float64
	// New makes the run of the method; nil if Reads is set.
	New func(Config) (Method, error)
	// Reads makes the estimate from a run that several methods can share; nil if New is set.
	Reads RunReader
}

// RunReader makes an estimate from the record of a run, which several methods may share. Its dynamic type belongs to
// the family of the run: temper.Reader, anneal.Reader. The run sets Sweeps and Evaluations of the result; the reader
// sets all other fields. A number that is not available is NaN, and a flag gives the reason.
type RunReader interface {
	// Run returns the description of the run.
	Run() *Run
}

// Run describes a run. Methods that read the same run with the same parameters share it: the run is carried out once
// and its work counts once. The result of a method does not depend on the other methods that read the run.
type Run struct {
	Name           string // also part of the random-number key
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

// NamesRun reports whether the method reads a run that has the same name as the method.
func (m Info) NamesRun() bool { return m.Reads != nil && m.Run().Name == m.Name }

// Reader is a method that reads a run, together with the values of its parameters.
type Reader struct {
	Info
	Values spec.Values
}

// Open makes the run of c.Readers, which must have equal values of the run's parameters; c.Values is set from the first
// reader. If the model requires a fitted base (Base.FitsFirst) and the path is Tempered, the run begins with that fit.
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
	Plan   []byte   // input that all lanes of the round share
	Lanes  int      // number of lanes
	States [][]byte // state of each lane from an earlier round, or nil
	Sweeps float64  // chain-sweeps in the round
	Time   float64  // planned time of all lanes (ns, as in Need), for progress
	// Cache, if not empty, is the cache key of partials that depend on the model alone: other runs on the model reuse
	// them.
	Cache string
}

// Work is the kind of a lane, numbered from 0 by the run.
type Work int

// Unit returns a lane of the round, ready to run.
func (r *Round) Unit(lane int) *Unit {
	u := &Unit{Round: r.Name, Work: r.Work, Plan: r.Plan, Lane: lane}
	if r.States != nil {
		u.State = r.States[lane]
	}
	return u
}

// Run runs all lanes of the round one after another in this goroutine and returns the partials and states to pass to
// Method.Next.
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
	Round string // name of the round
	Work  Work
	Plan  []byte
	Lane  int
	State []byte // in: state of the lane; out: its new state
	// Partial is the encoded result of the lane, set when the lane has finished.
	Partial []byte
	// Peek, set by the lane, encodes a valid partial of the work done so far, for running estimates. Peek is nil in
	// lanes whose unfinished work gives no estimate.
	Peek func() []byte
	// Note, if set, is called with a partial of the work up to each of certain steps, which are the same in all lanes of
	// the round. The partials of all lanes at one step give one point of the run's history.
	Note func(step int, partial []byte)
	// Watched makes the lane put pictures into the frames that it yields. The caller may change Watched between yields.
	Watched bool
	// EveryFrame reports that every watched frame is displayed and none is skipped, as in slow motion and in single steps.
	EveryFrame bool
	// Snapshots also requests pictures when a chain reaches one of the inverse temperatures of frame.SnapshotBetas, or at
	// even intervals of steps if chains change rungs.
	Snapshots bool
	// LastStep is the step of the unit's last frame, which always has pictures.
	LastStep int
}

// Method is one run, from which one or more methods make their estimates.
type Method interface {
	// Next takes the partials and states of the round that it returned before (nil at first) and returns the next
	// round, or nil when the estimate is final.
	Next(partials, states [][]byte) (*Round, error)
	// Lane runs u and yields a frame after every sweep of its rows. The frame is reused. If the loop over it ends
	// early, u has no Partial.
	Lane(u *Unit) iter.Seq[*frame.Frame]
	// Estimate returns the results so far, one for each of Config.Readers, or nil if there is no estimate yet. peeked
	// holds for each lane of the current round its final or peeked partial, nil if there is none. Estimate has no side
	// effects.
	Estimate(peeked [][]byte) []*Result
	// Sweeps returns the planned number of sweeps, summed over chains; an upper bound if a stopping rule may end a phase
	// early.
	Sweeps() float64
	// Need returns the planned memory and time of the run. The times of its rounds sum to Need.Time.
	Need() Need
}

// Phases are the first coordinate of the address of a random number (rng.At).
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
	FirstSlot           int // slot of the first row; smaller slots belong to rows of other lanes
}

// Count returns the number of lanes.
func (l Lanes) Count() int { return (l.N + l.firstShort + l.Size - 1) / l.Size }

// Span returns the slot of the first row of a lane and the number of its rows. It panics if the lane does not exist, as
// CorruptIf does.
func (l Lanes) Span(lane int) (first, n int) {
	CorruptIf(lane < 0 || lane >= l.Count())
	first = max(lane*l.Size-l.firstShort, 0)
	return l.FirstSlot + first, min((lane+1)*l.Size-l.firstShort, l.N) - first
}

// Numbers of chains (rows) in a lane of AIS and temper.RTS. The default is ten, so that workers of different speed
// finish at about the same time; the first lane has four, so that the first estimate comes early. Models that are faster
// on many rows get larger lanes: one lane of at least four and at most 100 rows for each worker if the model asks for
// large batches (Kernel.LargeBatches), else up to 25 rows if each worker then still has two lanes.
const (
	firstLaneRows   = 4
	defaultLaneRows = 10
	sharedLaneRows  = 25
	maxLaneRows     = 100
)

// Lanes divides n chains into lanes for AIS and temper.RTS.
func (c Config) Lanes(n int) Lanes {
	if c.LaneSize > 0 {
		return Lanes{N: n, Size: min(n, c.LaneSize)}
	}
	size := defaultLaneRows
	if k := models.CapabilitiesOf(c.Model).Kernel; k.Batched && c.Workers > 0 {
		share := min((n+c.Workers-1)/c.Workers, maxLaneRows)
		if k.LargeBatches {
			return Lanes{N: n, Size: max(share, min(n, firstLaneRows))}
		}
		size = max(size, min((share+1)/2, sharedLaneRows))
	}
	if n <= size {
		return Lanes{N: n, Size: n}
	}
	return Lanes{N: n, Size: size, firstShort: size - firstLaneRows}
}

// RoundSweepsOr returns RoundSweeps if it is set, else defaultSweeps, the default of the method.
func (c Config) RoundSweepsOr(defaultSweeps int) int {
	if c.RoundSweeps > 0 {
		return c.RoundSweeps
	}
	return defaultSweeps
}

// MustDecode panics with r.Err if a partial, plan or state could not be decoded. Call it before using anything that was
// read from r. Lanes and Next are parts of the same program, so damage means a bug or a message of another program. The
// engine recovers the panic and reports it as an error.
func MustDecode(r *wire.Reader) {
	if r.Err != nil {
		panic(r.Err)
	}
}

// CorruptIf panics with wire.ErrDamaged, as MustDecode does, if damaged is true: a decoded number is out of its range.
func CorruptIf(damaged bool) {
	if damaged {
		panic(wire.ErrDamaged)
	}
}

// At returns the address of the random numbers of a phase for rows whose slots begin at first.
func (c Config) At(phase uint32, first int) rng.At {
	return rng.At{Key: c.Key, Phase: phase, Slot: uint32(first)}
}

// LadderParams are the parameters that determine a ladder.
type LadderParams struct {
	Temperatures int    `param:"temperatures"`
	Schedule     string `param:"schedule"`
}

// LadderParams returns the parameters of the ladder from c.Values.
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

// Appended returns a new slice: list followed by more.
//
//go:noinline
func Appended[T any](list []T, more ...T) []T { return append(slices.Clip(list), more...) }

// Functions that initialise package variables, such as Appended and the functions below, are not inlined: Go compiles
// all initialisation of a package into one function, and a browser would spend a tenth of a second at the start on
// optimising a long function that runs once.

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

// Fill sets every element of x to value.
func Fill[T any](x []T, value T) {
	for i := range x {
		x[i] = value
	}
}

// ReadBlocks decodes the input of exact draws of the target from the plan of a unit: the log of the sum over each block
// of an enumeration (see ExactTarget). It panics, as CorruptIf does, if a log is NaN or +Inf, or if all are -Inf.
func ReadBlocks(m models.Model, plan *wire.Reader) []float64 {
	n, ok := ExactTarget(m)
	CorruptIf(!ok)
	blocks := plan.FloatsN(n)
	MustDecode(plan)
	hasWeight := n == 0
	for _, x := range blocks {
		CorruptIf(math.IsNaN(x) || math.IsInf(x, 1))
		hasWeight = hasWeight || !math.IsInf(x, -1)
	}
	CorruptIf(!hasWeight)
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
