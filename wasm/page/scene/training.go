package scene

import "logzlab/wasm/page/state"

// Training is the scene of a training.
var Training = Register(Scene{
	Name: "training", Key: 6, Label: "Training",
	Applies: func(s *state.Snapshot) bool { return s.Training.Begun },
	Early:   true,
	Captions: Texts{{Text: "The model improves while validation rises. Shaded, after the best update: validation " +
		"falls, so the model overfits. Ticks: checks by AIS, with the sandwich. Weights: orange above 0, blue below."}},
	About: "Mean log-likelihood of a row, and log Z as tracked during training, in nats, thinned to 200 rows. " +
		"Below: log Z of the same models by annealed importance sampling.",
	Tables: []Table{
		{[]string{"Update", "Training", "Validation", "Gap", "field.logz", "field.se"}, trainingRows},
		{[]string{"Update", "field.logz", "field.se", "field.lower", "field.upper", "log Z minus that of AIS"},
			trainingChecks}},
})

// trainingRows returns the likelihoods after updates, always including the best.
func trainingRows(p *state.Snapshot) (rows [][]string) {
	t := &p.Training.Log
	for i, q := range t.Points {
		best := q.Update == t.Best
		if !best && !thinned(i, len(t.Points), 1) {
			continue
		}
		name := p.Count(float64(q.Update))
		if best {
			name += " (" + p.Words.Phrase("best") + ")"
		}
		rows = append(rows, []string{name, p.NumberOrDash(q.Train, 3), p.NumberOrDash(q.Validation, 3), p.NumberOrDash(q.Train-q.Validation, 3),
			p.NumberOrDash(q.LogZ, 3), p.NumberOrDash(q.SE, 3)})
	}
	return rows
}

// trainingChecks returns the checks, each with the difference of the tracked log Z.
func trainingChecks(p *state.Snapshot) (rows [][]string) {
	t := &p.Training.Log
	followed := map[int]float64{}
	for _, q := range t.Points {
		followed[q.Update] = q.LogZ
	}
	for i, c := range t.Checks {
		if !thinned(i, len(t.Checks), 1) {
			continue
		}
		apart := "–"
		if z, ok := followed[c.Update]; ok {
			apart = p.NumberOrDash(z-c.LogZ, 3)
		}
		rows = append(rows, []string{p.Count(float64(c.Update)), p.NumberOrDash(c.LogZ, 3), p.NumberOrDash(c.SE, 3), p.NumberOrDash(c.Lower, 3),
			p.NumberOrDash(c.Upper, 3), apart})
	}
	return rows
}
