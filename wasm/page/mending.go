package page

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
)

// A failing check offers the change of the experiment that would mend it. What is proposed comes from this table, the
// numbers of the report, and the parameters as they are; it is shown only if a run of it fits into memory and time.

// lever is one way to mend: a parameter of the method, of the model, or replicates.
type lever struct {
	param string
	to    string                                            // a choice; "": a number
	by    func(r *report.Report, found, of float64) float64 // how many times as much; at most 1: this is not the way
	of    float64
}

// factor is how many times as much a lever wants of a number.
func (l lever) factor(r *report.Report, found float64) float64 { return l.by(r, found, l.of) }

// levers lists, by the name of a check, what may mend it, the best way first. A check that is not here, or whose ways
// the method lacks, has no button: no parameter would help.
var levers = map[string][]lever{
	"An error bar": {{param: "replicates", by: replicateSpread},
		{param: "islands", by: islandSpread}, {param: "chains", by: times, of: 10},
		{param: "particles", by: times, of: 10}},
	"Effective sample size": {fromRates, {param: "temperatures", by: lag}, {param: "chains", by: under, of: 20},
		{param: "particles", by: under, of: 20}},
	"Spread of log weights": {fromRates, {param: "temperatures", by: over, of: 1}},
	"Reverse gap":           {fromRates, {param: "temperatures", by: over, of: .5}},
	"Works in common":       {{param: "temperatures", by: times, of: 4}, {param: "chains", by: under, of: 20}},
	"Sandwich width":        {fromRates, {param: "temperatures", by: over, of: 3}},

	"Round trips":            {{param: "sweeps", by: under, of: 10}},
	"Samples at each rung":   {{param: "sweeps", by: under, of: 20}},
	"Chains of one rung":     {{param: "samples", to: "tempered"}, {param: "sweeps", by: times, of: 10}},
	"Rungs without samples":  {{param: "sweeps", by: times, of: 4}},
	"Bars off exact samples": {fromRates, {param: "sweeps", by: times, of: 10}},
	"Occupancy c/r":          {fromRates, {param: "init_rounds", by: rounds}, {param: "init_sweeps", by: times, of: 4}},
	"Starting guess":         {{param: "init_rounds", by: rounds}, {param: "init_sweeps", by: times, of: 4}},
	"Overlap of neighbours":  {{param: "temperatures", by: times, of: 3}},
	"Integration error":      {{param: "temperatures", by: overRoot, of: .1}},

	"Left of the beginning": {{param: "sweeps", by: over, of: .02}},
	"Bars of drift":         {{param: "sweeps", by: times, of: 4}},
	"Islands agree":         {{param: "sweeps", by: overSquared, of: .5}, {param: "particles", by: overSquared, of: 1}},
	"Bias":                  {{param: "sweeps", by: beyondBar}, {param: "particles", by: over, of: .1}},

	estimators.CheckAnnealed:   {sampledAbsent, {param: "particles", by: times, of: 4}},
	"Excess spread of islands": {sampledAbsent, {param: "moves", by: overSquared, of: 3}},
	"Uneven stages":            {sampledAbsent},
	"Particles":                {{param: "particles", by: under, of: 200}},
	"Generating cut short":     {{param: "i_max", by: times, of: 2}, {param: "particles", by: times, of: 4}},

	"Bars that held": {{param: "islands", by: times, of: 2}, fromRates, {param: "particles", by: times, of: 4},
		{param: "temperatures", by: annealed}, {param: "sweeps", by: times, of: 4}},
	"Bars off the truth":    effort,
	"Distance to the truth": effort,
	"Floor of log Z":        effort,
	"A second opinion":      {{param: "method"}},
	"Another road":          {{param: "method"}},
	"The wanted error bar":  {{param: "limit", by: soon}},
}

// fromRates starts runs at the base rates instead of coins; sampledAbsent lets samples fill in absent units.
var (
	fromRates     = lever{param: "start", to: "rates"}
	sampledAbsent = lever{param: "absent", to: models.Sampled}
)

