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
		"Another method here reads the same run, so both reports list its cost, which is paid once.")
	FlagInterrupted = diag.NewFlag("interrupted",
		"The run was interrupted: this is the result so far.")
	FlagFailed = diag.NewFlag("failed",
		"The run failed.")
	FlagUnconfirmed = diag.NewFlag("unconfirmed",
		"A device of the room gave wrong results, and replicates of devices that were never checked count.")
)

// Report is the report on one method of an experiment. Its JSON is described in site/docs/contract.md (The JSON of a run).
type Report struct {
	// Result is the result of the first replicate, or of all replicates joined for a wanted error. Fields of Report with
	// the same name as a field of Result take its place: they are over all replicates, and null in JSON if unknown.
	estimators.Result `json:"-"`

	V           int                    `json:"v"`       // version of links and of this JSON
	Version     string                 `json:"version"` // version of the program
	Spec        ReportSpec             `json:"spec"`
	Link        string                 `json:"link"`
	Model       string                 `json:"model"`
	Method      string                 `json:"method"`
	Seed        uint32                 `json:"seed"`
	Understood  string                 `json:"understood,omitempty"` // what was understood in a user's own file
	LogZ        Number                 `json:"logz"`
	SE          Number                 `json:"se"`
	SEMethod    string                 `json:"se_method"`
	Calibration *Calibration           `json:"calibration"`
	Bias        string                 `json:"bias"`
	Lower       Number                 `json:"lower"`
	Upper       Number                 `json:"upper"`
	Floor       *Bound                 `json:"floor"`
	Ceiling     *Bound                 `json:"ceiling"`
	LogP        *LogP                  `json:"log_p,omitempty"` // log probability of a drawing (logp.go)
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
	Overlap     Numbers                `json:"overlap,omitempty"` // overlap of neighbouring rungs, if measured
	Effective   Numbers                `json:"n_eff,omitempty"`   // effective number of samples at each rung (mbar only)
	Path        []PathKnot             `json:"path,omitempty"`    // statistics of the path, measured by the run or its pilot
	Flags       []diag.Flag            `json:"flags"`
	Verdict     *Verdict               `json:"verdict"`
	Replicates  []Number               `json:"replicates,omitempty"`
	ReplicateSE []Number               `json:"replicate_se,omitempty"`
	Summary     *Summary               `json:"summary,omitempty"`
	Hash        string                 `json:"hash"`

	State         runstate.Method `json:"-"`
	Provisional   bool            `json:"-"`
	Early         bool            `json:"-"` // less than minShare of the run is done, too little for a verdict
	Err           error           `json:"-"` // why the method failed
	Needed        Number          `json:"-"` // approximate total work for the wanted error (estimators.Result.Work); NaN without a wanted error
	reached       bool            // the wanted standard error is reached
	slowTailParam string          // parameter whose tail has the diagnostic models.DiagTailSlope
	sealedHash    string          // hash before dropOneWeight removed error bars
	names         catalog.Names

	Kind     string `json:"-"` // kind of the model
	DataID   string `json:"-"` // identifies the data whose log evidence is log Z; "" if log Z is no log evidence
	OwnLevel string `json:"-"` // level of the verdict by the checks of the method alone

	Histories [][]estimators.Point `json:"-"` // Result.History of each replicate
}

// Calibration is the coverage of the error bars of comparable test runs on models whose exact log Z is known.
type Calibration struct {
	Runs    int    `json:"runs"`
	Within1 Number `json:"within1"` // fraction of estimates within one standard error of the exact value
	Within2 Number `json:"within2"` // fraction within two standard errors
	RMSZ    Number `json:"rms_z"`   // root mean square of (estimate - exact value)/SE
}

// ReportSpec is the part of the experiment for this method, with defaults filled in.
type ReportSpec struct {
	Model      string            `json:"model"`
	Method     string            `json:"method"`
	Seed       uint32            `json:"seed"`
	Replicates int               `json:"replicates"`
	Target     Number            `json:"target"` // wanted standard error (nats), null without one
	Limit      Number            `json:"limit"`  // limit of the sweeps to reach Target, null without a target
	Params     map[string]string `json:"params"`
}

// Mode is a mode of the target found by the search before the run. Mass is its share of the mass of all modes, by
// Laplace's method (height and curvature); Starts is the number of climbs that ended there.
type Mode struct {
	Mass   Number `json:"mass"`
	Starts int    `json:"starts"`
}

