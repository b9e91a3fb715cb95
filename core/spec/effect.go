package spec

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
)

// Need is a condition under which a parameter has an effect: another parameter, Param, of the same method or model has
// one of Values or, if Except is set, none of them. A parameter of a model may need a parameter that only methods have;
// then at least one of the methods must meet the condition.
type Need struct {
	Param  string
	Values []string
	Except bool
}

// When returns p with an additional need: param has one of the values. When and Unless are not inlined, because they
// initialise package variables: see RATIONALE.md.
//
//go:noinline
func (p Param) When(param string, values ...string) Param {
	p.Needs = append(slices.Clip(p.Needs), Need{param, values, false})
	return p
}

// Unless returns p with an additional need: param does not have the value.
//
//go:noinline
func (p Param) Unless(param, value string) Param {
	p.Needs = append(slices.Clip(p.Needs), Need{param, []string{value}, true})
	return p
}

// Use is a set of features of methods and models that parameters depend on.
type Use uint8

// Features of methods and models. The word before the colon says which of the two has the feature.
const (
	Bridges Use = 1 << iota // method: computes weights of the target, or of densities on the path, against the base
	Moves                   // method: moves particles by Markov chains at given inverse temperatures
	Forms                   // method: builds particles coordinate by coordinate
	Fills                   // model: absent coordinates may influence the others
	Fits                    // model: continuous with one mode, so that a base can be fitted
)

// noEffect returns an error if the parameter with the given key has no effect, otherwise nil. For parameters of user
// files whose kind is not known yet it returns nil.
func (s *Spec) noEffect(cat Catalog, key string) error {
	method, name, isMethodParam := strings.Cut(key, ".")
	var params []Param

	// The parameter of a method or of the model.
	var use Use
	if isMethodParam {
		params, _ = cat.MethodParams(method)
		use = cat.ModelUse(s.Model)
	} else {
		name, method = key, ""
		params = cat.ModelParams(s.Model)
		for _, m := range s.Methods {
			use |= cat.MethodUse(m)
		}
	}

	// The model or one of the methods must have a feature for which the parameter is used.
	p, ok := find(params, name)
	if !ok || p.KindUnknown {
		return nil
	}
	switch unused := p.For != 0 && p.For&use == 0; {
	case unused && isMethodParam:
		return problem.New("%s has no effect on this model; leave it out", key)
	case unused && len(s.Methods) == 0:
		return problem.New("%s has no effect on the exact value; leave it out", key)
	case unused:
		return problem.New("%s has no effect on %s; leave it out", key, strings.Join(s.Methods, ", "))
	}

	// Its needs must be met.
	for _, n := range p.Needs {
		methods := []string{method}
		if _, ok := find(params, n.Param); !ok && !isMethodParam {
			methods = s.Methods
		}
		if err := s.unmetNeed(cat, key, n, methods); err != nil {
			return err
		}
	}
	return nil
}

// unmetNeed returns an error if none of the given methods meets need n of the parameter key; the method "" stands for
// the model. It returns nil if one of them meets it, or if none has the parameter n.Param.
func (s *Spec) unmetNeed(cat Catalog, key string, n Need, methods []string) (err error) {
	for _, m := range methods {
		params := cat.ModelParams(s.Model)
		if m != "" {
			params, _ = cat.MethodParams(m)
		}
		x, has := s.Values(params, m)[n.Param]
		if met := slices.Contains(n.Values, x) != n.Except; has && met {
			return nil
		} else if other := paramKey(m, n.Param); has && s.Set[other] == "" {
			err = problem.New("%s has no effect with %s = %s, which is its default; leave %s out, or set %s to another value",
				key, other, x, key, other)
		} else if has {
			err = problem.New("%s has no effect with %s = %s; leave it out", key, other, x)
		}
	}
	return err
}

// paramKey returns the key of a parameter of a method, or of the model if method is "".
func paramKey(method, name string) string {
	if method == "" {
		return name
	}
	return method + "." + name
}

// ineffective returns the keys of the parameters that are set but have no effect, in alphabetical order.
func (s *Spec) ineffective(cat Catalog) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		if s.noEffect(cat, key) != nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// Check returns an error if a parameter that is set has no effect with the model, the methods and the other parameters.
func (s *Spec) Check(cat Catalog) error {
	if err := s.checkTarget(cat); err != nil {
		return err
	}
	if keys := s.ineffective(cat); keys != nil {
		return s.noEffect(cat, keys[0])
	}
	return nil
}

// checkTarget returns an error if the experiment has replicates together with a target, or a limit without a target.
func (s *Spec) checkTarget(cat Catalog) error {
	switch {
	case s.Target > 0 && s.Replicates > 1:
		return problem.New("replicates has no effect with target, which makes as many runs as it needs; leave one out")
	case s.Limit > 0 && !s.hasTarget(cat):
		return problem.New("limit has no effect without target; leave it out, or add target, the wanted error bar")
	}
	return nil
}

// hasTarget reports whether a method runs until it reaches a standard error: the target of the experiment or, if there
// are no replicates, the method's default target.
func (s *Spec) hasTarget(cat Catalog) bool {
	return s.Target > 0 || s.Replicates == 1 && slices.ContainsFunc(s.Methods, func(m string) bool {
		return cat.MethodTarget(m) > 0
	})
}

// dropTarget sets s.Target to 0 if it equals the default target of every method.
func (s *Spec) dropTarget(cat Catalog) {
	if !slices.ContainsFunc(s.Methods, func(m string) bool { return cat.MethodTarget(m) != s.Target }) {
		s.Target = 0
	}
}

// Prune removes the parameters and the limit that Check rejects.
func (s *Spec) Prune(cat Catalog) {
	s.dropTarget(cat)
	if !s.hasTarget(cat) {
		s.Limit = 0
	}
	for keys := s.ineffective(cat); keys != nil; keys = s.ineffective(cat) {
		for _, key := range keys {
			delete(s.Set, key)
		}
	}
}

// HasEffect reports whether a parameter of a method (of the model if method is "") would have an effect.
func (s *Spec) HasEffect(cat Catalog, method, name string) bool {
	return s.noEffect(cat, paramKey(method, name)) == nil
}
