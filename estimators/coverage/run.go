package coverage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"logzlab/core/format"
)

// Options selects the runs and limits their time.
type Options struct {
	Dir      string         // root of the repository
	Filter   []string       // words that the name of a cell must contain: a method, a target, a budget
	Seconds  float64        // processor time, of all sessions together, after which no batch is started
	Session  float64        // processor time of this session after which no batch is started; 0: no limit
	Clock    func() float64 // processor time of this program so far, in seconds
	Workers  int
	Computer string                            // description of the computer, for the document
	Load     func(file string) ([]byte, error) // reads a bundled model file
	Say      func(text string)                 // receives progress reports
}

// saveEvery is the smallest time between two saves of the cells, in seconds; a crash loses the batches of that time.
const saveEvery = 10

// Run continues the measurements: it runs the missing batches, cheap ones first, and writes the cells, the table and
// the document. The next run continues from the last saved cells, even after a crash. If ctx ends, Run discards the
// current batch, writes the files and returns ctx.Err().
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
	saved, reported := start, start
	planned, remaining := 0.0, 0.0 // planned times of the finished and of the remaining batches
	for _, b := range batches {
		remaining += b.time
	}

	// Run batches until the time is used up.
	for i, b := range batches {
		if s.seconds >= o.Seconds || o.Session > 0 && s.seconds-before >= o.Session {
			break
		}
		if err = b.run(ctx, s, o); err != nil {
			break
		}
		s.computer = o.Computer
		planned, remaining = planned+b.time, remaining-b.time
		if time.Since(saved).Seconds() > saveEvery {
			saved = time.Now()
			if err = s.save(); err != nil {
				break
			}
		}

		// Report the remaining time.
		if time.Since(reported).Seconds() > 5 {
			reported = time.Now()
			restSeconds := min((s.seconds-before)/planned*remaining, o.Seconds-s.seconds)
			if o.Session > 0 {
				restSeconds = min(restSeconds, before+o.Session-s.seconds)
			}
			restSeconds *= time.Since(start).Seconds() / (s.seconds - before) // in wall time
			o.Say(fmt.Sprintf("%d of %d batches (%s on %s, %s), %s", i+1, len(batches), strings.Join(b.methods, ","),
				b.target.Name, b.budget.name, format.Remaining(planned/(planned+remaining), restSeconds)))
		}
	}

	// Write the files, also after an error.
	if e := s.save(); err == nil {
		err = e
	}
	if e := s.publish(); err == nil {
		err = e
	}
	o.Say(fmt.Sprintf("%s, some perhaps in part; %s and %s are written", s.counted(), tableFile, documentFile))
	return err
}
