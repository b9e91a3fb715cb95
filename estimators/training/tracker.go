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
// r_k, the prescribed share of rung k, proportional to exp(tilt beta_k), each Follow
//
//   - adds to log Zhat_k the change of log Z_k by the new weights, estimated from the current states of the chains:
//     log of sum_i q(k|x_i) f_k(x_i; new)/f_k(x_i; old) over sum_i q(k|x_i);
//   - moves the chains some sweeps and computes c_k, the mean of q(k|x), which gives the full RTS estimate
//     log Z_k = log Zhat_k + log(c_k/r_k) - log(c_1/r_1)   ([RTS] eq. 12);
//   - moves log Zhat towards that estimate by the factor alpha ([RTS] section 4.4).
//
// The first step is the importance sampling of [Desjardins2011]. It allows a small alpha: log Zhat_K is then a mean of
// the full estimates of about the last 1/alpha updates, each carried over to the newest weights. log Zhat still lags
// behind log Z, for two reasons. First, the chains lag behind the weights, so the first step captures only about two
// thirds of the change of log Z. Second, if the gradient is computed from the chains, it moves the weights away from
// the states of these same chains, so the first step is too small by the variance of the gradient times the learning
// rate. Therefore alpha grows with the speed of log Z, and LogZ adds an estimate of the lag of log Zhat_K: 1 - alpha
// times the recent mean of (full estimate - log Zhat_K), as in double exponential smoothing.
type Tracker struct {
	Settings
	key          rng.Key
	means        []float64         // means of the columns of the training data
	data         [][]uint8         // rows in each model, for likelihoods and for checks
	model        *rbm.Model        // model at the weights of the last Follow
	ladder       []float64         // inverse temperatures beta_k
	logR         []float64         // log r_k
	zhat         []float64         // log Zhat_k
	rung         []int32           // rung of each chain
	rows         models.Population // chains at the newest weights; nil before the first Follow
	logf         []float64         // chains x rungs: log f of the states
	q            []float64         // chains x rungs: q(k|x) of the states
	influence    []float64         // C times the influence of each chain on log Zhat_K
	full         float64           // full RTS estimate of the last Follow
	lag          float64           // recent mean of the full estimates minus log Zhat_K
	lagInfluence []float64         // C times the influence of each chain on lag
	lastAlpha    float64           // the increased alpha of the last Follow
	speed        float64           // recent mean change of log Z_K by an update, in nats
	absSpeed     float64           // recent mean of the absolute value of that change
	samples      []sample
}

// Settings has the parameters of a Tracker.
type Settings struct {
	Chains int     `param:"chains"`
	Sweeps int     `param:"sweeps"`
	Rungs  int     `param:"temperatures"`
	Alpha  float64 `param:"alpha"`
	// Tilt determines r_k, proportional to exp(tilt beta_k). A larger value puts more chains near the target, whose
	// states the gradient and the likelihood need. [RTS] section 4.4 uses 2; with 1, log Z is slightly more precise.
	Tilt float64 `param:"tilt"`
	// Start is the name of the base in rbm.Starts; "": clipped.
	Start string `param:"start"`
	Rows  int    // number of training rows
	Keep  bool   // store the states that Samples returns
}

// sample is the visible state v of a chain with its share q(K|x).
type sample struct {
	v     []uint8
	share float64
}

// NewTracker returns a tracker for models whose base has the given means of the training data. data are rows whose log
// f the models can evaluate (see Tracker.Model).
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

// Phases of the tracker's random numbers. The phase of a move is the number of the sweep in a Follow; for the choice of
// a rung the bit phaseChoose is also set. The step is the number of the update.
const (
	phaseDraw   = 1 << 30
	phaseChoose = 1 << 31
)

// setWeights sets the model to that with weights w.
func (t *Tracker) setWeights(w *rbm.Weights) (err error) {
	t.model, err = rbm.New(rbm.Params{M: w.M, J: w.J, W: w.W, C: w.C, B: w.B, P1: t.means, Means: t.means,
		Rows: t.Rows, Start: t.Start, Data: t.data}, nil)
	return err
}

// Model returns the model at the weights of the last Follow.
func (t *Tracker) Model() *rbm.Model { return t.model }

