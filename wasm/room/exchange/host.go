package exchange

import (
	"context"
	"maps"
	"slices"
	"time"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Host runs a job through a room. It keeps every result by the id of its unit, which is the hash of the unit itself:
// plan, lane and state. So a job that is made again, after a crash or because a device gave wrong results, takes what
// is right from there and needs the rest only.
type Host struct {
	Owner   *room.Owner
	Journal *Journal // nil: nothing is kept
	// Compute computes units here, to see who is right (audit.go).
	Compute Computer
	// Verify is the share of all units that are computed here, whatever others confirmed, and at least one of each
	// machine; 0: none. With Patient it takes as long as it takes, else a tenth of the run's time, or leastTime.
	Verify  float64
	Patient bool
	// With runs what touches the job, where another goroutine has it, and waits for that; nil: here.
	With     func(do func())
	Progress func(*engine.Job)                   // may be nil
	Folded   func(t *engine.Task, device string) // a result of a device counts, "" the host's own; may be nil
	Out      []string                            // devices whose machines are left out from the beginning

	kept    map[string]*kept
	out     map[string]*engine.Task // in the room, by id
	bad     map[string]string       // machines that were left out, with one of their devices
	after   int                     // the last result seen
	wrong   bool                    // a wrong result was folded: the job must be made again
	again   bool                    // units of the room are free and must be put again
	devices int
	full    time.Time // since when the room takes no more results, and none came
	audit   audit
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
	device, hash string // of the result; device is "" if the host computed it
	body         []byte
	folded       bool              // the job of now has it
	drawn        bool              // whether the host computes it has been drawn
	doubted      bool              // the host is to compute it soon
	right        string            // the hash of what the host computed, "" before
	claims       map[string]string // hashes of further results, and of errors, by device
}

// differs reports whether a device that counts claims another result than hash.
func (h *Host) differs(k *kept, hash string) bool {
	for device, x := range k.claims {
		if x != hash && h.bad[room.Machine(device)] == "" {
			return true
		}
	}
	return false
}

// Counts say what became of a room's units.
type Counts struct {
	Units, Own, Agreed int // results; those that the host computed itself; those that another machine confirmed
	Machines           int // machines whose results count
	Unseen             int // machines of which the host computed no unit
	Left               int // machines left out
}

// Counts are those so far. What a machine that was left out confirmed does not count.
func (h *Host) Counts() Counts {
	c := Counts{Left: len(h.bad)}
	seen := map[string]bool{}
	for _, k := range h.kept {
		if k.body == nil {
			continue
		}
		c.Units++
		if k.right != "" {
			c.Own++
		}
		for device, hash := range k.claims {
			if hash == k.hash && k.device != "" && h.bad[room.Machine(device)] == "" {
				c.Agreed++
				break
			}
		}
		if m := room.Machine(k.device); m != "" && h.bad[m] == "" {
			seen[m] = seen[m] || k.right != ""
		}
	}
	c.Machines = len(seen)
	for _, ok := range seen {
		if !ok {
			c.Unseen++
		}
	}
	return c
}

// Left are devices of the machines that were left out, one of each.
func (h *Host) Left() []string { return slices.Sorted(maps.Values(h.bad)) }

// unit is what is kept of a unit, which is made if it is not there.
func (h *Host) unit(id string) *kept {
	k := h.kept[id]
	if k == nil {
		k = &kept{claims: map[string]string{}}
		h.kept[id] = k
	}
	return k
}

// Load takes the records of a journal.
func (h *Host) Load(all []*Record) {
	h.kept, h.bad = map[string]*kept{}, map[string]string{}
	for _, r := range all {
		h.after = max(h.after, r.seq)
		switch r.kind {
		case recordResult:
			k := h.unit(r.texts[0])
			k.device, k.hash, k.body = r.texts[1], r.texts[2], r.body
		case recordClaim:
			h.unit(r.texts[0]).claims[r.texts[1]] = r.texts[2]
		case recordRight:
			h.unit(r.texts[0]).right = r.texts[1]
		case recordOut:
			h.forget(r.texts[0])
		case recordHead:
			h.after = 0 // of another room
		}
	}
}

// forget leaves a device's machine out, with its results but those that the host computed as well.
func (h *Host) forget(device string) {
	h.bad[room.Machine(device)] = device
	for _, k := range h.kept {
		if k.device != "" && room.Machine(k.device) == room.Machine(device) && k.right != k.hash {
			h.wrong = h.wrong || k.folded
			k.device, k.hash, k.body, k.folded, k.drawn = "", "", nil, false, false
		}
	}
}

// Run runs the job that open makes, always the same one, until it is finished or ctx ends. It returns the job in any
// case; its results are as complete as it is.
func (h *Host) Run(ctx context.Context, open func() (*engine.Job, error)) (*engine.Job, error) {
	if h.kept == nil {
		h.Load(nil)
	}
	for _, device := range h.Out {
		h.bad[room.Machine(device)] = device
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.audit = newAudit()
	for _, k := range h.kept {
		k.doubted = false
	}

	// Machines that were left out stay out.
	for _, device := range h.bad { // the room may not know it yet
		if err := h.Owner.Drop(ctx, device); err != nil {
			return nil, err
		}
	}

	// The job, from the beginning whenever a result turns out to be wrong.
	for {
		j, err := open()
		if err != nil {
			return nil, err
		}
		h.out, h.wrong, h.again = map[string]*engine.Task{}, false, false
		for _, k := range h.kept {
			k.folded = false
		}
		for !h.over(j) && !h.wrong && err == nil {
			err = h.step(ctx, j)
		}
		failed := false
		h.with(func() { failed = j.Failed() })
		if err == nil && !h.wrong && failed {
			err = h.inspect(ctx, j)
		}
		if err == nil && !h.wrong {
			err = h.checks(ctx, j)
		}
		if err == nil && !h.wrong {
			err = h.finish(ctx, j)
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
	post := func(id string, k *kept) {
		round := room.ID(k.common)
		if n := len(posts); n > 0 && posts[n-1].Round == round {
			k.common = posts[n-1].Common // one copy for the round
		}
		posts = append(posts, room.Post{ID: id, Round: round, Common: k.common, Own: k.own})
	}

	// Units that have become free.
	if h.again {
		h.again = false
		for id := range h.out {
			post(id, h.kept[id])
		}
	}

	// New units, as many as devices can use. Some have a result from before.
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
		k := h.unit(id)
		k.common, k.own = common, own
		h.out[id] = t
		if k.body != nil {
			if err := h.fold(ctx, j, id, k); err != nil || h.wrong {
				return err
			}
			continue
		}
		post(id, k)
	}

	// Units go out, and results come in.
	if err := h.Owner.Put(ctx, posts); err != nil {
		return err
	}
	if h.over(j) {
		return nil
	}
	return h.receive(ctx, j)
}

// fullPatience is how long a full room may bring nothing.
const fullPatience = time.Minute

// receive takes the results that are there, or waits a little, and hears what the host's own computation says.
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
	switch {
	case !all.Full || len(all.All) > 0:
		h.full = time.Time{}
	case h.full.IsZero():
		h.full = time.Now()
	case time.Since(h.full) > fullPatience:
		_ = h.Owner.Close(ctx)
		return &room.Refused{Status: 413, Err: problem.New("the room is full of results, and no more come: the room is " +
			"closed; host the experiment again")}
	}
	if h.Progress != nil {
		h.with(func() { h.Progress(j) })
	}
	return h.hear(ctx, j, all.Wait)
}

// take takes one result: the first of its unit, or a further one.
func (h *Host) take(ctx context.Context, j *engine.Job, r room.Result) error {
	k := h.unit(r.Unit) // which may have been put before this host was started again
	if h.bad[room.Machine(r.Device)] != "" || k.body != nil && k.device == r.Device {
		return nil
	}
	if k.body != nil || len(r.Body) == 0 {
		h.again = h.again || r.Parts > 0 && len(r.Body) == 0 // another host has left the device out
		return h.claim(ctx, r.Unit, k, r)
	}
	if room.CheckResult(r.Body) != nil {
		return h.leave(ctx, r.Device)
	}
	if r.Body[0] == room.KindError && k.right != r.Hash {
		if err := h.claim(ctx, r.Unit, k, r); err != nil || h.bad[room.Machine(r.Device)] != "" {
			return err
		}
		h.doubt(r.Unit, k)
		return h.Owner.Again(ctx, r.Unit)
	}
	if k.right != "" && k.right != r.Hash {
		return h.leave(ctx, r.Device)
	}
	k.device, k.hash, k.body = r.Device, r.Hash, r.Body
	if err := h.Journal.add(&Record{kind: recordResult, texts: [5]string{r.Unit, r.Device, r.Hash}, seq: r.Seq,
		body: r.Body}); err != nil {
		return err
	}
	return h.fold(ctx, j, r.Unit, k)
}

// claim notes a further result of a unit. If it differs from what is known, the host computes the unit itself.
func (h *Host) claim(ctx context.Context, id string, k *kept, r room.Result) error {
	k.claims[r.Device] = r.Hash
	if err := h.Journal.add(&Record{kind: recordClaim, texts: [5]string{id, r.Device, r.Hash}, seq: r.Seq}); err != nil {
		return err
	}
	switch {
	case k.right != "" && k.right != r.Hash:
		return h.leave(ctx, r.Device)
	case k.right == "" && k.body != nil && k.hash != r.Hash:
		h.doubt(id, k)
	}
	return nil
}

// fold gives a result to the job, if the job waits for it, and draws whether the host computes the unit as well.
func (h *Host) fold(ctx context.Context, j *engine.Job, id string, k *kept) error {
	t := h.out[id]
	if t == nil || h.wrong {
		return nil
	}
	delete(h.out, id)
	var err error
	h.with(func() {
		if err = Finish(j, t, k.body); err == nil && h.Folded != nil {
			h.Folded(t, k.device)
		}
	})
	if err != nil && k.device == "" {
		return err
	}
	k.folded = true
	if err != nil {
		return h.leave(ctx, k.device)
	}
	if h.differs(k, k.hash) && k.right == "" {
		h.doubt(id, k)
	}
	h.draw(id, k)
	return nil
}

// leave leaves a device's machine out of the room.
func (h *Host) leave(ctx context.Context, device string) error {
	h.forget(device)
	if err := h.Journal.add(&Record{kind: recordOut, texts: [5]string{device}}); err != nil {
		return err
	}
	h.again = true
	return h.Owner.Drop(ctx, device)
}
