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
	"runtime"
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
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

// names are the methods and kinds of this module and those of l.
func (l Lab) names() catalog.Names {
	return catalog.Names{Methods: slices.Concat(catalog.Methods, l.Methods), Kinds: slices.Concat(catalog.Kinds, l.Kinds)}
}

// Density is the model of a target density on R^d that is known up to its constant, reached from a normalized base by
// the geometric path. The kernel samples along the path; its zero value chooses one.
func Density(name string, d density.Density, k density.Kernel) (Model, error) {
	return density.New(models.Info{Name: name}, d, k)
}

// Open returns a built-in model by its name, as rbm-pcd-20. settings are parameters of the model, as "beta=0.44";
// others have their defaults.
func (l Lab) Open(name string, settings ...string) (Model, error) {
	names := l.names()
	if !names.HasModel(name) {
		return nil, problem.New("model %q is not known", name)
	}
	return l.open(engine.Source{Load: bundled, Names: names}, spec.Exact(name), settings)
}

// Read makes a model from a file in any format that the page reads (site/docs/files.md): JSON, .npz, .npy, .mat,
// .pt, .safetensors, .uai or a table. name is what the file is called in errors and reports. settings are parameters of
// the model.
func (l Lab) Read(name string, file []byte, settings ...string) (Model, error) {
	names := l.names()
	f, err := names.Kinds.ReadFile(file, nil)
	if err != nil {
		return nil, problem.New("%s: %w", name, err)
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

// Estimate runs a method on a model, on all processors, and reports what it found: log Z, its standard error, bounds,
// the exact value where it is known, and the verdict. settings are "seed=7", "replicates=5", a wanted standard error
// "target=0.05" with a "limit" of sweeps, or parameters of the method, as "temperatures=200"; others have their defaults. It is an error if the method or a setting is unknown, has no effect,
// or does not suit the model, or if the method fails; when ctx ends, the error is that of ctx.
func (l Lab) Estimate(ctx context.Context, m Model, method string, settings ...string) (*Report, error) {
	names := l.names()
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
	return reports[0], nil
}

// inMemory is the model's name in the spec of a run on a model that a program made itself.
const inMemory = "file:000000000000"

// Run runs the whole experiment of a link, as the page does: all its methods, with replicates. There is one report for
// each method, in the order of the link.
func (l Lab) Run(ctx context.Context, link string) ([]*Report, error) {
	names := l.names()
	s, err := spec.ParseLink(link, names)
	if err != nil {
		return nil, err
	}
	m, err := engine.Source{Load: bundled, Names: names}.Open(s, nil)
	if err != nil {
		return nil, err
	}
	return report.RunSpec(ctx, s, m, engine.Options{Names: names}, runtime.NumCPU())
}

// put sets the settings key=value of a spec: of the model if method is "", else of the method or of the experiment.
func put(s *spec.Spec, names catalog.Names, method string, settings []string) error {
	for _, setting := range settings {
		key, value, ok := strings.Cut(setting, "=")
		if !ok {
			return problem.New("setting %q is not key=value", setting)
		}
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
