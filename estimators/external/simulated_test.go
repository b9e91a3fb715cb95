package external

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
	"logzlab/internal/tier"
)

// simulated describes a log file of power posteriors with known log Z, with chains of autocorrelation time tau. At each
// power, the log likelihood is normal or, if skew is set, minus scale/2 times the sum of squares of dims normal
// numbers.
type simulated struct {
	skew   bool
	dims   int     // dimensions of the skewed likelihood
	scale  float64 // precision of the skewed likelihood, or standard deviation of the normal log likelihood
	tau    float64
	runs   int
	n      int // number of samples at each rung in each run
	powers []float64
	ladder string // good, starved, gapped, drifting or without the prior
	seed   uint32
}

// normalMean is the mean of the normal log likelihood under the prior.
const normalMean = -50

func (s *simulated) exactLogZ() float64 {
	if s.skew {
		return -float64(s.dims) / 2 * math.Log(1+s.scale)
	}
	return normalMean + s.scale*s.scale/2
}

// series returns the log likelihoods of a chain at a power. If the ladder is drifting, the chain begins away from its
// distribution.
func (s *simulated) series(power float64, stream rng.Stream) []float64 {
	dims := 1
	if s.skew {
		dims = s.dims
	}
	phi := (s.tau - 1) / (s.tau + 1)
	if s.skew { // squares have half the autocorrelation time
		phi = math.Sqrt(phi)
	}
	x := make([]float64, dims)
	for j := range x {
		x[j] = stream.Norm()
	}
	out := make([]float64, s.n)
	for i := range out {
		for j := range x {
			x[j] = phi*x[j] + math.Sqrt(1-phi*phi)*stream.Norm()
		}
		effectivePower := power
		switch fraction := float64(i) / float64(s.n); {
		case s.ladder != "drifting":
		case s.seed%3 == 0: // starts at power 0 and has not converged at the end
			effectivePower = power * (1 - .5*math.Exp(-fraction))
		case s.seed%3 == 1: // starts at 0.6 times the power and converges at the end
			effectivePower = power * (.6 + .4*fraction)
		default: // starts at power 0 and has converged before the second half
			effectivePower = power * (1 - math.Exp(-fraction*20))
		}
		if !s.skew {
			out[i] = normalMean + effectivePower*s.scale*s.scale + s.scale*x[0]
			continue
		}
		for _, v := range x {
			out[i] -= s.scale / 2 * v * v / (1 + effectivePower*s.scale)
		}
	}
	return out
}

// text returns the log as a table.
func (s *simulated) text() string {
	var b strings.Builder
	b.WriteString("run,state,power,likelihood\n")
	key := rng.NewKey(s.seed, "simulated log", 0)
	for run := range s.runs {
		for k, p := range s.powers {
			stream := key.Stream(uint32(run), uint32(k), 0)
			for i, l := range s.series(p, stream) {
				fmt.Fprintf(&b, "%d,%d,%v,%v\n", run, i, p, l)
			}
		}
	}
	return b.String()
}

// powersOf returns the powers (i/K)^(1/alpha), i = 0, ..., K, of a ladder with K+1 = rungs rungs.
func powersOf(rungs int, alpha float64) (out []float64) {
	for i := range rungs {
		out = append(out, math.Pow(float64(i)/float64(rungs-1), 1/alpha))
	}
	return out
}

// ladderLog returns the i-th of a sequence of random logs; the kinds of ladders alternate.
func ladderLog(i int) *simulated {
	stream := rng.NewKey(uint32(i), "kinds of logs", 0).Stream(0, 0, 0)
	s := &simulated{skew: i/4%2 == 1, runs: 1 + int(4*stream.Float64()), seed: uint32(i),
		dims: 12, scale: 4, tau: math.Exp(stream.Float64() * math.Log(100)),
		ladder: []string{"good", "starved", "gapped", "drifting"}[i%4]}
	alpha := 1.
	if s.skew {
		alpha, s.scale = .35, 40
	}
	s.n = int(math.Exp(math.Log(200) + stream.Float64()*math.Log(10)))
	rungs := 10 + int(12*stream.Float64())
	if s.ladder == "starved" {
		s.n = 5 + int(40*stream.Float64())
	}
	s.powers = powersOf(rungs, alpha)
	if s.ladder == "gapped" {
		switch int(3 * stream.Float64()) {
		case 0: // no rungs near the prior
			s.powers = s.powers[2+int(float64(rungs)/3*stream.Float64()):]
		case 1: // no rungs in a part of the ladder
			from := 1 + int(float64(rungs)/2*stream.Float64())
			s.powers = append(s.powers[:from], s.powers[from+rungs/3:]...)
		default: // only three rungs
			s.powers = []float64{0, s.powers[rungs/2], 1}
		}
	}
	return s
}

