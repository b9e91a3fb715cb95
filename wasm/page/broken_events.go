package page

import (
	"strconv"
	"strings"

	"logzlab/core/runstate"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/state"
)

// brokenSeed shows what is wrong with each of them.
const brokenSeed = "&seed=2"

// breakIt runs broken experiment n, from 1, on one of its models; "3.1" is the second model of the third.
func (b *Brain) breakIt(value string) {
	first, second, _ := strings.Cut(value, ".")
	n, _ := strconv.Atoi(first)
	i, _ := strconv.Atoi(second)
	if n < 1 || n > len(repair.Broken) || i < 0 || i >= len(repair.Broken[n-1]) {
		return
	}
	s := b.Settings
	s.Break, s.Scene, s.Focus, s.Lesson = n, "", "", 0
	b.Address.Leave()
	b.Open(repair.Broken[n-1][i] + brokenSeed + s.Link())
}

// quizEvents are what the student does in the sheet.
func (b *Brain) quizEvents() map[string]func(state.Event) {
	all := map[string]func(state.Event){
		"break": func(e state.Event) { b.breakIt(e.Value) },
		"break-seed": func(state.Event) {
			if b.Spec != nil {
				s := b.Draft()
				s.Seed = b.Host.Random()
				b.Address.Leave()
				b.Open(s.Link() + b.Settings.Link())
			}
		},
		"answer": func(state.Event) { b.quiz.Answered = b.quiz.Chosen != "" && b.State() == runstate.Done },
		"repair": func(e state.Event) {
			b.Settings.Break, b.Panels.Sheet = 0, ""
			b.runMended(e.Value)
		},
	}
	for _, reason := range repair.ReasonKeys {
		all["reason-"+reason] = func(e state.Event) { b.quiz = state.Quiz{Chosen: e.Value} }
	}
	return all
}
