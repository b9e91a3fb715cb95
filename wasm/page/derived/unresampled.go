package derived

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/smc"
	"logzlab/models"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// unresampled is a small run of sequential Monte Carlo with one group of particles, without resampling, with the seed
// densityKey the experiment. It runs between runs while the scene of resampling is on show.
type unresampled struct {
	of    models.Model
	link  string
	next  func() (*frame.Frame, bool) // nil if there is no run, or it has ended
	stop  func()
	found *frame.Unresampled
}

// Sizes of the run: its particles, its steps, and its sweeps of a particle.
const (
	fewParticles = 32
	fewSteps     = 100
	fewMoves     = 4
)

// advance continues the run, and reports whether it has just ended.
func (x *unresampled) advance(s *state.Snapshot, now func() float64) (news bool) {
	if s.Model == nil || s.State.Busy() || scene.On(s) != scene.Resampling ||
		!scene.NeverResamples(s) {
		return false
	}
	if link := s.Spec.Only(s.Names(), s.OnShow).Link(); x.of != s.Model || x.link != link {
		x.begin(s, link)
	}
	for start := now(); x.next != nil && now()-start < stepSeconds; {
		f, more := x.next()
		if !more || x.note(f) {
			x.stop()
			x.next = nil
			return true
		}
	}
	return false
}

// begin starts the run for the current experiment, if possible.
func (x *unresampled) begin(s *state.Snapshot, link string) {
	if x.stop != nil {
		x.stop()
	}
	*x = unresampled{of: s.Model, link: link}
	params, _ := s.Names().MethodParams(smc.SMC.Name)
	v := s.Spec.Values(params, s.OnShow)
	var p struct {
		Particles float64 `param:"particles"`
		Moves     float64 `param:"moves"`
	}
	v.Fill(&p)
	particles := min(p.Particles, fewParticles)
	_, steps := s.ScheduleOf(s.OnShow)
	steps = min(steps, fewSteps)
	v["ess"], v["adaptive"], v["islands"] = "0", "no", "1"
	v["particles"] = spec.Decimal(particles)
	v["temperatures"] = spec.Decimal(float64(steps + 1))
	v["moves"] = spec.Decimal(min(max(p.Moves, 1), fewMoves))
	m, err := estimators.Open(estimators.Config{Readers: []estimators.Reader{{Info: smc.SMC, Values: v}}, Model: s.Model,
		Key: rng.NewKey(s.Spec.Seed, smc.SMC.Name, 0), PathStats: s.PathStats})
	if err != nil {
		return
	}
	x.found = &frame.Unresampled{N: int(particles)}
	x.next, x.stop = iter.Pull(frames(m))
}

// frames yields the frames of a run, one lane after the other.
func frames(m estimators.Method) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		round, err := m.Next(nil, nil)
		for err == nil && round != nil {
			var partials, states [][]byte
			for lane := range round.Lanes {
				u := round.Unit(lane)
				u.Watched, u.EveryFrame = true, true
				for f := range m.Lane(u) {
					if !yield(f) {
						return
					}
				}
				partials, states = append(partials, u.Partial), append(states, u.State)
			}
			round, err = m.Next(partials, states)
		}
	}
}

// note stores the weights at a new temperature, and reports whether it is the last one.
func (x *unresampled) note(f *frame.Frame) (last bool) {
	if f.Weighing == nil || f.Weighing.Phase != frame.PhaseReweight || len(f.LogW) != x.found.N {
		return false
	}
	x.found.Beta = append(x.found.Beta, f.Beta[0])
	for _, w := range f.LogW {
		x.found.Shares = append(x.found.Shares, float32(num.Exp(float64(w)))) // they are normalised
	}
	return f.Beta[0] == 1
}
