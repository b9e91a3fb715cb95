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
	isBusy, isHalted := running || p.Working, paused || len(p.Works) > 0
	run := w.T("run")
	if isHalted {
		run = w.T("resume")
	}
	hasNoExperiment, isFirstVisit := p.Spec == nil, p.Panels.FirstVisit

	// All buttons have the same form.
	control := func(id, image, word, key, class string, isDisabled, isHidden bool) html.HTML {
		return html.El(`button type="button"`,
			html.At("id", id, "class", class, "title", key, "disabled", html.When(isDisabled), "hidden", html.When(isHidden)),
			html.Icon(image, "i"), html.TagText(`span class="word"`, word))
	}

	// Progress and speed.
	share, label, remaining := p.progress()
	speed, speedText, shortText := state.Slowest-p.Settings.Slow, w.T("speed.full"), ""
	if s := state.DescentTime[p.Settings.Slow] / 1000; s > 0 {
		speedText, shortText = w.T("speed.slow", s), fmt.Sprintf("%d s", s)
	}

	// Progress, buttons, speed, and time left.
	return html.El(`section id="transport" class="transport"`, html.At("aria-label", w.T("run")),
		html.El(`progress id="progress" max="1"`, html.At("value", spec.Decimal(share), "aria-label", w.T("progress"))),
		p.remote(),
		// Run is enabled while the model loads, although the run then starts by itself.
		control("run", "i-play", run, w.T("key.space"), "primary", hasNoExperiment, isBusy),
		control("pause", "i-pause", w.T("pause"), w.T("key.space"), "primary", !isBusy, !isBusy),
		control("step", "i-step", w.T("step"), w.T("key.right"), "", hasNoExperiment || !p.State.Active() && p.State != runstate.Idle, isFirstVisit),
		control("restart", "i-restart", w.T("restart"), "R", "", hasNoExperiment, isFirstVisit),
		control("new-seed", "i-seed", w.T("newseed"), "N", "", hasNoExperiment, false),
		html.El(`label class="speed"`, html.At("title", speedText, "hidden", html.When(isFirstVisit)),
			html.TagText("span", w.T("speed")),
			html.Tag(`span class="pace"`, html.El(`input type="range" id="speed" min="0"`,
				html.At("max", fmt.Sprint(state.Slowest), "value", fmt.Sprint(speed), "aria-valuetext", speedText)),
				html.TagText(`output for="speed"`, shortText))),
		html.Tag(`p id="eta" class="eta"`, html.TagText("b", label), html.Text(" "), html.TagText("span", remaining)),
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
	label := p.w.T("back")
	return html.El(`a class="quiet back" target="_blank" rel="noopener"`,
		html.At("href", p.URL(view), "title", label, "aria-label", label), html.LogZ, html.TagText(`span class="word"`,
			"\u00a0Lab"))
}

// progress returns the share of the work that is done, its label, and a text about the remaining time.
func (p *page) progress() (share float64, label, remaining string) {
	w := p.w
	if len(p.Works) > 0 {
		x := p.Works[0]
		if remaining = w.T(x.Doing); x.Paused {
			remaining = w.T("state.paused")
		}
		return x.Share, state.PercentOf(x.Share), remaining
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
	label = state.PercentOf(share)
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
			label = w.T("state.sum")
		case p.Narrowing:
			label = w.T("state.narrow")
		}
		if remaining = w.T("left", p.Num(format.Seconds(p.Left))); state.DescentTime[p.Settings.Slow] > 0 {
			remaining = w.T("speed.slow", state.DescentTime[p.Settings.Slow]/1000) // in slow motion only the displayed lanes are slow
		}
	}
	return share, label, remaining
}
