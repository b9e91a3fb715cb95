package arm

import (
	"fmt"
	"math"

	"logzlab/estimators/papers"
	"logzlab/models"
)

// Absent compares the four values of the parameter absent of method rm: how hidden units treat visible units that are
// not yet added.
var Absent = &papers.Experiment{
	Name: "arm-absent",
	About: "RBMs of 20 hidden units formed by rm while units that are absent act not at all, as in the " +
		"ARM paper, by base rates, by mean-field rates, or by weights that fit samples.",
	Figure: "The sequence of section 5 of the ARM paper (Fraccaro, Paquet and Winther), and three others",
	By:     "this lab",
	Points: absentPoints, Judge: absentJudge, Chart: papers.Lines,
	Axes: papers.Axes{Reach: 6, RMSE: true},
	Notes: []string{
		"The last density is the RBM's own for every sequence, so E[Zhat] = Z holds for all of them: what differs is " +
			"how far a single estimate is off.",
		"Estimates are of one island each. The rough samples that make the fourth sequence are drawn once, and their " +
			"time is shared by all estimates, as islands of a run share it.",
	},
	Title: "What absent pixels do",
	Lead: "Resample-move builds an RBM pixel by pixel. How should hidden units treat the pixels that are not yet " +
		"added? Four answers are compared.",
	Alt: "For each RBM, the mean of log Z on the left and its root mean squared error on the right against " +
		"processor time, a line for each sequence; the solid level is exact.",
	Live: [2]string{paperLink("rbm-cd1-20", "rm") + "&rm.particles=100&view.scene=formation", "Watch the paper's sequence"},
}

// SeriesAbsent is the prefix of the names of the series of arm-absent; a value of the parameter follows.
const SeriesAbsent = "absent = "

// absentPoints runs rm with each value of absent on three RBMs.
func absentPoints(size papers.Size) (out []papers.Point) {
	rbms := []papers.RBM{{Panel: "CD1", Model: "rbm-cd1-20"}, {Panel: "CD25", Model: "rbm-cd25-20"},
		{Panel: "PCD", Model: "rbm-pcd-20"}}
	particles, n := []int{100, 400}, map[papers.Size]int{papers.Small: 3, papers.Normal: 60, papers.Full: 400}[size]
	if size == papers.Small {
		rbms, particles = rbms[:1], []int{2}
	}
	for _, m := range rbms {
		for _, absent := range models.AbsentValues {
			order, cost := "&order=variance", .006
			if absent == models.Sampled {
				order, cost = "", .002
			}
			for _, r := range particles {
				out = append(out, papers.Point{Panel: m.Panel, Series: SeriesAbsent + absent, Cost: cost * float64(r*n),
					Link: fmt.Sprintf("v=1&model=%s%s&method=rm&rm.absent=%s&rm.particles=%d&rm.islands=1&rm.moves=3&replicates=%d",
						m.Model, order, absent, r, n)})
			}
		}
	}
	return out
}

// absentJudge compares the errors with each value of absent, and judges the bias of the paper's value.
func absentJudge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		sampled := papers.Series(rows, panel, SeriesAbsent+models.Sampled)
		for _, other := range models.AbsentValues[:3] {
			f, ok := papers.SmallerRMSE(fmt.Sprintf("%s: the sequence from samples has the smaller error at equal processor "+
				"time than absent = %s.", panel, other), sampled, papers.Series(rows, panel, SeriesAbsent+other))
			if ok {
				out = append(out, f)
			}
		}
		if offRows := papers.Series(rows, panel, SeriesAbsent+models.AbsentValues[0]); len(offRows) > 0 {
			x := &offRows[len(offRows)-1]
			f := papers.BiasFinding(panel+": most estimates along the paper's sequence are too low.", x, x.Known, 0, -1)
			f.Here = fmt.Sprintf("the mean of %d estimates with R = %d lies %+.2f +- %.2f nats from log Z.", x.N, x.R,
				x.Mean-x.Known, x.SD/math.Sqrt(float64(x.N)))
			out = append(out, f)
		}
	}
	return out
}
