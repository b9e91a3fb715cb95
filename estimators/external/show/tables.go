package show

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/estimators/external"
	"logzlab/estimators/verdict"
	"logzlab/render/html"
)

// table returns a table with a label for screen readers. heads are the headings of the columns; the first cell of each
// row is its heading.
func (p *reportPage) table(label string, heads []string, rows [][]html.HTML) html.HTML {
	var head, body []html.HTML
	for _, h := range heads {
		head = append(head, html.TagText(`th scope="col"`, p.w.Phrase(h)))
	}
	for i, r := range rows {
		cells := []html.HTML{html.Tag(`th scope="row"`, r[0])}
		for _, c := range r[1:] {
			cells = append(cells, html.Tag("td", c))
		}
		body = append(body, html.El("tr", html.At("data-key", strconv.Itoa(i)), cells...))
	}
	return html.El(`div class="wrap" tabindex="0" role="region"`, html.At("aria-label", label),
		html.Tag(`table class="data"`, html.Tag("thead", html.Tag("tr", head...)), html.Tag("tbody", body...)))
}

// estimates returns the section with the table of all methods and, if there are several, the table of runs.
func (p *reportPage) estimates() html.HTML {
	var rows [][]html.HTML
	for _, r := range p.reports {
		name := html.El(`button type="button" data-event="samples-method"`, html.At("data-value", r.Method,
			"aria-pressed", html.Yes(r == p.r), "title", p.w.Phrase(about(r.Method))), html.Text(r.Method))
		level := r.Verdict.Level
		rows = append(rows, []html.HTML{name, html.Text(p.value(r.LogZ, r.SE)), html.Text(p.w.Phrase(p.bias(r))),
			html.El("span", html.At("class", "level "+level), html.Icon("v-"+level, "i"),
				html.TagText("span", p.w.T("verdict."+level)))})
	}
	children := []html.HTML{p.table(p.w.Phrase("Estimates"), []string{"Method", p.unitHead(), "Bias", "Verdict"}, rows)}
	if len(p.r.Replicates) > 0 {
		rows = nil
		for i, z := range p.r.Replicates {
			se := verdict.NaN
			if i < len(p.r.ReplicateSE) {
				se = p.r.ReplicateSE[i]
			}
			rows = append(rows, []html.HTML{html.Text(strconv.Itoa(i + 1)), html.Text(p.value(z, se))})
		}
		children = append(children, p.table(p.w.Phrase("Runs"), []string{"Run", p.unitHead()}, rows))
	}
	return section(p.w.Phrase("Estimates"), children...)
}

// unitHead returns the heading of a column of results, with the unit of free energies.
func (p *reportPage) unitHead() string {
	if p.r.FreeEnergy != nil {
		return "ΔF in " + p.units
	}
	return "log Z"
}

// bias returns the direction of a method's bias as text. A free energy has the opposite sign of log Z.
func (p *reportPage) bias(r *external.Report) string {
	switch {
	case r.Bias == "either":
		return "either side"
	case (r.Bias == "up") == (r.FreeEnergy == nil):
		return "tends high"
	}
	return "tends low"
}

// about returns the description of a method, "" if it is unknown.
func about(method string) string {
	for _, m := range external.Methods {
		if m.Name == method {
			return m.About
		}
	}
	return ""
}

// translateMeasure translates the value or the limit of a check: a number with a unit.
func (p *reportPage) translateMeasure(text string) string {
	for _, unit := range []string{"bars", "% or more"} {
		if x, ok := strings.CutSuffix(text, " "+unit); ok {
			return p.w.Number(x) + " " + p.w.Phrase(unit)
		}
	}
	return p.w.Measure(text)
}

// translatePosition translates the position of a check: labels of rungs, or a list of results by run.
func (p *reportPage) translatePosition(text string) string {
	text = strings.ReplaceAll(p.w.Number(text), ": -", ": −")
	for _, word := range []string{"to", "run", "stone", "power"} {
		text = strings.ReplaceAll(" "+text, " "+word+" ", " "+p.w.Phrase(word)+" ")[1:]
	}
	return text
}

// checks returns the section with the checks, those of level stop first, then caution, then trust.
func (p *reportPage) checks() html.HTML {
	var items []html.HTML
	for _, level := range []string{verdict.Stop, verdict.Caution, verdict.Trust} {
		for _, c := range p.r.Verdict.Checks {
			if c.Level() != level {
				continue
			}
			position, explanation := "", ""
			if c.At != "" {
				position = " (" + p.translatePosition(c.At) + ")"
			}
			if !c.OK {
				explanation = p.w.Phrase(c.Meaning) + " " + p.w.Phrase(c.Advice)
			}
			status := "check.passed"
			if !c.OK {
				status = "check.fail"
			}
			items = append(items, html.El("li", html.At("data-key", c.Name), html.El("span", html.At("class", level),
				html.Icon("v-"+level, "i"), html.TagText(`span class="vh"`, p.w.T(status))),
				html.TagText("b", p.w.Phrase(c.Name)), html.TagText("em", p.translateMeasure(c.Text)+position),
				html.TagText(`span class="needs"`, p.translateMeasure(c.Needs)), html.TagText(`p class="why"`, explanation)))
		}
	}
	return section(p.w.T("checks.of", p.r.Method), html.Tag(`ul class="conditions"`, items...))
}

