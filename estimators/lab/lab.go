// Package lab is the interface for Go programs that estimate the log of a normalizing constant: it opens a model, runs
// a method on it, and reports log Z with its error bar, bounds and verdict.
//
//	var l lab.Lab
//	model, err := l.Open("rbm-pcd-20")
//	r, err := l.Estimate(ctx, model, "ais", "temperatures=200")
//	fmt.Println(r.LogZ, r.SE, r.Verdict.Level)
//
// All numbers are in nats. The same model, method and settings give the same result, bit for bit, on every computer and
// with any number of processors. Methods, models and settings have the same names as in links and in the command:
// Lab.MethodNames and Lab.ModelNames list them, and site/docs/methods.md and site/docs/models.md describe them with
// their settings.
//
// There are three ways to make a model of your own: Density takes a log density (package density describes its fields);
// Lab.Read reads a model file in any format that the page reads; and any other type that implements Model works as well
// (package models). Your own methods and kinds of model files are fields of Lab; the Examples show each.
package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

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

// Types of other packages that are part of the interface of this package.
type (
	Model  = models.Model    // a path of densities from a base to the target
	Report = report.Report   // log Z with its error bar, bounds and verdict; report.JSON encodes it
	Method = estimators.Info // a method: its name, parameters and code
	Kind   = models.Kind     // a kind of model files
)

// Lab opens models and estimates their log Z. The zero value has the built-in methods, models and kinds of files;
// Methods and Kinds add to them.
type Lab struct {
	Methods []Method
	Kinds   []*Kind
}

