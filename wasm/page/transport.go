package page

import (
	"fmt"

	"logzlab/core/format"
	"logzlab/core/spec"
)

// transport is what runs and stops the experiment.
func (p *pane) transport() HTML {
	w := p.w
	running, paused := p.state == "running", p.state == "paused"
	going, halted := running || p.Working(), paused || len(p.works.all()) > 0
	run := w.T("run")
	if halted {
		run = w.T("resume")
	}
	none := p.spec == nil
	control := func(id, image, word, key, class string, disabled, hidden bool) HTML {
		return el(`button type="button"`,
			at("id", id, "class", class, "title", key, "disabled", when(disabled), "hidden", when(hidden)),
			icon(image, "i"), tagText(`span class="word"`, word))
	}
	share, now, rest := p.progress()
	speed, pace, short := slowest-p.set.Slow, w.T("speed.full"), ""
	if s := descentTime[p.set.Slow] / 1000; s > 0 {
		pace, short = w.T("speed.slow", s), fmt.Sprintf("%d s", s)
	}
	return el(`section id="transport" class="transport"`, at("aria-label", w.T("run")),
		el(`progress id="progress" max="1"`, at("value", spec.Decimal(share), "aria-label", w.T("progress"))),
		// Run is on while the model loads: a click then asks for what comes anyway.
		control("run", "i-play", run, w.T("key.space"), "primary", none, going),
		control("pause", "i-pause", w.T("pause"), w.T("key.space"), "primary", !going, !going),
		control("step", "i-step", w.T("step"), w.T("key.right"), "", none || !running && !paused && p.state != "idle", false),
		control("restart", "i-restart", w.T("restart"), "R", "", none, false),
		control("new-seed", "i-seed", w.T("newseed"), "N", "", none, false),
		el(`label class="speed"`, at("title", pace), tagText("span", w.T("speed")),
			tag(`span class="pace"`, el(`input type="range" id="speed" min="0"`,
				at("max", fmt.Sprint(slowest), "value", fmt.Sprint(speed), "aria-valuetext", pace)),
				tagText(`output for="speed"`, short))),
		tag(`p id="eta" class="eta"`, tagText("b", now), text(" "), tagText("span", rest)),
		tag(`button type="button" class="to-setup" data-event="sheet" data-value="setup"`, icon("i-setup", "i"),
			tagText("span", w.T("setup"))),
		p.back(),
	)
}

// back leads from inside another page to the lab with this experiment.
func (p *pane) back() HTML {
	if !p.set.Embed || p.spec == nil {
		return ""
	}
	view := p.set
	view.Embed, view.Hide = false, nil
	says := p.w.T("back")
	return el(`a class="quiet back" target="_blank" rel="noopener"`,
		at("href", p.url(view), "title", says, "aria-label", says), logZ, tagText(`span class="word"`, "\u00a0Lab"))
}

// percentOf writes a share from 0 to 1.
func percentOf(share float64) string { return fmt.Sprintf("%.0f\u00a0%%", 100*share) }

// progress is the share done, what to call it, and what is left.
func (p *pane) progress() (share float64, now, rest string) {
	w := p.w
	if all := p.works.all(); len(all) > 0 {
		x := all[0]
		if rest = w.T(x.stage); x.paused {
			rest = w.T("state.paused")
		}
		return x.meter.Share(), percentOf(x.meter.Share()), rest
	}
	switch {
	case p.room.on() && p.job != nil:
		share = p.roomShare()
		return share, percentOf(share), ""
	case p.job == nil && p.state == "loading" && p.host != nil:
		return 0, w.T("state.model"), ""
	case p.job == nil:
		return 0, w.T("state." + p.state), ""
	}
	if p.state == "done" || p.state == "failed" {
		return 1, w.T("state." + p.state), w.T("seconds", p.num(fmt.Sprintf("%.1f", p.elapsed())))
	}
	share = p.share()
	now = percentOf(share)
	switch {
	case p.job.Preparing():
		return share, w.T("state.rates"), ""
	case share == 0 && p.crew.opening() > 0:
		return 0, percentOf(p.crew.opening()), w.T("opening.model")
	case p.state == "paused":
		return share, percentOf(share), w.T("state.paused")
	}
	if p.elapsed() > .3 {
		if p.job.Summing() {
			now = w.T("state.sum")
		}
		rest = w.T("left", p.num(format.Seconds(p.left())))
	}
	return share, now, rest
}
