package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// task is one task of a main thread: its start, its duration, and its processor time, in ms.
type task struct{ Start, Took, Ran float64 }

// tasks calls a function and returns the tasks that the main threads of pages execute in the meantime, sorted by
// decreasing processor time.
func (b *tab) tasks(meanwhile func()) []task {
	b.t.Helper()
	ctx, cancel := guarded(b.ctx)
	defer cancel()
	done := make(chan struct{})
	type event struct {
		Name          string
		Pid, Tid      int
		Ph            string
		TS, Dur, Tdur float64
		Args          struct{ Name string }
	}
	var all []event
	if err := chromedp.Listen(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *tracing.EventDataCollected:
			for _, v := range ev.Value {
				var e event
				if json.Unmarshal(v, &e) == nil {
					all = append(all, e)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	}); err != nil {
		b.t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
		IncludedCategories: []string{"disabled-by-default-devtools.timeline", "__metadata"},
		ExcludedCategories: []string{"*"}}}); err != nil {
		b.t.Fatal(err)
	}
	meanwhile()
	if _, err := chromedp.Call(ctx, tracing.End, struct{}{}); err != nil {
		b.t.Fatal(err)
	}
	select {
	case <-done:
	case <-ctx.Done():
		b.t.Fatal("no TracingComplete event")
	}
	main := map[[2]int]bool{}
	for _, e := range all {
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[[2]int{e.Pid, e.Tid}] = true
		}
	}
	var out []task
	for _, e := range all {
		if e.Name == "RunTask" && main[[2]int{e.Pid, e.Tid}] {
			out = append(out, task{e.TS / 1000, e.Dur / 1000, e.Tdur / 1000})
		}
	}
	slices.SortFunc(out, func(x, y task) int { return int(1e6 * (y.Ran - x.Ran)) })
	return out
}

// TestLongTasks opens every part of the page during a run. No task of the main thread takes more than 100 ms of
// processor time, which does not depend on other programs. The longest measured task took 25 ms; a loop of 2e8 square
// roots in opening the help took 1153 ms.
func TestLongTasks(t *testing.T) {
	tier.Release(t)
	b := open(t, serve(t))
	b.size(1280, 800)
	b.visit("?workers=1" + long)
	b.until(`document.querySelector('#veil').hidden`)
	b.running()
	all := b.tasks(func() {
		for range 2 {
			for _, selector := range []string{"[data-scene=ladder]", "[data-scene=trace]", "[data-scene=units]",
				"[data-value=dark]", "[data-value=light]", ".advanced",
				"#share", ".table-link", "[data-value=help]", "[data-value=export]", "[data-value=projector]", "#leave", "#pause",
				"#step", "#run", "#new-seed"} {
				eval[bool](b, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, selector))
				time.Sleep(250 * time.Millisecond)
				b.press("Escape")
			}
			for _, size := range [][2]int64{{390, 844}, {768, 1024}, {1280, 800}} {
				b.size(size[0], size[1])
				time.Sleep(300 * time.Millisecond)
			}
		}
	})
	if len(all) < 100 {
		t.Fatalf("%d tasks recorded, want at least 100", len(all))
	}
	t.Logf("%d tasks, the longest: %.1f", len(all), all[:6])
	if all[0].Ran > 100 {
		t.Errorf("the longest task took %.0f ms of processor time, want at most 100", all[0].Ran)
	}
}
