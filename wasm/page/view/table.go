package view

import (
	"fmt"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// columns are the columns of the table in order. The title of a column has the key field.NAME, its tooltip help.NAME.
var columns = []string{"logz", "se", "floor", "lower", "upper", "truth", "error", "sweeps", "seconds", "verdict",
	"hash"}

// Cell is a formatted number and, in Value, the exact decimal. Faint is the number of trailing characters within the
// error bar. Note is shown below the number, Help is its tooltip.
type Cell struct {
	Text, Value string
	Faint       int
	Note, Help  string
}

// numbers is the table of all results, with an explanation of each column.
func (p *page) numbers() html.HTML {
	w := p.w
	heads := []html.HTML{html.TagText(`th scope="col"`, w.T("method"))}
	var help []html.HTML
	for _, f := range columns {
		heads = append(heads, html.El(`th scope="col"`, html.At("title", w.T("help."+f)), html.Text(w.T("field."+f))))
		help = append(help, html.El("div", html.At("data-key", f), html.TagText("dt", w.T("field."+f)),
			html.TagText("dd", w.T("help."+f))))
	}

	// One row for each method, also before a run.
	var rows, notes []html.HTML
	for i, r := range p.Reports {
		rows = append(rows, p.row(i, r))
		for _, n := range p.notes(r) {
			notes = append(notes, html.El("li", html.At("data-key", r.Method+n), html.TagText("b", state.Label(r.Method)+": "),
				html.Text(n)))
		}
	}
	if p.Reports == nil && p.Spec != nil {
		for i, m := range p.Spec.Methods {
			rows = append(rows, p.row(i, &report.Report{Method: m, State: runstate.MethodQueued, LogZ: report.NaN, SE: report.NaN,
				Lower: report.NaN, Upper: report.NaN, Provisional: true}))
		}
	}

	// Exports.
	tools := []html.HTML{html.TagText("h2", w.T("numbers"))}
	hasNoResults := p.Reports == nil
	for _, x := range [][2]string{{"command", "copy.command"}, {"csv", "csv"}, {"json", "json"}, {"picture", "png"}} {
		isDisabled := hasNoResults || x[0] == "picture" && p.Canvas.State != state.CanvasReady
		tools = append(tools, html.El(`button type="button" data-event="export"`,
			html.At("data-value", x[0], "disabled", html.When(isDisabled)), html.Text(w.T(x[1]))))
	}
	return html.El(`section id="numbers" class="numbers"`, html.At("aria-label", w.T("numbers")),
		html.Tag(`div class="row"`, tools...),
		html.El(`div class="wrap" tabindex="0" role="region"`, html.At("aria-label", w.T("table.title", w.T("numbers"))),
			html.Tag(`table id="results"`, html.Tag("thead", html.Tag("tr", heads...)), html.Tag("tbody", rows...))),
		html.Tag(`ul class="notes why"`, notes...),
		p.continueButton("sum", p.SumSeconds), p.continueButton("narrow", p.NarrowSeconds),
		html.TagText(`p class="why"`, w.T("numbers.why")),
		html.Tag("dl", help...))
}

// row is the row of one method.
func (p *page) row(i int, r *report.Report) html.HTML {
	w := p.w
	status := string(r.State)
	if p.State == runstate.Paused && r.State == runstate.MethodRunning {
		status = string(runstate.Paused)
	}

	// The method and the state of its run.
	cells := p.cells(r)
	statusText := w.T("row." + status)
	if r.Provisional && report.IsNumber(r.LogZ) {
		statusText = w.T("sofar", statusText)
	}
	out := []html.HTML{html.Tag(`th scope="row"`, html.Mark(i), html.TagText("b", state.Label(r.Method)),
		html.TagText(`span class="state"`, statusText))}

	// The cells.
	for _, f := range columns {
		c := cells[f]
		a := html.At("data-field", f, "data-value", c.Value)
		switch {
		case f == "verdict" && c.Value != "" && c.Value != "none":
			out = append(out, html.El("td", a, html.Icon("v-"+c.Value, "i "+c.Value), html.Text(c.Text)))
		case f == "hash" && c.Text != "":
			out = append(out, html.El("td", a, html.TagText("code", c.Text)))
		case c.Faint > 0:
			n := len(c.Text) - c.Faint
			out = append(out, html.El("td", a, html.Text(c.Text[:n]), html.TagText(`span class="soft"`, c.Text[n:])))
		case c.Help != "":
			out = append(out, html.El("td", append(a, "title", c.Help), html.Text(c.Text), html.TagText("small", c.Note)))
		default:
			out = append(out, html.El("td", a, html.Text(c.Text)))
		}
	}

	prov := html.Absent
	if r.Provisional {
		prov = "true"
	}
	return html.El("tr", html.At("data-key", r.Method, "data-method", r.Method, "data-state", status, "data-provisional",
		prov),
		out...)
}

// cells returns the results of one method as text.
func (p *page) cells(r *report.Report) map[string]Cell {
	cells := map[string]Cell{}
	d := format.Decimals(float64(r.SE))
	hasLogZ := report.IsNumber(r.LogZ)
	addNumber := func(field string, x report.Number, digits int) {
		if report.IsNumber(x) {
			cells[field] = Cell{Text: p.Num(format.Fixed(float64(x), digits)), Value: spec.Decimal(float64(x))}
		}
	}

	// log Z and its error bar.
	addNumber("logz", r.LogZ, d)
	if c, ok := cells["logz"]; ok && report.IsNumber(r.SE) {
		c.Faint = 1
		cells["logz"] = c
	}
	addNumber("se", r.SE, d)
	if c, ok := cells["se"]; ok {
		c.Help = p.w.Phrase(estimators.SEMeans[r.SEMethod])
		if like := r.Calibration; like != nil {
			c.Note = p.w.T("held.short", 100*like.Within2, p.Count(float64(like.Runs)))
			c.Help += " " + p.w.T("held.means")
		}
		cells["se"] = c
	}

	// Bounds, the exact value and the error.
	if r.Floor != nil {
		bound := float64(r.Floor.LogZ)
		cells["floor"] = Cell{Text: p.Num(format.RoundDown(bound, 2)), Value: spec.Decimal(bound)}
	}
	addNumber("lower", r.Lower, 2)
	addNumber("upper", r.Upper, 2)
	if r.Truth != nil {
		addNumber("truth", r.Truth.LogZ, max(d, 2))

		// Cost, verdict and hash.
		if hasLogZ {
			e := float64(r.LogZ - r.Truth.LogZ)
			cells["error"] = Cell{Text: p.Num(format.Signed(e, max(d, 2))), Value: spec.Decimal(e)}
		}
	}
	if hasLogZ {
		c := Cell{Text: p.Count(state.WorkOf(r)), Value: spec.Decimal(float64(r.Cost.Sweeps)), Help: p.w.T("help.sweeps")}
		if r.Cost.Sweeps == 0 && state.Draws(r) > 0 {
			c.Note = p.w.T("draws")
		}
		cells["sweeps"] = c
		t, done := p.MethodSeconds[r.Method]
		if !done {
			t = p.Elapsed
		}
		cells["seconds"] = Cell{Text: p.Num(fmt.Sprintf("%.1f", t)), Value: spec.Decimal(t)}
		cells["verdict"] = Cell{Text: p.Verdict(r), Value: state.Level(r)}
	}
	if r.State == runstate.MethodDone {
		cells["hash"] = Cell{Text: format.Spaced(r.Hash), Value: r.Hash}
	}
	return cells
}

// continueButton returns a button that continues a finished run, with the time that this takes; "" if seconds is 0.
func (p *page) continueButton(event string, seconds float64) html.HTML {
	if seconds == 0 {
		return ""
	}
	return html.El(`button type="button"`, html.At("id", event, "data-event", event), html.Text(p.w.T("more."+event,
		p.Num(format.Seconds(seconds)))))
}

// notes returns the flags and errors that are shown below the row of a method.
func (p *page) notes(r *report.Report) []string {
	var out []string
	if r.State == runstate.MethodDone {
		if r.Floor != nil && r.Ceiling != nil {
			out = append(out, p.w.T("interval", p.Num(format.RoundDown(float64(r.Floor.LogZ), 2)),
				p.Num(format.RoundUp(float64(r.Ceiling.LogZ), 2)), state.BoundsCommand(&p.Experiment)))
		}
		for _, f := range r.Notes() {
			out = append(out, p.w.Phrase(diag.Meanings[f]))
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
