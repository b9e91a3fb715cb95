package training

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
	"logzlab/models/rbm"
)

// lane is a running round of updates of a Run.
type lane struct {
	*Run
	u       *estimators.Unit
	trainer *rbm.Trainer
	tracker *Tracker // nil if log Z is not tracked
	before  Log      // log of the earlier rounds, for the frames
	points  []frame.TrainingPoint
	checks  []frame.TrainingCheck
	f       frame.Frame
	yield   func(*frame.Frame) bool // receives the frames; returns false to end the lane
	isEnded bool                    // yield has returned false
}

// run makes the updates of the round and sets the outcome (Partial) and the state of the unit. If the caller ends the
// lane, both stay unset.
func (l *lane) run(yield func(*frame.Frame) bool) {
	var err error
	if l.trainer, err = l.Run.trainer(); err != nil {
		panic(err) // New has checked this
	}
	l.tracker, l.yield = l.Run.tracker(), yield
	if l.u.State != nil {
		state := wire.Reader{B: l.u.State}
		l.trainer.Load(&state)
		if l.tracker != nil && state.Err == nil {
			state.Err = l.tracker.Load(&state, l.trainer.Weights())
		}
		if state.Err != nil {
			panic(state.Err)
		}
	}

	// The plan of the round: the number of updates, and the log so far.
	plan := wire.Reader{B: l.u.Plan}
	updates := plan.IntWithin(1, l.Params.Updates)
	l.before = Log{frame.ReadPoints(&plan), frame.ReadChecks(&plan), plan.Int()}
	estimators.MustDecode(&plan)
	l.f.Steps = l.Params.Updates
	l.u.LastStep = l.trainer.Done() + updates

	// Updates, until the run ends or diverges.
	reason := reasonNone
	for range updates {
		if reason = l.update(); reason != reasonNone || l.isEnded {
			break
		}
		if !l.show() {
			l.isEnded = true
			break
		}
	}
	if l.isEnded {
		return
	}

	// The outcome, and the state if training continues.
	var outcome wire.Writer
	outcome.Int(reason)
	outcome.Int(l.trainer.Done())
	frame.WritePoints(&outcome, l.points)
	frame.WriteChecks(&outcome, l.checks)
	appendWeights(&outcome, l.trainer.Weights())
	var state wire.Writer
	if reason == reasonNone {
		l.trainer.Append(&state)
		if l.tracker != nil {
			l.tracker.Append(&state)
		}
	}
	l.u.Partial, l.u.State = outcome.B, state.B
}

// update makes one update of the weights, tracks log Z, and records a point every pointInterval updates, at checks and
// after the last update. It returns one of the reasons for the end of a round.
func (l *lane) update() (reason int) {
	var samples []rbm.ModelSample
	if l.Params.Gradient == RTS {
		if l.trainer.Done() == 0 { // the chains begin at the initial weights
			if l.tracker.Follow(l.trainer.Weights(), 0, l.pause) != nil {
				return reasonWeightsDiverge
			}
		}
		if samples = l.tracker.Samples(); len(samples) == 0 { // no chain is near beta = 1
			return reasonWeightsDiverge
		}
	}
	if l.isEnded || l.trainer.Step(samples) != nil {
		return reasonWeightsDiverge
	}

	// Without a tracker a point has no numbers except the update.
	update := l.trainer.Done()
	every := l.Params.Check
	hasCheck := every > 0 && update%every == 0
	hasPoint := update%pointInterval == 0 || hasCheck || update == l.Params.Updates
	if l.tracker == nil {
		if hasPoint {
			l.points = append(l.points, frame.TrainingPoint{Update: update, LogZ: math.NaN(), SE: math.NaN(), Train: math.NaN(),
				Validation: math.NaN()})
		}
		return reasonNone
	}

	// Let the tracker follow the weights.
	if l.tracker.Follow(l.trainer.Weights(), update, l.pause) != nil {
		return reasonWeightsDiverge
	}
	if l.isEnded || !hasPoint {
		return reasonNone
	}

	// Record the likelihoods of the data. The run ends if that of the training rows falls too far.
	train, validation := l.meanLogF()
	z, se, _ := l.tracker.LogZ()
	p := frame.TrainingPoint{Update: update, LogZ: z, SE: se, Train: train - z, Validation: validation - z}
	l.points = append(l.points, p)
	if minLikelihood := num.Mul(1+maxFall, l.independentLogLikelihood()); !(p.Train > minLikelihood) {
		return reasonLikelihoodFalls
	}
	if hasCheck {
		l.check(train, validation)
	}
	return reasonNone
}

