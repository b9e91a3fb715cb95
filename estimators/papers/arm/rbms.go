package arm

import (
	"fmt"
	"math"

	"logzlab/estimators/papers"
)

// Fig4 compares rm and three variants of arm with annealing on two RBMs with 500 hidden units, whose pixels are added
// one by one.
var Fig4 = &papers.Experiment{
	Name: "arm-fig4",
	About: "RBMs of 784 x 500 units: rm, arm, arm-anticipate and arm-reseed with more and more " +
		"particles, against annealing.",
	Figure: "Figure 4 of the ARM paper (Fraccaro, Paquet and Winther)",
	Points: fig4Points, Judge: fig4Judge, Chart: papers.Lines,
	Axes: papers.Axes{Reach: 30},
	Notes: []string{
		"The RBMs are this lab's own, of the same size and trained in the same two ways, so log Z differs from the " +
			"paper's.",
		"The paper ran 50 estimates with R = 100 to 10,000. Here are 8 to 32 with R = 100 to 1,000; -full has the paper's, " +
			"which takes some 60 hours of two cores.",
		"Reseeding takes 3,000 (PCD) and 1,500 (CD25) Gibbs transitions, as in the paper. On PCD they help at equal " +
			"R: with 1,000 particles the sd is 0.21 against 0.26 of ARM, and the error 0.30 against 0.50. They take 123 s " +
			"against 21 s. If the sd falls with the root of the time, ARM would have one of 0.11 by then.",
		"What is said of variance is not said of error. On PCD ARM is biased: with 100, 300 and 1,000 particles its error " +
			"is 1.93, 1.18 and 0.50 nats, that of RM 1.48, 0.76 and 0.63.",
		"Annealing starts from the rates of the pixels in the training digits, as in the paper.",
		"The paper's reference is 5,000 chains over 100,000 temperatures; here it is a sandwich of 200 over 20,000.",
	},
	Title: "RBMs with 500 hidden units, formed pixel by pixel",
	Lead: "Log Z of an RBM that is too large to enumerate: four ways to build it pixel by pixel, with more and more " +
		"particles, compared with annealing.",
	Alt: "For each RBM, log Z on the left and its standard deviation on the right against processor time, a " +
		"line for each method; the solid level is annealing's estimate.",
	Live: [2]string{paperLink("rbm-pcd-500", "arm") + "&arm.particles=20&view.scene=formation",
		"Watch the big RBM form its digits"},
}

// paperLink returns the first part of the link of a method with the paper's settings, stated explicitly: visible units
// are added in order of decreasing variance, and absent units have no effect.
func paperLink(model, method string) string {
	return fmt.Sprintf("v=1&model=%s&order=variance&method=%s&%s.absent=off", model, method, method)
}

// Costs of the methods.
const (
	costParticle = 0.055  // CPU seconds per particle of rm, over all stages
	costARM      = 1.15   // cost of arm relative to that of rm
	costReseed   = 1.2e-4 // additional CPU seconds per particle of arm and Gibbs transition of reseeding
)

