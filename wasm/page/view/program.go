package view

import (
	"fmt"
	"strings"

	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// programSheet is the editor of a Stan program and its data.
func (p *page) programSheet() []html.HTML {
	w, program := p.w, &p.Program
	var names []string
	for _, e := range state.Examples {
		names = append(names, e.Name)
	}
	data := p.editor("program-data", program.Data, 0)
	if len(program.Data) > state.MaxEditableData {
		data = html.Tag(`div class="field" data-key="large"`, html.TagText("p", w.T("program.large",
			p.Count(float64(len(program.Data)/1000)))), html.Button("", "program-drop", "", html.Text(w.T("program.drop"))))
	}
	return []html.HTML{html.TagText(`p class="why" data-key="about"`, w.T("program.about")),
		html.Tag(`div class="field" data-key="example"`, html.TagText(`label for="example"`, w.T("program.example")),
			html.Tag(`select id="example"`, p.examples("program.", "own", names, program.Example)...)),
		p.editor("program-source", program.Source, program.Line),
		html.Tag(`div role="status" class="trouble" data-key="trouble"`, p.programTrouble()...),
		data,
		html.Tag(`div class="row" data-key="go"`,
			html.El(`button type="button" id="compile" class="primary"`, html.At("disabled",
				html.When(program.Busy || strings.TrimSpace(program.Source) == "")), html.Icon("i-play", "i"), html.Text(w.T("run"))),
			html.Button("", "file", "", html.Text(w.T("choose.file")))),
		html.TagText(`p class="why" data-key="keys"`, w.T("program.keys")+" "+w.T("program.rival"))}
}

// examples returns the options of a menu of examples: first the word none, then each name. keys is the common prefix of
// the keys of their words.
func (p *page) examples(keys, none string, names []string, chosen string) []html.HTML {
	options := []html.HTML{html.El(`option value=""`, html.At("selected", html.When(chosen == "")),
		html.Text(p.w.T(keys+none)))}
	for _, name := range names {
		options = append(options, html.El("option", html.At("value", name, "selected", html.When(name == chosen)),
			html.Text(p.w.T(keys+name))))
	}
	return options
}

// editor is a text field with line numbers. errorLine is the number of the line with an error, 0 for none.
func (p *page) editor(id, text string, errorLine int) html.HTML {
	lines := strings.Count(text, "\n") + 1
	var gutter []html.HTML
	for i := 1; i <= lines; i++ {
		start := "span"
		if i == errorLine {
			start = `span class="bad"`
		}
		gutter = append(gutter, html.TagText(start, fmt.Sprint(i)))
	}
	isInvalid, describedBy := html.Absent, html.Absent
	if errorLine > 0 {
		isInvalid, describedBy = "true", "program-error"
	}
	return html.El(`div class="field"`, html.At("data-key", id),
		html.El("label", html.At("for", id), html.Text(p.w.T(id))),
		html.Tag(`div class="editor"`, html.Tag(`div class="gutter" aria-hidden="true"`, gutter...),
			html.El(`textarea wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"`,
				html.At("id", id, "rows", fmt.Sprint(max(lines, 4)), "aria-invalid", isInvalid, "aria-describedby", describedBy),
				html.Text("\n"+text))))
}

// programTrouble shows the error of the program with the lines that caused it, or the compiler's notes if there is no
// error.
func (p *page) programTrouble() (out []html.HTML) {
	program := &p.Program
	switch {
	case program.Busy:
		return []html.HTML{html.TagText("p", p.w.T("program.busy"))}
	case program.Err != nil:
		out = append(out, html.Icon("v-warn", "i"), html.TagText(`p id="program-error"`, p.w.Sentence(program.Err)))
		if program.Excerpt != "" {
			out = append(out, html.TagText(`pre tabindex="0"`, program.Excerpt))
		}
		return out
	}
	for _, n := range program.Notes {
		out = append(out, html.TagText("p", p.w.Sentence(n)))
	}
	if len(program.Parameters) > 0 && !program.FitsLink {
		out = append(out, html.TagText("p", p.w.T("program.unpacked")))
	}
	return out
}
