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

// Run is a training run: a fold over rounds of a single lane, so that lost units, pauses and other programs do not
// change the result. A round is some updates. Its state holds the weights, the chains and log Zhat; random numbers are
// drawn by address. It is not in the list of methods, as it does not estimate a given model.
type Run struct {
	Params    RunParams
	Data      *Data
	seed      uint32
	means     []float64 // means of the training rows
	shownRows [][]uint8 // rows whose likelihood is computed: training rows, then validation rows
	train     int       // number of training rows among them

	Log
	newest, best *rbm.Weights
	done         int    // number of updates in the rounds so far
	state        []byte // state of the lane after them
}

// Log is the record of a run.
type Log struct {
	Points []frame.TrainingPoint
	Checks []frame.TrainingCheck
	Best   int // update with the best likelihood of validation rows, 0: none
}

const (
	updatesPerRound = 100  // largest number of updates in a unit
	pointInterval   = 25   // updates between two points
	maxShownRows    = 2000 // largest number of rows of each kind whose likelihood is computed
)

// New returns a run before its first update. Errors name data and values that do not fit.
func New(p RunParams, data *Data, seed uint32) (*Run, error) {
	if p.Patience > 0 && len(data.Test) == 0 {
		return nil, errPatience
	}
	r := &Run{Params: p, Data: data, seed: seed, means: rbm.Means(data.Train, data.M)}
	if _, err := r.trainer(); err != nil {
		return nil, err
	}
	r.shownRows = append(rows(data.Train, data.M), rows(data.Test, data.M)...)
	r.train = min(len(data.Train)/data.M, maxShownRows)
	return r, nil
}

// rows returns the first rows of bits, at most maxShownRows.
func rows(bits []uint8, m int) (out [][]uint8) {
	for at := 0; at < len(bits) && len(out) < maxShownRows; at += m {
		out = append(out, bits[at:at+m:at+m])
	}
	return out
}

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

// Reasons for the end of a round.
const (
	continues = iota
	weightsDiverge
	likelihoodFalls
)

// states returns the states for the next round, nil for the first.
func (r *Run) states() [][]byte {
	if r.state == nil {
		return nil
	}
	return [][]byte{r.state}
}

// Next takes the outcome of a round of updates and returns the next round, nil at the end. A run that diverges returns
// an error and keeps its earlier weights.
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
		case weightsDiverge:
			return nil, errDiverges
		case likelihoodFalls:
			return nil, problem.New("train: after %d updates the data are far less likely than with independent "+
				"columns: the run diverges; lower the learning rate", done)
		}
		r.newest, r.state, r.done = w, states[0], done
		if n := len(r.Points); n > 0 && r.Points[n-1].Update == done && better(r.Points[n-1], r.Points, r.Log.Best) {
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
		Sweeps: float64(updates) * r.sweeps(), Time: float64(updates) * r.time()}, nil
}

// thinned returns evenly spaced points, at most 1000, enough for a picture.
func thinned(points []frame.TrainingPoint) []frame.TrainingPoint {
	const most = 1000
	every := 1 + len(points)/most
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

// Round makes the next round and reports whether the run is over. show receives every frame; if it returns false, the
// round is abandoned and begins again at the next call.
func (r *Run) Round(show func(*frame.Frame) bool) (over bool, err error) {
	round, err := r.Resume()
	if round == nil || err != nil {
		return true, err
	}
	u := round.Unit(0)
	for f := range r.Lane(u) {
		if !show(f) {
			return false, nil
		}
	}
	round, err = r.Next([][]byte{u.Partial}, [][]byte{u.State})
	return round == nil, err
}

// Append encodes the state after the rounds so far. Load restores it in a new run with the same values and data.
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

func appendWeights(w *wire.Writer, m *rbm.Weights) {
	for _, x := range [][]float64{m.W, m.C, m.B} {
		w.Floats(x)
	}
}

func (r *Run) readWeights(in *wire.Reader) *rbm.Weights {
	w := &rbm.Weights{M: r.Data.M, J: r.Params.Hidden, W: in.Floats(), C: in.Floats(), B: in.Floats()}
	if len(w.W) != w.M*w.J || len(w.C) != w.M || len(w.B) != w.J {
		in.Err = wire.ErrDamaged
	}
	return w
}

// better reports whether validation rows are more likely at a point than at the best earlier one.
func better(p frame.TrainingPoint, points []frame.TrainingPoint, best int) bool {
	for _, q := range points {
		if q.Update == best {
			return p.Validation > q.Validation
		}
	}
	return num.NotNaN(p.Validation)
}

// Result returns the weights of the run and their update: the best by validation if the run has patience, else the
// newest; nil before the first round.
func (r *Run) Result() (w *rbm.Weights, update int) {
	if r.Params.Patience > 0 && r.best != nil {
		return r.best, r.Log.Best
	}
	return r.newest, r.done
}

// At returns the point after an update, if there is one.
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

// Estimate returns the tracked log Z.
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

// Sweeps returns the sweeps of the chains, not counting checks.
func (r *Run) Sweeps() float64 { return float64(r.Params.Updates) * r.sweeps() }

// Lane runs a round of updates, with a frame after each.
func (r *Run) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		l := &lane{Run: r, u: u}
		l.f.Phase = u.Round
		l.run(yield)
	}
}

// maxFall limits how much less likely than with independent columns the data may become, as a share of the latter.
const maxFall = 1

// independent returns the mean log-likelihood of the training rows for independent columns with the base rates, in
// nats.
func (r *Run) independent() (mean float64) {
	for _, p := range r.means {
		mean += num.Mul(p, num.Log(p)) + num.Mul(1-p, num.Log(1-p))
	}
	return mean
}
