package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"logzlab/internal/tier"
)

// TestTwoWorkers checks that two workers compute the same result at least 1.8 times as fast as one, if two processors
// are free and no picture is painted. It takes a minute.
func TestTwoWorkers(t *testing.T) {
	tier.Release(t)
	s := serve(t)
	s.refuse = "canvas.wasm.gz"
	b := open(t, s)
	b.expectErrors("404", "canvas.wasm")
	seconds, hashes := map[int][]float64{}, map[string]bool{}
	var others, running float64 // measured while a page runs, because the browser no longer counts ended processes
	for range 5 {
		for _, n := range []int{1, 2} {
			b.visit(fmt.Sprintf("?workers=%d#v=1&model=rbm-cd25-500&method=ais&ais.temperatures=1500", n))
			start, was := time.Now(), b.cost()
			b.wait(allDone)
			others += b.cost().others - was.others
			running += time.Since(start).Seconds()
			seconds[n] = append(seconds[n], eval[float64](b,
				`Number(document.querySelector('#results td[data-field=seconds]').dataset.value)`))
			hashes[eval[string](b, `document.querySelector('#results td[data-field=hash]').dataset.value`)] = true
		}
	}
	slices.Sort(seconds[1])
	slices.Sort(seconds[2])
	ratio := seconds[1][2] / seconds[2][2]
	others /= running
	t.Logf("one worker %.2f s, two %.2f s, medians of 5: %.2f times as fast; other programs used %.2f processors",
		seconds[1], seconds[2], ratio, others)
	if len(hashes) != 1 {
		t.Errorf("hashes %v, want the same one for all runs", hashes)
	}
	if ratio < 1.8 && others > .1 {
		t.Skipf("the computer is busy: other programs use %.2f processors", others)
	}
	if ratio < 1.8 {
		t.Errorf("two workers are %.2f times as fast as one, want at least 1.8", ratio)
	}
}

// wait is a variant of until for speed tests: the page itself evaluates the expression, four times a second. Fifty
// evaluations a second from outside take 3 % of a processor.
func (b *tab) wait(expression string) {
	b.t.Helper()
	for start := quietTime(); !eval[bool](b, `new Promise((tell) => {
		const until = performance.now() + 10000;
		const look = () => `+expression+` ? tell(true) : performance.now() > until ? tell(false) : setTimeout(look, 250);
		look();
	})`); {
		if quietTime()-start > guard {
			b.t.Fatalf("still not true after %v: %s\nText of the page:\n%s", guard, expression, eval[string](b, pageText))
		}
	}
}
