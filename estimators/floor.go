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

// A floor is a lower bound of log Z that holds for certain (models.Bounds). The run here finds that of the model;
// methods that end with samples of the target climb from some of them, see Result.Climbed.

// An estimate is refuted if it lies below the floor by more than floorBars of its error bars and FloorSlack nats, which
// is more than rounding and the interpolation of densities move it. Less is the noise of an honest estimate where the
// floor is close to log Z.
const (
	floorBars  = 2
	FloorSlack = .02
)

// BelowFloor reports whether a floor refutes an estimate with the standard error se (nats).
func BelowFloor(logZ, se, floor float64) bool {
	return floor-logZ > max(num.Mul(floorBars, se), FloorSlack)
}

// AboveCeiling reports whether a ceiling refutes an estimate with the standard error se (nats).
func AboveCeiling(logZ, se, ceiling float64) bool { return BelowFloor(-logZ, se, -ceiling) }

// Bounds are a lower and an upper bound of log Z, both certain.
type Bounds struct {
	Floor   float64 // nats; NaN without one
	Kind    string  // what the floor is made of
	Ceiling float64 // nats; NaN without one
}

// bytes are read by ReadBounds.
func (b *Bounds) bytes() []byte {
	var w wire.Writer
	w.Floats([]float64{b.Floor, b.Ceiling})
	w.String(b.Kind)
	return w.B
}

// ReadBounds are the bounds of a partial of a run of NewFloor.
func ReadBounds(partial []byte) (b Bounds, err error) {
	r := wire.Reader{B: partial}
	x := r.Exactly(2)
	return Bounds{Floor: x[0], Kind: r.String(), Ceiling: x[1]}, r.Err
}

// floorRun is a run of one round that depends on the model alone. It has no readers.
type floorRun struct {
	m    models.Model
	dim  int
	most factor.Effort // of the tables of an interval
	done func(Bounds)
}

// NewFloor is the run that finds the floor of m, and a ceiling where there is one, by tables of so much effort, and
// then calls done with both; nil if m has no floor. What it peeks at are bounds, too.
func NewFloor(m models.Model, most factor.Effort, done func(Bounds)) Method {
	if models.Can(m).Bounds.Floor != nil {
		return &floorRun{m, m.Info().Dim, most, done}
	}
	return nil
}

func (f *floorRun) Next(partials, _ [][]byte) (*Round, error) {
	if partials == nil {
		r := &Round{Name: "floor", Lanes: 1, Time: f.Need().Time}
		if f.most == models.QuickEffort {
			r.Cache = "floor" // auto reads it: its digits do not depend on who has waited for more
		}
		var w wire.Writer
		w.Floats([]float64{f.most.Entries, f.most.Bytes})
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
		x := plan.Exactly(2)
		MustDecode(&plan)
		most := factor.Effort{Entries: x[0], Bytes: x[1]}
		going, view := true, &frame.Frame{Phase: u.Round, Steps: max(1, int(f.entries(most)/entriesAsked))}
		ask := func() bool {
			view.Step = min(view.Step+1, view.Steps-1)
			going = going && yield(view)
			return going
		}

		// Climbs, then tables where the model has some.
		b := Bounds{Floor: math.NaN(), Ceiling: math.NaN()}
		u.Peek = b.bytes
		can := models.Can(f.m).Bounds
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
			u.Partial = b.bytes()
		}
	}
}

func (f *floorRun) Estimate([][]byte) []*Result { return nil }
func (f *floorRun) Sweeps() float64             { return 0 }

// ClimbedChains is the number of chains whose states are climbed from, ClimbedParticles that of particles of an island.
const ClimbedChains, ClimbedParticles = 8, 2

// Climb lists the lower bounds that climbs from the first n rows end at (nats); nil where the model does not climb from
// states, and in auxiliary runs.
func (c Config) Climb(n int, read func(n int, f *frame.Frame)) (bounds []float64) {
	climb := models.Can(c.Model).Bounds.FloorFrom
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
