package repair

import (
	"math"
	"slices"
	"strconv"

	"logzlab/estimators"
	"logzlab/estimators/report"
	"logzlab/models"
)

// lever is one possible change: a parameter of the method or the model, or replicates.
type lever struct {
	param string
	to    string                                            // a choice, or "" for a number
	from  []string                                          // the choices that it replaces, nil for all others
	by    func(r *report.Report, found, of float64) float64 // the factor; at most 1 if the lever does not apply
	of    float64
}

// changes reports whether a lever changes the current choice.
func (l lever) changes(now string) bool {
	return l.to != now && (l.from == nil || slices.Contains(l.from, now))
}

// factor returns the factor by which a lever increases a number.
func (l lever) factor(r *report.Report, found float64) float64 { return l.by(r, found, l.of) }

// levers lists, by the name of a check, the changes that may make it pass, the best first. A check without a lever, or
// whose levers the method lacks, has no button.
var levers = map[string][]lever{
	"An error bar": {fromRates, {param: "replicates", by: replicateSpread},
		{param: "islands", by: islandSpread}, {param: "chains", by: times, of: 10},
		{param: "particles", by: times, of: 10}},
	"Effective sample size": {fromRates, {param: "temperatures", by: lagExcess}, {param: "chains", by: under, of: 20},
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
	"Ancestors":                {{param: "moves", by: times, of: 3}},
	"Excess spread of islands": {sampledAbsent, {param: "moves", by: overSquared, of: 3}},
	"Uneven stages":            {sampledAbsent},
	"Particles":                {{param: "particles", by: under, of: 200}},
	"Generating cut short":     {{param: "i_max", by: times, of: 2}, {param: "particles", by: times, of: 4}},

	"Bars that held": {{param: "islands", by: times, of: 2}, fromRates, {param: "particles", by: times, of: 4},
		{param: "temperatures", by: annealed}, {param: "sweeps", by: times, of: 4}},
	"Bars off the truth":    effort,
	"Distance to the truth": effort,
	"Floor of log Z":        effort,
	"Ceiling of log Z":      effort,
	"A second opinion":      {{param: "method"}},
	"Other strategy":        {{param: "method"}},
	"The wanted error bar":  {{param: "limit", by: limitFactor}},
}

// fromRates replaces uniform and bias bases by base rates of the data; sampledAbsent fills in absent units by samples.
var (
	fromRates     = lever{param: "start", to: "clipped", from: []string{"uniform", "biases"}}
	sampledAbsent = lever{param: "absent", to: models.Sampled}
)

// effort increases the work of a method.
var effort = []lever{fromRates, {param: "particles", by: times, of: 4}, {param: "temperatures", by: annealed},
	{param: "sweeps", by: times, of: 4}}

// margin is the factor by which a proposal exceeds the requirement, since the numbers are noisy.
const margin = 1.5

// times returns a fixed factor.
func times(_ *report.Report, _, factor float64) float64 { return factor }

// over is for values that are too large and fall as 1/parameter, under for values that are too small and grow with it.
func over(_ *report.Report, x, limit float64) float64 { return margin * math.Abs(x) / limit }

func under(_ *report.Report, x, limit float64) float64 { return margin * limit / x }

// overSquared is for values that fall as 1/√parameter, overRoot for values that fall as 1/parameter².
func overSquared(r *report.Report, x, limit float64) float64 {
	f := over(r, x, limit)
	return f * f
}

func overRoot(r *report.Report, x, limit float64) float64 { return math.Sqrt(over(r, x, limit)) }

// lagExcess returns by how much the variance of the log weights, which falls as 1/temperatures, exceeds 1. If weights
// are even, more chains help, not more temperatures.
func lagExcess(r *report.Report, _, _ float64) float64 {
	if v := float64(r.Diagnostics[estimators.DiagVarLogWeight]); v > 1 {
		return margin * v
	}
	return 0
}

// replicateSpread and islandSpread are for error bars from the spread of too few runs or groups; eight are enough.
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

// rounds is for initial iterations, which stop when the rungs are visited evenly: ten are enough to show whether sweeps
// are missing instead.
func rounds(r *report.Report, _, _ float64) float64 {
	n, _ := strconv.ParseFloat(r.Spec.Params["init_rounds"], 64)
	return 10 / max(n, 1)
}

// beyondBar returns by how much the bias of adapted weights exceeds the error bar.
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

// limitFactor returns how many times the limit is needed for the wanted error bar, or 0 if that takes too long here.
func limitFactor(r *report.Report, sweeps, _ float64) float64 {
	f := margin * sweeps / float64(r.Spec.Limit)
	if f*float64(r.Cost.Seconds) > maxProposalSeconds {
		return 0
	}
	return f
}

// maxProposalSeconds is the longest time of a proposed run, in seconds.
const maxProposalSeconds = 600
