package report

import (
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
)

// ListedModel is a model in `list -json`.
type ListedModel struct {
	Name   string       `json:"name"`
	Kind   string       `json:"kind"`
	Truth  string       `json:"truth"`
	About  string       `json:"about"`
	Params []spec.Param `json:"params"`
}

// ListedMethod is a method in `list -json`.
type ListedMethod struct {
	Name   string       `json:"name"`
	About  string       `json:"about"`
	Params []spec.Param `json:"params"`
}

// Listing lists all models and methods.
type Listing struct {
	Models  []ListedModel  `json:"models"`
	Methods []ListedMethod `json:"methods"`
}

// List lists the given models and methods; the zero value of names means the built-in ones.
func List(names catalog.Names) Listing {
	var l Listing
	names = names.All()
	for _, e := range names.Kinds.Builtin() {
		truth := e.Truth
		if truth == "" {
			truth = "none"
		}
		l.Models = append(l.Models, ListedModel{e.Name, e.Kind.Name, truth, e.About, e.Kind.Params})
	}
	for _, m := range names.Methods {
		l.Methods = append(l.Methods, ListedMethod{m.Name, m.About, append([]spec.Param{}, m.Params...)}) // never null
	}
	return l
}
