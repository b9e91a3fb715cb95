package programs_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/estimators/report"
	"logzlab/internal/pagetest"
	"logzlab/models/stan/program"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/programs"
	"logzlab/wasm/page/state"
)

// at is the part, with a way to send it events.
func at(l *pagetest.Lab) (p *programs.Programs, send func(name, value string)) {
	made := programs.New(&l.Context, l.Facts())
	events := made.Events()
	return &made, func(name, value string) { events[name](state.Event{Name: name, Value: value}) }
}

// ordered is the newest order to the compiler, the n-th in all.
func ordered(t *testing.T, l *pagetest.Lab, n int) (o workerapi.CompileRequest) {
	t.Helper()
	all := l.Host.Orders[workerapi.Compiler]
	if len(all) != n {
		t.Fatalf("%d orders, want %d", len(all), n)
	}
	(&wire.Reader{B: all[n-1]}).Value(&o)
	return o
}

// answer is one of the compiler's.
func answer(a workerapi.CompileAnswer) []byte {
	var w wire.Writer
	w.Value(a)
	return w.B
}

// A program and its data are compiled, from the editor and from files that come in any order; its tape is known by its
// name when it comes, with the link that stands for it. An answer to an older order says nothing.
func TestCompile(t *testing.T) {
	l := pagetest.New(t, 1)
	p, send := at(l)
	send("program-source", "model {}")
	send("program-data", `{"n": 1}`)
	send("compile", "")
	o := ordered(t, l, 1)
	if o.Source != "model {}" || o.Data != `{"n": 1}` || o.Name != "program" || !p.Pending() {
		t.Errorf("ordered %+v, awaited %v", o, p.Pending())
	}

	// Files, the data first.
	if p.TakeFile("d.json", []byte(`{"n": 2}`)) {
		t.Error("data are claimed before their program, and while its editor is closed")
	}
	if !p.TakeFile(`C:\mine\coin.stan`, []byte("parameters { real x; }")) {
		t.Fatal("a program is not claimed")
	}
	if p.TakeFile("w.npz", []byte("PK")) {
		t.Error("a model is claimed")
	}
	o = ordered(t, l, 2)
	if o.Name != "coin" || o.Source != "parameters { real x; }" || !strings.Contains(o.Data, "2") {
		t.Errorf("ordered %+v", o)
	}
	p.TakeAnswer(answer(workerapi.CompileAnswer{CompileRequest: workerapi.CompileRequest{N: 1, Name: "old"}, Err: errors.New("old")}))
	if p.Err != nil || !p.Busy {
		t.Errorf("the answer to an older order says %v", p.Err)
	}

	// The tape.
	p.TakeAnswer(answer(workerapi.CompileAnswer{CompileRequest: workerapi.CompileRequest{N: o.N, Name: "coin", Source: o.Source, Link: "AbC"},
		Parameters: []string{"x"}}))
	data := []byte("a tape")
	id := modelfile.ID(data)
	if p.NoteTape("other.tape", data); p.Busy || !p.Pending() || p.IsLastTape(id) {
		t.Errorf("busy %v, awaited %v, made by another file %v", p.Busy, p.Pending(), p.IsLastTape(id))
	}
	if p.NoteTape("coin.tape", data); p.Pending() || !p.IsLastTape(id) || p.PackedProgram(id) != "AbC" || p.PackedProgram("x") != "" {
		t.Errorf("awaited %v, made %v, link %q", p.Pending(), p.IsLastTape(id), p.PackedProgram(id))
	}
	if asked := l.Effects(); asked != nil {
		t.Errorf("asked for %v", asked)
	}
}

// What is wrong stands where the program does, but not over a check of the browser; a run that waits for the tape
// fails.
func TestNotCompiled(t *testing.T) {
	for _, x := range []struct {
		name            string
		waits, checking bool
		sheet           string
		asked           int
	}{{"from the editor", false, false, "program", 0}, {"of a link", true, false, "program", 1}, {"in a check", true, true, "", 1}} {
		l := pagetest.New(t, 1)
		l.Choose("v=1&model=file:0123456789ab&method=ais")
		p, send := at(l)
		send("program-source", "nonsense")
		send("compile", "")
		if x.waits {
			l.Run.Load()
		}
		if x.checking {
			l.Others.Check = state.Check{Total: 2, Done: 1}
		}
		p.TakeAnswer(answer(workerapi.CompileAnswer{CompileRequest: workerapi.CompileRequest{N: ordered(t, l, 1).N}, Err: errors.New("line 1"), Line: 1}))
		asked := l.Effects()
		if p.Err == nil || p.Line != 1 || l.Context.Panels.Sheet != x.sheet || len(asked) != x.asked {
			t.Errorf("%s: error %v in line %d, sheet %q, asked for %v", x.name, p.Err, p.Line, l.Context.Panels.Sheet, asked)
		}
		for _, e := range asked {
			if f, ok := e.(effect.Fail); !ok || f.Err == nil {
				t.Errorf("%s: asked for %v", x.name, e)
			}
		}
	}
}

