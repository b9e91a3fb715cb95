package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"logzlab/core/diag"
	"logzlab/core/lazy"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/core/version"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/models"
)

// Flags that reports add.
var (
	FlagSharedRun = diag.NewFlag("shared_run",
		"Another method here reads the same run, so its cost stands in both reports and is paid once.")
	FlagInterrupted = diag.NewFlag("interrupted",
		"The run was interrupted: this is what was known by then.")
	FlagFailed = diag.NewFlag("failed",
		"The run failed.")
	FlagUnconfirmed = diag.NewFlag("unconfirmed",
		"A device of the room gave wrong results, and replicates of devices that were never checked count.")
)

// Report is the JSON of one method (contract.md, The JSON of a run).
type Report struct {
	// Result is what the method found in its first run, or in all runs that were joined for a wanted error. The fields
	// of a report stand before those of the same name: its numbers are null in JSON where they are not known, and are
	// those of all replicates.
	estimators.Result `json:"-"`

	V           int                    `json:"v"`       // of links and of this JSON
	Version     string                 `json:"version"` // of the program
	Spec        ReportSpec             `json:"spec"`
	Link        string                 `json:"link"`
	Model       string                 `json:"model"`
	Method      string                 `json:"method"`
	Seed        uint32                 `json:"seed"`
	Understood  string                 `json:"understood,omitempty"` // of an own file
	LogZ        Number                 `json:"logz"`
	SE          Number                 `json:"se"`
	SEMethod    string                 `json:"se_method"`
	Calibration *Calibration           `json:"calibration"`
	Bias        string                 `json:"bias"`
	Lower       Number                 `json:"lower"`
	Upper       Number                 `json:"upper"`
	Floor       *Bound                 `json:"floor"`
	Ceiling     *Bound                 `json:"ceiling"`
	LogP        *LogP                  `json:"log_p,omitempty"` // of a drawing
	Truth       *Truth                 `json:"truth"`
	Hint        string                 `json:"hint,omitempty"`
	Ladder      []estimators.Rung      `json:"ladder"`
	Stages      []estimators.Stage     `json:"stages,omitempty"`
	Data        *Data                  `json:"data,omitempty"`
	Posterior   []Moment               `json:"posterior,omitempty"`
	AtTarget    []Moment               `json:"posterior_at_target,omitempty"`
	Modes       []Mode                 `json:"modes,omitempty"`
	Cost        Cost                   `json:"cost"`
	Diagnostics map[diag.Number]Number `json:"diagnostics"`
	Overlap     Numbers                `json:"overlap,omitempty"` // of neighbouring rungs, where it is measured
	Effective   Numbers                `json:"n_eff,omitempty"`   // effective number of samples at each rung, of mbar
	Path        []PathKnot             `json:"path,omitempty"`    // what the run or its pilot learned of the path
	Flags       []diag.Flag            `json:"flags"`
	Verdict     *Verdict               `json:"verdict"`
	Replicates  []Number               `json:"replicates,omitempty"`
	ReplicateSE []Number               `json:"replicate_se,omitempty"`
	Summary     *Summary               `json:"summary,omitempty"`
	Hash        string                 `json:"hash"`

	State       runstate.Method `json:"-"`
	Provisional bool            `json:"-"`
	Early       bool            `json:"-"` // so little of the run is done that its verdict says nothing
	Err         error           `json:"-"` // why it failed
	Needed      Number          `json:"-"` // chain-sweeps that the wanted error takes in all, about; NaN without one
	reached     bool            // the wanted error
	endless     string          // the parameter of models.DiagTailSlope
	sealed      string          // the receipt of a report whose bars were removed
	names       catalog.Names

	Kind   string `json:"-"` // of the model
	DataID string `json:"-"` // of the data of which log Z is the log evidence, "": of none
	Own    string `json:"-"` // level of the verdict by the checks of the method alone

	Histories [][]estimators.Point `json:"-"` // Result.History of each replicate
}

// Calibration tells how the error bars of runs like this one held where the exact value is known.
type Calibration struct {
	Runs    int    `json:"runs"`
	Within1 Number `json:"within1"` // share of them within one error bar of it
	Within2 Number `json:"within2"` // and within two
	RMSZ    Number `json:"rms_z"`   // root mean square distance in error bars
}

