package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/words"
)

// setup is the left pane: model, methods, main parameters, seed, all the rest.
func (p *pane) setup() HTML {
	w := p.w
	kids := []HTML{
		p.closeButton("quiet sheet-close", "sheet"),
		p.modelField(), p.methodsField(),
	}
	var extra []HTML
	more := 0
	if s := p.spec; s != nil {
		focus := engine.Company(s, s.Methods[p.focus])[0]
		var main []HTML
		group := func(method, title string, params []spec.Param) {
			values := s.Values(params, method)
			company := engine.Company(s, method)
			var rest, shared []HTML
			for _, q := range params {
				switch {
				case !s.Acts(p.names(), method, q.Name):
				case method == focus && q.Main:
					main = append(main, p.param(method, q, values[q.Name], true))
				case len(company) > 1 && method != company[0] && ofRun(method, q.Name):
					shared = append(shared, p.param(method, q, values[q.Name], false))
				default:
					rest = append(rest, p.param(method, q, values[q.Name], false))
				}
			}
			more += len(rest)
			if len(shared) > 0 {
				rest = append(rest, el("details", at("data-key", method+" run"),
					append([]HTML{tagText("summary", p.w.T("run.of", label(company[0])))}, shared...)...))
			}
			if len(rest) > 0 {
				extra = append(extra, tagText("h3", title), el(`div class="group"`, at("data-key", method), rest...))
			}
		}
		for _, m := range s.Methods {
			info, _ := catalog.Method(m)
			group(m, label(m), info.Params)
		}
		group("", w.T("model"), p.modelParams())
		kids = append(kids, el(`div class="params"`, at("data-key", "params "+focus), main...))
		kids = append(kids, tag(`div class="field seed-row" data-key="seed"`, tagText(`label for="seed"`, w.T("seed")),
			number("seed", fmt.Sprint(s.Seed), "seed-why"), tagText(`p class="why" id="seed-why"`, w.T("seed.why"))))
		for _, c := range [...]struct{ key, value string }{
			{"replicates", fmt.Sprint(s.Replicates)}, {"target", p.optional(s.Target)}, {"limit", p.optional(s.Limit)}} {
			if c.key == "limit" && s.Target == 0 {
				continue
			}
			extra = append(extra, el(`div class="param"`, at("data-key", c.key), el("label", at("for", c.key), text(w.T(c.key))),
				number(c.key, c.value, c.key+"-why"), el(`p class="why"`, at("id", c.key+"-why"), text(w.T(c.key+".why")))))
			more++
		}
	} else {
		kids = append(kids, tag(`div class="field seed-row" data-key="seed"`,
			tagText(`label for="seed"`, w.T("seed")), number("seed", "", absent)))
	}
	if more > 0 {
		kids = append(kids,
			el(`button type="button" class="advanced" data-event="advanced" aria-controls="advanced"`,
				at("aria-expanded", yes(p.panels.advanced)),
				text(w.T("advanced")), tag("span", text(w.T("more", more)), icon("i-caret", "i"))),
			el(`div id="advanced"`, at("hidden", when(!p.panels.advanced)), extra...))
	}
	kids = append(kids, p.setupRoom(),
		tag(`div class="drop why" data-key="drop"`, tagText(`label for="file"`, w.T("own")), text(w.T("own.why")),
			tag(`input type="file" id="file" multiple data-keep="" `+
				`accept=".json,.npz,.mat,.safetensors,.csv,.npy,.idx,.idx3-ubyte,.gz,.txt"`)),
		p.trainOffer(),
		// Where the setup covers the page's own.
		button("primary setup-run", "run", "", icon("i-play", "i"), text(w.T("run"))))
	return el(`aside id="setup" class="setup"`, at("aria-label", w.T("setup")), kids...)
}

// optional is a number that may be left out, 0: it is.
func (p *pane) optional(x float64) string {
	if x == 0 {
		return ""
	}
	return p.num(spec.Decimal(x))
}

func number(id, value, help string) HTML {
	return el(`input type="text" inputmode="numeric" autocomplete="off" spellcheck="false"`,
		at("id", id, "value", value, "aria-describedby", help))
}

