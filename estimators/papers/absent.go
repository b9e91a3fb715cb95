package papers

import (
	"fmt"
	"math"

	"logzlab/models"
)

// armAbsent forms machines along all four sequences of the parameter absent.
var armAbsent = &Experiment{
	Name: "arm-absent",
	About: "Boltzmann machines of 20 hidden units formed by rm while units that are absent act not at all, as in the " +
		"ARM paper, by base rates, by mean-field rates, or by weights that fit samples.",
	Figure: "The sequence of section 5 of the ARM paper (Fraccaro, Paquet and Winther), and three others",
	by:     "this lab",
	points: armAbsentPoints, judge: armAbsentJudge, chart: lines,
	axes: axes{reach: 6, rmse: true},
	notes: []string{
		"The last density is the machine's own for every sequence, so E[Zhat] = Z holds for all of them: what differs is " +
			"how far a single estimate is off.",
		"Estimates are of one island each. The trial that the fourth sequence is made from is run once and its time shared " +
			"by all estimates, as islands of a run share it.",
	},
	title: "What absent pixels do",
	lead: "A half-formed digit is judged by hidden units that wait for the other half. What should they take the " +
		"missing pixels for?",
	alt: "For each machine, the mean of log Z on the left and its root mean squared error on the right against " +
		"processor time, a line for each sequence; the solid level is exact.",
	live: [2]string{asPaper("rbm-cd1-20", "rm") + "&rm.particles=100&view.scene=formation", "Watch the paper's sequence"},
}

// seriesAbsent begins the names of the lines of arm-absent, which end in a value of the parameter.
const seriesAbsent = "absent = "

func armAbsentPoints(size Size) (out []Point) {
	machines := []machine{{panel: "CD1", model: "rbm-cd1-20"}, {panel: "CD25", model: "rbm-cd25-20"},
		{panel: "PCD", model: "rbm-pcd-20"}}
	particles, n := []int{100, 400}, map[Size]int{Small: 3, Normal: 60, Full: 400}[size]
	if size == Small {
		machines, particles = machines[:1], []int{2}
	}
	for _, m := range machines {
		for _, absent := range models.Absents {
			order, cost := "&order=variance", .006
			if absent == models.Sampled {
				order, cost = "", .002
			}
			for _, r := range particles {
				out = append(out, Point{Panel: m.panel, Series: seriesAbsent + absent, Cost: cost * float64(r*n),
					Link: fmt.Sprintf("v=1&model=%s%s&method=rm&rm.absent=%s&rm.particles=%d&rm.islands=1&rm.moves=3&replicates=%d",
						m.model, order, absent, r, n)})
			}
		}
	}
	return out
}

func armAbsentJudge(rows []Row) (out []Finding) {
	for _, panel := range panels(rows) {
		sampled := series(rows, panel, seriesAbsent+models.Sampled)
		for _, other := range models.Absents[:3] {
			f, ok := smaller(fmt.Sprintf("%s: the sequence from samples has the smaller error at equal processor time than "+
				"absent = %s.", panel, other), sampled, series(rows, panel, seriesAbsent+other))
			if ok {
				out = append(out, f)
			}
		}
		if off := series(rows, panel, seriesAbsent+models.Absents[0]); len(off) > 0 {
			x := &off[len(off)-1]
			f := side(panel+": most estimates along the paper's sequence are too low.", x, x.Known, 0, -1)
			f.Here = fmt.Sprintf("the mean of %d estimates with R = %d lies %+.2f +- %.2f nats from log Z.", x.N, x.R,
				x.Mean-x.Known, x.SD/math.Sqrt(float64(x.N)))
			out = append(out, f)
		}
	}
	return out
}
