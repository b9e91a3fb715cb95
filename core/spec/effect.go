package spec

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
)

// Need is a condition under which a parameter has an effect: another one of the same method or model has, or with
// Except has not, one of some values.
type Need struct {
	Param  string
	Values []string
	Except bool
}

// When returns p with a need: param has one of the values.
func (p Param) When(param string, values ...string) Param {
	p.Needs = append(slices.Clip(p.Needs), Need{param, values, false})
	return p
}

// Unless returns p with a need: param does not have the value.
func (p Param) Unless(param, value string) Param {
	p.Needs = append(slices.Clip(p.Needs), Need{param, []string{value}, true})
	return p
}

// Use is what methods do with a model, and models offer to methods, as far as parameters depend on it.
type Use uint8

// Uses.
const (
	Bridges Use = 1 << iota // a method weighs the target against the base, or densities between them
	Moves                   // a method moves particles at temperatures
	Forms                   // a method forms particles coordinate by coordinate
	Fills                   // a model lets absent coordinates act on others
)

// idle says why a parameter that is set has no effect, nil if it has one. What is not known of an own file is not
// judged.
func (s *Spec) idle(cat Catalog, key string) error {
	method, name, has := strings.Cut(key, ".")
	var params []Param
	var use Use
	if has {
		params, _ = cat.MethodParams(method)
		use = cat.ModelUse(s.Model)
	} else {
		name, method = key, ""
		params = cat.ModelParams(s.Model)
		for _, m := range s.Methods {
			use |= cat.MethodUse(m)
		}
	}
	p, ok := find(params, name)
	if !ok || p.Unsettled {
		return nil
	}
	switch unused := p.For != 0 && p.For&use == 0; {
	case unused && has:
		return problem.New("%s has no effect on this model; leave it out", key)
	case unused:
		return problem.New("%s has no effect on %s; leave it out", key, strings.Join(s.Methods, ", "))
	}
	values := s.Values(params, method)
	for _, n := range p.Needs {
		x, has := values[n.Param]
		if !has || slices.Contains(n.Values, x) != n.Except {
			continue
		}
		return problem.New("%s has no effect with %s = %s; leave it out", key, strings.TrimSuffix(key, name)+n.Param, x)
	}
	return nil
}

// idles lists the parameters that are set and have no effect.
func (s *Spec) idles(cat Catalog) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		if s.idle(cat, key) != nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// Check refuses a parameter that has no effect with the model, the methods and the other parameters.
func (s *Spec) Check(cat Catalog) error {
	if keys := s.idles(cat); keys != nil {
		return s.idle(cat, keys[0])
	}
	return nil
}

// Prune drops the parameters that Check refuses.
func (s *Spec) Prune(cat Catalog) {
	for keys := s.idles(cat); keys != nil; keys = s.idles(cat) {
		for _, key := range keys {
			delete(s.Set, key)
		}
	}
}

// Acts reports whether a parameter of a method (or, for method "", of the model) would have an effect.
func (s *Spec) Acts(cat Catalog, method, name string) bool {
	if method != "" {
		name = method + "." + name
	}
	return s.idle(cat, name) == nil
}
