package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/estimators"
	"logzlab/wasm/page/state"
)

// finishedWith is a page whose run of a seed is over, and its code.
func finishedWith(t *testing.T, seed string) (*fakePage, string) {
	t.Helper()
	p := newPage(t, 2)
	p.controller.Open("#" + strings.Replace(smallLink, "&ais.", "&seed="+seed+"&ais.", 1))
	p.finish()
	p.controller.Event(state.Event{Name: "copy", Value: "result"})
	return p, p.Copied
}

// Codes of other seeds are pooled as replicates would be; damaged codes, other experiments and the same seed twice are
// refused, by paste and by file.
func TestPool(t *testing.T) {
	p, own := finishedWith(t, "5")
	other, code := finishedWith(t, "6")
	want := []float64{float64(p.controller.Results()[0].LogZ), float64(other.controller.Results()[0].LogZ)}
	if !strings.HasPrefix(code, state.ResultPrefix) {
		t.Fatalf("the code is %q", code)
	}
	p.controller.Event(state.Event{Name: "result", Value: own})
	if says := p.controller.Outline().Codes.Status; !strings.Contains(says, "5") || len(p.controller.Outline().Codes.Runs) != 1 {
		t.Errorf("the own result again: %q", says)
	}
	p.controller.File("result.txt", []byte(code+"\n"), 7)
	if len(p.controller.Outline().Codes.Runs) != 2 || p.controller.LastFileAnswered != 7 {
		t.Fatalf("the file is not taken: %q", p.controller.Outline().Codes.Status)
	}
	p.show()
	z, _ := estimators.Pooled([]*estimators.Result{{LogZ: want[0]}, {LogZ: want[1]}}, true)
	if mean := math.Log((math.Exp(want[0]) + math.Exp(want[1])) / 2); math.Abs(z-mean) > 1e-12 {
		t.Errorf("pooled %v, want %v", z, mean)
	}
	if !strings.Contains(string(p.parts["sheet"]), p.controller.Words.T("codes.all", 2)) {
		t.Error("the sheet does not show both")
	}
	body, _, _ := strings.Cut(strings.Replace(code, "seed=6", "seed=7", 1), "&sum=")
	p.controller.Event(state.Event{Name: "result", Value: body + state.CodeChecksum(body)})
	if c := p.controller.Outline().Codes; len(c.Runs) != 2 || c.Status != p.controller.Words.T("codes.same", 6) {
		t.Errorf("a run under another seed: %q", c.Status)
	}
	if s := string(p.parts["sheet"]); strings.Count(s, "±") != 6 { // two methods, two results and all
		t.Errorf("not every number has its error bar: %s", s)
	}
	elsewhere := newPage(t, 2)
	elsewhere.controller.Open("#v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=60&seed=9")
	elsewhere.finish()
	for _, bad := range []string{"x", code[:len(code)-9], strings.Replace(code, "_", "_1", 1),
		elsewhere.controller.Snapshot().ResultCode(), state.ResultPrefix + "<script>" + state.CodeChecksum(state.ResultPrefix+"<script>")} {
		before := p.controller.Outline().Codes.Status
		p.controller.Event(state.Event{Name: "result", Value: bad})
		if len(p.controller.Outline().Codes.Runs) != 2 || p.controller.Outline().Codes.Status == before && bad == "x" {
			t.Errorf("%q: %q", bad, p.controller.Outline().Codes.Status)
		}
	}
}
