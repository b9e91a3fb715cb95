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

// Edited is the spec after an event: another model, method, seed, number of replicates or parameter. Parameters that
// have no effect with it are gone.
func (x *Experiment) Edited(e Event, w *words.Language) (s *spec.Spec, err error) {
	names := x.Names()
	s = x.Draft()

	// The edit, by the name of the event.
	switch e.Name {
	case "model":
		if e.Value != s.Model && !names.HasModel(e.Value) && e.Value != x.Own.ID {
			return nil, problem.New("model %q is not known", e.Value)
		}
		Choose(s, e.Value)
	case "method":
		err = Toggle(s, e.Value, e.On, w)
	case "param":
		key, kind, of := strings.Cut(e.Key, "=")
		value := x.typed(key, e.Value, w)
		if of { // the number or the list of a schedule
			value = kind + ":" + Decimal(value, w)
		}
		err = Put(s, names, key, value)
	case "target":
		if err = s.PutKey(names, "target", Decimal(e.Value, w)); s.Target > 0 {
			s.Replicates = 1
		} else {
			s.Limit = 0
		}
	default:
		if err = s.PutKey(names, e.Name, Ungroup(e.Value, w)); s.Replicates > 1 {
			s.Target, s.Limit = 0, 0
		}
	}

	// Parameters without effect are gone.
	if err == nil {
		s.Prune(names)
	}
	return s, err
}

// typed is a value as links write it: whole numbers may be grouped, and in German a fraction may have a comma.
func (x *Experiment) typed(key, value string, w *words.Language) string {
	q, ok := ParamOf(key)
	if !ok && x.Spec != nil {
		for _, of := range x.ModelParams() {
			if of.Name == key {
				q = of
			}
		}
	}
	return Written(q, value, w)
}

// Written is a value of a parameter as links write it.
func Written(q spec.Param, value string, w *words.Language) string {
	switch {
	case q.Type == "int":
		return Ungroup(value, w)
	case q.Type == "float":
		return Decimal(value, w)
	}
	return value
}

// Decimal is a number as links write it.
func Decimal(value string, w *words.Language) string {
	if w.Comma() {
		return strings.Replace(value, ",", ".", 1)
	}
	return value
}

// Put sets a parameter. Set at the first of several methods that read one run, a parameter of the run is set for all of
// them; set at another one, it gives that method a run of its own.
func Put(s *spec.Spec, names catalog.Names, key, value string) error {
	method, name, _ := strings.Cut(key, ".")
	same := engine.SameRun(s, catalog.Names{}, method)
	if err := s.PutKey(names, key, value); err != nil || len(same) == 0 || same[0] != method {
		return err
	}
	for _, m := range same[1:] {
		if OfRun(m, name) {
			if err := s.PutKey(names, m+"."+name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// OfRun reports whether a parameter of a method belongs to the run that it reads.
func OfRun(method, param string) bool {
	info, _ := catalog.Method(method)
	is := func(q spec.Param) bool { return q.Name == param }
	run := info.Run()
	return slices.ContainsFunc(info.Params, is) &&
		(slices.ContainsFunc(run.Params, is) || slices.ContainsFunc(run.OptionalParams, is))
}

// join gives a method the run parameters of a chosen method that reads the same kind of run, so that both share a run.
func join(s *spec.Spec, method string) {
	info, _ := catalog.Method(method)
	for _, m := range s.Methods {
		other, _ := catalog.Method(m)
		if m == method || other.Run().Name != info.Run().Name {
			continue
		}
		for _, q := range info.Params {
			if x, ok := s.Set[m+"."+q.Name]; ok && OfRun(method, q.Name) {
				s.Set[method+"."+q.Name] = x
			}
		}
		return
	}
}

// Choose changes the model. Another kind of model has other parameters.
func Choose(s *spec.Spec, model string) {
	s.Model = model
	for key := range s.Set {
		if !strings.Contains(key, ".") {
			delete(s.Set, key)
		}
	}
}

// MaxMethods is how many methods the page compares.
const MaxMethods = html.Marks

// Toggle adds or removes a method.
func Toggle(s *spec.Spec, method string, on bool, w *words.Language) error {
	order := catalog.Names{}.MethodNames()
	at := slices.Index(s.Methods, method)
	switch {
	case !slices.Contains(order, method):
		return problem.New("method %q is not known", method)
	case on == (at >= 0):
	case on && len(s.Methods) >= MaxMethods:
		return errors.New(w.T("many.methods", MaxMethods))
	case on:
		join(s, method)
		s.Methods = append(s.Methods, method)
		SortBy(s.Methods, order)
	case len(s.Methods) == 1:
		return errors.New(w.T("one.method"))
	default:
		*s = *s.Only(catalog.Names{}, slices.Delete(s.Methods, at, at+1)...)
	}
	return nil
}

// SortBy sorts words in the order of a list that has them all.
func SortBy(words, order []string) {
	had := slices.Clone(words)
	words = words[:0]
	for _, x := range order {
		if slices.Contains(had, x) {
			words = append(words, x)
		}
	}
}

// Ungroup takes the separators out of a whole number written as count writes it, or with spaces, or in German with
// points; any other text stays.
func Ungroup(s string, w *words.Language) string {
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
