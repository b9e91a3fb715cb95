package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"logzlab/core/format"
	"logzlab/estimators/engine"
)

// progress prints the progress of a run to stderr. On a terminal the progress is one line that is overwritten. A file
// or a notebook gets a few lines: one at the start of a run that is expected to take over a minute, and one after 1, 2,
// 4, ... minutes.
type progress struct {
	w          io.Writer
	start      time.Time
	isTerminal bool
	nextLine   time.Duration // elapsed time at which the next line is due, if w is not a terminal
}

func newProgress(w io.Writer, start time.Time) *progress {
	p := &progress{w: w, start: start}
	if f, ok := w.(*os.File); ok {
		if st, err := f.Stat(); err == nil {
			p.isTerminal = st.Mode()&os.ModeCharDevice != 0
		}
	}
	return p
}

// show prints the progress of a job.
func (p *progress) show(j *engine.Job) {
	elapsed := time.Since(p.start)
	text := format.Remaining(j.Progress(), j.SecondsLeft(elapsed.Seconds()))
	if p.isTerminal {
		p.setLine(text)
		return
	}
	first := p.nextLine == 0
	if first && j.Seconds() > 60 || !first && elapsed >= p.nextLine {
		fmt.Fprintf(p.w, "logz: %s\n", text)
	}
	if first || elapsed >= p.nextLine {
		p.nextLine = max(time.Minute, 2*elapsed)
	}
}

// setLine replaces the line on a terminal.
func (p *progress) setLine(text string) {
	if p.isTerminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	}
}

// clear removes the line on a terminal.
func (p *progress) clear() {
	if p.isTerminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
