package catalog

import (
	"slices"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/auto"
	"logzlab/estimators/forming"
	"logzlab/estimators/smc"
	"logzlab/estimators/temper"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/gpc"
	"logzlab/models/ising"
	"logzlab/models/latent"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// Methods lists the methods in the order in which people meet them.
var Methods = []estimators.Info{auto.AUTO, anneal.IS, anneal.AIS, anneal.AISBAR, anneal.RAISE,
	temper.RTS, temper.TS,
	temper.TI, temper.TIRB,
	temper.BAR, temper.MBAR,
	temper.RTSStationary,
	temper.WL, temper.SAMS,
	forming.RM, forming.ARM, forming.ARMAnticipate, forming.ARMReseed, forming.RMOptimal, smc.SMC,
	smc.AISEL, smc.IS2}

// Kinds lists the kinds of models in the order in which people meet them.
var Kinds = models.Kinds{&mixture.GaussianKind, &mixture.BernoulliKind, &ising.Kind, &rbm.Kind,
	&gpc.Kind, &conjugate.LinregKind, &conjugate.BetabinomKind, &conjugate.NIGKind, &latent.GLMMKind, &latent.SVKind,
	&latent.LGSSMKind}

// Method finds a method by name; for one that is not known, an empty one and false.
func Method(name string) (*estimators.Info, bool) {
	i := slices.IndexFunc(Methods, func(m estimators.Info) bool { return m.Name == name })
	if i < 0 {
		return &estimators.Info{}, false
	}
	return &Methods[i], true
}

// Path is how a method comes from the base to the target; Direct for names that are not known.
func Path(method string) estimators.Path {
	m, _ := Method(method)
	return m.Path
}

// Names implements spec.Catalog.
type Names struct {
	// File is an own file whose kind is known, as file:<12 hex>, or "".
	File string
	Kind *models.Kind
}

func (Names) HasModel(name string) bool { _, ok := Kinds.Find(name); return ok }

func (n Names) ModelParams(name string) []spec.Param {
	if e, ok := Kinds.Find(name); ok {
		return e.Kind.Params
	}
	if n.Kind != nil && name == n.File {
		return n.Kind.OwnParams()
	}
	return Kinds.Params("")
}

func (Names) MethodParams(name string) ([]spec.Param, bool) {
	m, ok := Method(name)
	return m.Params, ok
}

func (Names) MethodTarget(name string) float64 {
	if m, ok := Method(name); ok {
		return m.Target
	}
	return 0
}

// MethodUse goes by the method's path.
func (Names) MethodUse(name string) spec.Use {
	switch Path(name) {
	case estimators.Tempered:
		return spec.Bridges | spec.Moves
	case estimators.Sequential:
		return spec.Forms
	}
	return spec.Bridges
}

func (n Names) ModelUse(name string) spec.Use {
	kind := n.Kind
	if e, ok := Kinds.Find(name); ok {
		kind = e.Kind
	} else if kind == nil || name != n.File {
		return ^spec.Use(0)
	}
	return kind.Use
}

func (Names) ModelNames() (out []string) {
	for _, e := range Kinds.Builtin() {
		out = append(out, e.Name)
	}
	return
}

func (Names) MethodNames() (out []string) {
	for _, m := range Methods {
		out = append(out, m.Name)
	}
	return
}
