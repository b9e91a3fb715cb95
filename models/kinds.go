package models

import (
	"slices"

	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// Kinds is a list of kinds of models in the order in which the page shows them. The list of this program is in package
// estimators/catalog; other programs may add kinds of their own.
type Kinds []*Kind

// Of returns the kind with a name, or an empty kind with that name if there is none.
func (ks Kinds) Of(name string) *Kind {
	for _, k := range ks {
		if k.Name == name {
			return k
		}
	}
	return &Kind{Name: name}
}

// Params returns the parameters of a kind. For kind "", a user's file of unknown kind, it returns those of all kinds,
// marked KindUnknown: a parameter of several kinds is listed once, with the default of the first kind and the choices
// of all.
func (ks Kinds) Params(kind string) []spec.Param {
	if kind != "" {
		return ks.Of(kind).Params
	}
	var out []spec.Param
	for _, k := range ks {
		for _, p := range k.OwnParams() {
			i := slices.IndexFunc(out, func(q spec.Param) bool { return q.Name == p.Name })
			if i < 0 {
				p.Choices, p.KindUnknown = slices.Clone(p.Choices), true
				out = append(out, p)
				continue
			}
			for _, c := range p.Choices {
				if q := &out[i]; !slices.Contains(q.Choices, c) {
					q.Choices = append(q.Choices, c)
				}
			}
		}
	}
	return out
}

// ReadFile parses a model file of any of the kinds, in any supported format. Errors say what is wrong and where in the
// file. The meter, which may be nil, counts memory and time and stops ReadFile if they exceed their limits.
func (ks Kinds) ReadFile(b []byte, m *meter.Meter) (File, error) {
	var readers []modelfile.Reader[File]
	for _, k := range ks {
		r := k.Reader
		r.Kind = k.Name
		readers = append(readers, r)
	}
	return modelfile.Read(b, readers, m)
}

// Builtin returns the built-in models in the order in which the page lists them.
func (ks Kinds) Builtin() []Entry {
	var out []Entry
	for _, k := range ks {
		for _, e := range k.Entries {
			e.Kind = k
			out = append(out, e)
		}
	}
	return out
}

// Find returns the built-in model with a name; ok is false if there is none.
func (ks Kinds) Find(name string) (entry Entry, ok bool) {
	for _, k := range ks { // Builtin would copy all entries, and the page calls Find often
		for _, e := range k.Entries {
			if e.Name == name {
				e.Kind = k
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Files returns the names of the bundled files of a built-in model.
func (ks Kinds) Files(name string) []string {
	e, _ := ks.Find(name)
	return e.Files
}

// Open makes the built-in model with the given name, or returns an error if there is none. load fetches a bundled file
// by its name. The meter may be nil.
func (ks Kinds) Open(name string, v spec.Values, load func(file string) ([]byte, error), m *meter.Meter) (Model,
	error) {
	e, ok := ks.Find(name)
	if !ok {
		return nil, problem.New("model %q is not known", name)
	}
	f, err := e.Make(load, m)
	if err != nil {
		return nil, err
	}
	return f.Open(e.Name, e.About, v, m)
}
