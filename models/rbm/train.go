package rbm

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
)

// Training has the parameters of training: stochastic ascent of the log-likelihood by contrastive divergence
// ([Hinton2002]) or, with Persistent, by persistent contrastive divergence ([Tieleman2008]).
type Training struct {
	Hidden     int     `json:"hidden"`
	Persistent bool    `json:"persistent"` // chains continue from update to update, otherwise they restart at the data
	Steps      int     `json:"k"`          // Gibbs steps of an update
	Ramp       float64 `json:"k_ramp"`     // fraction of the updates in which k grows from 1 to Steps
	Updates    int     `json:"updates"`
	Batch      int     `json:"batch"`         // data in an update, and chains
	Rate       float64 `json:"learning_rate"` // of the first update; falls linearly to Last times Rate
	Decay      float64 `json:"weight_decay"`  // of W, per unit of learning rate
	InitSD     float64 `json:"init_sd"`       // of the first weights, normal with mean 0
	Seed       uint32  `json:"seed"`
	// Last is the final learning rate as a fraction of the first.
	Last float64 `json:"last_rate,omitempty"`
	// Tracked means that the model's part of the gradient is estimated from the samples given to Step, not from chains
	// of the batch.
	Tracked bool `json:"tracked,omitempty"`
	// Plain selects the plain gradient in place of the centred one.
	Plain bool `json:"plain,omitempty"`
}

// Weights are the parameters of an RBM, f(v,h) = exp(v.c + v'Wh + h.b): W is M x J by rows, C has M visible biases, B
// has J hidden biases.
type Weights struct {
	M, J    int
	W, C, B []float64
}

// Round rounds every parameter to the nearest multiple of 2^-bits.
func (w *Weights) Round(bits int) {
	up := math.Ldexp(1, bits)
	for _, p := range [][]float64{w.W, w.C, w.B} {
		for i, x := range p {
			p[i] = math.RoundToEven(num.Mul(x, up)) / up
		}
	}
}

// Phases of the random numbers of a training run.
const (
	phaseInit    = iota // slot: visible unit
	phaseShuffle        // step: epoch
	phaseGibbs          // slot: chain, step: update
)

const (
	weightBits = 16 // weights are sampled as multiples of 2^-16
	probBits   = 20 // probabilities are summed as multiples of 2^-20
	shardRows  = 16 // rows of W in a shard
	// centreRate is the rate of the running mean of the hidden units.
	centreRate = 0.01
)

// Train fits an RBM to bits, rows of m zeros and ones. After every update it calls watch, unless nil, with the
// parameters so far; false ends the run early.
//
// The gradient of W is the mean over the batch of v ph' at the data minus the same at the end of the chains, ph = P(h =
// 1 | v), with visible and hidden means subtracted first (the centred gradient of [Montavon2012] and [Melchior2016]):
// it has the zeros of the plain gradient and a better scale. With Plain all centres are 0, which gives the plain
// gradient. Sampling and sums of v ph' use integers and the few floating-point sums have a fixed order, so the same
// parameters and bits give the same result, bit for bit, on every computer and for any number of processors.
func Train(bits []uint8, m int, t Training, watch func(update int, w *Weights) bool) (*Weights, error) {
	r, err := NewTrainer(bits, m, t)
	if err != nil {
		return nil, err
	}
	for u := range t.Updates {
		if err := r.Step(nil); err != nil {
			return nil, err
		}
		if watch != nil && !watch(u+1, r.w) {
			break
		}
	}
	return r.w, nil
}

// Means returns the mean of each column of bits, rows of m zeros and ones, after adding one half to the number of zeros
// and to the number of ones.
func Means(bits []uint8, m int) []float64 {
	count := make([]int, m)
	for i, b := range bits {
		count[i%m] += int(b)
	}
	out := make([]float64, m)
	n := len(bits) / m
	for i, k := range count {
		out[i] = (float64(k) + 0.5) / float64(n+1)
	}
	return out
}

// Trainer is a training run.
type Trainer struct {
	t           Training
	updateCount int // number of updates so far
	key         rng.Key
	bits        []uint8
	w           *Weights
	mu          []float64 // visible means, the centre of v
	lambda      []float64 // running hidden means, the centre of h
	order       []int32   // order of the data in this epoch
	next        int       // number of data of this epoch already used
	epoch       uint32
	steps       int // k of this update

	wq          []int32        // W in units of 2^-weightBits
	down, up    *kernel.Matrix // hidden -> visible, visible -> hidden
	cacc, bacc  []int64        // packed biases
	chains      []*chain
	samples     []*chain // samples for the model's part of the gradient: chains, or the argument of Step
	sampleSpace []*chain // reused for samples
	shards      []*shard
}

// chain is one member of the batch: a datum and its Gibbs chain.
type chain struct {
	slot       int
	data       []uint8 // the datum
	v, h       []uint8 // state of the Gibbs chain
	pd, pm     []int32 // P(h = 1 | v) of datum and chain in units of 2^-probBits
	vacc, hacc []int64 // packed inputs of the visible and the hidden units
	on, off    []int32 // working space for flips
	weight     int64   // weight of v and pm in the mean over the samples, in units of 2^-probBits
}

