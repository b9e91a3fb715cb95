package page

var _ = register(scene{
	name: "race", of: "trace", key: 51, label: "Race",
	applies: func(b *Brain) bool { return b.spec != nil && len(b.spec.Methods) > 1 },
	captions: sayings{
		{"Who is within 0.1 nat of log Z first? Equal work; bands hold eight of ten repeats.",
			func(b *Brain) bool { return b.spec.Replicates > 1 }},
		{text: "Who is within 0.1 nat of log Z first? Equal work; bands are one error bar. Repeat the run for a fair race."},
	},
	legend: (*pane).methodMarks,
	about: "Where each method stood after equal work: the middle of its repeats and their range, or one run and its " +
		"error bar.",
	tables: []sceneTable{{[]string{"method", "field.sweeps", "field.logz", "field.lower", "field.upper", "Off by about"},
		(*pane).raceRows}},
})

// raceRows are the courses of the methods.
func (p *pane) raceRows() (rows [][]string) {
	for _, r := range p.reports {
		for _, c := range p.curves.courses[r.Method] {
			rows = append(rows, []string{label(r.Method), p.count(c.Sweeps), p.known(c.LogZ, 3),
				p.known(c.Lower, 3), p.known(c.Upper, 3), p.known(c.Off, 3)})
		}
	}
	return rows
}
