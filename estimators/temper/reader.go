package temper

import (
	"cmp"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// Run is simulated tempering ([RTS] Algorithm 1): chains that move up and down a ladder of inverse temperatures. Many
// methods read it.
var Run = estimators.Run{
	Name: "rts", New: anneal.Scheduled(newRun), OptionalParams: []spec.Param{paramSamples},
	Params: []spec.Param{
		estimators.MainParam("chains", "100", 1, 1e5, "Number of tempering chains run side by side."),
		estimators.MainParam("temperatures", "100", 2, 1e4, "Number of rungs K of the ladder, both ends counted."),
		estimators.ScheduleParam,
		estimators.MainParam("sweeps", "2000", 1, 1e7, "Sweeps of each chain that are kept for the estimate."),
		estimators.IntParam("burn_in", "-1", -1, 1e7,
			"Sweeps of each chain discarded before those kept; -1 means 10 % of them, at least 20."),
		{Name: "init", Type: "choice", Default: "ais", Choices: []string{"ais", "ones", "wl", "sams"},
			Help: "First guess of the rungs' log Z: one annealing pass (ais), all equal as in the paper (ones), or weights " +
				"that adapt as wl or sams does."},
		estimators.IntParam("adapt_sweeps", "500", 1, 1e7,
			"Sweeps of each chain in which the weights adapt, with init = wl or sams.").
			When("init", "wl", "sams"),
		estimators.IntParam("init_rounds", "4", 0, 1000,
			"Largest number of initial iterations that improve the guess; a stop rule "+
				"may end them earlier. Use 10 or more with init = ones.").
			When("samples", "tempered"),
		estimators.IntParam("init_sweeps", "50", 1, 1e6, "Sweeps of each chain in one initial iteration.").
			When("samples", "tempered").Unless("init_rounds", "0"),
		paramPrior.When("samples", "tempered"),
	},
}

// runParams are the values of these parameters, and of paramSamples.
type runParams struct {
	Chains      int    `param:"chains"`
	Sweeps      int    `param:"sweeps"`
	BurnIn      int    `param:"burn_in"`
	Init        string `param:"init"`
	AdaptSweeps int    `param:"adapt_sweeps"`
	InitRounds  int    `param:"init_rounds"`
	InitSweeps  int    `param:"init_sweeps"`
	Prior       string `param:"prior"`
	Samples     string `param:"samples"`
}

// paramSamples is offered by readers that need only samples at each rung: see Run.OptionalParams.
var paramSamples = spec.Param{Name: "samples", Type: "choice", Default: "tempered",
	Choices: []string{"tempered", "fixed"},
	Help: "Chains that move among the rungs, shared with the other readers of the run (tempered), or that each stay at " +
		"one (fixed)."}

// Reader makes an estimate from the record of a tempering run.
type Reader struct {
	Needs []*Statistic // statistics that the run records for it
	// Read makes the result from the record and the values of the method's parameters.
	Read func(t *Record, v spec.Values) *estimators.Result
	// Fit, if not nil, is a computation on the samples that needs a lane of its own at the end of the run.
	Fit *Fit
	// CheckRungs, if not nil, rejects values that do not suit the number of rungs.
	CheckRungs func(rungs int, v spec.Values) error
	run        *estimators.Run // nil: Run; see HoldSamples
}

// Run returns the tempering run.
func (r *Reader) Run() *estimators.Run { return cmp.Or(r.run, &Run) }

// reads returns the Reader of a method of the run.
func reads(r estimators.Reader) *Reader { return r.Reads.(*Reader) }
