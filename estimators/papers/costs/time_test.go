package costs

import (
	"slices"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
)

// The findings need exactly the series in claimed, which have more estimates than the others.
func TestFindingsUseClaimedSeries(t *testing.T) {
	var all []papers.Row
	for _, p := range timeToPoints(papers.Normal) {
		if !p.Reference {
			row := papertest.Rated(p.Panel, p.Series, 100, .1)[0]
			row.ESS = 90 // moves keep up
			all = append(all, row)
		}
	}
	findings := len(timeToJudge(all))
	for _, series := range papers.Distinct(all, func(r *papers.Row) string { return r.Series }) {
		others := slices.DeleteFunc(slices.Clone(all), func(r papers.Row) bool { return r.Series == series })
		if fewer := len(timeToJudge(others)) < findings; fewer != slices.Contains(claimed, series) {
			t.Errorf("%s: claimed %v, and findings need it: %v", series, !fewer, fewer)
		}
	}
}
