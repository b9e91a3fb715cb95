package repair

import (
	"math"
	"slices"
	"strconv"

	"logzlab/estimators"
	"logzlab/estimators/report"
	"logzlab/models"
)

// lever is one possible change of an experiment: another value of a parameter of the method or the model, or of the
// replicates.
type lever struct {
	param    string
	choice   string                                            // the proposed choice, or "" for a parameter that is a number
	replaced []string                                          // the choices that may be replaced, nil for all
	factorOf func(r *report.Report, found, of float64) float64 // factor of the number; at most 1 if the lever does not apply
	target   float64
}

// changes reports whether the lever replaces the current choice.
func (l lever) changes(current string) bool {
	return l.choice != current && (l.replaced == nil || slices.Contains(l.replaced, current))
}

// factor returns the factor by which the lever increases its parameter. value is the number that the check found.
func (l lever) factor(r *report.Report, value float64) float64 { return l.factorOf(r, value, l.target) }

// levers lists, by the name of a check, the changes that may make the check pass, the best first. A failing check has
// no button if it has no levers, or if the experiment has none of their parameters.
var levers = map[string][]lever{
	"An error bar": {startFromBaseRates, {param: "replicates", factorOf: moreReplicates},
		{param: "islands", factorOf: moreIslands}, {param: "chains", factorOf: fixedFactor, target: 10},
		{param: "particles", factorOf: fixedFactor, target: 10}},
	"Effective sample size": {startFromBaseRates, {param: "temperatures", factorOf: logWeightExcess}, {param: "chains", factorOf: growsLinearly, target: 20},
		{param: "particles", factorOf: growsLinearly, target: 20}},
	"Spread of log weights": {startFromBaseRates, {param: "temperatures", factorOf: fallsInversely, target: 1}},
	"Reverse gap":           {startFromBaseRates, {param: "temperatures", factorOf: fallsInversely, target: .5}},
	"Works in common":       {{param: "temperatures", factorOf: fixedFactor, target: 4}, {param: "chains", factorOf: growsLinearly, target: 20}},
	"Sandwich width":        {startFromBaseRates, {param: "temperatures", factorOf: fallsInversely, target: 3}},

	"Round trips":            {{param: "sweeps", factorOf: growsLinearly, target: 10}},
	"Samples at each rung":   {{param: "sweeps", factorOf: growsLinearly, target: 20}},
	"Chains of one rung":     {{param: "samples", choice: "tempered"}, {param: "sweeps", factorOf: fixedFactor, target: 10}},
	"Rungs without samples":  {{param: "sweeps", factorOf: fixedFactor, target: 4}},
	"Bars off exact samples": {startFromBaseRates, {param: "sweeps", factorOf: fixedFactor, target: 10}},
	"Occupancy c/r":          {startFromBaseRates, {param: "init_rounds", factorOf: moreInitRounds}, {param: "init_sweeps", factorOf: fixedFactor, target: 4}},
	"Starting guess":         {{param: "init_rounds", factorOf: moreInitRounds}, {param: "init_sweeps", factorOf: fixedFactor, target: 4}},
	"Overlap of neighbours":  {{param: "temperatures", factorOf: fixedFactor, target: 3}},
	"Integration error":      {{param: "temperatures", factorOf: fallsAsSquare, target: .1}},

	"Left of the beginning": {{param: "sweeps", factorOf: fallsInversely, target: .02}},
	"Bars of drift":         {{param: "sweeps", factorOf: fixedFactor, target: 4}},
	"Islands agree":         {{param: "sweeps", factorOf: fallsAsRoot, target: .5}, {param: "particles", factorOf: fallsAsRoot, target: 1}},
	"Bias":                  {{param: "sweeps", factorOf: biasOverSE}, {param: "particles", factorOf: fallsInversely, target: .1}},

	estimators.CheckAnnealed:   {sampleAbsentUnits, {param: "particles", factorOf: fixedFactor, target: 4}},
	"Ancestors":                {{param: "moves", factorOf: fixedFactor, target: 3}},
	"Excess spread of islands": {sampleAbsentUnits, {param: "moves", factorOf: fallsAsRoot, target: 3}},
	"Uneven stages":            {sampleAbsentUnits},
	"Particles":                {{param: "particles", factorOf: growsLinearly, target: 200}},
	"Generating cut short":     {{param: "i_max", factorOf: fixedFactor, target: 2}, {param: "particles", factorOf: fixedFactor, target: 4}},

	"Bars that held": {{param: "islands", factorOf: fixedFactor, target: 2}, startFromBaseRates, {param: "particles", factorOf: fixedFactor, target: 4},
		{param: "temperatures", factorOf: annealingFactor}, {param: "sweeps", factorOf: fixedFactor, target: 4}},
	"Bars off the truth":    moreWork,
	"Distance to the truth": moreWork,
	"Floor of log Z":        moreWork,
	"Ceiling of log Z":      moreWork,
	"A second opinion":      {{param: "method"}},
	"Other strategy":        {{param: "method"}},
	"The wanted error bar":  {{param: "limit", factorOf: limitFactor}},
}

