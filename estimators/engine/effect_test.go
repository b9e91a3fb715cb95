package engine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
)

// kinds are small models on which parameters have an effect.
var kinds = map[string]string{
	"rbm":   `{"kind":"rbm","W":[[2,-5],[-6,2],[1,7],[4,2],[-7,5]],"c_visible":[0.5,1,-1,0.2,1],"b_hidden":[0.5,-1]}`,
	"gmm":   `{"kind":"gmm","d":2,"base_sd":3,"logC":2,"weights":[0.5,0.5],"means":[[-3,0],[2,1]],"sds":[1,0.4]}`,
	"bmm":   `{"kind":"bmm","weights":[3,1],"probabilities":[[0.9,0.2,0.3],[0.1,0.6,0.8]]}`,
	"ising": `{"kind":"ising","L1":3,"L2":3,"periodic":true,"beta":0.5}`,
	"gpc":   `{"kind":"gpc","X":[[0.1],[1],[2.5],[3]],"y":[1,-1,1,-1],"kernel":{"name":"rbf","amplitude":2,"length":1}}`,

	"linreg":    `{"kind":"linreg","X":[[1,0.5],[1,2],[1,-1]],"y":[1,2,0.5],"s2":0.5,"t2":4}`,
	"betabinom": `{"kind":"betabinom","a":2,"b":3,"k":5,"n":9}`,
	"nig":       `{"kind":"nig","y":[1,2.5,-0.5],"m0":1,"k0":0.5,"a0":2,"b0":3}`,

	"glmm":  `{"kind":"glmm","x":[[0,1],[2,-1]],"y":[[0,1],[1,1]],"prior_sd":2,"psi_mean":0,"psi_sd":1}`,
	"sv":    `{"kind":"sv","y":[1,-2.5,0.3]}`,
	"lgssm": `{"kind":"lgssm","y":[1,2.5],"phi":0.9}`,
}

// small are values that keep runs short and their weights uneven.
var small = map[string]string{"particles": "20", "islands": "2", "temperatures": "8", "sweeps": "12", "chains": "16",
	"moves": "1", "init_rounds": "2", "init_sweeps": "4", "burn_in": "0", "ess": "0.9", "gamma": "0.5", "i_max": "2",
	"reseed_sweeps": "4", "adapt_sweeps": "10", "absent": "off"}

// others returns values of a parameter that are not its default.
func others(p spec.Param) []string {
	switch {
	case p.Type == "choice":
		return slices.DeleteFunc(slices.Clone(p.Choices), func(c string) bool { return c == p.Default })
	case p.Type == "int":
		return []string{spec.Decimal(max(p.Min, 1)), "7"}
	case p.Name == "schedule":
		return []string{"power:3", "varopt", "gms13", "adaptive:0.5", "betas:0.1_0.3"}
	case p.Name == "clamp":
		return []string{"0i"}
	}
	return []string{"0.7", spec.Decimal(min(p.Max, 1)), spec.Decimal(max(p.Min, 0))}
}

// effect is a method on one of these models.
type effect struct {
	t      *testing.T
	file   models.File
	names  catalog.Names
	method string
}

// set returns the experiment with some values.
func (x effect) set(values map[string]string) *spec.Spec {
	s, err := spec.New(x.names.File, []string{x.method}, x.names)
	if err != nil {
		x.t.Fatal(err)
	}
	for key, value := range values {
		if err := s.PutKey(x.names, key, value); err != nil {
			x.t.Fatal(err)
		}
	}
	return s
}

// digits returns the numbers of a run as text, "" if it is refused or has no log Z.
func (x effect) digits(s *spec.Spec) string {
	m, err := Source{File: x.file}.Open(s, nil)
	if err != nil {
		return ""
	}
	j, err := NewJob(s, m, Options{})
	if err != nil {
		return ""
	}
	if err := Run(context.Background(), j, runtime.NumCPU(), nil); err != nil {
		x.t.Fatal(err)
	}
	done := j.Status(x.method)
	if done.Err != nil || math.IsNaN(done.Results[0].LogZ) {
		return ""
	}
	r := done.Results[0]
	return fmt.Sprintf("%x %x %x %x %x %x", r.LogZ, r.SE, r.Lower, r.Upper, r.Ladder, r.Stages)
}

// A parameter that is refused because it has no effect has none, and one that is accepted has an effect on some model,
// for all values of the parameters that it needs. Detects the need of cess left out, that of init_sweeps inverted, and
// the use of order left out.
func TestEffects(t *testing.T) {
	tier.Release(t)           // thousands of runs
	acts := map[string]bool{} // by method and parameter: false where it was taken and nothing has shown
	for _, kind := range catalog.Kinds {
		f, err := catalog.Kinds.ReadFile([]byte(kinds[kind.Name]), nil)
		if err != nil {
			t.Fatal(kind.Name, err)
		}
		seen := map[estimators.Path]bool{}
		for _, m := range catalog.Methods {
			x := effect{t, f, catalog.Names{File: testmodels.OwnModel, Kind: kind}, m.Name}
			base := map[string]string{}
			for _, q := range m.Params {
				if v, ok := small[q.Name]; ok {
					base[m.Name+"."+q.Name] = v
				}
			}
			for _, p := range m.Params {
				if p.For != 0 || kind.Name == "rbm" || kind.Name == "gmm" { // one of these shows the others
					x.try(m.Name+": "+p.Name, m.Name+".", p, m.Params, base, acts)
				}
			}
			for _, p := range kind.Params {
				if !seen[m.Path] { // one method of a path shows it
					x.try(m.Name+" on "+kind.Name+": "+p.Name, "", p, kind.Params, base, acts)
				}
			}
			seen[m.Path] = true
		}
	}
	for name, acted := range acts {
		if !acted {
			t.Errorf("%s is taken and has no effect", name)
		}
	}
}

// try compares runs with and without a parameter, at each value of the parameters on which it depends.
func (x effect) try(name, head string, p spec.Param, owner []spec.Param, base map[string]string, acts map[string]bool) {
	contexts := []map[string]string{{}}
	for _, n := range p.Needs {
		i := slices.IndexFunc(owner, func(q spec.Param) bool { return q.Name == n.Param })
		if i < 0 {
			continue
		}
		for _, v := range append(others(owner[i]), n.Values...) {
			contexts = append(contexts, map[string]string{head + n.Param: v})
		}
	}
	for _, c := range contexts {
		with := map[string]string{}
		for k, v := range base {
			with[k] = v
		}
		for k, v := range c {
			with[k] = v
		}
		delete(with, head+p.Name)
		at := name + " " + strings.TrimPrefix(fmt.Sprint(c), "map")
		without := x.digits(x.set(with))
		for _, v := range others(p) {
			with[head+p.Name] = v
			s := x.set(with)
			taken := s.HasEffect(x.names, map[bool]string{true: x.method}[head != ""], p.Name)
			if taken && acts[at] {
				continue
			}
			got := x.digits(s)
			switch changed := got != without; {
			case got == "" || without == "":
			case !taken && changed:
				x.t.Errorf("%s = %s is refused and has an effect: %s", name, v, s.Link())
			case taken:
				acts[at] = changed
			}
		}
	}
}
