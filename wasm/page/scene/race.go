package scene

import "logzlab/wasm/page/state"

var _ = Register(Scene{
	Name: "race", Of: "trace", Key: 51, Label: "Race",
	Applies: func(s *state.Snapshot) bool { return s.Spec != nil && len(s.Spec.Methods) > 1 },
	Captions: Texts{
		{"Which method gets within 0.1 nat of log Z first, at equal cost? Bands: 80 % of the repeats.",
			func(s *state.Snapshot) bool { return s.Spec.Replicates > 1 }},
		{Text: "Which method gets within 0.1 nat of log Z first, at equal cost? Bands: one error bar. Repeat the " +
			"run for a fair race."},
	},
	Legend: methodMarks,
	About:  "log Z of each method after equal work: median and range of its repeats, or one run with its error bar.",
	Tables: []Table{{[]string{"method", "field.sweeps", "field.logz", "field.lower", "field.upper", "Off by about"},
		raceRows}},
})

// raceRows returns the curves of the methods.
func raceRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		for _, c := range p.Courses[r.Method] {
			rows = append(rows, []string{state.Label(r.Method), p.Count(c.Sweeps), p.NumberOrDash(c.LogZ, 3),
				p.NumberOrDash(c.Lower, 3), p.NumberOrDash(c.Upper, 3), p.NumberOrDash(c.Error, 3)})
		}
	}
	return rows
}
