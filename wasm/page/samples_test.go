package page

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/wasm/page/state"
)

// answer is the reader's, to the newest order.
func (p *fakePage) answer(a workerapi.ReportAnswer) (o workerapi.ReportRequest) {
	p.t.Helper()
	if len(p.Orders[workerapi.Reader]) == 0 {
		p.t.Fatal("nothing was ordered")
	}
	r := wire.Reader{B: p.Orders[workerapi.Reader][len(p.Orders[workerapi.Reader])-1]}
	r.Value(&o)
	if a.N = o.N; r.Err != nil || len(r.B) > 0 {
		p.t.Fatal(r.Err)
	}
	var w wire.Writer
	w.Value(a)
	p.controller.Answer(workerapi.Reader, w.B)
	p.controller.Tick()
	return o
}

// A report is shown with its progress, can be requested with other options and compared; errors are shown in the sheet.
func TestSamplesReport(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "#" + state.DefaultLink})
	drop := func(n int) { p.controller.Heads([]string{"a.csv"}, [][]byte{[]byte("power,loglik\n0,1")}, n) }
	drop(1)
	p.answer(workerapi.ReportAnswer{Busy: true, Doing: "a.csv", Share: .5})
	if s := p.part("sheet"); !strings.Contains(s, "Reading a.csv: 50 %") || !strings.Contains(s, "samples-cancel") ||
		p.controller.isIdle() {
		t.Errorf("progress is not shown: %s", s)
	}
	p.answer(workerapi.ReportAnswer{Body: "<article>one</article>", JSON: "{}", Said: "log Z = 1"})
	if s := p.part("sheet"); !strings.Contains(s, "<article>one</article>") || !strings.Contains(s, "samples-copy") {
		t.Errorf("the report is not shown: %s", s)
	}
	p.controller.Event(state.Event{Name: "samples-units", Value: "kJ/mol", N: 2})
	p.controller.Event(state.Event{Name: "samples-burn_in", Value: "10", N: 3})
	o := p.answer(workerapi.ReportAnswer{Body: "<article>two</article>"})
	if o.Read || o.Units != "kJ/mol" || len(o.Set) != 1 || o.Set[0] != "burn_in=10" || !p.ReusedWorker {
		t.Errorf("ordered %+v", o)
	}
	p.controller.Event(state.Event{Name: "samples-second", N: 4})
	drop(5)
	o = p.answer(workerapi.ReportAnswer{Err: problem.New("%s: there are no samples in it", "a.csv")})
	if s := p.part("sheet"); !o.Read || !o.Second || !p.ReusedWorker || !strings.Contains(s, "two</article>") ||
		!strings.Contains(s, "A.csv: there are no samples") && !strings.Contains(s, "a.csv: there are no samples") {
		t.Errorf("ordered %+v, shown %s", o, s)
	}
	drop(6) // still to compare with; a new choice afterwards
	p.answer(workerapi.ReportAnswer{Body: "<article>three</article>"})
	drop(7)
	if o = p.answer(workerapi.ReportAnswer{Body: "<article>four</article>"}); o.Second || p.ReusedWorker {
		t.Errorf("ordered %+v", o)
	}
	drop(8)
	p.controller.Event(state.Event{Name: "samples-cancel", N: 9})
	p.controller.Tick()
	if s := p.part("sheet"); p.Orders[workerapi.Reader][len(p.Orders[workerapi.Reader])-1] != nil || strings.Contains(s, "article") || !p.controller.isIdle() &&
		p.controller.imports.Busy {
		t.Errorf("it was not cancelled: %s", s)
	}
	p.controller.Event(state.Event{Name: "lost-external", Value: "memory", N: 10})
	p.controller.Tick()
	if s := p.part("sheet"); !strings.Contains(s, "memory") {
		t.Errorf("the end of the reader is not said: %s", s)
	}
}

// While samples are read, workers without work leave their memory to the reader; a run that goes on keeps its own, and
// the next run has as many as before.
func TestSamplesSpareWorkers(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(smallLink)
	drop := func(n int) { p.controller.Heads([]string{"a.csv"}, [][]byte{[]byte("power,loglik\n0,1")}, n) }
	p.until("it runs", p.controller.Active)
	drop(1)
	want := p.finish()
	if len(p.Killed) != 0 {
		t.Errorf("workers %v of a run ended", p.Killed)
	}
	drop(2)
	if len(p.Killed) != 2 || len(p.lanes) != 0 {
		t.Errorf("workers %v ended, %d are left", p.Killed, len(p.lanes))
	}
	p.controller.Event(state.Event{Name: "run", N: 3})
	if got := p.finish(); got != want || len(p.Spawned) != 4 {
		t.Errorf("hashes %s with %d workers started, want %s with 4", got, len(p.Spawned), want)
	}
}

