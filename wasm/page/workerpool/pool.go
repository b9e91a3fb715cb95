package workerpool

import (
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators/engine"
)

// How long a worker may be silent, in seconds of a device that is as fast as is usual.
const (
	Silence      = 5.0  // one that owes an answer
	firstSilence = 15.0 // one that has sent nothing since it started: nothing tells its pace
	startSilence = 30.0 // one that has not started yet
)

// How slow a device is. Time counts by the controller's own ticks: while they are late, the device sleeps, hides the page or
// has no time for it, and workers cannot answer either. How long a worker took to start, which is the same work
// everywhere, tells how much longer everything takes; and one that was silent for a while before may be so again.
const (
	longestTick   = .1  // seconds that a tick counts at most; one comes every 0.05
	UsualStart    = .15 // seconds in which a worker starts
	slowestDevice = 20  // no device counts as slower than this
	longerGap     = 20  // times as long as ever before since its last sign of life
)

// How often workers may be replaced.
const (
	maxLost    = 3    // times over one unit that gets no further
	MaxPerTime = 12   // times in period
	period     = 60.0 // seconds by ticks
)

// Memory is how many bytes the controller and all workers may take together.
const Memory = 1.5e9

// Pool is the lane workers.
type Pool struct {
	host  Host
	Size  int
	Lanes map[int]*lane
	model []File // of the job
	Slow  int    // the least time of a descent, in milliseconds
	Rest  int    // the least time between pictures, in milliseconds

	waiting []*BackgroundUnit // that wait for a worker

	spared             bool      // idle workers were ended
	lastLane, lastUnit int       // numbers given so far
	age                float64   // seconds, by ticks
	lost               []float64 // when workers were lost over a unit, by age
}

// lane is one worker.
type lane struct {
	Ready      bool
	Silent     float64 // seconds, by ticks, since it was heard or asked
	took       float64 // to start, in seconds
	gap        float64 // the longest time between two signs of life, of those it told lately
	share      float64 // of a model that it opens
	posted     int     // messages sent so far
	stands     int     // messages heard when the worker last stood still in a pause
	lost       int     // how often its unit was lost and got no further
	unit       int     // number of the unit it works on
	Task       *engine.Task
	background *BackgroundUnit   // or a unit of a training
	has        map[string]string // ids of its files by name
	watch      int
}

// File is a file under the name by which a worker knows it. Its id tells files of one name apart.
type File struct {
	Name, ID string
	Data     []byte
}

// Host are the lane workers as the browser has them.
type Host interface {
	Spawn(id int)               // start lane worker id, unless the page has started it; Ready follows
	Kill(id int)                // end it
	Post(id int, msg ...[]byte) // send it a message, in parts
}

// New starts a number of lane workers.
func New(h Host, size int) Pool {
	c := Pool{host: h, Size: max(size, 1), Lanes: map[int]*lane{}, Rest: engine.PictureTime}
	c.Fill()
	return c
}

// Holders is how many hold a copy of a model: the controller and all workers.
func (c *Pool) Holders() float64 { return float64(1 + c.Size) }

// Spawn starts one more worker.
func (c *Pool) Spawn() {
	c.lastLane++
	c.Lanes[c.lastLane] = &lane{has: map[string]string{}, watch: -1}
	c.host.Spawn(c.lastLane)
}

// Fill starts the workers that lack: some could not start before.
func (c *Pool) Fill() {
	c.spared = false
	for len(c.Lanes) < c.Size {
		c.Spawn()
	}
}

// Spare ends idle workers, so that something else has their memory. They come back when there is work.
func (c *Pool) Spare() {
	for id, l := range c.Lanes {
		if !l.busy() {
			delete(c.Lanes, id)
			c.host.Kill(id)
		}
	}
	c.spared = true
}

// unspare starts the workers again that Spare ended.
func (c *Pool) unspare() {
	if c.spared {
		c.Fill()
	}
}

