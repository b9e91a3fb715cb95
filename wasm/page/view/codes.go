package view

import (
	"fmt"

	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// codesSheet is the part of the share sheet for pooling results without a server: the user's own result as a code, and
// the results of others.
func (p *page) codesSheet() html.HTML {
	w := p.w
	children := []html.HTML{html.TagText("summary", w.T("codes")), html.TagText(`p class="why"`, w.T("codes.why"))}
	if code := p.ResultCode(); code != "" {
		children = append(children, html.TagText(`code class="link" id="result-code"`, code),
			html.Tag(`div class="two"`, p.drawQR(code, w.T("codes.code"))), html.Tag(`div class="pair"`,
				html.Button("", "copy", "result", html.Text(w.T("codes.copy"))), html.Button("", "export", "result",
					html.Text(w.T("codes.file")))))
	}
	children = append(children, html.Tag(`p class="joins"`, html.TagText(`label for="result"`, w.T("codes.paste")),
		html.Tag(`input type="text" id="result" maxlength="20000" autocomplete="off"`)))
	if len(p.Codes.Runs) > 0 && p.Codes.Link == state.LinkWithoutSeed(p.Spec) {
		children = append(children, p.codesTable())
	}
	return html.Tag(`details class="codes" data-keep=""`, children...)
}

// codesTable lists the results of all seeds, and the pooled estimate.
func (p *page) codesTable() html.HTML {
	w := p.w
	heads, seeds := []string{"seed"}, p.Codes.Seeds
	rows := [][]string{{w.T("codes.all", len(seeds))}}
	for i, m := range p.Spec.Methods {
		heads = append(heads, state.Label(m))
		var all []*estimators.Result
		for _, seed := range seeds {
			all = append(all, p.Codes.Runs[seed][i])
		}
		info, _ := catalog.Method(m)
		z, se := estimators.Pooled(all, info.Unbiased)
		rows[0] = append(rows[0], p.FormatEstimate(z, se))
	}
	for _, seed := range seeds {
		row := []string{fmt.Sprint(seed)}
		for _, r := range p.Codes.Runs[seed] {
			row = append(row, p.FormatEstimate(r.LogZ, r.SE))
		}
		rows = append(rows, row)
	}
	return p.table(heads, rows)
}
