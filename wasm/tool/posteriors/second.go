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

// plain is a program whose draws are unconstrained coordinates.
type plain struct {
	points *tape.EvaluatorPool
	dim    int
}

func (p plain) Dim() int                 { return p.dim }
func (p plain) LogF(u []float64) float64 { return p.points.LogF(u) }
func (p plain) Underdetermined() bool    { return false }
func (p plain) Improper() string         { return "" } // the first method reports it
func (p plain) Names() (names []string) {
	for i := range p.dim {
		names = append(names, fmt.Sprintf("u.%d", i+1))
	}
	return names
}

func (p plain) Free(x []float64, _ *rng.Stream, u []float64) error {
	copy(u, x)
	return nil
}

// Chains of the second method.
const (
	chainsOf   = 4
	warmUp     = 1000
	kept       = 1000
	leastKept  = 100
	warmUpMost = .4 // of the time that is left
)

// wantsSecond reports whether the second method was not run, or was ended by a shorter limit.
func (r row) wantsSecond(limit float64) bool {
	return r.compiled() && limit > 0 && !known(r.SecondLogZ) &&
		(!known(r.SecondSeconds) || r.SecondReason == late && r.SecondSeconds < warmUpMost*limit)
}

// second sets log Z by bridge sampling of draws from chains that start as in Stan. The chains share only the log
// density with the first method.
func (r *row) second(p posterior, limit float64) {
	began := taken()
	r.SecondReason = ""
	defer func() {
		if e := recover(); e != nil {
			r.SecondReason = fmt.Sprint(e)
		}
		r.SecondSeconds = taken() - began
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
	began = taken()
	r.bridge(plain{c.Tape.EvaluatorPool(), c.Tape.Dim()}, c.Tape.EvaluatorPool().Gradient, func() float64 { return (taken() - began) / limit })
}

// bridge runs the chains and reads their draws. gone is the elapsed share of the time.
func (r *row) bridge(p draws.Program, slope func(x, out []float64) float64, gone func() float64) {
	var text strings.Builder
	fmt.Fprintf(&text, "chain,divergent__,lp__,%s\n", strings.Join(p.Names(), ","))
	for k := range chainsOf {
		start := gone()
		c, err := newChain(p.Dim(), slope, rng.NewKey(1, "second method", k).Stream(0, 0, 0))
		if err != nil {
			r.SecondReason = err.Error()
			return
		}
		if !c.warm(warmUp, func() bool { return gone() < start+warmUpMost*(1-start) }) {
			r.SecondReason = late
			return
		}

		// A chain may use its share of the remaining time, but at least half of the time of its adaptation.
		end := max(start+(1-start)/float64(chainsOf-k), gone()+(gone()-start)/2)
		n := 0
		for ; n < kept && gone() < end; n++ {
			astray := 0
			if c.move(); c.astray {
				astray = 1
			}
			fmt.Fprintf(&text, "%d,%d,%v", k+1, astray, c.at.logF)
			for _, x := range c.at.q {
				fmt.Fprintf(&text, ",%v", x)
			}
			text.WriteByte('\n')
		}
		if n < leastKept {
			r.SecondReason = late
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
	for _, one := range reports {
		logz, se := float64(one.LogZ), float64(one.SE)
		if known(logz) && known(se) && !(r.SecondSE <= se) {
			var bad []string
			for _, c := range one.Verdict.Checks {
				if !c.OK {
					bad = append(bad, c.Name)
				}
			}
			r.SecondLogZ, r.SecondSE, r.SecondVerdict, r.SecondReason = logz, se, one.Verdict.Level, strings.Join(bad, "; ")
		}
	}
	if math.IsNaN(r.SecondSE) && r.SecondReason == "" {
		r.SecondReason = "no result"
	}
}

// taken returns the processor time of this process in seconds.
func taken() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
