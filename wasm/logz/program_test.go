package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/num/rng"
	"logzlab/estimators/report"
	"logzlab/internal/tier"
)

const programs = "../../models/stan/testdata/programs"

// evidence is log Z in an oracle file: exact, or by bridge sampling of draws of rstan.
type evidence struct {
	Program string
	Exact   *struct{ LogZ float64 }
	LogZ    *struct{ Mean, SE float64 }
}

// auto estimates the log evidence of Stan programs within 3 joint error bars if the verdict is trust, and within 0.15
// nat if the exact log Z is known.
func TestEvidences(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(programs, "*.oracle.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no oracles")
	}
	some := tier.Size("coin radiata-m1",
		"coin radiata-m1 radiata-m2 schools schools_centred funnel galaxy_ordered-k2 probit_re", "")
	counted := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".oracle.json")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e evidence
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(file, err)
		}
		if e.Exact == nil && e.LogZ == nil || some != "" && !strings.Contains(" "+some+" ", " "+name+" ") {
			continue
		}
		args := []string{"run", "-model", filepath.Join(programs, e.Program), "-json"}
		if data := filepath.Join(programs, name+".json"); exists(data) {
			args = append(args, "-data", data)
		}
		var r struct {
			LogZ, SE float64
			Verdict  struct{ Level string }
		}
		status, out, says := run(args...) // a run of seconds prints its progress
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitOK {
			t.Fatal(name, status, says, err)
		}
		want, se := 0., 0.
		if e.Exact != nil {
			want = e.Exact.LogZ
		} else {
			want, se = e.LogZ.Mean, e.LogZ.SE
		}
		off := r.LogZ - want
		t.Logf("%-20s %.4f +- %.4f, off %+.4f: %s", name, r.LogZ, r.SE, off, r.Verdict.Level)
		if counted++; r.Verdict.Level != "trust" {
			t.Errorf("%s: verdict %s", name, r.Verdict.Level)
		}
		far := math.Abs(off) > 3*math.Hypot(r.SE, se) || e.Exact != nil && math.Abs(off) > .15
		if r.Verdict.Level == "trust" && far {
			t.Errorf("%s: log Z is %.4f +- %.4f, want %.4f +- %.4f", name, r.LogZ, r.SE, want, se)
		}
	}
	if counted < tier.Size(2, 7, 25) {
		t.Errorf("%d programs", counted)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// logz tape writes a file that gives the same result as the program. Errors name line and column and show the line.
func TestTapeCommand(t *testing.T) {
	out := filepath.Join(t.TempDir(), "coin.tape")
	model, data := filepath.Join(programs, "coin.stan"), filepath.Join(programs, "coin.json")
	var about struct {
		Model string
		Dim   int
	}
	text := mustRun(t, "tape", "-model", model, "-data", data, "-out", out, "-json")
	if err := json.Unmarshal([]byte(text), &about); err != nil || about.Dim != 1 {
		t.Fatal(err, about)
	}
	more := []string{"-method", "is", "-set", "particles=50", "-json"}
	hash := func(args ...string) string {
		var r struct{ Hash string }
		if err := json.Unmarshal([]byte(mustRun(t, append(append([]string{"run"}, args...), more...)...)), &r); err != nil {
			t.Fatal(err)
		}
		return r.Hash
	}
	if a, b := hash("-model", model, "-data", data), hash("-model", out); a != b || a == "" {
		t.Errorf("hash %s of the program, %s of its tape", a, b)
	}
	link := strings.TrimSpace(mustRun(t, "link", "-model", model, "-data", data))
	if name, tape, err := tapeInLink(link); err != nil || modelfile.ID(tape) != about.Model || name != "coin" {
		t.Errorf("the link %s brings %q, %v", link, name, err)
	}
	density := write(t, "density.stan", []byte("exp(-x^2/2) * (1 + sin(3*x)^2)\n"))
	mustRun(t, "tape", "-model", density, "-out", out)
	if a, b := hash("-model", density), hash("-model", out); a != b || a == "" {
		t.Errorf("hash %s of the expression, %s of its tape", a, b)
	}
	wrong := write(t, "wrong.stan", []byte("parameters {\n  real x;\n}\nmodel {\n  x ~ normal(0, y);\n}\n"))
	status, _, says := run("run", "-model", wrong)
	if status == exitOK || !strings.Contains(says, "line 5, column 17") || !strings.Contains(says, "x ~ normal(0, y);\n") {
		t.Errorf("status %d: %s", status, says)
	}
}

// -draws writes draws with the parameter names of Stan. A model whose parameters have no names is refused before it
// runs.
func TestDraws(t *testing.T) {
	file := filepath.Join(t.TempDir(), "draws.csv")
	few := []string{"-method", "is", "-set", "particles=50", "-draws", file}
	mustRun(t, append([]string{"run", "-model", filepath.Join(programs, "schools.stan"), "-data",
		filepath.Join(programs, "schools.json")}, few...)...)
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "\nlp__,mu,tau,z.1,z.2,") ||
		!strings.Contains(string(text), "resampled by their weights") {
		t.Fatalf("%v: %.600s", err, text)
	}
	mustRefuse(t, "rbm-pcd-20 has no parameters with names", append([]string{"run", "-model", "rbm-pcd-20"}, few...)...)
}

