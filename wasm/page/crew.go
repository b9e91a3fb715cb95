package page

import (
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators/engine"
)

// How long a worker may be silent, in seconds of a device that is as fast as is usual.
const (
	silence      = 5.0  // one that owes an answer
	firstSilence = 15.0 // one that has sent nothing since it started: nothing tells its pace
	startSilence = 30.0 // one that has not started yet
)

// How slow a device is. Time counts by the brain's own ticks: while they are late, the device sleeps, hides the page or
// has no time for it, and workers cannot answer either. How long a worker took to start, which is the same work
// everywhere, tells how much longer everything takes; and one that was silent for a while before may be so again.
const (
	longestTick   = .1  // seconds that a tick counts at most; one comes every 0.05
	usualStart    = .15 // seconds in which a worker starts
	slowestDevice = 20  // no device counts as slower than this
	longerGap     = 20  // times as long as ever before since its last sign of life
)

// How often workers may be replaced.
const (
	maxLost    = 3    // times over one unit that gets no further
	maxPerTime = 12   // times in period
	period     = 60.0 // seconds by ticks
)

// crew is the lane workers: it starts them, gives them model files and units of a job, takes their messages, and
// replaces those that are silent. It must not know of reports, words or views.
type crew struct {
	host  Host
	size  int
	lanes map[int]*lane
	model []modelFile // of the job
	slow  int         // the least time of a frame, in milliseconds
	rest  int         // the least time between pictures, in milliseconds

	errands []*errand // that wait for a worker

	lastLane, lastUnit int       // numbers given so far
	age                float64   // seconds, by ticks
	lost               []float64 // when workers were lost over a unit, by age
}

// lane is one worker.
type lane struct {
	ready  bool
	silent float64 // seconds, by ticks, since it was heard or asked
	took   float64 // to start, in seconds
	gap    float64 // the longest time between two signs of life, of those it told lately
	share  float64 // of a model that it opens
	lost   int     // how often its unit was lost and got no further
	unit   int     // number of the unit it works on
	task   *engine.Task
	errand *errand           // or the errand
	has    map[string]string // ids of its files by name
	watch  int
}

// modelFile is a file under the name by which a worker knows it. Its id tells files of one name apart.
type modelFile struct {
	name, id string
	data     []byte
}

func newCrew(h Host, size int) crew {
	c := crew{host: h, size: max(size, 1), lanes: map[int]*lane{}, rest: engine.PictureTime}
	c.fill()
	return c
}

func (c *crew) spawn() {
	c.lastLane++
	c.lanes[c.lastLane] = &lane{has: map[string]string{}, watch: -1}
	c.host.Spawn(c.lastLane)
}

// fill starts the workers that lack: some could not start before.
func (c *crew) fill() {
	for len(c.lanes) < c.size {
		c.spawn()
	}
}

// ready notes that a worker accepts messages, false if it is not ours. took is how long it took to start.
func (c *crew) ready(id int, took float64) bool {
	l := c.lanes[id]
	if l == nil {
		return false
	}
	l.ready, l.silent, l.took = true, 0, took
	c.sendPace(id)
	return true
}

// pace tells the workers the least times of a descent and between pictures, in milliseconds.
func (c *crew) pace(slow, rest int) {
	c.slow, c.rest = slow, rest
	for id, l := range c.lanes {
		if l.ready {
			c.sendPace(id)
		}
	}
}

func (c *crew) sendPace(id int) {
	w := wire.Writer{B: []byte{engine.MsgSpeed}}
	w.Int(c.slow)
	w.Int(len(c.lanes))
	w.Int(c.rest)
	c.host.Post(id, w.B)
}

// open has the workers open the model of a link.
func (c *crew) open(link string, files []modelFile) {
	c.model = files
	for id, l := range c.lanes {
		c.supply(id, l, files)
		w := wire.Writer{B: []byte{engine.MsgOpen}}
		w.String(link)
		c.host.Post(id, w.B)
	}
}

// supply gives a worker those files that it lacks.
func (c *crew) supply(id int, l *lane, files []modelFile) {
	for _, f := range files {
		if l.has[f.name] != f.id {
			l.has[f.name] = f.id
			w := wire.Writer{B: []byte{engine.MsgFile}}
			w.String(f.name)
			w.Bytes(f.data)
			c.host.Post(id, w.B)
		}
	}
}

// assign gives units to idle workers. In steps, each of them stops after its first frame.
func (c *crew) assign(job *engine.Job, steps bool) {
	for id, l := range c.lanes {
		if !l.ready || l.busy() {
			continue
		}
		k := job.Take()
		if k == nil {
			break
		}
		c.send(id, l, job, k, steps)
		if steps {
			c.host.Post(id, []byte{engine.MsgStep})
		}
	}
}

// send gives a unit to a worker.
func (c *crew) send(id int, l *lane, job *engine.Job, k *engine.Task, paused bool) {
	c.supply(id, l, c.model)
	c.lastUnit++
	watch := k.Track >= 0 && k.Track == job.Watched()
	l.task, l.unit, l.silent, l.share, l.lost = k, c.lastUnit, 0, 0, job.Lost(k)
	if watch {
		l.watch = k.Track
	}
	c.host.Post(id, job.Message(k, l.unit, paused, watch)...)
}