// meanLogF returns the mean of log f over shownRows: over the training rows and over the validation rows among them;
// NaN if there are none.
func (l *lane) meanLogF() (train, validation float64) {
	m := l.tracker.Model()
	return models.MeanLogF(m, 0, l.shownTraining), models.MeanLogF(m, l.shownTraining, len(l.shownRows)-l.shownTraining)
}

// checkChains is the number of chains of a check, as in [RTS] Figure 5.
const checkChains = "100"

// check estimates log Z by annealed importance sampling in both directions, and records it with the means of log f of
// the training and validation rows.
func (l *lane) check(train, validation float64) {
	v := spec.Defaults(anneal.AIS.Params)
	v["chains"], v["temperatures"] = checkChains, strconv.Itoa(l.Params.Annealing)

	// Annealing with default parameters and its own random numbers.
	m, err := estimators.Open(estimators.Config{Model: l.tracker.Model(),
		Key:     rng.NewKey(l.seed, "check", l.trainer.Done()),
		Readers: []estimators.Reader{{Info: anneal.AIS, Values: v}}})
	if err != nil {
		panic(err) // the defaults suit every RBM
	}

	// Run all rounds, with a pause after every frame.
	var partials, states [][]byte
	for {
		round, err := m.Next(partials, states)
		if err != nil {
			panic(err)
		}
		if round == nil {
			break
		}
		partials, states = make([][]byte, round.Lanes), make([][]byte, round.Lanes)
		for i := range partials {
			u := round.Unit(i)
			for range m.Lane(u) {
				if !l.pause() {
					return
				}
			}
			partials[i], states[i] = u.Partial, u.State
		}
	}

	// The estimate, and the means of the data.
	r := m.Estimate(nil)[0]
	l.checks = append(l.checks, frame.TrainingCheck{Update: l.trainer.Done(), LogZ: r.LogZ, SE: r.SE, Lower: r.Lower,
		Upper: r.Upper, TrainMean: train, ValidateMean: validation})
}

// pause yields a frame without content in the middle of an update, so that the caller can end the lane. It returns
// false if the caller has done so.
func (l *lane) pause() bool {
	l.f.Training, l.f.N, l.f.Pixels = nil, 0, nil
	l.f.Step = l.trainer.Done()
	l.isEnded = l.isEnded || !l.yield(&l.f)
	return !l.isEnded
}

// maxPictures is the largest number of pictures of each kind in a frame: states of the chains at beta = 1 (fantasies),
// training rows, and weights of hidden units (filters).
const maxPictures = 36

// show yields the frame after an update, with pictures if the unit is watched or this is the last update of the round.
// It returns the result of yield.
func (l *lane) show() bool {
	f, update := &l.f, l.trainer.Done()
	f.Step, f.Training, f.N, f.Pixels = update, nil, 0, nil
	if !l.u.Watched && update != l.u.LastStep {
		return l.yield(f)
	}
	t := l.trainingFrame(l.trainer.Weights(), Log{slices.Concat(l.before.Points, l.points),
		slices.Concat(l.before.Checks, l.checks), l.before.Best}, update)
	if l.tracker != nil {
		info := l.tracker.Model().Info()
		f.W, f.H = info.W, info.H
		for _, v := range l.tracker.Fantasies(maxPictures) {
			f.N, f.Pixels = f.N+1, append(f.Pixels, padded(v, f.W*f.H)...)
		}
		for _, v := range l.shownRows[:min(l.shownTraining, maxPictures)] {
			t.Data = append(t.Data, padded(v, f.W*f.H)...)
		}
	}
	f.Training = t
	return l.yield(f)
}

// trainingFrame returns the content of a frame after a number of updates: pictures of the weights w, and the log up to
// then.
func (r *Run) trainingFrame(w *rbm.Weights, log Log, update int) *frame.Training {
	t := &frame.Training{Update: update, Updates: r.Params.Updates, Best: log.Best, M: r.Data.M,
		Points: log.Points, Checks: log.Checks}
	for j := range min(w.J, maxPictures) {
		for i := range w.M {
			t.Filters = append(t.Filters, float32(w.W[i*w.J+j]))
		}
	}
	return t
}

// Frame returns a frame of the run after its last round, without pictures of chains; nil before the end of the first
// round.
func (r *Run) Frame() *frame.Frame {
	if r.newest == nil {
		return nil
	}
	return &frame.Frame{Method: "training", Phase: "training", Step: r.done, Steps: r.Params.Updates,
		Training: r.trainingFrame(r.newest, Log{thinned(r.Points), r.Checks, r.Log.Best}, r.done)}
}

// padded returns a picture extended to size cells. The cells beyond the last unit have the value 2, which means absent.
func padded(v []uint8, size int) []uint8 {
	out := make([]uint8, size)
	copy(out, v)
	for i := len(v); i < size; i++ {
		out[i] = 2
	}
	return out
}
