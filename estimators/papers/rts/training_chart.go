package rts

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"logzlab/core/frame"
	"logzlab/estimators/papers"
)

// trainings draws for each panel the training by tempering as the paper does, and beside it validation by all
// gradients. Lines are followed, marks are checks.
func trainings(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	var grid [][]*plot.Plot
	order := papers.Distinct(rows, func(r *papers.Row) string { return r.Series })
	for _, panel := range papers.Panels(rows) {
		left := likelihoodPlot(panel + ": validation, training (dashed)")
		right := likelihoodPlot(panel + ": validation")
		for at, name := range order {
			line := papers.Series(rows, panel, name)
			if len(line) == 0 || trainedOf(&line[0]).Log == nil {
				continue
			}

			// The first gradient is drawn on both sides, the others on the right.
			r := &line[0]
			colour := papers.Palette[at%len(papers.Palette)]
			if at == 0 {
				if err := addTraining(left, r, at, colour, true); err != nil {
					return nil, ".svg", err
				}
				if err := addTraining(left, r, at, colour, false); err != nil {
					return nil, ".svg", err
				}
			}
			if err := addTraining(right, r, at, colour, false); err != nil {
				return nil, ".svg", err
			}
		}
		grid = append(grid, []*plot.Plot{left, right})
	}
	if len(grid) == 0 {
		return nil, ".svg", nil
	}
	return papers.Render(grid, order)
}

func likelihoodPlot(title string) *plot.Plot {
	p := papers.NewPlot(title, "update", "log-likelihood of a row, nats")
	p.X.Scale, p.X.Tick.Marker = plot.LinearScale{}, papers.Even{}
	return p
}

// addTraining draws the likelihood of a run, of the rows that train it or of validation.
func addTraining(p *plot.Plot, r *papers.Row, at int, colour color.Color, train bool) error {
	followed := func(q frame.TrainingPoint) float64 { return q.Validation }
	known := func(c frame.TrainingCheck) float64 { return c.ValidateMean - c.LogZ }
	style := draw.LineStyle{Color: colour, Width: vg.Points(1.3)}
	if train {
		followed = func(q frame.TrainingPoint) float64 { return q.Train }
		known = func(c frame.TrainingCheck) float64 { return c.TrainMean - c.LogZ }
		style.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
	}
	var line, marks plotter.XYs
	log := trainedOf(r).Log
	for _, q := range log.Points {
		line = append(line, plotter.XY{X: float64(q.Update), Y: followed(q)})
	}
	for _, c := range log.Checks {
		marks = append(marks, plotter.XY{X: float64(c.Update), Y: known(c)})
	}
	l, err := plotter.NewLine(line)
	if err != nil {
		return err
	}
	l.LineStyle = style
	s, err := plotter.NewScatter(marks)
	if err != nil {
		return err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: vg.Points(3.2), Shape: papers.Glyphs[at%len(papers.Glyphs)]}
	p.Add(l, s)
	return nil
}
