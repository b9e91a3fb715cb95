// Package engine runs experiments. A Job holds a track for every method and replicate; it hands
// out units of work, takes them back in any order, and folds them into results. Run works
// through a job with goroutines. The page's lane workers run the same units through messages
// (Worker).
//
// The engine owns the order of rounds, lost and repeated work, cached rounds, and the messages
// between a job and its workers. It must not make a report, choose words, or let workers, time
// or order of arrival reach a digit.
package engine

import (
	"fmt"
	"slices"

	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// Source is where a job's model comes from.
type Source struct {
	// Load fetches a bundled file by name.
	Load func(file string) ([]byte, error)
	// File is the parsed own file of a file: model, or nil.
	File models.File
	// Name is how results call an own file; "" means its file: id.
	Name string
}

// Open makes the model of an experiment.
func (src Source) Open(s *spec.Spec) (models.Model, error) {
	if src.File != nil {
		name := src.Name
		if name == "" {
			name = s.Model
		}
		own := src.File.Kind().Params
		for _, p := range catalog.Names.ModelParams(catalog.Names{}, "") {
			value, set := s.Set[p.Name]
			if !set {
				continue
			}
			i := slices.IndexFunc(own, func(q spec.Param) bool { return q.Name == p.Name })
			if i < 0 {
				return nil, fmt.Errorf("%s is not a parameter of a model of kind %s", p.Name, src.File.Kind().Name)
			}
			if _, err := own[i].Canonical(p.Name, value); err != nil { // links accept values of any kind
				return nil, err
			}
		}
		m, err := models.FromFile(name, src.File, s.Values(own, ""))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return m, nil
	}
	if spec.IsFile(s.Model) {
		return nil, fmt.Errorf("model %s is an own file: give the file itself", s.Model)
	}
	return models.Open(s.Model, s.Values(catalog.Names{}.ModelParams(s.Model), ""), src.Load)
}

// NewMethod makes the method of one track; laneSize and workers are those of
// estimators.Config.
func NewMethod(s *spec.Spec, m models.Model, name string, replicate, laneSize, workers int) (estimators.Method, error) {
	info, ok := catalog.Method(name)
	if !ok {
		return nil, fmt.Errorf("method %q is not known", name)
	}
	return info.New(estimators.Config{Values: s.Values(info.Params, name), Model: m,
		Key: rng.NewKey(s.Seed, name, replicate), LaneSize: laneSize, Workers: workers})
}

// Task is a unit of work with its address in the job.
type Task struct {
	Track     int // index into the job's tracks
	Method    string
	Replicate int
	Unit      *estimators.Unit
	Rows      float64 // chain-sweeps in the unit, for progress

	round *estimators.Round // the unit's round, nil for base rates
}

// Job is one experiment under way: a track for every method and replicate. Its
// methods are not safe for concurrent use.
type Job struct {
	Spec  *spec.Spec
	Model models.Model
	opt   Options

	tracks []*track
	base   *baseRates
	cache  map[string][][]byte // partials of rounds that depend on the model alone
	busy   map[string]bool     // cached rounds being computed
}

// track is one method and replicate.
type track struct {
	method    string
	replicate int
	m         estimators.Method
	round     *estimators.Round
	todo      []int // lanes not handed out
	left      int   // lanes not finished
	partials  [][]byte
	peeks     [][]byte
	states    [][]byte
	waits     bool // for a cached round that another track computes
	finished  bool
	final     *estimators.Result
	last      *estimators.Result // of what has come so far; nil: to be made
	lost      map[int]int        // how often a lane of this round was lost
	swept     float64            // chain-sweeps of finished rounds and lanes
	plan      float64            // chain-sweeps of the whole method; 0 to be asked again
	running   map[int]float64
	err       error
}

// Options say how a job is worked through. They change no digit.
type Options struct {
	Workers  int // how many share the work, 0 where that may change
	LaneSize int // rows in a lane, 0: the methods' own
	// Cache, which may be nil, keeps rounds that depend on the model alone from one job to the next.
	Cache map[string][][]byte
}

// NewJob prepares an experiment.
func NewJob(s *spec.Spec, model models.Model, opt Options) (*Job, error) {
	if opt.Cache == nil {
		opt.Cache = map[string][][]byte{}
	}
	j := &Job{Spec: s, Model: model, cache: opt.Cache, busy: map[string]bool{}, opt: opt}
	for r := 0; r < s.Replicates; r++ {
		for _, name := range s.Methods {
			j.tracks = append(j.tracks, &track{method: name, replicate: r, running: map[int]float64{}})
		}
	}
	if m, ok := model.(models.BaseFinder); ok && m.BaseBlocks() > 0 {
		j.base = newBaseRates(m)
	}
	// Make every method once, so that errors come before any work.
	for _, t := range j.tracks[:len(s.Methods)] {
		if err := j.open(t); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (j *Job) open(t *track) (err error) {
	if t.m == nil {
		t.last = nil
		t.m, err = NewMethod(j.Spec, j.Model, t.method, t.replicate, j.opt.LaneSize, j.opt.Workers)
	}
	return err
}

// Take hands out the next unit, or nil when none can run now.
func (j *Job) Take() *Task {
	if j.base != nil {
		return j.base.take()
	}
	for i, t := range j.tracks {
		if t.finished {
			continue
		}
		if t.round == nil {
			if err := j.open(t); err != nil {
				t.fail(err)
				continue
			}
			j.advance(t)
		}
		if t.waits && !j.busy[t.round.Cache] {
			t.waits = false
			j.enter(t, t.round)
		}
		if len(t.todo) == 0 {
			continue
		}
		lane := t.todo[0]
		t.todo = t.todo[1:]
		u := &estimators.Unit{Round: t.round.Name, Plan: t.round.Plan, Lane: lane}
		if t.round.States != nil {
			u.State = t.round.States[lane]
		}
		t.running[lane] = 0
		return &Task{Track: i, Method: t.method, Replicate: t.replicate, Unit: u, Rows: t.round.Sweeps / float64(t.round.Lanes), round: t.round}
	}
	return nil
}

// advance folds the finished round of a track and enters the next one.
func (j *Job) advance(t *track) {
	round, err := t.next()
	t.plan = 0
	t.partials, t.states, t.peeks = nil, nil, nil
	t.last = nil
	switch {
	case err != nil:
		t.fail(err)
	case round == nil:
		t.finished, t.round = true, nil
	default:
		j.enter(t, round)
	}
}

// next is the method's next round; a panic over a damaged partial is an error of
// the track.
func (t *track) next() (round *estimators.Round, err error) {
	defer t.recovered(&err)
	return t.m.Next(t.partials, t.states)
}

func (t *track) recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: internal error between rounds: %v", t.method, r)
	}
}

// enter starts a round, or takes its partials from the cache.
func (j *Job) enter(t *track, round *estimators.Round) {
	t.round, t.lost = round, map[int]int{}
	t.todo, t.left = nil, round.Lanes
	t.partials, t.states, t.peeks = make([][]byte, round.Lanes), make([][]byte, round.Lanes), make([][]byte, round.Lanes)
	if round.Cache != "" {
		if hit, ok := j.cache[round.Cache]; ok {
			t.partials = hit
			j.advance(t)
			return
		}
		if j.busy[round.Cache] {
			t.waits = true
			return
		}
		j.busy[round.Cache] = true
	}
	for i := 0; i < round.Lanes; i++ {
		t.todo = append(t.todo, i)
	}
}

// Done takes a finished unit.
func (j *Job) Done(k *Task) {
	if k.Track < 0 {
		if j.base == nil {
			return // reported twice
		}
		if m := j.base.done(k); m != nil {
			j.base, j.Model = nil, m
			for _, t := range j.tracks {
				t.m = nil
			}
		}
		return
	}
	t := j.tracks[k.Track]
	lane := k.Unit.Lane
	if t.finished || t.round != k.round || t.partials[lane] != nil {
		return // a unit that was sent twice; its round may be over
	}
	delete(t.running, lane)
	t.partials[lane], t.states[lane] = k.Unit.Partial, k.Unit.State
	t.swept += k.Rows
	t.last = nil
	if t.left--; t.left > 0 {
		return
	}
	if c := t.round.Cache; c != "" {
		j.cache[c] = t.partials
		delete(j.busy, c)
	}
	j.advance(t)
}

// Peek takes a valid partial and the progress (0 to 1) of a unit under way.
func (j *Job) Peek(k *Task, partial []byte, share float64) {
	if k.Track < 0 {
		return
	}
	t := j.tracks[k.Track]
	if t.finished || t.round != k.round || t.partials[k.Unit.Lane] != nil {
		return
	}
	t.running[k.Unit.Lane] = share * k.Rows
	if partial != nil {
		t.peeks[k.Unit.Lane] = partial
		t.last = nil
	}
}

// maxLost bounds how often one unit may be lost before its method fails.
const maxLost = 20

// Return puts a unit that was lost back in front of the queue.
func (j *Job) Return(k *Task) {
	if k.Track < 0 {
		if j.base != nil {
			j.base.todo = append([]int{k.Unit.Lane}, j.base.todo...)
		}
		return
	}
	t := j.tracks[k.Track]
	if t.finished || t.round != k.round || t.partials[k.Unit.Lane] != nil {
		return // another worker has done it
	}
	delete(t.running, k.Unit.Lane)
	if t.lost[k.Unit.Lane]++; t.lost[k.Unit.Lane] >= maxLost {
		j.Fail(k, fmt.Errorf("%s: the work of %s was lost %d times; try a smaller model or fewer chains", t.method, t.round.Name, maxLost))
		return
	}
	t.todo = append([]int{k.Unit.Lane}, t.todo...)
}

// Fail ends the track of a unit whose lane failed.
func (j *Job) Fail(k *Task, err error) {
	if k.Track < 0 {
		for _, t := range j.tracks {
			t.fail(err)
		}
		return
	}
	t := j.tracks[k.Track]
	if t.finished || t.round != k.round {
		return
	}
	delete(j.busy, t.round.Cache) // a track that waits for it computes it itself
	t.fail(err)
}

func (t *track) fail(err error) { t.finished, t.err, t.todo = true, err, nil }

// Standing is how far one method of a job has come.
type Standing struct {
	State   string               // StateQueued, ... StateFailed
	Err     error                // why it failed
	Results []*estimators.Result // of finished replicates in order; before, of the one under way
}

// States of a method.
const (
	StateQueued  = "queued"
	StateRunning = "running"
	StateDone    = "done"
	StateFailed  = "failed"
)

// Standing is how far a method has come.
func (j *Job) Standing(method string) Standing {
	s := Standing{State: StateQueued}
	finished := 0
	for _, t := range j.tracks {
		if t.method != method {
			continue
		}
		if t.err != nil {
			s.State, s.Err = StateFailed, t.err
		}
		if t.finished {
			finished++
		} else if t.round != nil && s.State == StateQueued {
			s.State = StateRunning
		}
		// While replicates run, only finished ones count, except that the first shows early.
		if res := t.estimate(); res != nil && (t.finished || len(s.Results) == 0) {
			s.Results = append(s.Results, res)
		}
	}
	if finished == j.Spec.Replicates && s.State != StateFailed {
		s.State = StateDone
	} else if finished > 0 && s.State == StateQueued {
		s.State = StateRunning
	}
	return s
}

// Preparing reports whether the model's base rates are still being computed.
func (j *Job) Preparing() bool { return j.base != nil }

// Failed reports whether a method has failed.
func (j *Job) Failed() bool {
	return slices.ContainsFunc(j.tracks, func(t *track) bool { return t.err != nil })
}

// Estimated reports whether any method has an estimate.
func (j *Job) Estimated() bool {
	return slices.ContainsFunc(j.tracks, func(t *track) bool {
		r := t.estimate()
		return r != nil && r.LogZ == r.LogZ
	})
}

// Watched is the track whose pictures are shown: the first that has a unit running,
// or else, between two rounds, the first under way, or -1.
func (j *Job) Watched() int {
	for i, t := range j.tracks {
		if !t.finished && len(t.running) > 0 {
			return i
		}
	}
	for i, t := range j.tracks {
		if !t.finished && t.round != nil {
			return i
		}
	}
	return -1
}

// Shown is the method whose pictures are shown: that of the watched track, and in the end the last.
func (j *Job) Shown() string {
	i := j.Watched()
	if i < 0 {
		i = len(j.tracks) - 1
	}
	return j.tracks[i].method
}

// Planned is what one replicate of the i-th method takes, in chain-sweeps; 0 while that is not known.
func (j *Job) Planned(i int) float64 { return j.tracks[i].planned() }

// Finished reports whether every track has ended.
func (j *Job) Finished() bool {
	return !slices.ContainsFunc(j.tracks, func(t *track) bool { return !t.finished })
}

// planned is the cost of the whole method in chain-sweeps, 0 while unknown. A method may have to
// lay out a population to compute it, so it is asked once per round.
func (t *track) planned() float64 {
	if t.plan == 0 && t.m != nil {
		t.plan = t.m.Sweeps()
	}
	return t.plan
}

// Progress is the share of the planned chain-sweeps that is done, 0 to 1, and the
// planned number.
func (j *Job) Progress() (share, planned float64) {
	done := 0.0
	for i, t := range j.tracks {
		one := 1.0
		if p := j.tracks[i%len(j.Spec.Methods)].planned(); p > 0 {
			one = p
		}
		planned += one
		if t.finished {
			done += one
			continue
		}
		d := t.swept
		for _, r := range t.running {
			d += r
		}
		done += min(d, one)
	}
	return done / planned, planned
}

// estimate is the result of a track so far, nil while there is none. It is recomputed only when
// a partial has arrived: for a long ladder it costs more than the rest of the page.
func (t *track) estimate() (res *estimators.Result) {
	if t.m == nil || t.err != nil {
		return nil
	}
	var err error
	defer func() {
		if err != nil {
			t.fail(err)
		}
	}()
	defer t.recovered(&err)
	if t.round == nil {
		if t.finished && t.final == nil {
			t.final = t.m.Estimate(nil)
		}
		return t.final
	}
	if t.last != nil {
		return t.last
	}
	seen := slices.Clone(t.partials)
	for i, p := range seen {
		if p == nil {
			seen[i] = t.peeks[i]
		}
	}
	t.last = t.m.Estimate(seen)
	return t.last
}
