package exchange

import (
	"bytes"
	"context"
	"fmt"

	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Part computes some units of a job and keeps them in a journal, for computers that cannot talk to one another. It
// folds rounds as far as its own units and the known units reach.
type Part struct {
	Journal  *Journal // of this part; nil: nothing is computed, only known units are folded
	Workers  []*engine.Worker
	K, N     int               // which of how many parts it is, from 1; N is 0 if that is not known
	Progress func(*engine.Job) // may be nil
	Lacks    map[int]int       // by part, the units that Run had to leave to others; 0: any part

	known map[string][]byte            // results by the unit's id
	over  map[string]map[string][]byte // by job, what is left of owners that are over (engine.Job.Outcome)
	held  map[string]int64             // by job and owner, bytes that units of owners have in the journal
	waste int64                        // of these, bytes of owners that are over
}

// Load takes the results that journals have. Two that differ are an error.
func (p *Part) Load(file string, all []*Record) error {
	if p.known == nil {
		p.known, p.over, p.held = map[string][]byte{}, map[string]map[string][]byte{}, map[string]int64{}
	}
	for _, r := range all {
		at := p.known
		switch r.kind {
		case recordUnit:
		case recordOver:
			if at = p.over[r.texts[2]]; at == nil {
				at = map[string][]byte{}
				p.over[r.texts[2]] = at
			}
		default:
			continue
		}
		if before, ok := at[r.texts[0]]; ok && !bytes.Equal(before, r.body) {
			return fmt.Errorf("%s has another result of a unit than the files before it: one of the machines computes "+
				"wrongly; compute it again", file)
		}
		at[r.texts[0]] = r.body
	}
	return nil
}

// computed is the result of a unit that a worker of this process has run.
type computed struct {
	task   *engine.Task
	worker *engine.Worker
	id     string
	body   []byte
	err    error
}

// part is which part a unit belongs to, 0 if all need it or if that is not known.
func (p *Part) part(j *engine.Job, t *engine.Task) int {
	if p.N == 0 {
		return 0
	}
	return j.Part(t, p.N) + 1
}

// Run runs the part; missing counts the units that it must leave to others.
func (p *Part) Run(ctx context.Context, j *engine.Job) (missing int, err error) {
	if p.Lacks == nil {
		p.Lacks = map[int]int{}
	}
	job := room.ID([]byte(j.Spec.Link()))
	if err := j.Restore(p.over[job]); err != nil {
		return 0, err
	}

	// At the end no worker is left at work.
	idle, results := p.Workers, make(chan computed)
	busy := 0
	defer func() {
		for ; busy > 0; busy-- {
			<-results
		}
	}()
	for {
		for ctx.Err() == nil {
			t := j.Take()
			if t == nil {
				break
			}
			common, own := j.Parcel(t)
			id := room.ID(common, own)
			if body, ok := p.known[id]; ok {
				if err := p.finish(j, t, job, body); err != nil {
					return missing, err
				}
				continue
			}

			// Other parts compute units of their own.
			if part := p.part(j, t); p.Journal == nil || part != 0 && part != p.K {
				missing++
				p.Lacks[part]++
				continue
			}

			// A worker computes the unit, if there is a free worker.
			if len(idle) == 0 {
				j.Return(t)
				break
			}
			w := idle[0]
			idle, busy = idle[1:], busy+1
			go func() {
				body, err := compute(ctx, w, common, own)
				results <- computed{t, w, id, body, err}
			}()
		}

		// A result is kept before the job goes on.
		if busy == 0 {
			return missing, ctx.Err()
		}
		d := <-results
		busy, idle = busy-1, append(idle, d.worker)
		if d.err != nil {
			return missing, d.err
		}
		if err := p.keep(d.task.Owner(), job, d.id, d.body); err != nil {
			return missing, err
		}
		if err := p.finish(j, d.task, job, d.body); err != nil {
			return missing, err
		}
		if p.Progress != nil {
			p.Progress(j)
		}
	}
}

// keep notes the result of a unit.
func (p *Part) keep(owner, job, id string, body []byte) error {
	p.held[job+owner] += int64(len(body))
	return p.Journal.add(&Record{kind: recordUnit, texts: [5]string{id, owner, job}, body: body})
}

// mostWaste is how many bytes of units that are not needed any more a file may have, unless half of it is needed.
const mostWaste = 4 << 20

// finish gives a result to the job. Where that ends a run, or a round that depends on the model alone, what is left of
// it is noted in place of its units.
func (p *Part) finish(j *engine.Job, t *engine.Task, job string, body []byte) error {
	if err := Finish(j, t, body); err != nil {
		return err
	}
	owner := t.Owner()
	if p.Journal == nil || p.over[job][owner] != nil {
		return nil
	}
	left := j.Outcome(t)
	if left == nil {
		return nil
	}
	r := &Record{kind: recordOver, texts: [5]string{owner, "", job}, body: left}
	if err := p.Load("", []*Record{r}); err != nil {
		return err
	}
	if err := p.Journal.add(r); err != nil {
		return err
	}
	p.waste += p.held[job+owner]
	if p.waste > mostWaste && 2*p.waste > p.Journal.size {
		return p.Tidy()
	}
	return nil
}

// Tidy takes units out of the file that are not needed any more.
func (p *Part) Tidy() error {
	if p.waste == 0 {
		return nil
	}
	p.waste = 0
	return p.Journal.keep(func(r *Record) bool { return r.kind != recordUnit || p.over[r.texts[2]][r.texts[1]] == nil })
}