// effort is more of what a method spends.
var effort = []lever{fromRates, {param: "particles", by: times, of: 4}, {param: "temperatures", by: annealed},
	{param: "sweeps", by: times, of: 4}}

// margin is by how much a proposal goes past what the numbers ask for, as they are noisy themselves.
const margin = 1.5

// times is a fixed factor.
func times(_ *report.Report, _, factor float64) float64 { return factor }

// over is for what is too large and falls as one over the parameter, under for what is too small and grows with it.
func over(_ *report.Report, x, limit float64) float64 { return margin * math.Abs(x) / limit }

func under(_ *report.Report, x, limit float64) float64 { return margin * limit / x }

// overSquared is for what falls as 1/√parameter, overRoot for what falls as 1/parameter².
func overSquared(r *report.Report, x, limit float64) float64 {
	f := over(r, x, limit)
	return f * f
}

func overRoot(r *report.Report, x, limit float64) float64 { return math.Sqrt(over(r, x, limit)) }

// lag is how far the variance of the log weights, which falls as one over the temperatures, is beyond 1: where weights
// are even, more temperatures do not help, but more chains do.
func lag(r *report.Report, _, _ float64) float64 {
	if v := float64(r.Diagnostics[estimators.DiagVarLogWeight]); v > 1 {
		return margin * v
	}
	return 0
}

// replicateSpread and islandSpread are for error bars from the spread of too few: eight are enough.
func replicateSpread(r *report.Report, n, _ float64) float64 {
	return spread(r, estimators.SEReplicates, n)
}

func islandSpread(r *report.Report, n, _ float64) float64 { return spread(r, estimators.SEIslands, n) }

func spread(r *report.Report, method string, n float64) float64 {
	if r.SEMethod != method {
		return 0
	}
	return 8 / max(n, 1)
}

// rounds is for initial iterations, which end by themselves when the rungs are visited evenly: ten are always enough
// to find out whether sweeps are missing instead.
func rounds(r *report.Report, _, _ float64) float64 {
	n, _ := strconv.ParseFloat(r.Spec.Params["init_rounds"], 64)
	return 10 / max(n, 1)
}

// beyondBar is how far the bias of weights that adapt is beyond the error bar.
func beyondBar(r *report.Report, bias, _ float64) float64 { return margin * bias / float64(r.SE) }

// annealed is for methods that go down the ladder once.
func annealed(r *report.Report, _, _ float64) float64 {
	_, up := r.Diagnostics[estimators.DiagVarLogWeight]
	_, down := r.Diagnostics[estimators.DiagReverseVarLogWeight]
	if up || down {
		return 4
	}
	return 0
}

// soon is how many times the limit is needed for the wanted error, where that does not take too long here.
func soon(r *report.Report, sweeps, _ float64) float64 {
	f := margin * sweeps / float64(r.Spec.Limit)
	if f*float64(r.Cost.Seconds) > mendLimit {
		return 0
	}
	return f
}

// mendLimit is how long a proposed run may take here, in seconds.
const mendLimit = 600

// mendings keeps what failing checks of finished methods offer, by their hashes and names: to find it a run is planned.
type mendings map[string]*Action

// mending is the change of the experiment that a failing check offers as a button, nil if there is none. While
// a student is asked what is wrong there is none.
func (p *pane) mending(r *report.Report, c *report.VerdictCheck) *Action {
	hidden := slices.Contains(p.hides(), "run") || slices.Contains(p.hides(), "params")
	if r.State != "done" || c.OK || hidden || p.set.Break > 0 {
		return nil
	}
	key := r.Hash + c.Name + p.w.Lang
	if a, known := p.mended[key]; known {
		return a
	}
	var found *Action
	for _, l := range levers[c.Name] {
		if found = p.pull(l, r, float64(c.Value)); found != nil {
			break
		}
	}
	p.mended[key] = found
	return found
}

