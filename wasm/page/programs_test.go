package page

import (
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/runstate"
	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/models/stan"
	"logzlab/models/stan/lang"
	"logzlab/wasm/page/state"
)

const coinProgram = "data { int n; int k; }\nparameters { real<lower=0, upper=1> p; }\n" +
	"model { target += binomial_lpmf(k | n, p); }\n"

// compiles is the compiler's worker: it answers the newest order, and offers the tape as a file with the event n.
func (p *fakePage) compiles(n int, link string) {
	p.t.Helper()
	r := wire.Reader{B: p.Orders[workerapi.Compiler][len(p.Orders[workerapi.Compiler])-1]}
	var a workerapi.CompileAnswer
	if r.Value(&a.CompileRequest); a.Link != "" {
		a.Name, a.Source, a.Data = "coin", coinProgram, `{"n": 10, "k": 3}`
		if t, err := stan.Unpack(a.Link); err == nil {
			a.Name, a.Source, a.Data, link = t.Name, t.Source, t.Data, t.Pack()
		}
	}
	a.Link = link
	c, err := stan.Compile(a.Source, []byte(a.Data), nil)
	if err != nil {
		e := err.(*lang.Error)
		a.Err, a.Line, a.Column, a.Excerpt, a.Link = e.Err, e.Line, e.Column, e.Excerpt, ""
	}
	var w wire.Writer
	w.Value(a)
	p.controller.Answer(workerapi.Compiler, w.B)
	if err == nil {
		p.controller.File(a.Name+workerapi.TapeExtension, c.Tape.Bytes(), n)
	}
}

// Programs call meter.Pulse, whose watcher is global: these tests do not run in parallel.

// A program and its data, in any order, become a tape that runs; its link brings the program along, and an opened one
// compiles it.
func TestProgram(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: "#" + state.DefaultLink})
	p.turn(1)
	p.controller.File("d.json", []byte(`{"n": 10, "k": 3}`), 1)
	p.until("d.json is no model", func() bool { return p.controller.LastFileAnswered == 1 })
	p.controller.File("coin.stan", []byte(coinProgram), 2)
	p.compiles(3, "AbC_-")
	p.until("the tape", func() bool { return p.controller.UsesOwnFile() })
	hash := p.finish()
	link := p.view.Link
	if !strings.HasSuffix(link, "&view.program=AbC_-") || p.controller.Own.Name != "coin.tape" {
		t.Fatalf("the link is %s of %s", link, p.controller.Own.Name)
	}

	p.controller.Event(state.Event{Name: "export", Value: "draws", N: 4})
	p.until("the draws", func() bool { return len(p.Downloads) == 2 })
	if !strings.HasSuffix(p.Downloads[0], "-draws.csv") || !strings.Contains(p.Downloads[1], "\nlp__,p\n") {
		t.Errorf("the file %s has %.500s", p.Downloads[0], p.Downloads[1])
	}
	p.controller.Event(state.Event{Name: "sheet", Value: "export", N: 5})
	p.show()
	if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, `data-value="draws"`) {
		t.Errorf("the sheet offers no draws: %s", sheet)
	}

	again := newPage(t, 3)
	again.controller.Start(state.BrowserPage{Link: link})
	if again.turn(1); len(again.Orders[workerapi.Compiler]) != 1 {
		t.Fatal("an opened link compiles nothing")
	}
	again.compiles(1, "AbC_-")
	if got := again.finish(); got != hash || again.view.Link != link {
		t.Errorf("the link gave %s, not %s, and became %s", got, hash, again.view.Link)
	}

	// A compiler that makes another tape of it.
	other := strings.Replace(link, p.controller.Own.ID, modelfile.ID([]byte("another")), 1)
	again = newPage(t, 1)
	again.controller.Start(state.BrowserPage{Link: other})
	again.turn(1)
	again.compiles(1, "AbC_-")
	again.until("what is other", func() bool { return again.view.Message != nil })
	if a := again.view.Message.Action; a == nil || a.Event != "program-anyway" {
		t.Fatalf("the page says %+v", again.view.Message)
	}
	again.controller.Event(state.Event{Name: "program-anyway", N: 2})
	again.until("the tape", func() bool { return again.controller.UsesOwnFile() })
	if got := again.finish(); got != hash {
		t.Errorf("run anyway, it gives %s, not %s", got, hash)
	}
}

// An error is shown at its line in the editor; the text and the experiment stay.
func TestProgramError(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "#" + state.DefaultLink})
	p.turn(1)
	source := strings.Replace(coinProgram, "k | n", "z | n", 1)
	p.controller.Event(state.Event{Name: "sheet", Value: "program", N: 1})
	p.controller.Event(state.Event{Name: "program-source", Value: source, N: 2})
	p.controller.Event(state.Event{Name: "program-data", Value: `{"n": 10, "k": 3}`, N: 3})
	p.controller.Event(state.Event{Name: "compile", N: 4})
	p.compiles(5, "")
	p.turn(1)
	p.turn(1)
	sheet := string(p.parts["sheet"])
	for _, want := range []string{`class="bad">3<`, "line 3, column", "^", "z | n", `aria-invalid="true"`} {
		if !strings.Contains(strings.ToLower(sheet), strings.ToLower(want)) {
			t.Errorf("the editor does not show %q: %s", want, sheet)
		}
	}
	if p.controller.Spec.Link() != state.DefaultLink {
		t.Errorf("the experiment is now %s", p.controller.Spec.Link())
	}
}

