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

// lane is a running round of updates.
type lane struct {
	*Run
	u       *estimators.Unit
	trainer *rbm.Trainer
	tracker *Tracker // nil if log Z is not tracked
	before  Log      // log of the earlier rounds, for pictures
	points  []frame.TrainingPoint
	checks  []frame.TrainingCheck
	f       frame.Frame
	yield   func(*frame.Frame) bool
	ended   bool // ended by the caller
}

func (l *lane) run(yield func(*frame.Frame) bool) {
	var err error
	if l.trainer, err = l.Run.trainer(); err != nil {
		panic(err) // New has checked this
	}
	l.tracker, l.yield = l.Run.tracker(), yield
	if l.u.State != nil {
		in := wire.Reader{B: l.u.State}
		l.trainer.Load(&in)
		if l.tracker != nil && in.Err == nil {
			in.Err = l.tracker.Load(&in, l.trainer.Weights())
		}
		if in.Err != nil {
			panic(in.Err)
		}
	}

	// The plan: updates to make, and the log so far.
	plan := wire.Reader{B: l.u.Plan}
	updates := plan.IntWithin(1, l.Params.Updates)
	l.before = Log{frame.ReadPoints(&plan), frame.ReadChecks(&plan), plan.Int()}
	estimators.MustDecode(&plan)
	l.f.Steps = l.Params.Updates
	l.u.LastStep = l.trainer.Done() + updates

	// Updates, until the run ends or diverges.
	reason := continues
	for range updates {
		if reason = l.update(); reason != continues || l.ended {
			break
		}
		if !l.show() {
			l.ended = true
			break
		}
	}
	if l.ended {
		return
	}

	// The outcome, and the state if training continues.
	var p wire.Writer
	p.Int(reason)
	p.Int(l.trainer.Done())
	frame.WritePoints(&p, l.points)
	frame.WriteChecks(&p, l.checks)
	appendWeights(&p, l.trainer.Weights())
	var s wire.Writer
	if reason == continues {
		l.trainer.Append(&s)
		if l.tracker != nil {
			l.tracker.Append(&s)
		}
	}
	l.u.Partial, l.u.State = p.B, s.B
}

// update makes one update, tracks log Z, and records a point at each interval.
func (l *lane) update() (reason int) {
	var samples []rbm.ModelSample
	if l.Params.Gradient == RTS {
		if l.trainer.Done() == 0 { // the chains begin at the initial weights
			if l.tracker.Follow(l.trainer.Weights(), 0, l.pause) != nil {
				return weightsDiverge
			}
		}
		if samples = l.tracker.Samples(); len(samples) == 0 { // no chain is near beta = 1
			return weightsDiverge
		}
	}
	if l.ended || l.trainer.Step(samples) != nil {
		return weightsDiverge
	}

	// Whether this update makes a point.
	done := l.trainer.Done()
	every := l.Params.Check
	checked := every > 0 && done%every == 0
	told := done%pointInterval == 0 || checked || done == l.Params.Updates
	if l.tracker == nil {
		if told {
			l.points = append(l.points, frame.TrainingPoint{Update: done, LogZ: math.NaN(), SE: math.NaN(), Train: math.NaN(),
				Validation: math.NaN()})
		}
		return continues
	}

	// Log Z tracks the weights.
	if l.tracker.Follow(l.trainer.Weights(), done, l.pause) != nil {
		return weightsDiverge
	}
	if l.ended || !told {
		return continues
	}

	// Likelihoods of the data; the run ends if the fit falls too far.
	train, validation := l.meanLogF()
	z, se, _ := l.tracker.LogZ()
	p := frame.TrainingPoint{Update: done, LogZ: z, SE: se, Train: train - z, Validation: validation - z}
	l.points = append(l.points, p)
	if least := num.Mul(1+maxFall, l.independent()); !(p.Train > least) {
		return likelihoodFalls
	}
	if checked {
		l.check(train, validation)
	}
	return continues
}

// meanLogF returns the mean log f of the shown training rows and of the shown validation rows, NaN if there are none.
func (l *lane) meanLogF() (train, validation float64) {
	m := l.tracker.Model()
	return models.MeanLogF(m, 0, l.train), models.MeanLogF(m, l.train, len(l.shownRows)-l.train)
}

// checkChains is the number of chains of a check, as in [RTS] Figure 5.
const checkChains = "100"

// check estimates log Z by annealed importance sampling, with its sandwich.
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

	// All rounds at once, unless the training pauses.
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

// pause yields a frame in the middle of an update. It returns false if the caller has ended the lane.
func (l *lane) pause() bool {
	l.f.Training, l.f.N, l.f.Pixels = nil, 0, nil
	l.f.Step = l.trainer.Done()
	l.ended = l.ended || !l.yield(&l.f)
	return !l.ended
}

// maxPictures is the largest number of fantasies, data and filters in a frame.
const maxPictures = 36

// show yields the frame after an update, with pictures if they are watched.
func (l *lane) show() bool {
	f, done := &l.f, l.trainer.Done()
	f.Step, f.Training, f.N, f.Pixels = done, nil, 0, nil
	if !l.u.Watched && done != l.u.LastStep {
		return l.yield(f)
	}
	t := l.trainingFrame(l.trainer.Weights(), Log{slices.Concat(l.before.Points, l.points),
		slices.Concat(l.before.Checks, l.checks), l.before.Best}, done)
	if l.tracker != nil {
		info := l.tracker.Model().Info()
		f.W, f.H = info.W, info.H
		for _, v := range l.tracker.Fantasies(maxPictures) {
			f.N, f.Pixels = f.N+1, append(f.Pixels, padded(v, f.W*f.H)...)
		}
		for _, v := range l.shownRows[:min(l.train, maxPictures)] {
			t.Data = append(t.Data, padded(v, f.W*f.H)...)
		}
	}
	f.Training = t
	return l.yield(f)
}

// trainingFrame returns the pictures of some weights and of the log at that point.
func (r *Run) trainingFrame(w *rbm.Weights, known Log, update int) *frame.Training {
	t := &frame.Training{Update: update, Updates: r.Params.Updates, Best: known.Best, M: r.Data.M,
		Points: known.Points, Checks: known.Checks}
	for j := range min(w.J, maxPictures) {
		for i := range w.M {
			t.Filters = append(t.Filters, float32(w.W[i*w.J+j]))
		}
	}
	return t
}

// Frame shows the run in its present state, without fantasies; nil before the end of its first round.
func (r *Run) Frame() *frame.Frame {
	if r.newest == nil {
		return nil
	}
	return &frame.Frame{Method: "training", Phase: "training", Step: r.done, Steps: r.Params.Updates,
		Training: r.trainingFrame(r.newest, Log{thinned(r.Points), r.Checks, r.Log.Best}, r.done)}
}

// padded extends a picture to size cells; cells beyond the last unit are marked as absent.
func padded(v []uint8, size int) []uint8 {
	out := make([]uint8, size)
	copy(out, v)
	for i := len(v); i < size; i++ {
		out[i] = 2
	}
	return out
}
