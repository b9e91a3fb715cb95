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

// progress is one line on a terminal's stderr.
type progress struct {
	w     io.Writer
	start time.Time
	on    bool
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
	if !p.on {
		return
	}
	p.say(format.Left(j.Progress(), j.Left(time.Since(p.start).Seconds())))
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
