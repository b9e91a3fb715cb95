package scene

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/estimators/report"
	"logzlab/estimators/temper"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// Means is the scene that shows, for each unit of a model, the probability under the target that the unit is on.
var Means = Register(Scene{
	Name: "means", Of: "units", Key: 31, Label: "Means",
	Applies: func(s *state.Snapshot) bool {
		return s.Traits().Look == models.Pictures && (anyMethod(estimatesMeans)(s) || shownMeans(s) != nil)
	},
	Captions: Texts{{Text: "How often each unit is on under the target. Samples of all rungs contribute, each " +
		"with its probability under the target, so the error shrinks."}},
	About: "How often units are on under the target: from the samples of all rungs, from those at β = 1 alone, " +
		"both with standard errors, and the exact value if it is known. First: root mean squared errors.",
	Tables: []Table{{[]string{"Samples", "Standard error", "Error"}, meanErrorRows},
		{[]string{"Unit", "All rungs", "field.se", "β = 1 alone", "field.se", "exact"}, meanRows}},
})

// estimatesMeans reports whether a method estimates means from the samples of all rungs.
func estimatesMeans(m *estimators.Info) bool {
	r, ok := m.Reads.(*temper.Reader)
	return ok && slices.Contains(r.Needs, temper.TargetMoments)
}

// shownMeans returns the report whose means the scene shows: the report of the method on show if it has means, otherwise
// the first report with means, or nil.
func shownMeans(s *state.Snapshot) (found *report.Report) {
	for _, r := range s.Reports {
		if len(r.AtTarget) > 0 && (found == nil || r.Method == s.OnShow) {
			found = r
		}
	}
	return found
}

// UnitMeans returns the means of the model's units as a picture, nil if the scene does not need them or they are not
// known. Fixed pixels have their fixed values.
func UnitMeans(s *state.Snapshot) *frame.Means {
	if r := shownMeans(s); On(s) == Means && r != nil {
		return unitMeansOf(s, r)
	}
	return nil
}

// unitMeansOf returns the means of a report, placed on the cells of the model's picture; nil if they do not fit.
func unitMeansOf(s *state.Snapshot, r *report.Report) *frame.Means {
	fixed, err := frame.ReadDrawing(s.Drawing())
	if s.Model == nil || err != nil {
		return nil
	}

	// Estimates and drawn cells together must fit the picture.
	info := s.Model.Info()
	if n := len(r.AtTarget); n != len(r.Posterior) || n != info.Dim || n+len(fixed) > info.W*info.H {
		return nil
	}
	m := &frame.Means{Method: r.Method, W: info.W, H: info.H}

	// onCells places the values of the free units on the cells. A fixed cell has its fixed value in a picture of means, and
	// NaN in a picture of standard errors.
	onCells := func(value func(i int) float64, mean bool) []float32 {
		out, i := make([]float32, info.W*info.H), 0
		for cell := range out {
			x, clamped := fixed[cell]
			out[cell] = float32(math.NaN())
			switch {
			case clamped && mean:
				out[cell] = float32(x)
			case !clamped && i < info.Dim:
				out[cell] = float32(value(i))
				i++
			}
		}
		return out
	}

	// Estimates from the samples of all rungs, and from those at the target (beta = 1) alone.
	m.All = onCells(func(i int) float64 { return float64(r.Posterior[i].Mean) }, true)
	m.AllSE = onCells(func(i int) float64 { return float64(r.Posterior[i].SE) }, false)
	m.Target = onCells(func(i int) float64 { return float64(r.AtTarget[i].Mean) }, true)
	m.TargetSE = onCells(func(i int) float64 { return float64(r.AtTarget[i].SE) }, false)
	if len(s.Means) == info.Dim {
		m.Exact = onCells(func(i int) float64 { return s.Means[i] }, true)
	}
	return m
}

// meanErrorRows returns root mean squares over the units: of the standard errors, and of the deviations from the exact
// means.
func meanErrorRows(p *state.Snapshot) (rows [][]string) {
	r := shownMeans(p)
	if r == nil {
		return nil
	}
	for _, x := range []struct {
		name    string
		moments []report.Moment
	}{{"All rungs", r.Posterior}, {"β = 1 alone", r.AtTarget}} {
		se, squares := 0.0, 0.0
		for i, m := range x.moments {
			se += float64(m.SE * m.SE)
			d := math.NaN()
			if len(p.Means) == len(x.moments) {
				d = float64(m.Mean) - p.Means[i]
			}
			squares += float64(d * d)
		}
		n := float64(len(x.moments))
		rows = append(rows, []string{p.Words.Phrase(x.name), p.NumberOrDash(math.Sqrt(se/n), 4), p.NumberOrDash(math.Sqrt(squares/n), 4)})
	}
	return rows
}

// meanRows returns a row for each unit: its means with standard errors, and its exact mean.
func meanRows(p *state.Snapshot) (rows [][]string) {
	r := shownMeans(p)
	if r == nil {
		return nil
	}
	for i, m := range r.Posterior {
		if i >= len(r.AtTarget) || !thinned(i, len(r.Posterior), 2) {
			continue
		}
		a, exact := r.AtTarget[i], math.NaN()
		if len(p.Means) == len(r.Posterior) {
			exact = p.Means[i]
		}
		row := []string{fmt.Sprint(i + 1)}
		for _, x := range []report.Number{m.Mean, m.SE, a.Mean, a.SE, report.Number(exact)} {
			row = append(row, p.NumberOrDash(float64(x), 4))
		}
		rows = append(rows, row)
	}
	return rows
}
