package resampling

import (
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// IsAnimating implements Scene.
func (c *resampling) IsAnimating(still bool) bool {
	p := c.Run
	w, _ := p.Pick(c.accepts)
	if w == nil || still {
		return false
	}
	is := c.record(w, p)
	i, done := is.PlaybackAt(p.Now, still)
	return done < 1 || !is.Playback.Paused && i < len(is.Moments)-1
}

// Key handles a key. The arrows go to the next or previous phase; s also goes to the next phase, because in lectures the
// arrows turn slides. Home and End go to the first and last phase, and Enter pauses or resumes.
func (c *resampling) Key(key string) bool {
	p := c.Run
	w, _ := p.Pick(c.accepts)
	if w == nil {
		return false
	}
	is := c.record(w, p)
	i := is.Index(max(is.Playback.MomentID, 1))
	switch key {
	case "ArrowRight", "s", "S":
		is.SeekTo(i+1, p.Now, true)
	case "ArrowLeft":
		is.SeekTo(i-1, p.Now, false)
	case "Home":
		is.SeekTo(0, p.Now, false)
	case "End":
		is.SeekTo(len(is.Moments)-1, p.Now, false)
	case "Enter":
		is.Toggle(p.Now)
	default:
		return false
	}
	return true
}

// Describe returns the phase that is shown, its temperature or stage, and the effective sample size.
func (c *resampling) Describe(a *paint.Area) string {
	p := c.Run
	w, _ := p.Pick(c.accepts)
	if w == nil {
		return ""
	}
	is := c.record(w, p)
	v := &changeView{scene: c, a: a, p: p, w: w, is: is, i: is.Index(max(is.Playback.MomentID, 1)), progress: 1}
	if v.m = &is.Moments[v.i]; v.i > 0 {
		v.q = &is.Moments[v.i-1]
		v.children = v.m.Offspring(v.q)
	}
	text := v.place() + ". " + v.sentence()
	if ess := float64(v.m.Weighing.ESS); num.Finite(ess) {
		text += " " + a.Say("ESS") + " " + format.Grouped(ess*float64(v.m.AllRows), 0) + " " + a.Say("of") + " " +
			format.Grouped(float64(v.m.AllRows), 0) + "."
	}
	return text
}
