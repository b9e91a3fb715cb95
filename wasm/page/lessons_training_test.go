package page

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/words"
	"logzlab/estimators/training"
)

// lessonTraining is the training that a data-link names, made the way lessonSpec makes an experiment; ok false: it is
// about none.
func lessonTraining(link string, links map[string]string) (l training.Link, ok bool, err error) {
	changes := ""
	if strings.HasPrefix(link, "#") {
		id, rest, _ := strings.Cut(link, "&")
		link, changes = links[id], rest
	}
	if !training.IsLink(link) {
		return l, false, nil
	}
	l, err = training.ParseLink(link)
	for _, change := range strings.Split(changes, "&") {
		if key, value, ok := strings.Cut(change, "="); ok && err == nil {
			err = l.Set(key, value)
		}
	}
	return l, true, err
}

// trainingRuns are those of the lessons, by their links.
type trainingRuns map[string]*training.Run

func (r trainingRuns) of(t *testing.T, l training.Link) *training.Run {
	t.Helper()
	if r[l.String()] != nil {
		return r[l.String()]
	}
	run, err := l.Open(training.Bars(training.StripesRows))
	for over := false; !over && err == nil; {
		over, err = run.Round(func(*frame.Frame) bool { return true })
	}
	if err != nil || l.Data != training.Stripes {
		t.Fatalf("%s: %v", l, err)
	}
	r[l.String()] = run
	return run
}

// quotedTraining is what a lesson should say of a run: a value, then of which point, the last one if nothing is said.
func quotedTraining(run *training.Run, quote, says string, w *words.Language) string {
	value, which, _ := strings.Cut(quote, " ")
	p := run.Points[len(run.Points)-1]
	switch which {
	case "first":
		p = run.Points[0]
	case "best":
		p, _ = run.At(run.Best)
	}
	if w.Lang == "de" {
		says = english.Replace(says)
	}
	_, decimals, _ := strings.Cut(says, ".")
	x, ok := map[string]float64{"update": float64(p.Update), "validation": p.Validation, "train": p.Train, "logz": p.LogZ,
		"logf": p.Train + p.LogZ}[value]
	if !ok {
		return fmt.Sprintf("no value %s", value)
	}
	if value == "update" && math.Abs(x) >= 1000 {
		return w.Number(format.Thousands(x))
	}
	return w.Number(format.Fixed(x, len(decimals)))
}
