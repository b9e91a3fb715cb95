package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/internal/tier"
	"logzlab/models"
)

// run runs a command.
func run(args ...string) (status int, out, err string) {
	var o, e bytes.Buffer
	status = cli(args, &o, &e)
	return status, o.String(), e.String()
}

// mustRun runs a command that must succeed without text on stderr, and returns its output.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	status, out, err := run(args...)
	if status != exitOK || err != "" {
		t.Fatalf("logz %s: status %d, stderr %q", strings.Join(args, " "), status, err)
	}
	return out
}

// write writes a file to a temporary folder and returns its path.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// result has the fields of -json that tests compare; pointers distinguish null from 0.
type result struct {
	V                      int
	Spec                   struct{ Params map[string]string }
	Link, Model, Method    string
	Seed                   uint32
	LogZ, SE, Lower, Upper *float64
	SEMethod               string `json:"se_method"`
	Bias                   string
	Truth                  *models.Truth
	Hint                   string
	Ladder                 []struct{ Beta, LogZ, SE *float64 }
	Cost                   struct{ Sweeps, Evaluations, Seconds float64 }
	Diagnostics            map[string]float64
	Flags                  []string
	Replicates             []float64
	ReplicateSE            []float64 `json:"replicate_se"`
	Summary                *struct {
		Mean, SD   float64
		LogMeanExp float64  `json:"log_mean_exp"`
		RMSZ       *float64 `json:"rms_z"`
	}
	Hash string
}

func parseReport(t *testing.T, out string) result {
	t.Helper()
	var r result
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return r
}

var small = []string{"-model", "mixture2", "-method", "ais", "-set", "chains=30", "-set", "temperatures=20"}

func with(command string, base []string, more ...string) []string {
	return append(append([]string{command}, base...), more...)
}

func TestRunJSON(t *testing.T) {
	out := mustRun(t, with("run", small, "-json")...)
	var fields map[string]any
	if err := json.Unmarshal([]byte(out), &fields); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"v", "spec", "link", "model", "method", "seed", "logz", "se", "se_method", "bias",
		"lower", "upper", "truth", "ladder", "cost", "diagnostics", "flags", "hash"} {
		if _, ok := fields[f]; !ok {
			t.Errorf("field %s is missing", f)
		}
	}
	r := parseReport(t, out)
	if r.V != 1 || r.Model != "mixture2" || r.Method != "ais" || r.Seed != 1 || r.LogZ == nil || r.SE == nil ||
		r.Lower == nil || r.Upper == nil ||
		r.SEMethod != "delta" || r.Bias != "down" || r.Truth == nil || r.Truth.LogZ != 3 || len(r.Ladder) != 20 ||
		len(r.Hash) != 16 || r.Flags == nil {
		t.Errorf("%+v", r)
	}
	if r.Cost.Sweeps != 2*30*18 || r.Cost.Evaluations != 2*30*2*19 || r.Cost.Seconds <= 0 {
		t.Errorf("cost %+v", r.Cost)
	}
	if l := r.Ladder; *l[0].Beta != 0 || *l[19].Beta != 1 || *l[19].LogZ != *r.LogZ {
		t.Errorf("the ladder ends at %v", l[19])
	}
	if strings.Count(out, "\n") != 1 {
		t.Error("more than the result on stdout")
	}
	var two []result
	if err := json.Unmarshal([]byte(mustRun(t, "run", "-model", "mixture2", "-method", "is,ais", "-set", "particles=50",
		"-set", "chains=5", "-set", "temperatures=4", "-json")), &two); err != nil || len(two) != 2 || two[0].Method != "is" {
		t.Errorf("two methods give %+v, %v", two, err)
	}
}

func TestReplicatesJSON(t *testing.T) {
	plain := parseReport(t, mustRun(t, with("run", small, "-json")...))
	r := parseReport(t, mustRun(t, with("run", small, "-json", "-replicates", "4")...))
	if len(r.Replicates) != 4 || len(r.ReplicateSE) != 4 || r.Summary == nil || r.Summary.RMSZ == nil ||
		r.SEMethod != "replicates" {
		t.Fatalf("%+v", r)
	}
	if r.Replicates[0] != *plain.LogZ || r.ReplicateSE[0] != *plain.SE {
		t.Errorf("replicate 0 is %v, the plain run %v", r.Replicates[0], *plain.LogZ)
	}
	if *r.LogZ != r.Summary.LogMeanExp {
		t.Errorf("log Z %v, log-mean-exp %v", *r.LogZ, r.Summary.LogMeanExp)
	}
	r = parseReport(t, mustRun(t, "run", "-model", "mixture2", "-method", "rts", "-set", "chains=10", "-set",
		"temperatures=5", "-set", "sweeps=20", "-set", "init_rounds=1", "-json", "-replicates", "3"))
	if *r.LogZ != r.Summary.Mean {
		t.Errorf("rts: log Z %v, mean %v", *r.LogZ, r.Summary.Mean)
	}
}

