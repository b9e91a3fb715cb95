package estimators

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/models"
)

// baseSamples is a run that makes approximate samples of the target: chains that are annealed in a few steps at evenly
// spaced inverse temperatures.
type baseSamples struct {
	Config
	Lanes
	ladder      []float64
	started     bool
	sums        []float64 // sums of models.RowCapabilities.RefitSums over all chains
	evaluations float64   // number of log density evaluations outside sweeps
}

// BaseChains is the number of chains whose final states a base is fitted to; BaseSweeps is the number of sweeps of each.
const (
	BaseChains = 100
	BaseSweeps = 75
)

// AfterFit returns a run that first makes approximate samples of the target and fits the base to them, if the model has
// a base that can be fitted (Base.Refit); otherwise it returns make(c). log Z of the target does not depend on the base,
// so the samples need not be exact: they add no bias.
func AfterFit(c Config, make Maker) (Method, error) { return AfterSamples(c, BaseSweeps, make) }

// AfterSamples is AfterFit with the given number of sweeps for each chain.
func AfterSamples(c Config, sweeps int, make Maker) (Method, error) {
	base := models.CapabilitiesOf(c.Model).Base
	run, err := make(c)
	if err != nil || base.Refit == nil {
		return run, err
	}

	// The pilot: chains with their own random numbers.
	s := &baseSamples{Config: c, Lanes: c.Lanes(BaseChains)}
	if base.FitByImportance != nil { // real coordinates: the rounding of the sums depends on the lanes, so they must be the default ones
		s.Lanes = Config{}.Lanes(BaseChains)
	}
	s.Key[1] += 2 // Key[1]+1 is the key of a pilot for the schedule
	for k := range sweeps + 1 {
		s.ladder = append(s.ladder, float64(k)/float64(sweeps))
	}

	// The run on the base fitted to the samples. If their covariance is not usable, the base of FitByImportance
	// takes its place where the model has one.
	fits := false
	return &WithPilot{Pilot: s, Name: BaseRound, Mark: RefitMark, Run: run,
		Findings: func() []byte {
			var w wire.Writer
			w.Floats(s.sums)
			return w.B
		},
		Begin: func(found []byte) (Method, error) {
			r := wire.Reader{B: found}
			sums, config := r.FloatsN(len(models.RowCapabilitiesOf(s.Model.New(1, s.ladder)).RefitSums())), c
			MustDecode(&r)
			config.Model = base.Refit(sums, BaseChains)
			fits = models.CapabilitiesOf(config.Model).Base.Refit == nil // a fitted model has no Refit; otherwise the samples had no usable covariance
			tooFew := !fits || c.Model.Info().Dim >= BaseChains          // the covariance may be singular up to rounding
			if base.FitByImportance != nil && tooFew {
				config.Model, _ = base.FitByImportance() // this base is fitted to more points than there are samples
			}
			config.BaseFitted = fits
			return make(config)
		},
		AddDiagnostics: func(r *Result) {
			if fits {
				r.Diagnose(DiagBaseSamples, BaseChains)
			}
			r.Evaluations += s.evaluations
		}}, nil
}

func (b *baseSamples) Next(partials, _ [][]byte) (*Round, error) {
	if !b.started {
		b.started = true
		return &Round{Lanes: b.Count(), Sweeps: b.Sweeps(), Time: b.Need().Time}, nil
	}
	for _, p := range partials {
		r := wire.Reader{B: p}
		b.evaluations += r.Float()
		laneSums := r.Floats()
		if b.sums == nil {
			b.sums = make([]float64, len(laneSums))
		}
		if len(laneSums) != len(b.sums) {
			r.Err = wire.ErrDamaged
		}
		MustDecode(&r)
		for i, x := range laneSums {
			b.sums[i] += x
		}
	}
	return nil, nil
}

func (b *baseSamples) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, n := b.Span(u.Lane)
		c, evaluations := b.Config, 0
		if fitByImportance := models.CapabilitiesOf(c.Model).Base.FitByImportance; fitByImportance != nil { // real coordinates: each draw of the base takes a log density evaluation
			if c.Model, evaluations = fitByImportance(); u.Lane > 0 { // the search for the base is counted in the first lane only
				evaluations = 0
			}
			evaluations += n
		}
		v := NewView(c, b.ladder, u, b.Lanes)
		v.LogW, v.Frame.Steps, u.LastStep = nil, b.sweeps(), b.sweeps()
		address := b.At(PhaseForward, first)
		v.Pop.Draw(b.At(PhaseStart, first))
		for k := 1; k <= b.sweeps(); k++ {
			Fill(v.Rung, int32(k))
			v.Pop.Move(address, v.Rung, false)
			address.Step++
			if !yield(v.Show(int(address.Step))) {
				return
			}
		}
		var w wire.Writer
		w.Float(float64(evaluations))
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
	return Need{Lanes: lanes, Retained: 8 * lanes * float64(b.Model.Info().Dim),
		Lane: p.Lane(b.Size, len(b.ladder), 0, 8),
		Time: BaseChains * (num.Mul(float64(b.sweeps()), p.Sweep) + p.Draw)}
}
