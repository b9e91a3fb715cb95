package temper

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/models"
)

// script is a model without randomness: log f_k(x) is the value of at for the phase and sweep of the last move.
type script struct {
	logf func(phase, step uint32, k int) float64
}

func (s script) Info() models.Info { return models.Info{Name: "script"} }

func (s script) LogZ0() float64 { return 0 }

func (s script) New(n int, _ []float64) models.Population { return &scriptRows{script: s, n: n} }

type scriptRows struct {
	script
	n  int
	at rng.At
}

func (s *scriptRows) Draw(at rng.At) { s.at = at }

func (s *scriptRows) Move(at rng.At, _ []int32, _ bool) { s.at = at }

func (s *scriptRows) Read(int, *frame.Frame) {}

func (s *scriptRows) Append(int, *wire.Writer) {}

func (s *scriptRows) Load(int, *wire.Reader) {}

func (s *scriptRows) Copy(int, int) {}

func (s *scriptRows) LogF(lo, n int, out []float64) {
	for i := range s.n * n {
		out[i] = s.logf(s.at.Phase, s.at.Step, lo+i%n)
	}
}

// Sweeps of the burn-in do not count, the first one after it does, and each initial iteration counts all of its own.
// Detects a missing burn-in, one that is repeated after a cut, and one sweep too few or too many.
func TestBurnIn(t *testing.T) {
	m := script{func(_, step uint32, k int) float64 {
		switch {
		case step <= 7:
			return 30 * float64(k) // would give log Z = 90
		case step == 8 && k == 3:
			return math.Log(19) // one sweep of ten with q = 19/22 for the last rung
		}
		return 0
	}}
	for _, cut := range []int{0, 1, 3, 8} {
		cfg := methodtest.Config(t, RTS, m, 1, "chains=12", "temperatures=4", "sweeps=10", "burn_in=7", "init=ones",
			"init_rounds=0")
		cfg.RoundSweeps = cut
		_, res := methodtest.Drive(t, RTS, cfg)
		want := math.Log((9./4 + 19./22) / (9./4 + 1./22)) // c_4/c_1
		methodtest.Near(t, "log Z", res.LogZ, want, 1e-12)
		methodtest.Near(t, "log Z of the rung below", res.Ladder[2].LogZ, 0, 1e-12)
		methodtest.Near(t, "sweeps", res.Sweeps, 12*17, 0)
	}
	cfg := methodtest.Config(t, RTS, m, 1, "chains=12", "sweeps=1000")
	r, _ := newRun(cfg)
	if b := r.(*run).burn; b != 100 {
		t.Errorf("default burn-in of 1000 sweeps is %d", b)
	}
	cfg = methodtest.Config(t, RTS, m, 1, "chains=12", "sweeps=50")
	r, _ = newRun(cfg)
	if b := r.(*run).burn; b != 20 {
		t.Errorf("default burn-in of 50 sweeps is %d", b)
	}
}

// The final run keeps log Zhat as the initial iterations left it, whatever its own sweeps show, and the initial
// iterations learn. Here f_k = e^k in every phase: after one iteration log Zhat is exact, and stays.
func TestLogZhatFrozen(t *testing.T) {
	phases := map[uint32]bool{}
	m := script{func(phase, _ uint32, k int) float64 { phases[phase] = true; return float64(k) }}
	cfg := methodtest.Config(t, RTS, m, 1, "chains=12", "temperatures=4", "sweeps=10", "init=ones", "init_rounds=5",
		"init_sweeps=3")
	cfg.RoundSweeps = 2
	method, res := methodtest.Drive(t, RTS, cfg)
	methodtest.Near(t, "log Z", res.LogZ, 3, 1e-12)
	methodtest.Near(t, "log Zhat", method.(*run).zhat[3], 3, 1e-12)
	// The stopping rule ends the second iteration: two of five, and the final run.
	if len(phases) != 3 {
		t.Errorf("phases %v, want two initial iterations and the final run", phases)
	}
	if n := res.Sweeps; n != 12*(3+3+30) {
		t.Errorf("%v chain-sweeps, want %d", n, 12*(3+3+30))
	}
}

// Sweeps that are added later equal those of a longer run, for any division into lanes and rounds. Climbs start where
// the first sweeps end. If a run grows to four times the planned sweeps, the sweeps before its last ending in the first
// quarter are burn-in.
func TestTemperGrows(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	sized := func(burn, sweeps int) estimators.Config {
		return methodtest.Config(t, RTS, m, 1, "chains=12", "temperatures=8", fmt.Sprint("burn_in=", burn),
			fmt.Sprint("sweeps=", sweeps))
	}
	for _, try := range []struct{ sweeps, expected, dropped int }{{40, 0, 0}, {20, 0, 20}, {2, 20, 22}} {
		const burn, end = 15, 90
		sweeps, dropped := try.sweeps, try.dropped
		long, want := methodtest.Drive(t, RTS, sized(burn+dropped, end-dropped))
		_, planned := methodtest.Drive(t, RTS, sized(burn, sweeps))
		for _, size := range []int{0, 1, 5} {
			for _, cut := range []int{0, 7} {
				c := sized(burn, sweeps)
				c.LaneSize, c.RoundSweeps = size, cut
				both := [2]*run{}
				for i := range both {
					made, err := newRun(c)
					if err != nil {
						t.Fatal(err)
					}
					both[i] = made.(*run)
					both[i].MaxSweeps, both[i].ExpectedSweeps = end, try.expected
					both[i].ExtraSweeps = func(_ *estimators.Result, _, kept int) int { return min(end-kept, 20) }
				}
				fold, worker := both[0], both[1]
				round, err := fold.Next(nil, nil)
				for round != nil && err == nil {
					round, err = fold.Next(round.Run(worker))
				}
				got := fold.Estimate(nil)[0]
				same := func(x, y float64) bool { return x == y || dropped > 0 && math.Abs(x-y) < 1e-12 }
				if err != nil || !same(got.LogZ, want.LogZ) || !same(got.SE, want.SE) || got.Sweeps != want.Sweeps ||
					fold.Sweeps() != long.Sweeps() || !slices.Equal(got.Climbed, planned.Climbed) {
					t.Errorf("lanes of %d, %d dropped: %g +- %g with %g sweeps, want %g +- %g with %g: %v", size, dropped,
						got.LogZ, got.SE, got.Sweeps, want.LogZ, want.SE, want.Sweeps, err)
				}
			}
		}
	}
}