// Ready notes that a worker accepts messages, false if it is not ours. took is how long it took to start.
func (c *Pool) Ready(id int, took float64) bool {
	l := c.Lanes[id]
	if l == nil {
		return false
	}
	l.Ready, l.Silent, l.took = true, 0, took
	c.sendPace(id, l)
	return true
}

// Pace tells the workers the least times of a descent and between pictures, in milliseconds.
func (c *Pool) Pace(slow, rest int) {
	c.Slow, c.Rest = slow, rest
	for id, l := range c.Lanes {
		if l.Ready {
			c.sendPace(id, l)
		}
	}
}

func (c *Pool) sendPace(id int, l *lane) {
	w := wire.Writer{B: []byte{engine.MsgSpeed}}
	w.Int(c.Slow)
	w.Int(len(c.Lanes))
	w.Int(c.Rest)
	c.post(id, l, w.B)
}

// Open has the workers open the model of a link.
func (c *Pool) Open(link string, files []File) {
	c.model = files
	for id, l := range c.Lanes {
		c.supply(id, l, files)
		w := wire.Writer{B: []byte{engine.MsgOpen}}
		w.String(link)
		c.post(id, l, w.B)
	}
}

// supply gives a worker those files that it lacks.
func (c *Pool) supply(id int, l *lane, files []File) {
	for _, f := range files {
		if l.has[f.Name] != f.ID {
			l.has[f.Name] = f.ID
			w := wire.Writer{B: []byte{engine.MsgFile}}
			w.String(f.Name)
			w.Bytes(f.Data)
			c.post(id, l, w.B)
		}
	}
}

// post sends a message to a worker.
func (c *Pool) post(id int, l *lane, parts ...[]byte) {
	l.posted++
	c.host.Post(id, parts...)
}

// Assign gives units to idle workers. In steps, each of them stops after its first frame.
func (c *Pool) Assign(job *engine.Job, steps bool) {
	c.unspare()
	for id, l := range c.Lanes {
		if !l.Ready || l.busy() {
			continue
		}
		k := job.Take()
		if k == nil {
			break
		}
		c.send(id, l, job, k, steps)
		if steps {
			c.post(id, l, []byte{engine.MsgStep})
		}
	}
}

// send gives a unit to a worker.
func (c *Pool) send(id int, l *lane, job *engine.Job, k *engine.Task, paused bool) {
	c.supply(id, l, c.model)
	c.lastUnit++
	watch := k.Track >= 0 && k.Track == job.Watched()
	l.Task, l.unit, l.Silent, l.share, l.lost = k, c.lastUnit, 0, 0, job.Lost(k)
	if watch {
		l.watch = k.Track
	}
	c.post(id, l, job.Message(k, l.unit, paused, watch)...)
}

// Watch tells those at work whose pictures are shown.
func (c *Pool) Watch(track int) {
	for id, l := range c.Lanes {
		if l.busy() && l.watch != track {
			l.watch = track
			w := wire.Writer{B: []byte{engine.MsgWatch}}
			w.Int(track)
			c.post(id, l, w.B)
		}
	}
}

// Tell sends a control message to every busy worker. Paused ones answer too, so silence is measured from now.
func (c *Pool) Tell(kind byte) {
	for id, l := range c.Lanes {
		if l.busy() {
			l.Silent = 0
			c.post(id, l, []byte{kind})
		}
	}
}

// Busy reports whether a worker has a unit.
func (c *Pool) Busy() bool {
	for _, l := range c.Lanes {
		if l.busy() {
			return true
		}
	}
	return false
}

// Stands reports whether all that have a unit said that they stand still in a pause, after the last message to them.
func (c *Pool) Stands() bool {
	for _, l := range c.Lanes {
		if l.busy() && l.stands != l.posted {
			return false
		}
	}
	return true
}

// Abort drops all units.
func (c *Pool) Abort() {
	c.Tell(engine.MsgAbort)
	for _, l := range c.Lanes {
		l.Task, l.background = nil, nil
	}
	c.waiting = nil
}

