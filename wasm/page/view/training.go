package view

import (
	"fmt"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators/training"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// trainSheet is the form of a training, or the state of its run.
func (p *page) trainSheet() []html.HTML {
	out := []html.HTML{html.TagText("p", p.w.T("train.about"))}
	if !p.Training.Begun {
		out = append(out, p.trainForm()...)
	} else {
		out = append(out, p.trainRun()...)
	}
	return append(out, html.Tag(`div role="status" class="trouble" data-key="trouble"`, p.trainTrouble()...))
}

// trainTrouble shows an error, and a button that fixes it if there is one.
func (p *page) trainTrouble() (out []html.HTML) {
	t := &p.Training
	if t.ErrorText != "" {
		out = append(out, html.Icon("v-warn", "i"), html.TagText("p", t.ErrorText))
	}
	if t.SuggestedThreshold != 0 {
		x := spec.Decimal(t.SuggestedThreshold)
		out = append(out, html.Button("", "train-threshold", x, html.Text(p.w.T("train.threshold", p.Num(x)))))
	}
	return out
}

// trainForm is the form of a training: the data and the parameters.
func (p *page) trainForm() []html.HTML {
	t, w := &p.Training, p.w

	// The rows.
	option := func(value, label string) html.HTML {
		return html.El("option", html.At("value", value, "selected", html.When(value == t.Link.Data)), html.Text(label))
	}
	options := []html.HTML{option(training.Digits, w.T("train.digits")), option(training.Stripes, w.T("train.bars"))}
	if t.OwnID != "" {
		options = append(options, option(t.OwnID, t.Own))
	} else if spec.IsFile(t.Link.Data) {
		options = append(options, option(t.Link.Data, t.Link.Data))
	}
	out := []html.HTML{
		html.Tag(`div class="field" data-key="data"`, html.TagText(`label for="train-data"`, w.T("train.data")),
			html.Tag(`select id="train-data" aria-describedby="train-data-why"`, options...),
			html.TagText(`p class="why" id="train-data-why"`, w.T("train.data.why")),
			html.Button("", "file", "", html.Text(w.T("choose.file")))),
	}
	if spec.IsFile(t.Link.Data) {
		level := ""
		if num.NotNaN(t.Link.Threshold) {
			level = p.Num(spec.Decimal(t.Link.Threshold))
		}
		out = append(out, p.trainField("train-threshold", level))
	}

	// The parameters.
	var main, rest []html.HTML
	for _, q := range training.Params {
		control := p.param("train", q, t.Link.Values[q.Name], false)
		if q.Main {
			main = append(main, control)
		} else {
			rest = append(rest, control)
		}
	}
	main = append(main, p.trainField("train-seed", fmt.Sprint(t.Link.Seed)))
	return append(out, html.Tag(`div class="group" data-key="main"`, main...),
		html.El("details", html.At("data-key", "rest", "data-keep", ""),
			html.TagText("summary", w.T("advanced")+" "+w.T("more", len(rest))), html.Tag(`div class="group"`, rest...)),
		html.El(`button type="button" class="primary" data-event="train"`, html.At("disabled",
			html.When(t.Phase == state.TrainLoading)),
			html.Text(w.T("train.start"))))
}

// trainField is a numeric field. Its label has the key id.
func (p *page) trainField(id, value string) html.HTML {
	return html.El(`div class="param"`, html.At("data-key", id), html.El("label", html.At("for", id),
		html.Text(p.w.T(id))),
		number(id, value, id+"-why"), html.El(`p class="why"`, html.At("id", id+"-why"), html.Text(p.w.T(id+".why"))))
}

// trainRun shows the state of the training run, and the buttons for its phase.
func (p *page) trainRun() []html.HTML {
	t, w := &p.Training, p.w
	hasNoUpdates := html.When(t.Done == 0)
	actionButton := func(class, event, key, disabled string) html.HTML {
		return html.El(`button type="button"`, html.At("data-key", event, "class", class, "data-event", event, "disabled",
			disabled),
			html.Text(w.T(key)))
	}

	// The buttons of each phase.
	var buttons []html.HTML
	switch t.Phase {
	case state.TrainRunning:
		buttons = append(buttons, actionButton("primary", "train-pause", "train.pause", html.Absent))
	case state.TrainPaused:
		buttons = append(buttons, actionButton("primary", "train-go", "train.go", html.Absent))
	}
	if t.Phase != state.TrainDone {
		buttons = append(buttons, actionButton("", "train-stop", "train.stop", html.Absent))
	}
	useButton := actionButton("", "train-use", "train.use", hasNoUpdates)
	if t.Phase == state.TrainDone {
		useButton = actionButton("primary", "train-use", "train.use", hasNoUpdates)
		buttons = append(buttons, actionButton("", "train-new", "train.new", html.Absent))
	}

	return []html.HTML{
		html.El("p", html.At("data-key", "what"), html.TagText("b", state.RowsName(p.w, t.Rows)),
			html.Text(": "+w.T("train.what", t.Columns,
				p.Count(float64(t.Params.Hidden)), p.Count(float64(t.Train)),
				p.Count(float64(t.Test))))),
		html.El("progress", html.At("max", fmt.Sprint(t.Params.Updates), "value", fmt.Sprint(t.Update), "aria-label",
			w.T("train.title"))),
		html.TagText(`p data-key="status"`, p.trainStatus()),
		html.TagText(`p data-key="numbers"`, p.trainNumbers()),
		html.Tag(`div class="pair" data-key="run"`, buttons...),
		html.Tag(`div class="pair" data-key="use"`, useButton, actionButton("", "train-keep", "train.keep", hasNoUpdates),
			html.El(`button type="button" data-event="copy" data-value="training"`, nil, html.Text(w.T("copy.link")))),
		html.TagText(`p class="why" role="status" data-key="copied"`, p.copiedOr(w.T("train.safe"))),
	}
}

// trainOffer is the button of the setup that opens the sheet of training.
func (p *page) trainOffer() html.HTML {
	return html.Tag(`div class="field" data-key="train"`, html.Button("", "sheet", "train",
		html.Text(p.w.T("train.title"))),
		html.TagText(`p class="why"`, p.trainStatus()))
}

// trainStatus describes the progress of the training.
func (p *page) trainStatus() string {
	t, w := &p.Training, p.w
	if !t.Begun {
		return ""
	}
	text := w.T("train.at", p.Count(float64(t.Update)), p.Count(float64(t.Params.Updates)))
	switch {
	case t.Phase == state.TrainPaused:
		text += " " + w.T("train.paused")
	case t.Phase == state.TrainRunning && t.Waiting:
		text += " " + w.T("train.waits")
	case t.Phase == state.TrainDone:
		text += " " + w.T("train.over")
	}
	return text
}

// trainNumbers states the latest log-likelihoods.
func (p *page) trainNumbers() string {
	n := len(p.Training.Log.Points)
	if n == 0 {
		return ""
	}
	last := p.Training.Log.Points[n-1]
	if !num.NotNaN(last.LogZ) {
		return p.w.T("train.blind")
	}
	text := p.w.T("train.likely", p.Count(float64(last.Update)), p.NumberOrDash(last.Train, 2), p.NumberOrDash(last.Validation, 2),
		p.NumberOrDash(last.SE, 2))
	if best := p.Training.Log.Best; best > 0 {
		text += " " + p.w.T("train.best", p.Count(float64(best)))
	}
	return text
}
