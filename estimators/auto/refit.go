package auto

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// rough makes samples that are roughly like the target: chains that are cooled in few even steps.
type rough struct {
	estimators.Config
	estimators.Lanes
	ladder  []float64
	started bool
	on      []float64 // sum of models.Counter over all chains
}

// Chains and sweeps of rough samples.
const (
	roughChains = 100
	roughSweeps = 75
)

// afterRefit is a run from a base that is fitted to rough samples, where the model has one that can be. log Z of the
// target does not depend on the base, so rough samples cost work and add no bias.
func afterRefit(c estimators.Config, make estimators.Maker) (estimators.Method, error) {
	m, ok := c.Model.(models.Refittable)
	run, err := make(c)
	if _, exact := estimators.ExactTarget(c.Model); err != nil || !ok || exact || !m.Refits() {
		return run, err
	}
	s := &rough{Config: c, Lanes: c.Lanes(roughChains)}
	s.Key[1] += 2 // a pilot has the key between
	for k := range roughSweeps + 1 {
		s.ladder = append(s.ladder, float64(k)/roughSweeps)
	}
	return &estimators.WithPilot{Pilot: s, Name: estimators.BaseRound, Mark: estimators.WorkRefit, Run: run,
		Learn: func() []byte {
			var w wire.Writer
			w.Floats(s.on)
			return w.B
		},
		Begin: func(found []byte) (estimators.Method, error) {
			r := wire.Reader{B: found}
			on, fitted := r.Floats(), c
			estimators.Must(&r)
			fitted.Model, fitted.Fitted = m.Refit(on, roughChains), true
			return make(fitted)
		},
		AddDiagnostics: func(r *estimators.Result) { r.Diagnose(estimators.DiagBaseSamples, roughChains) }}, nil
}

func (s *rough) Next(partials, _ [][]byte) (*estimators.Round, error) {
	if !s.started {
		s.started = true
		return &estimators.Round{Lanes: s.Count(), Sweeps: s.Sweeps(), Time: s.Need().Time}, nil
	}
	for _, p := range partials {
		r := wire.Reader{B: p}
		on := r.Floats()
		if s.on == nil {
			s.on = make([]float64, len(on))
		}
		if len(on) != len(s.on) {
			r.Err = wire.ErrShort
		}
		estimators.Must(&r)
		for i, x := range on {
			s.on[i] += x
		}
	}
	return nil, nil
}

func (s *rough) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, _ := s.Span(u.Lane)
		v := estimators.NewView(s.Config, s.ladder, u, s.Lanes)
		v.LogW, v.Frame.Steps, u.Last = nil, roughSweeps, roughSweeps
		at := s.At(estimators.PhaseForward, first)
		v.Pop.Draw(s.At(estimators.PhaseStart, first))
		for k := 1; k <= roughSweeps; k++ {
			estimators.Fill(v.Rung, k)
			v.Pop.Move(at, v.Rung, false)
			at.Step++
			if !yield(v.Show(int(at.Step))) {
				return
			}
		}
		var w wire.Writer
		w.Floats(v.Pop.(models.Counter).Count())
		u.Partial = w.B
	}
}

func (s *rough) Estimate([][]byte) []*estimators.Result { return nil }

func (s *rough) Sweeps() float64 { return roughChains * roughSweeps }

// Need counts the states and sums of each lane.
func (s *rough) Need() estimators.Need {
	p, lanes := s.Costs(), float64(s.Count())
	return estimators.Need{Lanes: lanes, Held: 8 * lanes * float64(s.Model.Info().Dim),
		Lane: p.Lane(s.Size, len(s.ladder), 0, 8),
		Time: roughChains * (num.Mul(roughSweeps, p.Sweep) + p.Draw)}
}
