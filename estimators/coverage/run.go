package coverage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"logzlab/core/format"
)

// Options select the runs.
type Options struct {
	Dir      string         // root of the repository
	Filter   []string       // words that the name of a cell must contain: a method, a target, a budget
	Seconds  float64        // processor time of all sessions together after which no batch is started
	Session  float64        // the same for this session alone; 0: no limit
	Clock    func() float64 // processor time of this program so far, in seconds
	Workers  int
	Computer string
	Load     func(file string) ([]byte, error)
	// Say reports progress.
	Say func(text string)
}

// saveEvery is the time between two saves of the cells, in seconds, and so the largest loss after a crash.
const saveEvery = 10

// Run continues the measurements: it runs the missing batches, cheap ones first, and writes cells, table and document.
// However it ends, the next run continues from the last saved cells. If ctx ends, the running batch is dropped, and the
// error is ctx.Err().
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
	planned, left := 0.0, 0.0 // times of finished and of remaining batches
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
		s.computer = o.Computer
		planned, left = planned+b.time, left-b.time
		if time.Since(saved).Seconds() > saveEvery {
			saved = time.Now()
			if err = s.save(); err != nil {
				break
			}
		}

		// Report the remaining time.
		if time.Since(said).Seconds() > 5 {
			said = time.Now()
			rest := min((s.seconds-before)/planned*left, o.Seconds-s.seconds)
			if o.Session > 0 {
				rest = min(rest, before+o.Session-s.seconds)
			}
			rest *= time.Since(start).Seconds() / (s.seconds - before) // in wall time
			o.Say(fmt.Sprintf("%d of %d batches (%s on %s, %s), %s", i+1, len(batches), strings.Join(b.methods, ","),
				b.target.Name, b.budget.name, format.Remaining(planned/(planned+left), rest)))
		}
	}

	// Write the files, however the run ended.
	if e := s.save(); err == nil {
		err = e
	}
	if e := s.publish(); err == nil {
		err = e
	}
	o.Say(fmt.Sprintf("%s, some perhaps in part; %s and %s are written", s.counted(), tableFile, documentFile))
	return err
}
