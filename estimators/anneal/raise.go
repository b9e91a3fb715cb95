package anneal

import (
	"math"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// Flags of raise.
var (
	FlagNoData = diag.NewFlag("no_data",
		"This method starts from data: the model has none, and exact samples of it cannot be drawn.")
	FlagFromData = diag.NewFlag("from_data",
		"The estimate starts from data, which are no samples of the model: it may be too high or too low.")
	FlagDrawnData = diag.NewFlag("drawn_data",
		"The model has no data, so exact samples of it stand in for them.")
)

// RAISE is reverse annealing from data ([Burda2015]). Annealing that starts at f_1/Z_1 and moves by T_2, ..., T_K
// defines a model p of its last state, near f/Z. From a datum v = x_K the reversed kernels make x_{k-1} ~ T~_k(. |
// x_k), k = K..2, and since T~_k(x' | x) = T_k(x | x') f_k(x')/f_k(x),
//
//	p(v) = f(v)/Z_1 E[w],  log w = sum_{k=K..2} log f_{k-1}(x_{k-1}) - log f_k(x_{k-1}),
//
// so log p_raise(v) = log f(v) - log Z_1 + log-mean-exp of log w over the chains of v is biased down, and
//
//	log Z = mean log f(v) - mean log p_raise(v) = log Z_1 - mean over data of log-mean-exp of log w
//
// is biased up if v ~ f/Z: by the divergence of p from f/Z and by the noise of w. Data given by a user are not samples
// of f/Z: if f/Z has modes without data, p may assign these data a larger probability, and the bias has either sign.
// The mean is over data, each with its own log-mean-exp, as in the paper; the log-mean-exp over all chains at once is
// the diagnostic logz_pooled. The error is the standard error of the mean over data.
var RAISE = estimators.Info{
	Name: "raise", Label: "RAISE", Short: "from data", Path: estimators.Tempered,
	SEStretch:  1.5,
	Provenance: estimators.ThroughRungs | estimators.MovesAtRungs | estimators.FromData,
	About: "Reverse annealing: chains start at data and are warmed to the base, which shows how likely annealing makes " +
		"each datum. From exact samples of the model this bounds log Z from above.",
	Params: Run.Params, Checks: []estimators.Check{checkLag, CheckReverse, CheckSandwich},
	Reads: &Reader{Needs: DataWorks, Read: readRAISE},
}

// maxData is the largest number of data whose log-likelihoods a result lists.
const maxData = 1000

// readRAISE returns the estimate of the forward chains until the reverse chains are done.
func readRAISE(a *Record, _ spec.Values) *estimators.Result {
	z0 := a.Model.LogZ0()
	res := a.forwardResult(a.Works(len(a.Betas) - 1))
	n := len(a.DataWorks)
	if n == 0 {
		if a.Final {
			withhold(res, FlagNoData)
		}
		return res
	}

	// Data of the model, or samples drawn from it.
	data := min(n, a.Data)
	if a.Data > 0 {
		res.Flag(FlagFromData)
	} else {
		data = n
		res.Flag(FlagDrawnData)
	}

	// The log likelihood of each datum, by its chains.
	var each, likely stats.Welford
	for d := range data {
		var own []float64
		for c := d; c < n; c += data {
			own = append(own, a.DataWorks[c])
		}
		w := num.LogMeanExp(own)
		each.Add(w)
		likely.Add(a.LogData[d] + w - z0)
		if d < maxData {
			res.Data = append(res.Data, a.LogData[d]+w-z0)
		}
	}
	if !num.Finite(each.Mean) {
		withhold(res, estimators.FlagZeroWeights)
		return res
	}

	// The upper end, and the estimate: the mean over data.
	upperEnd(res, a.DataWorks, z0)
	res.Diagnose(estimators.DiagLogZPooled, res.Diagnostics[estimators.DiagLogZReverse])
	bias := "up"
	if a.Data > 0 { // data are not samples of the model
		bias = "either"
	}
	replaceEstimate(res, z0-each.Mean, math.Sqrt(each.Var()/float64(data)), estimators.SEData, bias)
	res.Diagnose(estimators.DiagLogZReverse, res.LogZ)
	res.Diagnose(estimators.DiagData, float64(data))
	res.Diagnose(estimators.DiagMeanLogLikelihood, likely.Mean)
	res.Diagnose(estimators.DiagMeanLogLikelihoodSE, math.Sqrt(likely.Var()/float64(data)))
	return res
}
