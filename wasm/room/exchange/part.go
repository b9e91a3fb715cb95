package exchange

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Part computes some units of a job and keeps them in a journal, for machines that cannot talk. It goes as far as these
// units and those that are known carry.
type Part struct {
	Journal  *Journal // of this part; nil: nothing is computed, only known units are folded
	Workers  []*engine.Worker
	K, N     int               // which of how many parts it is, from 1; N is 0 if that is not known
	Progress func(*engine.Job) // may be nil
	Lacks    map[int]int       // by part, the units that Run had to leave to others; 0: any part

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
			return fmt.Errorf("%s has another result of a unit than the files before it: one of the machines computes "+
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
			if part := p.part(j, t); p.Journal == nil || part != 0 && part != p.K {
				missing++
				p.Lacks[part]++
				continue
			}
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

// PartFile is what the file of a part has.
type PartFile struct {
	Link    string // of the first record
	Part    string // K/N
	Records []*Record
	Lost    error // what the file has besides, and that does not count; nil if all of it does
}

// ReadPart reads the file of a part, which may be one that is still being written. It does not touch the file.
func ReadPart(name string) (*PartFile, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s := read(name, b)
	if len(s.all) == 0 || s.all[0].kind != recordHead {
		return nil, fmt.Errorf("%s is no file of a part", name)
	}
	head := s.all[0].texts
	return &PartFile{head[0], head[3], s.all, s.lost}, s.begun(name)
}
