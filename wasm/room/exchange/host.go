package exchange

import (
	"context"
	"time"

	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Host runs a job through a room. It keeps every result by the id of its unit, which is the hash of the unit itself:
// plan, lane and state. So a job that is made again, after a crash or because a device gave wrong results, takes what
// is right from there and needs the rest only.
type Host struct {
	Owner   *room.Owner
	Journal *Journal // nil: nothing is kept
	// Compute computes units here, to see who is right where two devices differ.
	Compute Computer
	// With runs what touches the job, where another goroutine has it, and waits for that; nil: here.
	With     func(do func())
	Progress func(*engine.Job)                   // may be nil
	Folded   func(t *engine.Task, device string) // a result of a device counts; may be nil

	kept    map[string]*kept
	out     map[string]*engine.Task // in the room, by id
	bad     map[string]string       // machines that were left out, with one of their devices
	after   int                     // the last result seen
	agreed  int
	wrong   bool // a device was left out: the job must be made again
	devices int
}

// with runs what touches the job.
func (h *Host) with(do func()) {
	if h.With == nil {
		do()
		return
	}
	h.With(do)
}

// kept is a unit that the host knows, and its result, if it is there.
type kept struct {
	common, own  []byte
	device, hash string
	body         []byte
	looked       bool
	doubts       [][2]string // devices and hashes of second looks that differ, until the unit is known here
}

// Counts say what became of a room's units.
type Counts struct {
	Units, Agreed, Left int // results; second looks that agree; devices left out
}

// Counts are those so far.
func (h *Host) Counts() Counts {
	c := Counts{Agreed: h.agreed, Left: len(h.bad)}
	for _, k := range h.kept {
		if k.body != nil {
			c.Units++
		}
	}
	return c
}

// Load takes the records of a journal.
func (h *Host) Load(all []*Record) {
	h.kept, h.bad = map[string]*kept{}, map[string]string{}
	for _, r := range all {
		h.after = max(h.after, r.seq)
		switch r.kind {
		case recordResult:
			h.kept[r.texts[0]] = &kept{device: r.texts[1], hash: r.texts[2], body: r.body}
		case recordLook:
			if k := h.kept[r.texts[0]]; k != nil {
				k.looked = true
				h.agreed++
			}
		case recordOut:
			h.forget(r.texts[0])
		case recordHead:
			h.after = 0 // of another room
		}
	}
}

// forget leaves a device's machine out, with the results that no other has confirmed.
func (h *Host) forget(device string) {
	h.bad[room.Machine(device)] = device
	for _, k := range h.kept {
		if room.Machine(k.device) == room.Machine(device) && !k.looked {
			k.device, k.hash, k.body = "", "", nil
		}
	}
}

// Run runs the job that open makes, always the same one, until it is finished or ctx ends. It returns the job in any
// case; its results are as complete as it is.
func (h *Host) Run(ctx context.Context, open func() (*engine.Job, error)) (*engine.Job, error) {
	if h.kept == nil {
		h.Load(nil)
	}
	for _, device := range h.bad { // the room may not know it yet
		if err := h.Owner.Drop(ctx, device); err != nil {
			return nil, err
		}
	}
	for {
		j, err := open()
		if err != nil {
			return nil, err
		}
		h.out, h.wrong = map[string]*engine.Task{}, false
		for !h.over(j) && !h.wrong && err == nil {
			err = h.step(ctx, j)
		}
		failed := false
		h.with(func() { failed = j.Failed() })
		if err == nil && !h.wrong && failed {
			err = h.inspect(ctx, j)
		}
		if err == nil && !h.wrong {
			err = h.looks(ctx, j)
		}
		if err == nil && !h.wrong {
			err = h.spot(ctx)
		}
		if err != nil || !h.wrong {
			return j, err
		}
	}
}

// over reports whether the job has no more units.
func (h *Host) over(j *engine.Job) (yes bool) {
	h.with(func() { yes = j.Finished() })
	return yes
}

// atOnce is how many units are in the room for each device, and at least in all.
const atOnce, leastAtOnce = 4, 64

// step puts units that can run into the room, and takes results.
func (h *Host) step(ctx context.Context, j *engine.Job) error {
	var posts []room.Post
	for len(h.out) < max(leastAtOnce, atOnce*h.devices) {
		var t *engine.Task
		var common, own []byte
		h.with(func() {
			if t = j.Take(); t != nil {
				common, own = j.Parcel(t)
			}
		})
		if t == nil {
			break
		}
		id := room.ID(common, own)
		k := h.kept[id]
		if k == nil {
			k = &kept{}
			h.kept[id] = k
		}
		if k.common, k.own = common, own; len(posts) > 0 && posts[len(posts)-1].Round == room.ID(common) {
			k.common = posts[len(posts)-1].Common // one copy for the round
		}
		if k.body != nil {
			if err := h.fold(ctx, j, t, k); err != nil || h.wrong {
				return err
			}
			continue
		}
		h.out[id] = t
		posts = append(posts, room.Post{ID: id, Round: room.ID(common), Common: k.common, Own: own})
	}
	if err := h.Owner.Put(ctx, posts); err != nil {
		return err
	}
	if h.over(j) {
		return nil
	}
	return h.receive(ctx, j)
}

// receive takes the results that are there, or waits a little.
func (h *Host) receive(ctx context.Context, j *engine.Job) error {
	all, err := h.Owner.Results(ctx, h.after)
	if err != nil {
		return err
	}
	h.devices = all.Devices
	for _, r := range all.All {
		if err := h.take(ctx, j, r); err != nil {
			return err
		}
		h.after = r.Seq
	}
	if h.Progress != nil {
		h.with(func() { h.Progress(j) })
	}
	return room.Sleep(ctx, all.Wait)
}

// take takes one result: the first of its unit, or a second look at it.
func (h *Host) take(ctx context.Context, j *engine.Job, r room.Result) error {
	k := h.kept[r.Unit]
	if k == nil { // put before this host was started again
		k = &kept{}
		h.kept[r.Unit] = k
	}
	switch {
	case h.bad[room.Machine(r.Device)] != "" || k.device == r.Device: // sent twice
		return nil
	case k.body != nil && k.hash == r.Hash:
		if !k.looked && room.Machine(k.device) != room.Machine(r.Device) {
			k.looked = true
			h.agreed++
			return h.Journal.add(&Record{kind: recordLook, texts: [5]string{r.Unit}, seq: r.Seq})
		}
		return nil
	case k.body != nil:
		k.doubts = append(k.doubts, [2]string{r.Device, r.Hash})
		return h.settle(ctx, k)
	case room.CheckResult(r.Body) != nil:
		return h.leave(ctx, r.Device)
	}
	k.device, k.hash, k.body = r.Device, r.Hash, r.Body
	err := h.Journal.add(&Record{kind: recordResult, texts: [5]string{r.Unit, r.Device, r.Hash}, seq: r.Seq,
		body: r.Body})
	if t := h.out[r.Unit]; err == nil && t != nil {
		delete(h.out, r.Unit)
		err = h.fold(ctx, j, t, k)
	}
	return err
}

// fold gives a result to the job. An error ends the run, so it must be true.
func (h *Host) fold(ctx context.Context, j *engine.Job, t *engine.Task, k *kept) error {
	if k.body[0] == room.KindError && !k.looked {
		k.doubts = append(k.doubts, [2]string{k.device, k.hash})
	}
	if err := h.settle(ctx, k); err != nil || k.body == nil {
		return err
	}
	var err error
	h.with(func() {
		if err = Finish(j, t, k.body); err == nil && h.Folded != nil {
			h.Folded(t, k.device)
		}
	})
	if err != nil {
		return h.leave(ctx, k.device)
	}
	return nil
}

// settle computes a doubtful unit here, and leaves those out who had another result.
func (h *Host) settle(ctx context.Context, k *kept) error {
	if len(k.doubts) == 0 || k.common == nil {
		return nil
	}
	right, err := h.hash(ctx, k)
	if err != nil {
		return err
	}
	doubts := append(k.doubts, [2]string{k.device, k.hash})
	k.doubts = nil
	for _, d := range doubts {
		if d[1] == right || h.bad[room.Machine(d[0])] != "" {
			continue
		}
		if err := h.leave(ctx, d[0]); err != nil {
			return err
		}
	}
	return nil
}

// hash is that of a unit's result as this program has it.
func (h *Host) hash(ctx context.Context, k *kept) (string, error) {
	b, err := h.Compute(ctx, k.common, k.own)
	if err != nil {
		return "", err
	}
	var sums []string
	for _, p := range room.Parts(b) {
		sums = append(sums, room.Sum(p))
	}
	return room.Digest(sums), nil
}

// leave leaves a device's machine out of the room. The job is made again in any case: units that the machine had are
// free now, and must be put again.
func (h *Host) leave(ctx context.Context, device string) error {
	h.forget(device)
	h.wrong = true
	if err := h.Journal.add(&Record{kind: recordOut, texts: [5]string{device}}); err != nil {
		return err
	}
	return h.Owner.Drop(ctx, device)
}

// inspect computes the results of a job that failed here, until it finds a wrong one. A job fails over damaged numbers
// too, and those look like any others before they are folded. If all are right, so is the failure.
func (h *Host) inspect(ctx context.Context, j *engine.Job) error {
	for _, k := range h.kept {
		if k.body == nil || k.looked || k.common == nil {
			continue
		}
		k.doubts = append(k.doubts, [2]string{k.device, k.hash})
		if err := h.settle(ctx, k); err != nil || h.wrong {
			return err
		}
	}
	return nil
}

// looksPatience is how long the end waits for second looks that make no progress.
const looksPatience = 30 * time.Second

// looks waits for the second looks that are still wanted, as long as there are devices for them.
func (h *Host) looks(ctx context.Context, j *engine.Job) error {
	last, since := -1, time.Now()
	for {
		info, err := h.Owner.Info(ctx)
		if err != nil || info.Looks == 0 || time.Since(since) > looksPatience {
			return err
		}
		if info.Looks != last {
			last, since = info.Looks, time.Now()
		}
		if err := h.receive(ctx, j); err != nil || h.wrong {
			return err
		}
	}
}

// Units of a machine that the host itself looks at, and how long it does so at most.
const (
	spots        = 8
	spotPatience = 10 * time.Second
)

// spot looks at some units of machines whose results no other machine has looked at.
func (h *Host) spot(ctx context.Context) error {
	looked, units := map[string]bool{}, map[string][]*kept{}
	for _, k := range h.kept {
		m := room.Machine(k.device)
		if looked[m] = looked[m] || k.looked; k.body != nil && k.common != nil && len(units[m]) < spots {
			units[m] = append(units[m], k) // which ones is random, as the order of a map is
		}
	}
	for since, i := time.Now(), 0; i < spots; i++ {
		for m, some := range units {
			if looked[m] || i >= len(some) || time.Since(since) > spotPatience {
				continue
			}
			k := some[i]
			k.doubts = append(k.doubts, [2]string{k.device, k.hash})
			if err := h.settle(ctx, k); err != nil || h.wrong {
				return err
			}
			h.agreed++
		}
	}
	return nil
}