// watch tells those at work whose pictures are shown.
func (c *crew) watch(track int) {
	for id, l := range c.lanes {
		if l.busy() && l.watch != track {
			l.watch = track
			w := wire.Writer{B: []byte{engine.MsgWatch}}
			w.Int(track)
			c.host.Post(id, w.B)
		}
	}
}

// tell sends a control message to every busy worker. Paused ones answer too, so silence is measured from now.
func (c *crew) tell(kind byte) {
	for id, l := range c.lanes {
		if l.busy() {
			l.silent = 0
			c.host.Post(id, []byte{kind})
		}
	}
}

// abort drops all units.
func (c *crew) abort() {
	c.tell(engine.MsgAbort)
	for _, l := range c.lanes {
		l.task, l.errand = nil, nil
	}
	c.errands = nil
}

// dismiss ends a worker. Its unit goes back to the job, if there is one: then work was lost.
func (c *crew) dismiss(id int, job *engine.Job) (lost bool) {
	l := c.lanes[id]
	delete(c.lanes, id)
	c.host.Kill(id)
	if l.errand != nil {
		c.again(l.errand)
	}
	if lost = l.task != nil && job != nil; lost {
		job.Return(l.task)
		c.lost = append(c.lost, c.age)
	}
	return lost
}

// tooOften counts the workers that were lost over a unit that gets no further, or lately, where they were too many.
func (c *crew) tooOften(k *engine.Task, job *engine.Job) (n int, often bool) {
	if n = job.Lost(k); n >= maxLost {
		return n, true
	}
	c.lost = slices.DeleteFunc(c.lost, func(at float64) bool { return c.age-at > period })
	return len(c.lost), len(c.lost) >= maxPerTime
}

// opening is the share of the model that the workers have opened, 0 when none of them is about it.
func (c *crew) opening() (share float64) {
	for _, l := range c.lanes {
		if l.busy() {
			share = max(share, l.share)
		}
	}
	return share
}

// tick counts the seconds since the last tick, and lists the workers that have been silent for too long.
func (c *crew) tick(seconds float64) (ids []int) {
	seconds = min(seconds, longestTick)
	c.age += seconds
	slow := c.slowness()
	for id, l := range c.lanes {
		if !l.busy() && l.ready {
			continue
		}
		if l.silent += seconds; l.silent > l.patience()*slow && l.silent > longerGap*l.gap {
			ids = append(ids, id)
		}
	}
	return ids
}

// slowness is how much longer than usual a worker takes to start here, at least 1.
func (c *crew) slowness() float64 {
	least := math.Inf(1)
	for _, l := range c.lanes {
		if l.ready {
			least = min(least, l.took)
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return min(max(least/usualStart, 1), slowestDevice)
}

// patience is how long a worker may be silent. It doubles each time that its unit was lost and got no further: the unit
// may take longer than any before.
func (l *lane) patience() float64 {
	if !l.ready {
		return startSilence
	}
	least := 0.0
	if l.gap == 0 {
		least = firstSilence
	}
	return max(least, silence*float64(int(1)<<min(l.lost, maxLost)))
}

// take hands a worker's message to the job; told means that the job knows more, an error that the message is damaged.
func (c *crew) take(id int, msg []byte, job *engine.Job) (told bool, err error) {
	l := c.lanes[id]
	if l == nil || len(msg) == 0 {
		return false, nil
	}
	l.gap = max(l.gap, l.silent, longestTick/2)
	l.silent = 0
	r := wire.Reader{B: msg[1:]}
	if msg[0] == engine.MsgAlive {
		if gap, share := r.Float(), r.Float(); r.Err == nil && gap >= 0 && share >= 0 && share <= 1 {
			l.gap, l.share = max(gap, l.gap/2), share
		}
		return false, nil
	}
	n := r.Int()
	if l.errand != nil && n == l.unit {
		return l.bring(msg[0], &r)
	}
	if l.task == nil || n != l.unit || job == nil {
		return false, nil // about a unit that is no longer wanted
	}
	switch msg[0] {
	case engine.MsgPeek:
		share, partial := r.Float(), r.Bytes()
		if len(partial) == 0 {
			partial = nil
		}
		if r.Err == nil {
			job.Peek(l.task, partial, share)
		}
	case engine.MsgNote:
		step, partial := r.Int(), r.Bytes()
		if r.Err == nil && len(partial) > 0 {
			job.Note(l.task, step, partial)
		}
		return false, r.Err
	case engine.MsgDone:
		if err := l.task.ReadDone(&r); err != nil {
			return false, err
		}
		job.Done(l.task)
		l.task = nil
	case engine.MsgError:
		why := engine.ReadError(&r)
		if r.Err != nil {
			return false, r.Err
		}
		job.Fail(l.task, why)
		l.task = nil
	default:
		return false, nil
	}
	return true, nil
}
