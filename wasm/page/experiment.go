package page

import (
	"errors"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/modelfile"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/auto"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/models/rbm"
	"logzlab/wasm/words"
)

// experiment is what is to be run: the spec, an own model file, the bundled files that have come, and the model made
// of them. It must not know of runs, lanes or views.
type experiment struct {
	spec *spec.Spec
	own  ownModel
	came map[string][]byte // bundled files by name

	made   models.Model // the last one, kept as long as its key
	madeOf string
	caches map[string]map[string][][]byte // of rounds that depend on a model alone, by its key
}

// ownModel is a model file of the user.
type ownModel struct {
	name, id string // id is file:<12 hex>
	data     []byte
	file     models.File
	summary  error // what was read, as a phrase to be translated, or nil
	event    int   // the number of the event that brought it
	rows     ownRows
}

// ownRows are data rows that the user gave beside an own model, whose file has them.
type ownRows struct {
	name, id string // id is the value of the parameter data
	data     []byte
	event    int
}

func newExperiment() experiment {
	return experiment{came: map[string][]byte{}, caches: map[string]map[string][][]byte{}}
}

// ownChosen reports whether the model is the own file that is here.
func (x *experiment) ownChosen() bool {
	return x.spec != nil && x.own.file != nil && x.spec.Model == x.own.id
}

// modelName is what people call the model.
func (x *experiment) modelName() string {
	if x.ownChosen() {
		return x.own.name
	}
	return x.spec.Model
}

// lacksOwn reports whether the model is an own file that is not here.
func (x *experiment) lacksOwn() bool { return spec.IsFile(x.spec.Model) && x.spec.Model != x.own.id }

// lacksRows reports whether the own model asks for data rows that are not here.
func (x *experiment) lacksRows() bool {
	return x.ownChosen() && x.spec.Set["data"] != "" && x.spec.Set["data"] != x.own.rows.id
}

// missing lists the bundled files that have not come.
func (x *experiment) missing() []string {
	return slices.DeleteFunc(slices.Clone(catalog.Kinds.Files(x.spec.Model)),
		func(f string) bool { return x.came[f] != nil })
}

// modelFiles are the files that a lane needs to make the model.
func (x *experiment) modelFiles() (all []modelFile) {
	for _, f := range catalog.Kinds.Files(x.spec.Model) {
		all = append(all, modelFile{f, f, x.came[f]})
	}
	if spec.IsFile(x.spec.Model) {
		all = append(all, modelFile{engine.OwnFile, x.own.id, x.own.data})
		if x.spec.Set["data"] != "" {
			all = append(all, modelFile{engine.OwnRows, x.own.rows.id, x.own.rows.data})
		}
	}
	return all
}

// model makes the model, unless the last one was the same. The meter watches memory and time.
func (x *experiment) model(watch *meter.Meter) (models.Model, error) {
	key := engine.ModelKey(x.spec)
	if x.made != nil && x.madeOf == key {
		return x.made, nil
	}
	src := engine.Source{Load: func(f string) ([]byte, error) {
		if data := x.came[f]; data != nil {
			return data, nil
		}
		return nil, errors.New(f + " is not loaded")
	}}
	if spec.IsFile(x.spec.Model) {
		src.File, src.Name = x.own.file, x.own.name
	}
	m, err := src.Open(x.spec, watch)
	if err == nil {
		x.made, x.madeOf = m, key
	}
	return m, err
}

// names knows the own file that is here.
func (x *experiment) names() catalog.Names {
	if x.own.file == nil {
		return catalog.Names{}
	}
	return catalog.Names{File: x.own.id, Kind: x.own.file.Kind()}
}

// cache keeps rounds of the model from run to run.
func (x *experiment) cache() map[string][][]byte {
	key := engine.ModelKey(x.spec)
	if x.caches[key] == nil {
		x.caches[key] = map[string][][]byte{}
	}
	return x.caches[key]
}

