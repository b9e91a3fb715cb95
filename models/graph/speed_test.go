package graph

import (
	"testing"

	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
)

func BenchmarkGlass20(b *testing.B) {
	p, _ := FileOf(Glass(20, 20, 1, 1), nil)
	m, err := New(p, 1, "")
	if err != nil {
		b.Fatal(err)
	}
	ladder := []float64{0, .3, .6, 1}
	for _, rung := range []int{1, 2, 3} {
		for _, how := range []string{"spins", "rows"} {
			x := *m
			if how == "rows" {
				x.couplings, x.smallSums = nil, nil
			}
			pop := x.New(100, ladder)
			pop.Draw(rng.At{Key: rng.NewKey(1, "b", 0)})
			b.Run(how+string(rune('0'+rung)), func(b *testing.B) {
				for i := range b.N {
					pop.Move(rng.At{Key: rng.NewKey(1, "b", 0), Step: uint32(i)}, labtest.Rungs(100, rung), false)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/40000, "ns/site")
			})
		}
	}
}