// rungs returns the table of rungs.
func (p *reportPage) rungs() html.HTML {
	if len(p.r.Ladder) == 0 {
		return ""
	}
	var rows [][]html.HTML
	text := func(x verdict.Number, decimals int) html.HTML {
		if !verdict.IsNumber(x) {
			return html.Text("–")
		}
		return html.Text(p.w.Number(format.Fixed(float64(x), decimals)))
	}
	for _, k := range p.r.Ladder {
		rows = append(rows, []html.HTML{html.Text(p.w.Number(k.Label)), html.Text(strconv.Itoa(k.Samples)),
			html.Text(strconv.Itoa(k.BurnIn)), text(k.Inefficiency, 1), text(k.Effective, 0), text(100*k.Overlap, 0),
			html.Text(p.withError(k.LogZ, verdict.NaN)), text(k.SE, format.Decimals(float64(k.SE))), text(100*k.Share, 1)})
	}
	return html.Tag("details", html.TagText("summary", p.w.Phrase("All rungs as a table")), p.table(
		p.w.Phrase("All rungs as a table"), []string{"Rung", "Samples", "Burn-in", "Samples per independent one",
			"Effective samples", "Overlap with the next, %", "log Z relative to the base", "Contribution to the error",
			"Share of the error, %"}, rows))
}

// options returns the form with the options that affect the report, "" if none does.
func (p *reportPage) options() html.HTML {
	var fields []html.HTML
	field := func(key, label, help string, control html.HTML) {
		fields = append(fields, html.El(`div class="field"`, html.At("data-key", key),
			html.El("label", html.At("for", "samples-"+key), html.Text(p.w.Phrase(label))), control,
			html.TagText(`p class="why"`, p.w.Phrase(help))))
	}
	choice := func(key, current string, values []string) html.HTML {
		var options []html.HTML
		for _, v := range values {
			options = append(options, html.El("option", html.At("value", v, "selected", html.When(v == current)),
				html.Text(p.w.Phrase(v))))
		}
		return html.El("select", html.At("id", "samples-"+key), options...)
	}

	if p.r.FreeEnergy != nil && verdict.IsNumber(p.r.FreeEnergy.KJ) {
		field("units", "Units", "Of differences of free energies.", choice("units", p.units, []string{unitKT, unitKJ,
			unitKCal}))
	}
	for _, o := range external.Params {
		if o.Name == "alpha" && p.r.Source != "BEAST 2 path sampling" || o.Name == "rule" && !p.hasReport("ti") ||
			p.r.Method == "sums" || p.r.Method == "nested" {
			continue
		}
		current := p.r.Params[o.Name]
		control := html.El(`input type="text" autocomplete="off"`, html.At("id", "samples-"+o.Name, "value", current))
		if o.Choices != nil {
			control = choice(o.Name, current, o.Choices)
		}
		field(o.Name, labels[o.Name], o.Help, control)
	}
	if fields == nil {
		return ""
	}
	return html.Tag(`section class="options"`, html.TagText("h3", p.w.Phrase("Change the options")),
		html.Tag(`div class="fields"`, fields...))
}

// labels has the label of each option by its name.
var labels = map[string]string{"independent": "Independent samples", "burn_in": "Burn-in, %", "rule": "Quadrature rule of ti",
	"alpha": "Alpha of the powers"}

// hasReport reports whether there is a report by a method.
func (p *reportPage) hasReport(method string) bool {
	return slices.ContainsFunc(p.reports, func(r *external.Report) bool { return r.Method == method })
}

// receipt returns the section with the files, the options and the hash of the result.
func (p *reportPage) receipt() html.HTML {
	var files []html.HTML
	for _, f := range p.r.Files {
		files = append(files, html.Tag("li", html.TagText("span", f.Name), html.TagText("code", f.SHA256)))
	}
	options := ""
	for _, key := range slices.Sorted(maps.Keys(p.r.Params)) {
		options += fmt.Sprintf("%s=%s  ", key, p.r.Params[key])
	}
	return section(p.w.Phrase("Receipt"), html.TagText("p", p.w.Phrase("The same files and options give the same "+
		"result and this hash anywhere, also with the command: logz read FILES.")),
		html.Tag(`dl class="facts"`, html.TagText("dt", p.r.Method), html.Tag("dd", html.TagText("code", p.r.Hash)),
			html.TagText("dt", p.w.Phrase("Options")), html.Tag("dd", html.TagText("code", options)),
			html.TagText("dt", "LogZ Lab"), html.TagText("dd", p.r.Version)),
		html.Tag("details", html.TagText("summary", p.w.Phrase("SHA-256 of the files")), html.Tag(`ul class="sums"`,
			files...)))
}