func (p *pane) modelField() HTML {
	w := p.w
	var groups []HTML
	group := ""
	var options []HTML
	flush := func() {
		if len(options) > 0 {
			groups = append(groups, el("optgroup", at("label", group), options...))
		}
		options = nil
	}
	chosen := ""
	if p.spec != nil {
		chosen = p.spec.Model
	}
	add := func(name, label, in string) {
		if in != group {
			flush()
			group = in
		}
		on := when(name == chosen)
		options = append(options, el("option", at("value", name, "title", name, "selected", on), text(label)))
	}
	for _, e := range catalog.Kinds.Builtin() {
		add(e.Name, w.Plain(e.Name), w.Phrase(e.Kind.Title))
	}
	if p.own.id != "" {
		add(p.own.id, p.own.name, w.T("kind.own"))
	} else if spec.IsFile(chosen) {
		add(chosen, chosen, w.T("kind.own"))
	}
	flush()
	if chosen == "" { // none is chosen, so that choosing any is news
		groups = append(groups, tag(`option value="" disabled hidden selected`))
	}
	return tag(`div class="field s-model"`, tagText(`label for="model"`, w.T("model")),
		tag(`select id="model" aria-describedby="model-about"`, groups...),
		tagText(`p class="why" id="model-about"`, p.about()), p.againstField())
}

// about says what the model is and whether its exact value is known.
func (p *pane) about() string {
	if p.spec == nil {
		return ""
	}
	for _, e := range catalog.Kinds.Builtin() {
		if e.Name == p.spec.Model {
			known := p.w.T("exact.known")
			if e.Truth == "" {
				known = p.w.T("exact.none")
			}
			return p.w.T("model.named", e.Name, p.w.Phrase(e.About), known)
		}
	}
	if p.lacksOwn() {
		return p.w.T("own.lacks", p.spec.Model)
	}
	about := p.w.T("own.about", p.own.name)
	if p.own.summary != nil {
		about += ". " + p.w.Number(p.w.Sentence(p.own.summary))
		if p.own.rows.id == "" {
			about += " " + p.w.T("rows.drop")
		}
	}
	return about
}

func (p *pane) methodsField() HTML {
	w := p.w
	var items, others []HTML
	var chosen []string
	if p.spec != nil {
		chosen = p.spec.Methods
	}
	box := func(name, says string, on, disabled bool) HTML {
		return el(`input type="checkbox" name="method"`,
			at("value", name, "checked", when(on), "disabled", when(disabled), "aria-label", says))
	}
	for i, m := range chosen {
		info, _ := catalog.Method(m)
		items = append(items, el("li", at("data-key", m), mark(i),
			el(`button type="button" class="name" data-event="focus"`,
				at("data-value", m, "aria-pressed", yes(i == p.focus), "title", w.T("focus.title", label(m))), text(label(m))),
			el(`span class="short"`, at("title", w.Phrase(info.About)), text(w.Phrase(info.Short))),
			tag(`label class="x"`, box(m, w.T("remove", label(m)), true, false), icon("i-close", "i"))))
	}
	for _, m := range catalog.Methods {
		if !slices.Contains(chosen, m.Name) && p.suits(m.Name) {
			others = append(others, el("li", at("data-key", m.Name), tag("label",
				box(m.Name, w.T("add", m.Label), false, len(chosen) >= maxMethods), icon("i-plus", "i"),
				tagText("b", m.Label), tagText(`span class="why"`, w.Phrase(m.About)))))
		}
	}
	if len(others) > 0 && len(chosen) < maxMethods {
		items = append(items, el(`li class="add"`, at("data-key", "+"),
			el(`button type="button" data-event="adding" aria-controls="more"`, at("aria-expanded", yes(p.panels.adding)),
				icon("i-plus", "i"), text(w.T("add.method")))))
	}
	cost := ""
	if lo, hi := p.costs(); len(p.reports) > 1 && p.oneRun() {
		cost = w.T("cost.shared", p.count(hi))
	} else if len(p.reports) > 1 && hi <= 1.5*lo {
		cost = w.T("cost.equal", p.num(format.Short(hi, 2)))
	} else if len(p.reports) > 1 {
		cost = w.T("cost.range", p.count(lo), p.count(hi))
	} else if len(p.reports) == 1 && p.job.Planned(p.spec.Methods[0]) == 0 {
		cost = w.T("cost.draws", p.count(hi))
	} else if len(p.reports) == 1 {
		cost = w.T("cost.one", p.count(hi))
	}
	return tag(`fieldset class="field methods"`, tagText("legend", w.T("methods")),
		tag(`ul id="methods"`, items...), el(`ul id="more"`,
			at("hidden", when(!p.panels.adding || len(chosen) >= maxMethods)), others...),
		el(`p class="why"`, at("title", w.T("help.sweeps")), text(cost)))
}

// oneRun reports whether all methods read the same run.
func (p *pane) oneRun() bool {
	return !slices.ContainsFunc(p.spec.Methods, func(m string) bool { return !p.job.SameRun(m, p.spec.Methods[0]) })
}

// costs are the smallest and the largest cost of the methods.
func (p *pane) costs() (lo, hi float64) {
	lo = math.Inf(1)
	for _, r := range p.reports {
		c := p.cost(r)
		lo, hi = min(lo, c), max(hi, c)
	}
	return min(lo, hi), hi
}

