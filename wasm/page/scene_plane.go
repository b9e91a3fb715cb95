package page

import (
	"fmt"
	"math"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

var _ = register(scene{
	name: "plane", key: 1, label: "Plane", target: true,
	applies: func(b *Brain) bool { return b.traits().Look == models.Points },
	missing: sayings{{text: "This model does not live in a plane."}},
	opens:   func(b *Brain) bool { return !b.follows() },
	captions: sayings{
		{"Each dot is a particle; its area is its weight. Across: the log-odds of the probability.", axes(models.LogOdds)},
		{"Each dot is a particle; its area is its weight. Across: the mean. Up: the log variance. Grey is the density.",
			axes(models.MeanVariance)},
		{"Each dot is a particle; its area is its weight. Across and up: the first two coefficients.",
			axes(models.Coefficients)},
		{"Each dot is a particle; its area is its weight. Across: the mean log volatility. Up: how long it lasts (artanh φ).",
			axes(models.Volatility)},
		{"Each dot is a particle; its area is its weight. Across: the log variance of the steps. Up: that of the noise.",
			axes(models.TwoVariances)},
		{"Each dot is a particle; its area is its weight. Shown: the plane of the first hills.",
			func(b *Brain) bool { return b.flattened() && !b.target.knows(b.spec) }},
		{"Each dot is a particle; its area is its weight. Shown: the plane of the hills; grey is the density.",
			(*Brain).flattened},
		{"Each dot is a particle; its area is its weight. Across: its only coordinate.",
			func(b *Brain) bool { return b.job != nil && b.job.Model.Info().Dim == 1 }},
		{text: "Each dot is a particle; its area is its weight. Grey is the density."},
	},
	legend: (*pane).sizes, // temperatures stand below the picture
	about:  newestFrames,
	tables: []sceneTable{{[]string{"particle", "beta", "log.weight", "place"}, func(p *pane) [][]string {
		return p.particleRows(func(f *frame.Frame, i int) string {
			if 2*i+1 >= len(f.Points) {
				return ""
			}
			return p.known(float64(f.Points[2*i]), 2) + "; " + p.known(float64(f.Points[2*i+1]), 2)
		})
	}}},
})

// axes is whether the coordinates of a kind of model have a meaning.
func axes(a models.Axes) func(*Brain) bool {
	return func(b *Brain) bool { return b.traits().Axes == a }
}

// flattened reports whether the model has more dimensions than the plane shows.
func (b *Brain) flattened() bool { return b.job != nil && b.job.Model.Info().Dim > 2 }

// sizes is the legend of weights: dots of half, twice and four times the mean weight as large as the plane
// draws them (render/plane.go): 3.1 px for the mean, less where more than 500 crowd.
func (p *pane) sizes() []HTML {
	mean := 3.1
	if p.spec != nil {
		m := p.onShow()
		if m == "" {
			m = p.spec.Methods[0]
		}
		params, _ := catalog.Names{}.MethodParams(m)
		v := p.spec.Values(params, m)
		for _, rows := range []string{v["chains"], v["particles"]} {
			if n, err := strconv.ParseFloat(rows, 64); err == nil && n > 500 {
				mean *= math.Sqrt(max(500/n, .3))
			}
		}
	}
	var dots []HTML
	x := 0.
	for _, w := range []float64{.5, 2, 4} {
		r := float64(mean * math.Sqrt(w))
		dots = append(dots, el(`circle cy="7"`, at("cx", spec.Decimal(math.Round(10*(x+r))/10), "r",
			spec.Decimal(math.Round(10*r)/10))))
		x += float64(2*r) + 4
	}
	drawn := el(`svg class="sizes b-8" aria-hidden="true"`, at("viewBox", fmt.Sprintf("0 0 %.0f 14", x)), dots...)
	return []HTML{tag(`li data-key="weight"`, drawn, text(p.w.T("legend.weight")))}
}
