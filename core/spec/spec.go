// Package spec turns experiments into links and back. A
// link is canonical: one experiment has one text, and the text is what is
// hashed.
package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/problem"
)

// Version is the version of links and results.
const Version = 1

// Spec is a whole experiment.
type Spec struct {
	Model      string // built-in name or file:<12 hex>
	Methods    []string
	Seed       uint32
	Replicates int
	Set        map[string]string // canonical values that are not defaults, by key
	View       []string          // view settings key=value, never hashed
}

// DefaultSeed is the seed of a link that names none.
const DefaultSeed = 1

// MaxReplicates bounds the number of replicates.
const MaxReplicates = 100000

// Catalog knows the models and methods that exist. Parameters of a method are keyed method.name in
// links, parameters of a model by name.
type Catalog interface {
	// HasModel reports whether a built-in model exists.
	HasModel(name string) bool
	// ModelParams are the parameters of a model; a file's kind is not known from
	// its link, so its parameters are those of all kinds.
	ModelParams(name string) []Param
	// MethodParams are the parameters of a method, ok false if there is none.
	MethodParams(name string) (params []Param, ok bool)
	// Names of what exists, for messages.
	ModelNames() []string
	MethodNames() []string
}

// ParseLink reads a link: a full URL or what follows its '#'. A repeated,
// unknown or malformed key or value is an error that names it.
func ParseLink(link string, cat Catalog) (*Spec, error) {
	if _, frag, ok := strings.Cut(link, "#"); ok {
		link = frag
	}
	link = strings.TrimSpace(link)
	s := &Spec{Seed: DefaultSeed, Replicates: 1, Set: map[string]string{}}
	seen := map[string]bool{}
	type pair struct{ key, value string }
	var params []pair
	for _, part := range strings.Split(link, "&") {
		key, value, ok := strings.Cut(part, "=")
		if !ok && !strings.HasPrefix(key, "view.") || key == "" { // view.projector says enough
			return nil, problem.New("link: %q is not key=value; write for example seed=7", part)
		}
		if value, ok = Unescape(value); !ok {
			return nil, problem.New(
				"link: the value of %s is not valid percent-encoding; after a percent sign come two hex digits", key)
		}
		if seen[key] {
			return nil, problem.New("link: %s is given twice; leave one out", key)
		}
		seen[key] = true
		switch {
		case key == "v":
			if value != strconv.Itoa(Version) {
				return nil, problem.New("link: v=%s is not known here; this lab reads v=%d", value, Version)
			}
		case key == "model":
			s.Model = value
		case key == "method":
			s.Methods = strings.Split(value, ",")
		case strings.HasPrefix(key, "view."):
			s.View = append(s.View, part)
		default:
			params = append(params, pair{key, value})
		}
	}
	if !seen["v"] {
		return nil, problem.New("link: it must begin with v=%d", Version)
	}
	if s.Model == "" {
		return nil, problem.New("link: model is missing; it must be one of %s, or file:<12 hex digits>",
			strings.Join(cat.ModelNames(), ", "))
	}
	if len(s.Methods) == 0 {
		return nil, problem.New("link: method is missing; it must be one or more of %s",
			strings.Join(cat.MethodNames(), ", "))
	}
	if err := s.checkNames(cat); err != nil {
		return nil, err
	}
	for _, p := range params {
		// Put would apply a bare name to every method that has it; in a link that
		// would be a second spelling of the same key.
		if _, own := find(cat.ModelParams(s.Model), p.key); !own {
			if m, bare := s.having(cat, p.key); bare {
				return nil, problem.New("link: %s is not a key; it is written %s.%s", p.key, m, p.key)
			}
		}
		if err := s.PutKey(cat, p.key, p.value); err != nil {
			return nil, problem.New("link: %w", err)
		}
	}
	return s, nil
}

// Unescape resolves percent-encoding, as %2C; false where a % lacks its two digits.
func Unescape(s string) (string, bool) {
	parts := strings.Split(s, "%")
	for i, p := range parts[1:] {
		if len(p) < 2 {
			return "", false
		}
		c, err := strconv.ParseUint(p[:2], 16, 8)
		if err != nil {
			return "", false
		}
		parts[i+1] = string([]byte{byte(c)}) + p[2:]
	}
	return strings.Join(parts, ""), true
}

// New is the experiment with every default.
func New(model string, methods []string, cat Catalog) (*Spec, error) {
	s := &Spec{Model: model, Methods: methods, Seed: DefaultSeed, Replicates: 1, Set: map[string]string{}}
	return s, s.checkNames(cat)
}

// IsFile reports whether name refers to an own file, file:<12 hex>.
func IsFile(name string) bool {
	id, ok := strings.CutPrefix(name, "file:")
	return ok && len(id) == 12 && strings.Trim(id, "0123456789abcdef") == ""
}

func (s *Spec) checkNames(cat Catalog) error {
	if !IsFile(s.Model) && !cat.HasModel(s.Model) {
		return problem.New("model %q is not known; it must be one of %s, or file:<12 hex digits>", s.Model,
			strings.Join(cat.ModelNames(), ", "))
	}
	if len(s.Methods) == 0 {
		return problem.New("no method is chosen; choose one or more of %s", strings.Join(cat.MethodNames(), ", "))
	}
	for i, m := range s.Methods {
		if _, ok := cat.MethodParams(m); !ok {
			return problem.New("method %q is not known; it must be one of %s", m, strings.Join(cat.MethodNames(), ", "))
		}
		if slices.Contains(s.Methods[:i], m) {
			return problem.New("method %s is given twice; leave one out", m)
		}
	}
	return nil
}

