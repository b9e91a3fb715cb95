package view

import (
	"fmt"

	"logzlab/core/format"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// transport has the buttons that run and stop the experiment, its progress and its speed.
func (p *page) transport() html.HTML {
	w := p.w
	running, paused := p.State == runstate.Running, p.State == runstate.Paused
	going, halted := running || p.Working, paused || len(p.Works) > 0
	run := w.T("run")
	if halted {
		run = w.T("resume")
	}
	none, less := p.Spec == nil, p.Panels.FirstVisit

	// All buttons have the same form.
	control := func(id, image, word, key, class string, disabled, hidden bool) html.HTML {
		return html.El(`button type="button"`,
			html.At("id", id, "class", class, "title", key, "disabled", html.When(disabled), "hidden", html.When(hidden)),
			html.Icon(image, "i"), html.TagText(`span class="word"`, word))
	}

	// Progress and speed.
	share, now, rest := p.progress()
	speed, pace, short := state.Slowest-p.Settings.Slow, w.T("speed.full"), ""
	if s := state.DescentTime[p.Settings.Slow] / 1000; s > 0 {
		pace, short = w.T("speed.slow", s), fmt.Sprintf("%d s", s)
	}

	// Progress, buttons, speed, and time left.
	return html.El(`section id="transport" class="transport"`, html.At("aria-label", w.T("run")),
		html.El(`progress id="progress" max="1"`, html.At("value", spec.Decimal(share), "aria-label", w.T("progress"))),
		p.remote(),
		// Run is enabled while the model loads, although the run then starts by itself.
		control("run", "i-play", run, w.T("key.space"), "primary", none, going),
		control("pause", "i-pause", w.T("pause"), w.T("key.space"), "primary", !going, !going),
		control("step", "i-step", w.T("step"), w.T("key.right"), "", none || !p.State.Active() && p.State != runstate.Idle, less),
		control("restart", "i-restart", w.T("restart"), "R", "", none, less),
		control("new-seed", "i-seed", w.T("newseed"), "N", "", none, false),
		html.El(`label class="speed"`, html.At("title", pace, "hidden", html.When(less)),
			html.TagText("span", w.T("speed")),
			html.Tag(`span class="pace"`, html.El(`input type="range" id="speed" min="0"`,
				html.At("max", fmt.Sprint(state.Slowest), "value", fmt.Sprint(speed), "aria-valuetext", pace)),
				html.TagText(`output for="speed"`, short))),
		html.Tag(`p id="eta" class="eta"`, html.TagText("b", now), html.Text(" "), html.TagText("span", rest)),
		html.Tag(`button type="button" class="to-setup" data-event="sheet" data-value="setup"`, html.Icon("i-setup", "i"),
			html.TagText("span", w.T("setup"))),
		p.back(),
	)
}

// back is the link from an embedded page to the lab with this experiment.
func (p *page) back() html.HTML {
	if !p.Settings.Embed || p.Spec == nil {
		return ""
	}
	view := p.Settings
	view.Embed, view.Hide = false, nil
	says := p.w.T("back")
	return html.El(`a class="quiet back" target="_blank" rel="noopener"`,
		html.At("href", p.URL(view), "title", says, "aria-label", says), html.LogZ, html.TagText(`span class="word"`,
			"\u00a0Lab"))
}

// progress returns the share done, its label, and what remains.
func (p *page) progress() (share float64, now, rest string) {
	w := p.w
	if len(p.Works) > 0 {
		x := p.Works[0]
		if rest = w.T(x.Doing); x.Paused {
			rest = w.T("state.paused")
		}
		return x.Share, state.PercentOf(x.Share), rest
	}

	// Before the first units.
	switch {
	case (p.Room.IsDevice() || p.Room.Computing()) && p.Begun():
		share = p.roomShare()
		return share, state.PercentOf(share), ""
	case !p.Begun() && p.State == runstate.Loading && !p.Shell:
		return 0, w.T("state.model"), ""
	case !p.Begun():
		return 0, w.T("state." + string(p.State)), ""
	}

	// A finished run, then a run in progress.
	if p.State.Over() {
		return 1, w.T("state." + string(p.State)), w.T("seconds", p.Num(fmt.Sprintf("%.1f", p.Elapsed)))
	}
	share = p.Share
	now = state.PercentOf(share)
	switch {
	case p.Preparing:
		return share, w.T("state.rates"), ""
	case share == 0 && p.OpeningShare > 0:
		return 0, state.PercentOf(p.OpeningShare), w.T("opening.model")
	case p.State == runstate.Paused:
		return share, state.PercentOf(share), w.T("state.paused")
	}
	if p.Elapsed > .3 {
		switch {
		case p.Summing:
			now = w.T("state.sum")
		case p.Narrowing:
			now = w.T("state.narrow")
		}
		if rest = w.T("left", p.Num(format.Seconds(p.Left))); state.DescentTime[p.Settings.Slow] > 0 {
			rest = w.T("speed.slow", state.DescentTime[p.Settings.Slow]/1000) // in slow motion only the displayed lanes are slow
		}
	}
	return share, now, rest
}
