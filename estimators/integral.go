package estimators

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/core/wire"
	"logzlab/models"
)

// integralRun is a run of one lane that integrates a model of few coordinates by cubature. No method makes
// an estimate from it.
type integralRun struct {
	m    models.Model
	i    models.Integral
	done func(*models.Truth)
}

func (r *integralRun) Next(partials, _ [][]byte) (*Round, error) {
	if partials == nil {
		return &Round{Name: "exact", Lanes: 1, Cache: ExactCache, Time: r.i.IntegralTime()}, nil
	}
	in := wire.Reader{B: partials[0]}
	x := in.FloatsN(2)
	t := &models.Truth{LogZ: x[0], Error: x[1], Source: in.String()}
	MustDecode(&in)
	if math.IsNaN(t.LogZ) {
		t = nil
	}
	r.done(t)
	return nil, nil
}

// integralFrames is the largest number of frames of the lane.
const integralFrames = 400

func (r *integralRun) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		view := &frame.Frame{Phase: "exact", Steps: integralFrames}
		t, err := r.i.Integrate(func(share float64) bool {
			if step := int(share * integralFrames); step > view.Step {
				view.Step = min(step, integralFrames-1)
				return yield(view)
			}
			return true
		})
		switch {
		case err != nil:
			t = &models.Truth{LogZ: math.NaN()}
		case t == nil:
			return
		}
		var w wire.Writer
		w.Floats([]float64{t.LogZ, t.Error})
		w.String(t.Source)
		u.Partial = w.B
	}
}

func (r *integralRun) Estimate([][]byte) []*Result { return nil }
func (r *integralRun) Sweeps() float64             { return 0 }

// Need counts the cells of the partition.
func (r *integralRun) Need() Need {
	const cells = 64 << 20
	c := models.CostOf(r.m)
	return Need{Lanes: 1, Lane: c.Overhead + cells, Shared: c.Shared, Time: r.i.IntegralTime()}
}