// fig4Points returns the points of rm and three variants of arm on both RBMs.
func fig4Points(size papers.Size) []papers.Point {
	cheap := runs{[]int{100, 300, 1000}, []int{32, 16, 8}}
	sizes := map[papers.Size][4]runs{ // of each method
		papers.Small:  {equalRuns(2, 2), equalRuns(2, 2), equalRuns(2, 2), equalRuns(2, 2)},
		papers.Normal: {cheap, cheap, cheap, equalRuns(8, 100, 300, 1000)},
		papers.Full: {equalRuns(50, 100, 1000, 12000), equalRuns(50, 100, 1000, 10000), equalRuns(50, 100, 1000, 10000),
			equalRuns(50, 100, 1000, 6000)},
	}[size]
	chains, temps := map[papers.Size]int{papers.Small: 2, papers.Normal: 200, papers.Full: 1000}[size],
		map[papers.Size]int{papers.Small: 4, papers.Normal: 20000, papers.Full: 20000}[size]

	// Two RBMs, each with a sandwich by AIS.
	var out []papers.Point
	for _, m := range []struct {
		panel, model string
		reseed       int
	}{{"PCD", "rbm-pcd-500", 3000}, {"CD25", "rbm-cd25-500", 1500}} {
		if size == papers.Small && m.panel != "PCD" {
			continue
		}
		moves, reseed := 10, m.reseed
		if size == papers.Small {
			moves, reseed = 1, 2
		}
		out = append(out, papers.Sandwich(m.panel, m.model+"&start=rates", chains, temps))

		// The methods that add pixels one by one.
		for i, s := range []struct {
			series, method, extra string
			cost                  float64
		}{
			{"RM", "rm", "", costParticle},
			{"ARM", "arm", "", costParticle * costARM},
			{"ARM-anticipate", "arm-anticipate", "", costParticle * costARM},
			{"ARM-reseed", "arm-reseed", fmt.Sprintf("&arm-reseed.reseed_sweeps=%d", reseed),
				costParticle*costARM + costReseed*float64(reseed)},
		} {
			for k, r := range sizes[i].size {
				out = append(out, papers.Point{Panel: m.panel, Series: s.series, Cost: s.cost * float64(r*sizes[i].n[k]),
					Link: fmt.Sprintf("%s&%s.particles=%d&%s.islands=1&%s.moves=%d%s&replicates=%d", paperLink(m.model, s.method),
						s.method, r, s.method, s.method, moves, s.extra, sizes[i].n[k])})
			}
		}
	}
	return out
}

