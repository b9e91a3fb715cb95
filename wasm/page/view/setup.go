package view

import (
	"fmt"
	"slices"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// setup is the left pane: model, methods, main parameters, seed, and all other settings.
func (p *page) setup() html.HTML {
	w := p.w
	head := []html.HTML{p.closeButton("quiet sheet-close", "sheet"), p.modelField()}
	fields := []html.HTML{p.methodsField()}

	// Parameters: the main ones of the selected method; all others under Advanced. A first visitor sees one slider.
	var advanced []html.HTML
	advancedCount := 0
	if s := p.Spec; s != nil {
		focus := engine.SameRun(s, catalog.Names{}, s.Methods[p.Focus])[0]
		var first, main []html.HTML
		sliderName := p.firstSlider(focus)
		addParams := func(method, title string, params []spec.Param) {
			values := s.Values(params, method)
			sharers := engine.SameRun(s, catalog.Names{}, method)
			var others, shared []html.HTML
			for _, q := range params {
				switch {
				case !s.HasEffect(p.Names(), method, q.Name):
				case method == focus && q.Name == sliderName:
					first = append(first, p.param(method, q, values[q.Name], true))
				case method == focus && q.Main:
					main = append(main, p.param(method, q, values[q.Name], true))
				case len(sharers) > 1 && method != sharers[0] && state.IsRunParam(method, q.Name):
					shared = append(shared, p.param(method, q, values[q.Name], false))
				default:
					others = append(others, p.param(method, q, values[q.Name], false))
				}
			}
			advancedCount += len(others)
			if len(shared) > 0 {
				others = append(others, html.El("details", html.At("data-key", method+" run"),
					append([]html.HTML{html.TagText("summary", p.w.T("run.of", state.Label(sharers[0])))}, shared...)...))
			}
			if len(others) > 0 {
				advanced = append(advanced, html.TagText("h3", title), html.El(`div class="group"`, html.At("data-key", method), others...))
			}
		}

		// Each method, the model, and settings of all methods.
		for _, m := range s.Methods {
			info, _ := catalog.Method(m)
			addParams(m, state.Label(m), info.Params)
		}
		hasSingleChoice := func(q spec.Param) bool { return len(q.Choices) == 1 } // such a parameter exists only for older links
		addParams("", w.T("model"), slices.DeleteFunc(slices.Clone(p.ModelParams()), hasSingleChoice))
		head = append(head, html.El(`div class="params"`, html.At("data-key", "first "+focus), first...))
		fields = append(fields, html.El(`div class="params"`, html.At("data-key", "params "+focus), main...))
		fields = append(fields, html.Tag(`div class="field seed-row" data-key="seed"`,
			html.TagText(`label for="seed"`, w.T("seed")),
			number("seed", fmt.Sprint(s.Seed), "seed-why"), html.TagText(`p class="why" id="seed-why"`, w.T("seed.why"))))
		common := p.commonFields(s)
		advanced = append(advanced, common...)
		advancedCount += len(common)
	} else {
		fields = append(fields, html.Tag(`div class="field seed-row" data-key="seed"`,
			html.TagText(`label for="seed"`, w.T("seed")), number("seed", "", html.Absent)))
	}

	// Advanced settings, rooms, files and training.
	if advancedCount > 0 {
		fields = append(fields,
			html.El(`button type="button" class="advanced" data-event="advanced" aria-controls="advanced"`,
				html.At("aria-expanded", html.Yes(p.Panels.Advanced)),
				html.Text(w.T("advanced")), html.Tag("span", html.Text(w.T("more", advancedCount)), html.Icon("i-caret", "i"))),
			html.El(`div id="advanced"`, html.At("hidden", html.When(!p.Panels.Advanced)), advanced...))
	}
	fields = append(fields, p.setupRoom(),
		html.Tag(`div class="drop why" data-key="drop"`, html.TagText(`label for="file"`, w.T("own")),
			html.Text(w.T("own.why")),
			html.Tag(`input type="file" id="file" multiple data-keep="" `+
				`accept=".json,.npz,.pt,.pth,.mat,.safetensors,.csv,.npy,.uai,.evid,.idx,.idx3-ubyte,.gz,.txt,.stan,.tape"`)),
		p.trainOffer())
	// Run, for small screens where the setup covers the Run button of the page.
	fields = append(p.hiddenAtFirst(fields), html.Button("primary setup-run", "run", "", html.Icon("i-play", "i"),
		html.Text(w.T("run"))))
	return html.El(`aside id="setup" class="setup"`, html.At("aria-label", w.T("setup")), append(head, fields...)...)
}

// hiddenAtFirst hides settings from a first visitor, who needs only a model, a slider and Run.
func (p *page) hiddenAtFirst(children []html.HTML) []html.HTML {
	if !p.Panels.FirstVisit {
		return children
	}
	return []html.HTML{html.Tag(`div id="rest" hidden`, children...),
		html.El(`button type="button" class="advanced" data-event="more" aria-expanded="false" aria-controls="rest"`, nil,
			html.Text(p.w.T("setup.more")), html.Icon("i-caret", "i"))}
}

// firstSlider returns the parameter of a method that a first visitor can change: temperatures, else the first main one.
// For other visitors, who see all parameters, it returns "".
func (p *page) firstSlider(method string) (first string) {
	if !p.Panels.FirstVisit {
		return ""
	}
	info, _ := catalog.Method(method)
	for _, q := range info.Params {
		switch {
		case q.Main && q.Name == "temperatures":
			return q.Name
		case q.Main && first == "":
			first = q.Name
		}
	}
	return first
}

// commonFields returns the fields that belong to all methods: replicates, the wanted error bar and its limit.
func (p *page) commonFields(s *spec.Spec) (out []html.HTML) {
	for _, c := range [...]struct{ key, value string }{
		{"replicates", fmt.Sprint(s.Replicates)}, {"target", p.optional(s.Target)}, {"limit", p.optional(s.Limit)}} {
		if c.key == "limit" && s.Target == 0 {
			continue
		}
		out = append(out, html.El(`div class="param"`, html.At("data-key", c.key),
			html.El("label", html.At("for", c.key), html.Text(p.w.T(c.key))),
			number(c.key, c.value, c.key+"-why"), html.El(`p class="why"`, html.At("id", c.key+"-why"),
				html.Text(p.w.T(c.key+".why")))))
	}
	return out
}

// optional formats a number; "" if it is 0, which means not set.
func (p *page) optional(x float64) string {
	if x == 0 {
		return ""
	}
	return p.Num(spec.Decimal(x))
}

func number(id, value, help string) html.HTML {
	return html.El(`input type="text" inputmode="numeric" autocomplete="off" spellcheck="false"`,
		html.At("id", id, "value", value, "aria-describedby", help))
}
