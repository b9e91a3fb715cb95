package view

import (
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// samplesSheet is the sheet for external samples: file choice, examples, and the report.
func (p *page) samplesSheet() []html.HTML {
	w, samples := p.w, &p.Samples
	var names []string
	for _, s := range state.SampleSets {
		names = append(names, s.Name)
	}

	// Before a report: an introduction and a button.
	choose := w.T("samples.choose")
	if samples.Comparing {
		choose = w.T("samples.choose.second")
	}
	about := html.TagText(`p class="why" data-key="about"`, w.T("samples.about"))
	buttons := []html.HTML{html.Button("primary", "file", "", html.Text(choose))}
	var foot html.HTML

	// With a report: more buttons, and a foot.
	if samples.Body != "" { // the report replaces the introduction
		about = ""
		buttons = append(buttons, html.El(`button type="button" data-event="samples-second"`,
			html.At("aria-pressed", html.Yes(samples.Comparing)), html.Text(w.T("samples.second"))))
		foot = html.Tag(`div class="row door" data-key="foot"`,
			html.Button("", "samples-copy", "", html.Text(w.T("samples.copy"))),
			html.Button("", "samples-save", "", html.Text(w.T("samples.save"))),
			html.Button("", "print", "", html.Text(w.T("samples.print"))))
	}

	// File choice, the exact value of an example, and the report.
	out := []html.HTML{html.Tag(`div class="door" data-key="door"`, about,
		html.Tag(`div class="row" data-key="row"`, buttons...),
		html.Tag(`div class="field"`, html.TagText(`label for="samples-example"`, w.T("samples.example")),
			html.Tag(`select id="samples-example"`, p.examples("samples.", "none", names, samples.Example)...)),
		html.Tag(`div role="status" class="trouble"`, p.samplesStatus()...))}
	if samples.Example != "" && samples.Body != "" && samples.Err == nil {
		out = append(out, html.TagText(`p class="truth" data-key="truth"`, w.T("samples."+samples.Example+".truth")))
	}
	return append(out, html.Tag(`div data-key="body"`, samples.Body), foot)
}

// samplesStatus shows the progress of the reader, an error, or the result.
func (p *page) samplesStatus() []html.HTML {
	w, at := p.w, &p.Samples
	switch {
	case at.Err != nil:
		return []html.HTML{html.Icon("v-warn", "i"), html.TagText(`p class="bad"`, w.Sentence(at.Err))}
	case at.Busy && at.Body == "":
		text := w.T("samples.judging")
		if at.CurrentFile != "" {
			text = w.T("samples.reading", at.CurrentFile, 100*at.Share)
		}
		return []html.HTML{html.TagText("p", text), html.Button("", "samples-cancel", "", html.Text(w.T("samples.cancel")))}
	case at.Busy:
		return []html.HTML{html.TagText("p", w.T("samples.judging"))}
	case at.Comparing:
		return []html.HTML{html.TagText("p", w.T("samples.second.why"))}
	}
	return []html.HTML{html.TagText(`p class="vh"`, at.Summary)}
}
