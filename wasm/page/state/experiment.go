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

// Experiment is the spec of what runs, and the user's own model file. It must not depend on runs, lanes or views.
type Experiment struct {
	Spec *spec.Spec // replaced by edits, never modified
	Own  OwnModel
}

// OwnModel is a model file of the user.
type OwnModel struct {
	Name, ID string // ID is file:<12 hex digits>
	Data     []byte
	File     models.File
	Summary  error // description of the file as a translatable phrase, or nil
	Event    int   // number of the event that delivered it
	Rows     OwnRows
}

// OwnRows are the user's data rows for an own model.
type OwnRows struct {
	Name, ID string // ID is the value of the parameter data
	Data     []byte
	Event    int
}

// UsesOwnFile reports whether the selected model is the user's file, and the file is loaded.
func (x *Experiment) UsesOwnFile() bool {
	return x.Spec != nil && x.Own.File != nil && x.Spec.Model == x.Own.ID
}

// ModelName returns the name of the model for people.
func (x *Experiment) ModelName() string {
	if x.UsesOwnFile() {
		return strings.TrimSuffix(x.Own.Name, workerapi.TapeExtension)
	}
	return x.Spec.Model
}

// NeedsOwnFile reports whether the selected model is a file that is not loaded.
func (x *Experiment) NeedsOwnFile() bool {
	return spec.IsFile(x.Spec.Model) && x.Spec.Model != x.Own.ID
}

// NeedsDataRows reports whether the own model needs data rows that are not loaded.
func (x *Experiment) NeedsDataRows() bool {
	return x.UsesOwnFile() && x.Spec.Set["data"] != "" && x.Spec.Set["data"] != x.Own.Rows.ID
}

// Names returns the catalog of names, with the loaded own file.
func (x *Experiment) Names() catalog.Names {
	if x.Own.File == nil {
		return catalog.Names{}
	}
	return catalog.Names{File: x.Own.ID, Kind: x.Own.File.Kind()}
}

// Draft returns a copy of the spec for editing.
func (x *Experiment) Draft() *spec.Spec {
	if x.Spec == nil {
		s, _ := spec.ParseLink(DefaultLink, catalog.Names{})
		return s
	}
	return x.Spec.Only(x.Names(), slices.Clone(x.Spec.Methods)...)
}

// ModelParams returns the parameters of the selected model; for a file those of its kind.
func (x *Experiment) ModelParams() []spec.Param {
	if x.NeedsOwnFile() {
		return nil
	}
	return x.Names().ModelParams(x.Spec.Model)
}

// unknownTraits are the traits of a kind that is not known yet.
var unknownTraits = models.Traits{HasSequence: true}

// Traits returns the traits of the selected model's kind.
func (x *Experiment) Traits() models.Traits {
	if x.UsesOwnFile() {
		return x.Own.File.Kind().Traits
	}
	if x.Spec != nil {
		if e, ok := catalog.Kinds.Find(x.Spec.Model); ok {
			return e.Kind.Traits
		}
	}
	return unknownTraits
}

// IsSequential reports whether a method forms its particles coordinate by coordinate.
func IsSequential(method string) bool { return catalog.Path(method) == estimators.Sequential }

// Suits reports whether a method can run on the selected model, judged by its kind.
func (x *Experiment) Suits(method string) bool {
	m, _ := catalog.Method(method)
	t := x.Traits()
	return t == unknownTraits || catalog.Suits(m, t)
}

// UsesTemperatures reports whether some method goes through temperatures.
func (x *Experiment) UsesTemperatures() bool {
	return x.Spec == nil || slices.ContainsFunc(x.Spec.Methods, func(m string) bool { return !IsSequential(m) })
}

// AllSequential reports whether all methods form their particles unit by unit.
func (x *Experiment) AllSequential() bool { return !x.UsesTemperatures() }

// Rivals returns the built-in models that have the same data as the selected one.
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

// TargetOf returns everything log Z depends on: the model and the parameters that change its target. A better start, a
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

// Plottable reports whether the functions of a classifier can be drawn: functions of one or two inputs, or of pictures.
// Otherwise the scene has only the curves of the formation.
func (x *Experiment) Plottable() bool {
	f, ok := x.Own.File.(gpc.Params)
	return !ok || !x.UsesOwnFile() || f.X != nil && f.D <= 2 || f.W > 0
}

// Drawable reports whether pixels of the model can be fixed.
func (x *Experiment) Drawable() bool {
	return x.Spec != nil && slices.ContainsFunc(x.Names().ModelParams(x.Spec.Model), func(p spec.Param) bool {
		return p.Name == "clamp" && !p.KindUnknown
	})
}

// Drawing returns the fixed pixels in the notation of the parameter clamp.
func (x *Experiment) Drawing() string {
	if x.Spec == nil {
		return ""
	}
	return x.Spec.Set["clamp"]
}

// Flips returns the couplings of a graph whose sign is flipped.
func (x *Experiment) Flips() string {
	if x.Spec == nil {
		return ""
	}
	return x.Spec.Set["flips"]
}

// Hills returns the hills that replace the components of a mixture in the plane.
func (x *Experiment) Hills() string {
	if x.Spec == nil {
		return ""
	}
	return x.Spec.Set["hills"]
}

// DefaultLink is the experiment of a page without a link: one method, digits that form from noise, and a trustworthy
// result.
const DefaultLink = "v=1&model=rbm-pcd-20&method=ais&ais.temperatures=1500"

// DefaultMethod is used for a link without a valid method; it suits every model.
const DefaultMethod = "ais"

// ParamOf finds a parameter of a method by its key, method.name.
func ParamOf(key string) (spec.Param, bool) {
	method, name, _ := strings.Cut(key, ".")
	params, _ := catalog.Names{}.MethodParams(method)
	i := slices.IndexFunc(params, func(q spec.Param) bool { return q.Name == name })
	if i < 0 {
		return spec.Param{}, false
	}
	return params[i], true
}

// Previous is the last result of an experiment that has been edited since. The page shows it, marked as previous, until
// the edited experiment has a result, and then for comparison. It is not a result of the current experiment: files, the
// summary for screen readers and an embedding page never contain it.
type Previous struct {
	Spec    *spec.Spec
	Target  string // the target distribution of the result
	Name    string // name of the model
	Program string // for a Stan program: its packed source, or its id
	Reports []*report.Report
}

// RivalOf returns the result from before the model was changed, if it is for the same data as r.
func (p *Previous) RivalOf(r *report.Report, target string) Rival {
	i := slices.IndexFunc(p.Reports, func(previous *report.Report) bool {
		return previous.DataID == r.DataID && (previous.Method == r.Method || len(p.Reports) == 1)
	})
	if i < 0 || r.DataID == "" || p.Target == target {
		return Rival{}
	}
	return Rival{p.Reports[i], p.Name, p.Program}
}

// PreviousResults returns the results from before the last edit, except results for another target and results that are
// being computed again.
func (s *Snapshot) PreviousResults() []*report.Report {
	p := s.Previous
	if s.Spec == nil || p.Reports == nil || p.Target != s.TargetOf(s.Spec) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Reports), func(old *report.Report) bool {
		isSameRun := func(r *report.Report) bool { return r.Link == old.Link }
		return slices.ContainsFunc(s.Reports, isSameRun) // a method that was not edited will have the same result again
	})
}
