package engine

import (
	"slices"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// Task is a unit of work with its address in the job.
type Task struct {
	Track int // number of the track in the job, for pictures
	Unit  *estimators.Unit
	Time  float64 // planned, as in estimators.Need, for progress

	track  *track
	round  *estimators.Round
	method estimators.Method
}

// Job is one experiment under way: a track for every run. Its methods are not safe for concurrent use.
type Job struct {
	Spec  *spec.Spec
	Model models.Model

	opt     Options
	stopped bool
	first   int // see begun

	seen, shown float64 // see Progress

	over    func(RunID, []byte) // see Share
	gathers bool                // see Gather

	groups  [][]string // methods that share a run
	tracks  []*track   // the first finds the base of a model that lacks it, the last two the floor and the exact value
	bounds  *estimators.Bounds
	narrow  bool                // see Narrow
	truth   *models.Truth       // see Truth
	sumless bool                // an integral was tried, and not found
	cache   map[string][][]byte // partials of rounds that depend on the model alone
	busy    map[string]bool     // cached rounds being computed
}

// Options set how a job is carried out. Beside the methods themselves they change no digit.
type Options struct {
	Workers  int // how many share the work, 0: one for each processor
	LaneSize int // rows in a lane, 0: the methods' own; only tests set it
	// Cache, which may be nil, keeps the partials of rounds that depend on the model alone for later jobs.
	Cache map[string][][]byte
	// Limit is the most memory in bytes that the job may take with all its workers, 0: any. Apart: the workers share no
	// memory, so each has its copy of the model.
	Limit  float64
	Apart  bool
	Unseen bool // no pictures are wanted
	// Names are the methods and kinds that the experiment may name; the zero value: the catalogue.
	Names catalog.Names
}

// Names are those of the options, and the kind of the model.
func (j *Job) Names() catalog.Names {
	names := j.opt.Names.All()
	names.File, names.Kind = j.Spec.Model, j.Kind()
	return names
}

// Kind is the kind of the model.
func (j *Job) Kind() *models.Kind { return j.opt.Names.All().Kinds.Of(j.Model.Info().Kind) }

// NewJob prepares an experiment.
func NewJob(s *spec.Spec, model models.Model, opt Options) (*Job, error) {
	if opt.Cache == nil {
		opt.Cache = map[string][][]byte{}
	}

	// The rates of the base come before all runs.
	base := newTrack(baseTrack, run{})
	j := &Job{Spec: s, Model: model, opt: opt, cache: opt.Cache, busy: map[string]bool{}, tracks: []*track{base}}
	base.m = estimators.NewBaseRates(model, j.complete)
	if base.finished = base.m == nil; !base.finished {
		base.need = base.m.Need()
	}

	// The runs: one for each group of methods and each replicate.
	j.groups = groups(s, opt.Names)
	for i := range s.Replicates * len(j.groups) {
		t := newTrack(firstRun+i, runOf(j.groups, i))
		j.tracks = append(j.tracks, t)
		if t.replicate > 0 {
			t.need = j.track(t.methods[0]).need
			continue
		}
		// Every run is made once, so that errors come before any work.
		if err := j.open(t); err != nil {
			return nil, err
		}
		t.need = t.m.Need()
	}

	// Memory for all runs, then the tracks without methods: the floor, and the sum over all states.
	if err := j.budget(); err != nil {
		return nil, err
	}
	floor := newTrack(floorTrack, run{})
	floor.m = j.bounded(models.QuickEffort)
	if floor.finished = floor.m == nil; !floor.finished {
		floor.need = floor.m.Need()
	}
	sum := newTrack(sumTrack, run{})
	sum.finished = true
	j.tracks = append(j.tracks, floor, sum)
	if j.sumsAlone() {
		j.Sum()
	}
	return j, nil
}

// Sum adds up the exact value after all else, even if that takes long.
func (j *Job) Sum() {
	m := estimators.NewExact(j.Model, j.summed)
	if m == nil || j.truth != nil {
		return
	}
	j.again(j.sum(), m)
	if _, known := j.cache[estimators.ExactCache]; known {
		j.advance(j.sum())
	}
}

// Narrow goes on with the interval of a run that is over. Bounds tells how far it has come.
func (j *Job) Narrow() {
	if _, ok := j.NarrowSeconds(); ok {
		j.narrow = true
		j.again(j.floor(), j.narrower())
	}
}

// again has a track that is over begin a run, after all else.
func (j *Job) again(t *track, m estimators.Method) {
	t.m, t.need, t.finished = m, m.Need(), false
	j.seen, j.shown = 0, 0
	j.first = min(j.first, slices.Index(j.tracks, t))
}

// complete replaces the model by one with its base.
func (j *Job) complete(m models.Model) {
	j.Model = m
	for _, t := range j.methods() {
		t.m = nil
	}
}

func (j *Job) open(t *track) (err error) {
	if t.m == nil {
		t.last = nil
		t.m, err = t.run.open(j.Spec, j.Model, j.opt)
	}
	return err
}

// Take hands out the next unit, or nil when none can run now.
func (j *Job) Take() *Task {
	if j.stopped {
		return nil
	}

	// A track that is not finished, with its round.
	for i := j.begun(); i < len(j.tracks); i++ {
		t := j.tracks[i]
		if i > 0 && j.Preparing() || t == j.sum() && j.begun() < i {
			break
		}
		if t.finished || j.gathers && len(t.methods) > 0 {
			continue
		}
		if t.round == nil {
			if err := j.open(t); err != nil {
				j.fail(t, err)
				continue
			}
			j.advance(t)
		}

		// Rounds made by another track are awaited, then taken from the cache.
		if t.waits && !j.busy[t.round.Cache] {
			t.waits = false
			j.enter(t, t.round)
		}
		if len(t.todo) == 0 {
			continue
		}

		// The next unit of the round.
		lane := t.todo[0]
		t.todo = t.todo[1:]
		t.running[lane] = 0
		return &Task{Track: t.number, Unit: t.round.Unit(lane), Time: t.round.Time / float64(t.round.Lanes), track: t,
			round: t.round, method: t.m}
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
		j.fail(t, err)
	case round == nil:
		if err := t.finish(); err != nil {
			j.fail(t, err)
			return
		}
		j.tell(t)
		j.extend(t)
	default:
		if _, ok := t.m.(estimators.Piloted); ok { // its pilot may have decided how large it is
			t.need = t.m.Need()
		}
		j.enter(t, round)
	}
}

// enter starts a round, or takes its partials from the cache.
func (j *Job) enter(t *track, round *estimators.Round) {
	t.round, t.lost, t.best, t.noted = round, map[int]int{}, map[int]float64{}, map[int][][]byte{}
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
	t, lane := k.track, k.Unit.Lane
	if !t.holds(k) {
		return
	}
	delete(t.running, lane)
	t.partials[lane], t.states[lane] = k.Unit.Partial, k.Unit.State
	t.spent += k.Time
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
	t := k.track
	if !t.holds(k) {
		return
	}
	t.running[k.Unit.Lane] = share * k.Time
	if share > t.best[k.Unit.Lane] {
		t.best[k.Unit.Lane] = share
		delete(t.lost, k.Unit.Lane)
	}
	if partial != nil {
		t.peeks[k.Unit.Lane] = partial
		t.last = nil
	}
}

// Note takes a partial of a unit at a step, for the history of its run.
func (j *Job) Note(k *Task, step int, partial []byte) {
	if t := k.track; t.holds(k) {
		if err := t.note(k.Unit.Lane, step, partial); err != nil {
			j.fail(t, err)
		}
	}
}

// Return puts a unit that was lost back in front of the queue.
func (j *Job) Return(k *Task) {
	t, lane := k.track, k.Unit.Lane
	if !t.holds(k) {
		return // another worker has done it
	}
	delete(t.running, lane)
	t.lost[lane]++
	t.todo = append([]int{lane}, t.todo...)
}

// Lost is how often a unit was lost since it last got further than ever before.
func (j *Job) Lost(k *Task) int {
	if t := k.track; t.holds(k) {
		return t.lost[k.Unit.Lane]
	}
	return 0
}

// Stop ends the job. Methods that are not done keep what is known of them, as runstate.MethodStopped.
func (j *Job) Stop() { j.stopped = true }

// Stopped reports whether the job was stopped.
func (j *Job) Stopped() bool { return j.stopped }

// Fail ends the track of a unit whose lane failed.
func (j *Job) Fail(k *Task, err error) {
	t := k.track
	if t.finished || t.round != k.round {
		return
	}
	delete(j.busy, t.round.Cache) // a track that waits for these partials computes them
	j.fail(t, err)
}

// fail ends a track. If it is the run for base rates, all tracks end, since they need it.
func (j *Job) fail(t *track, err error) {
	t.fail(err)
	j.tell(t)
	if t == j.tracks[0] {
		for _, other := range j.tracks[1:] {
			if !other.finished {
				j.fail(other, err)
			}
		}
	}
}

// Finished reports whether every track has ended, or the job was stopped.
func (j *Job) Finished() bool {
	return j.stopped || j.begun() == len(j.tracks)
}
