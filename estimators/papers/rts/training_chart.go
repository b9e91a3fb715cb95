package rts

import (
	"logzlab/core/frame"
	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// trainingChart draws two plots for each panel: the training and validation log-likelihood with the tempering gradient,
// as in the paper, and the validation log-likelihood with all gradients. Lines are tracked values, marks are checks by
// AIS.
func trainingChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	order := papers.Distinct(rows, func(r *papers.Row) string { return r.Series })
	var panels []papers.Panel
	x, y := chart.Axis{Title: "update"}, chart.Axis{Title: "log-likelihood of a row, nats"}
	for _, panel := range papers.Panels(rows) {
		firstRow := func(i int) *papers.Row {
			if line := papers.Series(rows, panel, order[i]); len(line) > 0 && trainedData(&line[0]).Log != nil {
				return &line[0]
			}
			return nil
		}
		panels = append(panels,
			papers.Panel{Title: panel, More: "validation, dashed: training", X: x, Y: y,
				Draw: func(c *chart.Chart, t *paint.Theme) {
					if r := firstRow(0); r != nil {
						addTraining(c, t, r, 0, true)
						addTraining(c, t, r, 0, false)
					}
				}},
			papers.Panel{Title: panel, More: "validation", X: x, Y: y, Draw: func(c *chart.Chart, t *paint.Theme) {
				for i := range order {
					if r := firstRow(i); r != nil {
						addTraining(c, t, r, i, false)
					}
				}
			}})
	}
	return papers.Figure(panels, 2, order)
}

// addTraining plots the log-likelihood of the first run of a row, of the training rows if train is set and else of the
// validation rows.
func addTraining(c *chart.Chart, t *paint.Theme, r *papers.Row, i int, train bool) {
	trackedValue := func(q frame.TrainingPoint) float64 { return q.Validation }
	checkValue := func(c frame.TrainingCheck) float64 { return c.ValidateMean - c.LogZ }
	line := chart.Style{Color: t.Method(i), Width: 1.5, NoHalo: true}
	if train {
		trackedValue = func(q frame.TrainingPoint) float64 { return q.Train }
		checkValue = func(c frame.TrainingCheck) float64 { return c.TrainMean - c.LogZ }
		line.Dash = [2]float64{5, 3}
	}
	var x, y, checkX, checkY []float64
	log := trainedData(r).Log
	for _, q := range log.Points {
		x, y = append(x, float64(q.Update)), append(y, trackedValue(q))
	}
	for _, k := range log.Checks {
		checkX, checkY = append(checkX, float64(k.Update)), append(checkY, checkValue(k))
	}
	c.Line(x, y, line)
	c.Dots(checkX, checkY, papers.Style(t, i, r.Series))
}
