package arm

import (
	"math"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
)

// The findings of Fig2 agree, contradict or are undecided as the rows require.
func TestFindingsFig2(t *testing.T) {
	ref := papers.Row{Point: papers.Point{Panel: "p", Series: "ref", Reference: true}, N: 1, LogMeanExp: -10, Mean: -10,
		SE: .01,
		EP: -10.02}
	withReference := func(x ...[]papers.Row) []papers.Row {
		out := []papers.Row{ref}
		for _, r := range x {
			out = append(out, r...)
		}
		return out
	}
	lowerMeans := func(rows []papers.Row, by ...float64) []papers.Row {
		for i := range rows {
			rows[i].Mean -= by[i]
		}
		return rows
	}
	arm := papertest.Line("p", seriesARM, 80, 1, 1, 4)
	for _, c := range []struct {
		rows  []papers.Row
		about string
		want  papers.Answer
	}{
		{withReference(arm, papertest.Line("p", seriesRM, 80, 3, 1, 4)), "better use", papers.Agrees},
		{withReference(arm, papertest.Line("p", seriesRM, 80, .3, 1, 4)), "better use", papers.Contradicts},
		{withReference(arm, papertest.Line("p", seriesRM, 80, 1.05, 1, 4)), "better use", papers.Unseen},
		{withReference(arm, papertest.Line("p", seriesRM, 3, 1.5, 1, 4)), "better use", papers.Unseen}, // three estimates are too few
		{withReference(lowerMeans(papertest.Line("p", seriesRM, 80, 1, 1, 4), 2, .1)), "average of RM", papers.Agrees},
		{withReference(lowerMeans(papertest.Line("p", seriesRM, 80, 1, 1, 4), 2, 5)), "average of RM", papers.Contradicts}, // moves away
		{withReference(lowerMeans(papertest.Line("p", seriesRM, 80, 1, 1, 4), -2, 0)), "average of RM", papers.Contradicts},
		{withReference(lowerMeans(papertest.Line("p", seriesRM, 80, 1, 1, 4), .05, 0)), "average of RM", papers.Unseen},
		{withReference(arm, papertest.Line("p", seriesPlain, 80, 50, 1, 4)), "plain HMC from the prior", papers.Agrees},
		// plain HMC has a small variance and a large bias
		{withReference(arm, lowerMeans(papertest.Line("p", seriesPlain, 80, .1, 1, 4), 40, 40)), "plain HMC from the prior", papers.Agrees},
		{withReference(arm, papertest.Line("p", seriesPlain, 80, .2, 1, 4)), "plain HMC from the prior", papers.Contradicts},
		{withReference(arm, papertest.Line("p", seriesWhite, 80, 1.02, 1, 4)), "whitened HMC", papers.Unseen},
		{withReference(papertest.Line("p", seriesRMQ, 80, 1, 1, 4), papertest.Line("p", seriesRiemann, 80, 9, 1, 4)),
			"RMHMC has to rely", papers.Agrees},
		{withReference(papertest.Line("p", seriesRMQ, 80, 9, 1, 4), papertest.Line("p", seriesRiemann, 80, 1, 1, 4)),
			"RMHMC has to rely", papers.Contradicts},
		{withReference(arm), "EP's estimate", papers.Agrees},
	} {
		rows := c.rows
		papers.SetReferences(rows)
		if got := papertest.Find(t, fig2Judge(rows), c.about); got != c.want {
			t.Errorf("%s: got %v, want %v", c.about, got, c.want)
		}
	}
	far := ref
	far.EP = -11
	if got := papertest.Find(t, fig2Judge([]papers.Row{far}), "EP's estimate"); got != papers.Contradicts {
		t.Errorf("EP a nat off: %v", got)
	}
}

