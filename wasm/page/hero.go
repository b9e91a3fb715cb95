package page

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// openHero shows the hero, the first page, with a paper to draw on. stroke is the drawing of a link, "" for none;
// without a drawing nothing runs until the visitor draws.
func (c *Controller) openHero(stroke, lang string) {
	c.stop()
	c.lecture.End()
	c.clearComparisons()
	c.Settings, c.Panels, c.Address.Rejected = state.Settings{Lang: cmp.Or(lang, c.Settings.Lang)}, state.Panels{FirstVisit: true}, false
	c.Spec, _ = spec.ParseLink(state.HeroLink, c.Names())
	c.hero = state.Hero{Shown: true, Odds: state.HeroResult}
	c.LoadLanguage()
	c.Workers.Fill()
	if stroke != "" {
		drawing, err := frame.ReadDrawing(stroke)
		for pixel := range drawing {
			if pixel >= state.HeroPixels {
				err = problem.New("pixel %d is outside of a picture of %d pixels", pixel, state.HeroPixels)
			}
		}
		if err == nil && c.edit(state.Event{Name: "param", Key: "clamp", Value: drawing.String()}) {
			c.hero.Odds, c.hero.Outdated, c.hero.AwaitsLinkOdds = state.Odds{}, true, true
			c.run()
			return
		}
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("hero.damaged")}
	}
	for _, f := range c.Missing() { // load the model before the first stroke, so that its run starts at once
		c.FetchModel(f, func(err error) {
			if err == nil && c.hero.Shown && c.State() == runstate.Idle && len(c.Missing()) == 0 {
				c.Workers.Open(c.Spec.Link(), c.ModelFiles())
			}
		})
	}
}

// heroEvents are the events of the hero.
func (c *Controller) heroEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"stroke": func(e state.Event) { c.stroke(e.Value) },
		"hero-send": func(state.Event) {
			title, about := view.Invitation(c.Snapshot())
			c.sharing.SendStroke(state.StrokeLink+c.Drawing(), title, about)
		},
		"hero-lab": func(state.Event) {
			hasRun := c.State() != runstate.Idle
			c.leaveHero()
			c.Panels.FirstVisit = false
			if !hasRun {
				c.run()
			}
		},
		"hero-own": func(state.Event) {
			c.leaveHero()
			c.Open(state.Lab)
			c.Panels.FirstVisit, c.Panels.Sheet, c.Repaint.Focus, c.Repaint.ScrollTo = false, "setup", "file", "file"
		},
	}
}

// leaveHero shows the lab instead, as a new history entry.
func (c *Controller) leaveHero() {
	c.hero.Shown, c.Address.HasRun = false, true
	c.Address.StartEntry()
	c.Repaint.Dirty = true
}

// stroke runs the experiment with the visitor's drawing, "" for an empty one.
func (c *Controller) stroke(clamp string) {
	if !c.hero.Shown || !c.edit(state.Event{Name: "param", Key: "clamp", Value: clamp}) {
		return
	}
	c.hero.OwnDrawing, c.hero.Outdated, c.hero.AwaitsLinkOdds = true, true, false
	if c.Drawing() == "" {
		c.stop()
		c.hero.Odds = state.Odds{}
		return
	}
	c.run()
}

// updateOdds updates the odds of the drawing as soon as the run has an estimate of log p. The hero does not wait for
// exact samples and the exact value, which are computed later and only check the odds.
func (c *Controller) updateOdds(reports []*report.Report) {
	if !c.hero.Shown || len(reports) == 0 {
		return
	}
	r := reports[0]
	hasEstimate := r.State == runstate.MethodRunning || r.State == runstate.MethodDone
	if !hasEstimate || r.LogP == nil || !report.IsNumber(r.LogP.LogP) {
		return
	}
	o := state.Odds{Known: true, LogP: float64(r.LogP.LogP), SE: float64(r.LogP.SE), LogZWithDrawing: float64(r.LogZ),
		LogZFree: float64(r.LogP.Free), FreeIsExact: r.LogP.Source != report.FreeEstimate}
	if r.State == runstate.MethodDone {
		o.Level, o.Seconds = r.Verdict.Level, float64(r.Cost.Seconds)
		if check := r.Verdict.Failing(); check != nil {
			o.Reason = check.Meaning
		}
	}
	if r.Truth != nil {
		o.Exact, o.HasExact = float64(r.Truth.LogZ-r.LogP.Free), true
	}
	c.hero.Odds, c.hero.Outdated = o, false
	if c.hero.AwaitsLinkOdds {
		c.hero.LinkOdds = o
	}
}

// newOdds reports whether there are odds that the hero does not show yet.
func (c *Controller) newOdds() bool {
	return c.hero.Shown && c.hero.Outdated && c.State() == runstate.Running && c.Job.Estimated()
}

// PackHeroFrame packs a frame for the hero: the temperature, and state.HeroSamples of its particles, evenly spaced, one
// bit for each pixel. It returns nil if the frame has no pictures.
func PackHeroFrame(f *frame.Frame) []byte {
	size := f.W * f.H
	if f.First != 0 || len(f.Beta) == 0 || f.N < 1 || size == 0 || len(f.Pixels) < f.N*size {
		return nil
	}
	out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(f.Beta[0]))
	for k := range state.HeroSamples {
		row := k * f.N / state.HeroSamples
		for bits := range slices.Chunk(f.Pixels[row*size:(row+1)*size], 8) {
			var packed byte
			for i, v := range bits {
				packed |= v & 1 << (7 - i)
			}
			out = append(out, packed)
		}
	}
	return out
}

// sendHeroFrames sends frames of a run to the hero.
func (c *Controller) sendHeroFrames(frames [][]byte) {
	for _, data := range frames {
		if f, err := frame.Decode(data); err == nil {
			if d := PackHeroFrame(f); d != nil {
				c.Host.HeroFrame(d)
			}
		}
	}
}
