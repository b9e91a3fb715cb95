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

// A slow computer on a slow network connection, and the time limit for its first number.
const (
	lineBytes   = 10e6 / 8 // a second
	lineDelay   = 40 * time.Millisecond
	slowness    = 4   // times as slow as this computer
	arrivalGoal = 4.5 // seconds
)

// BenchmarkArrival loads the lab without any cache, each time in a new Chromium process. It reports the shortest times
// from navigation to the first number in #results, to the first movement of the picture, and to the first movement of
// the start page (the hero). It takes the minimum because other programs can only make a time longer.
//
// The network and CPU limits apply to the page and all its workers together. The DevTools protocol cannot do this: it
// throttles the network of each target separately and slows down main threads only. Here the server divides one
// connection among all responses, and the processes of the page and its workers are stopped three quarters of the time.
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

// arrival holds the times of the downloaded program, the first number and the first movement, in seconds from
// navigation, and the average number of processors that other programs used in the meantime.
type arrival struct{ program, first, moved, others float64 }

func (a arrival) String() string {
	return fmt.Sprintf("number %.2f s, movement %.2f s (program: %.2f s; other programs: %.2f processors)", a.first,
		a.moved, a.program, a.others)
}

// arrive loads the lab once.
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

// newcomer opens a tab in a new browser profile, behind the slow connection.
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

// arriveHero loads the start page once and returns the time of its first movement, in seconds from navigation.
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

// line is a handler whose responses share one slow connection.
type line struct {
	inner http.Handler
	mu    sync.Mutex
	free  time.Time // when all data sent so far has arrived
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	time.Sleep(lineDelay)
	l.inner.ServeHTTP(&lineWriter{w, l}, r)
}

// lineWriter writes at the speed of the connection.
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

// ReadFrom makes io.Copy use Write.
func (w *lineWriter) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{w}, r)
}

func (w *lineWriter) Flush() { w.ResponseWriter.(http.Flusher).Flush() }

// wait returns when the connection has transferred the given number of bytes. A delay of up to 20 ms in waking up is
// made up by the next call.
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

// slowDown lets the browser's renderer processes run only 1/slowness of the time, until the returned function is
// called.
func slowDown(b *tab) (stop func()) {
	const turn = 20 * time.Millisecond
	ctx, cancel := context.WithCancel(b.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var held []int
		signal := func(s syscall.Signal) {
			for _, id := range held {
				syscall.Kill(id, s) // an error means that the process has ended
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

// renderers returns the ids of the browser's renderer processes, which run the pages and their workers.
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
