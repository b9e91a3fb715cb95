package page

import (
	"fmt"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators/training"
)

// trainSheet is the form of a training, or how its run stands.
func (p *pane) trainSheet() []HTML {
	out := []HTML{tagText("p", p.w.T("train.about"))}
	if p.trainer.run == nil {
		out = append(out, p.trainForm()...)
	} else {
		out = append(out, p.trainRun()...)
	}
	return append(out, tag(`div role="status" class="trouble" data-key="trouble"`, p.trainTrouble()...))
}

// trainTrouble says what is wrong, and offers what mends it.
func (p *pane) trainTrouble() (out []HTML) {
	t := &p.trainer
	if t.why != "" {
		out = append(out, icon("v-warn", "i"), tagText("p", t.why))
	}
	if t.level != 0 {
		x := spec.Decimal(t.level)
		out = append(out, button("", "train-threshold", x, text(p.w.T("train.threshold", p.num(x)))))
	}
	return out
}

func (p *pane) trainForm() []HTML {
	t, w := &p.trainer, p.w
	option := func(value, says string) HTML {
		return el("option", at("value", value, "selected", when(value == t.link.Data)), text(says))
	}
	options := []HTML{option(training.Digits, w.T("train.digits")), option(training.Stripes, w.T("train.bars"))}
	if t.own.id != "" {
		options = append(options, option(t.own.id, t.own.name))
	} else if spec.IsFile(t.link.Data) {
		options = append(options, option(t.link.Data, t.link.Data))
	}
	out := []HTML{
		tag(`div class="field" data-key="data"`, tagText(`label for="train-data"`, w.T("train.data")),
			tag(`select id="train-data" aria-describedby="train-data-why"`, options...),
			tagText(`p class="why" id="train-data-why"`, w.T("train.data.why")),
			button("", "file", "", text(w.T("choose.file")))),
	}
	if spec.IsFile(t.link.Data) {
		level := ""
		if num.Known(t.link.Threshold) {
			level = p.num(spec.Decimal(t.link.Threshold))
		}
		out = append(out, p.trainField("train-threshold", level))
	}
	var main, rest []HTML
	for _, q := range training.Params {
		control := p.param("train", q, t.link.Values[q.Name], false)
		if q.Main {
			main = append(main, control)
		} else {
			rest = append(rest, control)
		}
	}
	main = append(main, p.trainField("train-seed", fmt.Sprint(t.link.Seed)))
	return append(out, tag(`div class="group" data-key="main"`, main...),
		el("details", at("data-key", "rest", "data-keep", ""),
			tagText("summary", w.T("advanced")+" "+w.T("more", len(rest))), tag(`div class="group"`, rest...)),
		el(`button type="button" class="primary" data-event="train"`, at("disabled", when(t.phase == trainFetches)),
			text(w.T("train.start"))))
}

// trainField is a number beside the parameters: its words are those of its id.
func (p *pane) trainField(id, value string) HTML {
	return el(`div class="param"`, at("data-key", id), el("label", at("for", id), text(p.w.T(id))),
		number(id, value, id+"-why"), el(`p class="why"`, at("id", id+"-why"), text(p.w.T(id+".why"))))
}

// rowsName is what people call the rows of the run.
func (b *Brain) rowsName() string {
	switch name := b.trainer.rows.name; name {
	case training.Digits, training.Stripes:
		return b.words.T("train." + name)
	default:
		return name
	}
}

// trainRun is how the run stands, and what can be done with it.
func (p *pane) trainRun() []HTML {
	t, w := &p.trainer, p.w
	none := when(t.run.Done() == 0)
	does := func(class, event, key, off string) HTML {
		return el(`button type="button"`, at("data-key", event, "class", class, "data-event", event, "disabled", off),
			text(w.T(key)))
	}
	var buttons []HTML
	switch t.phase {
	case trainWorks:
		buttons = append(buttons, does("primary", "train-pause", "train.pause", absent))
	case trainPaused:
		buttons = append(buttons, does("primary", "train-go", "train.go", absent))
	}
	if t.phase != trainDone {
		buttons = append(buttons, does("", "train-stop", "train.stop", absent))
	}
	use := does("", "train-use", "train.use", none)
	if t.phase == trainDone {
		use = does("primary", "train-use", "train.use", none)
		buttons = append(buttons, does("", "train-new", "train.new", absent))
	}
	return []HTML{
		el("p", at("data-key", "what"), tagText("b", p.rowsName()), text(": "+w.T("train.what", t.rows.m,
			p.count(t.run.Values.Float("hidden")), p.count(float64(len(t.run.Data.Train)/t.rows.m)),
			p.count(float64(len(t.run.Data.Test)/t.rows.m))))),
		el("progress", at("max", t.run.Values["updates"], "value", fmt.Sprint(t.update()), "aria-label",
			w.T("train.title"))),
		tagText(`p data-key="status"`, p.trainStatus()),
		tagText(`p data-key="numbers"`, p.trainNumbers()),
		tag(`div class="pair" data-key="run"`, buttons...),
		tag(`div class="pair" data-key="use"`, use, does("", "train-keep", "train.keep", none),
			el(`button type="button" data-event="copy" data-value="training"`, nil, text(w.T("copy.link")))),
		tagText(`p class="why" role="status" data-key="copied"`, p.copiedOr(w.T("train.safe"))),
	}
}

// trainOffer leads from the setup to the training.
func (p *pane) trainOffer() HTML {
	return tag(`div class="field" data-key="train"`, button("", "sheet", "train", text(p.w.T("train.title"))),
		tagText(`p class="why"`, p.trainStatus()))
}
