package training

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/models"
	"logzlab/models/rbm"
)

// Tracker tracks log Z of an RBM from update to update by persistent simulated tempering chains. With Zhat frozen and
// r_k proportional to exp(tilt beta_k), each Follow
//
//   - adds to log Zhat_k the change of log Z_k by the new weights, estimated from the current states of the chains:
//     log of sum_i q(k|x_i) f_k(x_i; new)/f_k(x_i; old) over sum_i q(k|x_i);
//   - moves the chains some sweeps and computes c_k, the mean of q(k|x), which gives the full RTS estimate
//     log Z_k = log Zhat_k + log(c_k/r_k) - log(c_1/r_1)   ([RTS] eq. 12);
//   - moves log Zhat towards that estimate by the factor alpha ([RTS] section 4.4).
//
// The first step, the importance sampling of [Desjardins2011], allows a small alpha: log Zhat_K is then the mean of the
// full estimates of about 1/alpha updates, each moved to the newest weights. log Zhat still lags, for two reasons. The
// chains lag, so the first step captures about two thirds of the change of log Z. And if the chains give the gradient,
// it moves the weights away from these same chains, so the first step is too low by the variance of the gradient times
// the learning rate. Therefore alpha grows with the speed of log Z, and LogZ adds the lag of log Zhat_K: 1 - alpha
// times the recent mean of (full estimate - log Zhat_K), as in double exponential smoothing.
type Tracker struct {
	Settings
	key          rng.Key
	means        []float64  // of the training data
	data         [][]uint8  // rows that the models hold, for likelihoods and for checks
	model        *rbm.Model // model of the last Follow
	ladder       []float64
	logR         []float64
	zhat         []float64
	rung         []int32
	rows         models.Population // chains at the newest weights, nil before the first
	logf         []float64         // log f of rows at all rungs
	q            []float64         // q(k|x) of rows
	influence    []float64         // C times the influence of each chain on log Zhat_K
	full         float64           // full RTS estimate of the last Follow
	lag          float64           // recent mean of the full estimates minus log Zhat_K
	lagInfluence []float64         // C times the influence of each chain on lag
	alpha        float64           // alpha of the last Follow
	speed        float64           // recent mean change of log Z_K by an update, in nats
	pace         float64           // recent mean of its absolute value
	pool         []sample
}

// Settings are the sizes of a Tracker.
type Settings struct {
	Chains int     `param:"chains"`
	Sweeps int     `param:"sweeps"`
	Rungs  int     `param:"temperatures"`
	Alpha  float64 `param:"alpha"`
	// Tilt determines r_k: a larger one puts more chains near the target, which gradient and likelihood need. [RTS]
	// section 4.4 has 2; log Z is slightly closer with 1.
	Tilt float64 `param:"tilt"`
	// Start is the base: rates, smoothed, clipped (or "") or uniform of rbm.Starts. Rows is the number of training
	// rows.
	Start string `param:"start"`
	Rows  int
	// Keep makes the tracker keep Samples.
	Keep bool
}

// sample is a state of a chain with q(K|x).
type sample struct {
	v []uint8
	p float64
}

// NewTracker returns a tracker for models over the base of training data with the given means. The models hold data.
func NewTracker(key rng.Key, means []float64, data [][]uint8, s Settings) *Tracker {
	t := &Tracker{Settings: s, key: key, means: means, data: data,
		ladder: make([]float64, s.Rungs), logR: make([]float64, s.Rungs), zhat: make([]float64, s.Rungs),
		rung: make([]int32, s.Chains), influence: make([]float64, s.Chains), lagInfluence: make([]float64, s.Chains),
		q: make([]float64, s.Chains*s.Rungs), logf: make([]float64, s.Chains*s.Rungs)}
	for k := range t.ladder {
		t.ladder[k] = float64(k) / float64(s.Rungs-1)
		t.logR[k] = num.Mul(s.Tilt, t.ladder[k])
	}
	sum := num.LogSumExp(t.logR)
	for k := range t.logR {
		t.logR[k] -= sum
	}
	for i := range t.rung {
		t.rung[i] = int32(i * s.Rungs / s.Chains)
	}
	return t
}

