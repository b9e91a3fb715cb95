package anneal

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/models/rbm"
)

// annealed returns the exact density of the last state of annealing from the base along a ladder with a sweep of Gibbs
// sampling at each rung, including the last: the product of transition matrices of all states of a tiny RBM. It is
// computed from the formulas of the model, not by its code. logF are log f of its states.
func annealed(p rbm.Params, ladder []float64) (density, logF []float64) {
	states := 1 << p.M
	bit := func(v, i int) float64 { return float64(v >> i & 1) }
	input := func(v, j int) float64 {
		x := p.B[j]
		for i := range p.M {
			x += bit(v, i) * p.W[i*p.J+j]
		}
		return x
	}
	density, logF = make([]float64, states), make([]float64, states)
	for v := range states {
		density[v] = 1
		for i, rate := range p.P1 {
			density[v] *= bit(v, i)*rate + (1-bit(v, i))*(1-rate)
			logF[v] += bit(v, i) * p.C[i]
		}
		for j := range p.J {
			logF[v] += math.Log1p(math.Exp(input(v, j)))
		}
	}
	for _, beta := range ladder[1:] {
		next := make([]float64, states)
		for v := range states {
			for h := range 1 << p.J {
				ph := density[v]
				for j := range p.J {
					on := 1 / (1 + math.Exp(-beta*input(v, j)))
					ph *= bit(h, j)*on + (1-bit(h, j))*(1-on)
				}
				for to := range states {
					pv := ph
					for i, rate := range p.P1 {
						x := beta*p.C[i] + (1-beta)*math.Log(rate/(1-rate))
						for j := range p.J {
							x += beta * bit(h, j) * p.W[i*p.J+j]
						}
						on := 1 / (1 + math.Exp(-x))
						pv *= bit(to, i)*on + (1-bit(to, i))*(1-on)
					}
					next[to] += pv
				}
			}
		}
		density = next
	}
	return density, logF
}