// Every example is fetched with its data, and compiles.
func TestProgramExamples(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "#" + state.DefaultLink})
	for i, e := range state.Examples {
		p.controller.Event(state.Event{Name: "example", Value: e.Name, N: i + 1})
		p.until(e.Name, func() bool { return len(p.Orders[workerapi.Compiler]) > i })
		at := p.controller.programs
		c, err := stan.Read(at.Source)
		if err == nil {
			_, err = c.Compile([]byte(at.Data), nil)
		}
		if err != nil || strings.Count(at.Source, "\n") > 25 {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// The link of a comparison of two programs gives the same comparison elsewhere; one whose rival is too long names it.
func TestLinkOfTwoPrograms(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: "#" + state.DefaultLink})
	p.turn(1)
	text := stan.Text{Source: coinProgram, Data: `{"n": 10, "k": 3}`}
	sources := map[string]string{"flat": coinProgram,
		"peaked": strings.Replace(coinProgram, "model { ", "model { p ~ beta(30, 70); ", 1)}
	n := 0
	for _, name := range []string{"flat", "peaked"} {
		text.Name, text.Source = name, sources[name]
		p.controller.programs.Data = text.Data
		p.controller.File(name+".stan", []byte(text.Source), n+1)
		n += 2
		p.compiles(n, text.Pack())
		p.until(name, func() bool { return p.controller.Own.Name == name+".tape" && p.controller.State() == runstate.Done })
	}
	p.turn(1000)
	p.turn(1000) // the view of the end
	head := string(p.parts["r-head"])
	link := p.view.Link
	flat := stan.Text{Name: "flat", Source: sources["flat"], Data: text.Data}.Pack()
	if !strings.Contains(head, "Log Bayes factor against flat: ") || !strings.HasSuffix(link, "&view.rival="+flat) {
		t.Fatalf("the link is %s of %s", link, head)
	}

	again := newPage(t, 3)
	again.controller.Start(state.BrowserPage{Link: link + "&view.expect=" + p.controller.Results()[0].Hash})
	again.turn(1)
	again.compiles(1, "")
	again.until("the rival", func() bool { return len(again.Orders[workerapi.Compiler]) == 2 })
	again.compiles(2, "")
	again.until("the comparison", func() bool {
		return again.controller.Own.Name == "peaked.tape" && again.controller.State() == runstate.Done
	})
	again.turn(1000)
	again.turn(1000) // the view of the end
	if got := string(again.parts["r-head"]); got != head {
		t.Errorf("the link shows\n%s\nnot\n%s", got, head)
	}
	if got := strings.Replace(again.view.Link, "&view.expect="+p.controller.Results()[0].Hash, "", 1); got != link {
		t.Errorf("the link became %s", got)
	}

	again = newPage(t, 2)
	again.controller.Start(state.BrowserPage{Link: link[:strings.Index(link, "&view.rival=")] + "&view.rival=file:0123456789ab"})
	again.turn(1)
	again.compiles(1, "")
	again.finish()
	again.turn(1000)
	if got := string(again.parts["r-head"]); !strings.Contains(got, "the program file:0123456789ab, which is too long") {
		t.Errorf("a rival that is not there: %s", got)
	}
}

// A program is compared with the last other one on the same data, whether a link or the editor brought it, also after
// the seed has changed; with one of the examples by one click.
func TestProgramBayes(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: "#" + state.DefaultLink})
	p.turn(1)
	n := 0
	head := func(name, prior string) string {
		n++
		source := strings.Replace(coinProgram, "model { ", "model { "+prior, 1)
		p.controller.File("d.json", []byte(`{"n": 10, "k": 3}`), n)
		p.until("the data", func() bool { return p.controller.LastFileAnswered == n })
		n++
		p.controller.File(name+".stan", []byte(source), n)
		n++
		p.compiles(n, "AbC_-")
		p.until(name, func() bool { return p.controller.Own.Name == name+".tape" && p.controller.State() == runstate.Done })
		p.show()
		return string(p.parts["r-head"])
	}
	if got := head("flat", ""); !strings.Contains(got, `data-event="sheet" data-value="program"`) ||
		strings.Contains(got, "Bayes") {
		t.Errorf("one program: %s", got)
	}
	if got := head("peaked", "p ~ beta(30, 70); "); !strings.Contains(got, "Log Bayes factor against flat: ") ||
		!strings.Contains(got, "under peaked as under flat") || strings.Contains(got, `data-value="program"`) {
		t.Errorf("two programs: %s", got)
	}
	p.controller.Event(state.Event{Name: "new-seed", N: n + 1})
	p.until("another seed", func() bool { return p.controller.State() == runstate.Done })
	p.show()
	if got := string(p.parts["r-head"]); !strings.Contains(got, "Log Bayes factor against flat: ") {
		t.Errorf("another seed: %s", got)
	}
	p.controller.Open(fewPoints)
	p.finish()
	p.controller.programs.Example = "line"
	if got := head("flat", ""); !strings.Contains(got, "Log Bayes factor against peaked: ") {
		t.Errorf("after another model: %s", got)
	}
}
