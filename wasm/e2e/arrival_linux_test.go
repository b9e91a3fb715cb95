package e2e

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"

	"logzlab/core/cpu"
)

// A slow device on a slow line, and how soon it is to show a number.
const (
	lineBytes   = 10e6 / 8 // a second
	lineDelay   = 40 * time.Millisecond
	slowness    = 4   // times as slow as this machine
	arrivalGoal = 4.5 // seconds
)

// BenchmarkArrival loads the lab cold, each time in a Chromium of its own. It gives the least times from navigation to
// the first number in #results and to the first movement in the picture, and of the hero to its first movement: what
// else the machine does can only make a time longer.
//
// The line and the slowness hold for all that takes part. The devtools protocol throttles the
// network of each target by itself, as if each worker had a line of its own, and slows down
// main threads only; here the server shares out one line among all answers, and the
// processes that hold the page and its workers are stopped three quarters of the time.
func BenchmarkArrival(b *testing.B) {
	first, moved, hero := math.Inf(1), math.Inf(1), math.Inf(1)
	for range b.N {
		a := arrive(b)
		hero = min(hero, arriveHero(b))
		first, moved = min(first, a.first), min(moved, a.moved)
		b.Log(a)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(first, "s/number")
	b.ReportMetric(moved, "s/movement")
	b.ReportMetric(hero, "s/hero")
	b.ReportMetric(arrivalGoal, "s/goal")
}

// arrival is when the program, the first number and the first movement had come, in seconds from navigation,
// and how many processors other programs used meanwhile.
type arrival struct{ program, first, moved, others float64 }

func (a arrival) String() string {
	return fmt.Sprintf("number %.2f s, movement %.2f s (program: %.2f s; other programs: %.2f processors)", a.first,
		a.moved, a.program, a.others)
}

// arrive loads the default page once.
func arrive(t testing.TB) arrival {
	t.Helper()
	b := newcomer(t, counter)
	was, mine, from := b.cost(), cpu.Seconds(), time.Now()
	stop := slowDown(b)
	b.visit("#lab")
	b.until(`spy.first`)
	moved := b.moved()
	stop()
	is, took := b.cost(), time.Since(from).Seconds()
	defer b.do(chromedp.Navigate("about:blank"))
	const program = `performance.getEntriesByType('resource').find((e) => e.name.endsWith('logz.wasm.gz')).responseEnd`
	return arrival{
		program: eval[float64](b, program) / 1000,
		first:   eval[float64](b, `spy.first.ms`) / 1000,
		moved:   moved,
		others:  max(is.others-was.others-(cpu.Seconds()-mine), 0) / took,
	}
}

// newcomer is a tab of a browser that has never seen the site, behind the line.
func newcomer(t testing.TB, script string) *tab {
	t.Helper()
	in := withBrowser(t, chromedp.Flag("disable-quic", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true))
	s := serve(t)
	s.browser = in
	s.Config.Handler = &line{inner: s.Config.Handler}
	b := open(t, s, script)
	b.do(chromedp.Navigate("about:blank"))
	return b
}

// arriveHero loads the hero once, and returns when it first moved, in seconds from navigation.
func arriveHero(t testing.TB) float64 {
	t.Helper()
	b := newcomer(t, heroWatch)
	stop := slowDown(b)
	b.visit("")
	b.until(`seen.moved > 0`)
	stop()
	defer b.do(chromedp.Navigate("about:blank"))
	return eval[float64](b, `seen.moved`) / 1000
}

// line is a server behind one line that all its answers share.
type line struct {
	inner http.Handler
	mu    sync.Mutex
	free  time.Time // when what was sent has arrived
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	time.Sleep(lineDelay)
	l.inner.ServeHTTP(&lineWriter{w, l}, r)
}

// lineWriter sends as fast as the line goes.
type lineWriter struct {
	http.ResponseWriter
	line *line
}

func (w *lineWriter) Write(data []byte) (n int, err error) {
	for part := range slices.Chunk(data, 4096) {
		w.line.wait(len(part))
		k, err := w.ResponseWriter.Write(part)
		n += k
		if err != nil {
			return n, err
		}
		w.Flush()
	}
	return n, nil
}

// ReadFrom keeps io.Copy from going past Write.
func (w *lineWriter) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{w}, r)
}

func (w *lineWriter) Flush() { w.ResponseWriter.(http.Flusher).Flush() }

// wait returns when so many bytes have gone through the line. Who wakes up a little late
// may catch up.
func (l *line) wait(bytes int) {
	l.mu.Lock()
	if now := time.Now(); now.Sub(l.free) > 20*time.Millisecond {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(float64(bytes) / lineBytes * float64(time.Second)))
	until := l.free
	l.mu.Unlock()
	time.Sleep(time.Until(until))
}

// slowDown makes the processes that hold pages and workers of the browser run one part of
// the time only, until the returned function is called.
func slowDown(b *tab) (stop func()) {
	const turn = 20 * time.Millisecond
	ctx, cancel := context.WithCancel(b.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var held []int
		signal := func(s syscall.Signal) {
			for _, id := range held {
				syscall.Kill(id, s) // it may have ended
			}
		}
		for n := 0; ctx.Err() == nil; n++ {
			if n%5 == 0 {
				if ids, err := renderers(ctx); err == nil {
					held = ids
				}
			}
			signal(syscall.SIGSTOP)
			time.Sleep(turn - turn/slowness)
			signal(syscall.SIGCONT)
			time.Sleep(turn / slowness)
		}
	}()
	return func() { cancel(); <-ended }
}

// renderers are the processes of the browser that hold pages and workers.
func renderers(ctx context.Context) (ids []int, err error) {
	all, err := chromedp.CallBrowser(ctx, systeminfo.GetProcessInfo, struct{}{})
	if err != nil {
		return nil, err
	}
	for _, p := range all.ProcessInfo {
		if p.Type == "renderer" {
			ids = append(ids, int(p.ID))
		}
	}
	return ids, nil
}
