package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/rng"
	"logzlab/core/schedule"
	"logzlab/estimators/smc"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// TestKept: with normal noise the share that is kept is exp(-tau sigma^2) for every ladder; with another step's
// temperature in one of the means it is off. Of noise that never varies all is kept.
func TestKept(t *testing.T) {
	steep, err := schedule.Make("power:4", 40, nil)
	if err != nil {
		t.Fatal(err)
	}
	ladders := [][]float64{even(1), even(2), even(5), steep}
	for _, s2 := range []float64{0, .3, 1} {
		q := noiseTest{}
		for _, a := range ladders {
			p := noisePath{ladder: a}
			for b := range noiseBlocks {
				p.at[b], p.ahead[b] = make([]float64, len(a)), make([]float64, len(a))
			}
			q.paths = append(q.paths, p)
		}
		s := rng.NewKey(1, "noise", 0).Stream(0, 0, 0)
		for range 20000 {
			q.add(-1234 - s2/2 + math.Sqrt(s2)*s.Norm())
		}
		for i := range q.paths {
			want := math.Exp(-smc.Tau(ladders[i]) * s2)
			kept, se := q.paths[i].kept()
			if math.Abs(kept-want) > 4*se+1e-12 || se > .02 {
				t.Errorf("variance %v, %d steps: %v +- %v, not %v", s2, len(ladders[i])-1, kept, se, want)
			}
		}
	}
}

// TestFitted finds the line of times, and one through 0 where the best would be negative there.
func TestFitted(t *testing.T) {
	trials := func(of func(n float64) float64) (out []frame.Trial) {
		for _, n := range []int{5, 10, 20} {
			out = append(out, frame.Trial{Draws: n, Seconds: of(float64(n))})
		}
		return append(out, frame.Trial{Draws: 40, Seconds: math.NaN()})
	}
	if base, one := fitted(trials(func(n float64) float64 { return 3 + 2*n })); math.Abs(base-3) > 1e-9 ||
		math.Abs(one-2) > 1e-9 {
		t.Errorf("%v + %v n", base, one)
	}
	if base, one := fitted(trials(func(n float64) float64 { return n * n })); base != 0 || !(one > 5 && one < 20) {
		t.Errorf("%v + %v n", base, one)
	}
}

// TestNoiseBeside: while the scene is on show estimates are made beside the run, at the number of draws that it has and
// at others, and the table lists them; else none are. The result is the same.
func TestNoiseBeside(t *testing.T) {
	const link = "v=1&model=lgssm-40&likelihood=filter&method=aisel&aisel.islands=2&aisel.particles=10&" +
		"aisel.temperatures=8&inner=12"
	hash := map[string]string{}
	for _, name := range []string{"lab", "series"} {
		p := newPage(t, 1)
		p.brain.Start(state.Page{Link: link + "&view.scene=" + name, Base: "https://lab.example/"})
		p.brain.Event(state.Event{Name: "picture", Value: "ready"})
		hash[name] = p.finish()
		b := p.brain
		if name != "lab" {
			if len(b.noise.tests) > 0 || b.snapshot().Noise != nil {
				t.Error("estimates are made though nobody looks")
			}
			continue
		}
		b.Tick()
		f := b.snapshot().Noise
		if f == nil || len(f.Tests) != 5 || f.Draws != 12 || f.Tests[2].Draws != 12 || f.Tests[2].N < fewTrials {
			t.Fatalf("%+v", f)
		}
		if !(f.Seen > 0) || !(f.Spread > 6 && f.Spread < 100) || f.Auto < 5 || !(f.Counted.Best > f.Most) {
			t.Errorf("%+v", f)
		}
		for _, q := range f.Tests {
			if z := q.Var * float64(q.Draws) / f.Spread; q.Draws >= 6 && (z < .5 || z > 2) { // fewer are skewed
				t.Errorf("%d draws: a variance of %v does not fall as one over the draws", q.Draws, q.Var)
			}
		}
		if rows := scene.Named("lab").Tables[0].Rows(b.snapshot()); len(rows) != 6 || rows[2][0] != "12" {
			t.Errorf("table: %v", rows)
		}
	}
	p := newPage(t, 1)
	p.brain.Start(state.Page{Link: strings.Replace(link, "&inner=12", "&view.scene=lab", 1), Base: "https://lab.example/"})
	p.finish()
	p.brain.Tick()
	if f := p.brain.snapshot().Noise; f == nil || f.Auto != f.Draws || f.Draws < 10 {
		t.Errorf("a run that picks its draws: %+v", f)
	}
	if hash["lab"] != hash["series"] || hash["lab"] == "" {
		t.Errorf("hashes %v", hash)
	}
}
