package samples

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
)

// read reads files, given as name, text, name, text ..., and fails the test on an error.
func read(t *testing.T, texts ...string) *Set {
	t.Helper()
	s, err := Read(filesOf(texts...), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// filesOf returns files given as name, text, name, text ...
func filesOf(texts ...string) (files []File) {
	for i := 0; i < len(texts); i += 2 {
		files = append(files, File{Name: texts[i], Data: []byte(texts[i+1])})
	}
	return files
}

// formatChains lists the chains of a set as RUNG/RUN:SAMPLES.
func formatChains(s *Set) string {
	var b strings.Builder
	for i := range s.Chains {
		c := &s.Chains[i]
		fmt.Fprintf(&b, "%s/%d:%d ", s.Rungs[c.Rung].Label, c.Run, c.Len(s))
	}
	return strings.TrimSpace(b.String())
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const revBayes = "state\tpower\tlikelihood\n100\t1\t-10.5\n200\t1\t-11\n100\t0.25\t-12\n200\t0.25\t-13.5\n" +
	"100\t0\t-50\n200\t0\t-60\n"

// Tables of powers are read: of RevBayes and BEAST 1; with runs in several files or in a column; with sorted, unsorted
// or alternating powers; with any separator.
func TestReadPowerTables(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"one run":    {[]string{"a.pp", revBayes}, "0/0:2 0.25/0:2 1/0:2"},
		"gzip":       {[]string{"a.pp", gzipped(t, revBayes)}, "0/0:2 0.25/0:2 1/0:2"},
		"two files":  {[]string{"a.pp", revBayes, "b.pp", revBayes}, "0/0:2 0/1:2 0.25/0:2 0.25/1:2 1/0:2 1/1:2"},
		"run column": {[]string{"a", "run,beta,loglik\n1,0,-5\n1,1,-3\n2,0,-6\n2,1,-4\n"}, "0/0:1 0/1:1 1/0:1 1/1:1"},
		"by turns":   {[]string{"a", "beta;logL\n0;-5\n1;-3\n0;-6\n1;-4\n0;-6\n1;-4\n"}, "0/0:3 1/0:3"},
		"exchange":   {[]string{"a", "iteration beta lnL\n1 0 -5\n1 1 -3\n2 0 -6\n2 1 -4\n"}, "0/0:2 1/0:2"},
		"BEAST 1": {[]string{"m.mle.log", "# BEAST v1.10\n# now\nstate\tpathLikelihood.theta\tpathLikelihood.delta\n" +
			"0\t1.0\t-3\n1000\t1.0\t-3.5\n2000\t0.0\t-9\n3000\t0.0\t-8\n"}, "0/0:2 1/0:2"},
		"posterior beside": {[]string{"a", "Posterior,Likelihood,Prior,power\n-9,-5,-4,0\n-8,-3,-5,1\n"}, "0/0:1 1/0:1"},
	} {
		s := read(t, c.texts...)
		if got := formatChains(s); got != c.want || s.Kind != Powers {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	s := read(t, "a", "power,loglik\n0,-5\n0,-6\n1,-3\n0.5,-4\n")
	if len(s.Notes) != 2 || s.Notes[1].Error() != "a, line 5: power 0.5 is out of order; powers were sorted" {
		t.Errorf("Notes = %v", s.Notes)
	}
	s = read(t, "a.pp", revBayes)
	if s.Source != "RevBayes power posterior" || s.Chains[0].LogL[1] != -60 || s.Chains[2].LogL[0] != -10.5 {
		t.Errorf("%s %v", s.Source, s.Chains)
	}
	if c := &s.Chains[1]; c.LogL[1] != -13.5 || s.Rungs[c.Rung].At[0] != .25 {
		t.Errorf("%v at %v", c, s.Rungs[c.Rung])
	}
	if note := s.Notes[0].Error(); note != "RevBayes power posterior: 3 rungs from 0 to 1, 6 samples" {
		t.Errorf("note = %v", note)
	}
}

// For generalised stepping stones of BEAST, the difference of the two end densities is read as the log likelihood.
func TestReadGeneralisedStones(t *testing.T) {
	s := read(t, "mle.log", "# BEAST\nstate\tpathLikelihood.source\tpathLikelihood.destination\tpathLikelihood.theta\n"+
		"0\t-10\t-2\t1\n1\t-11\t-2\t1\n0\t-12\t-1.5\t0\n")
	if got := fmt.Sprint(formatChains(s), s.Chains[1].LogL, s.Chains[0].LogL, s.Source); got !=
		"0/0:1 1/0:2[-8 -9] [-10.5]BEAST path likelihood" {
		t.Errorf("got %v", got)
	}
}

// Steps of BEAST 2 are read, with powers from alpha or from beast.xml.
func TestReadBEAST2Steps(t *testing.T) {
	const log = "Sample\tlikelihood\n0\t-5\n1000\t-4\n"
	s := read(t, "x/step0/likelihood.log", log, "x/step1/likelihood.log", log, `x\step2\likelihood.log`, log)
	if got, want := formatChains(s), "0/0:2 0.0992126/0:2 1/0:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if note := s.Notes[len(s.Notes)-1].Error(); !strings.Contains(note, "alpha 0.3") {
		t.Errorf("note = %v", note)
	}
	s = read(t, "step0.log", log, "run_step-1_likelihood.log", log, "Step2.log.txt", log)
	if got, want := formatChains(s), "0/0:2 0.0992126/0:2 1/0:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, name := range []string{"likelihood.log", "a/likelihood.log", "step/likelihood.log"} {
		if _, err := Read(filesOf(name, log, name, log), Options{}, nil); err == nil ||
			!strings.Contains(err.Error(), "or name them step0.log, step1.log ...") {
			t.Errorf("%s: %v", name, err)
		}
	}
	const xml = "<?xml version='1.0'?><beast><run id='mcmc' spec='beast.inference.PathSamplingStep' beta='0.4' x='1'>"
	s = read(t, "step0/likelihood.log", log, "step1/likelihood.log", log, "step0/beast.xml", xml, "step1/beast.xml",
		strings.Replace(xml, "0.4", "1", 1))
	if got, want := formatChains(s), "0.4/0:2 1/0:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReadMrBayesStones(t *testing.T) {
	const ss = "[LEGEND: ...]\n[ID: 1]\nStep\tPower\trun1\trun2\taSplit0\n  1\t0.5\t-10\t-10.5\t0.1\n  " +
		"2\t0.0000\t-20\t-21\t0.2\n"
	s := read(t, "a.ss", ss)
	if s.Kind != Stones || s.Runs != 2 || s.Stones[1].LogZ[1] != -21 || s.Stones[0].Power != .5 {
		t.Errorf("set = %+v", s)
	}
	if s = read(t, "a.ss", ss, "b.ss", ss); s.Runs != 4 || len(s.Stones[0].LogZ) != 4 {
		t.Errorf("set = %+v", s)
	}
}

// newXVG returns a dhdl.xvg file for state 0, 1 or 2 of three, with a row for each time.
func newXVG(state int, temperature string, times ...float64) string {
	at := []string{"0.0000", "0.5000", "1.0000"}
	var b strings.Builder
	fmt.Fprintf(&b, "# gmx mdrun\n@    title \"dH/d\\xl\\f{} and \\xD\\f{}H\"\n@TYPE xy\n"+
		"@ subtitle \"T = %s (K) \\xl\\f{} state %d: fep-lambda = %s\"\n@ legend on\n"+
		"@ s0 legend \"Potential Energy (kJ/mol)\"\n@ s1 legend \"dH/d\\xl\\f{} fep-lambda = %s\"\n", temperature, state,
		at[state], at[state])
	for k, x := range at {
		fmt.Fprintf(&b, "@ s%d legend \"\\xD\\f{}H \\xl\\f{} to %s\"\n", k+2, x)
	}
	b.WriteString("@ s5 legend \"pV (kJ/mol)\"\n")
	for i, x := range times {
		fmt.Fprintf(&b, "%.4f -1e5 %v %v %v %v 0.77\n", x, 10+i, -5*state+i, 5-5*state+i, 10-5*state+i)
	}
	return b.String()
}

func TestReadGROMACS(t *testing.T) {
	s := read(t, "1.xvg", newXVG(1, "300", 0, 10), "0.xvg", gzipped(t, newXVG(0, "300", 0, 10)), "2.xvg",
		newXVG(2, "300", 0, 10), "2b.xvg", newXVG(2, "300", 20, 30), "1b.xvg", newXVG(1, "300", 0))
	if got, want := formatChains(s),
		"0/0:2 0.5/0:2 0.5/1:1 1/0:4"; got != want || s.Units != "kJ/mol" || s.Temperature != 300 ||
		!s.Complete {
		t.Errorf("got %s, want %s: %+v", got, want, s)
	}
	kT := GasConstant * 300
	if c := s.Chains[1]; math.Abs(c.Slopes[1]+11/kT) > 1e-15 || math.Abs(c.LogF[5]+6/kT) > 1e-15 {
		t.Errorf("slopes %v, energies %v", c.Slopes, c.LogF)
	}
	twoComponents := strings.NewReplacer("fep-lambda = 0.0000\"\n@ legend on",
		"(coul-lambda, vdw-lambda) = (0.0, 0.0)\"\n@ legend on",
		"Potential Energy (kJ/mol)", `dH/d\xl\f{} coul-lambda = 0.0`, "fep-lambda = 0.0000", "vdw-lambda = 0.0",
		"to 0.0000",
		"to (0.0, 0.0)", "to 0.5000", "to (1.0, 0.0)", "to 1.0000", "to (1.0, 1.0)").Replace(newXVG(0, "298.15", 0, 1))
	if s = read(t, "a.xvg", twoComponents); s.Rungs[1].Label != "(1, 0)" || len(s.Chains[0].Slopes) != 4 {
		t.Errorf("set = %+v", s)
	}
}

func TestReadAlchemlyb(t *testing.T) {
	const uNK = "time,fep-lambda,0.0,0.5,1.0\n0.0,0.0,0.0,1.0,2.0\n10.0,0.0,0.0,1.5,2.5\n0.0,0.5,-1.0,0.0,1.0\n" +
		"0.0,1.0,-2.0,-1.0,0.0\n"
	const dHdl = "time,fep-lambda,fep\n0.0,0.0,2.0\n10.0,0.0,3.0\n0.0,0.5,2.0\n0.0,1.0,2.5\n"
	for _, texts := range [][]string{{"u.csv", uNK, "d.csv", dHdl}, {"d.csv", dHdl, "u.csv", uNK}} {
		s := read(t, texts...)
		if got, want := formatChains(s), "0/0:2 0.5/0:1 1/0:1"; got != want || !s.Complete || s.Units != "kT" {
			t.Errorf("got %s, want %s, complete %v", got, want, s.Complete)
		}
		if c := s.Chains[0]; c.LogF[5] != -2.5 || c.Slopes[1] != -3 {
			t.Errorf("got %+v", c)
		}
	}
	if s := read(t, "u.csv", strings.Replace(uNK, "0.0,1.0,2.0\n10", "0.0,1.0,\n10", 1)); s.Complete {
		t.Error("an empty cell is an energy")
	}
	s := read(t, "u.csv", "time,coul-lambda,vdw-lambda,\"(0.0, 0.0)\",\"(1.0, 0.0)\"\n0,0.0,0.0,0,1\n0,1.0,0.0,-1,0\n")
	if s.Rungs[1].Label != "(1, 0)" {
		t.Errorf("Rungs = %+v", s.Rungs)
	}
	if s = read(t, "d.csv", dHdl); s.Complete || s.Chains[0].Len(s) != 2 {
		t.Errorf("set = %+v", s)
	}
}

func TestReadArrays(t *testing.T) {
	npz := modelfile.NewNPZ()
	npz.Array("u_kn", []float64{0, 1, 2, 3, 10, 11, 12, 13}, 2, 4)
	npz.Array("N_k", []int32{3, 1}, 2)
	b, err := npz.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, "x.npz", string(b))
	if got, want := formatChains(s), "0/0:3 1/0:1"; got != want || s.Chains[1].LogF[1] != -13 || s.Chains[0].LogF[5] != -12 {
		t.Errorf("got %s, want %s: %v", got, want, s.Chains)
	}
	head := func(shape string, data string) string {
		h := "{'descr': '|i1', 'fortran_order': False, 'shape': (" + shape + "), }"
		h += strings.Repeat(" ", 117-len(h)) + "\n"
		return "\x93NUMPY\x01\x00" + string(byte(len(h))) + "\x00" + h + data
	}
	s = read(t, "N_k.npy", head("2,", "\x01\x02"), "u_kn.npy", head("2, 3", "\x01\x02\x03\x04\x05\x06"))
	if got, want := formatChains(s), "0/0:1 1/0:2"; got != want || s.Chains[1].LogF[3] != -6 {
		t.Errorf("got %s, want %s: %v", got, want, s.Chains)
	}
}

// An energy of +inf, of a sample that is impossible in another state, is read; other energies that are not finite are
// errors.
func TestImpossibleEnergies(t *testing.T) {
	t.Parallel()
	file := func(u ...float64) string {
		npz := modelfile.NewNPZ()
		npz.Array("u_kn", u, 2, 2)
		npz.Array("N_k", []int32{1, 1}, 2)
		b, err := npz.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	inf := math.Inf(1)
	s := read(t, "x.npz", file(0, inf, 3, 1))
	if !s.Complete || s.Chains[1].LogF[0] != -inf || s.Chains[0].LogF[1] != -3 {
		t.Errorf("%v, complete %v", s.Chains, s.Complete)
	}
	s = read(t, "x.xvg", strings.Replace(newXVG(0, "300", 0, 10), " 10 0.77", " inf 0.77", 1))
	if s.Chains[0].LogF[2] != -inf {
		t.Errorf("%v", s.Chains[0].LogF)
	}
	for _, c := range []struct{ text, want string }{
		{file(inf, 1, 1, 1), "x: the energy of sample 0 in its own state 0 is infinite"},
		{file(0, math.NaN(), 1, 1), "x: the energy of sample 1 in state 0 is NaN; it must be a finite number, or +inf"},
		{file(0, 1, -inf, 1), "x: the energy of sample 0 in state 1 is -Inf; it must be"},
		{"time,fep-lambda,0.0,1.0\n0,0.0,0,-inf\n", "x, line 2: column 1.0 has \"-inf\""},
		{"time,fep-lambda,0.0,1.0\n0,0.0,inf,1\n", "x, line 2: the energy in its own state 0 is infinite"},
		{strings.Replace(newXVG(0, "300", 0, 10), "10.0000 -1e5 11", "10.0000 -1e5 inf", 1),
			"x, line 13: column 3 has \"inf\""},
	} {
		if _, err := Read(filesOf("x", c.text), Options{}, nil); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Points of nested sampling are read in all formats, here from a small run with three live points.
func TestReadNestedPoints(t *testing.T) {
	check := func(name string, s *Set, live ...float64) {
		t.Helper()
		if s.Kind != Points || len(s.Points) != 1 || fmt.Sprint(s.Points[0].Live) != fmt.Sprint(live) ||
			!s.Points[0].Ended {
			t.Errorf("%s: got %+v, want %v", name, s.Points[0], live)
		}
	}
	check("anesthetic", read(t, "a.csv",
		",,x0,logL,logL_birth,nlive\n,weights,$x_0$,$\\ln L$,,\n,,,,,\n0,.1,.5,-9,-inf,3\n"+
			"1,.1,.5,-8,,3\n2,.1,.5,-7,nan,2\n3,.1,.5,-6,-9,1\n"), 3, 3, 2, 1)
	check("PolyChord", read(t, "a_dead-birth.txt", "0.5 -9 -1e30\n.5 -8 -1e30\n.5 -7 -1e30\n.5 -6 -9\n"), 3, 3, 2, 1)
	check("MultiNest", read(t, "phys_live-birth.txt", ".5 .1 -6 -8.5 1\n.5 .1 -7 -1e90 1\n.5 .1 -8 -1e90 1\n",
		"dead-birth.txt",
		".5 .1 -9 -1e90 -1.2 1\n.5 .1 -8.5 -9 -1.4 1\n"), 3, 3, 3, 2, 1)
	check("ev.dat", read(t, "ev.dat", ".5 -9 -1.3863 1\n.5 -8.5 -1.674 1\n", "phys_live.points",
		".5 -6 1\n.5 -7 1\n.5 -8 1\n"),
		3, 3, 3, 2, 1)
	check("ev.dat of several modes", read(t, "ev.dat", ".5 -9 -1.3863 1\n.5 -8.5 -1.674 1\n.5 -8.2 -1.9617 1\n"+
		".5 -8.1 -1.961699999999999 2\n", "phys_live.points", ".5 -6 1\n.5 -7 1\n.5 -8 1\n"), 3, 3, 3, 3, 3, 2, 1)
	npz := modelfile.NewNPZ()
	npz.Array("logl", []float64{-9, -8, -7}, 3)
	npz.Array("samples_n", []int32{2, 2, 1}, 3)
	b, err := npz.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	check("dynesty", read(t, "r.npz", string(b)), 2, 2, 1)
	if s := read(t, "a.txt", "0.5 -9 -1e30\n.5 -8 -1e30\n", "b.txt", "0.5 -9 -1e30\n.5 -8 -1e30\n"); len(s.Points) != 2 {
		t.Error("two runs became one")
	}
}

// Errors name the file and, if possible, the line.
func TestErrorsNameFileAndLine(t *testing.T) {
	expanded := strings.Replace(newXVG(0, "300", 0), "Potential Energy (kJ/mol)", "Thermodynamic state", 1)
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"columns": {[]string{"a.csv", "x,y\n1,2\n"}, "a.csv, line 1: no columns that are known, but x, y"},
		"no lnL":  {[]string{"a.csv", "beta,y\n1,2\n"}, "a.csv, line 1: column beta is a power, but"},
		"NaN": {[]string{"a.pp", strings.Replace(revBayes, "-13.5", "nan", 1)},
			`a.pp, line 5: column likelihood has "nan"`},
		"cut": {[]string{"a.pp", revBayes[:len(revBayes)-5]},
			"a.pp, line 7 has 2 columns, the lines before it have 3"},
		"power":    {[]string{"a", "beta,loglik\n0,-1\n2,-1\n"}, "a, line 3: the power is 2"},
		"one rung": {[]string{"a", "beta,loglik\n0,-1\n0,-1\n"}, "a: all samples are at one rung (0)"},
		"empty":    {[]string{"a", "beta,loglik\n"}, "a: there are no samples"},
		"nothing":  {[]string{"a", " \n"}, "a: it is empty"},
		"step": {[]string{"likelihood.log", "Sample\tlikelihood\n0\t-5\n"},
			"likelihood.log: a log of BEAST 2 does not say its power"},
		"one step": {[]string{"step0/l.log", "Sample\tlikelihood\n0\t-5\n"}, "power of a single step"},
		"temperature": {[]string{"a.xvg", newXVG(0, "300", 0), "b.xvg", newXVG(1, "310", 0)},
			"a.xvg was run at 300 K, b.xvg"},
		"expanded": {[]string{"a.xvg", expanded}, "a.xvg: an expanded ensemble"},
		"time":     {[]string{"a.xvg", newXVG(0, "300", 10, 5)}, "the time goes back from 10 to 5"},
		"xvg NaN": {[]string{"a.xvg", strings.Replace(newXVG(0, "300", 0), " 0 5", " nan 5", 1)},

			`a.xvg, line 12: column 4 has "nan"`},
		"xvg cut": {[]string{"a.xvg", strings.Replace(newXVG(0, "300", 0), " 0.77", "", 1)},
			"a.xvg, line 12 has 6 columns, its"},
		"bz2":        {[]string{"a.bz2", "BZh91AY&SY"}, "a.bz2: damaged or cut short"},
		"gz":         {[]string{"a.gz", gzipped(t, revBayes)[:40]}, "a.gz: damaged or cut short"},
		"parquet":    {[]string{"u.parquet", "PAR1\x00"}, `pandas.read_parquet("u.parquet").to_csv`},
		"pickle":     {[]string{"r.pkl", "\x80\x04\x95"}, "r.pkl: a pickle"},
		"kinds":      {[]string{"a.pp", revBayes, "a.xvg", newXVG(0, "300", 0)}, "a.xvg is of another kind"},
		"live alone": {[]string{"phys_live.points", ".5 -6 1\n.5 -7 1\n"}, "without the dead points"},
		"numbers":    {[]string{"a", "1 2 3\n2 4 4.5\n"}, "a, line 1: 3 columns of numbers without names"},
		"births":     {[]string{"a", "logL,logL_birth\n-5,-4\n"}, "a, line 2: the point was born"},
		"stan":       {[]string{"a.csv", "# stan_version_major = 2\nlp__,theta.1\n-5,.1\n"}, "draws give log Z only together"},
		"array":      {[]string{"a.npz", "PK"}, "a.npz: npz or pt file: damaged"},
	} {
		_, err := Read(filesOf(c.texts...), Options{}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		if _, ok := err.(*problem.Error); !ok {
			t.Errorf("%s: %T", name, err)
		}
	}
	if s := read(t, "0.xvg", newXVG(0, "300", 0), "2.xvg", newXVG(2, "300",
		0)); s.Notes[1].Error() != "no samples at rung 0.5" {
		t.Errorf("a missing window: %v", s.Notes)
	}
}

// A header of thousands of names is read quickly: names are normalised once, not for each lookup.
func TestManyColumnNamesAreReadQuickly(t *testing.T) {
	n := testing.AllocsPerRun(1, func() {
		if _, err := Read(filesOf("a", strings.Repeat("A_,", 5000)+"\n1\n"), Options{}, nil); err == nil {
			t.Error("a table without known names was read")
		}
	})
	if n > 100_000 {
		t.Errorf("%v allocations", n)
	}
}