// cost is what a method will have cost, as planned until it is done: sweeps, or plain draws.
func (p *pane) cost(r *report.Report) float64 {
	if r.State == "done" {
		return workOf(r)
	}
	c := p.job.Planned(r.Method)
	if draws, err := strconv.ParseFloat(r.Spec.Params["particles"], 64); err == nil && c == 0 {
		c = draws
	}
	return math.Round(c) * float64(p.spec.Replicates)
}

// param is a control: the value itself and, for main numbers, a slider.
func (p *pane) param(method string, q spec.Param, value string, main bool) HTML {
	key := q.Name
	if method != "" {
		key = method + "." + key
	}
	if q.Name == scheduleParam {
		return p.scheduleField(method, key, value)
	}
	id := "p-" + key
	name := strings.ReplaceAll(q.Name, "_", " ")
	name = p.w.Plain(strings.ToUpper(name[:1]) + name[1:])
	var control, list HTML
	x, _ := strconv.ParseFloat(value, 64)
	if q.Type == "choice" {
		var options []HTML
		for _, c := range q.Choices {
			options = append(options, el("option", at("value", c, "selected", when(c == value)), text(c)))
		}
		control = el("select", at("id", id, "data-param", key, "aria-describedby", id+"-help"), options...)
	} else {
		mode := map[string]string{"int": "numeric", "float": "decimal"}[q.Type]
		bounds := absent
		if q.Max > q.Min {
			bounds = p.w.T("from.to", p.count(q.Min), p.count(q.Max))
		}
		if q.Type == "int" && method != "" && x >= 1000 {
			value = p.count(x)
		}
		control = el(`input type="text" autocomplete="off" spellcheck="false"`,
			at("id", id, "data-param", key, "value", value, "inputmode", mode, "title", bounds, "aria-describedby", id+"-help"))
	}
	kids := []HTML{el("label", at("for", id), text(name)), control, list}
	if main {
		kids = append(kids, el(`input type="range" min="0" max="100"`,
			at("data-slide", key, "value", fmt.Sprint(position(q, x)), "aria-label", label(method)+" "+name,
				"aria-valuetext", value)),
			el(`p class="vh"`, at("id", id+"-help"), text(p.w.Phrase(q.Help))))
		return el(`div class="param slide"`, at("data-key", key+" main"), kids...)
	}
	kids = append(kids, el(`p class="why"`, at("id", id+"-help"), text(p.w.Phrase(q.Help))))
	return el(`div class="param"`, at("data-type", q.Type, "data-key", key), kids...)
}

// paramOf finds the parameter of a method by its key, method.name.
func paramOf(key string) (spec.Param, bool) {
	method, name, _ := strings.Cut(key, ".")
	params, _ := catalog.Names{}.MethodParams(method)
	i := slices.IndexFunc(params, func(q spec.Param) bool { return q.Name == name })
	if i < 0 {
		return spec.Param{}, false
	}
	return params[i], true
}

// num writes the numbers that package format made the way the page's language does.
func (b *Brain) num(s string) string { return b.words.Number(s) }

// count is a whole number with its thousands set apart.
func (b *Brain) count(x float64) string { return b.num(format.Thousands(x)) }

// ungroup takes the separators out of a whole number written as count writes it, or with spaces, or in German with
// points; any other text stays.
func ungroup(s string, w *words.Language) string {
	signs := []string{",", words.Narrow, " ", "\u00a0"}
	if w.Comma() {
		signs = append(signs[1:], ".")
	}
	for _, sign := range signs {
		bare := strings.ReplaceAll(s, sign, "")
		if x, err := strconv.ParseFloat(bare, 64); err == nil && strings.ReplaceAll(format.Thousands(x), ",", sign) == s {
			return bare
		}
	}
	return s
}

// reach is what a slider spans: a hundredfold around the default, logarithmically.
func reach(q spec.Param) (lo, hi float64) {
	d, _ := strconv.ParseFloat(q.Default, 64)
	d = max(d, 1)
	return max(q.Min, math.Floor(d/50), 2), min(q.Max, d*50)
}

// position of a value on its slider, 0 to 100.
func position(q spec.Param, x float64) int {
	lo, hi := reach(q)
	return int(math.Round(100 * math.Log(min(max(x, lo), hi)/lo) / math.Log(hi/lo)))
}

// slid is the value at a position: two significant digits.
func slid(q spec.Param, pos int) float64 {
	lo, hi := reach(q)
	x := lo * math.Pow(hi/lo, float64(pos)/100)
	unit := math.Pow(10, max(math.Floor(math.Log10(x))-1, 0))
	return min(max(math.Round(x/unit)*unit, lo), hi)
}
