package catalog

import (
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/auto"
	"logzlab/estimators/bridge"
	"logzlab/estimators/resamplemove"
	"logzlab/estimators/smc"
	"logzlab/estimators/temper"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/gpc"
	"logzlab/models/graph"
	"logzlab/models/ising"
	"logzlab/models/latent"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
	"logzlab/models/stan/program"
)

// Group is a family of methods, as the page lists them.
type Group struct {
	Name    string
	Methods []estimators.Info
}

// Groups lists the methods in the order in which users meet them.
var Groups = []Group{
	{"auto", []estimators.Info{auto.AUTO}},
	{"annealing", []estimators.Info{anneal.IS, anneal.AIS, anneal.AISBAR, anneal.RAISE}},
	{"tempering", []estimators.Info{temper.RTS, temper.TS, temper.TI, temper.TIRB, temper.TIContinuous, temper.BAR,
		temper.MBAR, temper.SteppingStone, temper.RTSStationary, temper.WL, temper.SAMS}},
	{"forming", []estimators.Info{resamplemove.RM, resamplemove.ARM, resamplemove.ARMAnticipate, resamplemove.ARMReseed, resamplemove.RMOptimal}},
	{"particles", []estimators.Info{smc.SMC, smc.ARMTempered, smc.AISEL, smc.IS2}},
	{"samples", []estimators.Info{bridge.Bridge}},
}

// Methods are the methods of all groups.
var Methods = func() (all []estimators.Info) {
	for _, g := range Groups {
		all = append(all, g.Methods...)
	}
	return all
}()

// Kinds lists the kinds of models in the order in which users meet them.
var Kinds = models.Kinds{&mixture.GaussianKind, &mixture.BernoulliKind, &ising.Kind, &graph.Kind, &rbm.Kind,
	&gpc.Kind, &conjugate.LinregKind, &conjugate.BetabinomKind, &conjugate.NIGKind, &latent.GLMMKind, &latent.SVKind,
	&latent.LGSSMKind, &program.Kind}

// Names implements spec.Catalog: the methods and models that links, files and jobs may name. The zero value names those
// of this package. A program outside the tree adds its own methods and kinds here and passes the value to
// engine.Options, engine.Source and engine.Worker.
type Names struct {
	Methods []estimators.Info // nil means those of this package
	Kinds   models.Kinds      // nil means those of this package
	// File is a user's own file whose kind is known, as file:<12 hex>, or "".
	File string
	Kind *models.Kind
}

// All returns n with missing lists filled in from this package.
func (n Names) All() Names {
	if n.Methods == nil {
		n.Methods = Methods
	}
	if n.Kinds == nil {
		n.Kinds = Kinds
	}
	return n
}

// Method returns a method by name; an unknown name gives an empty method and false.
func (n Names) Method(name string) (*estimators.Info, bool) {
	methods := n.All().Methods
	i := slices.IndexFunc(methods, func(m estimators.Info) bool { return m.Name == name })
	if i < 0 {
		return &estimators.Info{}, false
	}
	return &methods[i], true
}

// Path returns the path of a method; Direct for unknown names.
func (n Names) Path(method string) estimators.Path {
	m, _ := n.Method(method)
	return m.Path
}

// Suits reports whether a method can run on models of a kind, as far as the kind determines this.
func Suits(m *estimators.Info, t models.Traits) bool {
	switch m.Path {
	case estimators.Sequential:
		return t.HasSequence
	case estimators.Fitted:
		return t.Look == models.Points
	}
	return true
}

// Method returns a method of this package by name, as Names.Method.
func Method(name string) (*estimators.Info, bool) { return Names{}.Method(name) }

// Path returns the path of a method of this package, as Names.Path.
func Path(method string) estimators.Path { return Names{}.Path(method) }

func (n Names) find(model string) (models.Entry, bool) { return n.All().Kinds.Find(model) }

// HasModel reports whether a built-in model has this name.
func (n Names) HasModel(name string) bool { _, ok := n.find(name); return ok }

// ModelParams returns the parameters of a model, by its name or file.
func (n Names) ModelParams(name string) []spec.Param {
	if e, ok := n.find(name); ok {
		return e.Kind.Params
	}
	if n.Kind != nil && name == n.File {
		return n.Kind.OwnParams()
	}
	return n.All().Kinds.Params("")
}

// MethodParams returns the parameters of a method; ok is false for an unknown name.
func (n Names) MethodParams(name string) ([]spec.Param, bool) {
	m, ok := n.Method(name)
	return m.Params, ok
}

// MethodTarget returns the default standard error of a method, 0 if it has none.
func (n Names) MethodTarget(name string) float64 {
	m, _ := n.Method(name)
	return m.Target
}

// MethodUse returns what a method does with models, by its path.
func (n Names) MethodUse(name string) spec.Use {
	switch n.Path(name) {
	case estimators.Tempered, estimators.Fitted:
		return spec.Bridges | spec.Moves
	case estimators.Sequential:
		return spec.Forms
	}
	return spec.Bridges
}

// ModelUse returns what a model offers to methods; everything if its kind is not known.
func (n Names) ModelUse(name string) spec.Use {
	kind := n.Kind
	if e, ok := n.find(name); ok {
		kind = e.Kind
	} else if kind == nil || name != n.File {
		return ^spec.Use(0)
	}
	return kind.Use
}

// ModelNames returns the names of the built-in models.
func (n Names) ModelNames() (out []string) {
	for _, e := range n.All().Kinds.Builtin() {
		out = append(out, e.Name)
	}
	return
}

// MethodNames returns the names of all methods.
func (n Names) MethodNames() (out []string) {
	for _, m := range n.All().Methods {
		out = append(out, m.Name)
	}
	return
}

// RelatedMethod returns a sentence that names a method to use for the usual name of a tempering method that does not
// exist here, in any spelling, or nil.
func (Names) RelatedMethod(name string) error {
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name)) {
	case "pt", "parallel", "paralleltempering", "replicaexchange", "remc", "remd", "rex", "mcmcmc", "mc3":
		return problem.New("parallel tempering (%q) is not one of the methods; use rts, which is simulated tempering: each "+
			"chain changes its own temperature, and its visits to each temperature give log Z, whereas in parallel tempering "+
			"the chains keep their temperatures and exchange states; logz read estimates log Z from the samples of a parallel "+
			"tempering run", name)
	case "st", "simulatedtempering", "tempering", "serialtempering", "rbts", "ee", "expandedensemble":
		return problem.New("simulated tempering (%q) is called rts here (Rao-Blackwellized tempered sampling); sams and wl "+
			"are tempering with weights that adapt", name)
	}
	return nil
}
