package rts

import (
	"testing"

	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
)

// trainedLine returns the rows of the checks of several runs. gap is the tracked log Z minus log Z by AIS; known has,
// for each check, the log-likelihood of each run by AIS, used for both validation and training.
func trainedLine(panel, name string, gap float64, known ...[]float64) (out []papers.Row) {
	for i, z := range known {
		r := papers.Row{Point: papers.Point{Panel: panel, Series: name, At: float64(i + 1)}, N: len(z), Estimates: z}
		more := trained{}
		for k, x := range z {
			r.Known += x / float64(len(z))
			more.Checks = append(more.Checks, checked{gap + float64(k%2)*.01, .05, x})
		}
		r.More = more
		out = append(out, r)
	}
	return out
}

// The findings of Fig5 agree, contradict or are undecided as the rows require.
func TestFindingsFig5(t *testing.T) {
	good, bad := []float64{-90, -90.1, -89.9}, []float64{-95, -95.2, -94.9}
	for _, c := range []struct {
		rows  []papers.Row
		about string
		want  papers.Answer
	}{
		{trainedLine("p", seriesTracked, .02, bad, good), "at every check", papers.Agrees},
		{trainedLine("p", seriesTracked, 2, bad, good), "at every check", papers.Contradicts},
		{trainedLine("p", seriesTracked, .25, bad, good), "at every check", papers.Unseen},
		{append(trainedLine("p", seriesTracked, 0, bad, good), trainedLine("p", seriesCD, 0, bad, bad)...),
			"as those of CD-1", papers.Agrees},
		{append(trainedLine("p", seriesTracked, 0, bad, bad), trainedLine("p", seriesPCD, 0, bad, good)...),
			"as those of PCD", papers.Contradicts},
		{append(trainedLine("p", seriesTracked, 0, bad, good), trainedLine("p", seriesPCD, 0, bad, good)...),
			"as those of PCD", papers.Agrees},
		{append(trainedLine("p", seriesTracked, 0, bad, good), trainedLine("p", seriesPCD, 0, bad,
			[]float64{-89.5, -90, -89.8})...), "as those of PCD", papers.Unseen},
		{trainedLine(panelFew, seriesTracked, 0, good, bad), "when to stop", papers.Agrees},
		{trainedLine(panelFew, seriesTracked, 0, bad, good), "when to stop", papers.Unseen}, // the likelihood does not fall
	} {
		if got := papertest.Find(t, fig5Judge(c.rows), c.about); got != c.want {
			t.Errorf("%s: got %v, want %v", c.about, got, c.want)
		}
	}
}