// Phases of a tracker's random numbers: moves use the sweep of a Follow; choices of rungs also have the top bit set.
// The step is the number of the update.
const (
	phaseDraw   = 1 << 30
	phaseChoose = 1 << 31
)

// setWeights makes the model at some weights.
func (t *Tracker) setWeights(w *rbm.Weights) (err error) {
	t.model, err = rbm.New(rbm.Params{M: w.M, J: w.J, W: w.W, C: w.C, B: w.B, P1: t.means, Means: t.means,
		Rows: t.Rows, Start: t.Start, Data: t.data}, nil)
	return err
}

// Model returns the model at the weights of the last Follow.
func (t *Tracker) Model() *rbm.Model { return t.model }

// Follow takes the weights of an update and moves the chains. The first call sets log Zhat to log Z_k without W, so a
// run must begin with small weights. pause, unless nil, is called between sweeps; if it returns false, the call ends
// and the tracker must not be used any more.
func (t *Tracker) Follow(w *rbm.Weights, update int, pause func() bool) error {
	if err := t.setWeights(w); err != nil {
		return err
	}
	rows, k := t.model.New(t.Chains, t.ladder), t.Rungs
	if t.rows == nil {
		rows.Draw(rng.At{Key: t.key, Phase: phaseDraw})
		t.initZhat(w)
	} else {
		for i := range t.rung {
			rows.Load(i, &wire.Reader{B: t.state(i)})
		}
		if err := t.reweight(rows); err != nil {
			return err
		}
	}
	t.rows = rows
	y, c := make([]float64, k), make([]float64, k)
	for i := range y {
		y[i] = t.zhat[i] - t.logR[i]
	}
	step, shares := kernel.NewTempering(make([]float64, t.Chains*k), y), make([]float64, 2*t.Chains) // q(1|x), q(K|x)
	t.pool = t.pool[:0]

	// The sweeps of all chains, more if log Z moves fast.
	sweeps := t.Sweeps
	if t.pace > paceThreshold {
		sweeps *= 1 + int(min(num.Mul(sweepsPerPace, t.pace), maxSweepFactor))
	}
	for s := range sweeps {
		rows.Move(rng.At{Key: t.key, Phase: uint32(s), Step: uint32(update)}, t.rung, false)
		rows.LogF(0, k, step.X)
		copy(t.logf, step.X)
		for i := range t.rung {
			step.U[i] = t.key.Uniform(uint32(s)|phaseChoose, uint32(i), uint32(update))
		}
		step.Step()
		for i := range t.rung {
			scale := 1 / step.Sum[i]
			q := t.q[i*k : (i+1)*k]
			for l := range q {
				q[l] = num.Mul(step.Q[i*k+l], scale)
				c[l] += q[l]
			}
			shares[2*i] += q[0]
			shares[2*i+1] += q[k-1]
			t.keepSample(i, q[k-1])
		}
		copy(t.rung, step.Rung)
		if pause != nil && !pause() {
			return nil
		}
	}
	t.updateZhat(c, shares, sweeps, max(update, 1))
	return nil
}

// initZhat sets log Zhat to log Z_k of the model without W, by columns: sum_i log(1 + exp(beta c_i + (1-beta) logit
// p_i)) + (1-beta) log(1-p_i), and sum_j log(1 + exp(beta b_j)) - (1-beta) log 2.
func (t *Tracker) initZhat(w *rbm.Weights) {
	base := rbm.BaseRates(t.Start, t.means, t.Rows)
	for k, beta := range t.ladder {
		z, rest := 0.0, 1-beta
		for _, b := range w.B {
			z += num.Softplus(num.Mul(beta, b)) - num.Mul(rest, math.Ln2)
		}
		for i, c := range w.C {
			g := num.Logit(base[i])
			z += num.Softplus(num.Mul(beta, c)+num.Mul(rest, g)) - num.Mul(rest, num.Softplus(g))
		}
		t.zhat[k] = z
	}
}

