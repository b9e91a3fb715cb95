package imports_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/internal/pagetest"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/imports"
	"logzlab/wasm/page/state"
)

// samples begin a file that the reader knows.
var samples = []byte("power,loglik\n0,-1")

// at is the part, with a way to send it events.
func at(t *testing.T, workers int) (*imports.Importer, *pagetest.Lab, func(name, value string)) {
	l := pagetest.New(t, workers)
	r := imports.New(&l.Context, l.Facts())
	events := r.Events()
	return &r, l, func(name, value string) { events[name](state.Event{Name: name, Value: value}) }
}

// ordered is the newest order to the reader, the n-th in all.
func ordered(t *testing.T, l *pagetest.Lab, n int) (o workerapi.ReportRequest) {
	t.Helper()
	all := l.Host.Orders[workerapi.Reader]
	if len(all) != n {
		t.Fatalf("%d orders, want %d", len(all), n)
	}
	(&wire.Reader{B: all[n-1]}).Value(&o)
	return o
}

func answer(a workerapi.ReportAnswer) []byte {
	var w wire.Writer
	w.Value(a)
	return w.B
}

// Files go to their readers by how they begin; rows of data, models and programs go where they went before.
func TestSorted(t *testing.T) {
	for _, c := range []struct {
		sheet string
		heads string
		want  string
	}{
		{"", "power,loglik\n0,-1", "[0]"},
		{"", "1,0,1\n0,1,1|state\tpower\tlikelihood\n|{\"W\": []}", "[1]"},
		{"", "@ subtitle \"T = 300 (K)\"|BZh91AY", "[0 1]"},
		{"", "x,y,lnl\n1,2,3", "[]"},
		{"", "beta,y\n1,2", "[]"},
		{"", "\x93NUMPY\x01|\x93NUMPY\x01", "[0 1]"},
		{"", "\x93NUMPY\x01|\x93NUMPY\x01|\x93NUMPY\x01", "[]"},
		{"", "PK\x03\x04W.npy", "[]"},
		{"", "PK\x03\x04u_kn.npy", "[0]"},
		{"samples", "1 2 3\n", "[0]"},
		{"train", "power,loglik\n0,-1", "[]"},
	} {
		r, l, _ := at(t, 1)
		l.Context.Panels.Sheet = c.sheet
		var heads [][]byte
		for _, h := range strings.Split(c.heads, "|") {
			heads = append(heads, []byte(h))
		}
		r.TakeHeads(make([]string, len(heads)), heads, 4)
		if got := fmt.Sprint(l.Host.SampleIndices[0]); got != c.want {
			t.Errorf("%q: %s are samples, want %s", c.heads, got, c.want)
		}
		ordered := len(l.Host.Orders[workerapi.Reader]) > 0
		if ours := c.want != "[]"; ordered != ours || ours && l.Context.Panels.Sheet != "samples" || l.Context.Repaint.LastEvent != 4 {
			t.Errorf("%q: ordered %v, sheet %q", c.heads, ordered, l.Context.Panels.Sheet)
		}
	}
}

// Idle workers make way for samples, unless a run goes on; the hero gives way to the lab.
func TestMakesWay(t *testing.T) {
	for _, runs := range []bool{false, true} {
		r, l, _ := at(t, 2)
		if runs {
			l.Choose("v=1&model=mixture2&method=is&is.particles=10")
			l.Begin()
		}
		l.Others.Hero.Shown = !runs
		r.TakeHeads([]string{"a.log"}, [][]byte{samples}, 1)
		want := []effect.Effect{effect.OpenLink{Link: state.DefaultLink}}
		if runs {
			want = nil
		}
		if got := l.Effects(); !reflect.DeepEqual(got, want) || (len(l.Host.Killed) == 2) == runs {
			t.Errorf("runs %v: asked for %v, workers %v ended", runs, got, l.Host.Killed)
		}
	}
}

