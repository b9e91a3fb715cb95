package coverage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"logzlab/core/format"
)

// Options say what is run.
type Options struct {
	Dir     string         // root of the repository
	Filter  []string       // words that the name of a cell must have: a method, a target, a budget
	Seconds float64        // processor time of all sessions together after which no batch is begun
	Session float64        // the same of this session alone; 0: no limit
	Clock   func() float64 // processor time of this program so far, in seconds
	Workers int
	Machine string
	Load    func(file string) ([]byte, error)
	// Say reports progress.
	Say func(text string)
}

// saveEvery is how often the cells are written, in seconds: what a sudden end loses.
const saveEvery = 10

// Run goes on from what has been measured: it makes the batches that are missing, cheap ones first, and writes cells,
// table and document. Whatever ends it, the next run goes on from the last cells that were written. When ctx ends, the
// batch under way is dropped, and the error is ctx's.
func Run(ctx context.Context, o Options) error {
	s, err := load(o.Dir)
	if err != nil {
		return err
	}
	batches, err := s.plan(o)
	if err != nil {
		return err
	}
	start, before := time.Now(), s.seconds
	saved, said := start, start
	planned, left := 0.0, 0.0 // times of batches done, and to be done
	for _, b := range batches {
		left += b.time
	}

	// Batches, until the time is used up.
	for i, b := range batches {
		if s.seconds >= o.Seconds || o.Session > 0 && s.seconds-before >= o.Session {
			break
		}
		if err = b.run(ctx, s, o); err != nil {
			break
		}
		s.machine = o.Machine
		planned, left = planned+b.time, left-b.time
		if time.Since(saved).Seconds() > saveEvery {
			saved = time.Now()
			if err = s.save(); err != nil {
				break
			}
		}

		// Word of how much is left.
		if time.Since(said).Seconds() > 5 {
			said = time.Now()
			rest := min((s.seconds-before)/planned*left, o.Seconds-s.seconds)
			if o.Session > 0 {
				rest = min(rest, before+o.Session-s.seconds)
			}
			rest *= time.Since(start).Seconds() / (s.seconds - before) // on the clock of the wall
			o.Say(fmt.Sprintf("%d of %d batches (%s on %s, %s), %s", i+1, len(batches), strings.Join(b.methods, ","),
				b.target.Name, b.budget.name, format.Remaining(planned/(planned+left), rest)))
		}
	}

	// Whatever ended the run, files are written.
	if e := s.save(); err == nil {
		err = e
	}
	if e := s.publish(); err == nil {
		err = e
	}
	o.Say(fmt.Sprintf("%s, some perhaps in part; %s and %s are written", s.counted(), tableFile, documentFile))
	return err
}