// Truth is the exact log Z of the model and its source.
type Truth struct {
	LogZ   Number `json:"logz"`
	Source string `json:"source"`
	// Uncertainty is the possible error of LogZ (nats), for integrals by cubature; 0 for sums and formulas.
	Uncertainty Number `json:"uncertainty,omitempty"`
}

// SourceText returns the source for display, followed by the uncertainty if it is above 0.
func (t *Truth) SourceText() string {
	if t.Uncertainty > 0 {
		return fmt.Sprintf("%s, +- %.1g", t.Source, float64(t.Uncertainty))
	}
	return t.Source
}

// Bound is a certain lower or upper bound of log Z (nats). Kind says how it was computed, such as models.FloorMeanField.
type Bound struct {
	LogZ Number `json:"logz"`
	Kind string `json:"kind"`
}

// Cost is the cost of a result, over all its replicates.
type Cost struct {
	Sweeps      Number `json:"sweeps"`      // kernel applications, summed over chains
	Evaluations Number `json:"evaluations"` // number of log density evaluations
	Seconds     Number `json:"seconds"`     // wall time of the whole run
}

// Summary describes the log Zhat of replicates: mean, standard deviation, log of the mean Zhat, and the root mean square
// of (log Zhat - exact value)/SE.
type Summary struct {
	Mean       Number `json:"mean"`
	SD         Number `json:"sd"`
	LogMeanExp Number `json:"log_mean_exp"`
	RMSZ       Number `json:"rms_z"`
}

// Reports makes the reports of a job, and keeps those of finished methods.
type Reports struct {
	job         *engine.Job
	done        map[string]*Report
	freeReports map[string]*Report // reports of the experiment without its drawing, by method (SetFree)
	truthValue  *Truth
	truthKnown  bool
	names       func() []string // names of the numbers of a posterior
}

// minShare is the finished share of a run, and of the experiment, from which a verdict is meaningful. Earlier, most
// verdicts are bad because samples are few, and others are good by chance.
const minShare = .1

// New returns the Reports of a job.
func New(j *engine.Job) *Reports {
	return &Reports{job: j, done: map[string]*Report{}, names: lazy.Of(func() []string {
		return models.NamesOf(j.Model.New(1, []float64{0, 1}))
	})}
}

// report returns the report of a method after the given time. The report of a finished method is made only once.
func (j *Reports) report(name string, seconds float64) *Report {
	j.truth()
	if final := j.done[name]; final != nil {
		final.Cost.Seconds = Number(seconds)
		return final
	}
	info, _ := j.job.Names().Method(name)
	r := j.newReport(info)
	standing := j.job.Status(name)
	results := standing.Results
	r.State, r.Err = standing.State, standing.Err
	if standing.Shared {
		r.addFlag(FlagSharedRun)
	}
	r.Provisional = r.State != runstate.MethodDone
	r.Early = r.State == runstate.MethodRunning && min(standing.Share, j.job.Progress()) < minShare
	j.addModel(r)
	r.PathStats = standing.Found

	// The results: of one run, of replicates, or of runs joined for a wanted error.
	if len(results) > 0 {
		all := results[0]
		if r.Spec.Target > 0 {
			all = estimators.Joined(results, info.Unbiased)
		}
		r.addResults(j.names, all, results)
		if len(results) > 1 || r.Spec.Replicates > 1 {
			r.replicated(results, info.Unbiased)
		}
		if r.Spec.Target > 0 {
			r.LogZ, r.SE, r.SEMethod = Number(all.LogZ), Number(all.SE), all.SEMethod
		}
	}

	// Flags for missing and useless error bars.
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
	r.reached = standing.TargetReached
	if r.Needed = NaN; r.Spec.Target > 0 {
		r.Needed = Number(j.job.WorkNeeded(name))
	}
	r.LogP = j.logP(r)
	r.Cost.Seconds = Number(seconds)
	r.Verdict = r.Judge()
	if r.State == runstate.MethodDone { // an unfinished result has no hash
		r.Hash = r.finalHash()
		j.done[name] = r
	}
	return r
}

// unfinished reports whether the method may still change its result.
func (r *Report) unfinished() bool {
	return r.Provisional && r.State != runstate.MethodFailed && !slices.Contains(r.Flags, FlagInterrupted)
}