// A link gives the same experiment as the options it was made from, and the same result.
func TestLinkRoundTrip(t *testing.T) {
	args := with("run", small, "-seed", "7", "-replicates", "2")
	link := strings.TrimSpace(mustRun(t, with("link", args[1:])...))
	if want := "#v=1&model=mixture2&method=ais&seed=7&ais.chains=30&ais.temperatures=20&replicates=2"; link != want {
		t.Errorf("link %s, want %s", link, want)
	}
	var j struct{ Link string }
	if err := json.Unmarshal([]byte(mustRun(t, with("link", args[1:], "-json")...)), &j); err != nil || j.Link != link {
		t.Errorf("link -json: %v %v", j, err)
	}
	a := parseReport(t, mustRun(t, append(args, "-json", "-workers", "1")...))
	for _, l := range []string{link, link[1:], "https://example.org/lab/" + link, link + "&view.scene=trace"} {
		b := parseReport(t, mustRun(t, "run", "-link", l, "-json", "-workers", "3"))
		if a.Hash != b.Hash || a.Link != b.Link {
			t.Errorf("%s: %s %s, want %s %s", l, b.Link, b.Hash, a.Link, a.Hash)
		}
	}
	if a.Link != strings.TrimPrefix(link, "#") {
		t.Errorf("the result's link is %s", a.Link)
	}
}

const tinyRBM = `{"kind":"rbm","W":[[0.5,-0.25],[0.125,1]],"c_visible":[0.5,-1],"b_hidden":[0,0.25],"p1":[0.5,0.3],` +
	`"logZ":99}`

// The text of a result has the name of the file, and no text about error bars and bounds that do not exist.
func TestResultInWords(t *testing.T) {
	path := write(t, "tiny.json", []byte(tinyRBM))
	for _, c := range []struct {
		args          string
		says, without []string
	}{
		{"-method is,rts", []string{"is on " + path + "\n", "rts on " + path, "  sandwich   "}, []string{"none to none"}},
		{"-method is -set particles=1", []string{"(no error bar, bias: down)", "A single weight has no error bar"},
			[]string{"+-", "sandwich", "chains say"}},
		{"-method raise -set chains=20 -set temperatures=20", []string{"sandwich   3.",
			"at least, on average, of exact samples: "},
			[]string{"none", "or more"}},
	} {
		out := mustRun(t, append([]string{"run", "-model", path}, strings.Fields(c.args)...)...)
		for i, words := range [][]string{c.says, c.without} {
			for _, w := range words {
				if strings.Contains(out, w) != (i == 0) {
					t.Errorf("%s: %q is there: %v\n%s", c.args, w, i == 1, out)
				}
			}
		}
	}
	list := mustRun(t, "list")
	for _, row := range []string{"at each temperature between the ends.  (1 to 10000)", "(ais | ones | wl | sams)"} {
		if !strings.Contains(list, row) {
			t.Errorf("the list lacks %q", row)
		}
	}
}

func TestOwnFile(t *testing.T) {
	path := write(t, "tiny.json", []byte(tinyRBM))
	r := parseReport(t, mustRun(t, "run", "-model", path, "-method", "ais", "-json"))
	if r.Truth == nil || r.Truth.Source != "enumeration" || r.Truth.LogZ > 50 || r.Model != path &&
		!strings.HasPrefix(r.Model, "file:") {
		t.Errorf("truth %+v, model %s", r.Truth, r.Model)
	}
	if !strings.HasPrefix(r.Link, "v=1&model=file:") {
		t.Errorf("link %s", r.Link)
	}
	again := parseReport(t, mustRun(t, "run", "-link", r.Link, "-model", path, "-json"))
	if again.Hash != r.Hash {
		t.Errorf("the link with the file gives %s, want %s", again.Hash, r.Hash)
	}
	mustRefuse(t, "give that file with -model", "run", "-link", r.Link)
	mustRefuse(t, "the link is about", "run", "-link", r.Link, "-model",
		write(t, "other.json", []byte(strings.Replace(tinyRBM, "99", "98", 1))))
	mustRefuse(t, "the link is about", "run", "-link", r.Link, "-model", "mixture2")
	var e struct {
		LogZ   float64
		Source string
	}
	if err := json.Unmarshal([]byte(mustRun(t, "exact", "-model", path, "-json")), &e); err != nil || e.LogZ != r.Truth.LogZ {
		t.Errorf("exact says %+v, run %+v", e, r.Truth)
	}
	out := mustRun(t, "exact", "-model", path)
	if !strings.HasPrefix(out, "log Z = ") || !strings.Contains(out, "\n  model ") {
		t.Errorf("exact says %q", out)
	}
}

