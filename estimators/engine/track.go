package engine

import (
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/schedule"
	"logzlab/estimators"
)

// track is one run under way.
type track struct {
	run
	number   int // among the tracks of the job
	m        estimators.Method
	round    *estimators.Round
	todo     []int // lanes not handed out
	left     int   // lanes not finished
	partials [][]byte
	peeks    [][]byte
	states   [][]byte
	waits    bool // for a cached round that another track computes
	finished bool
	final    []*estimators.Result // of each method
	last     []*estimators.Result // of what has come so far; nil: to be made
	lost     map[int]int          // how often a lane of this round was lost since it was at its best
	best     map[int]float64      // the largest share of a lane that was done
	need     estimators.Need
	spent    float64         // planned time of finished rounds and lanes
	plan     float64         // chain-sweeps of the whole run; 0 to be asked again
	running  map[int]float64 // planned time so far of lanes handed out
	err      error
	noted    map[int][][]byte     // by step, partials of the lanes that have passed it
	history  [][]estimators.Point // of each method
}

func newTrack(number int, r run) *track {
	return &track{run: r, number: number, running: map[int]float64{}}
}

// methods are the tracks of the experiment's methods.
func (j *Job) methods() []*track { return j.tracks[1 : len(j.tracks)-2] }

func (t *track) fail(err error) { t.finished, t.err, t.todo = true, err, nil }

// next is the run's next round; a panic over a damaged partial is an error of
// the track.
func (t *track) next() (round *estimators.Round, err error) {
	defer t.recovered(&err)
	return t.m.Next(t.partials, t.states)
}

// finish ends a run: results stay, records are let go.
func (t *track) finish() (err error) {
	defer t.recovered(&err)
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

func (t *track) recovered(err *error) {
	if r := recover(); r != nil {
		*err = problem.New("%s: internal error between rounds: %v", t.name(), r)
	}
}

// holds reports whether a unit is still wanted: it may have been sent twice, or belong to a round that is over.
func (t *track) holds(k *Task) bool {
	return !t.finished && t.round == k.round && t.partials[k.Unit.Lane] == nil
}

// planned is the cost of the whole run in chain-sweeps, 0 while unknown. A method may have to
// lay out a population to compute it, so it is asked once per round.
func (t *track) planned() float64 {
	if t.plan == 0 && t.m != nil {
		t.plan = t.m.Sweeps()
	}
	return t.plan
}

// mostNoted bounds the bytes that wait for the last lane to pass their step; runs with more have no history.
const mostNoted = 64 << 20

// note keeps a lane's partial at a step; with that of the last lane they make a point of the history.
func (t *track) note(lane, step int, partial []byte) (err error) {
	defer t.recovered(&err)
	if len(partial)*t.round.Lanes > mostNoted/estimators.HistoryPoints {
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
	if results != nil && t.history == nil { // a pilot gives none
		t.history = make([][]estimators.Point, len(results))
	}
	for i, r := range results {
		h := t.history[i]
		if n := len(h); num.Known(r.LogZ) && (n == 0 || h[n-1].Sweeps < r.Sweeps) {
			t.history[i] = append(h, estimators.Point{Sweeps: r.Sweeps, LogZ: r.LogZ, SE: r.SE})
		}
	}
	return nil
}

// estimate lists the results of a track's methods so far, nil while there are none. They are recomputed
// only when a partial has arrived: for a long ladder that costs more than the rest of the page.
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
	defer t.recovered(&err)
	if t.round == nil {
		return nil
	}
	if t.last != nil {
		return t.last
	}
	t.last = t.m.Estimate(t.seen())
	return t.last
}

// seen are the partials of the lanes of a round, peeked ones where they are not done.
func (t *track) seen() [][]byte {
	seen := slices.Clone(t.partials)
	for i, p := range seen {
		if p == nil {
			seen[i] = t.peeks[i]
		}
	}
	return seen
}

// found is what a pilot under way has found so far, nil where there is none.
func (t *track) found() (path *schedule.PathStats) {
	var err error
	defer func() {
		if err != nil {
			t.fail(err)
		}
	}()
	defer t.recovered(&err)
	if p, ok := t.m.(estimators.Piloted); ok && t.round != nil {
		return p.Found(t.partials)
	}
	return nil
}
