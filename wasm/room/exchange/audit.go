package exchange

import (
	"context"
	"math/rand/v2"
	"time"

	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Verify is the usual share of units that a host computes itself.
//
// What this promises: a machine gives m units that count and lies in k of them. Each unit is drawn by chance p =
// Verify, and if none of the m is drawn, one of them is. Each unit is also computed by another machine by chance q =
// 1/OneIn, which is honest by chance h. Draws are independent, made after the result came, and unknown to devices. So
// the k lies go unseen with probability
//
//	(1 - p)^k (1 - q h)^k (1 - (1 - p)^(m - k) k/m),
//
// and several machines with the product. If one lie is seen, all that its machine did is done again.
const Verify = .02

// leastTime is what a host that is not patient may use for its own computation, however short the run is.
const leastTime = 10 * time.Second

// audit computes units here, one at a time, while the room works: first those in doubt, then those that were drawn.
type audit struct {
	begun    time.Time
	spent    time.Duration
	doubtful []string // ids of units
	drawn    []string
	busy     bool
	answers  chan verdict
}

// verdict is what the host computed.
type verdict struct {
	id   string
	body []byte
	took time.Duration
	err  error
}

func newAudit() audit {
	return audit{begun: time.Now(), answers: make(chan verdict, 1)}
}

// doubt asks for a unit before those that were drawn.
func (h *Host) doubt(id string, k *kept) {
	if !k.doubted {
		k.doubted = true
		h.audit.doubtful = append(h.audit.doubtful, id)
	}
}

// draw draws whether the host computes a unit.
func (h *Host) draw(id string, k *kept) {
	if k.drawn || k.device == "" {
		return
	}
	k.drawn = true
	if rand.Float64() < h.Verify && k.right == "" {
		h.audit.drawn = append(h.audit.drawn, id)
	}
}

// next is a unit to be computed now, "" if there is none, or no time.
func (h *Host) next() string {
	a := &h.audit
	for len(a.doubtful) > 0 {
		id := a.doubtful[0]
		a.doubtful = a.doubtful[1:]
		k := h.kept[id]
		if k.doubted = false; k.right == "" && k.common != nil {
			return id
		}
	}
	for len(a.drawn) > 0 && (h.Patient || a.spent < max(leastTime, time.Since(a.begun)/10)) {
		id := a.drawn[0]
		a.drawn = a.drawn[1:]
		if k := h.kept[id]; k.right == "" && k.body != nil && k.common != nil {
			return id
		}
	}
	return ""
}

// hear waits for a while, and for what the host computes meanwhile.
func (h *Host) hear(ctx context.Context, j *engine.Job, wait time.Duration) error {
	a := &h.audit
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		if !a.busy {
			if id := h.next(); id != "" {
				a.busy = true
				k := h.kept[id]
				common, own := k.common, k.own
				go func() {
					begun := time.Now()
					body, err := h.Compute(ctx, common, own)
					a.answers <- verdict{id, body, time.Since(begun), err}
				}()
			}
		}

		// Whatever comes first: a result of the host, or the end of the wait.
		select {
		case v := <-a.answers:
			a.busy = false
			a.spent += v.took
			if v.err != nil {
				return v.err
			}
			if err := h.judge(ctx, j, v.id, v.body); err != nil || h.wrong {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		}
	}
}

// judge compares what the host computed with what devices gave, leaves out those who gave something else, and takes the
// host's own result where there is no other.
func (h *Host) judge(ctx context.Context, j *engine.Job, id string, body []byte) error {
	k := h.kept[id]
	k.right = hashOf(body)
	if err := h.Journal.add(&Record{kind: recordRight, texts: [5]string{id, k.right}}); err != nil {
		return err
	}

	// Machines that gave something else are left out.
	liars := []string{}
	if k.body != nil && k.hash != k.right {
		liars = append(liars, k.device)
	}
	for device, hash := range k.claims {
		if hash != k.right {
			liars = append(liars, device)
		}
	}
	for _, device := range liars {
		if h.bad[room.Machine(device)] == "" {
			if err := h.leave(ctx, device); err != nil {
				return err
			}
		}
	}

	// Where no right result is left, the host gives its own.
	if k.body != nil {
		return nil
	}
	k.device, k.hash, k.body = "", k.right, body
	if err := h.Journal.add(&Record{kind: recordResult, texts: [5]string{id, "", k.hash}, body: body}); err != nil {
		return err
	}
	return h.fold(ctx, j, id, k)
}

// hashOf is that of a result, as the room has it.
func hashOf(body []byte) string {
	var sums []string
	for _, p := range room.Parts(body) {
		sums = append(sums, room.Sum(p))
	}
	return room.Digest(sums)
}

// checksPatience is how long the end waits for checks by other machines that make no progress.
const checksPatience = 20 * time.Second

// checks waits for the checks that are still wanted, as long as there are machines for them.
func (h *Host) checks(ctx context.Context, j *engine.Job) error {
	last, since := -1, time.Now()
	for {
		info, err := h.Owner.Info(ctx)
		if err != nil || info.Looks <= 0 || time.Since(since) > checksPatience {
			return err
		}
		devices, err := h.Owner.Devices(ctx)
		if err != nil || !others(devices) {
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

// others reports whether at least two machines have been there lately, as the last of them tells the time.
func others(devices []room.Device) bool {
	last, machines := int64(0), map[string]bool{}
	for _, d := range devices {
		last = max(last, d.Seen)
	}
	for _, d := range devices {
		if !d.Out && last-d.Seen < int64(checksPatience.Seconds()) {
			machines[room.Machine(d.ID)] = true
		}
	}
	return len(machines) > 1
}

// finish computes what is in doubt or drawn, and one unit of each machine of which none was computed here.
func (h *Host) finish(ctx context.Context, j *engine.Job) error {
	if h.Verify > 0 {
		of := map[string][]string{}
		seen := map[string]bool{}
		for id, k := range h.kept {
			if k.folded && k.device != "" {
				m := room.Machine(k.device)
				of[m] = append(of[m], id)
				seen[m] = seen[m] || k.right != ""
			}
		}
		for m, ids := range of {
			if !seen[m] {
				h.audit.drawn = append(h.audit.drawn, ids[rand.IntN(len(ids))])
			}
		}
		rand.Shuffle(len(h.audit.drawn), func(i, k int) {
			h.audit.drawn[i], h.audit.drawn[k] = h.audit.drawn[k], h.audit.drawn[i]
		})
	}
	return h.awaitAnswers(ctx, j)
}

// awaitAnswers waits until all that is to be computed here is known.
func (h *Host) awaitAnswers(ctx context.Context, j *engine.Job) error {
	for {
		if err := h.hear(ctx, j, 0); err != nil || h.wrong {
			return err
		}
		a := &h.audit
		if !a.busy {
			return nil
		}
		v := <-a.answers // ctx ends the computation
		a.answers <- v
	}
}

// inspect computes the results of a job that failed here, until it finds a wrong one. A job fails over damaged numbers
// too, and those look like any others before they are folded. If all are right, so is the failure.
func (h *Host) inspect(ctx context.Context, j *engine.Job) error {
	for id, k := range h.kept {
		if !k.folded || k.right != "" || k.common == nil {
			continue
		}
		h.doubt(id, k)
		if err := h.awaitAnswers(ctx, j); err != nil || h.wrong {
			return err
		}
	}
	return nil
}
