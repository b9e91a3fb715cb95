package estimators

import (
	"iter"
	"math"

	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/models"
)

// A floor is a certain lower bound of log Z (models.Bounds); a ceiling is a certain upper bound. floorRun computes the
// bounds of the model. Methods that end with samples of the target also climb from some of these samples to nearby
// modes, each of which gives a lower bound: see Result.Climbed.

// The floor refutes an estimate that is lower by more than floorBars standard errors and more than FloorSlack nats.
// FloorSlack exceeds rounding and the error of interpolated densities. If the floor is close to log Z, smaller
// differences are the sampling noise of a correct estimate.
const (
	floorBars  = 2
	FloorSlack = .02
)

// BelowFloor reports whether the floor refutes an estimate with standard error se (nats).
func BelowFloor(logZ, se, floor float64) bool {
	return floor-logZ > max(num.Mul(floorBars, se), FloorSlack)
}

// AboveCeiling reports whether the ceiling refutes an estimate with standard error se (nats).
func AboveCeiling(logZ, se, ceiling float64) bool { return BelowFloor(-logZ, se, -ceiling) }

// Bounds are certain lower and upper bounds of log Z.
type Bounds struct {
	Floor   float64 // nats; NaN if unknown
	Kind    string  // how the floor was computed
	Ceiling float64 // nats; NaN if unknown
}

// encode is the inverse of ReadBounds.
func (b *Bounds) encode() []byte {
	var w wire.Writer
	w.Floats([]float64{b.Floor, b.Ceiling})
	w.String(b.Kind)
	return w.B
}

// ReadBounds decodes a partial of a run made by NewFloor.
func ReadBounds(partial []byte) (b Bounds, err error) {
	r := wire.Reader{B: partial}
	x := r.FloatsN(2)
	return Bounds{Floor: x[0], Kind: r.String(), Ceiling: x[1]}, r.Err
}

// floorRun is a run of one lane that computes certain bounds of log Z. No method makes an estimate from it.
type floorRun struct {
	m      models.Model
	dim    int
	effort factor.Effort // limit on the tables of structured bounds
	done   func(Bounds)
}

// NewFloor returns the run that computes the floor of m, and a ceiling if the model has one, within the given effort, and
// then calls done with the bounds. It returns nil if m has no floor. Peeked partials of the run are valid bounds, too.
func NewFloor(m models.Model, effort factor.Effort, done func(Bounds)) Method {
	if models.CapabilitiesOf(m).Bounds.Floor != nil {
		return &floorRun{m, m.Info().Dim, effort, done}
	}
	return nil
}

func (f *floorRun) Next(partials, _ [][]byte) (*Round, error) {
	if partials == nil {
		r := &Round{Name: "floor", Lanes: 1, Time: f.Need().Time}
		if f.effort == models.QuickEffort {
			r.Cache = "floor" // the method auto uses these bounds, so bounds of a larger effort must not replace them
		}
		var w wire.Writer
		w.Floats([]float64{f.effort.Entries, f.effort.Bytes})
		r.Plan = w.B
		return r, nil
	}
	b, err := ReadBounds(partials[0])
	if err == nil {
		f.done(b)
	}
	return nil, err
}

func (f *floorRun) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		x := plan.FloatsN(2)
		MustDecode(&plan)
		effort := factor.Effort{Entries: x[0], Bytes: x[1]}
		isRunning, progress := true, &frame.Frame{Phase: u.Round, Steps: max(1, int(f.entries(effort)/entriesPerCheck))}
		shouldContinue := func() bool {
			progress.Step = min(progress.Step+1, progress.Steps-1)
			isRunning = isRunning && yield(progress)
			return isRunning
		}

		// First the lower bound by climbing, then structured bounds by tables if the model has them.
		b := Bounds{Floor: math.NaN(), Ceiling: math.NaN()}
		u.Peek = b.encode
		capabilities := models.CapabilitiesOf(f.m).Bounds
		b.Floor, b.Kind = capabilities.Floor(shouldContinue)
		if capabilities.Narrow != nil && isRunning {
			capabilities.Narrow(effort, shouldContinue, func(below, above float64) bool {
				if b.Ceiling = above; !(b.Floor >= below) && !math.IsInf(below, -1) {
					b.Floor, b.Kind = below, models.FloorStructured
				}
				return shouldContinue()
			})
		}
		if isRunning {
			u.Partial = b.encode()
		}
	}
}

func (f *floorRun) Estimate([][]byte) []*Result { return nil }
func (f *floorRun) Sweeps() float64             { return 0 }

// ClimbedChains is the number of chains from whose last states Climb starts; ClimbedParticles is the number of particles
// of each island from which it starts.
const ClimbedChains, ClimbedParticles = 8, 2

// Climb climbs from each of the first n rows, whose states read puts into a frame, and returns the lower bounds of log Z
// (nats). It returns nil if the model has no such bounds (Bounds.FloorFrom), and in auxiliary runs.
func (c Config) Climb(n int, read func(n int, f *frame.Frame)) (bounds []float64) {
	climb := models.CapabilitiesOf(c.Model).Bounds.FloorFrom
	if climb == nil || n <= 0 || c.Auxiliary {
		return nil
	}
	var f frame.Frame
	read(n, &f)
	size := len(f.Pixels) / n
	for r := range n {
		bounds = append(bounds, climb(f.Pixels[r*size:(r+1)*size]))
	}
	return bounds
}
