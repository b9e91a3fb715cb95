package estimators

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/models"
)

// A floor is a lower bound of log Z that holds for certain (models.Floored). The run here finds that of the model;
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

// Bounds are bounds of log Z that hold for certain, and an approximation that is none.
type Bounds struct {
	Floor   float64 // nats; NaN without one
	Kind    string  // what the floor is made of
	Ceiling float64 // nats; NaN without one
	Bethe   float64 // nats; NaN without one
}

// floorRun is a run of one round that depends on the model alone. It has no readers.
type floorRun struct {
	m    models.Floored
	done func(Bounds)
}

// NewFloor is the run that finds the floor of m, and a ceiling where there is one, and then calls done with both;
// nil if m has no floor.
func NewFloor(m models.Model, done func(Bounds)) Method {
	if f, ok := m.(models.Floored); ok {
		return &floorRun{f, done}
	}
	return nil
}

func (f *floorRun) Next(partials, _ [][]byte) (*Round, error) {
	if partials == nil {
		return &Round{Name: "floor", Lanes: 1, Cache: "floor", Time: f.Need().Time}, nil
	}
	r := wire.Reader{B: partials[0]}
	b := Bounds{Floor: r.Float(), Kind: r.String(), Ceiling: r.Float(), Bethe: r.Float()}
	Must(&r)
	f.done(b)
	return nil, nil
}

func (f *floorRun) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		going := true
		ask := func() bool {
			going = going && yield(&frame.Frame{Phase: u.Round, Steps: 1})
			return going
		}

		// Climbs, then tables where the model has some.
		b := Bounds{Ceiling: math.NaN(), Bethe: math.NaN()}
		b.Floor, b.Kind = f.m.Floor(ask)
		if m, ok := f.m.(models.Bounded); ok && going {
			m.Between(models.Quick, ask, func(below, above float64) bool {
				if b.Ceiling = above; !(b.Floor >= below) && !math.IsInf(below, -1) {
					b.Floor, b.Kind = below, models.FloorStructured
				}
				return ask()
			})
			if z, ok := m.Bethe(ask); ok {
				b.Bethe = z
			}
		}
		if !going {
			return
		}

		// The bounds as bytes.
		var w wire.Writer
		w.Float(b.Floor)
		w.String(b.Kind)
		w.Float(b.Ceiling)
		w.Float(b.Bethe)
		u.Partial = w.B
	}
}

func (f *floorRun) Estimate([][]byte) []*Result { return nil }
func (f *floorRun) Sweeps() float64             { return 0 }

// ClimbedChains is the number of chains whose states are climbed from, ClimbedParticles that of particles of an island.
const ClimbedChains, ClimbedParticles = 8, 2

// Climb lists the lower bounds that climbs from the first n rows end at (nats); nil where the model does not climb from
// states, and in auxiliary runs.
func (c Config) Climb(n int, read func(n int, f *frame.Frame)) (bounds []float64) {
	m, ok := c.Model.(models.Climber)
	if !ok || n <= 0 || c.Auxiliary {
		return nil
	}
	var f frame.Frame
	read(n, &f)
	size := len(f.Pixels) / n
	for r := range n {
		bounds = append(bounds, m.Climb(f.Pixels[r*size:(r+1)*size]))
	}
	return bounds
}
