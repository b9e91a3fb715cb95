package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num/stats"
	"logzlab/wasm/page/state"
)

// The weights behind the number of ais are shown with both means; a button changes which of them is told; other methods
// have none.
func TestWeights(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("v=1&model=mixture2&method=ais&ais.chains=40&ais.temperatures=8")
	p.finish()
	r := p.controller.Snapshot().Shown()
	if w := stats.LogWeights(r.LogWeights); math.Abs(w.LogMean-float64(r.LogZ)) > 1e-12 || len(r.LogWeights) != 40 {
		t.Errorf("%d weights with log mean %v, log Z is %v", len(r.LogWeights), w.LogMean, r.LogZ)
	}
	shown := func() string {
		_, weights, _ := strings.Cut(p.part("r-checks"), `<div class="weights"`)
		return weights
	}
	if s := shown(); !strings.Contains(s, "40 log weights") || !strings.Contains(s, "the estimate") {
		t.Errorf("the weights are %s", s)
	}
	p.controller.Event(state.Event{Name: "weights", Value: "logs"})
	if s := shown(); !strings.Contains(s, "It is too low") || strings.Count(s, `class="needle on"`) != 1 {
		t.Errorf("the weights are %s", s)
	}
	for _, link := range []string{"method=rts&rts.chains=10&rts.sweeps=50&rts.init_rounds=1",
		"method=is", "method=ais&ais.chains=30&ais.temperatures=5&replicates=2"} {
		p.controller.Open("v=1&model=mixture2&" + link)
		p.finish()
		if s := shown(); s != "" {
			t.Errorf("%s has weights: %s", link, s)
		}
	}
}