// Files of other programs open, and the text describes them.
func TestFieldFile(t *testing.T) {
	const path = "../../models/testdata/field/octave-v7.mat"
	out := mustRun(t, "run", "-model", path, "-method", "ais", "-set", "chains=10", "-set", "temperatures=20")
	if want := path + ": 6 visible and 4 hidden units; weights vishid from "; !strings.HasPrefix(out, want) {
		t.Errorf("%q does not begin with %q", out, want)
	}
	r := parseReport(t, mustRun(t, "run", "-model", path, "-method", "ais", "-json"))
	if r.Truth == nil || math.Abs(r.Truth.LogZ-5.613035973397968) > 1e-6 {
		t.Errorf("%+v", r.Truth)
	}
	mustRefuse(t, "-v7, or -v6", "run", "-model", "../../models/testdata/field/octave-hdf5.mat", "-method", "ais")
}

// A table of data is a model: its last column is the label.
func TestTable(t *testing.T) {
	path := write(t, "data.csv", []byte("a,b,label\n0,1,1\n2,3,0\n"))
	r := parseReport(t, mustRun(t, "run", "-model", path, "-method", "ais", "-set", "temperatures=50", "-set", "base=ep",
		"-json"))
	if r.Truth == nil || r.LogZ == nil || math.Abs(*r.LogZ-r.Truth.LogZ) > .01 ||
		!slices.Contains(r.Flags, "kernel_guessed") {
		t.Errorf("%+v", r)
	}
	one := parseReport(t, mustRun(t, "run", "-model", write(t, "one.csv", []byte("5,1\n")), "-method", "ais", "-json"))
	if one.Truth == nil || math.Abs(one.Truth.LogZ+math.Ln2) > 1e-15 || math.Abs(*one.LogZ+math.Ln2) > .02 {
		t.Errorf("one datum: %+v", one)
	}
}

// A link with a hash has status 1 if the result differs.
func TestExpected(t *testing.T) {
	const link = "v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=20&view.expect="
	if status, out, err := run("run", "-json", "-link", link+"0000000000000000"); status != exitFailed ||
		!strings.Contains(err, "expects the hash 0000000000000000") || out == "" {
		t.Errorf("another hash: status %d, %q", status, err)
	}
	if status, _, err := run("run", "-link", link+"2af1d980f2a96a55"); status != exitOK {
		t.Errorf("the hash: status %d, %q", status, err)
	}
}

// Corner cases with a known answer.
func TestCorners(t *testing.T) {
	one := parseReport(t, mustRun(t, with("run", small[:4], "-json", "-set", "chains=1", "-set", "temperatures=20")...))
	if one.LogZ == nil || one.SE != nil || one.Lower != nil || one.Upper != nil ||
		!slices.Contains(one.Flags, "single_chain") {
		t.Errorf("one chain: %+v", one)
	}
	two := parseReport(t, mustRun(t, with("run", small[:6], "-json", "-set", "temperatures=2")...))
	if two.Cost.Sweeps != 0 || len(two.Ladder) != 2 {
		t.Errorf("K = 2: %+v", two)
	}
	lone := write(t, "lone.json", []byte(`{"kind":"rbm","W":[[0.5]],"c_visible":[0.25],"b_hidden":[-0.5]}`))
	for _, method := range []string{"is", "ais", "rts"} {
		r := parseReport(t, mustRun(t, "run", "-model", lone, "-method", method, "-json"))
		if d := *r.LogZ - r.Truth.LogZ; d > .05 || d < -.05 || !slices.Contains(r.Flags, "base_guessed") {
			t.Errorf("1 x 1 rbm, %s: off by %v, flags %v", method, d, r.Flags)
		}
	}
	hot := write(t, "ising.json", []byte(`{"kind":"ising","L1":4,"L2":4,"periodic":true,"beta":0.2}`))
	a := parseReport(t, mustRun(t, "run", "-model", hot, "-method", "ais", "-json", "-set", "temperatures=20"))
	b := parseReport(t, mustRun(t, "run", "-model", hot, "-method", "ais", "-json", "-set", "temperatures=20", "-set",
		"beta=0.3"))
	if a.Truth.LogZ == b.Truth.LogZ || !strings.Contains(b.Link, "&beta=0.3") {
		t.Errorf("beta: %+v and %+v", a.Truth, b.Truth)
	}
	big := parseReport(t, mustRun(t, "run", "-model", "rbm-pcd-100", "-method", "is", "-set", "particles=10", "-json"))
	if big.Truth != nil || big.Upper == nil || !slices.Contains(big.Flags, "upper_from_data") {
		t.Errorf("rbm-pcd-100: truth %v, upper %v, flags %v", big.Truth, big.Upper, big.Flags)
	}
}

