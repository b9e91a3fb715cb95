package page

import (
	"math/rand/v2"
	"slices"
	"testing"

	"logzlab/core/problem"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
)

// Whatever a worker sends, the controller stands: damaged results fail their method or
// cost a worker, and the next run is as good as ever.
func TestFromNeverPanics(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	want := native(t, smallLink)
	rounds := tier.Size(30, 60, 300)
	p := newPage(t, 2)
	for range rounds {
		p.controller.Open(smallLink)
		for range 1 + r.IntN(6) {
			p.turn(30)
			for id, l := range p.lanes {
				if l.r == nil || r.IntN(3) == 0 {
					continue
				}
				msg := slices.Concat(l.r.DoneMessage()...)
				if l.r.Unit.Peek != nil && r.IntN(2) == 0 {
					f, more := l.next()
					if !more {
						l.drop()
						continue
					}
					msg = l.r.PeekMessage(f)
				}
				if r.IntN(8) == 0 {
					msg = l.r.ErrorMessage(problem.New("row %d: %w", 1, problem.New("%s is not a number", "x")))
				}
				p.controller.ReceiveMessage(id, testmodels.Damage(r, msg))
			}
			p.show()
		}
	}
	p.controller.Open(smallLink)
	if got := p.finish(); got != want {
		t.Errorf("after all that: %s, want %s", got, want)
	}
}
