//go:build !js

package main

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models/stan"
	"logzlab/wasm/page/state"
)

// anyValue returns a random value of a parameter, its default with probability 1/4.
func anyValue(s *rng.Stream, p spec.Param) string {
	switch {
	case s.Intn(4) == 0:
		return p.Default
	case p.Type == "choice":
		return p.Choices[s.Intn(len(p.Choices))]
	case p.Name == "schedule":
		return []string{"power:2.5", "geometric:1e-3", "sm08"}[s.Intn(3)]
	case p.Type == "int":
		return spec.Decimal(p.Min + math.Floor(s.Float64()*(min(p.Max, 1e4)-p.Min)))
	case p.Type == "float":
		return spec.Decimal(p.Min + s.Float64()*(p.Max-p.Min))
	}
	return p.Default
}

// words returns the words into which a shell splits a command.
func words(t *testing.T, command string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", `printf '%s\0' `+command).Output()
	if err != nil {
		t.Skipf("no shell: %v", err)
	}
	var all []string
	for w := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		all = append(all, string(w))
	}
	return all
}

// tinyTape returns the bytes of a tape with one parameter.
func tinyTape(t *testing.T) string {
	t.Helper()
	c, err := stan.Compile("parameters { real x; } model { x ~ normal(0, 1); }", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(c.Tape.Bytes())
}

// The command that the page shares runs the experiment of the link that it shares: for random links, also about files
// of every kind, whose kind the page may not know yet, and whose names need quotes or equal names of models.
func TestSharedCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	type file struct{ name, id string }
	files := map[string]file{}
	for kind, text := range map[string]string{
		"rbm": tinyRBM, "ising": `{"kind":"ising","L1":4,"L2":4,"periodic":true,"beta":0.2}`,
		"gmm": `{"kind":"gmm","d":1,"base_sd":3,"logC":2,"weights":[1],"means":[[1]],"sds":[0.5]}`,
		"bmm": `{"kind":"bmm","weights":[3,1],"probabilities":[[0.9,0.2],[0.1,0.6]]}`, "gpc": "a,b,label\n0,1,1\n2,3,0\n",
		"graph":     "{\"kind\":\"graph\",\"states\":[2,2],\"factors\":[\n{\"on\":[0,1],\"log\":[0.5,-0.5,-0.5,0.5]}]}\n",
		"linreg":    `{"kind":"linreg","X":[[1],[2]],"y":[1,2],"s2":0.5,"t2":4}`,
		"glmm":      `{"kind":"glmm","x":[[0,1],[2]],"y":[[0,1],[1]],"prior_sd":2,"psi_mean":0,"psi_sd":1}`,
		"sv":        `{"kind":"sv","y":[1,-2.5]}`,
		"lgssm":     `{"kind":"lgssm","y":[1,2.5],"phi":0.9}`,
		"nig":       `{"kind":"nig","y":[1,2.5],"m0":1,"k0":0.5,"a0":2,"b0":3}`,
		"betabinom": `{"kind":"betabinom","a":2,"b":3,"k":5,"n":9}`,
		"tape":      tinyTape(t),
	} {
		name := map[string]string{"rbm": "it's my $HOME.json", "gmm": "mixture2", "gpc": "-set.csv"}[kind]
		if name == "" {
			name = kind + " 1.json"
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files[kind] = file{name, modelfile.ID([]byte(text))}
	}
	for i := range 300 {
		s := rng.NewKey(1, "share", i).Stream(0, 0, 0)
		names, name := catalog.Names{}, ""
		all := names.ModelNames()
		model := all[s.Intn(len(all))]
		if s.Intn(3) > 0 {
			kind := catalog.Kinds[s.Intn(len(catalog.Kinds))]
			name, model = files[kind.Name].name, files[kind.Name].id
			names = catalog.Names{File: model, Kind: kind}
		}
		methods := names.MethodNames()
		k := s.Intn(len(methods))
		methods = methods[k:min(len(methods), k+1+s.Intn(3))]
		link := "v=1&model=" + model + "&method=" + strings.Join(methods, ",")
		put := func(head string, params []spec.Param) {
			for _, p := range params {
				longer := link + "&" + head + p.Name + "=" + anyValue(&s, p)
				if _, err := spec.ParseLink(longer, names); s.Intn(2) == 0 && err == nil { // the parameter has an effect
					link = longer
				}
			}
		}
		put("", names.ModelParams(model))
		for _, m := range methods {
			params, _ := names.MethodParams(m)
			put(m+".", params)
		}
		link += "&seed=" + spec.Decimal(float64(s.Intn(3))) + "&replicates=" + spec.Decimal(float64(1+s.Intn(2)))
		before, err := spec.ParseLink(link, catalog.Names{}) // as a page that has no file
		if err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		x, err := spec.ParseLink(before.Link(), names)
		if err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		command := state.Command(x, name, "")
		for _, args := range [][]string{words(t, command)[2:], {"-link", link, "-model", name},
			{"-link", x.Link(), "-model", name}} {
			o, err := parseOptions("link", args)
			if err != nil {
				t.Fatalf("%s: %v", command, err)
			}
			if name == "mixture2" && o.link != "" {
				o.model = "./" + name
			}
			got, _, err := o.experiment()
			if err != nil || got.Link() != x.Link() {
				t.Fatalf("%s\n%q\ngives %v, %v\nwant  %s", link, args, got, err, x.Link())
			}
		}
	}
}