// reweight adds to log Zhat the change by the new weights of rows.
func (t *Tracker) reweight(rows models.Population) error {
	k := t.Rungs
	f := make([]float64, t.Chains*k)
	rows.LogF(0, k, f)

	// The rise of each rung, by the chains near it.
	first := 0.0
	for l := range k {
		up, all := 0.0, 0.0
		for i := range t.rung {
			q := t.q[i*k+l]
			f[i*k+l] = num.Exp(f[i*k+l] - t.logf[i*k+l])
			up += num.Mul(q, f[i*k+l])
			all += q
		}
		if all == 0 { // no chain is near this rung
			continue
		}
		rise := num.Log(up / all)
		if !num.Finite(rise) {
			return errDiverges
		}
		if l == 0 {
			first = rise
		}
		t.zhat[l] += rise - first
		if l == k-1 {
			t.speed += num.Mul(speedRate, rise-first-t.speed)
			t.pace += num.Mul(speedRate, math.Abs(rise-first)-t.pace)
			for i := range t.influence {
				t.influence[i] += num.Mul(float64(t.Chains), t.q[i*k+l]*(f[i*k+l]/up-1/all))
			}
		}
	}
	return nil
}

// errDiverges reports that the weights grow without bound.
var errDiverges = problem.New("train: the weights diverge; lower the learning rate")

// speedRate is the rate of the running means of speed and pace of log Z. If updates move log Z by more than
// paceThreshold nats, up or down, the chains make more sweeps, up to 1 + maxSweepFactor times as many: new modes appear
// within some updates. alphaPerSpeed is the increase of alpha per nat of speed. The running mean of the lag has the
// rate lagRate times alpha.
const (
	speedRate      = 0.05
	lagRate        = 0.5
	paceThreshold  = 1. / 8
	sweepsPerPace  = 60
	maxSweepFactor = 15
	alphaPerSpeed  = 2
)

// maxStep bounds the distance of a full estimate from log Zhat, for rungs with hardly any chain nearby.
const maxStep = 5

// updateZhat takes the sums c_k of a Follow of some sweeps, and the sums of q(1|x) and q(K|x) of each chain. At the
// first updates alpha is 1/update, so that log Zhat is the mean of all full estimates.
func (t *Tracker) updateZhat(c, shares []float64, sweeps, update int) {
	k, n := t.Rungs, float64(t.Chains*sweeps)
	away := func(l int) float64 {
		return min(max(num.Log(max(c[l]/n, 1e-300))-t.logR[l], -maxStep), maxStep)
	}
	first := away(0)
	gap := away(k-1) - first
	t.full = t.zhat[k-1] + gap
	alpha := min(max(t.Alpha+alphaPerSpeed*math.Abs(t.speed), 1/float64(update)), 1)
	slowly := max(lagRate*alpha, 1/float64(update))
	if t.alpha = alpha; alpha == 1 { // log Zhat does not lag
		slowly = 0
	}
	t.lag += num.Mul(slowly, gap-t.lag)
	for l := range t.zhat {
		t.zhat[l] += num.Mul(alpha, away(l)-first)
	}
	for i := range t.influence {
		part := num.Mul(float64(t.Chains), shares[2*i+1]/max(c[k-1], 1e-300)-shares[2*i]/max(c[0], 1e-300))
		t.lagInfluence[i] += num.Mul(slowly, part-t.influence[i]-t.lagInfluence[i])
		t.influence[i] = num.Mul(1-alpha, t.influence[i]) + num.Mul(alpha, part)
	}
}

// LogZ returns log Zhat_K corrected for its lag, as far as the lag exceeds noise: times 1 - (error of lag/lag)^2; its
// standard error, from the spread of the chains' influence since the run began; and the full RTS estimate of the last
// Follow alone, in nats.
func (t *Tracker) LogZ() (logZ, se, full float64) {
	share, e := 0.0, spread(t.lagInfluence)
	if math.Abs(t.lag) > e {
		share = (1 - t.alpha) * (1 - num.Mul(e, e)/num.Mul(t.lag, t.lag))
	}
	off := make([]float64, t.Chains)
	for i := range off {
		off[i] = t.influence[i] + num.Mul(share, t.lagInfluence[i])
	}
	return t.zhat[t.Rungs-1] + num.Mul(share, t.lag), spread(off), t.full
}

