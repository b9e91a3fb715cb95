package spec

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
)

// Need is a condition under which a parameter has an effect: the parameter Param of the same method or model has one of
// Values or, with Except, none of them. A parameter of a model may depend on one that only methods have: then at least
// one of the methods must meet the condition.
type Need struct {
	Param  string
	Values []string
	Except bool
}

// When returns p with a need: param has one of the values. Like Unless it is not inlined, as it fills package variables:
// see RATIONALE.md.
//
//go:noinline
func (p Param) When(param string, values ...string) Param {
	p.Needs = append(slices.Clip(p.Needs), Need{param, values, false})
	return p
}

// Unless returns p with a need: param does not have the value.
//
//go:noinline
func (p Param) Unless(param, value string) Param {
	p.Needs = append(slices.Clip(p.Needs), Need{param, []string{value}, true})
	return p
}

// Use is a set of things that methods do with models, or models offer to methods, and that parameters depend on.
type Use uint8

// Uses.
const (
	Bridges Use = 1 << iota // a method weighs the target against the base, or densities between them
	Moves                   // a method moves particles at temperatures
	Forms                   // a method forms particles coordinate by coordinate
	Fills                   // a model lets absent coordinates act on others
	Fits                    // a model of points has one mode, to which a base can be fitted
)

// idle says why a parameter that is set has no effect, nil if it has one. What is not known of an own file is not
// judged.
func (s *Spec) idle(cat Catalog, key string) error {
	method, name, has := strings.Cut(key, ".")
	var params []Param

	// A parameter of a method, or of the model.
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

	// Whether anything uses the parameter.
	p, ok := find(params, name)
	if !ok || p.OfUnknownKind {
		return nil
	}
	switch unused := p.For != 0 && p.For&use == 0; {
	case unused && has:
		return problem.New("%s has no effect on this model; leave it out", key)
	case unused && len(s.Methods) == 0:
		return problem.New("%s has no effect on the exact value; leave it out", key)
	case unused:
		return problem.New("%s has no effect on %s; leave it out", key, strings.Join(s.Methods, ", "))
	}

	// What the parameter needs.
	for _, n := range p.Needs {
		methods := []string{method}
		if _, ok := find(params, n.Param); !ok && !has {
			methods = s.Methods
		}
		if err := s.unmet(cat, key, n, methods); err != nil {
			return err
		}
	}
	return nil
}

// unmet says why a need of a parameter is not met by any of the methods (or, for method "", by the model), nil if one
// meets it or none has what it is about.
func (s *Spec) unmet(cat Catalog, key string, n Need, methods []string) (err error) {
	for _, m := range methods {
		params := cat.ModelParams(s.Model)
		if m != "" {
			params, _ = cat.MethodParams(m)
		}
		x, has := s.Values(params, m)[n.Param]
		if met := slices.Contains(n.Values, x) != n.Except; has && met {
			return nil
		} else if other := keyOf(m, n.Param); has && s.Set[other] == "" {
			err = problem.New("%s has no effect with %s = %s, which is its default; leave %s out, or set %s to another value",
				key, other, x, key, other)
		} else if has {
			err = problem.New("%s has no effect with %s = %s; leave it out", key, other, x)
		}
	}
	return err
}

// keyOf is the key of a parameter of a method, or for method "" of the model.
func keyOf(method, name string) string {
	if method == "" {
		return name
	}
	return method + "." + name
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
	if err := s.reach(cat); err != nil {
		return err
	}
	if keys := s.idles(cat); keys != nil {
		return s.idle(cat, keys[0])
	}
	return nil
}

// reach refuses a limit without a target, and replicates with one.
func (s *Spec) reach(cat Catalog) error {
	switch {
	case s.Target > 0 && s.Replicates > 1:
		return problem.New("replicates has no effect with target, which makes as many runs as it needs; leave one out")
	case s.Limit > 0 && !s.aims(cat):
		return problem.New("limit has no effect without target; leave it out, or add target, the wanted error bar")
	}
	return nil
}

// aims reports whether a method works for a wanted error: for target, or for its own where it is run once.
func (s *Spec) aims(cat Catalog) bool {
	return s.Target > 0 || s.Replicates == 1 && slices.ContainsFunc(s.Methods, func(m string) bool {
		return cat.MethodTarget(m) > 0
	})
}

// dropTarget drops a target that is the own one of every method.
func (s *Spec) dropTarget(cat Catalog) {
	if !slices.ContainsFunc(s.Methods, func(m string) bool { return cat.MethodTarget(m) != s.Target }) {
		s.Target = 0
	}
}

// Prune drops the parameters that Check refuses.
func (s *Spec) Prune(cat Catalog) {
	s.dropTarget(cat)
	if !s.aims(cat) {
		s.Limit = 0
	}
	for keys := s.idles(cat); keys != nil; keys = s.idles(cat) {
		for _, key := range keys {
			delete(s.Set, key)
		}
	}
}

// Acts reports whether a parameter of a method (or, for method "", of the model) would have an effect.
func (s *Spec) Acts(cat Catalog, method, name string) bool {
	return s.idle(cat, keyOf(method, name)) == nil
}
