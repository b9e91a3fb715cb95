package rts

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"logzlab/estimators/papers"
)

// learning draws log Z and log c of each rung over iterations, as the paper does.
func learning(rows []papers.Row, e *papers.Experiment) ([]byte, string, error) {
	var grid [][]*plot.Plot
	var order []string
	for _, s := range []string{seriesBlackwell, seriesVisits} {
		lines := papers.Series(rows, rows[0].Panel, s)
		if len(lines) == 0 {
			continue
		}
		title := map[string]string{seriesBlackwell: "With Rao-Blackwellization", seriesVisits: "By visits"}[s] +
			" (dashed: exact)"
		left, right := papers.NewPlot(title, "rung k", "log Z of the rung"), papers.NewPlot(title, "rung k",
			"log of its share")
		for _, p := range []*plot.Plot{left, right} {
			p.X.Scale, p.X.Tick.Marker = plot.LinearScale{}, papers.Even{}
		}

		// A curve for each iteration.
		order = nil
		for at, r := range lines {
			style := draw.LineStyle{Color: papers.Palette[at%len(papers.Palette)], Width: vg.Points(1.3)}
			if err := addCurve(left, guesses(&r)[0].LogZ, style); err != nil {
				return nil, ".svg", err
			}
			if err := addCurve(right, guesses(&r)[0].LogC, style); err != nil {
				return nil, ".svg", err
			}
			order = append(order, r.Step)
		}

		// Dashed: equal shares, and exact log Z.
		dashed := draw.LineStyle{Color: papers.Ink, Width: vg.Points(.9), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
		flat := make([]float64, len(guesses(&lines[0])[0].LogC))
		for k := range flat {
			flat[k] = -math.Log(float64(len(flat)))
		}
		if err := addCurve(right, flat, dashed); err != nil {
			return nil, ".svg", err
		}
		if exact := exactCurve(rows); exact != nil {
			if err := addCurve(left, exact, dashed); err != nil {
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

// exactCurve is log Z of each rung by the reference, nil without it.
func exactCurve(rows []papers.Row) (z []float64) {
	for _, r := range rows {
		if r.Reference {
			for _, k := range r.Ladders[0] {
				z = append(z, k.LogZ-r.Ladders[0][0].LogZ)
			}
		}
	}
	return z
}

// addCurve draws a value for each rung, from 1.
func addCurve(p *plot.Plot, y []float64, style draw.LineStyle) error {
	xy := make(plotter.XYs, len(y))
	for k := range y {
		xy[k] = plotter.XY{X: float64(k + 1), Y: y[k]}
	}
	l, err := plotter.NewLine(xy)
	if err != nil {
		return err
	}
	l.LineStyle = style
	p.Add(l)
	return nil
}
