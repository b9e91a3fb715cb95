package arm

import (
	"fmt"
	"math"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
)

// The findings on the approximations agree, contradict or are undecided as the rows require.
func TestFindingsEvidence(t *testing.T) {
	// Rows at two positions: log Z, its standard error, log Z by EP and by its second order.
	rows := func(x ...[4]float64) (out []papers.Row) {
		for i, v := range x {
			out = append(out, papers.Row{Point: papers.Point{Panel: "p", Series: seriesRM,
				Link: fmt.Sprintf("v=1&length=%d&amplitude=2", 3+i)}, N: 8, LogMeanExp: v[0], Mean: v[0], SE: v[1], EP: v[2],
				Corrected: v[3]})
		}
		return out
	}
	const atMaximum, nearer = "largest log Z by expectation propagation", "nearer to log Z"
	for _, c := range []struct {
		rows  []papers.Row
		about string
		want  papers.Answer
	}{
		{rows([4]float64{-10, .1, -10.2, -10}, [4]float64{-13, .1, -13.2, -13}), atMaximum, papers.Agrees},
		{rows([4]float64{-10, .1, -10.2, -10}, [4]float64{-10.1, .1, -10.1, -10.1}), atMaximum, papers.Agrees},
		{rows([4]float64{-10, .1, -10.2, -10}, [4]float64{-13, .1, -10.1, -10.1}), atMaximum, papers.Contradicts},
		{rows([4]float64{-10, .3, -10.2, -10}, [4]float64{-10.6, .3, -10.1, -10.1}), atMaximum, papers.Unseen},
		{rows([4]float64{-10, .01, -10.2, -10}, [4]float64{-13, .01, -13.2, -13}), nearer, papers.Agrees},
		{rows([4]float64{-10, .01, -10.01, -9.8}, [4]float64{-13, .01, -13.01, -12.8}), nearer, papers.Contradicts},
		{rows([4]float64{-10, .3, -10.2, -10}, [4]float64{-13, .3, -13.2, -13}), nearer, papers.Unseen},
	} {
		if got := papertest.Find(t, evidenceJudge(c.rows), c.about); got != c.want {
			t.Errorf("%s: %v, want %v: %v", c.about, got, c.want, c.rows)
		}
	}
	if f := evidenceJudge(rows([4]float64{-10, .1, 0, 0})); f != nil {
		t.Errorf("without expectation propagation: %v", f)
	}
}

// The findings on the edges of a map are as the rows require, on a map of 3 x 3 points: log Z at the ends in length is
// smaller by end, and each step in amplitude increases it by step.
func TestFindingsAtMapEdge(t *testing.T) {
	rows := func(end, step, se float64) (out []papers.Row) {
		for a := range 3 {
			for l := range 3 {
				z := -10 + step*float64(a)
				if l != 1 {
					z -= end
				}
				out = append(out, papers.Row{Point: papers.Point{Link: fmt.Sprintf("v=1&length=%.4f&amplitude=%.4f",
					math.Exp(float64(1+l)), math.Exp(float64(a)))}, N: 8, LogMeanExp: z, Mean: z, SE: se, EP: z, Corrected: z})
			}
		}
		return out
	}
	const length, amplitude = "In length the largest log Z", "In amplitude log Z rises"
	for _, c := range []struct {
		rows  []papers.Row
		about string
		want  papers.Answer
	}{
		{rows(3, .1, .1), length, papers.Agrees},
		{rows(.1, .1, .1), length, papers.Unseen},
		{rows(-3, .1, .1), length, papers.Contradicts},
		{rows(3, .1, .1), amplitude, papers.Agrees},
		{rows(3, 1, .1), amplitude, papers.Contradicts},
		{rows(3, .4, .1), amplitude, papers.Unseen},
	} {
		if got := papertest.Find(t, evidenceJudge(c.rows), c.about); got != c.want {
			t.Errorf("%s: got %v, want %v", c.about, got, c.want)
		}
	}
}

// Positions on the map that are read from links, rounded to 1/20, are those of the points.
func TestEvidencePositionsMatchLinks(t *testing.T) {
	points := evidencePoints(papers.Normal)
	if len(points) != 49 {
		t.Fatalf("%d places", len(points))
	}
	for i, p := range points {
		l, a := mapPosition(&papers.Row{Point: p})
		want := fmt.Sprintf("log length %.4g, log amplitude %.4g", l, a)
		if p.Step != want || p.Step != fmt.Sprintf("log length %.4g, log amplitude %d", 1.4+.6*float64(i%7), i/7) {
			t.Errorf("%s stands at %s", p.Step, want)
		}
	}
}