// newTrainer returns a run with random weights W, visible biases from the means of the data, and hidden biases 0.
func newTrainer(bits []uint8, m int, t Training) *Trainer {
	J := t.Hidden
	r := &Trainer{
		t: t, key: rng.NewKey(t.Seed, "train", 0), bits: bits,
		w:      &Weights{M: m, J: J, W: make([]float64, m*J), C: make([]float64, m), B: make([]float64, J)},
		mu:     Means(bits, m),
		lambda: make([]float64, J),
		wq:     make([]int32, m*J),
		order:  make([]int32, len(bits)/m),
		cacc:   make([]int64, kernel.Words(m)), bacc: make([]int64, kernel.Words(J)),
	}

	// Random weights; biases and centres from the means of the data.
	for i := 0; i < m; i++ {
		s := r.key.Stream(phaseInit, uint32(i), 0)
		for j := 0; j < J; j++ {
			r.w.W[i*J+j] = num.Mul(t.InitSD, s.Norm())
		}
		r.w.C[i] = num.Logit(r.mu[i])
	}
	for j := range r.lambda {
		r.lambda[j] = 0.5
	}
	if t.Plain {
		clear(r.mu)
		clear(r.lambda)
	}
	for i := range r.order {
		r.order[i] = int32(i)
	}
	r.next = len(r.order)

	for i := 0; i < t.Batch; i++ {
		n := max(m, J)
		r.chains = append(r.chains, &chain{
			slot: i, v: make([]uint8, m), h: make([]uint8, J),
			pd: make([]int32, J), pm: make([]int32, J),
			vacc: make([]int64, kernel.Words(m)), hacc: make([]int64, kernel.Words(J)),
			on: make([]int32, n), off: make([]int32, n), weight: 1 << probBits,
		})
	}
	r.samples = r.chains
	for lo := 0; lo < m; lo += shardRows {
		r.shards = append(r.shards, newShard(lo, min(lo+shardRows, m), J, t.Batch))
	}
	return r
}

// drawBatch gives each chain its next datum, reshuffling the data if fewer than a batch are left, and sets k. The first
// update also starts the persistent chains at the data.
func (r *Trainer) drawBatch(u int) {
	t, m := r.t, r.w.M
	if r.next+t.Batch > len(r.order) {
		s := r.key.Stream(phaseShuffle, 0, r.epoch)
		s.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
		r.epoch++
		r.next = 0
	}
	for i, c := range r.chains {
		o := int(r.order[r.next+i]) * m
		c.data = r.bits[o : o+m]
		if !t.Tracked && (u == 0 || !t.Persistent) {
			copy(c.v, c.data)
		}
	}
	r.next += t.Batch
	r.steps = t.Steps
	if rampUpdates := int(num.Mul(t.Ramp, float64(t.Updates))); u < rampUpdates {
		r.steps = 1 + u*t.Steps/rampUpdates
	}
}

// pack rounds the parameters and arranges them for sampling.
func (r *Trainer) pack() error {
	const scale = 1 << weightBits
	m, J := r.w.M, r.w.J
	// Inputs must stay below 2^30: at most half of that from the bias, half from the weights. No run that converges
	// comes near these limits, and NaN exceeds them, too.
	isBounded := true
	quantise := func(x, limit float64) int32 {
		y := math.RoundToEven(num.Mul(x, scale))
		if !(math.Abs(y) < limit) {
			isBounded = false
			return 0
		}
		return int32(y)
	}

	const half = 1 << 29
	for i, x := range r.w.W {
		r.wq[i] = quantise(x, half/float64(max(m, J)))
	}
	for i, x := range r.w.C {
		kernel.Set(r.cacc, i, quantise(x, half))
	}
	for j, x := range r.w.B {
		kernel.Set(r.bacc, j, quantise(x, half))
	}
	if !isBounded {
		return problem.New("train: the weights diverge; lower the learning rate")
	}

	// The weights for both directions.
	parallel(2, func(side int) {
		if side == 0 {
			r.up = kernel.NewMatrix(m, J, func(i, j int) int32 { return r.wq[i*J+j] })
		} else {
			r.down = kernel.NewMatrix(J, m, func(j, i int) int32 { return r.wq[i*J+j] })
		}
	})
	return nil
}

// run computes pd, P(h = 1 | v) at the datum, and pm, the same at the end of the chain's Gibbs steps of an update. With
// Tracked it computes pd only.
func (c *chain) run(r *Trainer, update uint32) {
	m, J := r.w.M, r.w.J
	visible := kernel.Layer{N: m, Scale: 1.0 / (1 << weightBits)}
	hidden := kernel.Layer{N: J, Scale: 1.0 / (1 << weightBits)}
	s := r.key.Stream(phaseGibbs, uint32(c.slot), update)

	copy(c.hacc, r.bacc)
	r.up.Update(c.hacc, kernel.Ones(c.data, c.on), nil)
	probabilities(c.hacc, c.pd)
	if r.t.Tracked {
		return
	}
	if r.t.Persistent {
		copy(c.hacc, r.bacc)
		r.up.Update(c.hacc, kernel.Ones(c.v, c.on), nil)
	}
	for k := 0; k < r.steps; k++ {
		on, off := hidden.Draw(&s, c.hacc, c.h, c.on, c.off)
		if k == 0 {
			copy(c.vacc, r.cacc)
			on, off = kernel.Ones(c.h, c.on), nil
		}
		r.down.Update(c.vacc, on, off)
		on, off = visible.Draw(&s, c.vacc, c.v, c.on, c.off)
		r.up.Update(c.hacc, on, off)
	}
	probabilities(c.hacc, c.pm)
}

// probabilities sets out to the sigmoid of the packed inputs.
func probabilities(acc []int64, out []int32) {
	const scale = 1.0 / (1 << weightBits)
	for j := range out {
		x := float32(float32(kernel.Get(acc, j)) * scale)
		p := 1 / (1 + num.Exp32(-x))
		out[j] = int32(float32(p*(1<<probBits)) + 0.5)
	}
}