// Draws written by -draws and read by logz read give the evidence within 4 error bars if the verdict is trust.
func TestReadDraws(t *testing.T) {
	for _, name := range tier.Size([]string{"coin"}, []string{"coin", "radiata-m1", "covariance", "glm_normal",
		"directions"}, []string{"coin", "radiata-m1", "covariance", "glm_normal", "directions", "linreg-line", "nig-12",
		"pima-m1_unit", "precision", "priors_matrix", "priors_unit", "truncated", "urn"}) {
		text, err := os.ReadFile(filepath.Join(programs, name+".oracle.json"))
		if err != nil {
			t.Fatal(err)
		}
		var e evidence
		if err := json.Unmarshal(text, &e); err != nil || e.Exact == nil {
			t.Fatal(name, err)
		}
		program := []string{"-model", filepath.Join(programs, e.Program)}
		if data := filepath.Join(programs, name+".json"); exists(data) {
			program = append(program, "-data", data)
		}
		file := filepath.Join(t.TempDir(), name+".csv")
		mustRun(t, append([]string{"run", "-method", "is", "-set", "particles=50", "-draws", file}, program...)...)
		var reports []struct {
			Method   string
			LogZ, SE float64
			Verdict  struct{ Level string }
			Files    []struct{ Name string }
		}
		status, out, says := run(append([]string{"read", file, "-json"}, program...)...)
		if err := json.Unmarshal([]byte(out), &reports); status != exitOK || err != nil || len(reports) != 2 {
			t.Fatal(name, status, says, err)
		}
		for _, r := range reports {
			if z := (r.LogZ - e.Exact.LogZ) / r.SE; !(math.Abs(z) < 4) || !(r.SE < .1) || r.Verdict.Level != "trust" ||
				len(r.Files) != (len(program)+2)/2 {
				t.Errorf("%s: %s is %.4f +- %.4f, z %.2f of %.4f, %s, files %v", name, r.Method, r.LogZ, r.SE, z, e.Exact.LogZ,
					r.Verdict.Level, r.Files)
			}
		}
	}
}

// Draws of another program or of other data have the verdict stop or are refused.
func TestReadDrawsOfOthers(t *testing.T) {
	const program = "data { int n; int k; } parameters { real<lower=0, upper=1> p; } model { k ~ binomial(n, p); }"
	model, data := write(t, "m.stan", []byte(program)), write(t, "d.json", []byte(`{"n": 10, "k": 2}`))
	file := filepath.Join(t.TempDir(), "d.csv")
	mustRun(t, "run", "-model", model, "-data", data, "-method", "is", "-set", "particles=50", "-draws", file)
	mustRun(t, "read", file, "-model", model, "-data", data, "-strict")
	other := write(t, "e.json", []byte(`{"n": 40, "k": 20}`))
	if status, out, _ := run("read", file, "-model", model, "-data", other, "-strict"); status != exitStop ||
		!strings.Contains(out, "Draws are of this program") {
		t.Errorf("status %d: %s", status, out)
	}
	mustRefuse(t, "with -model FILE.stan", "read", file, "-data", data)
	mustRefuse(t, "with -model FILE.stan", "read", file, "-model", "coin.json")
	mustRefuse(t, "logz read d.csv -model program.stan", "read", file)
	rows := strings.Repeat("0.2\n0.3\n0.1\n0.25\n", 5)
	for text, want := range map[string]string{
		"p\n" + rows + "1.5\n":              "line 22: p is 1.5, which is at or beyond a bound of p",
		"p\n0.2\n0.3\n0.1\n":                "has 3 draws in a chain; needed are 8 or more",
		"p\n" + strings.Repeat("0.2\n", 20): "draws have no covariance",
		"q\n" + rows:                        "there is no column p",
	} {
		mustRefuse(t, want, "read", write(t, "x.csv", []byte(text)), "-model", model, "-data", data)
	}
}

