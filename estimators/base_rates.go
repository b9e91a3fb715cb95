package estimators

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/wire"
	"logzlab/models"
)

// BaseRound is the name of rounds that compute base rates or fit a base.
const BaseRound = "base rates"

// baseBlocks is the number of blocks of the enumeration in each lane.
const baseBlocks = 4

// baseRates is a run of one round that computes the base rates of an RBM without given ones: the means of its visible
// units under the target, by enumeration in blocks. The partials depend on the model alone.
type baseRates struct {
	m     models.Model
	rates models.BaseFinder
	done  func(models.Model)
}

// NewBaseRates returns the run that computes base rates for m and then calls done with a copy of m that starts from
// these rates. It returns nil if m needs no base rates. The run gives no estimate of log Z.
func NewBaseRates(m models.Model, done func(models.Model)) Method {
	if rates := models.CapabilitiesOf(m).Base.Finder; rates != nil && rates.BaseBlocks() > 0 {
		return &baseRates{m, rates, done}
	}
	return nil
}

func (b *baseRates) lanes() Lanes { return Lanes{N: b.rates.BaseBlocks(), Size: baseBlocks} }

func (b *baseRates) Next(partials, _ [][]byte) (*Round, error) {
	if partials == nil {
		return &Round{Name: BaseRound, Lanes: b.lanes().Count(), Cache: "base rates", Time: b.Need().Time}, nil
	}
	logw, mean := make([]float64, b.rates.BaseBlocks()), make([][]float64, b.rates.BaseBlocks())
	for lane, p := range partials {
		r := wire.Reader{B: p}
		first, n := b.lanes().Span(lane)
		for i := first; i < first+n; i++ {
			logw[i], mean[i] = r.Float(), r.Floats()
		}
		MustDecode(&r)
	}
	m, err := b.rates.WithBase(models.BaseRates(logw, mean), nil)
	if err == nil {
		b.done(m)
	}
	return nil, err
}

func (b *baseRates) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, n := b.lanes().Span(u.Lane)
		f := frame.Frame{Phase: u.Round, Steps: n}
		var w wire.Writer
		for i := first; i < first+n; i++ {
			logw, mean := b.rates.BlockMean(i)
			w.Float(logw)
			w.Floats(mean)
			f.Step++
			if !yield(&f) {
				return
			}
		}
		u.Partial = w.B
	}
}

func (b *baseRates) Estimate([][]byte) []*Result { return nil }
func (b *baseRates) Sweeps() float64             { return 0 }
