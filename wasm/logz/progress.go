package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"logzlab/core/format"
	"logzlab/estimators/engine"
)

// progress is one line on a terminal's stderr. A file or a notebook gets few lines: one at the start of a run that is
// planned to take over a minute, and one after 1, 2, 4, ... minutes.
type progress struct {
	w     io.Writer
	start time.Time
	on    bool          // a terminal
	next  time.Duration // when a line for a file is due
}

func newProgress(w io.Writer, start time.Time) *progress {
	p := &progress{w: w, start: start}
	if f, ok := w.(*os.File); ok {
		if st, err := f.Stat(); err == nil {
			p.on = st.Mode()&os.ModeCharDevice != 0
		}
	}
	return p
}

func (p *progress) show(j *engine.Job) {
	elapsed := time.Since(p.start)
	text := format.Remaining(j.Progress(), j.Left(elapsed.Seconds()))
	if p.on {
		p.say(text)
		return
	}
	first := p.next == 0
	if first && j.Seconds() > 60 || !first && elapsed >= p.next {
		fmt.Fprintf(p.w, "logz: %s\n", text)
	}
	if first || elapsed >= p.next {
		p.next = max(time.Minute, 2*elapsed)
	}
}

// say replaces the line.
func (p *progress) say(text string) {
	if p.on {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	}
}

func (p *progress) clear() {
	if p.on {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
