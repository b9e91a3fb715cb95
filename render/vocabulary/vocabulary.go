// Package vocabulary lists the English words that the canvas draws. It is separate from render so that a page can
// translate them without drawing. Formulas, names of methods and numbers are the same in every language and are not
// listed.
package vocabulary

import "strings"

// Words are all words of the canvas, including Phases. An entry is translated as a whole, for example "of the mass".
var Words = append([]string{
	"1,234.5", // a number, in the format of the language
	// while there is no data
	"No particles yet", "No plane for this model", "No ladder yet", "No estimate yet", "No functions yet",
	"These functions cannot be drawn", "Only functions of one or two inputs can be",
	// particles
	"Particle", "particle", "particles", "of", "of the mass", "of the mean", "weight", "log weight", "units on",
	"Side by side", "By temperature", "now", "so far",
	// graph
	"No graph yet", "couplings not satisfied", "Next particle", "In the most common state", "Couplings satisfied",
	"Coupling of", "and",
	// ladder
	"Chains", "chain", "chains", "last", "chains here now", "sweeps", "update", "sweeps before now",
	"Occupancy", "occupancy", "log Z by rung", "Its error", "Its error bar", "error", "nats",
	"Rung", "rungs", "rows",
	// travel
	"Overlap of neighbouring rungs", "below the line: add a rung", "each bar the worst of", "Rungs", "overlap",
	"Neighbours overlap by # at least, at \u03b2 = @: enough", "Least overlap #, at \u03b2 = @: enough",
	"Neighbours overlap by # at least, at \u03b2 = @: too little", "Least overlap #, at \u03b2 = @: too little",
	"# round trips by @ chains: they travel", "# round trips so far by @ chains", "1 round trip so far by @ chains",
	"No round trip so far by @ chains",
	"No round trip by @ chains: they do not travel", "# round trips by @ chains: too few",
	"1 round trip by @ chains: too few",
	"round trips", "Share of the visits on the way up", "dashed: nothing holds the chains",
	"# % of the visits here are on the way up", "of the visits",
	"Visits against those planned, c / r", "counted", "Plan the visits", "Show the visits",
	"Planned visits of each rung, r", "Planned visits, r", "Visit all evenly",
	"Drag the knots: chains go more often where the line is high.",
	// chain
	"No chain yet", "1 round trip", "# round trips", "# of the last @ proposals were accepted", "Show all chains",
	"Change the hills", "Add a hill", "Remove this hill", "Done", "mass",
	"Follow one chain", "visits and log Z", "visits", "hot: flat", "cold: the target",
	// weights
	"No guesses yet", "Guess", "Guess of log Z by rung, nats", "Guess minus exact, nats",
	"Guess minus the last, nats", "Distance from the exact curve, nats", "Distance from the last guess, nats",
	"Distance, nats", "sweeps of each chain",
	// trace
	"one run",
	"log Z, nats", "Error bar, nats", "work: updates of all chains, or draws", "work", "upper", "lower", slope,
	// schedule
	"No schedule yet", "Inverse temperature", "share of the run", "wide: go slowly here", "Variance of log w",
	"optimal", "linear", "power", "geometric", "sigmoid", "adaptive", "your curve", "measured by this run",
	"predicted, with perfect moves", "predicted variance", "F from each start", "linear / best",
	"Probes follow a run.", "too small", "joint",
	"with hidden units",
	"A run shows what curves cost.", "Annealing, or a learned schedule, shows what curves cost.",
	"No schedule needs fewer chains.", "# costs no more chains than the optimum.",
	"# costs @ times the optimum's chains.", "Begin from the optimum", "knot",
	// race
	"No race before the methods are done", "work of one run: updates of all chains, or draws", "not within 0.1 nat yet",
	"within 0.1 nat after", "first to 0.1 nat", "off by about",
	// posterior
	"No parameters yet", "More parameters", "prior",
	// series
	"No series yet", "Returns", "Data", "Volatility", "Hidden state", "return", "particles go on",
	"long bar: few particles fit",
	// training
	"No training yet", "No likelihood yet", "log Z is not followed", "training", "validation",
	"Mean log-likelihood, nats", "gap", "best by validation", "best", "log Z minus that of AIS", "no check yet",
	"Weights", "hidden units", "Hidden unit", "weights", "Fantasies",
	// means
	"No means yet", "How often each unit is on", "All rungs", "Mean", "Standard error", "Exact", "rms",
	"\u03b2 = 1 alone",
	"From all rungs the standard error is # times that from \u03b2 = 1 alone.",
	"From all rungs the standard error is # times that from \u03b2 = 1 alone, and the error @ times.",
	// lab
	"No estimates yet", "Effective sample size that noise leaves", "Time until a result",
	"variance of log estimates, and draws behind them", "1 step", "steps", "this run", "minimum", "above the limit",
	"in theory", "time of an estimate", "estimates", "time", "Draws N behind an estimate", "picked (inner = 0)",
	"least time, counted", "least time, timed here",
	"With \u03c3\u00b2 = # this run keeps @\u00a0% of its effective samples.",
	"Time of an estimate, here",
	// formation
	"live", "paused", "done", "stopped", "Back to live", "Back to the newest", "Back to the end",
	"Draw", "Stop drawing", "row", "column", "ink", "paper", "free",
	"More pictures", "Larger pictures", "All particles", "and its ancestors", "tap: its ancestors",
	"died out at", "begins at", "no picture at",
	"empty: not among the first", "no picture: not among the first", "group", "Pixel", "on in",
	"pixels", "data", "stages", "variables", "Ancestry", "parents and copies", "log Z so far",
	"first run", "ESS ratio", "Error",
	// resampling
	"Reweight: particles that fit the next step grow.",
	"Reweight: particles that explain the datum grow.", "Move: each draws its next state.",
	"Generate: too few particles carry the weight, so moved copies are added.",
	"Resample (@): # light particles are dropped, % heavy ones copied.",
	"Move: copies move apart; their distribution stays the same.",
	"Grow: each particle draws its next coordinate.", "At first all weights are equal.",
	"residual rule", "multinomial rule", "stratified rule", "systematic rule", "ESS",
	"Pause", "Play", "below", "Without resampling", "Family tree", "All descend from # of the first @.",
	"Not resampled so far: the ESS is above the threshold.",
	"These particles have no picture; below are their weights.",
	// function
	"Function", "probability of 1", "label", "its probability", "Datum", "misfits",
}, Phases...)

const slope = "slope −½: four times the work, half the bar"

// Phases are the values of the field Phase of frames, without a number that may follow.
var Phases = []string{
	"exact", "target", "solve", "rough samples", "second opinion", // of the model or of samples, without particles
	"forward", "reverse", "cooling", // annealing
	"base rates", "pilot", // of any method
	"burn-in", "fit", "bridge", // bridge sampling
	"annealing pass", "adapting", "initial", "final", // tempering
	"init", "move", "smooth", "reweight", "generate", "resample", "augment", // stage by stage
}

// Stem splits a number at the end of a word, as in "initial 3", and the space before it.
func Stem(english string) (word, number string) {
	if i := strings.LastIndexByte(english, ' '); i > 0 && strings.Trim(english[i+1:], "0123456789") == "" {
		return english[:i], english[i:]
	}
	return english, ""
}
