package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
)

// TestPosteriorTables: parameters with their weighted mean and deviation, and the data of a series with what the newest
// filter says of each state.
func TestPosteriorTables(t *testing.T) {
	long := &frame.Flow{N: 2, First: 7}
	for k := range 401 {
		long.Y = append(long.Y, float32(k))
		long.X, long.W = append(long.X, 1, 3), append(long.W, .5, .5)
	}
	frames := []*frame.Frame{{Method: "aisel", N: 2, Beta: []float32{.25, .25}, Flow: long,
		LogW:       []float32{float32(math.Log(3)), 0},
		Parameters: &frame.Parameters{Names: []string{"μ", "log q"}, X: []float32{0, 10, 4, 10}}},
		{Method: "aisel", First: 2, N: 2, Beta: []float32{1, 1}, Parameters: &frame.Parameters{Names: []string{"μ"},
			X: []float32{0, 4}}}, {}}
	b := &Brain{looked: looked{frames: frames}, appearance: appearance{words: wordsOf("de")}}
	p := &pane{Brain: b, w: b.words}
	var text []string
	for _, row := range p.parameterRows() {
		text = append(text, strings.Join(row, " "))
	}
	if got := strings.Join(text, "|"); got != "μ (AISEL 1–2) 0,2500 1,000 1,732|log q (AISEL 1–2) 0,2500 10,000 0,000|"+
		"μ (AISEL 3–4) 1,0000 2,000 2,000" {
		t.Errorf("parameters: %s", got)
	}
	rows := p.flowRows()
	if len(rows) < 100 || len(rows) > 201 || strings.Join(rows[1], " ") != "11 3,000 2,000 1,000 1,00" {
		t.Errorf("%d data, the second %v", len(rows), rows[1])
	}
}

// TestSeriesOpens: experiments on series open with it, others on parameters have the posterior beside the plane, and
// models without parameters have neither.
func TestSeriesOpens(t *testing.T) {
	for link, want := range map[string]string{
		"v=1&model=sv-60&method=aisel":                          "series",
		"v=1&model=lgssm-40&method=smc":                         "series",
		"v=1&model=sv-60&method=aisel&view.scene=plane":         "plane",
		"v=1&model=glmm-wards&method=is2&view.scene=posterior":  "posterior",
		"v=1&model=linreg-line&method=ais":                      "plane",
		"v=1&model=linreg-line&method=ais&view.scene=series":    "plane",
		"v=1&model=mixture2&method=ais&view.scene=posterior":    "plane",
		"v=1&model=betabinom-coin&method=rts&view.scene=series": "plane",
	} {
		p := newPage(t, 1)
		p.brain.Start(Page{Link: link, Base: "https://lab.example/"})
		if got := p.brain.scene().name; got != want {
			t.Errorf("%s opens %s, want %s", link, got, want)
		}
	}
}