// An example program is fetched with its data. If a file cannot be fetched, the page shows a message.
func TestExample(t *testing.T) {
	l := pagetest.New(t, 1)
	p, send := at(l)
	if send("example", "nothing"); len(l.Host.Fetches) > 0 {
		t.Error("an example that does not exist is fetched")
	}
	send("example", "coin")
	l.Host.Answer("programs/coin.stan", []byte("source"), nil)
	l.Host.Answer("programs/coin.json", []byte("{}"), nil)
	if o := ordered(t, l, 1); o.Name != "coin" || o.Source != "source" || o.Data != "{}" || l.Context.Panels.Sheet != "program" {
		t.Errorf("ordered %+v, sheet %q", o, l.Context.Panels.Sheet)
	}
	send("example", "line")
	send("example", "density") // before the other has come
	if l.Host.Answer("programs/line.stan", []byte("late"), nil); len(l.Host.Orders[workerapi.Compiler]) != 1 {
		t.Error("an example that was left is compiled")
	}
	l.Host.Answer("programs/density.stan", nil, errors.New("404"))
	if p.Err == nil || p.Busy {
		t.Errorf("error %v, busy %v", p.Err, p.Busy)
	}
}

// The rival that a link brings along is compiled and run first, then the link is opened. Whoever does something else
// meanwhile is left alone.
func TestRival(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		l := pagetest.New(t, 1)
		p, _ := at(l)
		l.Choose("v=1&model=file:0123456789ab&method=ais")
		if l.Context.Settings = (state.Settings{}); p.CompileRival() || p.CompileLinked() {
			t.Error("a link without programs has a rival")
		}
		l.Context.Settings = state.Settings{Program: "One", Rival: "Two"}
		link := l.Loader.Spec.Link() + l.Context.Settings.Link()
		if !p.CompileRival() || ordered(t, l, 1).Link != "Two" {
			t.Fatal("the rival is not compiled")
		}
		l.Run.Load()
		p.AfterRival()
		p.TakeAnswer(answer(workerapi.CompileAnswer{CompileRequest: workerapi.CompileRequest{N: ordered(t, l, 1).N, Name: "two", Link: "Two"}}))
		data := []byte("tape two")
		id := modelfile.ID(data)
		if p.NoteTape("two.tape", data); !p.TakeRival(id) || p.TakeRival(id) {
			t.Fatal("its tape is not taken, or twice")
		}
		l.Choose("v=1&model=" + id + "&method=ais")
		if p.AfterRival(); l.Effects() != nil {
			t.Error("the link is opened before its rival has run")
		}
		if leaves {
			l.Choose("v=1&model=mixture2&method=ais")
		}
		l.Run.Fail() // its numbers do not matter here
		p.AfterRival()
		want := []effect.Effect{effect.OpenLink{Link: link}}
		if leaves {
			want = nil
		}
		if asked := l.Effects(); !reflect.DeepEqual(asked, want) {
			t.Errorf("left %v: asked for %v, want %v", leaves, asked, want)
		}
	}
}

// If a program compiles to another tape than its link expects, the page says so and offers to run the other tape.
func TestDiffers(t *testing.T) {
	l := pagetest.New(t, 1)
	p, send := at(l)
	s := l.Choose("v=1&model=file:0123456789ab&method=ais")
	l.Context.Settings.Program = "One"
	if !p.CompileLinked() {
		t.Fatal("the program of the link is not compiled")
	}
	p.TakeAnswer(answer(workerapi.CompileAnswer{CompileRequest: workerapi.CompileRequest{N: ordered(t, l, 1).N, Name: "one", Link: "One"}}))
	data := []byte("another tape")
	p.NoteTape("one.tape", data)
	l.Context.LastFile = state.File{Name: "one.tape", Data: data, N: 3}
	if !p.OfferOtherTape("one.tape", modelfile.ID(data)) || l.Context.Problem == nil || p.OfferOtherTape("one.tape", "file:abc") {
		t.Fatalf("the page says %+v", l.Context.Problem)
	}
	send(l.Context.Problem.Action.Event, "")
	want := []effect.Effect{effect.ReadModel{File: state.File{Name: "one.tape", Data: data, N: 3}}}
	if asked := l.Effects(); !p.UserAccepted(s.Model) || !reflect.DeepEqual(asked, want) {
		t.Errorf("agreed %v, asked for %v", p.UserAccepted(s.Model), asked)
	}
}

// The results of the last two programs are kept for comparison.
func TestKeep(t *testing.T) {
	l := pagetest.New(t, 1)
	p, _ := at(l)
	result := func(target, kind, data string) state.Previous {
		r := &report.Report{}
		r.Kind, r.DataID = kind, data
		return state.Previous{Target: target, Reports: []*report.Report{r}}
	}
	p.StoreResults(result("a", program.Kind.Name, "d"))
	p.StoreResults(result("a", program.Kind.Name, "d")) // again, with another seed
	p.StoreResults(result("m", "rbm", "d"))
	p.StoreResults(result("n", program.Kind.Name, ""))
	if p.LastResults.Target != "a" || p.OlderResults.Target != "" {
		t.Errorf("last %q, before %q", p.LastResults.Target, p.OlderResults.Target)
	}
	if p.StoreResults(result("b", program.Kind.Name, "d")); p.LastResults.Target != "b" || p.OlderResults.Target != "a" {
		t.Errorf("last %q, before %q", p.LastResults.Target, p.OlderResults.Target)
	}
}
