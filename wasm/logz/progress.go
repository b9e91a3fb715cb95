//go:build !page

package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"logzlab/core/format"
	"logzlab/estimators/engine"
)

// progress is one line on a terminal's stderr. A file or a notebook gets a line where a run takes over a minute, before
// it begins, and after 1, 2, 4, ... minutes.
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
	left := j.Left(elapsed.Seconds())
	switch text := format.Left(j.Progress(), left); {
	case p.on:
		p.say(text)
	case elapsed >= p.next && elapsed.Seconds()+left > 60:
		fmt.Fprintf(p.w, "logz: %s\n", text)
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