// tinyMachine returns an RBM with all its states as data. Weights are multiples of 1/8, so there is no rounding.
func tinyMachine(t *testing.T, joint bool, data bool) (rbm.Params, *rbm.Model) {
	t.Helper()
	p := rbm.Params{Name: "tiny", M: 5, J: 3, Joint: joint, C: []float64{.5, -1, 0, 1, -.25},
		B: []float64{.25, -.5, 1}, P1: []float64{.3, .6, .5, .8, .4}}
	for i := range p.M * p.J {
		p.W = append(p.W, float64((5*i)%7-3)*.75)
	}
	for v := 0; data && v < 1<<p.M; v++ {
		state := make([]uint8, p.M)
		for i := range state {
			state[i] = uint8(v >> i & 1)
		}
		p.Data = append(p.Data, state)
	}
	m, err := rbm.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

// E[f(v)/Z_1 w] is the exact density of the annealing model at v, for every v: 32 states, 5 s.e. of 1 to 5 %. Planted
// errors: without the kernel at the target 48 s.e. and more, with the forward kernel in reverse 21 if it is composed (v
// and h), with log f of v and h in place of log f of v 1.6 nats. So the mean of log p_raise is below log p, and samples
// of the model as data make log Z too high, at least by the divergence of the two densities (next test).
func TestRAISEDensity(t *testing.T) {
	const each = 3000
	for _, joint := range []bool{false, true} {
		p, m := tinyMachine(t, joint, true)
		method, res := methodtest.Drive(t, RAISE,
			methodtest.Config(t, RAISE, m, 1, "chains="+strconv.Itoa(each<<p.M), "temperatures=4"))
		a := method.(*run)
		want, logF := annealed(p, a.ladder)
		worst, all := 0.0, math.Inf(-1)
		for v := range want {
			var works []float64
			for c := v; c < len(a.known.DataWorks); c += len(want) {
				works = append(works, a.known.DataWorks[c])
			}
			logMean, se := stats.LogMeanSE(works)
			methodtest.Near(t, "log f of the datum", a.known.LogData[v], logF[v], 1e-6)
			methodtest.Near(t, "log p of the datum", res.Data[v], logMean+logF[v], 1e-9)
			worst = max(worst, math.Abs(logMean+logF[v]-math.Log(want[v]))/se)
			all = num.LogSumExp([]float64{all, res.Data[v]})
		}
		t.Logf("joint %v: largest |z| %.1f, densities sum to %.4f", joint, worst, math.Exp(all))
		if !(worst < 5) {
			t.Errorf("joint %v: log p_raise is off the annealing model's density by %.1f s.e.", joint, worst)
		}
	}
}

// From exact samples of the model, log Z of RAISE is above log Z on average, at least by the divergence of the
// annealing model, and converges to it as the ladder grows. Each datum's log-likelihood is below that of the annealing
// model.
func TestRAISEBias(t *testing.T) {
	p, m := tinyMachine(t, false, false)
	z := methodtest.ExactLogZ(t, m)
	var last float64
	for _, k := range []int{3, 6, 30, 200} {
		method, res := methodtest.Drive(t, RAISE, methodtest.Config(t, RAISE, m, 1, "chains=4000",
			"temperatures="+strconv.Itoa(k)))
		density, logF := annealed(p, method.(*run).ladder)
		divergence, likely := 0.0, 0.0
		for v := range density {
			model := math.Exp(logF[v] - z)
			divergence += model * (logF[v] - z - math.Log(density[v]))
			likely += model * math.Log(density[v])
		}
		off := res.LogZ - z
		t.Logf("K = %d: log Z + %.4f +- %.4f, divergence %.4f", k, off, res.SE, divergence)
		if !(off > divergence-2*res.SE) || !(off > -2*res.SE) {
			t.Errorf("K = %d: log Z is %.4f +- %.4f above the exact one, at least %.4f are due", k, off, res.SE, divergence)
		}
		got, se := res.Diagnostics[estimators.DiagMeanLogLikelihood], res.Diagnostics[estimators.DiagMeanLogLikelihoodSE]
		if !(got < likely+2*se) {
			t.Errorf("K = %d: mean log-likelihood %.4f +- %.4f, at most %.4f", k, got, se, likely)
		}
		last = off
		if len(res.Data) != maxData || !slices.Contains(res.Flags, FlagDrawnData) || res.Bias != "up" {
			t.Errorf("K = %d: %d data, flags %v, bias %s", k, len(res.Data), res.Flags, res.Bias)
		}
	}
	if !(last < .02) { // half the variance of the log weights, which falls as 1/K
		t.Errorf("K = 200: log Z is %.4f too high", last)
	}
}

// Works from data are a round of their own: the results of other readers do not change, alone or together with RAISE,
// and every report states its own cost.
func TestAnnealCompany(t *testing.T) {
	for name, m := range methodtest.Models(t) {
		set := []string{"chains=12", "temperatures=9"}
		all := []estimators.Info{AIS, AISBAR, RAISE}
		c := methodtest.Config(t, AIS, m, 1, set...)
		c.Readers = nil
		for _, info := range all {
			c.Readers = append(c.Readers, estimators.Reader{Info: info, Values: c.Values})
		}
		method, _ := methodtest.Drive(t, AIS, c)
		for i, together := range method.Estimate(nil) {
			alone, res := methodtest.Drive(t, all[i], methodtest.Config(t, all[i], m, 1, set...))
			if methodtest.Bits(res) != methodtest.Bits(together) {
				t.Errorf("%s on %s: alone\n%s, in company\n%s", all[i].Name, name, methodtest.Bits(res), methodtest.Bits(together))
			}
			if res.LogZ != together.LogZ || res.Sweeps != together.Sweeps || res.Sweeps != alone.Sweeps() {
				t.Errorf("%s on %s: log Z %v and %v, %v sweeps alone, %v in company, %v planned", all[i].Name, name, res.LogZ,
					together.LogZ, res.Sweeps, together.Sweeps, alone.Sweeps())
			}
		}
	}
}
