package exchange

import (
	"bytes"
	"context"
	"os"

	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Part computes some units of a job and keeps them in a journal, for machines that cannot talk. It goes as far as these
// units and those that are known carry.
type Part struct {
	Journal  *Journal // of this part; nil: nothing is computed, only known units are folded
	Workers  []*engine.Worker
	Mine     func(*engine.Job, *engine.Task) bool
	Progress func(*engine.Job) // may be nil

	known map[string][]byte // results by the unit's id
}

// Load takes the results that journals have. Two that differ in a unit are an error.
func (p *Part) Load(file string, all []*Record) error {
	if p.known == nil {
		p.known = map[string][]byte{}
	}
	for _, r := range all {
		if r.kind != recordResult {
			continue
		}
		if before, ok := p.known[r.texts[0]]; ok && !bytes.Equal(before, r.body) {
			return problem.New("%s has another result of a unit than the files before it: one of the machines computes "+
				"wrongly; compute it again", file)
		}
		p.known[r.texts[0]] = r.body
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

// Run runs the part; missing counts the units that it must leave to others.
func (p *Part) Run(ctx context.Context, j *engine.Job) (missing int, err error) {
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
				if err := Finish(j, t, body); err != nil {
					return missing, err
				}
				continue
			}
			if p.Journal == nil || !p.Mine(j, t) {
				missing++
				continue
			}
			if len(idle) == 0 {
				j.Return(t)
				break
			}
			w := idle[0]
			idle, busy = idle[1:], busy+1
			go func() {
				body, err := Compute(ctx, w, common, own)
				results <- computed{t, w, id, body, err}
			}()
		}
		if busy == 0 {
			return missing, ctx.Err()
		}
		d := <-results
		busy, idle = busy-1, append(idle, d.worker)
		if d.err != nil {
			return missing, d.err
		}
		if err := p.Journal.add(&Record{kind: recordResult, texts: [5]string{d.id}, body: d.body}); err != nil {
			return missing, err
		}
		if err := Finish(j, d.task, d.body); err != nil {
			return missing, err
		}
		if p.Progress != nil {
			p.Progress(j)
		}
	}
}

// ReadPart is the link of a part's file and what it has. The link is that of the first record.
func ReadPart(name string) (link string, all []*Record, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", nil, err
	}
	head, _, ok := readRecord(b)
	if !ok || head.kind != recordHead {
		return "", nil, problem.New("%s is no file of a part", name)
	}
	link = head.texts[0]
	j, _, all, _, err := OpenJournal(name, link)
	if err != nil {
		return "", nil, err
	}
	return link, all, j.Close()
}
