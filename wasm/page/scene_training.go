package page

import "logzlab/estimators/training"

var trainingScene = register(scene{
	name: "training", key: 6, label: "Training",
	applies: func(b *Brain) bool { return b.trainer.begun() },
	early:   true,
	captions: sayings{{text: "The machine gets better while validation rises. Shaded, after the best update: " +
		"validation falls, so it overfits. Ticks: checks by AIS, with bounds. " +
		"Weights: orange above 0, blue below."}},
	about: "Mean log-likelihood of a row and log Z as it is followed, in nats, thinned to 200 rows. Below: what " +
		"annealed importance sampling found for the same machines.",
	tables: []sceneTable{
		{[]string{"Update", "Training", "Validation", "Gap", "field.logz", "field.se"}, (*pane).trainingRows},
		{[]string{"Update", "field.logz", "field.se", "field.lower", "field.upper", "log Z minus that of AIS"},
			(*pane).trainingChecks}},
})

// trained is what is known of the training, nothing if there is none.
func (t *trainer) trained() *training.Log {
	if t.run == nil {
		return &training.Log{}
	}
	return &t.run.Log
}

// trainingRows are the likelihoods after updates; the best one is always among them.
func (p *pane) trainingRows() (rows [][]string) {
	t := p.trainer.trained()
	for i, q := range t.Points {
		best := q.Update == t.Best
		if !best && !thinned(i, len(t.Points), 1) {
			continue
		}
		name := p.count(float64(q.Update))
		if best {
			name += " (" + p.w.Phrase("best") + ")"
		}
		rows = append(rows, []string{name, p.known(q.Train, 3), p.known(q.Validation, 3), p.known(q.Train-q.Validation, 3),
			p.known(q.LogZ, 3), p.known(q.SE, 3)})
	}
	return rows
}

// trainingChecks are the checks, with how far log Z as it is followed lies from each.
func (p *pane) trainingChecks() (rows [][]string) {
	t := p.trainer.trained()
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
			apart = p.known(z-c.LogZ, 3)
		}
		rows = append(rows, []string{p.count(float64(c.Update)), p.known(c.LogZ, 3), p.known(c.SE, 3), p.known(c.Lower, 3),
			p.known(c.Upper, 3), apart})
	}
	return rows
}
