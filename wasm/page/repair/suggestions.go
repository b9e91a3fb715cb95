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

// Adviser proposes changes of an experiment. It plans the run of each proposal, which must fit into memory and time.
type Adviser struct {
	state.Experiment
	state.Appearance
	Model   models.Model
	Options engine.Options
}

// Advice caches the proposals for failing checks, because planning a run takes time. A key has the checksum of the
// result, the name of the check, and the language. The value is nil if there is no proposal.
type Advice map[string]*state.Action

// Proposals returns the proposals for the failing checks of a finished method, by the name of the check.
func (cache Advice) Proposals(a *Adviser, r *report.Report) map[string]*state.Action {
	offers := map[string]*state.Action{}
	for i := range r.Verdict.Checks {
		c := &r.Verdict.Checks[i]
		if c.OK {
			continue
		}
		key := r.Hash + c.Name + a.Words.Lang
		if _, found := cache[key]; !found {
			cache[key] = a.propose(r, c)
		}
		offers[c.Name] = cache[key]
	}
	return offers
}

// propose returns the first proposal for a failing check that is affordable, or nil.
func (a *Adviser) propose(r *report.Report, c *report.VerdictCheck) *state.Action {
	for _, l := range levers[c.Name] {
		if found := a.proposeLever(l, r, float64(c.Value)); found != nil {
			return found
		}
	}
	return nil
}

// proposeLever returns the proposal of one lever, or nil. value is the number that the check found. If the run would
// not fit into memory or time, a smaller change is tried.
func (a *Adviser) proposeLever(l lever, r *report.Report, value float64) *state.Action {
	if l.param == "method" {
		return a.proposeMethod(r)
	}
	key, current := a.leverKey(l, r)
	if key == "" || l.choice != "" && !l.changes(current) {
		return nil
	}
	if l.choice != "" {
		return a.proposal(r, key, l.choice, a.Words.T("mend."+l.param))
	}
	x, err := strconv.ParseFloat(current, 64)
	f := min(l.factor(r, value), 100)
	if !num.NotNaN(f) {
		f = 10 // the check has no number, such as for a run without an error bar
	}
	for ; err == nil && f > 1.1; f = min(f-1, f/2) {
		to := roundUp(max(x, 1) * f)
		if a := a.proposal(r, key, spec.Decimal(to), a.Words.T("mend."+l.param, a.Count(to))); a != nil {
			return a
		}
	}
	return nil
}

// leverKey returns the key of a lever's parameter in the experiment, and its current value. The key is "" if the
// experiment has no such parameter or it has no effect.
func (a *Adviser) leverKey(l lever, r *report.Report) (key, current string) {
	switch l.param {
	case "replicates":
		return l.param, spec.Decimal(float64(a.Spec.Replicates))
	case "limit":
		return l.param, spec.Decimal(a.Spec.SweepLimit())
	}
	info, _ := catalog.Method(r.Method)
	for _, q := range info.Params {
		if q.Name == l.param && a.Spec.HasEffect(a.Names(), r.Method, q.Name) {
			runMethod := r.Method // a parameter of a shared run is changed for all its methods
			if sharing := engine.SameRun(a.Spec, catalog.Names{}, runMethod); state.IsRunParam(runMethod, q.Name) {
				runMethod = sharing[0]
			}
			return runMethod + "." + q.Name, r.Spec.Params[q.Name]
		}
	}
	for _, q := range a.ModelParams() {
		if q.Name == l.param {
			return q.Name, r.Spec.Params[q.Name]
		}
	}
	return "", ""
}

// proposeMethod proposes the experiment with a further method, for a result that no other method confirms.
func (a *Adviser) proposeMethod(r *report.Report) *state.Action {
	for _, m := range catalog.Methods {
		if s := a.Draft(); m.NamesRun() && !slices.Contains(s.Methods, m.Name) &&
			state.ToggleMethod(s, m.Name, true, a.Words) == nil {
			return a.Affordable(s, a.Words.T("mend.method", m.Label))
		}
	}
	return nil
}

// proposal returns a button that runs the experiment with another value of a parameter, or nil if the value is not
// allowed or the run not affordable.
func (a *Adviser) proposal(r *report.Report, key, value, label string) *state.Action {
	s := a.Draft()
	if err := state.SetParam(s, a.Names(), key, value); err != nil {
		return nil
	}
	s.Prune(a.Names())
	if len(s.Methods) > 1 && strings.Contains(key, ".") {
		label = a.Words.T("mend.of", label, state.Label(r.Method))
	}
	return a.Affordable(s, label)
}

// Affordable returns a button with this label that runs the experiment s. It returns nil if s is the current
// experiment, or its run takes too much time or memory on this device.
func (a *Adviser) Affordable(s *spec.Spec, label string) *state.Action {
	if s.Link() == a.Spec.Link() {
		return nil
	}
	job, err := engine.NewJob(s, a.Model, a.Options)
	if err != nil || job.Seconds() > maxProposalSeconds {
		return nil
	}
	return &state.Action{Label: label, Event: "mend", Value: s.Link()}
}

// roundUp returns the smallest whole number of at least x that is 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten.
func roundUp(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if m*unit >= x*(1-1e-9) && m*unit == math.Trunc(m*unit) {
			return m * unit
		}
	}
	return 10 * unit
}

// Corrected returns a button that runs the experiment with the corrections for a reason, or nil if the run would take
// too long on this device.
func (a *Adviser) Corrected(reason int, r *report.Report) *state.Action {
	s := a.Draft()
	var changes []string
	for _, l := range corrections[reason] {
		key, now := a.leverKey(l, r)
		to := l.choice
		if to != "" && !l.changes(now) {
			continue
		}
		if to == "" && key != "" {
			x, _ := strconv.ParseFloat(now, 64)
			to = spec.Decimal(roundUp(max(x, 1) * max(l.factor(r, 0), 2)))
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