// ReportSpec is the experiment, defaults filled in.
type ReportSpec struct {
	Model      string            `json:"model"`
	Method     string            `json:"method"`
	Seed       uint32            `json:"seed"`
	Replicates int               `json:"replicates"`
	Target     Number            `json:"target"` // wanted standard error, null without one
	Limit      Number            `json:"limit"`  // most sweeps for it, null without a target
	Params     map[string]string `json:"params"`
}

// Mode is a mode of the target that the search before the run found: its share of the mass of all modes, by the
// curvature at its top, and the number of climbs that ended there.
type Mode struct {
	Mass   Number `json:"mass"`
	Starts int    `json:"starts"`
}

// Truth is the exact log Z of the model and where it comes from.
type Truth struct {
	LogZ   Number `json:"logz"`
	Source string `json:"source"`
	// Uncertainty is how far LogZ may be off, in nats, of an integral that was computed; 0 for sums and formulas.
	Uncertainty Number `json:"uncertainty,omitempty"`
}

// From is the source, with the uncertainty where there is some.
func (t *Truth) From() string {
	if t.Uncertainty > 0 {
		return fmt.Sprintf("%s, +- %.1g", t.Source, float64(t.Uncertainty))
	}
	return t.Source
}

// Bound is a bound of log Z that holds for certain, and what it is made of: from below one found by climbing from data,
// far starts and samples of all methods; from above, the ceiling, one of models that have it.
type Bound struct {
	LogZ Number `json:"logz"`
	Kind string `json:"kind"`
}

// Cost is what a result took, over all its replicates.
type Cost struct {
	Sweeps      Number `json:"sweeps"`      // kernel applications, summed over chains
	Evaluations Number `json:"evaluations"` // log densities
	Seconds     Number `json:"seconds"`     // wall time of the whole run
}

// Summary describes replicates.
type Summary struct {
	Mean       Number `json:"mean"`
	SD         Number `json:"sd"`
	LogMeanExp Number `json:"log_mean_exp"`
	RMSZ       Number `json:"rms_z"`
}

// Reports makes the reports of a job; that of a method that is done is made once.
type Reports struct {
	job        *engine.Job
	done       map[string]*Report
	free       map[string]*Report // of the experiment without its drawing
	truthValue *Truth
	truthKnown bool
	names      func() []string // of the numbers of a posterior
}

// leastShare is the share of a run, and of the whole experiment, from which on its verdict says something: before, most
// fail for want of samples, and others pass by luck.
const leastShare = .1

// New makes the Reports of one job.
func New(j *engine.Job) *Reports {
	return &Reports{job: j, done: map[string]*Report{}, names: lazy.Of(func() []string {
		return models.NamesOf(j.Model.New(1, []float64{0, 1}))
	})}
}

// report is computed once when its method is done; before that, at every call.
func (j *Reports) report(name string, seconds float64) *Report {
	j.truth()
	if final := j.done[name]; final != nil {
		final.Cost.Seconds = Number(seconds)
		return final
	}
	info, _ := j.job.Names().Method(name)
	r := j.blank(info)
	standing := j.job.Standing(name)
	results := standing.Results
	r.State, r.Err = standing.State, standing.Err
	if standing.Shared {
		r.addFlag(FlagSharedRun)
	}
	r.Provisional = r.State != runstate.MethodDone
	r.Early = r.State == runstate.MethodRunning && min(standing.Share, j.job.Progress()) < leastShare
	j.model(r)
	r.PathStats = standing.Found

	// Results so far: one, or replicates, or runs joined for a wanted error.
	if len(results) > 0 {
		all := results[0]
		if r.Spec.Target > 0 {
			all = estimators.Joined(results, info.Unbiased)
		}
		r.take(j.names, all, results)
		if len(results) > 1 || r.Spec.Replicates > 1 {
			r.replicated(results, info.Unbiased)
		}
		if r.Spec.Target > 0 {
			r.LogZ, r.SE, r.SEMethod = Number(all.LogZ), Number(all.SE), all.SEMethod
		}
	}

	// Error bars missing or useless.
	if len(results) > 0 && r.dropOneWeight(results) {
		r.addFlag(estimators.FlagOneWeight)
	} else if one, few := estimators.FlagSingleChain, estimators.FlagFewIslands; IsNumber(r.LogZ) && !IsNumber(r.SE) &&
		!slices.Contains(r.Flags, one) && !slices.Contains(r.Flags, few) {
		r.addFlag(estimators.FlagNoErrorBar)
	}
	if r.dropUseless() {
		r.addFlag(FlagUseless)
	}
	slices.Sort(r.Flags)
	r.reached = standing.Reached
	if r.Needed = NaN; r.Spec.Target > 0 {
		r.Needed = Number(j.job.Needed(name))
	}
	r.LogP = j.logP(r)
	r.Cost.Seconds = Number(seconds)
	r.Verdict = r.Judge()
	if r.State == runstate.MethodDone { // a part of the digits is no receipt
		r.Hash = r.receipt()
		j.done[name] = r
	}
	return r
}