// names returns the built-in methods and kinds of files and those of l. It returns an error if a method or a kind of l
// is invalid or has the name of a built-in one.
func (l Lab) names() (catalog.Names, error) {
	n := catalog.Names{Methods: slices.Clone(catalog.Methods), Kinds: slices.Clone(catalog.Kinds)}
	for _, m := range l.Methods {
		if m.Name == "" || m.New == nil && m.Reads == nil {
			return n, fmt.Errorf("Lab.Methods: the method %q needs a name, and New or Reads", m.Name)
		}
		if _, exists := n.Method(m.Name); exists {
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

// MethodNames returns the names of the methods that Estimate runs, as "ais". Method.About describes a method, and
// site/docs/methods.md explains all with their settings.
func (l Lab) MethodNames() []string {
	names, _ := l.names()
	return names.MethodNames()
}

// ModelNames returns the names of the models that Open makes, as "rbm-pcd-20". site/docs/models.md describes them with
// their settings.
func (l Lab) ModelNames() []string {
	names, _ := l.names()
	return names.ModelNames()
}

// Density returns the model of an unnormalized target density f on R^d, with the geometric path from a base density.
// LogBase must be normalized: if it lacks a constant, log Z is wrong by that constant. LogF must return -Inf where f is
// 0. The kernel k samples along the path; the zero value selects a default. Density evaluates both functions at some
// draws from the base, and returns an error if LogBase is not finite or LogF is NaN or +Inf there.
func Density(name string, d density.Density, k density.Kernel) (Model, error) {
	nan := &firstNaN{}
	d.LogBase, d.LogF = nan.watch("LogBase", d.LogBase), nan.watch("LogF", d.LogF)
	m, err := density.New(models.Info{Name: name}, d, k)
	if err != nil {
		return nil, err
	}
	x := make([]float64, d.Dim)
	for i := range checkedDraws {
		s := rng.At{Key: rng.NewKey(0, "lab", 0), Slot: uint32(i)}.Row(0)
		d.DrawBase(&s, x)
		if b := d.LogBase(x); !num.Finite(b) {
			return nil, fmt.Errorf("%s: LogBase is %g at %g, a draw from the base", name, b, x)
		}
		if d.LogF == nil { // the density has an estimated likelihood instead
			continue
		}
		if f := d.LogF(x); math.IsNaN(f) || math.IsInf(f, 1) {
			return nil, fmt.Errorf("%s: LogF is %g at %g, a draw from the base; return -Inf where the density is 0", name, f, x)
		}
	}
	return userDensity{m, nan}, nil
}

// userDensity is a model from Density. It stores the point at which a log density was NaN, so that the error of a
// method can name the cause.
type userDensity struct {
	*density.Space
	nan *firstNaN
}

// firstNaN holds the first finite point at which a log density was NaN. At infinite coordinates, to which leapfrog
// steps may lead, NaN is harmless.
type firstNaN struct{ err atomic.Pointer[error] }

// watch returns a log density that calls logf and stores the first NaN; nil if logf is nil.
func (n *firstNaN) watch(name string, logf func([]float64) float64) func([]float64) float64 {
	if logf == nil {
		return nil
	}
	return func(x []float64) float64 {
		f := logf(x)
		if math.IsNaN(f) && n.err.Load() == nil && !slices.ContainsFunc(x, func(v float64) bool { return !num.Finite(v) }) {
			err := fmt.Errorf("%s is NaN at %g; return -Inf where the density is 0", name, x)
			n.err.CompareAndSwap(nil, &err)
		}
		return f
	}
}

// explain returns the error about the NaN of a density of m, if there was one, and err otherwise.
func explain(m Model, err error) error {
	if u, ok := m.(userDensity); ok {
		if err := u.nan.err.Load(); err != nil {
			return fmt.Errorf("%s: %w", m.Info().Name, *err)
		}
	}
	return err
}

// checkedDraws is the number of draws at which Density evaluates the densities.
const checkedDraws = 32

// Open returns a built-in model by its name, such as rbm-pcd-20 (see ModelNames). settings are parameters of the model,
// such as "beta=0.44"; parameters that are not set have their defaults. Open returns an error if the model is unknown,
// or if a setting is unknown or has no effect.
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

// Read makes a model from a file in any format that the page reads (site/docs/files.md): JSON, .npz, .npy, .mat, .pt,
// .safetensors, .uai or a table. name names the file in errors and reports. settings are parameters of the model, as in
// Open.
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

// open applies the settings to s and makes its model from src.
func (l Lab) open(src engine.Source, s *spec.Spec, settings []string) (Model, error) {
	if err := setValues(s, src.Names, "", settings); err != nil {
		return nil, err
	}

	// A setting must have an effect for some method.
	allMethods := *s
	allMethods.Methods = src.Names.MethodNames()
	if err := allMethods.Check(src.Names); err != nil {
		return nil, err
	}
	return src.Open(s, nil)
}

// Estimate runs a method (see MethodNames) on a model, on all processors. It reports log Z, its standard error, bounds,
// the exact value if it is known, and the verdict. settings are "seed=7", "replicates=5", a wanted standard error
// "target=0.05" with a "limit" of sweeps, or parameters of the method, such as "temperatures=200"; the others have
// their defaults.
//
// Estimate returns an error if the method is unknown or cannot run on such a model, if a setting is unknown or has no
// effect, or if the method fails; if a density made by Density was NaN, the error names the point. A method that runs
// but finds no number reports NaN with the verdict stop, whose checks and flags give the reason. For example, ais-bar
// and raise do so if the target has neither exact samples nor data. If ctx ends, the error is ctx.Err(). The report has
// no link, because the model may exist only in this program; reports of Run have links that others can run.
func (l Lab) Estimate(ctx context.Context, m Model, method string, settings ...string) (*Report, error) {
	names, err := l.names()
	if err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, errNilContext
	}
	if m == nil {
		return nil, fmt.Errorf("the model is nil: Open, Read and Density return one")
	}
	s, err := spec.New(inMemory, []string{method}, names)
	if err != nil {
		return nil, err
	}
	if err := setValues(s, names, method, settings); err != nil {
		return nil, err
	}
	if err := s.Check(names); err != nil {
		return nil, err
	}
	reports, err := report.RunSpec(ctx, s, m, engine.Options{Names: names}, runtime.NumCPU())
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, explain(m, err)
	}
	r := reports[0]
	if !report.IsNumber(r.LogZ) {
		if err := explain(m, nil); err != nil {
			return nil, err
		}
	}
	r.Model, r.Link, r.Spec.Model = m.Info().Name, "", m.Info().Name
	return r, nil
}

var errNilContext = errors.New("ctx is nil: use context.Background() if the run needs no deadline")

// inMemory is the name of the model in the spec of Estimate, whose model is a value in memory.
const inMemory = "file:000000000000"

// Run runs the whole experiment of a link, as the page does: all its methods, with replicates. It returns one report
// for each method, in the order of the link.
func (l Lab) Run(ctx context.Context, link string) ([]*Report, error) {
	names, err := l.names()
	if err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, errNilContext
	}
	return report.RunLink(ctx, link, engine.Source{Load: bundled, Names: names}, runtime.NumCPU())
}

// setValues sets the settings key=value in a spec: parameters of the model if method is "", else parameters of the
// method, or seed, replicates, target and limit. It returns an error for a setting that is malformed, repeated or
// unknown.
func setValues(s *spec.Spec, names catalog.Names, method string, settings []string) error {
	seen := map[string]bool{}
	for _, setting := range settings {
		key, value, ok := strings.Cut(setting, "=")
		if !ok || key == "" {
			return fmt.Errorf("setting %q is not key=value", setting)
		}
		if method != "" {
			key = strings.TrimPrefix(key, method+".") // as in links
		}
		if seen[key] {
			return fmt.Errorf("%s is given twice; leave one out", key)
		}
		seen[key] = true
		switch isCommon := slices.Contains([]string{"seed", "replicates", "target", "limit"}, key); {
		case isCommon && method == "":
			return fmt.Errorf("%s has no effect on a model; give it to Estimate", key)
		case !isCommon && method != "":
			key = method + "." + key
		}
		if err := s.PutKey(names, key, value); err != nil {
			return err
		}
	}
	return nil
}

// bundled returns the file of a built-in model.
func bundled(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }
