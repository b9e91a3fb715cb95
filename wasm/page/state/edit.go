package state

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/render/html"
)

// Edited returns the spec after an event that changes the model, a method, the seed, the number of replicates or a
// parameter. Parameters that have no effect any more are removed.
func (x *Experiment) Edited(e Event, w *words.Language) (s *spec.Spec, err error) {
	names := x.Names()
	s = x.Draft()

	// Events are named after what they change.
	switch e.Name {
	case "model":
		if e.Value != s.Model && !names.HasModel(e.Value) && e.Value != x.Own.ID {
			return nil, problem.New("model %q is not known", e.Value)
		}
		SetModel(s, e.Value)
	case "method":
		err = ToggleMethod(s, e.Value, e.On, w)
	case "param":
		key, kind, hasArgument := strings.Cut(e.Key, "=")
		value := x.canonical(key, e.Value, w)
		if hasArgument { // the parameter of a schedule
			value = kind + ":" + CanonicalDecimal(value, w)
		}
		err = SetParam(s, names, key, value)
	case "target":
		if err = s.PutKey(names, "target", CanonicalDecimal(e.Value, w)); s.Target > 0 {
			s.Replicates = 1
		} else {
			s.Limit = 0
		}
	default:
		if err = s.PutKey(names, e.Name, RemoveGrouping(e.Value, w)); s.Replicates > 1 {
			s.Target, s.Limit = 0, 0
		}
	}

	// Remove parameters without effect.
	if err == nil {
		s.Prune(names)
	}
	return s, err
}

// canonical returns a typed value as links write it: without thousands separators, and with a decimal point.
func (x *Experiment) canonical(key, value string, w *words.Language) string {
	q, ok := ParamOf(key)
	if !ok && x.Spec != nil {
		for _, param := range x.ModelParams() {
			if param.Name == key {
				q = param
			}
		}
	}
	return CanonicalValue(q, value, w)
}

// CanonicalValue returns the value of a parameter as links write it.
func CanonicalValue(q spec.Param, value string, w *words.Language) string {
	switch {
	case q.Type == "int":
		return RemoveGrouping(value, w)
	case q.Type == "float":
		return CanonicalDecimal(value, w)
	}
	return value
}

// CanonicalDecimal returns a number as links write it.
func CanonicalDecimal(value string, w *words.Language) string {
	if w.Comma() {
		return strings.Replace(value, ",", ".", 1)
	}
	return value
}

// SetParam sets a parameter. If the method is the first of several that use the same run, a parameter of the run is set
// for all of them; a value for a later one of these methods gives that method a run of its own.
func SetParam(s *spec.Spec, names catalog.Names, key, value string) error {
	method, name, _ := strings.Cut(key, ".")
	sharers := engine.SameRun(s, catalog.Names{}, method)
	if err := s.PutKey(names, key, value); err != nil || len(sharers) == 0 || sharers[0] != method {
		return err
	}
	for _, m := range sharers[1:] {
		if IsRunParam(m, name) {
			if err := s.PutKey(names, m+"."+name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// IsRunParam reports whether a parameter of a method belongs to its run, which other methods may share.
func IsRunParam(method, param string) bool {
	info, _ := catalog.Method(method)
	hasName := func(q spec.Param) bool { return q.Name == param }
	run := info.Run()
	return slices.ContainsFunc(info.Params, hasName) &&
		(slices.ContainsFunc(run.Params, hasName) || slices.ContainsFunc(run.OptionalParams, hasName))
}

// shareRun copies the run parameters of a selected method that reads the same kind of run, so that both share the run.
func shareRun(s *spec.Spec, method string) {
	info, _ := catalog.Method(method)
	for _, m := range s.Methods {
		other, _ := catalog.Method(m)
		if m == method || other.Run().Name != info.Run().Name {
			continue
		}
		for _, q := range info.Params {
			if x, ok := s.Set[m+"."+q.Name]; ok && IsRunParam(method, q.Name) {
				s.Set[method+"."+q.Name] = x
			}
		}
		return
	}
}

// SetModel sets the model and removes the parameters of the previous model.
func SetModel(s *spec.Spec, model string) {
	s.Model = model
	for key := range s.Set {
		if !strings.Contains(key, ".") {
			delete(s.Set, key)
		}
	}
}

// MaxMethods is the largest number of methods that the page compares.
const MaxMethods = html.Marks

// ToggleMethod adds or removes a method.
func ToggleMethod(s *spec.Spec, method string, on bool, w *words.Language) error {
	order := catalog.Names{}.MethodNames()
	index := slices.Index(s.Methods, method)
	switch {
	case !slices.Contains(order, method):
		return problem.New("method %q is not known", method)
	case on == (index >= 0):
	case on && len(s.Methods) >= MaxMethods:
		return errors.New(w.T("many.methods", MaxMethods))
	case on:
		shareRun(s, method)
		s.Methods = append(s.Methods, method)
		SortBy(s.Methods, order)
	case len(s.Methods) == 1:
		return errors.New(w.T("one.method"))
	default:
		*s = *s.Only(catalog.Names{}, slices.Delete(s.Methods, index, index+1)...)
	}
	return nil
}

// SortBy sorts words by their order in a list that contains all of them.
func SortBy(words, order []string) {
	given := slices.Clone(words)
	words = words[:0]
	for _, x := range order {
		if slices.Contains(given, x) {
			words = append(words, x)
		}
	}
}

// RemoveGrouping removes thousands separators from a whole number, in the notation of the language or with spaces.
// Other text is returned unchanged.
func RemoveGrouping(s string, w *words.Language) string {
	signs := []string{",", words.NarrowSpace, " ", "\u00a0"}
	if w.Comma() {
		signs = append(signs[1:], ".")
	}
	for _, sign := range signs {
		bare := strings.ReplaceAll(s, sign, "")
		if x, err := strconv.ParseFloat(bare, 64); err == nil && strings.ReplaceAll(format.Thousands(x), ",", sign) == s {
			return bare
		}
	}
	return s
}