// underWay reports whether there is more to come.
func (r *Report) underWay() bool {
	return r.Provisional && r.State != runstate.MethodFailed && !slices.Contains(r.Flags, FlagInterrupted)
}

// interrupt says of a report that is kept although its method is not done that it is not the whole result.
func (r *Report) interrupt() {
	r.addFlag(FlagInterrupted)
	slices.Sort(r.Flags)
	r.judge(VerdictCheck{Name: "Finished", Value: Number(math.NaN()), Text: "no", Needs: "yes",
		Means: "The run was cut short. What it had not done yet may move log Z by more than the error bar.",
		Do:    "Let it run to its end, or give it less work."})
}

// blank is the report of a method before there is anything to tell.
func (j *Reports) blank(info *estimators.Info) *Report {
	name, names := info.Name, j.job.Names()
	only := j.job.Spec.Only(names, name)
	values := only.Values(info.Params, name)
	for k, v := range only.Values(names.ModelParams(only.Model), "") {
		if own, both := values[k]; both {
			values[name+"."+k] = own
		}
		values[k] = v
	}
	r := &Report{V: spec.Version, Version: version.Number, Link: only.Link(), Model: only.Model, Method: name, Seed: only.Seed,
		Spec:        ReportSpec{only.Model, name, only.Seed, only.Replicates, NaN, NaN, values},
		Diagnostics: map[diag.Number]Number{}, Flags: []diag.Flag{}, Ladder: []estimators.Rung{},
		Kind: j.job.Model.Info().Kind, names: names, DataID: j.job.Model.Info().Data}
	if target := j.job.Target(name); target > 0 {
		r.Spec.Target, r.Spec.Limit = Number(target), Number(only.SweepLimit())
	}
	nan := Number(math.NaN())
	r.LogZ, r.SE, r.Lower, r.Upper = nan, nan, nan, nan
	r.Bias, r.SEMethod = "either", estimators.SENone
	return r
}

// model adds what the model says of itself: its exact log Z, diagnostics and flags.
func (j *Reports) model(r *Report) {
	can := models.Can(j.job.Model)
	r.Truth = j.truth()
	if r.Truth == nil {
		if sum := can.Exact.Sum; sum != nil {
			if _, ok := sum.Blocks(models.MaxEnumerated); ok {
				r.Hint = j.exactCommand()
			}
		}
	}

	// The reading of the file, diagnostics and flags.
	info := j.job.Model.Info()
	if info.Understood != nil && spec.IsFile(r.Model) {
		r.Understood = info.Understood.Error()
	}
	for k, v := range info.Diagnostics {
		r.Diagnostics[k] = Number(v)
	}
	if can.Diagnose != nil && r.State == runstate.MethodDone {
		numbers, flags := can.Diagnose()
		for k, v := range numbers {
			r.Diagnostics[k] = Number(v)
		}
		for _, f := range flags {
			r.addFlag(f)
		}
	}
	if can.Search.Modes != nil && r.State == runstate.MethodDone {
		r.addModes(can.Search.Modes())
	}
	if can.Search.TailSlope != nil && r.State == runstate.MethodDone {
		if slope, name := can.Search.TailSlope(); slope > models.SlowTail {
			r.Diagnostics[models.DiagTailSlope], r.endless = Number(slope), name
		}
	}
	for _, f := range info.Flags {
		if f == models.FlagBaseGuessed && slices.Contains(r.Flags, estimators.FlagEven) {
			continue // that base was not used
		}
		r.addFlag(f)
	}
}