// Reports have the parameters of a Stan program by their names, on their own scale. The prior of the rate is gamma(3,
// 2), its posterior gamma(3 + 11, 2 + 5), with mean 2 and standard deviation 2/sqrt(14).
func TestPosteriorOfParameters(t *testing.T) {
	program := write(t, "rate.stan", []byte(`data { int n; array[n] int y; } parameters { real<lower=0> rate; }
model { rate ~ gamma(3, 2); y ~ poisson(rate); }`))
	data := write(t, "rate.json", []byte(`{"n": 5, "y": [1, 4, 2, 0, 4]}`))
	for _, method := range []string{"bridge", "rts", "aisel", "is2"} {
		var r struct{ Posterior []report.Moment }
		out := mustRun(t, "run", "-model", program, "-data", data, "-method", method, "-json")
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Posterior) != 1 || r.Posterior[0].Name != "rate" {
			t.Errorf("%s: posterior %+v", method, r.Posterior)
			continue
		}
		m := r.Posterior[0]
		if se := float64(m.SE); !(se > 0 && se < .1) || math.Abs(float64(m.Mean)-2) > 4*se ||
			math.Abs(float64(m.SD)-2/math.Sqrt(14)) > .1 {
			t.Errorf("%s: posterior of the rate %+v", method, m)
		}
	}
}

// A Stan program with an infinite integral ends after one run of few sweeps, whatever the wanted error bar.
func TestInfiniteEndsAtOnce(t *testing.T) {
	path := write(t, "flat.stan", []byte(`parameters { real mu; real<lower=0> s; } model { 1.2 ~ normal(mu, s); }`))
	var r struct {
		Replicates []float64
		Verdict    struct{ Level string }
		Cost       struct{ Sweeps float64 }
	}
	if err := json.Unmarshal([]byte(mustRun(t, "run", "-model", path, "-json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Verdict.Level != "stop" || len(r.Replicates) > 1 || r.Cost.Sweeps > 30000 {
		t.Errorf("%+v", r)
	}
}

// A Stan program of up to three coordinates has an exact value, in logz exact and logz run; others report why they have
// none.
func TestExactPrograms(t *testing.T) {
	hills := write(t, "hills.stan", []byte("parameters { real x; }\n"+
		"model { target += log_mix(0.3, normal_lpdf(x | -5, 0.3), normal_lpdf(x | 5, 1)); }\n"))
	var e struct{ LogZ, Uncertainty float64 }
	if err := json.Unmarshal([]byte(mustRun(t, "exact", "-model", hills, "-json")), &e); err != nil ||
		!(math.Abs(e.LogZ) <= e.Uncertainty+1e-12) || !(e.Uncertainty < 1e-6) {
		t.Errorf("%+v, %v", e, err)
	}
	if out := mustRun(t, "exact", "-model", hills); !strings.Contains(out, "(adaptive cubature, computed twice, +- ") {
		t.Errorf("the exact value is printed as %q", out)
	}
	_, out, says := run("run", "-model", hills, "-method", "is")
	if !strings.Contains(out, "(adaptive cubature, computed twice, +- ") {
		t.Errorf("the run prints %q %q", out, says)
	}
	for wants, text := range map[string]string{
		"infinite":          "parameters { real<lower=0> s; } model { target += -log(s); }",
		"has 4 coordinates": "parameters { vector[4] x; } model { x ~ normal(0, 1); }",
	} {
		if status, _, says := run("exact", "-model", write(t, "none.stan", []byte(text))); status == exitOK ||
			!strings.Contains(says, wants) {
			t.Errorf("status %d, %q has no %q", status, says, wants)
		}
	}
}

// Chains that all stay in one of two modes agree with each other; the search for modes shows that they miss the other
// one.
func TestReadMissesMode(t *testing.T) {
	t.Parallel()
	model := write(t, "two.stan", []byte("parameters { real x; }\nmodel { target += log_mix(0.3, normal_lpdf(x | -5, 0.3), "+
		"normal_lpdf(x | 5, 1)); }\n"))
	draws := func(at func(s *rng.Stream) float64) string {
		var text strings.Builder
		text.WriteString("chain,x\n")
		for chain := range uint32(4) {
			s := rng.NewKey(1, "draws", 0).Stream(chain, 0, 0)
			for range 300 {
				fmt.Fprintf(&text, "%d,%v\n", chain+1, at(&s))
			}
		}
		return write(t, "x.csv", []byte(text.String()))
	}
	one := draws(func(s *rng.Stream) float64 { return 5 + s.Norm() })
	both := draws(func(s *rng.Stream) float64 {
		if s.Float64() < .3 {
			return -5 + .3*s.Norm()
		}
		return 5 + s.Norm()
	})
	if status, out, _ := run("read", one, "-model", model, "-strict"); status != exitStop ||
		!strings.Contains(out, "modes of the program that no draw is near") {
		t.Errorf("status %d: %s", status, out)
	}
	if _, out, _ := run("read", both, "-model", model); strings.Contains(out, "no draw is near") {
		t.Error(out)
	}
}