// pull is what one lever offers; it asks for less where the run would not fit.
func (p *pane) pull(l lever, r *report.Report, found float64) *Action {
	if l.param == "method" {
		return p.beside(r)
	}
	key, now := p.leverKey(l, r)
	if key == "" || l.to != "" && now == l.to {
		return nil
	}
	if l.to != "" {
		return p.proposal(r, key, l.to, p.w.T("mend."+l.param))
	}
	x, err := strconv.ParseFloat(now, 64)
	f := min(l.factor(r, found), 100)
	if !num.Known(f) {
		f = 10 // a check without a number, as of a run that says nothing of its error
	}
	for ; err == nil && f > 1.1; f = min(f-1, f/2) {
		to := rounded(max(x, 1) * f)
		if a := p.proposal(r, key, spec.Decimal(to), p.w.T("mend."+l.param, p.count(to))); a != nil {
			return a
		}
	}
	return nil
}

// leverKey is the key of a lever's parameter and its value, "" if the experiment has no such parameter that acts.
func (p *pane) leverKey(l lever, r *report.Report) (key, now string) {
	switch l.param {
	case "replicates":
		return l.param, spec.Decimal(float64(p.spec.Replicates))
	case "limit":
		return l.param, spec.Decimal(p.spec.SweepLimit())
	}
	info, _ := catalog.Method(r.Method)
	for _, q := range info.Params {
		if q.Name == l.param && p.spec.Acts(p.names(), r.Method, q.Name) {
			of := r.Method // a run is changed for all that read it
			if company := engine.Company(p.spec, of); ofRun(of, q.Name) {
				of = company[0]
			}
			return of + "." + q.Name, r.Spec.Params[q.Name]
		}
	}
	for _, q := range p.modelParams() {
		if q.Name == l.param {
			return q.Name, r.Spec.Params[q.Name]
		}
	}
	return "", ""
}

// beside runs a method that goes another way beside the one that lacks a second opinion.
func (p *pane) beside(r *report.Report) *Action {
	for _, m := range []string{"ais", "rts"} {
		s := p.draft()
		if slices.Contains(s.Methods, m) || toggle(s, m, true, p.w) != nil {
			continue
		}
		return p.affordable(s, p.w.T("mend.method", label(m)))
	}
	return nil
}

// proposal is the experiment with another value of a parameter, as a button.
func (p *pane) proposal(r *report.Report, key, value, says string) *Action {
	s := p.draft()
	if err := put(s, p.names(), key, value); err != nil {
		return nil
	}
	s.Prune(p.names())
	if len(s.Methods) > 1 && strings.Contains(key, ".") {
		says = p.w.T("mend.of", says, label(r.Method))
	}
	return p.affordable(s, says)
}

// affordable offers an experiment, unless it is the same or takes too much time or memory here.
func (p *pane) affordable(s *spec.Spec, says string) *Action {
	if s.Link() == p.spec.Link() {
		return nil
	}
	job, err := engine.NewJob(s, p.job.Model, p.options())
	if err != nil || job.Seconds() > mendLimit {
		return nil
	}
	return &Action{says, "mend", s.Link()}
}

// rounded is the next of the numbers that people choose: 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten, and whole.
func rounded(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if m*unit >= x*(1-1e-9) && m*unit == math.Trunc(m*unit) {
			return m * unit
		}
	}
	return 10 * unit
}

// mendButton is the button of a failing check, "" where there is none.
func (p *pane) mendButton(r *report.Report, c *report.VerdictCheck) HTML {
	a := p.mending(r, c)
	if a == nil {
		return ""
	}
	return el(`button type="button" class="mend" data-event="mend"`, at("data-value", a.Value), text(a.Label))
}

// mend runs an experiment that a failing check has offered.
func (b *Brain) mend(link string) {
	s, err := spec.ParseLink(link, b.names())
	if err != nil {
		b.fail(err)
		return
	}
	b.adopt(s)
	b.run()
}