// spread returns the standard error of the mean of x.
func spread(x []float64) float64 {
	n, sum, squares := float64(len(x)), 0.0, 0.0
	for _, x := range x {
		sum += x
		squares += num.Mul(x, x)
	}
	return math.Sqrt(max(squares-num.Mul(sum, sum)/n, 0) / (n * max(n-1, 1)))
}

// minSampleShare is the least q(K|x) of a kept sample.
const minSampleShare = 1e-3

// keepSample keeps the state of a chain for Samples.
func (t *Tracker) keepSample(i int, p float64) {
	if !t.Keep || p < minSampleShare {
		return
	}
	t.pool = append(t.pool, sample{t.visible(i), p})
}

// Samples returns states of the chains under the model of the last Follow, with the Rao-Blackwellized shares
// q(K|x) / sum q(K|x) ([RTS] section 2.1).
func (t *Tracker) Samples() []rbm.ModelSample {
	all := 0.0
	for _, s := range t.pool {
		all += s.p
	}
	out := make([]rbm.ModelSample, len(t.pool))
	for i, s := range t.pool {
		out[i] = rbm.ModelSample{V: s.v, Weight: s.p / all}
	}
	return out
}

// Fantasies returns up to n states of chains at beta = 1.
func (t *Tracker) Fantasies(n int) (out [][]uint8) {
	for i, k := range t.rung {
		if int(k) == t.Rungs-1 && len(out) < n {
			out = append(out, t.visible(i))
		}
	}
	return out
}

// state encodes the state of a chain.
func (t *Tracker) state(i int) []byte {
	var w wire.Writer
	t.rows.Append(i, &w)
	return w.B
}

// visible returns the visible units of a chain.
func (t *Tracker) visible(i int) []uint8 {
	v := make([]uint8, len(t.means))
	(&wire.Reader{B: t.state(i)}).Bits(v)
	return v
}

// Append encodes the tracker. Load restores it in a new tracker, with the weights of its last Follow.
func (t *Tracker) Append(w *wire.Writer) {
	for _, x := range [][]float64{t.zhat, t.influence, t.lagInfluence, t.logf, t.q, {t.full, t.speed, t.pace, t.lag, t.alpha}} {
		w.Floats(x)
	}
	w.Int32s(t.rung)
	for i := range t.rung {
		t.rows.Append(i, w)
	}
	w.Uint(uint64(len(t.pool)))
	for _, s := range t.pool {
		w.Bits(s.v)
		w.Float(s.p)
	}
}

func (t *Tracker) Load(r *wire.Reader, w *rbm.Weights) error {
	last := make([]float64, 5)
	for _, x := range [][]float64{t.zhat, t.influence, t.lagInfluence, t.logf, t.q, last} {
		if y := r.Floats(); len(y) == len(x) {
			copy(x, y)
		} else {
			r.Err = wire.ErrDamaged
		}
	}
	t.full, t.speed, t.pace, t.lag, t.alpha = last[0], last[1], last[2], last[3], last[4]
	rung := r.Int32s()
	if len(rung) != len(t.rung) {
		return wire.ErrDamaged
	}
	for i, k := range rung {
		if k < 0 || int(k) >= t.Rungs {
			return wire.ErrDamaged
		}
		t.rung[i] = k
	}

	// Chains with the weights, and the pool of samples.
	if err := t.setWeights(w); err != nil {
		return err
	}
	t.rows = t.model.New(t.Chains, t.ladder)
	for i := range t.rung {
		t.rows.Load(i, r)
	}
	n := r.Uint()
	if n > uint64(t.Chains*t.Sweeps*(1+maxSweepFactor)) {
		return wire.ErrDamaged
	}
	t.pool = t.pool[:0]
	for range n {
		v := make([]uint8, len(t.means))
		r.Bits(v)
		t.pool = append(t.pool, sample{v, r.Float()})
	}
	return r.Err
}