// markInterrupted marks a report that is kept although its method is not finished.
func (r *Report) markInterrupted() {
	r.addFlag(FlagInterrupted)
	slices.Sort(r.Flags)
	r.addCheck(VerdictCheck{Name: "Finished", Value: Number(math.NaN()), Text: "no", Needs: "yes",
		Meaning: "The run was cut short. What it had not done yet may move log Z by more than the error bar.",
		Advice:  "Let it run to its end, or give it less work."})
}

// newReport returns the report of a method without results.
func (j *Reports) newReport(info *estimators.Info) *Report {
	name, names := info.Name, j.job.Names()
	only := j.job.Spec.Only(names, name)
	values := only.Values(info.Params, name)
	for k, v := range only.Values(names.ModelParams(only.Model), "") {
		if own, isShared := values[k]; isShared {
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

// addModel adds the exact log Z, diagnostics and flags of the model.
func (j *Reports) addModel(r *Report) {
	can := models.CapabilitiesOf(j.job.Model)
	r.Truth = j.truth()
	if r.Truth == nil {
		if sum := can.Exact.Sum; sum != nil {
			if _, ok := sum.Blocks(models.MaxEnumerated); ok {
				r.Hint = j.exactCommand()
			}
		}
	}

	// What was understood in the file, diagnostics and flags.
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
			r.Diagnostics[models.DiagTailSlope], r.slowTailParam = Number(slope), name
		}
	}
	for _, f := range info.Flags {
		if f == models.FlagBaseGuessed && slices.Contains(r.Flags, estimators.FlagUniformBase) {
			continue // the run did not use that base
		}
		r.addFlag(f)
	}
}

// addModes adds the modes with the largest mass, and the flag FlagSearched.
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

// FlagSearched states which modes a search cannot find.
var FlagSearched = diag.NewFlag("searched", "Modes were looked for from starts up to 250 away from 0 in coordinates "+
	"without bounds, at draws of the prior, at the constants of the program, and on lines through the modes found. A mode "+
	"far outside of that region, or narrower than a thousandth of it, cannot be seen.")

// exactCommand returns the shell command that computes the exact log Z of the model with its parameters. The parameter
// data is left out, as data rows do not change log Z.
func (j *Reports) exactCommand() string {
	s := "logz exact -model " + j.job.Model.Info().Name
	for _, key := range slices.Sorted(maps.Keys(j.job.Spec.Set)) {
		if !strings.Contains(key, ".") && key != "data" {
			s += " -set " + key + "=" + j.job.Spec.Set[key]
		}
	}
	return s
}

// addResults fills in a result, and costs, histories and flags of the runs that it stands for. names returns the names of
// the coordinates.
func (r *Report) addResults(names func() []string, result *estimators.Result, results []*estimators.Result) {
	pilotStats := r.PathStats // statistics by a running pilot
	if r.Result = *result; r.PathStats == nil {
		r.PathStats = pilotStats
	}
	r.LogZ, r.SE, r.SEMethod, r.Bias = Number(result.LogZ), Number(result.SE), result.SEMethod, result.Bias
	r.Lower, r.Upper = Number(result.Lower), Number(result.Upper)
	r.Overlap, r.Effective = result.Overlap, result.Effective
	if p := result.PathStats; p != nil {
		r.Path = pathKnots(p)
	}
	r.Ladder, r.Stages = append(r.Ladder, result.Ladder...), result.Stages
	if len(result.Data) > 0 {
		r.Data = &Data{Rows: int(result.Number(estimators.DiagData)), Mean: NaN, Lower: NaN, Upper: NaN, Pseudo: NaN}
		for _, logp := range result.Data {
			r.Data.LogP = append(r.Data.LogP, Number(logp))
		}
	}
	if len(result.Posterior) > 0 {
		r.Posterior, r.AtTarget = moments(result.Posterior, names()), moments(result.AtTarget, names())
	}
	for k, v := range result.Diagnostics {
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

// truth returns the model's exact log Z, nil if not known.
func (j *Reports) truth() *Truth {
	if !j.truthKnown {
		if t := models.TruthOf(j.job.Model); t != nil {
			j.truthValue = &Truth{Number(t.LogZ), t.Source, Number(t.Error)}
		}
		j.truthKnown = !j.job.Preparing()
	}
	if t := j.job.Truth(); t != nil && j.truthValue == nil { // now computed: discard reports without it
		j.truthValue, j.done = &Truth{Number(t.LogZ), t.Source, Number(t.Error)}, map[string]*Report{}
	}
	return j.truthValue
}