// startFromBaseRates replaces a uniform base, or one from the biases, by the base rates of the data. sampleAbsentUnits
// fills in absent units by samples.
var (
	startFromBaseRates = lever{param: "start", choice: "clipped", replaced: []string{"uniform", "biases"}}
	sampleAbsentUnits  = lever{param: "absent", choice: models.Sampled}
)

// moreWork has the levers that increase the work of a method.
var moreWork = []lever{startFromBaseRates, {param: "particles", factorOf: fixedFactor, target: 4}, {param: "temperatures", factorOf: annealingFactor},
	{param: "sweeps", factorOf: fixedFactor, target: 4}}

// margin is the factor by which a proposal exceeds what the check needs, since the numbers are noisy.
const margin = 1.5

// fixedFactor returns the given factor.
func fixedFactor(_ *report.Report, _, factor float64) float64 { return factor }

// fallsInversely returns the factor for a value x that is too large and falls as 1/parameter; growsLinearly returns the
// factor for a value x that is too small and grows as the parameter.
func fallsInversely(_ *report.Report, x, limit float64) float64 { return margin * math.Abs(x) / limit }

func growsLinearly(_ *report.Report, x, limit float64) float64 { return margin * limit / x }

// fallsAsRoot returns the factor for a value x that falls as 1/√parameter; fallsAsSquare for one that falls as
// 1/parameter².
func fallsAsRoot(r *report.Report, x, limit float64) float64 {
	f := fallsInversely(r, x, limit)
	return f * f
}

func fallsAsSquare(r *report.Report, x, limit float64) float64 {
	return math.Sqrt(fallsInversely(r, x, limit))
}

// logWeightExcess returns the factor that lowers the variance of the log weights, which falls as 1/temperatures, to 1.
// It returns 0 if the variance is 1 or less: then more chains help, not more temperatures.
func logWeightExcess(r *report.Report, _, _ float64) float64 {
	if v := float64(r.Diagnostics[estimators.DiagVarLogWeight]); v > 1 {
		return margin * v
	}
	return 0
}

// moreReplicates and moreIslands return the factor that makes n replicates or islands eight, which is enough for an
// error bar from their spread; 0 if the error bar has another source.
func moreReplicates(r *report.Report, n, _ float64) float64 {
	return factorToEight(r, estimators.SEReplicates, n)
}

func moreIslands(r *report.Report, n, _ float64) float64 {
	return factorToEight(r, estimators.SEIslands, n)
}

func factorToEight(r *report.Report, method string, n float64) float64 {
	if r.SEMethod != method {
		return 0
	}
	return 8 / max(n, 1)
}

// moreInitRounds returns the factor that makes init_rounds ten. The rounds end when the rungs are visited evenly; if
// ten do not suffice, each round needs more sweeps.
func moreInitRounds(r *report.Report, _, _ float64) float64 {
	n, _ := strconv.ParseFloat(r.Spec.Params["init_rounds"], 64)
	return 10 / max(n, 1)
}

// biasOverSE returns margin times the ratio of the bias of adapted weights to the error bar.
func biasOverSE(r *report.Report, bias, _ float64) float64 { return margin * bias / float64(r.SE) }

// annealingFactor returns 4 for a method that anneals, moving through the temperatures once, and 0 for others.
func annealingFactor(r *report.Report, _, _ float64) float64 {
	_, up := r.Diagnostics[estimators.DiagVarLogWeight]
	_, down := r.Diagnostics[estimators.DiagReverseVarLogWeight]
	if up || down {
		return 4
	}
	return 0
}

// limitFactor returns the factor by which the limit of sweeps must grow for the error bar of -target, or 0 if the run
// would take longer than maxProposalSeconds.
func limitFactor(r *report.Report, sweeps, _ float64) float64 {
	f := margin * sweeps / float64(r.Spec.Limit)
	if f*float64(r.Cost.Seconds) > maxProposalSeconds {
		return 0
	}
	return f
}

// maxProposalSeconds is the longest time of a proposed run, in seconds.
const maxProposalSeconds = 600
