package page

import (
	"slices"

	"logzlab/core/format"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
)

// Comparing the model with another one of the same data: with a built-in one (view.against), which runs by the same
// methods beside the experiment, or else with the last result before the model was changed.

// rivals are the built-in models that have the data of the chosen one.
func (x *experiment) rivals() (out []string) {
	e, ok := catalog.Kinds.Find(x.spec.Model)
	if !ok || e.Data == "" {
		return nil
	}
	for _, other := range catalog.Kinds.Builtin() {
		if other.Data == e.Data && other.Name != e.Name {
			out = append(out, other.Name)
		}
	}
	return out
}

// againstField chooses the model to compare with, where there is one.
func (p *pane) againstField() HTML {
	if p.spec == nil {
		return ""
	}
	names := p.rivals()
	if len(names) == 0 {
		return ""
	}
	options := []HTML{el("option", at("value", "", "selected", when(p.set.Against == "")), text(p.w.T("against.none")))}
	for _, name := range names {
		options = append(options, el("option", at("value", name, "title", name, "selected", when(name == p.set.Against)),
			text(p.w.Plain(name))))
	}
	return tag(`div class="param" data-key="against" data-type="choice"`, tagText(`label for="against"`, p.w.T("against")),
		tag(`select id="against"`, options...))
}

// against compares with another model, "" with none. Its run follows the one under way, or that is over.
func (b *Brain) against(name string) {
	if b.spec == nil || name != "" && !slices.Contains(b.rivals(), name) {
		return
	}
	b.set.Against = name
	switch {
	case b.job == nil:
	case b.state == "done":
		b.again()
		b.lookBeside(b.job.Model)
		b.assign()
	case b.free.job != nil: // about another model
		b.run()
	default:
		b.lookBeside(b.job.Model)
	}
}

// rival is the result that r is compared with, and what people call its model; nil: there is none.
func (p *pane) rival(r *report.Report) (*report.Report, string) {
	if name := p.set.Against; name != "" {
		s := beside(p.spec.Only(p.names(), r.Method), p.names(), name, p.job.Model)
		return p.free.known[s.Link()], name
	}
	g := p.ghost
	i := slices.IndexFunc(g.reports, func(old *report.Report) bool {
		return old.DataID == r.DataID && (old.Method == r.Method || len(g.reports) == 1)
	})
	if i < 0 || r.DataID == "" || g.target == p.targetOf(p.spec) {
		return nil, ""
	}
	return g.reports[i], g.name
}

// bayes says the log Bayes factor and what it means, "" where nothing is compared.
func (p *pane) bayes(r *report.Report) HTML {
	if r.State != "done" {
		return ""
	}
	other, name := p.rival(r)
	if other == nil || !report.IsNumber(other.LogZ) {
		return ""
	}
	c := report.Compare(r, other)
	factor := p.barred(float64(c.LogBF), float64(c.SE))
	says := p.w.T("bayes", name, factor)
	if report.IsNumber(c.Exact) {
		exact := format.Fixed(float64(c.Exact), max(format.Decimals(float64(c.SE)), 2))
		says = p.w.T("bayes.exact", name, factor, p.num(exact))
	}
	for _, s := range c.Says(p.modelName(), name) {
		says += " " + format.Raised(p.w.Number(p.w.Sentence(s)))
	}
	return tagText(`p class="before" id="r-bayes"`, says)
}
