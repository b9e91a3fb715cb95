package engine

import (
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/schedule"
	"logzlab/estimators"
)

// track is one run of a job, from its first round to its result.
type track struct {
	run
	number        int // track number (runs.go)
	method        estimators.Method
	round         *estimators.Round
	todo          []int // lanes of the round that no worker has taken yet
	unfinished    int   // number of unfinished lanes of the round
	partials      [][]byte
	peeks         [][]byte
	states        [][]byte
	awaitsCache   bool // another track is computing the same cached round
	finished      bool
	final         []*estimators.Result // final result of each method
	lastEstimate  []*estimators.Result // preliminary results, nil if they must be recomputed
	lost          map[int]int          // how often each lane was lost since its largest progress
	furthest      map[int]float64      // largest progress of each lane, 0 to 1
	need          estimators.Need
	spent         float64         // planned time of finished rounds and lanes
	plannedSweeps float64         // sweeps of the whole run, summed over chains; 0 if not known
	running       map[int]float64 // planned time of the finished part of each running lane
	err           error
	stepPartials  map[int][][]byte     // for each step of the history, the partials of the lanes that have passed it
	history       [][]estimators.Point // history of each method
}

func newTrack(number int, r run) *track {
	return &track{run: r, number: number, running: map[int]float64{}}
}

// methods returns the tracks of the runs of methods, without base rates, bounds and exact value.
func (j *Job) methods() []*track { return j.tracks[1 : len(j.tracks)-2] }

func (t *track) fail(err error) { t.finished, t.err, t.todo = true, err, nil }

// next returns the run's next round, nil at the end. A panic, as over a damaged partial, becomes an error.
func (t *track) next() (round *estimators.Round, err error) {
	defer t.recoverError(&err)
	return t.method.Next(t.partials, t.states)
}

// finish stores the results of a run and drops its other data.
func (t *track) finish() (err error) {
	defer t.recoverError(&err)
	t.finished, t.round = true, nil
	if t.replicate == 0 {
		t.planned()
	}
	t.final = t.method.Estimate(nil)
	for i, r := range t.final {
		if r.History = r.PartHistory(); r.History == nil && i < len(t.history) {
			r.History = append(t.history[i], estimators.Point{Sweeps: r.Sweeps, LogZ: r.LogZ, SE: r.SE})
		}
	}
	if t.replicate > 0 {
		for _, r := range t.final {
			r.Trim()
		}
	}
	t.method = nil
	return nil
}

// recoverError turns a panic between rounds into an error.
func (t *track) recoverError(err *error) {
	if r := recover(); r != nil {
		*err = problem.New("%s: internal error between rounds: %v", t.name(), r)
	}
}

// needs reports whether the result of a lane is still needed: the lane may have been sent to two workers, or belong
// to a finished round.
func (t *track) needs(k *Task) bool {
	return !t.finished && t.round == k.round && t.partials[k.Unit.Lane] == nil
}

// planned returns the sweeps of the whole run, summed over chains; 0 if unknown. Some methods allocate a population to
// compute the number, so it is computed once per round.
func (t *track) planned() float64 {
	if t.plannedSweeps == 0 && t.method != nil {
		t.plannedSweeps = t.method.Sweeps()
	}
	return t.plannedSweeps
}

// maxNotedBytes is the limit of the memory for the partials of note; runs that would exceed it have no history.
const maxNotedBytes = 64 << 20

// note stores a lane's partial at a step. When the last lane has passed the step, the estimate from the partials becomes
// a point of the history.
func (t *track) note(lane, step int, partial []byte) (err error) {
	defer t.recoverError(&err)
	if len(partial)*t.round.Lanes > maxNotedBytes/estimators.HistoryPoints {
		return nil
	}
	partials := t.stepPartials[step]
	if partials == nil {
		partials = make([][]byte, t.round.Lanes)
		t.stepPartials[step] = partials
	}
	partials[lane] = partial
	if slices.ContainsFunc(partials, func(p []byte) bool { return p == nil }) {
		return nil
	}
	delete(t.stepPartials, step)
	results := t.method.Estimate(partials)
	if results != nil && t.history == nil { // a pilot has no results
		t.history = make([][]estimators.Point, len(results))
	}
	for i, r := range results {
		h := t.history[i]
		if n := len(h); num.NotNaN(r.LogZ) && (n == 0 || h[n-1].Sweeps < r.Sweeps) {
			t.history[i] = append(h, estimators.Point{Sweeps: r.Sweeps, LogZ: r.LogZ, SE: r.SE})
		}
	}
	return nil
}

// estimate returns the final or preliminary results of a track's methods, nil if there are none. Preliminary results are
// recomputed only after a partial has arrived, as the computation takes long for a long ladder.
func (t *track) estimate() (res []*estimators.Result) {
	if t.err != nil || t.method == nil {
		return t.final
	}
	var err error
	defer func() {
		if err != nil {
			t.fail(err)
		}
	}()
	defer t.recoverError(&err)
	if t.round == nil {
		return nil
	}
	if t.lastEstimate != nil {
		return t.lastEstimate
	}
	t.lastEstimate = t.method.Estimate(t.latestPartials())
	return t.lastEstimate
}

// latestPartials returns for each lane of the round its partial, or the last peeked one if the lane is unfinished.
func (t *track) latestPartials() [][]byte {
	latest := slices.Clone(t.partials)
	for i, p := range latest {
		if p == nil {
			latest[i] = t.peeks[i]
		}
	}
	return latest
}

// found returns the findings of a running pilot, nil if there are none.
func (t *track) found() (path *schedule.PathStats) {
	var err error
	defer func() {
		if err != nil {
			t.fail(err)
		}
	}()
	defer t.recoverError(&err)
	if p, ok := t.method.(estimators.Piloted); ok && t.round != nil {
		return p.Found(t.partials)
	}
	return nil
}
