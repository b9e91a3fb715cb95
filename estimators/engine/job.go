package engine

import (
	"slices"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// Task is a lane that a worker is to run, with its place in the job.
type Task struct {
	Track int // number of the track (runs.go), which pictures refer to
	Unit  *estimators.Unit
	Time  float64 // planned time of the lane (ns), for progress

	track  *track
	round  *estimators.Round
	method estimators.Method
}

// Job carries out one experiment, with a track for every run. Its methods are not safe for concurrent use.
type Job struct {
	Spec  *spec.Spec
	Model models.Model

	opt       Options
	stopped   bool
	firstOpen int // see firstUnfinished

	lastShare, lastProgress float64 // see Progress

	onOutcome   func(RunID, []byte) // see Share
	gathersOnly bool                // see Gather

	groups         [][]string // the methods of the experiment, grouped by the run that they share
	tracks         []*track   // the first computes base rates, the last two the bounds and the exact value, all others the runs of methods
	bounds         *estimators.Bounds
	isNarrowing    bool                // see Narrow
	truth          *models.Truth       // see Truth
	integralFailed bool                // the integral could not be computed reliably
	cache          map[string][][]byte // partials of rounds that depend on the model alone
	busy           map[string]bool     // keys of cache that a track is computing
}

// Options set how a job is carried out. Options other than Names do not change results.
type Options struct {
	Workers  int // number of workers, 0: one for each processor
	LaneSize int // rows in a lane, 0: the default of the method; only tests set it
	// Cache, which may be nil, keeps the partials of rounds that depend on the model alone (Round.Cache) for later jobs.
	Cache map[string][][]byte
	// MemoryLimit is the memory in bytes that the job may take with all its workers, 0: any. Apart is set if the workers
	// share no memory, so that each has its own copy of the model.
	MemoryLimit    float64
	SeparateMemory bool
	NoPictures     bool // make no pictures
	// Names are the methods and kinds that the experiment may use; the zero value means the built-in ones.
	Names catalog.Names
}

// Names returns the models and methods that the experiment may use, including the kind of a model from a file.
func (j *Job) Names() catalog.Names {
	names := j.opt.Names.All()
	names.File, names.Kind = j.Spec.Model, j.Kind()
	return names
}

// Kind returns the kind of the model.
func (j *Job) Kind() *models.Kind { return j.opt.Names.All().Kinds.Of(j.Model.Info().Kind) }

// NewJob prepares an experiment. It returns an error if a run cannot be made, or if the memory limit is exceeded.
func NewJob(s *spec.Spec, model models.Model, opt Options) (*Job, error) {
	if opt.Cache == nil {
		opt.Cache = map[string][][]byte{}
	}

	// The run for base rates comes before all others.
	base := newTrack(baseTrack, run{})
	j := &Job{Spec: s, Model: model, opt: opt, cache: opt.Cache, busy: map[string]bool{}, tracks: []*track{base}}
	base.method = estimators.NewBaseRates(model, j.setBase)
	if base.finished = base.method == nil; !base.finished {
		base.need = base.method.Need()
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
		// Open the first replicate of every run, so that errors are found before any work is done.
		if err := j.open(t); err != nil {
			return nil, err
		}
		t.need = t.method.Need()
	}

	// Check the memory of all runs; then add the tracks without methods: the bounds, and the exact value.
	if err := j.budget(); err != nil {
		return nil, err
	}
	floor := newTrack(floorTrack, run{})
	floor.method = j.boundsRun(models.QuickEffort)
	if floor.finished = floor.method == nil; !floor.finished {
		floor.need = floor.method.Need()
	}
	sum := newTrack(sumTrack, run{})
	sum.finished = true
	j.tracks = append(j.tracks, floor, sum)
	if j.sumIsCheap() {
		j.Sum()
	}
	return j, nil
}

// Sum makes the job compute the exact value after everything else, even if this takes long. It does nothing if the value
// is known or cannot be computed.
func (j *Job) Sum() {
	m := estimators.NewExact(j.Model, j.setTruth)
	if m == nil || j.truth != nil {
		return
	}
	j.restart(j.sum(), m)
	if _, known := j.cache[estimators.ExactCache]; known {
		j.advance(j.sum())
	}
}

// Narrow makes the job compute tighter bounds of log Z after the runs of all methods. Bounds returns the tightest so far.
func (j *Job) Narrow() {
	if _, ok := j.NarrowSeconds(); ok {
		j.isNarrowing = true
		j.restart(j.floor(), j.tighterBoundsRun())
	}
}

// restart gives a finished track a new run.
func (j *Job) restart(t *track, m estimators.Method) {
	t.method, t.need, t.finished = m, m.Need(), false
	j.lastShare, j.lastProgress = 0, 0
	j.firstOpen = min(j.firstOpen, slices.Index(j.tracks, t))
}

// setBase replaces the model by the same model with base rates.
func (j *Job) setBase(m models.Model) {
	j.Model = m
	for _, t := range j.methods() {
		t.method = nil
	}
}

// open makes the method of a track unless it has one.
func (j *Job) open(t *track) (err error) {
	if t.method == nil {
		t.lastEstimate = nil
		t.method, err = t.run.open(j.Spec, j.Model, j.opt)
	}
	return err
}

// Take returns the next lane to run, or nil if none can run at present.
func (j *Job) Take() *Task {
	if j.stopped {
		return nil
	}

	// The first unfinished track with a lane to hand out.
	for i := j.firstUnfinished(); i < len(j.tracks); i++ {
		t := j.tracks[i]
		if i > 0 && j.Preparing() || t == j.sum() && j.firstUnfinished() < i {
			break
		}
		if t.finished || j.gathersOnly && len(t.methods) > 0 {
			continue
		}
		if t.round == nil {
			if err := j.open(t); err != nil {
				j.fail(t, err)
				continue
			}
			j.advance(t)
		}

		// If another track was computing the same round, its partials are in the cache by then.
		if t.awaitsCache && !j.busy[t.round.Cache] {
			t.awaitsCache = false
			j.startRound(t, t.round)
		}
		if len(t.todo) == 0 {
			continue
		}

		// The next unit of the round.
		lane := t.todo[0]
		t.todo = t.todo[1:]
		t.running[lane] = 0
		return &Task{Track: t.number, Unit: t.round.Unit(lane), Time: t.round.Time / float64(t.round.Lanes), track: t,
			round: t.round, method: t.method}
	}
	return nil
}

// advance passes the partials of a finished round to the method and starts the next round, or ends the track.
func (j *Job) advance(t *track) {
	round, err := t.next()
	t.plannedSweeps = 0
	t.partials, t.states, t.peeks = nil, nil, nil
	t.lastEstimate = nil
	switch {
	case err != nil:
		j.fail(t, err)
	case round == nil:
		if err := t.finish(); err != nil {
			j.fail(t, err)
			return
		}
		j.shareOutcome(t)
		j.addReplicates(t)
	default:
		if _, ok := t.method.(estimators.Piloted); ok { // the pilot may have changed the size of the run
			t.need = t.method.Need()
		}
		j.startRound(t, round)
	}
}

// startRound starts a round, or takes its partials from the cache.
func (j *Job) startRound(t *track, round *estimators.Round) {
	t.round, t.lost, t.furthest, t.stepPartials = round, map[int]int{}, map[int]float64{}, map[int][][]byte{}
	t.todo, t.unfinished = nil, round.Lanes
	t.partials, t.states, t.peeks = make([][]byte, round.Lanes), make([][]byte, round.Lanes), make([][]byte, round.Lanes)
	if round.Cache != "" {
		if partials, ok := j.cache[round.Cache]; ok {
			t.partials = partials
			j.advance(t)
			return
		}
		if j.busy[round.Cache] {
			t.awaitsCache = true
			return
		}
		j.busy[round.Cache] = true
	}
	for i := 0; i < round.Lanes; i++ {
		t.todo = append(t.todo, i)
	}
}

// Done records the result of a finished lane.
func (j *Job) Done(k *Task) {
	t, lane := k.track, k.Unit.Lane
	if !t.needs(k) {
		return
	}
	delete(t.running, lane)
	t.partials[lane], t.states[lane] = k.Unit.Partial, k.Unit.State
	t.spent += k.Time
	t.lastEstimate = nil
	if t.unfinished--; t.unfinished > 0 {
		return
	}
	if c := t.round.Cache; c != "" {
		j.cache[c] = t.partials
		delete(j.busy, c)
	}
	j.advance(t)
}

// Peek records a peeked partial, which may be nil, and the progress (0 to 1) of a running lane.
func (j *Job) Peek(k *Task, partial []byte, share float64) {
	t := k.track
	if !t.needs(k) {
		return
	}
	t.running[k.Unit.Lane] = share * k.Time
	if share > t.furthest[k.Unit.Lane] {
		t.furthest[k.Unit.Lane] = share
		delete(t.lost, k.Unit.Lane)
	}
	if partial != nil {
		t.peeks[k.Unit.Lane] = partial
		t.lastEstimate = nil
	}
}

// Note records the partial of a lane at a step, for the history of its run (Unit.Note).
func (j *Job) Note(k *Task, step int, partial []byte) {
	if t := k.track; t.needs(k) {
		if err := t.note(k.Unit.Lane, step, partial); err != nil {
			j.fail(t, err)
		}
	}
}

// Return puts a lane whose worker was lost back at the front of the queue.
func (j *Job) Return(k *Task) {
	t, lane := k.track, k.Unit.Lane
	if !t.needs(k) {
		return // another worker has done it
	}
	delete(t.running, lane)
	t.lost[lane]++
	t.todo = append([]int{lane}, t.todo...)
}

// Lost returns how often a lane was lost since its largest progress so far.
func (j *Job) Lost(k *Task) int {
	if t := k.track; t.needs(k) {
		return t.lost[k.Unit.Lane]
	}
	return 0
}

// Stop ends the job. Unfinished methods keep their preliminary results and have the state runstate.MethodStopped.
func (j *Job) Stop() { j.stopped = true }

// Stopped reports whether the job was stopped.
func (j *Job) Stopped() bool { return j.stopped }

// Fail ends the track of a lane that failed.
func (j *Job) Fail(k *Task, err error) {
	t := k.track
	if t.finished || t.round != k.round {
		return
	}
	delete(j.busy, t.round.Cache) // another track that waits for these partials must compute them
	j.fail(t, err)
}

// fail ends a track. If it is the run for base rates, all tracks end, since they need it.
func (j *Job) fail(t *track, err error) {
	t.fail(err)
	j.shareOutcome(t)
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
	return j.stopped || j.firstUnfinished() == len(j.tracks)
}
