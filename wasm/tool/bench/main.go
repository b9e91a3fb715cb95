// Command bench measures how many chain-sweeps (h given v, then v given h) a
// second one core makes of an RBM, inside whatever runs it: natively, under Node
// or in a browser's worker. `tool bench` starts it again and again and takes
// medians.
//
//	bench MODEL.npz WORK [plain]
//
// prints the rate of one measurement of about a second; plain does without
// the SIMD module of wasm.
package main

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"logzlab/core/kernel"
	"logzlab/core/rng"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/models"
)

// chains are all in one lane, as in a page with one worker.
const chains = 100

func main() {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: bench MODEL.npz WORK"))
	}
	kernel.PureGo = len(os.Args) > 3 && os.Args[3] == "plain"
	data, err := readModel(os.Args[1])
	if err != nil {
		fail(err)
	}
	f, err := spec.ReadModelFile(data)
	if err != nil {
		fail(err)
	}
	r := f.RBM
	m, err := models.NewRBM(models.RBMParams{Name: os.Args[1], M: r.M, J: r.J, W: r.W, C: r.C, B: r.B, P1: r.P1})
	if err != nil {
		fail(err)
	}
	work, ok := works[os.Args[2]]
	if !ok {
		fail(fmt.Errorf("work %q is not known", os.Args[2]))
	}
	rate, err := work(m)
	if err != nil {
		fail(err)
	}
	fmt.Printf("%.0f\n", rate)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// works are the kinds of work by name.
var works = map[string]func(models.Model) (float64, error){
	"gibbs": func(m models.Model) (float64, error) { return gibbs(m, func(t, r, top int) int { return top }) },
	"ladder": func(m models.Model) (float64, error) {
		return gibbs(m, func(t, r, top int) int { return t % (top + 1) })
	},
	"spread": func(m models.Model) (float64, error) {
		return gibbs(m, func(t, r, top int) int { return zigzag(t+2*r, top) })
	},
	"ais": func(m models.Model) (float64, error) {
		return method(m, estimators.AIS, "forward", map[string]string{"chains": "100", "temperatures": "1000"})
	},
	"rts": func(m models.Model) (float64, error) {
		return method(m, estimators.RTS, "final", map[string]string{"chains": "100", "temperatures": "100", "sweeps": "300", "burn_in": "0", "init_rounds": "0"})
	},
	"rm": func(m models.Model) (float64, error) {
		return method(m, estimators.RM, "", map[string]string{"particles": "10", "islands": "1", "moves": "4"})
	},
}

// A measurement begins after warm, in which V8 compiles what is hot a second
// time, and lasts for measured.
const measured = 400 * time.Millisecond

func warm() time.Duration {
	if runtime.GOOS == "js" {
		return 700 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// clock adds up pieces of work once it is warm.
type clock struct {
	start       time.Time
	work, spent float64
}

// add tells of a piece of work that began at from; it reports whether more is wanted.
func (c *clock) add(work float64, from time.Time) bool {
	if from.Sub(c.start) >= warm() {
		c.work += work
		c.spent += time.Since(from).Seconds()
	}
	return c.spent < measured.Seconds()
}

// gibbs is the rate of bare sweeps over a ladder of 100 rungs, after a while at the
// top: in sweep t row r is at the rung that rung names.
func gibbs(m models.Model, rung func(t, r, top int) int) (float64, error) {
	ladder, err := schedule.Parse("linear", 100)
	if err != nil {
		return 0, err
	}
	top := len(ladder) - 1
	p := m.New(chains, ladder)
	at := rng.At{Key: rng.NewKey(1, "bench", 0)}
	p.Draw(at)
	rungs := make([]int32, chains)
	sweep := func(rung func(r int) int) {
		for r := range rungs {
			rungs[r] = int32(rung(r))
		}
		at.Step++
		p.Move(at, rungs, false)
	}
	for range 300 {
		sweep(func(int) int { return top })
	}
	c := clock{start: time.Now()}
	for more := true; more; {
		from := time.Now()
		for t := range len(ladder) {
			sweep(func(r int) int { return rung(t, r, top) })
		}
		more = c.add(float64(chains*len(ladder)), from)
	}
	return c.work / c.spent, nil
}

// zigzag goes from 0 to top and back, a rung at a time.
func zigzag(t, top int) int {
	if t %= 2 * top; t > top {
		return 2*top - t
	}
	return t
}

// method is the rate of the rounds of an estimator by one name ("": of all), run
// again and again, with all that it does besides sweeping: weights, conditionals,
// sums, frames that nobody watches.
func method(m models.Model, info estimators.Info, round string, set map[string]string) (float64, error) {
	values := spec.Values{}
	for _, p := range info.Params {
		values[p.Name] = p.Default
	}
	for k, v := range set {
		values[k] = v
	}
	c := clock{start: time.Now()}
	for replicate := 0; ; replicate++ {
		run, err := info.New(estimators.Config{Values: values, Model: m, Key: rng.NewKey(1, "bench", replicate), Cut: 1 << 20, Workers: 1})
		if err != nil {
			return 0, err
		}
		var partials, states [][]byte
		for {
			r, err := run.Next(partials, states)
			if err != nil {
				return 0, err
			}
			if r == nil {
				break
			}
			if states = r.States; states == nil {
				states = make([][]byte, r.Lanes)
			}
			partials = make([][]byte, r.Lanes)
			from := time.Now()
			for i := range partials {
				u := &estimators.Unit{Round: r.Name, Plan: r.Plan, Lane: i, State: states[i]}
				for range run.Lane(u) {
				}
				partials[i], states[i] = u.Partial, u.State
			}
			if round != "" && r.Name != round {
				continue
			}
			if !c.add(r.Sweeps, from) {
				return c.work / c.spent, nil
			}
			if round != "" {
				break
			}
		}
	}
}
