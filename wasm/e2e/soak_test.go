package e2e

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"logzlab/estimators/catalog"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
)

// soaking runs random experiments under random faults. counts has the number of each kind of test.
type soaking struct {
	t      *testing.T
	r      *rand.Rand
	dir    string
	counts map[string]int
}

// experiment is an experiment as arguments of the command.
type experiment struct {
	args []string // from -model on
	file string   // the user's model file among them, or ""
}

func (x experiment) String() string { return strings.Join(x.args, " ") }

// small has the largest values of parameters, chosen so that a run takes a second or two.
var small = map[string]int{"particles": 60, "islands": 5, "temperatures": 25, "sweeps": 40, "chains": 25, "moves": 4,
	"i_max": 5, "burn_in": 9, "init_rounds": 3, "init_sweeps": 9, "reseed_sweeps": 9, "leaps": 4}

// absurd lists unreasonable values of parameters.
var absurd = []string{"-1", "0", "1e99", "x", "", "1e9", "7.5", "2147483648", "ja"}

// experiment returns a random experiment: a bundled model or a possibly damaged model file, one or two methods, and
// parameters.
func (s *soaking) experiment() experiment {
	x := experiment{}
	model := one(s.r, []string{"mixture2", "mixture10", "ising16", "rbm-pcd-20", "gpc-1d", "gpc-ou", "bmm-digits"})
	if s.r.IntN(2) == 0 {
		x.file = filepath.Join(s.dir, fmt.Sprintf("own%d.json", s.r.IntN(1e9)))
		b := s.model()
		if s.r.IntN(3) == 0 {
			b = testmodels.Damage(s.r, b)
		}
		if err := os.WriteFile(x.file, b, 0o666); err != nil {
			s.t.Fatal(err)
		}
		model = x.file
	}
	var methods []string
	for range 1 + s.r.IntN(2) {
		if m := one(s.r, catalog.Names{}.MethodNames()); !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	x.args = []string{"-model", model, "-method", strings.Join(methods, ","), "-seed", fmt.Sprint(s.r.IntN(3))}
	for _, m := range methods {
		params, _ := catalog.Names{}.MethodParams(m)
		for _, p := range params {
			switch most := small[p.Name]; {
			case s.r.IntN(60) == 0:
				x.args = append(x.args, "-set", m+"."+p.Name+"="+one(s.r, absurd))
			case most > 0:
				x.args = append(x.args, "-set", fmt.Sprintf("%s.%s=%d", m, p.Name, max(int(p.Min), 1+s.r.IntN(most))))
			case p.Type == "choice" && s.r.IntN(3) == 0:
				x.args = append(x.args, "-set", m+"."+p.Name+"="+one(s.r, p.Choices))
			}
		}
	}
	return x
}

// one returns a random element.
func one[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// model returns a random model file.
func (s *soaking) model() []byte {
	numbers := func(n int, sd float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = float64(int(sd*s.r.NormFloat64()*1e4)) / 1e4
		}
		return out
	}
	rows := func(n, m int, sd float64) [][]float64 {
		out := make([][]float64, n)
		for i := range out {
			out[i] = numbers(m, sd)
		}
		return out
	}
	n, m := 1+s.r.IntN(30), 1+s.r.IntN(30)
	var file map[string]any
	switch s.r.IntN(4) {
	case 0:
		file = map[string]any{"kind": "rbm", "W": rows(n, m, .8), "c_visible": numbers(n, 1), "b_hidden": numbers(m, 1)}
	case 1:
		d := 1 + s.r.IntN(4)
		file = map[string]any{"kind": "gmm", "d": d, "base_sd": 3, "logC": numbers(1, 9)[0], "weights": []float64{.25, .75},
			"means": rows(2, d, 3), "sds": []float64{.5, 1}}
	case 2:
		file = map[string]any{"kind": "ising", "L1": n, "L2": m, "periodic": s.r.IntN(2) == 0, "beta": s.r.Float64()}
	default:
		y := numbers(n, 1)
		for i := range y {
			y[i] = float64(s.r.IntN(2))
		}
		file = map[string]any{"kind": "gpc", "X": rows(n, 2, 1), "y": y,
			"kernel": map[string]any{"name": one(s.r, []string{"rbf", "ou"}), "amplitude": 1.5, "length": 1}}
	}
	b, err := json.Marshal(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// count increments the count of a kind of test.
func (s *soaking) count(what string) { s.counts[what]++ }

// soakTime returns the duration in LOGZ_SOAK, or 0 if it is not set.
func soakTime() time.Duration {
	l, _ := time.ParseDuration(os.Getenv("LOGZ_SOAK"))
	return l
}

// TestSoak runs random experiments under random faults, with the command and in the page, for the time LOGZ_SOAK (for
// example 30m; some seconds by default). Whatever is interrupted, killed, damaged or refused, each run ends soon,
// either with the result of an undisturbed run or with one specific error. LOGZ_SOAK_SEED sets the random seed.
func TestSoak(t *testing.T) {
	tier.Release(t)
	length, seed := cmp.Or(soakTime(), 12*time.Second), uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("LOGZ_SOAK_SEED"), 10, 64); err == nil {
		seed = n
	}
	s := &soaking{t: t, r: rand.New(rand.NewPCG(seed, 14)), dir: t.TempDir(), counts: map[string]int{}}
	page := s.page()
	for start := time.Now(); time.Since(start) < length && !t.Failed(); {
		x := s.experiment()
		began := time.Now()
		want, err := s.command(x)
		if d := time.Since(began); d > 10*time.Second {
			t.Logf("%v: %s", d, x)
		}
		if err != nil {
			t.Errorf("logz run %s: %v", x, err)
			continue
		}
		if s.r.IntN(8) == 0 {
			t.Run("page", func(t *testing.T) { page.try(t, x, want) }) // a subtest, so that its tab is closed
		}
	}
	for _, what := range slices.Sorted(maps.Keys(s.counts)) {
		t.Logf("%6d %s", s.counts[what], what)
	}
}

// outcome is the exit status of a run of the command, and the hashes of its finished methods.
type outcome struct {
	status int
	hashes []string
}

var errHang = errors.New("the command hangs")