// Dismiss ends a worker. Its unit goes back to the job, if there is one: then work was lost.
func (c *Pool) Dismiss(id int, job *engine.Job) (lost bool) {
	l := c.Lanes[id]
	delete(c.Lanes, id)
	c.host.Kill(id)
	if l.background != nil {
		c.again(l.background)
	}
	if lost = l.Task != nil && job != nil; lost {
		job.Return(l.Task)
		c.lost = append(c.lost, c.age)
	}
	return lost
}

// TooOften counts the workers that were lost over a unit that gets no further, or lately, where they were too many.
func (c *Pool) TooOften(k *engine.Task, job *engine.Job) (n int, often bool) {
	if n = job.Lost(k); n >= maxLost {
		return n, true
	}
	c.lost = slices.DeleteFunc(c.lost, func(at float64) bool { return c.age-at > period })
	return len(c.lost), len(c.lost) >= MaxPerTime
}

// Opening is the share of the model that the workers have opened, 0 when none of them is about it.
func (c *Pool) Opening() (share float64) {
	for _, l := range c.Lanes {
		if l.busy() {
			share = max(share, l.share)
		}
	}
	return share
}

// Tick counts the seconds since the last tick, and lists the workers that have been silent for too long.
func (c *Pool) Tick(seconds float64) (ids []int) {
	seconds = min(seconds, longestTick)
	c.age += seconds
	slow := c.slowness()
	for id, l := range c.Lanes {
		if !l.busy() && l.Ready {
			continue
		}
		if l.Silent += seconds; l.Silent > l.patience()*slow && l.Silent > longerGap*l.gap {
			ids = append(ids, id)
		}
	}
	return ids
}

// slowness is how much longer than usual a worker takes to start here, at least 1.
func (c *Pool) slowness() float64 {
	least := math.Inf(1)
	for _, l := range c.Lanes {
		if l.Ready {
			least = min(least, l.took)
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return min(max(least/UsualStart, 1), slowestDevice)
}

// patience is how long a worker may be silent. It doubles each time that its unit was lost and got no further: the unit
// may take longer than any before.
func (l *lane) patience() float64 {
	if !l.Ready {
		return startSilence
	}
	least := 0.0
	if l.gap == 0 {
		least = firstSilence
	}
	return max(least, Silence*float64(int(1)<<min(l.lost, maxLost)))
}

// Take hands a worker's message to the job; news is true where the job has new results, and
// an error means that the message is damaged.
func (c *Pool) Take(id int, msg []byte, job *engine.Job) (news bool, err error) {
	l := c.Lanes[id]
	if l == nil || len(msg) == 0 {
		return false, nil
	}
	l.gap = max(l.gap, l.Silent, longestTick/2)
	l.Silent = 0

	// A sign of life.
	r := wire.Reader{B: msg[1:]}
	if msg[0] == engine.MsgAlive {
		gap, share, stands := r.Float(), r.Float(), r.Int()
		if r.Err == nil && gap >= 0 && share >= 0 && share <= 1 {
			l.gap, l.share, l.stands = max(gap, l.gap/2), share, stands
		}
		return false, nil
	}

	// A message about a unit that is still wanted.
	n := r.Int()
	if l.background != nil && n == l.unit {
		return l.bring(msg[0], &r)
	}
	if l.Task == nil || n != l.unit || job == nil {
		return false, nil // about a unit that is no longer wanted
	}

	switch msg[0] {
	case engine.MsgPeek:
		share, partial := r.Float(), r.Bytes()
		if len(partial) == 0 {
			partial = nil
		}
		if r.Err == nil {
			job.Peek(l.Task, partial, share)
		}
	case engine.MsgNote:
		step, partial := r.Int(), r.Bytes()
		if r.Err == nil && len(partial) > 0 {
			job.Note(l.Task, step, partial)
		}
		return false, r.Err
	case engine.MsgDone:
		if err := l.Task.ReadDone(&r); err != nil {
			return false, err
		}
		job.Done(l.Task)
		l.Task = nil
	case engine.MsgError:
		why := r.Problem()
		if r.Err != nil {
			return false, r.Err
		}
		job.Fail(l.Task, why)
		l.Task = nil
	default:
		return false, nil
	}
	return true, nil
}