// A report comes with how far it is, is said once, and is made again in another way, with the files that are there;
// answers to older orders say nothing. An error leaves the report before.
func TestReport(t *testing.T) {
	r, l, send := at(t, 1)
	r.TakeHeads([]string{"a.log"}, [][]byte{samples}, 1)
	n := ordered(t, l, 1).N
	r.TakeAnswer(answer(workerapi.ReportAnswer{N: n - 1, Body: "old"}))
	r.TakeAnswer(answer(workerapi.ReportAnswer{N: n, Busy: true, Doing: "a.log", Share: .5}))
	if r.Body != "" || !r.Busy || r.Share != .5 || l.Host.ReusedWorker {
		t.Errorf("busy %v, share %v, body %q", r.Busy, r.Share, r.Body)
	}
	r.TakeAnswer(answer(workerapi.ReportAnswer{N: n, Body: "<p>", JSON: "{}", Said: "log Z is 1."}))
	if got := l.Effects(); !reflect.DeepEqual(got, []effect.Effect{effect.SetSummary{Text: "log Z is 1."}}) || r.Busy {
		t.Errorf("asked for %v, busy %v", got, r.Busy)
	}
	send("samples-rule", " x ")
	if o := ordered(t, l, 2); o.Read || !slices.Equal(o.Set, []string{"rule=x"}) || !l.Host.ReusedWorker {
		t.Errorf("in another way: %+v, goes on %v", o, l.Host.ReusedWorker)
	}
	r.TakeAnswer(answer(workerapi.ReportAnswer{N: ordered(t, l, 2).N, Err: errors.New("no rule")}))
	if r.Err == nil || r.Body != "<p>" {
		t.Errorf("error %v, body %q", r.Err, r.Body)
	}
	if send("samples-copy", ""); l.Host.Copied != "{}" {
		t.Errorf("copied %q", l.Host.Copied)
	}

	// Two sets of files are compared; without that new files begin anew.
	send("samples-second", "")
	r.TakeHeads([]string{"b.log"}, [][]byte{samples}, 2)
	if o := ordered(t, l, 3); !o.Read || !o.Second || r.Body == "" {
		t.Errorf("compared: %+v", o)
	}
	send("samples-cancel", "")
	if r.Body != "" || r.Busy || len(l.Host.Orders[workerapi.Reader]) != 4 || l.Host.Orders[workerapi.Reader][3] != nil {
		t.Errorf("cancelled: busy %v, body %q", r.Busy, r.Body)
	}
	if send("samples-units", "kT"); len(l.Host.Orders[workerapi.Reader]) != 4 {
		t.Error("without files there is an order")
	}
}

// A link brings an example, whose files are fetched once, and go along with a page that is kept.
func TestExample(t *testing.T) {
	r, l, _ := at(t, 1)
	l.Context.Settings.Samples = "nested"
	for n := 1; n <= 2; n++ {
		if r.OpenLinked(); n == 1 && !l.Host.Answer("samples/nested.csv", []byte("1,2"), nil) {
			t.Fatal("the file is not fetched")
		}
		if o := ordered(t, l, n); len(o.Files) != 1 || string(o.Files[0].Data) != "1,2" || l.Context.Panels.Sheet != "samples" {
			t.Errorf("ordered %+v", o)
		}
	}
	files := map[string][]byte{}
	if _, programs := r.Samples.SingleFileParts(files); programs != nil || len(files) > 0 {
		t.Errorf("without a report %v are kept, with %v", files, programs)
	}
	r.TakeAnswer(answer(workerapi.ReportAnswer{N: ordered(t, l, 2).N, Body: "<p>"}))
	if name, programs := r.Samples.SingleFileParts(files); name != "nested" || string(files["samples/nested.csv"]) != "1,2" ||
		len(programs) != 1 {
		t.Errorf("%s is kept with %v and %v", name, files, programs)
	}
	l.Context.Settings.Samples = state.OwnSamples
	l.Context.Panels.Sheet = ""
	if r.OpenLinked(); l.Context.Panels.Sheet != "samples" || len(l.Host.Fetches) > 0 {
		t.Errorf("without an example: sheet %q", l.Context.Panels.Sheet)
	}
}
