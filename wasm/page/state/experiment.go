package state

import (
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/core/workerapi"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/models/gpc"
)

// Experiment is what is to be run: the spec, and the user's own model file. It must not know of runs, lanes or views.
type Experiment struct {
	Spec *spec.Spec // is replaced, and never changed
	Own  OwnModel
}

// OwnModel is a model file of the user.
type OwnModel struct {
	Name, ID string // id is file:<12 hex>
	Data     []byte
	File     models.File
	Summary  error // what was read, as a phrase to be translated, or nil
	Event    int   // the number of the event that brought it
	Rows     OwnRows
}

// OwnRows are data rows that the user gave beside an own model, whose file has them.
type OwnRows struct {
	Name, ID string // id is the value of the parameter data
	Data     []byte
	Event    int
}

// OwnChosen reports whether the model is the own file that is here.
func (x *Experiment) OwnChosen() bool {
	return x.Spec != nil && x.Own.File != nil && x.Spec.Model == x.Own.ID
}

// ModelName is what people call the model.
func (x *Experiment) ModelName() string {
	if x.OwnChosen() {
		return strings.TrimSuffix(x.Own.Name, workerapi.Ending)
	}
	return x.Spec.Model
}

// LacksOwn reports whether the model is an own file that is not here.
func (x *Experiment) LacksOwn() bool { return spec.IsFile(x.Spec.Model) && x.Spec.Model != x.Own.ID }

// LacksRows reports whether the own model asks for data rows that are not here.
func (x *Experiment) LacksRows() bool {
	return x.OwnChosen() && x.Spec.Set["data"] != "" && x.Spec.Set["data"] != x.Own.Rows.ID
}

// Names knows the own file that is here.
func (x *Experiment) Names() catalog.Names {
	if x.Own.File == nil {
		return catalog.Names{}
	}
	return catalog.Names{File: x.Own.ID, Kind: x.Own.File.Kind()}
}

// Draft is a copy of the spec to edit.
func (x *Experiment) Draft() *spec.Spec {
	if x.Spec == nil {
		s, _ := spec.ParseLink(DefaultLink, catalog.Names{})
		return s
	}
	return x.Spec.Only(x.Names(), slices.Clone(x.Spec.Methods)...)
}

// ModelParams are the parameters of the chosen model, of its own kind for a file.
func (x *Experiment) ModelParams() []spec.Param {
	if x.LacksOwn() {
		return nil
	}
	return x.Names().ModelParams(x.Spec.Model)
}

// unknown are the traits of a kind that is not known.
var unknown = models.Traits{HasSequence: true}

// Traits are those of the chosen model's kind; of one that is not known yet, anything may be asked.
func (x *Experiment) Traits() models.Traits {
	if x.OwnChosen() {
		return x.Own.File.Kind().Traits
	}
	if x.Spec != nil {
		if e, ok := catalog.Kinds.Find(x.Spec.Model); ok {
			return e.Kind.Traits
		}
	}
	return unknown
}

// Stepwise tells whether a method forms its particles coordinate by coordinate.
func Stepwise(method string) bool { return catalog.Path(method) == estimators.Sequential }

// Suits tells whether a method can run on the chosen model, as far as its kind says.
func (x *Experiment) Suits(method string) bool {
	m, _ := catalog.Method(method)
	t := x.Traits()
	return t == unknown || catalog.Suits(m, t)
}

// Heated tells whether a method goes through temperatures; one that forms its particles does not.
func (x *Experiment) Heated() bool {
	return x.Spec == nil || slices.ContainsFunc(x.Spec.Methods, func(m string) bool { return !Stepwise(m) })
}

// Unheated reports whether all methods form their particles.
func (x *Experiment) Unheated() bool { return !x.Heated() }

// Rivals are the built-in models that have the data of the chosen one.
func (x *Experiment) Rivals() (out []string) {
	e, ok := catalog.Kinds.Find(x.Spec.Model)
	if !ok || e.Data == "" {
		return nil
	}
	for _, other := range catalog.Kinds.Builtin() {
		if other.Data == e.Data && other.Name != e.Name {
			out = append(out, other.Name)
		}
	}
	return out
}

// TargetOf is what log Z depends on: the model and those of its parameters that change its target. A better start, a
// seed or more work change how log Z is found, but not log Z.
func (x *Experiment) TargetOf(s *spec.Spec) string {
	key := s.Model
	for _, q := range x.Names().ModelParams(s.Model) {
		if q.Target {
			key += "&" + q.Name + "=" + s.Set[q.Name]
		}
	}
	return key
}

// Plottable tells whether the functions of a classifier can be drawn: of one feature, of two, or of pictures. Without
// that the scene has only the strips of forming.
func (x *Experiment) Plottable() bool {
	f, ok := x.Own.File.(gpc.Params)
	return !ok || !x.OwnChosen() || f.X != nil && f.D <= 2 || f.W > 0
}

// Drawable tells whether pixels of the model can be fixed.
func (x *Experiment) Drawable() bool {
	return x.Spec != nil && slices.ContainsFunc(x.Names().ModelParams(x.Spec.Model), func(p spec.Param) bool {
		return p.Name == "clamp" && !p.KindUnknown
	})
}

// Drawing lists the pixels that are fixed.
func (x *Experiment) Drawing() string {
	if x.Spec == nil {
		return ""
	}
	return x.Spec.Set["clamp"]
}

// Flips are the couplings of a graph whose sign is flipped.
func (x *Experiment) Flips() string {
	if x.Spec == nil {
		return ""
	}
	return x.Spec.Set["flips"]
}

// DefaultLink is what a page without a hash runs: one method, digits that condense from noise, and a result to trust.
const DefaultLink = "v=1&model=rbm-pcd-20&method=ais&ais.temperatures=1500"

// DefaultMethod is run where a link names no valid method; it suits every model.
const DefaultMethod = "ais"

// ParamOf finds the parameter of a method by its key, method.name.
func ParamOf(key string) (spec.Param, bool) {
	method, name, _ := strings.Cut(key, ".")
	params, _ := catalog.Names{}.MethodParams(method)
	i := slices.IndexFunc(params, func(q spec.Param) bool { return q.Name == name })
	if i < 0 {
		return spec.Param{}, false
	}
	return params[i], true
}

// Previous is the last result of an experiment that has been edited since. It stays on the page, marked as what was
// before, until the edited experiment has a number, and beside that as a comparison. It is no result of the experiment
// on show: files, the summary for screen readers and the page that embeds this one never have it.
type Previous struct {
	Spec    *spec.Spec
	Target  string // whose log Z it is
	Name    string // name of the target's model
	Program string // the packed program of a model that is one, or the program's id
	Reports []*report.Report
}

// RivalOf is the result before the model was changed, if it is of the data of r.
func (p *Previous) RivalOf(r *report.Report, target string) Rival {
	i := slices.IndexFunc(p.Reports, func(old *report.Report) bool {
		return old.DataID == r.DataID && (old.Method == r.Method || len(p.Reports) == 1)
	})
	if i < 0 || r.DataID == "" || p.Target == target {
		return Rival{}
	}
	return Rival{p.Reports[i], p.Name, p.Program}
}

// PreviousResults are the results before the last edit, none where they are of another log Z, or where the same is run
// again.
func (s *Snapshot) PreviousResults() []*report.Report {
	p := s.Previous
	if s.Spec == nil || p.Reports == nil || p.Target != s.TargetOf(s.Spec) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Reports), func(old *report.Report) bool {
		again := func(r *report.Report) bool { return r.Link == old.Link }
		return slices.ContainsFunc(s.Reports, again) // a method that was not edited has the same digits again
	})
}