// addModes adds the modes of most mass, and says what a search for modes cannot see.
func (r *Report) addModes(modes []models.Mode) {
	const most = 20
	r.addFlag(FlagSearched)
	masses := make([]float64, len(modes))
	for i, m := range modes {
		masses[i] = m.LogMass
	}
	total := num.LogSumExp(masses)
	for _, m := range modes[:min(len(modes), most)] {
		r.Modes = append(r.Modes, Mode{Number(num.Exp(m.LogMass - total)), m.Starts})
	}
}

// FlagSearched says what a search for modes cannot see.
var FlagSearched = diag.NewFlag("searched", "Modes were looked for from starts up to 250 away from 0 in coordinates "+
	"without bounds, at draws of the prior, at the constants of the program, and on lines through the modes found. A mode "+
	"far outside of that region, or narrower than a thousandth of it, cannot be seen.")

// exactCommand finds the exact log Z of the model with its parameters; data rows beside a machine do not change it.
func (j *Reports) exactCommand() string {
	s := "logz exact -model " + j.job.Model.Info().Name
	for _, key := range slices.Sorted(maps.Keys(j.job.Spec.Set)) {
		if !strings.Contains(key, ".") && key != "data" {
			s += " -set " + key + "=" + j.job.Spec.Set[key]
		}
	}
	return s
}

// take fills in a result, and what is summed over the runs that it stands for.
func (r *Report) take(names func() []string, first *estimators.Result, results []*estimators.Result) {
	found := r.PathStats // by a pilot
	if r.Result = *first; r.PathStats == nil {
		r.PathStats = found
	}
	r.LogZ, r.SE, r.SEMethod, r.Bias = Number(first.LogZ), Number(first.SE), first.SEMethod, first.Bias
	r.Lower, r.Upper = Number(first.Lower), Number(first.Upper)
	r.Overlap, r.Effective = first.Overlap, first.Effective
	if p := first.PathStats; p != nil {
		r.Path = pathKnots(p)
	}
	r.Ladder, r.Stages = append(r.Ladder, first.Ladder...), first.Stages
	if len(first.Data) > 0 {
		r.Data = &Data{Rows: int(first.Number(estimators.DiagData)), Mean: NaN, Lower: NaN, Upper: NaN, Pseudo: NaN}
		for _, logp := range first.Data {
			r.Data.LogP = append(r.Data.LogP, Number(logp))
		}
	}
	if len(first.Posterior) > 0 {
		r.Posterior, r.AtTarget = moments(first.Posterior, names()), moments(first.AtTarget, names())
	}
	for k, v := range first.Diagnostics {
		r.Diagnostics[k] = Number(v)
	}

	// Sums, histories and flags of all runs.
	for _, res := range results {
		r.History = res.History
		if res.History != nil {
			r.Histories = append(r.Histories, res.History)
		}
		r.Cost.Sweeps += Number(res.Sweeps)
		r.Cost.Evaluations += Number(res.Evaluations)
		for _, f := range res.Flags {
			r.addFlag(f)
		}
	}
}

func (r *Report) addFlag(f diag.Flag) {
	if !slices.Contains(r.Flags, f) {
		r.Flags = append(r.Flags, f)
	}
}

// truth is the model's exact log Z where it is available; enumerations are made once per job.
func (j *Reports) truth() *Truth {
	if !j.truthKnown {
		if t := models.TruthOf(j.job.Model); t != nil {
			j.truthValue = &Truth{Number(t.LogZ), t.Source, Number(t.Error)}
		}
		j.truthKnown = !j.job.Preparing()
	}
	if t := j.job.Truth(); t != nil && j.truthValue == nil { // it has come: what was judged without it is judged anew
		j.truthValue, j.done = &Truth{Number(t.LogZ), t.Source, Number(t.Error)}, map[string]*Report{}
	}
	return j.truthValue
}