// Follow takes the weights after an update, moves the chains and updates log Zhat. The first call sets log Zhat to log
// Z_k of the model with W = 0, so a run must begin with small weights. pause, unless nil, is called between sweeps; if
// it returns false, Follow returns at once and the tracker must not be used any more. The error is errDiverges or that
// of an invalid model.
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
	step, firstLast := kernel.NewTempering(make([]float64, t.Chains*k), y), make([]float64, 2*t.Chains) // q(1|x), q(K|x)
	t.samples = t.samples[:0]

	// The sweeps of all chains; there are more if log Z moves fast.
	sweeps := t.Sweeps
	if t.absSpeed > fastSpeed {
		sweeps *= 1 + int(min(num.Mul(sweepsPerSpeed, t.absSpeed), maxSweepFactor))
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
			firstLast[2*i] += q[0]
			firstLast[2*i+1] += q[k-1]
			t.keepSample(i, q[k-1])
		}
		copy(t.rung, step.Rung)
		if pause != nil && !pause() {
			return nil
		}
	}
	t.updateZhat(c, firstLast, sweeps, max(update, 1))
	return nil
}

// initZhat sets log Zhat_k to log Z_k of the model with W = 0, whose units are independent: the sum over visible units
// i of log(1 + exp(beta c_i + (1-beta) logit p_i)) + (1-beta) log(1-p_i), plus the sum over hidden units j of log(1 +
// exp(beta b_j)) - (1-beta) log 2.
func (t *Tracker) initZhat(w *rbm.Weights) {
	base := rbm.BaseRates(t.Start, t.means, t.Rows)
	for k, beta := range t.ladder {
		z, oneMinusBeta := 0.0, 1-beta
		for _, b := range w.B {
			z += num.Softplus(num.Mul(beta, b)) - num.Mul(oneMinusBeta, math.Ln2)
		}
		for i, c := range w.C {
			g := num.Logit(base[i])
			z += num.Softplus(num.Mul(beta, c)+num.Mul(oneMinusBeta, g)) - num.Mul(oneMinusBeta, num.Softplus(g))
		}
		t.zhat[k] = z
	}
}

// reweight adds to log Zhat_k the change of log Z_k by the new weights: the first step of Follow. rows are the chains
// at the new weights.
func (t *Tracker) reweight(rows models.Population) error {
	k := t.Rungs
	f := make([]float64, t.Chains*k)
	rows.LogF(0, k, f)

	// The change of log Z_k at each rung k, estimated from the chains weighted by q(k|x).
	baseRise := 0.0
	for l := range k {
		weightedRatio, weight := 0.0, 0.0
		for i := range t.rung {
			q := t.q[i*k+l]
			f[i*k+l] = num.Exp(f[i*k+l] - t.logf[i*k+l])
			weightedRatio += num.Mul(q, f[i*k+l])
			weight += q
		}
		if weight == 0 { // no chain is near this rung
			continue
		}
		rise := num.Log(weightedRatio / weight)
		if !num.Finite(rise) {
			return errDiverges
		}
		if l == 0 {
			baseRise = rise
		}
		t.zhat[l] += rise - baseRise
		if l == k-1 {
			t.speed += num.Mul(speedRate, rise-baseRise-t.speed)
			t.absSpeed += num.Mul(speedRate, math.Abs(rise-baseRise)-t.absSpeed)
			for i := range t.influence {
				t.influence[i] += num.Mul(float64(t.Chains), t.q[i*k+l]*(f[i*k+l]/weightedRatio-1/weight))
			}
		}
	}
	return nil
}

// errDiverges is the error of weights that grow without bound.
var errDiverges = problem.New("train: the weights diverge; lower the learning rate")

// Constants of the tracking. If updates change log Z by more than fastSpeed nats on average, up or down, the chains
// make more sweeps, up to 1 + maxSweepFactor times as many, because new modes may appear within a few updates.
const (
	speedRate      = 0.05 // rate of the running means speed and absSpeed
	lagRate        = 0.5  // rate of the running mean of the lag, as a multiple of alpha
	fastSpeed      = 1. / 8
	sweepsPerSpeed = 60
	maxSweepFactor = 15
	alphaPerSpeed  = 2 // increase of alpha per nat of speed
)

// maxStep bounds |log(c_k/r_k)|, in nats, for rungs with hardly any chain nearby.
const maxStep = 5

