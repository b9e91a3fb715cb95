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
	number       int // number among the tracks of the job
	m            estimators.Method
	round        *estimators.Round
	todo         []int // lanes not yet handed out
	unfinished   int   // number of unfinished lanes
	partials     [][]byte
	peeks        [][]byte
	states       [][]byte
	awaitsCache  bool // another track computes the cached round
	finished     bool
	final        []*estimators.Result // results of each method
	lastEstimate []*estimators.Result // results so far, nil if they must be recomputed
	lost         map[int]int          // how often a lane was lost since it last got further than ever before
	best         map[int]float64      // largest finished share of a lane
	need         estimators.Need
	spent        float64         // planned time of finished rounds and lanes
	plan         float64         // chain-sweeps of the whole run; 0 if not known
	running      map[int]float64 // planned time of the finished part of each running lane
	err          error
	noted        map[int][][]byte     // partials by step, of the lanes that have passed it
	history      [][]estimators.Point // history of each method
}

func newTrack(number int, r run) *track {
	return &track{run: r, number: number, running: map[int]float64{}}
}

// methods returns the tracks of the experiment's methods.
func (j *Job) methods() []*track { return j.tracks[1 : len(j.tracks)-2] }

func (t *track) fail(err error) { t.finished, t.err, t.todo = true, err, nil }

// next returns the run's next round. A panic over a damaged partial becomes an error.
func (t *track) next() (round *estimators.Round, err error) {
	defer t.recoverError(&err)
	return t.m.Next(t.partials, t.states)
}

// finish ends a run: it keeps the results and drops the records.
func (t *track) finish() (err error) {
	defer t.recoverError(&err)
	t.finished, t.round = true, nil
	if t.replicate == 0 {
		t.planned()
	}
	t.final = t.m.Estimate(nil)
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
	t.m = nil
	return nil
}

// recoverError turns a panic between rounds into an error.
func (t *track) recoverError(err *error) {
	if r := recover(); r != nil {
		*err = problem.New("%s: internal error between rounds: %v", t.name(), r)
	}
}

// wants reports whether a unit is still needed: it may have been sent twice, or belong to a finished round.
func (t *track) wants(k *Task) bool {
	return !t.finished && t.round == k.round && t.partials[k.Unit.Lane] == nil
}

// planned returns the work of the whole run in chain-sweeps, 0 if unknown. A method may have to allocate a population
// to compute it, so it is called once per round.
func (t *track) planned() float64 {
	if t.plan == 0 && t.m != nil {
		t.plan = t.m.Sweeps()
	}
	return t.plan
}

// maxNotedBytes limits the partials that wait for the last lane to pass their step; runs with more have no history.
const maxNotedBytes = 64 << 20

// note keeps a lane's partial at a step. When the last lane has passed the step, the partials make a point of the
// history.
func (t *track) note(lane, step int, partial []byte) (err error) {
	defer t.recoverError(&err)
	if len(partial)*t.round.Lanes > maxNotedBytes/estimators.HistoryPoints {
		return nil
	}
	all := t.noted[step]
	if all == nil {
		all = make([][]byte, t.round.Lanes)
		t.noted[step] = all
	}
	all[lane] = partial
	if slices.ContainsFunc(all, func(p []byte) bool { return p == nil }) {
		return nil
	}
	delete(t.noted, step)
	results := t.m.Estimate(all)
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

// estimate returns the results of a track's methods so far, nil if there are none. They are recomputed only when a
// partial has arrived: for a long ladder that costs more than the rest of the page.
func (t *track) estimate() (res []*estimators.Result) {
	if t.err != nil || t.m == nil {
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
	t.lastEstimate = t.m.Estimate(t.latestPartials())
	return t.lastEstimate
}

// latestPartials returns the partials of the lanes of the round, peeked ones for unfinished lanes.
func (t *track) latestPartials() [][]byte {
	seen := slices.Clone(t.partials)
	for i, p := range seen {
		if p == nil {
			seen[i] = t.peeks[i]
		}
	}
	return seen
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
	if p, ok := t.m.(estimators.Piloted); ok && t.round != nil {
		return p.Found(t.partials)
	}
	return nil
}