// Put sets one key: seed, replicates, a model's parameter, method.parameter for
// a chosen method, or a bare method parameter, which goes to every chosen
// method that has it. The kind of an own file is not known here, so a name that a
// chosen method has too is the method's.
func (s *Spec) Put(cat Catalog, key, value string) error {
	switch key {
	case "seed":
		x, err := strconv.ParseUint(value, 10, 32)
		if err != nil {
			return problem.New("seed = %q must be an integer between 0 and %d", value, uint32(1<<32-1))
		}
		s.Seed = uint32(x)
		return nil
	case "replicates":
		x, err := strconv.Atoi(value)
		if err != nil || x < 1 || x > MaxReplicates {
			return problem.New("replicates = %q must be an integer between 1 and %d", value, MaxReplicates)
		}
		s.Replicates = x
		return nil
	}
	if p, ok := find(cat.ModelParams(s.Model), key); ok {
		if _, both := s.having(cat, key); !both || !IsFile(s.Model) {
			return s.put(p, key, value)
		}
	}
	if method, name, ok := strings.Cut(key, "."); ok {
		if !slices.Contains(s.Methods, method) {
			return problem.New("%s: method %s is not among the chosen ones (%s); add it to method, or leave the key out", key,
				method, strings.Join(s.Methods, ", "))
		}
		params, _ := cat.MethodParams(method)
		if p, ok := find(params, name); ok {
			return s.put(p, key, value)
		}
		return problem.New("%s is not a parameter; %s has %s", key, method, names(params))
	}
	found := false
	var all []string
	for _, m := range s.Methods {
		params, _ := cat.MethodParams(m)
		all = append(all, m+": "+names(params))
		if p, ok := find(params, key); ok {
			found = true
			if err := s.put(p, m+"."+key, value); err != nil {
				return err
			}
		}
	}
	if !found {
		if own := cat.ModelParams(s.Model); IsFile(s.Model) {
			all = append(all, "model: those of its kind") // which is not known here
		} else if len(own) > 0 {
			all = append(all, "model: "+names(own))
		}
		return problem.New("%s is not a parameter of this model and method (%s)", key, strings.Join(all, "; "))
	}
	return nil
}

// having is the first chosen method that has a parameter.
func (s *Spec) having(cat Catalog, name string) (method string, ok bool) {
	for _, m := range s.Methods {
		params, _ := cat.MethodParams(m)
		if _, ok := find(params, name); ok {
			return m, true
		}
	}
	return "", false
}

// PutKey is Put for keys as links have them: a bare name is never a method's.
func (s *Spec) PutKey(cat Catalog, key, value string) error {
	if p, ok := find(cat.ModelParams(s.Model), key); ok {
		return s.put(p, key, value)
	}
	return s.Put(cat, key, value)
}

func (s *Spec) put(p Param, key, value string) error {
	if value == p.Default { // it may be empty, which Canonical would refuse
		delete(s.Set, key)
		return nil
	}
	c, err := p.Canonical(key, value)
	if err != nil {
		return err
	}
	if c == p.Default {
		delete(s.Set, key)
	} else {
		s.Set[key] = c
	}
	return nil
}

func find(params []Param, name string) (Param, bool) {
	for _, p := range params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

func names(params []Param) string {
	var out []string
	for _, p := range params {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}

// Link is the canonical text, without '#' and without view settings.
func (s *Spec) Link() string {
	head := fmt.Sprintf("v=%d&model=%s&method=%s", Version, s.Model, strings.Join(s.Methods, ","))
	return strings.Join(append([]string{head}, s.Settings()...), "&")
}

// Settings lists what is not at its default, each key=value, in the order of links: seed, parameters by key,
// replicates.
func (s *Spec) Settings() []string {
	keys := make([]string, 0, len(s.Set))
	for k := range s.Set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var all []string
	if s.Seed != DefaultSeed {
		all = append(all, fmt.Sprintf("seed=%d", s.Seed))
	}
	for _, k := range keys {
		all = append(all, k+"="+s.Set[k])
	}
	if s.Replicates != 1 {
		all = append(all, fmt.Sprintf("replicates=%d", s.Replicates))
	}
	return all
}

// Only is the experiment with some of its methods: everything that their digits depend on.
func (s *Spec) Only(methods ...string) *Spec {
	o := &Spec{Model: s.Model, Methods: methods, Seed: s.Seed, Replicates: s.Replicates, Set: map[string]string{}}
	for k, v := range s.Set {
		if m, _, ok := strings.Cut(k, "."); !ok || slices.Contains(methods, m) {
			o.Set[k] = v
		}
	}
	return o
}

// Values are a method's parameters (or, for method "", the model's) with
// defaults filled in.
func (s *Spec) Values(params []Param, method string) Values {
	v := Values{}
	for _, p := range params {
		key := p.Name
		if method != "" {
			key = method + "." + key
		}
		v[p.Name] = p.Default
		if x, ok := s.Set[key]; ok {
			v[p.Name] = x
		}
	}
	return v
}
