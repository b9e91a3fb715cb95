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

// simulated is a log of power posteriors with known log Z: log likelihoods that are normal at each power, or minus half
// a sum of squares of normals, which is skewed; chains with autocorrelation time tau, in several runs.
type simulated struct {
	skew   bool
	dims   int     // of the skew likelihood
	scale  float64 // its precision, or the standard deviation of the normal one
	tau    float64
	runs   int
	n      int // samples of each rung and run
	powers []float64
	ladder string // good, starved, gapped, drifting or without the prior
	seed   uint32
}

// normalMean is that of the normal likelihood under the prior.
const normalMean = -50

func (s *simulated) truth() float64 {
	if s.skew {
		return -float64(s.dims) / 2 * math.Log(1+s.scale)
	}
	return normalMean + s.scale*s.scale/2
}

// series returns the log of a chain at a power. If the ladder drifts, it begins away from its distribution.
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
		at := power
		switch part := float64(i) / float64(s.n); {
		case s.ladder != "drifting":
		case s.seed%3 == 0: // still on its way from where it began: a rung that is far below
			at = power * (1 - .5*math.Exp(-part))
		case s.seed%3 == 1: // arrives at the end
			at = power * (.6 + .4*part)
		default: // has settled for the second half
			at = power * (1 - math.Exp(-part*20))
		}
		if !s.skew {
			out[i] = normalMean + at*s.scale*s.scale + s.scale*x[0]
			continue
		}
		for _, v := range x {
			out[i] -= s.scale / 2 * v * v / (1 + at*s.scale)
		}
	}
	return out
}

// text is the log as a table.
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

// powersOf are those of a ladder (i/K)^(1/alpha).
func powersOf(rungs int, alpha float64) (out []float64) {
	for i := range rungs {
		out = append(out, math.Pow(float64(i)/float64(rungs-1), 1/alpha))
	}
	return out
}

// draw makes the log of a number: kinds of ladders in turn, everything else by chance.
func draw(i int) *simulated {
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
		case 0: // nothing near the prior
			s.powers = s.powers[2+int(float64(rungs)/3*stream.Float64()):]
		case 1: // a hole
			from := 1 + int(float64(rungs)/2*stream.Float64())
			s.powers = append(s.powers[:from], s.powers[from+rungs/3:]...)
		default: // three rungs in all
			s.powers = []float64{0, s.powers[rungs/2], 1}
		}
	}
	return s
}

// another makes logs of other shapes: of few dimensions or many, wide and narrow likelihoods, ladders of other powers,
// and some that begin far from the prior.
func another(i int) *simulated {
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

// tally is how estimates of one level lie about the truth.
type tally struct {
	n, far  int
	squares float64
}

// Over 320 logs, in release, trusted error bars hold: rms z from 0.85 to 1.2, and at most 1 % beyond three bars. Errors
// of more than 20 bars get the verdict stop.
func TestSimulatedLogs(t *testing.T) { judgeLogs(t, tier.Size(8, 24, 320), 4, .01, draw) }

// The same for logs of other shapes: twice as many, because the up to five estimates of a log have a common error.
func TestOtherLogs(t *testing.T) { judgeLogs(t, tier.Size(15, 15, 600), 4, .01, another) }

// Infinite variance of weights, a distant start, and continued drift are each detected by a single check.
func TestEachCheckIsNeeded(t *testing.T) {
	for _, c := range []struct {
		log           int
		method, check string
	}{{6, "ss-down", "Close to the best estimate"}, {252, "ss-down", "Close to the best estimate"},
		{236, "ss", "Stationary from the start"}, {28, "mbar", "Stationarity checks combined"}} {
		file := samples.File{Name: "log.csv", Data: []byte(another(c.log).text())}
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

// judgeLogs judges logs: at most the given share of trusted estimates is off by more than three error bars, and none by
// more than the given number.
func judgeLogs(t *testing.T, logs int, most, share float64, draw func(i int) *simulated) {
	levels := map[string]*tally{}
	for i := range logs {
		s := draw(i)
		reports, err := Read([]samples.File{{Name: "log.csv", Data: []byte(s.text())}}, nil, must(ParseOptions(nil)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			z := (float64(r.LogZ) - s.truth()) / float64(r.SE)
			for _, key := range []string{r.Verdict.Level, r.Verdict.Level + " " + r.Method,
				r.Verdict.Level + " " + s.ladder} {
				if levels[key] == nil {
					levels[key] = &tally{}
				}
				l := levels[key]
				l.n++
				if l.squares += z * z; math.Abs(z) > 3 {
					l.far++
				}
			}
			if math.Abs(z) > 20 && r.Verdict.Level != verdict.Stop || math.Abs(z) > most && r.Verdict.Level == verdict.Trust {
				t.Errorf("log %d %+v (%s): %s is %v +- %v, truth %v, z %.1f: %s", i, *s, s.ladder, r.Method, r.LogZ, r.SE,
					s.truth(),
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
		float64(trust.far) > share*float64(trust.n)+tier.Size(1., 1, 0) {
		t.Errorf("%d trusted estimates have the rms z %.3f, %d are off by more than three bars", trust.n, rms, trust.far)
	}
	for k, l := range levels {
		t.Logf("%-18s %4d, rms z %6.3f, beyond three bars %d", k, l.n, math.Sqrt(l.squares/float64(l.n)), l.far)
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