// The findings of Fig4 agree, contradict or are undecided as the rows require.
func TestFindingsFig4(t *testing.T) {
	for _, c := range []struct {
		panel, about     string
		arm, other       float64 // scales of the errors
		otherName        string
		armMean, refMean float64
		want             papers.Answer
	}{
		{"PCD", "very close to AIS", 1, 1, "RM", -10, -10.2, papers.Agrees},
		{"PCD", "very close to AIS", 1, 1, "RM", -10, -15, papers.Contradicts},
		{"PCD", "very close to AIS", 1, 1, "RM", -10, -11, papers.Unseen},
		{"PCD", "reduces the variance", 1, 3, "RM", -10, -10, papers.Agrees},
		{"PCD", "reduces the variance", 3, 1, "RM", -10, -10, papers.Contradicts},
		{"PCD", "smaller variance than ARM", 1, .3, "ARM-anticipate", -10, -10, papers.Agrees},
		{"PCD", "improve the efficiency", 1, .3, "ARM-reseed", -10, -10, papers.Agrees},
		{"PCD", "improve the efficiency", 1, 3, "ARM-reseed", -10, -10, papers.Contradicts},
		{"CD25", "in less time", 1, 3, "ARM-reseed", -10, -10, papers.Agrees},
		{"CD25", "in less time", 1, .3, "ARM-reseed", -10, -10, papers.Contradicts},
	} {
		rows := append(papertest.Line(c.panel, "ARM", 50, c.arm, 1, 4), papertest.Line(c.panel, c.otherName, 50, c.other, 1,
			4)...)
		for i := range rows {
			rows[i].Mean = c.armMean
		}
		rows = append(rows, papers.Row{Point: papers.Point{Panel: c.panel, Series: "AIS", Reference: true}, N: 1,
			LogMeanExp: c.refMean,
			Mean:       c.refMean, SE: .01, SD: math.NaN()})
		papers.SetReferences(rows)
		if got := papertest.Find(t, fig4Judge(rows), c.about); got != c.want {
			t.Errorf("%s %s, arm %g, other %g: got %v, want %v", c.panel, c.about, c.arm, c.other, got, c.want)
		}
	}
}

// The findings of Fig5 and Cost agree, contradict or are undecided as the rows require.
func TestFindingsFig5AndCost(t *testing.T) {
	for at, want := range map[float64]papers.Answer{50: papers.Agrees, 80: papers.Unseen, 140: papers.Contradicts} {
		p := Picture{Stage: 784, N: 1, W: 28, H: 28, Nearest: [3]float64{at, 40, 120}}
		if f := fig5Judge([]papers.Row{{More: []Picture{p}}}); len(f) != 1 || f[0].Answer != want {
			t.Errorf("distance %g: %v, want %v", at, f, want)
		}
	}
	ref := papers.Row{Point: papers.Point{Panel: "CD25", Series: "AIS", Reference: true}, N: 1, LogMeanExp: 560,
		Mean: 560, Lower: 559,
		Upper: 561, SE: .2}
	arm := papers.Row{Point: papers.Point{Panel: "CD25", Series: "ARM"}, N: 10, Mean: 561.9, LogMeanExp: math.NaN(),
		SD:      .3,
		Seconds: 300}
	rm := arm
	rm.Series, rm.SD = "RM", 1.2
	f := costJudge([]papers.Row{ref, arm, rm})
	if papertest.Find(t, f, "within 1 nat") != papers.Agrees || papertest.Find(t, f, "30 minutes") != papers.Agrees ||
		papertest.Find(t, f, "variance of RM") != papers.Agrees {
		t.Errorf("finding = %v", f)
	}
	arm.Mean, arm.Seconds, arm.SD = 562.1, 400, 4
	f = costJudge([]papers.Row{ref, arm, rm})
	if papertest.Find(t, f, "within 1 nat") != papers.Contradicts ||
		papertest.Find(t, f, "30 minutes") != papers.Contradicts ||
		papertest.Find(t, f, "variance of RM") != papers.Contradicts {
		t.Errorf("finding = %v", f)
	}
	// Each size is judged separately: 200 islands can decide, 10 cannot.
	small, smallRM := arm, rm
	small.R, small.N, small.SD, small.Seconds, smallRM.N, smallRM.SD, smallRM.Seconds = 100, 200, 3, 30, 200, 4, 30
	arm.R, arm.SD, arm.Seconds, rm.SD, rm.Seconds = 1000, .9, 300, 1, 300
	f = costJudge([]papers.Row{ref, small, smallRM, arm, rm})
	if papertest.Find(t, f, "R = 100.") != papers.Agrees || papertest.Find(t, f, "R = 1000.") != papers.Unseen {
		t.Errorf("finding = %v", f)
	}
}

// Links of figures with rm and arm state the paper's settings explicitly (order=variance, absent=off), so that they do
// not depend on the defaults.
func TestLinksStatePaperSequence(t *testing.T) {
	for _, e := range []*papers.Experiment{Fig4, Cost, Fig5} {
		links := []string{e.Live[0]}
		for _, p := range e.Points(papers.Normal) {
			if p.Follow != nil {
				p.Link = p.Follow(make([]papers.Row, 9))
			}
			links = append(links, p.Link)
		}
		formed := 0
		for _, link := range links {
			method := papers.LinkValue(link, "method")
			if method == "ais" {
				continue
			}
			formed++
			if papers.LinkValue(link, "order") != "variance" || papers.LinkValue(link, method+".absent") != "off" {
				t.Errorf("%s: %s", e.Name, link)
			}
		}
		if formed < 2 {
			t.Errorf("%s: %d links form an RBM", e.Name, formed)
		}
	}
}
