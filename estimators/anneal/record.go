package anneal

import (
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/models"
)

// Part names parts of the record of an annealing run that readers may need, beside the log weights of its forward
// chains.
type Part uint8

// Parts of the record. Works are log weights here: minus the
// physical work, so that E[exp(work)] = Z/Z0 forward and Z0/Z in reverse.
const (
	ReverseWorks Part = 1 << iota // of chains on the way back, from exact samples of the target, else from data
	DataWorks                     // of chains on the way back from data, else from exact samples, after a move at K
)

// Record is what an annealing run has recorded: the log weights of its chains at rungs of its ladder on the way
// to the target, and at the end of the way back.
type Record struct {
	Model     models.Model
	Rungs     int         // K, of the whole ladder
	Sweeps    int         // at each rung between the ends
	Betas     []float64   // of the recorded rungs; the last is the target's
	LogW      [][]float64 // of each lane: of its chains, one after another, at each recorded rung
	Forwarded bool        // LogW is complete
	Reverse   []float64   // log weights of the reverse chains at the base, 0 at the target
	FromData  bool        // reverse chains started from data, not from exact samples
	BurnIn    int         // then: moves of each at the target before it went back
	DataWorks []float64   // log weights at the base of the reverse chains from data, 0 at the target
	LogData   []float64   // log f of the datum of each of them, with what is not data summed out
	Data      int         // data of the model: chain c has datum c modulo Data; 0: each has an exact sample of its own
	Blocks    []float64   // logs of the sums over the blocks of an enumeration; nil without one
	Final     bool        // the run is over
	Climbed   []float64   // see Result.Climbed

	// Of each lane, of its chains, where they were asked for: second derivatives of log f by beta at every
	// schedule.CurveEvery-th rung below the top.
	curves [][][]float64

	rungs []estimators.Rung // made from LogW once it is complete
	joint *joint            // made from LogW and Reverse

	path *schedule.PathStats // made from LogW
}

// Chains is the number of chains whose log weights are there.
func (a *Record) Chains() int {
	n := 0
	for _, lane := range a.LogW {
		n += len(lane) / len(a.Betas)
	}
	return n
}

// Works lists the log weights of all forward chains at a recorded rung.
func (a *Record) Works(rung int) []float64 {
	x := make([]float64, 0, a.Chains())
	for _, lane := range a.LogW {
		for i := rung; i < len(lane); i += len(a.Betas) {
			x = append(x, lane[i])
		}
	}
	return x
}

// Ladder is log Z at recorded rungs, from the weights there: (x, log w) is properly weighted for f_k after the move
// at k.
func (a *Record) Ladder() []estimators.Rung {
	if a.rungs != nil {
		return a.rungs
	}
	stride := 1
	if !a.Forwarded { // still running: rebuilding a long ladder for each view would slow the lanes down
		stride += len(a.Betas) / maxWay
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

// pathStats is what the forward chains found about the path.
func (a *Record) pathStats() *schedule.PathStats {
	if a.path == nil {
		a.path = schedule.Learn(a.Betas, a.rows(), 0, false)
	}
	return a.path
}

// addCurves takes the curves that a lane of n chains recorded, rung after rung.
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

// curvesByChain lists the curves of each chain in the order of rows; nil unless they were asked for.
func (a *Record) curvesByChain() (out [][]float64) {
	for _, chains := range a.curves {
		out = append(out, chains...)
	}
	return out
}

// rows lists the log weights of each chain at the recorded rungs.
func (a *Record) rows() (out [][]float64) {
	for _, lane := range a.LogW {
		for i := 0; i < len(lane); i += len(a.Betas) {
			out = append(out, lane[i:i+len(a.Betas)])
		}
	}
	return out
}

// cost is what the run takes for a reader that is alone: kernel applications and log densities.
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
