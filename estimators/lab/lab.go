// Package lab is what a Go program needs to estimate the log of a normalizing constant: it opens a model, runs a method
// on it, and reports log Z with its error bar, bounds and verdict.
//
//	var l lab.Lab
//	model, err := l.Open("rbm-pcd-20")
//	r, err := l.Estimate(ctx, model, "ais", "temperatures=200")
//	fmt.Println(r.LogZ, r.SE, r.Verdict.Level)
//
// All numbers are in nats. The same model, method and settings give the same digits on every machine, with any number of
// processors. The names of methods, models and settings are those of links and of the command: site/docs/methods.md and
// site/docs/models.md list them.
//
// Own models: Density makes one from a log density (package density has its fields); Lab.Read reads a model file in any
// format that the page reads; any other type that implements Model works as well (package models). Own methods and own
// kinds of model files are fields of Lab; the Examples show each.
package lab

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/site"
)

// Types of other packages that a program meets here.
type (
	Model  = models.Model    // a path of densities from a base to the target
	Report = report.Report   // log Z with all that is known of its error; report.JSON encodes it
	Method = estimators.Info // a method: its name, parameters and code
	Kind   = models.Kind     // a kind of model files
)

// Lab opens models and estimates their log Z. The zero value has the methods, models and kinds of files of this module;
// Methods and Kinds add to them.
type Lab struct {
	Methods []Method
	Kinds   []*Kind
}

// names returns the methods and kinds of this module and those of l, or what is wrong with these.
func (l Lab) names() (catalog.Names, error) {
	n := catalog.Names{Methods: slices.Clone(catalog.Methods), Kinds: slices.Clone(catalog.Kinds)}
	for _, m := range l.Methods {
		if m.Name == "" || m.New == nil && m.Reads == nil {
			return n, fmt.Errorf("Lab.Methods: the method %q needs a name, and New or Reads", m.Name)
		}
		if _, taken := n.Method(m.Name); taken {
			return n, fmt.Errorf("Lab.Methods: there is a method %s already; give yours another name", m.Name)
		}
		n.Methods = append(n.Methods, m)
	}
	for _, k := range l.Kinds {
		if k == nil || k.Name == "" {
			return n, fmt.Errorf("Lab.Kinds: a kind needs a name")
		}
		if slices.ContainsFunc(n.Kinds, func(other *Kind) bool { return other.Name == k.Name }) {
			return n, fmt.Errorf("Lab.Kinds: there is a kind %s already; give yours another name", k.Name)
		}
		n.Kinds = append(n.Kinds, k)
	}
	return n, nil
}

// Density is the model of a target density on R^d that is known up to its constant, reached from a base by the geometric
// path. The base must be normalized; a constant that LogBase lacks is missing from log Z. The kernel samples along the
// path; its zero value chooses one. Both densities are tried at some draws from the base: it is an error if the base is
// not finite there, or the target NaN or +Inf. (-Inf is a place where the target is 0.)
func Density(name string, d density.Density, k density.Kernel) (Model, error) {
	m, err := density.New(models.Info{Name: name}, d, k)
	if err != nil {
		return nil, err
	}
	x := make([]float64, d.Dim)
	for i := range tries {
		s := rng.At{Key: rng.NewKey(0, "lab", 0), Slot: uint32(i)}.Row(0)
		d.DrawBase(&s, x)
		if b := d.LogBase(x); !num.Finite(b) {
			return nil, fmt.Errorf("%s: LogBase is %g at %g, a draw from the base", name, b, x)
		}
		if f := d.LogF(x); math.IsNaN(f) || math.IsInf(f, 1) {
			return nil, fmt.Errorf("%s: LogF is %g at %g, a draw from the base; return -Inf where the density is 0", name, f, x)
		}
	}
	return m, nil
}

// tries is the number of draws at which Density tries the densities.
const tries = 32

