package repair

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// Adviser proposes changes of an experiment. Proposals are planned, since they must fit into memory and time.
type Adviser struct {
	state.Experiment
	state.Appearance
	Model   models.Model
	Options engine.Options
}

// Advice caches the proposals for failing checks, by checksum of the result and name of the check, because planning a
// run takes time.
type Advice map[string]*state.Action

// Of returns the proposals for the failing checks of a finished method, by check.
func (known Advice) Of(a *Adviser, r *report.Report) map[string]*state.Action {
	offers := map[string]*state.Action{}
	for i := range r.Verdict.Checks {
		c := &r.Verdict.Checks[i]
		if c.OK {
			continue
		}
		key := r.Hash + c.Name + a.Words.Lang
		if _, found := known[key]; !found {
			known[key] = a.propose(r, c)
		}
		offers[c.Name] = known[key]
	}
	return offers
}

// propose returns the change that a failing check proposes, or nil.
func (a *Adviser) propose(r *report.Report, c *report.VerdictCheck) *state.Action {
	for _, l := range levers[c.Name] {
		if found := a.proposeLever(l, r, float64(c.Value)); found != nil {
			return found
		}
	}
	return nil
}

// proposeLever returns the proposal of one lever; it asks for less if the run would not fit.
func (a *Adviser) proposeLever(l lever, r *report.Report, found float64) *state.Action {
	if l.param == "method" {
		return a.proposeMethod(r)
	}
	key, now := a.leverKey(l, r)
	if key == "" || l.to != "" && !l.changes(now) {
		return nil
	}
	if l.to != "" {
		return a.proposal(r, key, l.to, a.Words.T("mend."+l.param))
	}
	x, err := strconv.ParseFloat(now, 64)
	f := min(l.factor(r, found), 100)
	if !num.NotNaN(f) {
		f = 10 // the check has no number, such as for a run without an error bar
	}
	for ; err == nil && f > 1.1; f = min(f-1, f/2) {
		to := rounded(max(x, 1) * f)
		if a := a.proposal(r, key, spec.Decimal(to), a.Words.T("mend."+l.param, a.Count(to))); a != nil {
			return a
		}
	}
	return nil
}

// leverKey returns the key of a lever's parameter and its value, "" if the experiment has no such parameter with
// effect.
func (a *Adviser) leverKey(l lever, r *report.Report) (key, now string) {
	switch l.param {
	case "replicates":
		return l.param, spec.Decimal(float64(a.Spec.Replicates))
	case "limit":
		return l.param, spec.Decimal(a.Spec.SweepLimit())
	}
	info, _ := catalog.Method(r.Method)
	for _, q := range info.Params {
		if q.Name == l.param && a.Spec.HasEffect(a.Names(), r.Method, q.Name) {
			of := r.Method // a run is changed for all methods that use it
			if same := engine.SameRun(a.Spec, catalog.Names{}, of); state.IsRunParam(of, q.Name) {
				of = same[0]
			}
			return of + "." + q.Name, r.Spec.Params[q.Name]
		}
	}
	for _, q := range a.ModelParams() {
		if q.Name == l.param {
			return q.Name, r.Spec.Params[q.Name]
		}
	}
	return "", ""
}

// proposeMethod adds a different method, for a result without a second opinion.
func (a *Adviser) proposeMethod(r *report.Report) *state.Action {
	for _, m := range catalog.Methods {
		if s := a.Draft(); m.NamesRun() && !slices.Contains(s.Methods, m.Name) &&
			state.ToggleMethod(s, m.Name, true, a.Words) == nil {
			return a.Affordable(s, a.Words.T("mend.method", m.Label))
		}
	}
	return nil
}

// proposal returns a button for the experiment with another value of a parameter.
func (a *Adviser) proposal(r *report.Report, key, value, says string) *state.Action {
	s := a.Draft()
	if err := state.SetParam(s, a.Names(), key, value); err != nil {
		return nil
	}
	s.Prune(a.Names())
	if len(s.Methods) > 1 && strings.Contains(key, ".") {
		says = a.Words.T("mend.of", says, state.Label(r.Method))
	}
	return a.Affordable(s, says)
}

// Affordable offers an experiment, unless it is unchanged or takes too much time or memory here.
func (a *Adviser) Affordable(s *spec.Spec, says string) *state.Action {
	if s.Link() == a.Spec.Link() {
		return nil
	}
	job, err := engine.NewJob(s, a.Model, a.Options)
	if err != nil || job.Seconds() > maxProposalSeconds {
		return nil
	}
	return &state.Action{Label: says, Event: "mend", Value: s.Link()}
}

// rounded returns the next larger round number: 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten, if whole.
func rounded(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if m*unit >= x*(1-1e-9) && m*unit == math.Trunc(m*unit) {
			return m * unit
		}
	}
	return 10 * unit
}

// Corrected offers the experiment without the fault found in its run, or nil if it would take too long here.
func (a *Adviser) Corrected(reason int, r *report.Report) *state.Action {
	s := a.Draft()
	var changes []string
	for _, l := range corrections[reason] {
		key, now := a.leverKey(l, r)
		to := l.to
		if to != "" && !l.changes(now) {
			continue
		}
		if to == "" && key != "" {
			x, _ := strconv.ParseFloat(now, 64)
			to = spec.Decimal(rounded(max(x, 1) * max(l.factor(r, 0), 2)))
		}
		if key == "" || to == now || state.SetParam(s, a.Names(), key, to) != nil {
			continue
		}
		if x, err := strconv.ParseFloat(to, 64); err == nil {
			to = a.Count(x)
		}
		changes = append(changes, l.param+" = "+to)
	}
	s.Prune(a.Names())
	if found := a.Affordable(s, a.Words.T("broken.mend", strings.Join(changes, ", "))); found != nil {
		return &state.Action{Label: found.Label, Event: "repair", Value: found.Value}
	}
	return nil
}
