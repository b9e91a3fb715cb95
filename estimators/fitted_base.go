package estimators

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/models"
)

// baseSamples is a run that makes approximate samples of the target: chains that are annealed in a few even steps.
type baseSamples struct {
	Config
	Lanes
	ladder  []float64
	started bool
	counts  []float64 // sums of models.RowCapabilities.RefitSums over all chains
	spent   float64   // log density evaluations outside sweeps
}

// BaseChains and BaseSweeps are the number of chains that a base is fitted to, and the sweeps of each.
const (
	BaseChains = 100
	BaseSweeps = 75
)

// AfterFit returns a run that first makes approximate samples and fits the base to them, if the model has such a base;
// otherwise it returns make(c). log Z of the target does not depend on the base, so approximate samples cost work but
// add no bias.
func AfterFit(c Config, make Maker) (Method, error) { return AfterSamples(c, BaseSweeps, make) }

// AfterSamples is AfterFit with the given number of sweeps for each chain.
func AfterSamples(c Config, sweeps int, make Maker) (Method, error) {
	base := models.CapabilitiesOf(c.Model).Base
	run, err := make(c)
	if err != nil || base.Refit == nil {
		return run, err
	}

	// Chains for the samples, with their own random numbers.
	s := &baseSamples{Config: c, Lanes: c.Lanes(BaseChains)}
	if base.FitByImportance != nil { // for points, the rounding of the sums depends on the lanes
		s.Lanes = Config{}.Lanes(BaseChains)
	}
	s.Key[1] += 2 // a pilot uses the key in between
	for k := range sweeps + 1 {
		s.ladder = append(s.ladder, float64(k)/float64(sweeps))
	}

	// A base fitted to the samples, if their covariance allows it.
	fits := false
	return &WithPilot{Pilot: s, Name: BaseRound, Mark: WorkRefit, Run: run,
		Learn: func() []byte {
			var w wire.Writer
			w.Floats(s.counts)
			return w.B
		},
		Begin: func(found []byte) (Method, error) {
			r := wire.Reader{B: found}
			on, fitted := r.FloatsN(len(models.RowCapabilitiesOf(s.Model.New(1, s.ladder)).RefitSums())), c
			MustDecode(&r)
			fitted.Model = base.Refit(on, BaseChains)
			fits = models.CapabilitiesOf(fitted.Model).Base.Refit == nil // otherwise the samples had no usable covariance
			few := !fits || c.Model.Info().Dim >= BaseChains             // the covariance may be singular except for rounding
			if base.FitByImportance != nil && few {
				fitted.Model, _ = base.FitByImportance() // made from more points than there are samples
			}
			fitted.Fitted = fits
			return make(fitted)
		},
		AddDiagnostics: func(r *Result) {
			if fits {
				r.Diagnose(DiagBaseSamples, BaseChains)
			}
			r.Evaluations += s.spent
		}}, nil
}

func (b *baseSamples) Next(partials, _ [][]byte) (*Round, error) {
	if !b.started {
		b.started = true
		return &Round{Lanes: b.Count(), Sweeps: b.Sweeps(), Time: b.Need().Time}, nil
	}
	for _, p := range partials {
		r := wire.Reader{B: p}
		b.spent += r.Float()
		on := r.Floats()
		if b.counts == nil {
			b.counts = make([]float64, len(on))
		}
		if len(on) != len(b.counts) {
			r.Err = wire.ErrDamaged
		}
		MustDecode(&r)
		for i, x := range on {
			b.counts[i] += x
		}
	}
	return nil, nil
}

func (b *baseSamples) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, n := b.Span(u.Lane)
		c, spent := b.Config, 0
		if rough := models.CapabilitiesOf(c.Model).Base.FitByImportance; rough != nil { // points: each draw costs an evaluation
			if c.Model, spent = rough(); u.Lane > 0 { // the search for the base is counted once
				spent = 0
			}
			spent += n
		}
		v := NewView(c, b.ladder, u, b.Lanes)
		v.LogW, v.Frame.Steps, u.Last = nil, b.sweeps(), b.sweeps()
		at := b.At(PhaseForward, first)
		v.Pop.Draw(b.At(PhaseStart, first))
		for k := 1; k <= b.sweeps(); k++ {
			Fill(v.Rung, int32(k))
			v.Pop.Move(at, v.Rung, false)
			at.Step++
			if !yield(v.Show(int(at.Step))) {
				return
			}
		}
		var w wire.Writer
		w.Float(float64(spent))
		w.Floats(v.Can.RefitSums())
		u.Partial = w.B
	}
}

func (b *baseSamples) Estimate([][]byte) []*Result { return nil }

// sweeps returns the number of sweeps of a chain.
func (b *baseSamples) sweeps() int { return len(b.ladder) - 1 }

func (b *baseSamples) Sweeps() float64 { return BaseChains * float64(b.sweeps()) }

// Need counts the states and sums of each lane.
func (b *baseSamples) Need() Need {
	p, lanes := b.Costs(), float64(b.Count())
	return Need{Lanes: lanes, Held: 8 * lanes * float64(b.Model.Info().Dim),
		Lane: p.Lane(b.Size, len(b.ladder), 0, 8),
		Time: BaseChains * (num.Mul(float64(b.sweeps()), p.Sweep) + p.Draw)}
}
