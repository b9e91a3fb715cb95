package anneal

import (
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/models"
)

// Part is a set of parts of the record of an annealing run that a reader needs in addition to the log weights of the
// forward chains.
type Part uint8

// Parts of the record. Works are log weights, minus the work of physics: E[exp(work)] = Z/Z0 forward and Z0/Z in
// reverse.
const (
	ReverseWorks Part = 1 << iota // reverse chains from exact samples of the target, else from data
	DataWorks                     // reverse chains from data, else from exact samples, moved once at rung K
)

// Record is the record of an annealing run: the log weights of forward chains at rungs of the ladder, and of reverse
// chains at the base.
type Record struct {
	Model     models.Model
	Rungs     int         // number K of rungs of the ladder
	Sweeps    int         // sweeps at each rung between the ends
	Betas     []float64   // inverse temperatures of the recorded rungs; the last is 1
	LogW      [][]float64 // lanes x (chains x recorded rungs)
	Forwarded bool        // LogW is complete
	Reverse   []float64   // log weights of the reverse chains at the base, 0 at the target
	FromData  bool        // reverse chains started from data, not from exact samples
	BurnIn    int         // moves of each reverse chain from data at the target before it leaves it
	DataWorks []float64   // log weights at the base of the reverse chains from data, 0 at the target
	LogData   []float64   // log f of the datum of each of these chains, with coordinates that are not data summed out
	Data      int         // number of data; chain c starts at datum c modulo Data; 0: at an exact sample
	Blocks    []float64   // logs of the sums over the blocks of an enumeration; nil without one
	Final     bool        // the run is over
	Climbed   []float64   // see Result.Climbed

	// Lanes x chains x rungs: second derivatives of log f by beta at every schedule.CurveEvery-th rung below the top;
	// nil if they are not recorded.
	curves [][][]float64

	rungs []estimators.Rung // computed from LogW once it is complete
	joint *joint            // computed from LogW and Reverse

	path *schedule.PathStats // computed from LogW
}

// Chains is the number of forward chains in LogW.
func (a *Record) Chains() int {
	n := 0
	for _, lane := range a.LogW {
		n += len(lane) / len(a.Betas)
	}
	return n
}

// Works returns the log weights of all forward chains at a recorded rung.
func (a *Record) Works(rung int) []float64 {
	x := make([]float64, 0, a.Chains())
	for _, lane := range a.LogW {
		for i := rung; i < len(lane); i += len(a.Betas) {
			x = append(x, lane[i])
		}
	}
	return x
}

// Ladder returns log Z at the recorded rungs, by the weights there: the move at rung k leaves (x, w) properly weighted
// for f_k. While chains are running, long ladders are thinned.
func (a *Record) Ladder() []estimators.Rung {
	if a.rungs != nil {
		return a.rungs
	}
	stride := 1
	if !a.Forwarded { // still running: rebuilding a long ladder for each view would slow the lanes down
		stride += len(a.Betas) / maxRunningRungs
	}
	var out []estimators.Rung
	for i := (len(a.Betas) - 1) % stride; i < len(a.Betas); i += stride {
		mean, se := stats.LogMeanSE(a.Works(i))
		out = append(out, estimators.Rung{Beta: a.Betas[i], LogZ: mean + a.Model.LogZ0(), SE: se})
	}
	if a.Forwarded {
		a.rungs = out
	}
	return out
}

// pathStats returns the statistics of the path by the forward chains.
func (a *Record) pathStats() *schedule.PathStats {
	if a.path == nil {
		a.path = schedule.Learn(a.Betas, a.rows(), 0, false)
	}
	return a.path
}

// addCurves adds the curves of a lane of n chains, given rung after rung.
func (a *Record) addCurves(lane int, curves []float64, n int) {
	if len(curves) == 0 {
		return
	}
	for len(a.curves) <= lane {
		a.curves = append(a.curves, nil)
	}
	chains := make([][]float64, n)
	for i, x := range curves {
		chains[i%n] = append(chains[i%n], x)
	}
	a.curves[lane] = chains
}

// curvesByChain returns the curves of each chain in the order of rows; nil if they are not recorded.
func (a *Record) curvesByChain() (out [][]float64) {
	for _, chains := range a.curves {
		out = append(out, chains...)
	}
	return out
}

// rows returns the log weights of each chain at the recorded rungs.
func (a *Record) rows() (out [][]float64) {
	for _, lane := range a.LogW {
		for i := 0; i < len(lane); i += len(a.Betas) {
			out = append(out, lane[i:i+len(a.Betas)])
		}
	}
	return out
}

// cost returns the numbers of kernel applications and of log density evaluations of the run, for a single reader with
// the given needs.
func (a *Record) cost(needs Part) (sweeps, evaluations float64) {
	runs := float64(a.Chains())
	if needs&ReverseWorks != 0 {
		n := float64(len(a.Reverse))
		runs += n
		sweeps += num.Mul(n, float64(a.BurnIn*a.Sweeps))
	}
	if needs&DataWorks != 0 {
		n := float64(len(a.DataWorks))
		runs += n
		sweeps += num.Mul(n, float64(a.Sweeps))
		evaluations = n
	}
	sweeps += num.Mul(runs*float64(a.Rungs-2), float64(a.Sweeps))
	return sweeps, evaluations + num.Mul(runs*2, float64(a.Rungs-1))
}
