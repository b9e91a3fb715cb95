package main

import (
	"fmt"
	"math"
	"strings"
	"syscall"

	"logzlab/core/meter"
	"logzlab/core/num/rng"
	"logzlab/estimators/external"
	"logzlab/estimators/external/draws"
	"logzlab/estimators/external/samples"
	"logzlab/models/stan/tape"
)

// unconstrainedProgram is a program for package draws whose draws are the unconstrained coordinates themselves.
type unconstrainedProgram struct {
	points *tape.EvaluatorPool
	dim    int
}

func (p unconstrainedProgram) Dim() int                 { return p.dim }
func (p unconstrainedProgram) LogF(u []float64) float64 { return p.points.LogF(u) }
func (p unconstrainedProgram) Underdetermined() bool    { return false }
func (p unconstrainedProgram) Improper() string         { return "" } // the first method reports it
func (p unconstrainedProgram) Names() (names []string) {
	for i := range p.dim {
		names = append(names, fmt.Sprintf("u.%d", i+1))
	}
	return names
}

func (p unconstrainedProgram) Free(x []float64, _ *rng.Stream, u []float64) error {
	copy(u, x)
	return nil
}

// Sizes of the second method.
const (
	chainCount     = 4
	warmUp         = 1000
	keptDraws      = 1000
	minKept        = 100
	maxWarmUpShare = .4 // largest share of the remaining time for the warm-up of a chain
)

// wantsSecond reports whether the second method was not run, or was ended by a shorter limit.
func (r row) wantsSecond(limit float64) bool {
	return r.compiled() && limit > 0 && !isFinite(r.SecondLogZ) &&
		(!isFinite(r.SecondSeconds) || r.SecondReason == overTime && r.SecondSeconds < maxWarmUpShare*limit)
}

// runSecond sets the results of the second method: log Z by bridge sampling of draws from chains that start as in Stan.
// It shares only the log density with the first method. limit is its processor time in seconds.
func (r *row) runSecond(p posterior, limit float64) {
	start := processorTime()
	r.SecondReason = ""
	defer func() {
		if e := recover(); e != nil {
			r.SecondReason = fmt.Sprint(e)
		}
		r.SecondSeconds = processorTime() - start
	}()
	t, err := p.text()
	if err != nil {
		r.SecondReason = err.Error()
		return
	}
	c, err := t.Compile()
	if err != nil {
		r.SecondReason = err.Error()
		return
	}
	start = processorTime()
	r.bridge(unconstrainedProgram{c.Tape.EvaluatorPool(), c.Tape.Dim()}, c.Tape.EvaluatorPool().Gradient, func() float64 { return (processorTime() - start) / limit })
}

// bridge runs the chains and sets log Z by bridge sampling of their draws. logDensity returns log f at x and sets out
// to its gradient; elapsedShare returns the share of the time limit that has elapsed.
func (r *row) bridge(p draws.Program, logDensity func(x, out []float64) float64, elapsedShare func() float64) {
	var text strings.Builder
	fmt.Fprintf(&text, "chain,divergent__,lp__,%s\n", strings.Join(p.Names(), ","))
	for k := range chainCount {
		start := elapsedShare()
		c, err := newChain(p.Dim(), logDensity, rng.NewKey(1, "second method", k).Stream(0, 0, 0))
		if err != nil {
			r.SecondReason = err.Error()
			return
		}
		if !c.warmUp(warmUp, func() bool { return elapsedShare() < start+maxWarmUpShare*(1-start) }) {
			r.SecondReason = overTime
			return
		}

		// A chain may use its share of the remaining time, but at least half of the time of its adaptation.
		end := max(start+(1-start)/float64(chainCount-k), elapsedShare()+(elapsedShare()-start)/2)
		n := 0
		for ; n < keptDraws && elapsedShare() < end; n++ {
			divergent := 0
			if c.move(); c.divergent {
				divergent = 1
			}
			fmt.Fprintf(&text, "%d,%d,%v", k+1, divergent, c.current.logF)
			for _, x := range c.current.q {
				fmt.Fprintf(&text, ",%v", x)
			}
			text.WriteByte('\n')
		}
		if n < minKept {
			r.SecondReason = overTime
			return
		}
	}
	o, err := external.ParseOptions(nil)
	if err != nil {
		r.SecondReason = err.Error()
		return
	}
	reports, err := external.Read([]samples.File{{Name: "draws.csv", Data: []byte(text.String())}}, nil,
		draws.WithProgram(p, o, nil), &meter.Meter{})
	if err != nil {
		r.SecondReason = err.Error()
		return
	}

	// Use the bridge with the smaller error bar.
	for _, report := range reports {
		logz, se := float64(report.LogZ), float64(report.SE)
		if isFinite(logz) && isFinite(se) && !(r.SecondSE <= se) {
			var failing []string
			for _, c := range report.Verdict.Checks {
				if !c.OK {
					failing = append(failing, c.Name)
				}
			}
			r.SecondLogZ, r.SecondSE, r.SecondVerdict, r.SecondReason = logz, se, report.Verdict.Level, strings.Join(failing, "; ")
		}
	}
	if math.IsNaN(r.SecondSE) && r.SecondReason == "" {
		r.SecondReason = "no result"
	}
}

// processorTime returns the processor time of this process in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