// about is the experiment about an own file.
func (x experiment) about(own ownModel) experiment {
	x.own, x.made = own, nil
	if x.spec == nil || x.spec.Model != own.id {
		chosen := x.spec != nil && x.spec.Link() != DefaultLink
		x.spec = x.draft()
		if choose(x.spec, own.id); !chosen { // a number to trust before anything is
			x.spec = x.spec.Only(x.names(), auto.AUTO.Name)
		}
		x.spec.Prune(x.names())
	}
	if id := own.rows.id; id != "" && x.spec.Set["data"] != id {
		x.spec = x.draft()
		x.spec.Set["data"] = id
	}
	return x
}

// withRows is the experiment about the own RBM with data rows beside it. An error says why they are none of it.
func (x experiment) withRows(name string, data []byte, event int, watch *meter.Meter) (experiment, error) {
	own := x.own
	f, id, err := rbm.WithRows(own.file, data, watch)
	if err != nil {
		return x, err
	}
	own.file, own.summary = f, f.(models.Summarised).Summary()
	own.rows = ownRows{name, id, data, event}
	return x.about(own), nil
}

// with is the experiment about an own file that has been parsed, its model made: the file may still be invalid.
func (x experiment) with(name string, data []byte, f models.File, event int, watch *meter.Meter) (experiment, error) {
	own := ownModel{name: name, id: modelfile.ID(data), data: data, file: f, event: event}
	if s, ok := f.(models.Summarised); ok {
		own.summary = s.Summary()
	}
	x = x.about(own)
	_, err := x.model(watch)
	if err != nil {
		// A link's settings of the model may be to blame, and not the file: then the run says so.
		s := spec.Spec{}
		_, err = models.FromFile(name, f, s.Values(f.Kind().OwnParams(), ""), watch)
	}
	return x, err
}

// draft is a copy of the spec to edit.
func (x *experiment) draft() *spec.Spec {
	if x.spec == nil {
		s, _ := spec.ParseLink(DefaultLink, catalog.Names{})
		return s
	}
	return x.spec.Only(x.names(), slices.Clone(x.spec.Methods)...)
}

// edited is the spec after an event: another model, method, seed, number of replicates or parameter. Parameters that
// have no effect with it are gone.
func (x *experiment) edited(e Event, w *words.Language) (s *spec.Spec, err error) {
	names := x.names()
	s = x.draft()
	switch e.Name {
	case "model":
		if e.Value != s.Model && !names.HasModel(e.Value) && e.Value != x.own.id {
			return nil, problem.New("model %q is not known", e.Value)
		}
		choose(s, e.Value)
	case "method":
		err = toggle(s, e.Value, e.On, w)
	case "param":
		key, kind, of := strings.Cut(e.Key, "=")
		value := x.typed(key, e.Value, w)
		if of { // the number or the list of a schedule
			value = kind + ":" + decimal(value, w)
		}
		err = put(s, names, key, value)
	case "target":
		if err = s.PutKey(names, "target", decimal(e.Value, w)); s.Target > 0 {
			s.Replicates = 1
		} else {
			s.Limit = 0
		}
	default:
		if err = s.PutKey(names, e.Name, ungroup(e.Value, w)); s.Replicates > 1 {
			s.Target, s.Limit = 0, 0
		}
	}
	if err == nil {
		s.Prune(names)
	}
	return s, err
}

// typed is a value as links write it: whole numbers may be grouped, and in German a fraction may have a comma.
func (x *experiment) typed(key, value string, w *words.Language) string {
	q, ok := paramOf(key)
	if !ok && x.spec != nil {
		for _, of := range x.modelParams() {
			if of.Name == key {
				q = of
			}
		}
	}
	return written(q, value, w)
}

// written is a value of a parameter as links write it.
func written(q spec.Param, value string, w *words.Language) string {
	switch {
	case q.Type == "int":
		return ungroup(value, w)
	case q.Type == "float":
		return decimal(value, w)
	}
	return value
}

// decimal is a number as links write it.
func decimal(value string, w *words.Language) string {
	if w.Comma() {
		return strings.Replace(value, ",", ".", 1)
	}
	return value
}

