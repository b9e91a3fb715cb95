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

// A floor is a certain lower bound of log Z (models.Bounds). floorRun computes the floor of the model. Methods that end
// with samples of the target also climb from some of them: see Result.Climbed.

// The floor refutes an estimate below it by more than floorBars error bars and more than FloorSlack nats. FloorSlack
// exceeds rounding and the error of interpolated densities. Smaller differences are the noise of a sound estimate if
// the floor is close to log Z.
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

// ReadBounds decodes the partial of a run of NewFloor.
func ReadBounds(partial []byte) (b Bounds, err error) {
	r := wire.Reader{B: partial}
	x := r.FloatsN(2)
	return Bounds{Floor: x[0], Kind: r.String(), Ceiling: x[1]}, r.Err
}

// floorRun is a run of one round that depends on the model alone. It has no readers.
type floorRun struct {
	m      models.Model
	dim    int
	effort factor.Effort // limit on the tables of structured bounds
	done   func(Bounds)
}

// NewFloor returns the run that computes the floor of m, and a ceiling if the model has one, within the effort most,
// and then calls done with both; nil if m has no floor. Its peeked partials are valid bounds, too.
func NewFloor(m models.Model, most factor.Effort, done func(Bounds)) Method {
	if models.CapabilitiesOf(m).Bounds.Floor != nil {
		return &floorRun{m, m.Info().Dim, most, done}
	}
	return nil
}

func (f *floorRun) Next(partials, _ [][]byte) (*Round, error) {
	if partials == nil {
		r := &Round{Name: "floor", Lanes: 1, Time: f.Need().Time}
		if f.effort == models.QuickEffort {
			r.Cache = "floor" // auto reads it: its result must not depend on whether a larger effort was cached
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
		most := factor.Effort{Entries: x[0], Bytes: x[1]}
		going, view := true, &frame.Frame{Phase: u.Round, Steps: max(1, int(f.entries(most)/entriesPerCheck))}
		ask := func() bool {
			view.Step = min(view.Step+1, view.Steps-1)
			going = going && yield(view)
			return going
		}

		// Climbs, then tables if the model has them.
		b := Bounds{Floor: math.NaN(), Ceiling: math.NaN()}
		u.Peek = b.encode
		can := models.CapabilitiesOf(f.m).Bounds
		b.Floor, b.Kind = can.Floor(ask)
		if can.Narrow != nil && going {
			can.Narrow(most, ask, func(below, above float64) bool {
				if b.Ceiling = above; !(b.Floor >= below) && !math.IsInf(below, -1) {
					b.Floor, b.Kind = below, models.FloorStructured
				}
				return ask()
			})
		}
		if going {
			u.Partial = b.encode()
		}
	}
}

func (f *floorRun) Estimate([][]byte) []*Result { return nil }
func (f *floorRun) Sweeps() float64             { return 0 }

// ClimbedChains is the number of chains to climb from; ClimbedParticles is the number of particles of each island.
const ClimbedChains, ClimbedParticles = 8, 2

// Climb climbs from the first n rows and returns the lower bounds reached (nats); nil if the model does not climb from
// states, and in auxiliary runs.
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