// shapeLog returns the i-th of a sequence of random logs with a larger variety of shapes than ladderLog: few or many
// dimensions, wide and narrow likelihoods, ladders of different powers, and some ladders without the prior.
func shapeLog(i int) *simulated {
	stream := rng.NewKey(uint32(i), "other shapes of logs", 0).Stream(0, 0, 0)
	s := &simulated{skew: stream.Intn(3) > 0, runs: 1 + stream.Intn(3), dims: 1 + stream.Intn(30), seed: uint32(i),
		tau: math.Exp(stream.Float64() * math.Log(60)), scale: 1 + 7*stream.Float64(),
		ladder: []string{"good", "starved", "gapped", "drifting", "without"}[stream.Intn(5)]}
	alpha := 1.
	if s.skew {
		alpha, s.scale = []float64{.2, .3, .5, 1}[stream.Intn(4)], 2*math.Exp(stream.Float64()*math.Log(500))
	}
	s.n = int(math.Exp(math.Log(150) + stream.Float64()*math.Log(8)))
	rungs := 6 + stream.Intn(15)
	s.powers = powersOf(rungs, alpha)
	switch s.ladder {
	case "starved":
		s.n = 5 + stream.Intn(60)
	case "gapped":
		from := 1 + stream.Intn(rungs/2)
		s.powers = append(s.powers[:from:from], s.powers[from+rungs/3:]...)
	case "without":
		s.powers = s.powers[1+stream.Intn(rungs/2):]
	}
	return s
}

// tally counts the estimates of one verdict level and sums the squares of their standardised errors z.
type tally struct {
	n, beyond3SE int
	squares      float64
}

// Error bars of trusted estimates have the right size. Over 320 logs (release tests), the root mean square of z is
// between 0.85 and 1.2, and at most 1 % of |z| exceed 3. Estimates with |z| > 20 get the verdict stop.
func TestErrorBarsOfSimulatedLogs(t *testing.T) {
	judgeLogs(t, tier.Size(8, 24, 320), 4, .01, ladderLog)
}

// The same for logs of a larger variety. There are twice as many, because the estimates of one log, up to five, are
// correlated.
func TestErrorBarsOfOtherShapes(t *testing.T) { judgeLogs(t, tier.Size(15, 15, 600), 4, .01, shapeLog) }

// There are logs with weights of infinite variance, with a burn-in and with drift that only a single check detects.
func TestEachCheckIsNeeded(t *testing.T) {
	for _, c := range []struct {
		log           int
		method, check string
	}{{6, "ss-down", "Close to the best estimate"}, {252, "ss-down", "Close to the best estimate"},
		{236, "ss", "Stationary from the start"}, {28, "mbar", "Stationarity checks combined"}} {
		file := samples.File{Name: "log.csv", Data: []byte(shapeLog(c.log).text())}
		reports, err := Read([]samples.File{file}, []string{c.method}, must(ParseOptions(nil)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r := reports[0]; r.Verdict.Level != verdict.Caution || r.Verdict.Passes(c.check) {
			t.Errorf("log %d by %s is %s, and passes %q: %t", c.log, c.method, r.Verdict.Level, c.check,
				r.Verdict.Passes(c.check))
		}
	}
}

// judgeLogs checks the reports on a number of logs. With z = (estimate - log Z)/SE, at most the share maxShare of
// trusted estimates may have |z| > 3, and none may have |z| > maxZ.
func judgeLogs(t *testing.T, logs int, maxZ, maxShare float64, newLog func(i int) *simulated) {
	levels := map[string]*tally{}
	for i := range logs {
		s := newLog(i)
		reports, err := Read([]samples.File{{Name: "log.csv", Data: []byte(s.text())}}, nil, must(ParseOptions(nil)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			z := (float64(r.LogZ) - s.exactLogZ()) / float64(r.SE)
			for _, key := range []string{r.Verdict.Level, r.Verdict.Level + " " + r.Method,
				r.Verdict.Level + " " + s.ladder} {
				if levels[key] == nil {
					levels[key] = &tally{}
				}
				l := levels[key]
				l.n++
				if l.squares += z * z; math.Abs(z) > 3 {
					l.beyond3SE++
				}
			}
			if math.Abs(z) > 20 && r.Verdict.Level != verdict.Stop || math.Abs(z) > maxZ && r.Verdict.Level == verdict.Trust {
				t.Errorf("log %d %+v (%s): %s is %v +- %v, truth %v, z %.1f: %s", i, *s, s.ladder, r.Method, r.LogZ, r.SE,
					s.exactLogZ(),
					z, r.Verdict.Level)
				for _, c := range r.Verdict.Checks {
					t.Logf("    %v %s %s %s", c.OK, c.Name, c.Text, c.At)
				}
			}
		}
	}
	trust := levels["trust"]
	if rms := math.Sqrt(trust.squares / float64(trust.n)); !(rms > tier.Size(.2, .4, .85) && rms < tier.Size(1.6, 1.4,
		1.2)) ||
		float64(trust.beyond3SE) > maxShare*float64(trust.n)+tier.Size(1., 1, 0) {
		t.Errorf("%d trusted estimates have the rms z %.3f, %d are off by more than three bars", trust.n, rms, trust.beyond3SE)
	}
	for k, l := range levels {
		t.Logf("%-18s %4d, rms z %6.3f, beyond three bars %d", k, l.n, math.Sqrt(l.squares/float64(l.n)), l.beyond3SE)
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
