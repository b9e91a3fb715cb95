package rbm

import (
	"errors"
	"math"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/problem"
	"logzlab/core/wire"
)

// MaxBatch is the largest batch: integer sums over it must stay below 2^30.
const MaxBatch = 1000

// NewTrainer returns a training run before its first update. Errors name invalid data or parameters.
func NewTrainer(bits []uint8, m int, t Training) (*Trainer, error) {
	if m <= 0 || len(bits) == 0 || len(bits)%m != 0 {
		return nil, errors.New("train: the data are not rows of the given length")
	}
	if t.Hidden <= 0 || t.Batch <= 0 || t.Steps <= 0 {
		return nil, errors.New("train: hidden, batch and k must be positive")
	}
	if n := len(bits) / m; t.Batch > n {
		return nil, problem.New("train: %d rows of data are fewer than a batch of %d; give a smaller batch", n, t.Batch)
	}
	if t.Batch > MaxBatch {
		return nil, problem.New("train: a batch of %d is above the limit of %d", t.Batch, MaxBatch)
	}
	return newTrainer(bits, m, t), nil
}

// ModelSample is a sample of the visible units and its weight; the weights of all samples of a Step sum to 1.
type ModelSample struct {
	V      []uint8
	Weight float64
}

// Step performs one update. With Tracked, the model's part of the gradient is the weighted mean over samples. If the
// weights diverge, it returns an error and the parameters are unchanged.
func (r *Trainer) Step(samples []ModelSample) error {
	t, u := r.t, r.updateCount
	r.drawBatch(u)
	if err := r.pack(); err != nil {
		return err
	}
	parallel(t.Batch, func(i int) { r.chains[i].run(r, uint32(u)) })
	if t.Tracked {
		r.setSamples(samples)
	}
	rateFactor := t.Last + num.Mul(1-t.Last, float64(t.Updates-u)/float64(t.Updates))
	r.ascend(num.Mul(t.Rate, rateFactor))
	r.updateCount++
	return nil
}

// Weights returns the parameters so far; they change with the next update.
func (r *Trainer) Weights() *Weights { return r.w }

// Done returns the number of updates so far.
func (r *Trainer) Done() int { return r.updateCount }

// Append encodes the state of the run; Load restores it in a new run with the same parameters and data.
func (r *Trainer) Append(w *wire.Writer) {
	w.Int(r.updateCount)
	for _, x := range [][]float64{r.w.W, r.w.C, r.w.B, r.lambda} {
		w.Floats(x)
	}
	w.Int32s(r.order)
	w.Int(r.next)
	w.Int(int(r.epoch))
	for _, c := range r.chains {
		w.Bits(c.v)
	}
}

// Load restores the state that Append encoded.
func (r *Trainer) Load(in *wire.Reader) {
	r.updateCount = in.IntWithin(0, r.t.Updates)
	for _, x := range [][]float64{r.w.W, r.w.C, r.w.B, r.lambda} {
		if y := in.Floats(); len(y) == len(x) {
			copy(x, y)
		} else {
			in.Err = wire.ErrDamaged
		}
	}
	order := in.Int32s()
	r.next, r.epoch = in.Int(), uint32(in.Int())
	if len(order) != len(r.order) || r.next < 0 || r.next > len(order) {
		in.Err = wire.ErrDamaged
		return
	}
	for i, at := range order {
		if at < 0 || int(at) >= len(order) {
			in.Err = wire.ErrDamaged
			return
		}
		r.order[i] = at
	}
	for _, c := range r.chains {
		in.Bits(c.v)
	}
}

// setSamples makes samples the model's part of the gradient. Their weights, times the batch size, are rounded to
// multiples of 2^-probBits; samples whose weight rounds to 0 are dropped.
func (r *Trainer) setSamples(samples []ModelSample) {
	n := 0
	for _, s := range samples {
		weight := int64(math.RoundToEven(num.Mul(s.Weight, float64(r.t.Batch<<probBits))))
		if weight == 0 {
			continue
		}
		if n == len(r.sampleSpace) {
			r.sampleSpace = append(r.sampleSpace, &chain{pm: make([]int32, r.w.J), hacc: make([]int64, kernel.Words(r.w.J)),
				on: make([]int32, r.w.M)})
		}
		c := r.sampleSpace[n]
		c.v, c.weight = s.V, weight
		n++
	}
	r.samples = r.sampleSpace[:n]
	parallel(n, func(i int) {
		c := r.samples[i]
		copy(c.hacc, r.bacc)
		r.up.Update(c.hacc, kernel.Ones(c.v, c.on), nil)
		probabilities(c.hacc, c.pm)
		for j, p := range c.pm {
			c.pm[j] = int32(int64(p) * c.weight >> probBits)
		}
	})
}
