package rts

import (
	"math"

	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// learningChart plots log Z and log c_k of each rung k after several iterations, as in the paper.
func learningChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	var panels []papers.Panel
	var order []string
	for _, s := range []string{seriesBlackwell, seriesVisits} {
		lines := papers.Series(rows, rows[0].Panel, s)
		if len(lines) == 0 {
			continue
		}
		order = nil
		for _, r := range lines {
			order = append(order, r.Step)
		}

		// A curve for each iteration. Dashed: exact log Z, and equal fractions.
		dashed := chart.Style{Width: 1.25, Dash: [2]float64{4, 3}}
		draw := func(exact []float64, values func(g *guess) []float64) func(*chart.Chart, *paint.Theme) {
			return func(c *chart.Chart, t *paint.Theme) {
				for i := range lines {
					s := papers.Style(t, i, lines[i].Step)
					y := values(&guesses(&lines[i])[0])
					c.Line(rungs(len(y)), y, s)
				}
				exactStyle := dashed
				exactStyle.Color = t.Ink
				c.Line(rungs(len(exact)), exact, exactStyle)
			}
		}
		uniform := make([]float64, len(guesses(&lines[0])[0].LogC))
		for k := range uniform {
			uniform[k] = -math.Log(float64(len(uniform)))
		}
		title := map[string]string{seriesBlackwell: "With Rao-Blackwellization", seriesVisits: "By visits"}[s]
		x := chart.Axis{Title: "rung k"}
		panels = append(panels,
			papers.Panel{Title: title, More: "dashed: exact", X: x, Y: chart.Axis{Title: "log Z of the rung"},
				Draw: draw(exactCurve(rows), func(g *guess) []float64 { return g.LogZ })},
			papers.Panel{Title: title, More: "dashed: exact", X: x, Y: chart.Axis{Title: "log of its share"},
				Draw: draw(uniform, func(g *guess) []float64 { return g.LogC })})
	}
	return papers.Figure(panels, 2, order)
}

// exactCurve returns the exact log Z of each rung, nil if not available.
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

// rungs returns the numbers 1 to n.
func rungs(n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = float64(k + 1)
	}
	return out
}