func TestTextOutput(t *testing.T) {
	out := mustRun(t, with("run", small, "-replicates", "2")...)
	for _, s := range []string{"ais on mixture2", "log Z", "sandwich", "exact      3.000000", "replicates 2", "hash",
		"link       #v=1"} {
		if !strings.Contains(out, s) {
			t.Errorf("%q is missing in\n%s", s, out)
		}
	}
	if out := mustRun(t, "help"); !strings.Contains(out, "logz run") {
		t.Errorf("help says %q", out)
	}
	out = mustRun(t, "list")
	for _, m := range catalog.Methods {
		if !strings.Contains(out, "\n"+m.Name+"  ") {
			t.Errorf("list lacks %s", m.Name)
		}
	}
}

func TestListJSON(t *testing.T) {
	var l struct {
		Models  []struct{ Name, Kind, Truth, About string }
		Methods []struct {
			Name, About string
			Params      []struct {
				Name, Type, Default, Help string
				Min, Max                  *float64
			}
		}
	}
	if err := json.Unmarshal([]byte(mustRun(t, "list", "-json")), &l); err != nil {
		t.Fatal(err)
	}
	if len(l.Models) != len(catalog.Kinds.Builtin()) || len(l.Methods) != len(catalog.Methods) {
		t.Errorf("%d models, %d methods", len(l.Models), len(l.Methods))
	}
	for _, m := range l.Models {
		if m.Name == "" || m.Kind == "" || m.Truth == "" || m.About == "" {
			t.Errorf("model %+v", m)
		}
	}
	for _, m := range l.Methods {
		for _, p := range m.Params {
			if p.Name == "" || p.Type == "" || p.Min == nil || p.Max == nil || !strings.HasSuffix(p.Help, ".") ||
				strings.Contains(p.Help, "\n") {
				t.Errorf("%s: parameter %+v", m.Name, p)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	tier.Release(t) // estimators/report has them in TestGolden
	var lines []struct {
		Link string
		OK   bool
	}
	if err := json.Unmarshal([]byte(mustRun(t, "check", "-json")), &lines); err != nil || len(lines) < 10 {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

// Errors are one line, without control characters.
func TestOneLine(t *testing.T) {
	if got := oneLine("a\x1b[31mb\nc\u009bd é"); got != "a [31mb c d é" {
		t.Errorf("%q", got)
	}
	if got := oneLine(strings.Repeat("x", 5000) + "end"); len(got) > 2000 || !strings.HasSuffix(got, "xend") {
		t.Errorf("%d characters, at the end %q", len(got), got[len(got)-10:])
	}
}

// If log Z could be enumerated but is not known, run names the command that computes it, also with data rows.
func TestExactCommand(t *testing.T) {
	var model, rows strings.Builder
	model.WriteString(`{"kind":"rbm","W":[`)
	for i := range 30 {
		weights := strings.Repeat(",0.1", 30)[1:]
		if i > 0 {
			model.WriteString(",")
		}
		model.WriteString("[" + weights + "]")
	}
	zeros := "[" + strings.Repeat(",0", 30)[1:] + "]"
	model.WriteString(`],"c_visible":` + zeros + `,"b_hidden":` + zeros + `}`)
	for range 4 {
		rows.WriteString(strings.Repeat(",1", 30)[1:] + "\n")
	}
	path := write(t, "thirty.json", []byte(model.String()))
	out := mustRun(t, "run", "-model", path, "-data", write(t, "rows.csv", []byte(rows.String())), "-method", "ais", "-set",
		"chains=5", "-set", "temperatures=10")
	if want := "not computed; logz exact -model " + path + " computes it\n"; !strings.Contains(out, want) {
		t.Errorf("%s\nlacks %q", out, want)
	}
}
