package scene

import (
	"fmt"
	"math"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

var _ = Register(Scene{
	Name: "plane", Key: 1, Label: "Plane", target: true,
	Applies: func(s *state.Snapshot) bool { return s.Traits().Look == models.Points },
	Missing: Texts{{Text: "The states of this model are not points."}},
	opens:   func(s *state.Snapshot) bool { return !isTimeSeries(s) },
	Captions: Texts{
		{"Each dot is a particle; its area is its weight. Across: the log-odds of the probability.", axes(models.LogOdds)},
		{"Each dot is a particle; its area is its weight. Across: its only coordinate.", isOneDimensional},
		{"Each dot is a particle; its area is its weight. Axes: two parameters; tap a name to show the next one.",
			axes(models.Parameters)},
		{"Each dot is a particle; its area is its weight. Across: the mean. Up: the log variance. Grey: the density.",
			axes(models.MeanVariance)},
		{"Each dot is a particle; its area is its weight. Across and up: the first two coefficients.",
			axes(models.Coefficients)},
		{"Each dot is a particle; its area is its weight. Across: the mean log volatility. Up: how long it lasts (artanh φ).",
			axes(models.Volatility)},
		{"Each dot is a particle; its area is its weight. Across: the log variance of the steps. Up: the log " +
			"variance of the noise.",
			axes(models.TwoVariances)},
		{"Each dot is a particle; its area is its weight. Shown: the plane through the first modes.",
			func(s *state.Snapshot) bool { return isFlattened(s) && !s.Density }},
		{"Each dot is a particle; its area is its weight. Shown: the plane through the modes. Grey: the density.",
			isFlattened},
		{Text: "Each dot is a particle; its area is its weight. Grey: the density."},
	},
	Legend: sizes, // the temperatures are below the picture
	About:  newestFrames,
	Tables: []Table{{[]string{"particle", "beta", "log.weight", "place"}, func(p *state.Snapshot) [][]string {
		return particleRows(p, func(f *frame.Frame, i int) string {
			if 2*i+1 >= len(f.Points) {
				return ""
			}
			return p.NumberOrDash(float64(f.Points[2*i]), 2) + "; " + p.NumberOrDash(float64(f.Points[2*i+1]), 2)
		})
	}}},
})

// axes returns the condition that the coordinates of the model have a given meaning.
func axes(a models.Axes) func(*state.Snapshot) bool {
	return func(s *state.Snapshot) bool { return s.Traits().Axes == a }
}

// isOneDimensional reports whether the model has a single coordinate without a special meaning.
func isOneDimensional(s *state.Snapshot) bool {
	a := s.Traits().Axes
	return s.Begun() && s.Model.Info().Dim == 1 && (a == models.Coordinates || a == models.Parameters)
}

// isFlattened reports whether the model has more than two dimensions.
func isFlattened(s *state.Snapshot) bool { return s.Begun() && s.Model.Info().Dim > 2 }

// sizes is the legend of weights: dots of half, twice and four times the mean weight, in the size in which
// render/plane.go draws them: 3.1 px for the mean, less for more than 500 particles.
func sizes(p *state.Snapshot) []html.HTML {
	mean := 3.1
	if p.Spec != nil {
		m := p.OnShow
		if m == "" {
			m = p.Spec.Methods[0]
		}
		params, _ := catalog.Names{}.MethodParams(m)
		var rows struct {
			Chains    float64 `param:"chains"`
			Particles float64 `param:"particles"`
		}
		p.Spec.Values(params, m).Fill(&rows)
		for _, n := range []float64{rows.Chains, rows.Particles} {
			if n > 500 {
				mean *= math.Sqrt(max(500/n, .3))
			}
		}
	}
	var dots []html.HTML
	x := 0.
	for _, w := range []float64{.5, 2, 4} {
		r := float64(mean * math.Sqrt(w))
		dots = append(dots, html.El(`circle cy="7"`, html.At("cx", spec.Decimal(math.Round(10*(x+r))/10), "r",
			spec.Decimal(math.Round(10*r)/10))))
		x += float64(2*r) + 4
	}
	legend := html.El(`svg class="sizes b-8" aria-hidden="true"`, html.At("viewBox", fmt.Sprintf("0 0 %.0f 14", x)),
		dots...)
	return []html.HTML{html.Tag(`li data-key="weight"`, legend, html.Text(p.Words.T("legend.weight")))}
}
