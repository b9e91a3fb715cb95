package page

import (
	"encoding/binary"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// openHero shows the hero, where nothing runs until somebody draws.
func (b *Brain) openHero() {
	b.stop()
	b.lecture.End()
	b.forget()
	b.Settings, b.Panels, b.Address.Bad = state.Settings{Lang: b.Settings.Lang}, state.Panels{Less: true}, false
	b.Spec, _ = spec.ParseLink(state.HeroLink, b.Names())
	b.hero = state.Hero{On: true, Odds: state.HeroResult}
	b.Speak()
	b.Crew.Fill()
	for _, f := range b.Missing() { // a stroke then waits neither for the file nor for workers that read the file
		b.FetchModel(f, func(err error) {
			if err == nil && b.hero.On && b.State() == runstate.Idle && len(b.Missing()) == 0 {
				b.Crew.Open(b.Spec.Link(), b.ModelFiles())
			}
		})
	}
}

// heroEvents are what a visitor does at the hero.
func (b *Brain) heroEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"stroke": func(e state.Event) { b.stroke(e.Value) },
		"hero-lab": func(state.Event) {
			runs := b.State() != runstate.Idle
			b.leaveHero()
			b.Panels.Less = false
			if !runs {
				b.run()
			}
		},
		"hero-own": func(state.Event) {
			b.leaveHero()
			b.Open(state.Lab)
			b.Panels.Less, b.Panels.Sheet, b.Repaint.Focus, b.Repaint.Point = false, "setup", "file", "file"
		},
	}
}

// leaveHero shows the lab in its place, as another entry of the history.
func (b *Brain) leaveHero() {
	b.hero.On, b.Address.Ran = false, true
	b.Address.Leave()
	b.Repaint.Dirty = true
}

// stroke runs the experiment of the drawing on the paper, "" for an empty one.
func (b *Brain) stroke(clamp string) {
	if !b.hero.On || !b.change(state.Event{Name: "param", Key: "clamp", Value: clamp}) {
		return
	}
	b.hero.Drawn, b.hero.Old = true, true
	if b.Drawing() == "" {
		b.stop()
		b.hero.Odds = state.Odds{}
		return
	}
	b.run()
}

// weighHero takes the odds of the drawing as soon as its particles are cold. What is computed after them, exact samples
// and the exact value, only judges these odds, so nobody waits for it.
func (b *Brain) weighHero(reports []*report.Report) {
	if !b.hero.On || len(reports) == 0 {
		return
	}
	r := reports[0]
	known := r.State == runstate.MethodRunning || r.State == runstate.MethodDone
	if !known || r.LogP == nil || !report.IsNumber(r.LogP.LogP) {
		return
	}
	b.hero.Old = false
	b.hero.Odds = state.Odds{LogP: float64(r.LogP.LogP), SE: float64(r.LogP.SE), OneIn: r.LogP.OneIn()}
	if r.State == runstate.MethodDone {
		b.hero.Odds.Level = r.Verdict.Level
	}
	if r.Truth != nil {
		b.hero.Odds.Exact, b.hero.Odds.HasExact = float64(r.Truth.LogZ-r.LogP.Free), true
	}
}

// heroWeighed reports whether there are odds that the hero does not show yet: people wait for them.
func (b *Brain) heroWeighed() bool {
	return b.hero.On && b.hero.Old && b.State() == runstate.Running && b.Job.Estimated()
}

// Dreams packs a frame for the hero: the temperature and HeroDreams of its particles, evenly chosen, a bit for each
// pixel. nil: the frame has none to show.
func Dreams(f *frame.Frame) []byte {
	size := f.W * f.H
	if f.First != 0 || len(f.Beta) == 0 || f.N < 1 || size == 0 || len(f.Pixels) < f.N*size {
		return nil
	}
	out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(f.Beta[0]))
	for k := range state.HeroDreams {
		row := k * f.N / state.HeroDreams
		for bits := range slices.Chunk(f.Pixels[row*size:(row+1)*size], 8) {
			var x byte
			for i, v := range bits {
				x |= v & 1 << (7 - i)
			}
			out = append(out, x)
		}
	}
	return out
}

// dream hands frames of a run to the hero.
func (b *Brain) dream(frames [][]byte) {
	for _, data := range frames {
		if f, err := frame.Decode(data); err == nil {
			if d := Dreams(f); d != nil {
				b.Host.Dreams(d)
			}
		}
	}
}