// A link opens the sheet with an example in each language. The exact value is shown beside the report.
func TestSamplesExamples(t *testing.T) {
	for _, e := range state.SampleSets {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Link: "#view.samples=" + e.Name})
		p.until(e.Name, func() bool { return len(p.Orders[workerapi.Reader]) == 1 })
		o := p.answer(workerapi.ReportAnswer{Body: "<article></article>"})
		if len(o.Files) != len(e.Files) || len(o.Files[0].Data) == 0 || !strings.Contains(p.part("sheet"), "Exact: ") {
			t.Errorf("%s: %d files; %s", e.Name, len(o.Files), p.part("sheet"))
		}
		if p.controller.Event(state.Event{Name: "lang", Value: "de", N: 1}); e.Name == "nested" {
			p.until("German", func() bool { return p.controller.Words.Lang == "de" && len(p.Orders[workerapi.Reader]) == 2 })
			if o := p.answer(workerapi.ReportAnswer{Err: errors.New("no")}); o.Lang != "de" || len(o.Translations) == 0 {
				t.Errorf("ordered in %s", o.Lang)
			}
		}
		p.controller.Event(state.Event{Name: "sheet", N: 2})
		p.controller.Tick()
		if strings.Contains(p.view.Link, "samples") {
			t.Errorf("%s stays in the link %s", e.Name, p.view.Link)
		}
	}
}

// A page kept as one file has the reader inside where there is a report, and the files of an example; one without says
// what is missing.
func TestSamplesInOneFile(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/", Link: "#v=1&model=mixture2&method=is&is.particles=10"})
	p.finish()
	keep := func() string {
		p.controller.Event(state.Event{Name: "sheet", N: 1})
		p.controller.Event(state.Event{Name: "export", Value: "alone", N: 2})
		p.controller.Tick()
		return p.Downloads[len(p.Downloads)-1]
	}
	if got := keep(); strings.Contains(got, "court") || strings.Contains(got, "view.samples") {
		t.Errorf("without a report: %s", got)
	}
	p.controller.Event(state.Event{Name: "samples-example", Value: "nested", N: 3})
	p.until("an order", func() bool { return len(p.Orders[workerapi.Reader]) > 0 })
	p.answer(workerapi.ReportAnswer{Body: "<article>one</article>"})
	if got := keep(); !strings.Contains(got, `"programs":["external.wasm.gz"]`) || !strings.Contains(got,
		"view.samples=nested") ||
		len(p.Files["samples/nested.csv"]) == 0 {
		t.Errorf("with an example: %s, %d files", got, len(p.Files))
	}
	p.controller.Heads([]string{"a.csv"}, [][]byte{[]byte("power,loglik\n0,1")}, 4)
	p.answer(workerapi.ReportAnswer{Body: "<article>two</article>"})
	if got := keep(); !strings.Contains(got, "external.wasm.gz") || strings.Contains(got,
		"view.samples") || len(p.Files) > 0 {
		t.Errorf("with own files: %s, %d files", got, len(p.Files))
	}

	p = newPage(t, 1)
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/", SingleFile: true,
		Link: "#v=1&model=mixture2&method=is&is.particles=10"})
	p.finish()
	p.controller.Heads([]string{"a.csv"}, [][]byte{[]byte("power,loglik\n0,1")}, 1)
	p.controller.Event(state.Event{Name: "lost-external", Key: "load", Value: "file", N: 2})
	p.controller.Event(state.Event{Name: "lost-compiler", Key: "load", Value: "file", N: 3})
	p.controller.Tick()
	if got, want := fmt.Sprint(p.controller.imports.Err, p.controller.programs.Err),
		"this file was saved without the program that "+
			"reads samples; give them to the lab that it comes from (https://lab.example/)"; !strings.HasPrefix(got, want) ||
		!strings.Contains(got, "without the compiler") {
		t.Errorf("says %s", got)
	}
}