// updateZhat moves log Zhat towards the full estimate: the last step of Follow. c[k] is the sum of q(k|x) over all
// chains and sweeps; firstLast has, for each chain, the sums of q(1|x) and q(K|x) over the sweeps. In the first updates
// alpha is 1/update, so that log Zhat is the mean of all full estimates.
func (t *Tracker) updateZhat(c, shares []float64, sweeps, update int) {
	k, n := t.Rungs, float64(t.Chains*sweeps)
	logShareGap := func(l int) float64 {
		return min(max(num.Log(max(c[l]/n, 1e-300))-t.logR[l], -maxStep), maxStep)
	}
	baseGap := logShareGap(0)
	topGap := logShareGap(k-1) - baseGap
	t.full = t.zhat[k-1] + topGap
	alpha := min(max(t.Alpha+alphaPerSpeed*math.Abs(t.speed), 1/float64(update)), 1)
	rate := max(lagRate*alpha, 1/float64(update))
	if t.lastAlpha = alpha; alpha == 1 { // log Zhat does not lag
		rate = 0
	}
	t.lag += num.Mul(rate, topGap-t.lag)
	for l := range t.zhat {
		t.zhat[l] += num.Mul(alpha, logShareGap(l)-baseGap)
	}
	for i := range t.influence {
		influence := num.Mul(float64(t.Chains), shares[2*i+1]/max(c[k-1], 1e-300)-shares[2*i]/max(c[0], 1e-300))
		t.lagInfluence[i] += num.Mul(rate, influence-t.influence[i]-t.lagInfluence[i])
		t.influence[i] = num.Mul(1-alpha, t.influence[i]) + num.Mul(alpha, influence)
	}
}

// LogZ returns, in nats, the tracked log Z, its standard error, and the full RTS estimate of the last Follow alone. The
// tracked log Z is log Zhat_K plus (1 - alpha) lag (1 - (SE of lag/lag)^2), which corrects only as much of the lag as
// exceeds noise. The standard error comes from the spread of the influences of the chains since the run began.
func (t *Tracker) LogZ() (logZ, se, full float64) {
	correction, lagSE := 0.0, meanSE(t.lagInfluence)
	if math.Abs(t.lag) > lagSE {
		correction = (1 - t.lastAlpha) * (1 - num.Mul(lagSE, lagSE)/num.Mul(t.lag, t.lag))
	}
	influence := make([]float64, t.Chains)
	for i := range influence {
		influence[i] = t.influence[i] + num.Mul(correction, t.lagInfluence[i])
	}
	return t.zhat[t.Rungs-1] + num.Mul(correction, t.lag), meanSE(influence), t.full
}

// meanSE returns the standard error of the mean of x.
func meanSE(x []float64) float64 {
	n, sum, squares := float64(len(x)), 0.0, 0.0
	for _, x := range x {
		sum += x
		squares += num.Mul(x, x)
	}
	return math.Sqrt(max(squares-num.Mul(sum, sum)/n, 0) / (n * max(n-1, 1)))
}

// minSampleProbability is the smallest q(K|x) of a state that is stored for Samples.
const minSampleProbability = 1e-3

// keepSample stores the state of chain i, with q(K|x) = p, for Samples, if p is large enough and Keep is set.
func (t *Tracker) keepSample(i int, p float64) {
	if !t.Keep || p < minSampleProbability {
		return
	}
	t.samples = append(t.samples, sample{t.visible(i), p})
}

// Samples returns the states of the chains at all sweeps of the last Follow, with the Rao-Blackwellized weights q(K|x)
// / sum q(K|x) as samples of the model ([RTS] section 2.1).
func (t *Tracker) Samples() []rbm.ModelSample {
	total := 0.0
	for _, s := range t.samples {
		total += s.share
	}
	out := make([]rbm.ModelSample, len(t.samples))
	for i, s := range t.samples {
		out[i] = rbm.ModelSample{V: s.v, Weight: s.share / total}
	}
	return out
}

// Fantasies returns the visible states of up to n chains at beta = 1.
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

// Append encodes the state of the tracker, without the weights.
func (t *Tracker) Append(w *wire.Writer) {
	for _, x := range [][]float64{t.zhat, t.influence, t.lagInfluence, t.logf, t.q, {t.full, t.speed, t.absSpeed, t.lag, t.lastAlpha}} {
		w.Floats(x)
	}
	w.Int32s(t.rung)
	for i := range t.rung {
		t.rows.Append(i, w)
	}
	w.Uint(uint64(len(t.samples)))
	for _, s := range t.samples {
		w.Bits(s.v)
		w.Float(s.share)
	}
}

// Load restores the state that Append has encoded, in a new tracker with the same settings. w are the weights of the
// last Follow before Append.
func (t *Tracker) Load(r *wire.Reader, w *rbm.Weights) error {
	last := make([]float64, 5)
	for _, x := range [][]float64{t.zhat, t.influence, t.lagInfluence, t.logf, t.q, last} {
		if y := r.Floats(); len(y) == len(x) {
			copy(x, y)
		} else {
			r.Err = wire.ErrDamaged
		}
	}
	t.full, t.speed, t.absSpeed, t.lag, t.lastAlpha = last[0], last[1], last[2], last[3], last[4]
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

	// The states of the chains, and the stored samples.
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
	t.samples = t.samples[:0]
	for range n {
		v := make([]uint8, len(t.means))
		r.Bits(v)
		t.samples = append(t.samples, sample{v, r.Float()})
	}
	return r.Err
}