// Open returns a built-in model by its name, as rbm-pcd-20. settings are parameters of the model, as "beta=0.44";
// others have their defaults.
func (l Lab) Open(name string, settings ...string) (Model, error) {
	names, err := l.names()
	if err != nil {
		return nil, err
	}
	if !names.HasModel(name) {
		return nil, fmt.Errorf("model %q is not known; it must be one of %s", name, strings.Join(names.ModelNames(), ", "))
	}
	return l.open(engine.Source{Load: bundled, Names: names}, spec.Exact(name), settings)
}

// Read makes a model from a file in any format that the page reads (site/docs/files.md): JSON, .npz, .npy, .mat,
// .pt, .safetensors, .uai or a table. name is what the file is called in errors and reports. settings are parameters of
// the model.
func (l Lab) Read(name string, file []byte, settings ...string) (Model, error) {
	names, err := l.names()
	if err != nil {
		return nil, err
	}
	f, err := names.Kinds.ReadFile(file, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	names.File, names.Kind = modelfile.ID(file), f.Kind()
	return l.open(engine.Source{File: f, Name: name, Names: names}, spec.Exact(names.File), settings)
}

// open makes the model of s from src.
func (l Lab) open(src engine.Source, s *spec.Spec, settings []string) (Model, error) {
	if err := put(s, src.Names, "", settings); err != nil {
		return nil, err
	}
	return src.Open(s, nil)
}

// Estimate runs a method on a model, on all processors, and reports what it found: log Z, its standard error, bounds, the
// exact value where it is known, and the verdict. settings are "seed=7", "replicates=5", a wanted standard error
// "target=0.05" with a "limit" of sweeps, or parameters of the method, as "temperatures=200"; others have their defaults.
//
// It is an error if the method or a setting is unknown or has no effect, if the method fails, or if it cannot run on such
// a model. A method that runs and finds no number reports NaN with the verdict stop, which says why: ais-bar and raise do
// where the target has no exact samples or data. When ctx ends, the error is that of ctx. The report has no link, since
// the model may be the program's own; Run reports links that others can run.
func (l Lab) Estimate(ctx context.Context, m Model, method string, settings ...string) (*Report, error) {
	names, err := l.names()
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, fmt.Errorf("the model is nil: Open, Read and Density return one")
	}
	s, err := spec.New(inMemory, []string{method}, names)
	if err != nil {
		return nil, err
	}
	if err := put(s, names, method, settings); err != nil {
		return nil, err
	}
	if err := s.Check(names); err != nil {
		return nil, err
	}
	reports, err := report.RunSpec(ctx, s, m, engine.Options{Names: names}, runtime.NumCPU())
	if err != nil {
		return nil, err
	}
	r := reports[0]
	r.Model, r.Link, r.Spec.Model = m.Info().Name, "", m.Info().Name
	return r, nil
}

// inMemory is the model's name in the spec of a run on a model that a program made itself.
const inMemory = "file:000000000000"

// Run runs the whole experiment of a link, as the page does: all its methods, with replicates. There is one report for
// each method, in the order of the link.
func (l Lab) Run(ctx context.Context, link string) ([]*Report, error) {
	names, err := l.names()
	if err != nil {
		return nil, err
	}
	return report.RunLink(ctx, link, engine.Source{Load: bundled, Names: names}, runtime.NumCPU())
}

// put sets the settings key=value of a spec: of the model if method is "", else of the method or of the experiment.
func put(s *spec.Spec, names catalog.Names, method string, settings []string) error {
	given := map[string]bool{}
	for _, setting := range settings {
		key, value, ok := strings.Cut(setting, "=")
		if !ok || key == "" {
			return fmt.Errorf("setting %q is not key=value", setting)
		}
		if method != "" {
			key = strings.TrimPrefix(key, method+".") // as in links
		}
		if given[key] {
			return fmt.Errorf("%s is given twice; leave one out", key)
		}
		given[key] = true
		if common := []string{"seed", "replicates", "target", "limit"}; method != "" && !slices.Contains(common, key) {
			key = method + "." + key
		}
		if err := s.PutKey(names, key, value); err != nil {
			return err
		}
	}
	return nil
}

// bundled is a file of the site that a built-in model is made from.
func bundled(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }
