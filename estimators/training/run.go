package training

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models/rbm"
)

// Run is a training run. It consists of rounds of up to 100 updates for a single lane. The state of the lane holds the
// weights, the chains and log Zhat, and random numbers are drawn by address; so the result does not depend on pauses,
// on lost units of work, or on which program runs a round.
type Run struct {
	Params        RunParams
	Data          *Data
	seed          uint32
	means         []float64 // means of the training rows
	shownRows     [][]uint8 // rows whose likelihood is computed: training rows, then validation rows
	shownTraining int       // number of training rows among them

	Log
	newest, best *rbm.Weights
	done         int    // number of updates in the rounds so far
	state        []byte // state of the lane after these rounds; nil before the first
}

// Log is the record of a run: likelihoods at points, checks of log Z, and the best update.
type Log struct {
	Points []frame.TrainingPoint
	Checks []frame.TrainingCheck
	Best   int // update with the largest likelihood of the validation rows; 0 if none
}

const (
	updatesPerRound = 100  // largest number of updates in a round
	pointInterval   = 25   // updates between two points
	maxShownRows    = 2000 // largest number of rows of each kind whose likelihood is computed
)

// New returns a run before its first update. It returns an error if the parameters do not fit the data.
func New(p RunParams, data *Data, seed uint32) (*Run, error) {
	if p.Patience > 0 && len(data.Test) == 0 {
		return nil, errPatience
	}
	r := &Run{Params: p, Data: data, seed: seed, means: rbm.Means(data.Train, data.M)}
	if _, err := r.trainer(); err != nil {
		return nil, err
	}
	r.shownRows = append(firstRows(data.Train, data.M), firstRows(data.Test, data.M)...)
	r.shownTraining = min(len(data.Train)/data.M, maxShownRows)
	return r, nil
}

// firstRows returns the first rows of m columns of bits, at most maxShownRows.
func firstRows(bits []uint8, m int) (out [][]uint8) {
	for start := 0; start < len(bits) && len(out) < maxShownRows; start += m {
		out = append(out, bits[start:start+m:start+m])
	}
	return out
}

// trainer returns a trainer at the initial weights.
func (r *Run) trainer() (*rbm.Trainer, error) {
	return rbm.NewTrainer(r.Data.Train, r.Data.M, r.Params.recipe(r.seed))
}

// tracker returns the tracker of log Z, nil if log Z is not tracked.
func (r *Run) tracker() *Tracker {
	s := r.Params.Settings
	if s.Chains == 0 {
		return nil
	}
	s.Keep, s.Rows = r.Params.Gradient == RTS, len(r.Data.Train)/r.Data.M
	return NewTracker(rng.NewKey(r.seed, "track", 0), r.means, r.shownRows, s)
}

// Reasons why the updates of a round end early.
const (
	reasonNone = iota
	reasonWeightsDiverge
	reasonLikelihoodFalls
)

// states returns the states for the next round, nil for the first.
func (r *Run) states() [][]byte {
	if r.state == nil {
		return nil
	}
	return [][]byte{r.state}
}

// Next takes the outcome of a round (nil before the first) and returns the next round, nil if the run is finished. If
// the weights diverge or the likelihood falls too far, it returns an error, and the run keeps the weights of the
// earlier rounds.
func (r *Run) Next(partials, states [][]byte) (*estimators.Round, error) {
	done := r.done
	if partials != nil {
		in := wire.Reader{B: partials[0]}
		reason := in.Int()
		done = in.Int()
		points, checks := frame.ReadPoints(&in), frame.ReadChecks(&in)
		w := r.readWeights(&in)
		if in.Err != nil {
			return nil, in.Err
		}
		r.Points, r.Checks = append(r.Points, points...), append(r.Checks, checks...)
		switch reason {
		case reasonWeightsDiverge:
			return nil, errDiverges
		case reasonLikelihoodFalls:
			return nil, problem.New("train: after %d updates the data are far less likely than with independent "+
				"columns: the run diverges; lower the learning rate", done)
		}
		r.newest, r.state, r.done = w, states[0], done
		if n := len(r.Points); n > 0 && r.Points[n-1].Update == done && isBetter(r.Points[n-1], r.Points, r.Log.Best) {
			r.Log.Best, r.best = done, w
		}
	}

	// The next round, unless patience has run out.
	updates := min(updatesPerRound, r.Params.Updates-done)
	if patience := r.Params.Patience; updates <= 0 || patience > 0 && done-r.Log.Best >= patience {
		return nil, nil
	}
	var w wire.Writer
	w.Int(updates)
	frame.WritePoints(&w, thinned(r.Points))
	frame.WriteChecks(&w, r.Checks)
	w.Int(r.Log.Best)
	return &estimators.Round{Name: "training", Plan: w.B, Lanes: 1, States: states,
		Sweeps: float64(updates) * r.sweeps(), Time: float64(updates) * r.updateTime()}, nil
}

// thinned returns evenly spaced points, at most about 1000, which is enough for a plot.
func thinned(points []frame.TrainingPoint) []frame.TrainingPoint {
	const maxPoints = 1000
	every := 1 + len(points)/maxPoints
	if every == 1 {
		return points
	}
	var out []frame.TrainingPoint
	for i := every - 1; i < len(points); i += every {
		out = append(out, points[i])
	}
	return out
}

// Resume returns the next round of a run: the first round, or the round after the loaded state.
func (r *Run) Resume() (*estimators.Round, error) { return r.Next(nil, r.states()) }

// Round runs the next round and reports whether the run is finished. onFrame receives every frame; if it returns false,
// the round is abandoned, and the next call begins it again.
func (r *Run) Round(onFrame func(*frame.Frame) bool) (finished bool, err error) {
	round, err := r.Resume()
	if round == nil || err != nil {
		return true, err
	}
	u := round.Unit(0)
	for f := range r.Lane(u) {
		if !onFrame(f) {
			return false, nil
		}
	}
	round, err = r.Next([][]byte{u.Partial}, [][]byte{u.State})
	return round == nil, err
}

// Append encodes the state of the run after the rounds so far.
func (r *Run) Append(w *wire.Writer) {
	w.Int(r.done)
	w.Bytes(r.state)
	frame.WritePoints(w, r.Points)
	frame.WriteChecks(w, r.Checks)
	w.Int(r.Log.Best)
	for _, m := range []*rbm.Weights{r.newest, r.best} {
		if w.Bool(m != nil); m != nil {
			appendWeights(w, m)
		}
	}
}

// Load restores the state that Append has encoded, in a new run with the same parameters and data.
func (r *Run) Load(in *wire.Reader) error {
	r.done = in.Int()
	if r.state = in.Bytes(); len(r.state) == 0 { // saved before the end of the first round
		r.state = nil
	}
	r.Points, r.Checks, r.Log.Best = frame.ReadPoints(in), frame.ReadChecks(in), in.Int()
	for _, m := range []**rbm.Weights{&r.newest, &r.best} {
		if in.Bool() {
			*m = r.readWeights(in)
		}
	}
	return in.Err
}

// appendWeights encodes weights for readWeights.
func appendWeights(w *wire.Writer, m *rbm.Weights) {
	for _, x := range [][]float64{m.W, m.C, m.B} {
		w.Floats(x)
	}
}

// readWeights decodes weights and checks their sizes.
func (r *Run) readWeights(in *wire.Reader) *rbm.Weights {
	w := &rbm.Weights{M: r.Data.M, J: r.Params.Hidden, W: in.Floats(), C: in.Floats(), B: in.Floats()}
	if len(w.W) != w.M*w.J || len(w.C) != w.M || len(w.B) != w.J {
		in.Err = wire.ErrDamaged
	}
	return w
}

// isBetter reports whether the likelihood of the validation rows is larger at point p than at update best of the
// points. If there is no such update, it reports whether the likelihood at p is known.
func isBetter(p frame.TrainingPoint, points []frame.TrainingPoint, best int) bool {
	for _, q := range points {
		if q.Update == best {
			return p.Validation > q.Validation
		}
	}
	return num.NotNaN(p.Validation)
}

// Result returns the weights of the run and the update after which they were taken: the best by validation if the run
// has patience, else the newest. The weights are nil before the end of the first round.
func (r *Run) Result() (w *rbm.Weights, update int) {
	if r.Params.Patience > 0 && r.best != nil {
		return r.best, r.Log.Best
	}
	return r.newest, r.done
}

// At returns the point after an update; ok is false if there is none.
func (r *Run) At(update int) (p frame.TrainingPoint, ok bool) {
	for _, p := range r.Points {
		if p.Update == update {
			return p, true
		}
	}
	return p, false
}

// Done returns the number of updates so far.
func (r *Run) Done() int { return r.done }

// Estimate returns the tracked log Z at the last point, nil if there is none.
func (r *Run) Estimate(peeked [][]byte) []*estimators.Result {
	if len(r.Points) == 0 {
		return nil
	}
	p := r.Points[len(r.Points)-1]
	return []*estimators.Result{{LogZ: p.LogZ, SE: p.SE, Lower: math.NaN(), Upper: math.NaN(), Bias: "either",
		Doing: "training", Sweeps: float64(p.Update) * r.sweeps()}}
}

// sweeps returns the number of sweeps of an update.
func (r *Run) sweeps() float64 {
	p := r.Params
	return float64(p.Batch*p.K + p.Chains*p.Sweeps)
}

// Sweeps returns the number of sweeps of all chains in the whole run, not counting checks.
func (r *Run) Sweeps() float64 { return float64(r.Params.Updates) * r.sweeps() }

// Lane runs a round of updates, with a frame after each.
func (r *Run) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		l := &lane{Run: r, u: u}
		l.f.Phase = u.Round
		l.run(yield)
	}
}

// maxFall limits the fall of the training likelihood: the run ends if the mean log-likelihood is less than 1 + maxFall
// times that with independent columns, which is negative.
const maxFall = 1

// independentLogLikelihood returns the mean log-likelihood of the training rows for independent columns with the base
// rates, in nats.
func (r *Run) independentLogLikelihood() (mean float64) {
	for _, p := range r.means {
		mean += num.Mul(p, num.Log(p)) + num.Mul(1-p, num.Log(1-p))
	}
	return mean
}
