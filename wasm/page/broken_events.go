package page

import (
	"strconv"
	"strings"

	"logzlab/core/runstate"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/state"
)

// brokenSeed is a seed with which each broken experiment shows its fault.
const brokenSeed = "&seed=2"

// openBroken runs a broken experiment. value is the number of the experiment, from 1, and after a dot the index of its
// model, from 0, if that is not 0: "3.1" is the second model of the third experiment.
func (c *Controller) openBroken(value string) {
	first, second, _ := strings.Cut(value, ".")
	n, _ := strconv.Atoi(first)
	i, _ := strconv.Atoi(second)
	if n < 1 || n > len(repair.Broken) || i < 0 || i >= len(repair.Broken[n-1]) {
		return
	}
	s := c.Settings
	s.Break, s.Scene, s.Focus, s.Lesson = n, "", "", 0
	c.Address.StartEntry()
	c.Open(repair.Broken[n-1][i] + brokenSeed + s.Link())
}

// quizEvents are the events of the sheet of broken experiments.
func (c *Controller) quizEvents() map[string]func(state.Event) {
	all := map[string]func(state.Event){
		"break": func(e state.Event) { c.openBroken(e.Value) },
		"break-seed": func(state.Event) {
			if c.Spec != nil {
				s := c.Draft()
				s.Seed = c.Host.Random()
				c.Address.StartEntry()
				c.Open(s.Link() + c.Settings.Link())
			}
		},
		"answer": func(state.Event) { c.quiz.Answered = c.quiz.Chosen != "" && c.State() == runstate.Done },
		"repair": func(e state.Event) {
			c.Settings.Break, c.Panels.Sheet = 0, ""
			c.runProposal(e.Value)
		},
	}
	for _, reason := range repair.ReasonKeys {
		all["reason-"+reason] = func(e state.Event) { c.quiz = state.Quiz{Chosen: e.Value} }
	}
	return all
}