// put sets a parameter. Set at the first of several methods that read one run, a parameter of the run is set for all of
// them; set at another one, it gives that method a run of its own.
func put(s *spec.Spec, names catalog.Names, key, value string) error {
	method, name, _ := strings.Cut(key, ".")
	company := engine.Company(s, method)
	if err := s.PutKey(names, key, value); err != nil || len(company) == 0 || company[0] != method {
		return err
	}
	for _, m := range company[1:] {
		if ofRun(m, name) {
			if err := s.PutKey(names, m+"."+name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofRun reports whether a parameter of a method belongs to the run that it reads.
func ofRun(method, param string) bool {
	info, _ := catalog.Method(method)
	is := func(q spec.Param) bool { return q.Name == param }
	run := info.Run()
	return slices.ContainsFunc(info.Params, is) &&
		(slices.ContainsFunc(run.Params, is) || slices.ContainsFunc(run.Some, is))
}

// join gives a method the run of a chosen one that reads the same kind of run, so that both share it.
func join(s *spec.Spec, method string) {
	info, _ := catalog.Method(method)
	for _, m := range s.Methods {
		other, _ := catalog.Method(m)
		if m == method || other.Run().Name != info.Run().Name {
			continue
		}
		for _, q := range info.Params {
			if x, ok := s.Set[m+"."+q.Name]; ok && ofRun(method, q.Name) {
				s.Set[method+"."+q.Name] = x
			}
		}
		return
	}
}

// choose changes the model. Another kind of model has other parameters.
func choose(s *spec.Spec, model string) {
	s.Model = model
	for key := range s.Set {
		if !strings.Contains(key, ".") {
			delete(s.Set, key)
		}
	}
}

// maxMethods is how many methods the page compares.
const maxMethods = marks

// toggle adds or removes a method.
func toggle(s *spec.Spec, method string, on bool, w *words.Language) error {
	order := catalog.Names{}.MethodNames()
	at := slices.Index(s.Methods, method)
	switch {
	case !slices.Contains(order, method):
		return problem.New("method %q is not known", method)
	case on == (at >= 0):
	case on && len(s.Methods) >= maxMethods:
		return errors.New(w.T("many.methods", maxMethods))
	case on:
		join(s, method)
		s.Methods = append(s.Methods, method)
		sortBy(s.Methods, order)
	case len(s.Methods) == 1:
		return errors.New(w.T("one.method"))
	default:
		*s = *s.Only(catalog.Names{}, slices.Delete(s.Methods, at, at+1)...)
	}
	return nil
}

// sortBy sorts words in the order of a list that has them all.
func sortBy(words, order []string) {
	slices.SortFunc(words, func(x, y string) int { return slices.Index(order, x) - slices.Index(order, y) })
}

// modelParams are the parameters of the chosen model, of its own kind for a file.
func (x *experiment) modelParams() []spec.Param {
	if x.lacksOwn() {
		return nil
	}
	return x.names().ModelParams(x.spec.Model)
}

// traits are those of the chosen model's kind; of one that is not known yet, anything may be asked.
func (x *experiment) traits() models.Traits {
	if x.ownChosen() {
		return x.own.file.Kind().Traits
	}
	if x.spec != nil {
		if e, ok := catalog.Kinds.Find(x.spec.Model); ok {
			return e.Kind.Traits
		}
	}
	return models.Traits{Stepwise: true}
}

// stepwise tells whether a method forms its particles coordinate by coordinate.
func stepwise(method string) bool { return catalog.Path(method) == estimators.Sequential }

// suits tells whether a method can run on the chosen model, as far as its kind says.
func (x *experiment) suits(method string) bool { return !stepwise(method) || x.traits().Stepwise }

// heated tells whether a method goes through temperatures; one that forms its particles does not.
func (x *experiment) heated() bool {
	return x.spec == nil || slices.ContainsFunc(x.spec.Methods, func(m string) bool { return !stepwise(m) })
}

func (x *experiment) unheated() bool { return !x.heated() }
