package page

import (
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
)

// ghost is the last result of an experiment that has been edited since. It stays on the page, marked as what was
// before, until the edited experiment has a number, and beside that as a comparison. It is no result of the experiment
// on show: files, the summary for screen readers and the page that embeds this one never have it.
type ghost struct {
	spec    *spec.Spec
	target  string // whose log Z it is
	name    string // of its model
	reports []*report.Report
}

// fade makes the finished results of the run a ghost, before the experiment is edited. What was not finished is no
// result of any link, so it is not kept.
func (b *Brain) fade() {
	if b.job == nil {
		return
	}
	done := slices.DeleteFunc(slices.Clone(b.results()), func(r *report.Report) bool {
		return r.State != "done" || !report.IsNumber(r.LogZ)
	})
	if len(done) > 0 {
		b.ghost = ghost{b.draft(), b.targetOf(b.spec), b.modelName(), done}
	}
}

// targetOf is what log Z depends on: the model and those of its parameters that change its target. A better start, a
// seed or more work change how log Z is found, but not log Z.
func (x *experiment) targetOf(s *spec.Spec) string {
	key := s.Model
	for _, q := range x.names().ModelParams(s.Model) {
		if q.Target {
			key += "&" + q.Name + "=" + s.Set[q.Name]
		}
	}
	return key
}

// ghosts are the results before the last edit, none where they are of another log Z, or where the same is run again.
func (p *pane) ghosts() []*report.Report {
	g := p.ghost
	if p.spec == nil || g.reports == nil || g.target != p.targetOf(p.spec) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(g.reports), func(old *report.Report) bool {
		again := func(r *report.Report) bool { return r.Link == old.Link }
		return slices.ContainsFunc(p.reports, again) // a method that was not edited has the same digits again
	})
}

// before is the ghost of the shown method, or of another one where that was not run; nil: there is none.
func (p *pane) before() *report.Report {
	all := p.ghosts()
	same := func(r *report.Report) bool { return r.Method == p.spec.Methods[p.focus] }
	if i := slices.IndexFunc(all, same); i >= 0 {
		return all[i]
	}
	if len(all) > 0 && !slices.ContainsFunc(p.ghost.reports, same) {
		return all[0]
	}
	return nil
}

// headline is the number of a report and its error bar: log p of a drawing, else log Z.
func headline(r *report.Report) (x, se float64) {
	if r.LogP != nil && report.IsNumber(r.LogP.LogP) {
		return float64(r.LogP.LogP), float64(r.LogP.SE)
	}
	return float64(r.LogZ), float64(r.SE)
}

// changed tells what the ghost's experiment had that this one has not, as "temperatures = 500".
func (p *pane) changed(r *report.Report) string {
	var all []string
	was := p.ghost.spec
	info, _ := catalog.Method(r.Method)
	differ := func(params []spec.Param, method string) {
		now := p.spec.Values(params, method)
		for name, x := range was.Values(params, method) {
			if now[name] != x {
				all = append(all, name+" = "+x)
			}
		}
	}
	if slices.Contains(p.spec.Methods, r.Method) {
		differ(info.Params, r.Method)
	} else {
		all = append(all, p.w.T("by", label(r.Method)))
	}
	differ(p.modelParams(), "")
	slices.Sort(all)
	if was.Seed != p.spec.Seed {
		all = append(all, p.w.T("ghost.seed", was.Seed))
	}
	if was.Replicates != p.spec.Replicates {
		all = append(all, p.w.T("ghost.replicates", was.Replicates))
	}
	return strings.Join(all, ", ")
}

// faded is the ghost where the number will stand: large, but said and drawn to be of before.
func (p *pane) faded(r *report.Report) (num []HTML, why string) {
	x, se := headline(r)
	why = p.w.T("ghost.why")
	if of := p.changed(r); of != "" {
		why = p.w.T("ghost.why.of", of)
	}
	return append([]HTML{tagText(`span class="was"`, p.w.T("ghost"))}, p.large(x, se)...), why
}

// compared compares the new number with the ghost, "" where there is none.
func (p *pane) compared(r *report.Report) HTML {
	old := p.before()
	if old == nil {
		return ""
	}
	x, se := headline(old)
	now, bar := headline(r)
	says := p.w.T("ghost.now", p.barred(x, se), p.barred(now, bar), p.num(format.Signed(now-x,
		max(format.Decimals(bar), 2))))
	return el(`p class="before"`, at("title", p.changed(old)), text(says))
}
