package main

import (
	"strings"
	"testing"
)

// mustRefuse runs a command that must be refused: status 2, nothing on stdout, and one line on stderr with the text
// says.
func mustRefuse(t *testing.T, says string, args ...string) {
	t.Helper()
	status, out, err := run(args...)
	if status != exitUsage || out != "" || strings.Count(err, "\n") != 1 || !strings.HasPrefix(err, "logz: ") ||
		!strings.Contains(err, says) {
		t.Errorf("logz %s: status %d, stdout %q, stderr %q; want status 2 and one line with %q", strings.Join(args, " "),
			status, out, err, says)
	}
}

// Errors in the arguments are refused with a message that names them.
func TestUsageErrors(t *testing.T) {
	npz, err := loadBundled("rbm-pcd-20.npz")
	if err != nil {
		t.Fatal(err)
	}
	ais := func(set ...string) []string {
		args := []string{"run", "-model", "mixture2", "-method", "ais"}
		for _, s := range set {
			args = append(args, "-set", s)
		}
		return args
	}
	file := func(text string) []string {
		return []string{"run", "-method", "ais", "-model", write(t, "model.json", []byte(text))}
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"unknown command", []string{"walk"}},
		{`unknown command "rnu" (did you mean run?)`, []string{"rnu"}},
		{"did you mean exact?", []string{"help", "exat"}},
		{"there is no flag -modle (did you mean -model?)", []string{"run", "-modle", "ising16"}},
		{"did you mean -model own.stan?", []string{"run", "own.stan"}},
		{"did you mean arm-fig2?", []string{"experiment", "arm-fg2"}},
		{"did you mean rbm-pcd-20?", []string{"run", "-model", "rbm-pcd-2O"}},
		{`parallel tempering ("pt") is not one of the methods; use rts`, []string{"run", "-model", "mixture2", "-method", "pt"}},
		{"is called rts here", []string{"run", "-link", "#v=1&model=mixture2&method=Simulated-Tempering"}},
		{"did you mean ais?", []string{"run", "-model", "mixture2", "-method", "asi"}},
		{"methd is not a key (did you mean method?); besides, method is missing",
			[]string{"run", "-link", "v=1&model=mixture2&methd=ais"}},
		{"did you mean seed?", []string{"run", "-link", "v=1&model=mixture2&method=ais&sed=3"}},
		{"did you mean temperatures?", ais("ais.temperatres=5")},
		{"nosuch was not found; check its name and folder", []string{"read", "nosuch"}},
		{"experiment", []string{"experiment", "fig2"}},
		{"there is no flag -bogus; there are -continue, -data, -from, -full,", []string{"experiment", "arm-fig2", "-bogus"}},
		{"the name is missing", []string{"experiment", "-full"}},
		{"experiment", []string{"experiment", "arm-fig2", "twice"}},
		{"there is no flag -bogus; there are -data, -draws, -evidence, -json, -limit, -link, -method,",
			[]string{"run", "-bogus"}},
		{"unexpected argument", []string{"list", "all"}},
		{"model", []string{"run", "-method", "ais"}},
		{`method "" is not known`, []string{"run", "-model", "mixture2", "-method", ""}},
		{"-model is missing", []string{"exact"}},
		{"nosuch", []string{"run", "-model", "nosuch", "-method", "ais"}},
		{"nosuch", []string{"exact", "-model", "nosuch"}},
		{`the model file "nosuch.json" was not found; check`, []string{"exact", "-model", "nosuch.json"}},
		{"nosuch", []string{"run", "-model", "mixture2", "-method", "nosuch"}},
		{"given twice", []string{"run", "-model", "mixture2", "-method", "ais,ais"}},
		{`-set "chains": it must be key=value, as chains=50`, ais("chains")},
		{`-set "=3": it must be key=value`, ais("=3")},
		{`-set ".chains=5": it must be key=value`, ais(".chains=5")},
		{`-set "ais.=5": it must be key=value`, ais("ais.=5")},
		{"chains", ais("chains=0")},
		{"chains", ais("chains=2.5")},
		{"bogus", ais("bogus=1")},
		{"rts", ais("rts.chains=5")},
		{"there is no method foo; the chosen ones are ais", ais("foo.chains=5")},
		{"limit = 1e300 is out of range", append(ais(), "-limit", "1e300")},
		{"ais.temperatures = 1", ais("temperatures=1")},
		{"sm08", ais("temperatures=3", "schedule=sm08")},
		{"cubic", ais("schedule=cubic")},
		{"coincide", ais("temperatures=1000", "schedule=power:300")},
		{"seed", append(ais(), "-seed", "4294967296")},
		{"replicates", append(ais(), "-replicates", "0")},
		{"workers", append(ais(), "-workers", "0")},
		{"workers = 2000 must be between 1 and 1000", append(ais(), "-workers", "2000")},
		{"-seed is empty", append(ais(), "-seed", "")},
		{"-target is empty", append(ais(), "-target", "")},
		{"-limit is empty", append(ais(), "-limit", "")},
		{"-data is empty", append(ais(), "-data", "")},
		{"leave out 0; every ladder begins at 0", ais("temperatures=3", "schedule=betas:0_0.5_1")},
		{"flag -seed: it is given twice", append(ais(), "-seed", "1", "-seed", "2")},
		{"flag -model: it is given twice", append(ais(), "-model", "ising16")},
		{"flag -method: it is given twice", append(ais(), "-method", "rts")},
		{"flag -replicates: it is given twice", append(ais(), "-replicates", "2", "-replicates", "2")},
		{"flag json: it is given twice", append(ais(), "-json", "-json")},
		{"-set chains=5 and -set ais.chains=6 both set ais.chains", ais("chains=5", "ais.chains=6")},
		{"-set moves=2 and -set model.moves=2 both set moves", ais("moves=2", "model.moves=2")},
		{"-seed and -set seed=3 both set seed", append(ais("seed=3"), "-seed", "3")},
		{"write model.moves or smc.moves", []string{"run", "-model", "mixture2", "-method", "smc", "-set", "moves=2"}},
		{"key=value", []string{"run", "-link", ""}},
		{"Model is not a key; keys are in lower case", []string{"run", "-link", "#v=1&Model=mixture2&method=ais"}},
		{"v=3", []string{"run", "-link", "v=3&model=mixture2&method=ais"}},
		{"given twice", []string{"run", "-link", "v=1&model=mixture2&method=ais&seed=1&seed=1"}},
		{"-seed cannot be given with -link", []string{"run", "-link", "v=1&model=mixture2&method=ais", "-seed", "3"}},
		{"directory", []string{"run", "-model", t.TempDir(), "-method", "ais"}},
		{"cut short", []string{"run", "-method", "ais", "-model", write(t, "cut.npz", npz[:len(npz)/2])}},
		{"empty", file("")},
		{"not valid JSON", file(tinyRBM[:40])},
		{"kind", file(`{"W":[[1]]}`)},
		{"one hidden", file(`{"kind":"rbm","W":[[],[]],"c_visible":[0,0],"b_hidden":[]}`)},
		{"ragged", file(`{"kind":"rbm","W":[[1,2],[3]],"c_visible":[0,0],"b_hidden":[0,0]}`)},
		{"NaN or Infinity at line 1, column 21", file(`{"kind":"rbm","W":[[NaN]],"c_visible":[0],"b_hidden":[0]}`)},
		{`not valid JSON: unexpected "," at line 1, column 14` + "\n", file(`{"kind":"rbm",}`)},
		{"bias of visible unit 1 (the first is 0) sum to 2e+09",
			file(`{"kind":"rbm","W":[[1],[2e9]],"c_visible":[0,0],"b_hidden":[0]}`)},
		{"bias of hidden unit 0 (the first is 0) sum to 2e+06",
			file(`{"kind":"rbm","W":[[1]],"c_visible":[0],"b_hidden":[2e6]}`)},
		{"save W and the biases together by numpy.savez", file("\x93NUMPY\x01\x00v\x00{}")},
		{"weights sum", file(`{"kind":"gmm","d":1,"base_sd":1,"logC":0,"weights":[0.4],"means":[[0]],"sds":[1]}`)},
		{"beta", append(file(`{"kind":"ising","L1":4,"L2":4,"periodic":true}`), "-set", "beta=hot")},
		{"form", append(file(tinyRBM), "-set", "form=wide")},
		{"not a parameter", append(file(tinyRBM), "-set", "beta=0.4")},
		{"enumerate", []string{"exact", "-model", "rbm-pcd-100"}},
		{"order has no effect on the exact value; leave it out",
			[]string{"exact", "-model", "rbm-pcd-20", "-set", "order=natural"}},
		{"absent is not a parameter of this model (start, form, order, clamp)",
			[]string{"exact", "-model", "rbm-pcd-20", "-set", "absent=off"}},
		{"run two methods that go different ways, as ais and rts", []string{"exact", "-model", "gpc-1d"}},
		{"line 2, column 1", file("1,0\nnan,1\n")},
		{"labels must be", file(`{"kind":"gpc","K":[[1]],"y":[3]}`)},
		{"not symmetric", file(`{"kind":"gpc","K":[[1,0],[0.5,1]],"y":[1,1]}`)},
		{"semidefinite", file(`{"kind":"gpc","K":[[1,2],[2,1]],"y":[1,1]}`)},
		{"K itself", append(file(`{"kind":"gpc","K":[[1]],"y":[1]}`), "-set", "length=2")},
		{"rm.absent has no effect on this model",
			[]string{"run", "-model", "gpc-1d", "-method", "rm", "-set", "absent=rates"}},
		{"auto.chains is not a parameter; auto has none",
			[]string{"run", "-link", "v=1&model=mixture2&method=auto&auto.chains=3"}},
		{"chains is not a parameter of this model and method (model: moves, proposal, leaps, hills)",
			[]string{"run", "-model", "mixture2", "-method", "auto", "-set", "chains=3"}},
		{"leaps has no effect with proposal = mh", ais("leaps=2")},
		{"order has no effect on ais", append(file(tinyRBM), "-set", "order=random")},
		{"not a view setting", []string{"run", "-link", "v=1&model=mixture2&method=is&view.foo=bar"}},
		{"for the probit likelihood", []string{"run", "-model", "gpc-mnist35", "-method", "ais", "-set", "base=ep",
			"-set", "likelihood=logistic"}},
	} {
		mustRefuse(t, c.says, c.args...)
	}
	if status, out, err := run(); status != exitUsage || out != "" || !strings.Contains(err, "logz run") {
		t.Errorf("no arguments: status %d, %q, %q", status, out, err)
	}
}

// The command has a fixed number of workers, so the chains are divided into as many lanes.
func TestLanes(t *testing.T) {
	o, err := parseOptions("run", []string{"-link", "v=1&model=rbm-cd25-500&method=ais&ais.chains=60", "-workers", "2"})
	if err != nil {
		t.Fatal(err)
	}
	j, _, err := o.newJob()
	if err != nil {
		t.Fatal(err)
	}
	lanes := 0
	for k := j.Take(); k != nil; k = j.Take() {
		if k.Unit.Round == "forward" {
			lanes++
		}
	}
	if lanes != 2 {
		t.Errorf("%d lanes", lanes)
	}
}
