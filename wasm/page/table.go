package page

import (
	"fmt"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/report"
)

// columns of the results, in order; their words are field.NAME and help.NAME.
var columns = []string{"logz", "se", "floor", "lower", "upper", "truth", "error", "sweeps", "seconds", "verdict",
	"hash"}

// Cell is a number for people and, in Value, the exact decimal. Faint counts the
// trailing characters that the error bar reaches. Note stands below the number, Help is its tooltip.
type Cell struct {
	Text, Value string
	Faint       int
	Note, Help  string
}

// numbers is the table of everything, below the fold, each number explained.
func (p *pane) numbers() HTML {
	w := p.w
	heads := []HTML{tagText(`th scope="col"`, w.T("method"))}
	var help []HTML
	for _, f := range columns {
		heads = append(heads, el(`th scope="col"`, at("title", w.T("help."+f)), text(w.T("field."+f))))
		help = append(help, el("div", at("data-key", f), tagText("dt", w.T("field."+f)), tagText("dd", w.T("help."+f))))
	}
	var rows, notes []HTML
	for i, r := range p.reports {
		rows = append(rows, p.row(i, r))
		for _, n := range p.notes(r) {
			notes = append(notes, el("li", at("data-key", r.Method+n), tagText("b", label(r.Method)+": "), text(n)))
		}
	}
	if p.reports == nil && p.spec != nil {
		for i, m := range p.spec.Methods {
			rows = append(rows, p.row(i, &report.Report{Method: m, State: "queued", LogZ: report.NaN, SE: report.NaN,
				Lower: report.NaN, Upper: report.NaN, Provisional: true}))
		}
	}
	tools := []HTML{tagText("h2", w.T("numbers"))}
	none := p.reports == nil
	for _, x := range [][2]string{{"command", "copy.command"}, {"csv", "csv"}, {"json", "json"}, {"picture", "png"}} {
		off := none || x[0] == "picture" && p.stage.state != "ready"
		tools = append(tools, el(`button type="button" data-event="export"`,
			at("data-value", x[0], "disabled", when(off)), text(w.T(x[1]))))
	}
	return el(`section id="numbers" class="numbers"`, at("aria-label", w.T("numbers")),
		tag(`div class="row"`, tools...),
		el(`div class="wrap" tabindex="0" role="region"`, at("aria-label", w.T("table.title", w.T("numbers"))),
			tag(`table id="results"`, tag("thead", tag("tr", heads...)), tag("tbody", rows...))),
		tag(`ul class="notes why"`, notes...),
		p.sumButton(),
		tagText(`p class="why"`, w.T("numbers.why")),
		tag("dl", help...))
}

// row is one method.
func (p *pane) row(i int, r *report.Report) HTML {
	w := p.w
	state := r.State
	if p.state == "paused" && state == "running" {
		state = "paused"
	}
	cells := p.cells(r)
	says := w.T("row." + state)
	if r.Provisional && report.IsNumber(r.LogZ) {
		says = w.T("sofar", says)
	}
	out := []HTML{tag(`th scope="row"`, mark(i), tagText("b", label(r.Method)), tagText(`span class="state"`, says))}
	for _, f := range columns {
		c := cells[f]
		a := at("data-field", f, "data-value", c.Value)
		switch {
		case f == "verdict" && c.Value != "":
			out = append(out, el("td", a, icon("v-"+c.Value, "i "+c.Value), text(c.Text)))
		case f == "hash" && c.Text != "":
			out = append(out, el("td", a, tagText("code", c.Text)))
		case c.Faint > 0:
			n := len(c.Text) - c.Faint
			out = append(out, el("td", a, text(c.Text[:n]), tagText(`span class="soft"`, c.Text[n:])))
		case c.Help != "":
			out = append(out, el("td", append(a, "title", c.Help), text(c.Text), tagText("small", c.Note)))
		default:
			out = append(out, el("td", a, text(c.Text)))
		}
	}
	prov := absent
	if r.Provisional {
		prov = "true"
	}
	return el("tr", at("data-key", r.Method, "data-method", r.Method, "data-state", state, "data-provisional", prov),
		out...)
}

// cells are one method's results as text.
func (p *pane) cells(r *report.Report) map[string]Cell {
	cells := map[string]Cell{}
	d := format.Decimals(float64(r.SE))
	known := report.IsNumber(r.LogZ)
	put := func(field string, x report.Number, digits int) {
		if report.IsNumber(x) {
			cells[field] = Cell{Text: p.num(format.Fixed(float64(x), digits)), Value: spec.Decimal(float64(x))}
		}
	}
	put("logz", r.LogZ, d)
	if c, ok := cells["logz"]; ok && report.IsNumber(r.SE) {
		c.Faint = 1
		cells["logz"] = c
	}
	put("se", r.SE, d)
	if c, ok := cells["se"]; ok {
		c.Help = p.w.Phrase(estimators.SEMeans[r.SEMethod])
		if like := r.Calibration; like != nil {
			c.Note = p.w.T("held.short", 100*like.Within2, p.count(float64(like.Runs)))
			c.Help += " " + p.w.T("held.means")
		}
		cells["se"] = c
	}
	if r.Floor != nil {
		put("floor", r.Floor.LogZ, 2)
	}
	put("lower", r.Lower, 2)
	put("upper", r.Upper, 2)
	if r.Truth != nil {
		put("truth", r.Truth.LogZ, max(d, 2))
		if known {
			e := float64(r.LogZ - r.Truth.LogZ)
			cells["error"] = Cell{Text: p.num(format.Signed(e, max(d, 2))), Value: spec.Decimal(e)}
		}
	}
	if known {
		c := Cell{Text: p.count(workOf(r)), Value: spec.Decimal(float64(r.Cost.Sweeps)), Help: p.w.T("help.sweeps")}
		if r.Cost.Sweeps == 0 && draws(r) > 0 {
			c.Note = p.w.T("draws")
		}
		cells["sweeps"] = c
		t, done := p.took[r.Method]
		if !done {
			t = p.elapsed()
		}
		cells["seconds"] = Cell{Text: p.num(fmt.Sprintf("%.1f", t)), Value: spec.Decimal(t)}
		cells["verdict"] = Cell{Text: p.verdict(r), Value: r.Verdict.Level}
	}
	if r.State == "done" {
		cells["hash"] = Cell{Text: format.Spaced(r.Hash), Value: r.Hash}
	}
	return cells
}

// mostSum is how many seconds of adding up the exact value the page offers.
const mostSum = 600

// sumButton offers to add up the exact value of a run that is over, where that takes some minutes.
func (p *pane) sumButton() HTML {
	if p.state != "done" || len(p.reports) == 0 || p.reports[0].Truth != nil || p.reports[0].Hint == "" {
		return ""
	}
	seconds, ok := p.job.SumSeconds()
	if !ok || seconds > mostSum {
		return ""
	}
	return tagText(`button type="button" id="sum" data-event="sum"`, p.w.T("exact.sum", p.num(format.Seconds(seconds))))
}

// notes are the flags that a reader of a row must know.
func (p *pane) notes(r *report.Report) []string {
	var out []string
	if r.State == "done" {
		for _, f := range r.Notes() {
			out = append(out, p.w.Phrase(diag.Means[f]))
		}
		if r.Truth == nil && r.Hint != "" {
			out = append(out, p.w.T("exact.hint", r.Hint))
		}
	}
	if r.Err != nil {
		out = append(out, p.w.T("row.error", p.w.Explain(r.Err)))
	}
	return out
}