// fig4Judge compares log Z by arm with AIS, and the variances of the methods.
func fig4Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		if ref, arm := papers.Reference(rows, panel), papers.Series(rows, panel, "ARM"); ref != nil && len(arm) > 0 {
			out = append(out, closeToReference(panel+": ARM gets very close to AIS in less than a minute.", ref, &arm[len(arm)-1]))
		}
		for _, c := range []struct{ panel, a, b, paper string }{
			{"", "ARM", "RM", "ARM reduces the variance of RM with less computing."},
			{"", "ARM-anticipate", "ARM", "ARM-anticipate has a smaller variance than ARM."},
			{"PCD", "ARM-reseed", "ARM", "new independent particles (ARM-reseed) significantly improve the efficiency."},
		} {
			if c.panel != "" && c.panel != panel {
				continue
			}
			if f, ok := papers.SmallerVariance(rows, panel, c.a, c.b, c.paper); ok {
				out = append(out, f)
			}
		}
		if panel == "CD25" {
			if f, ok := papers.SmallerVariance(rows, panel, "ARM", "ARM-reseed",
				"other methods give results comparable to ARM-reseed in less time."); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// maxGap is the largest difference in nats at which two estimates count as equal.
const maxGap = 1.0

// closeToReference returns the finding that log Z of row x is within maxGap of that of the reference. paper is the
// claim.
func closeToReference(paper string, ref, x *papers.Row) papers.Finding {
	d := x.LogZ() - ref.LogZ()
	se := math.Hypot(x.SD/math.Sqrt(float64(x.N)), ref.SE)
	return papers.Finding{Paper: paper,
		Here: fmt.Sprintf("%s at R = %d says %.2f +- %.2f after %.3g s of processor time each, AIS %.2f, "+
			"between %.2f and %.2f: %+.2f nats apart; up to %g is what we read as close.",
			x.Series, x.R, x.LogZ(), x.SD/math.Sqrt(float64(x.N)), x.Seconds, ref.LogZ(), ref.Lower,
			ref.Upper, d, maxGap)}.Within(math.Abs(d), maxGap, se, "nats")
}

// Cost measures the time and the accuracy of arm on an RBM with 500 hidden units, and compares it with rm at equal
// cost.
var Cost = &papers.Experiment{
	Name: "arm-cost",
	About: "The cost of arm on rbm-cd25-500: ten islands of 1,000 particles against the sandwich of annealing, 200 " +
		"islands of 100 besides, and rm at equal cost.",
	Figure: "Section 5 of the ARM paper (Fraccaro, Paquet and Winther)",
	Points: costPoints, Judge: costJudge, Chart: papers.Lines,
	Axes: papers.Axes{Reach: 10, First: "RM"},
	Notes: []string{"The line on the left is the estimate of AIS.",
		"Islands are independent estimates. rm has as many particles as arm moved in the mean at a stage, so both apply " +
			"the kernel equally often."},
	Title: "What adaptive resample-move costs",
	Lead: "Islands of particles build an RBM with 500 hidden units. The result is compared with annealing, and with " +
		"plain resample-move at equal cost.",
	Alt:  "Log Z on the left and its standard deviation on the right against processor time.",
	Live: [2]string{paperLink("rbm-cd25-500", "arm") + "&arm.particles=20&view.scene=formation", "Watch a small one"},
}

// costPoints returns the points of arm, and of rm with as many particles that it applies the kernel equally often.
func costPoints(size papers.Size) []papers.Point {
	chains, temps, moves := 100, 5000, 10
	sizes := map[papers.Size][]struct{ r, islands int }{
		papers.Small: {{2, 3}}, papers.Normal: {{100, 200}, {1000, 10}}, papers.Full: {{1000, 200}, {10000, 10}}}[size]
	if size == papers.Small {
		moves, chains, temps = 1, 2, 4
	}
	const model = "rbm-cd25-500"
	out := []papers.Point{papers.Sandwich("CD25", model+"&start=rates", chains, temps)}
	for _, s := range sizes {
		arm := len(out)
		cost := costParticle * costARM * float64(s.r*s.islands)
		out = append(out,
			papers.Point{Panel: "CD25", Series: "ARM", Cost: cost,
				Link: fmt.Sprintf("%s&arm.particles=%d&arm.islands=%d&arm.moves=%d&arm.i_max=3", paperLink(model, "arm"), s.r,
					s.islands, moves)},
			papers.Point{Panel: "CD25", Series: "RM", Cost: cost, Follow: func(rows []papers.Row) string {
				// sweeps = islands x moves x particles x 783 stages
				particles := math.Round(rows[arm].Sweeps / float64(moves*783))
				return fmt.Sprintf("%s&rm.particles=%.0f&rm.islands=%d&rm.moves=%d", paperLink(model, "rm"), particles, s.islands, moves)
			}})
	}
	return out
}

// maxSeconds is the largest time that arm may take: 30 minutes of two cores, in CPU seconds.
const maxSeconds = 2 * 30 * 60

// costJudge compares arm with AIS and with rm.
func costJudge(rows []papers.Row) (out []papers.Finding) {
	ref := papers.Reference(rows, "CD25")
	if arm := papers.Series(rows, "CD25", "ARM"); ref != nil && len(arm) > 0 {
		x := &arm[len(arm)-1]
		f := closeToReference("ARM agrees with the AIS sandwich to within 1 nat.", ref, x)
		f.Ours = true
		if z := x.LogZ(); z >= ref.Lower-maxGap && z <= ref.Upper+maxGap {
			f.Answer = papers.Agrees
		} else {
			f.Answer = papers.Contradicts
		}
		out = append(out, f)

		// The time of ARM.
		totalSeconds := x.Seconds * float64(x.N)
		f = papers.Finding{Paper: "ARM takes at most 30 minutes on two cores.",
			Here: fmt.Sprintf("%.0f s of processor time, %.1f minutes on two cores.", totalSeconds, totalSeconds/120), Answer: papers.Agrees,
			Ours: true}
		if totalSeconds > maxSeconds {
			f.Answer = papers.Contradicts
		}
		out = append(out, f)
	}

	// ARM against RM, separately for each size, because the number of islands depends on the size.
	arm, rm := papers.Series(rows, "CD25", "ARM"), papers.Series(rows, "CD25", "RM")
	for i := range min(len(arm), len(rm)) {
		f, ok := papers.SmallerVariance([]papers.Row{arm[i], rm[i]}, "CD25", "ARM", "RM",
			fmt.Sprintf("ARM reduces the variance of RM with less computing: R = %d.", arm[i].R))
		if !ok {
			continue
		}
		f.Here += fmt.Sprintf(" %d islands each.", arm[i].N)
		if ref != nil {
			d := arm[i].LogZ() - ref.LogZ()
			f.Here += fmt.Sprintf(" The mean of ARM's log Z lies %+.2f nats from AIS.", d)
		}
		out = append(out, f)
	}
	return out
}
