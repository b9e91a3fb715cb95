package engine

import (
	"slices"

	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// Source has the files from which Open makes the model of an experiment.
type Source struct {
	// Load fetches a bundled file by name.
	Load func(file string) ([]byte, error)
	// File is the parsed file of a user's own model (file:...), or nil.
	File models.File
	// Name is the name of the user's own model in results; "" means the name in the link (file: and a checksum).
	Name string
	// Names are the kinds of models.
	Names catalog.Names
}

// Open makes the model of an experiment. The meter, which may be nil, limits memory and time.
func (src Source) Open(s *spec.Spec, m *meter.Meter) (models.Model, error) {
	if src.File != nil {
		name := src.Name
		if name == "" {
			name = s.Model
		}

		// A model from a file takes only parameters of its own kind.
		own := src.File.Kind().OwnParams()
		for _, p := range src.Names.ModelParams("") {
			value, set := s.Set[p.Name]
			if !set {
				continue
			}
			i := slices.IndexFunc(own, func(q spec.Param) bool { return q.Name == p.Name })
			if i < 0 {
				return nil, problem.New("%s is not a parameter of a model of kind %s", p.Name, src.File.Kind().Name)
			}
			if _, err := own[i].Canonical(p.Name, value); err != nil { // links accept values of any kind
				return nil, err
			}
		}
		model, err := models.FromFile(name, src.File, s.Values(own, ""), m)
		if err != nil {
			return nil, problem.New("%s: %w", name, err)
		}
		return model, nil
	}

	// A model by name.
	if spec.IsFile(s.Model) {
		return nil, problem.New("model %s is a file of your own: give the file itself", s.Model)
	}
	return src.Names.All().Kinds.Open(s.Model, s.Values(src.Names.ModelParams(s.Model), ""), src.Load, m)
}

// ModelKey returns a cache key that identifies the model of an experiment: its name and parameters.
func ModelKey(s *spec.Spec, names catalog.Names) string {
	key := s.Model
	for _, p := range names.ModelParams(s.Model) {
		key += "&" + p.Name + "=" + s.Set[p.Name]
	}
	return key
}
