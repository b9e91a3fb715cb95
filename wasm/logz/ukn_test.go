package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// uknRuns are runs on several kinds of models: an RBM, a lattice, whose base is not normalised, a mixture, an
// expression, and a Stan program with a fitted base.
var uknRuns = map[string]string{
	"rbm":     "-model rbm-pcd-20 -method mbar -set temperatures=16",
	"ising":   "-model ising16 -method mbar,stepping-stone -set temperatures=12",
	"fixed":   "-model mixture10 -method mbar,bar -set samples=fixed -set temperatures=10",
	"density": "-model DENSITY -method rts,mbar,ti -set temperatures=12",
	"tape": "-model " + programs + "/schools.stan -data " + programs + "/schools.json -method mbar " +
		"-set temperatures=12",
}

// runWithUKN runs with -ukn and returns log Z by mbar and the file.
func runWithUKN(t *testing.T, args string) (logz float64, file string) {
	t.Helper()
	args = strings.Replace(args, "DENSITY", write(t, "d.stan", []byte("exp(-x^2/2) * (1 + sin(3*x)^2)\n")), 1)
	run := append([]string{"run", "-json", "-seed", "3", "-set", "chains=20", "-set", "sweeps=200"},
		strings.Fields(args)...)
	file = filepath.Join(t.TempDir(), "u.npz")
	without, out := mustRun(t, run...), mustRun(t, append(run, "-ukn", file)...)
	type answer struct {
		Method, Hash string
		LogZ         float64
	}
	read := func(text string) (all []answer) {
		if !strings.HasPrefix(text, "[") {
			text = "[" + text + "]"
		}
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for i, r := range read(without) {
		with := read(out)[i]
		if with.Hash != r.Hash {
			t.Errorf("%s has the hash %s, %s without -ukn", r.Method, with.Hash, r.Hash)
		}
		if r.Method == "mbar" {
			logz = r.LogZ
		}
	}
	return logz, file
}

// logz read of the file of -ukn gives log Z of mbar, and writing the file does not change the result of the run.
func TestUKN(t *testing.T) {
	for name, args := range uknRuns {
		t.Run(name, func(t *testing.T) {
			if name == "rbm" {
				tier.Release(t) // its exact value takes seconds
			}
			want, file := runWithUKN(t, args)
			var r struct{ LogZ float64 }
			text := mustRun(t, "read", file, "-method", "mbar", "-set", "independent=yes", "-json")
			if err := json.Unmarshal([]byte(text), &r); err != nil || !(math.Abs(r.LogZ-want) < 1e-10) {
				t.Errorf("log Z = %v of the file, %v of the run (%v)", r.LogZ, want, err)
			}
		})
	}
}

// Methods that do not use densities at other rungs write the same file as mbar.
func TestUKNSameForMethods(t *testing.T) {
	var want string
	for _, method := range []string{"mbar", "rts", "ts", "ti", "bar", "stepping-stone"} {
		file := filepath.Join(t.TempDir(), "u.npz")
		mustRun(t, "run", "-model", "mixture2", "-method", method, "-set", "chains=10", "-set", "sweeps=50", "-set",
			"temperatures=5", "-ukn", file)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(b)
		}
		if string(b) != want {
			t.Errorf("%s writes other bytes", method)
		}
	}
}

// -ukn is refused before the run unless there are samples of a single ladder, and no file is left.
func TestUKNRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.npz")
	for args, says := range map[string]string{
		"-method ais":                            "ais has none; use only methods of rts, ts, ",
		"-method mbar,ais":                       "ais has none",
		"":                                       "auto has none",
		"-method mbar -replicates 2":             "leave out -replicates and -target",
		"-method rts -target 0.1":                "leave out -replicates and -target",
		"-method rts,bar -set bar.samples=fixed": "rts, bar do not share one",
		"-method rts -set temperatures=1001":     "at most 1000 rungs, not 1001; use fewer temperatures",
	} {
		mustRefuse(t, says, append([]string{"run", "-model", "mixture2", "-ukn", file}, strings.Fields(args)...)...)
	}
	mustRefuse(t, "-ukn is empty", "run", "-model", "mixture2", "-method", "rts", "-ukn", "")
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was written")
	}
}

// pymbar, an independent implementation of the same equations, gives the same log Z for the file.
func TestUKNInPymbar(t *testing.T) {
	tier.Release(t)
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import pymbar").Run() == nil {
			python = p
		}
	}
	if python == "" {
		t.Skip("no Python with pymbar here (Debian: apt-get install python3-pymbar)")
	}
	const solve = "import sys, numpy, pymbar\na = numpy.load(sys.argv[1])\nu, n = a['u_kn'], a['N_k']\n" +
		"assert u.dtype == numpy.float64 and n.dtype == numpy.int64 and u.shape == (len(n), n.sum())\n" +
		"m = pymbar.MBAR(u, n, relative_tolerance=1e-12)\n" +
		"print(repr(float(-m.getFreeEnergyDifferences()[0][0, -1])))\n"
	for name, args := range uknRuns {
		t.Run(name, func(t *testing.T) {
			want, file := runWithUKN(t, args)
			c := exec.Command(python, "-c", solve, file)
			var says strings.Builder
			c.Stderr = &says
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, says.String())
			}
			var logz float64
			if err := json.Unmarshal(out, &logz); err != nil || !(math.Abs(logz-want) < 1e-8) {
				t.Errorf("log Z = %s by pymbar, %v by mbar (%v)", out, want, err)
			}
		})
	}
}
