package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/problem"
)

// Version is the version of the link and result formats.
const Version = 1

// Spec is an experiment: a model, methods, and all parameters on which the results depend.
type Spec struct {
	Model      string   // name of a built-in model, or file:<12 hex digits>
	Methods    []string // empty for the exact value
	Seed       uint32
	Replicates int
	Target     float64           // wanted standard error of log Z in nats; 0: none
	Limit      float64           // largest number of chain-sweeps to reach Target; 0: DefaultLimit
	Set        map[string]string // canonical values that differ from the defaults, by key
	View       []string          // view settings key=value, which are never hashed
}

// DefaultSeed is the seed if the link has none.
const DefaultSeed = 1

// MaxReplicates is the largest number of replicates.
const MaxReplicates = 100000

// Catalog lists the models and methods that exist. In links, the parameters of a method have keys method.name, those of
// a model only their name.
type Catalog interface {
	// HasModel reports whether a built-in model exists.
	HasModel(name string) bool
	// ModelParams returns the parameters of a model. For a user file of unknown kind it returns the parameters of all
	// kinds, with KindUnknown set.
	ModelParams(name string) []Param
	// MethodParams returns the parameters of a method; ok is false if there is no such method.
	MethodParams(name string) (params []Param, ok bool)
	// MethodTarget returns the standard error that a method aims at by default, 0 if it has none.
	MethodTarget(name string) float64
	// MethodUse returns the features of a method, ModelUse those of a model; all bits are set if they are unknown.
	MethodUse(name string) Use
	ModelUse(name string) Use
	// ModelNames and MethodNames list the names that exist, for messages.
	ModelNames() []string
	MethodNames() []string
	// RelatedMethod returns a sentence that names the method to use instead of a method that is known in the literature
	// but not in the catalog, such as pt; nil for other names.
	RelatedMethod(name string) error
}

// ParseLink parses a link: a full URL, or the text after its '#'. It returns an error that names every repeated,
// unknown or malformed key and value (the first maxErrors, see Join).
func ParseLink(link string, cat Catalog) (*Spec, error) {
	if _, frag, ok := strings.Cut(link, "#"); ok {
		link = frag
	}
	s := &Spec{Seed: DefaultSeed, Replicates: 1, Set: map[string]string{}}
	params, errs := s.read(strings.TrimSpace(link))
	if len(errs) == 0 && s.Model == "" {
		errs = append(misspelledAs("model", params), problem.New("model is missing; it must be one of %s, or "+
			"file:<12 hex digits>", strings.Join(cat.ModelNames(), ", ")))
	}
	if len(errs) == 0 && len(s.Methods) == 0 {
		errs = append(misspelledAs("method", params), problem.New("method is missing; it must be one or more of %s",
			strings.Join(cat.MethodNames(), ", ")))
	}
	if s.Model == "" || len(s.Methods) == 0 {
		return nil, Join(errs)
	}
	if err := s.checkNames(cat); err != nil { // parameters cannot be checked without valid names
		return nil, Join(append(errs, err))
	}

	// Each parameter has exactly one valid key.
	for _, p := range params {
		// Put accepts several spellings of a key; a link must have the canonical spelling.
		if keys, err := s.Keys(cat, p.key); err == nil && keys[0] != p.key {
			errs = append(errs, problem.New("%s is not a key; it is written %s", p.key, keys[0]))
		} else if err := s.PutKey(cat, p.key, p.value); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 { // effects are checked only if everything else is valid
		return nil, Join(errs)
	}
	for _, key := range s.ineffective(cat) {
		errs = append(errs, s.noEffect(cat, key))
	}
	if err := s.checkTarget(cat); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 { // effects are checked only if everything else is valid
		return nil, Join(errs)
	}
	return s, nil
}

// misspelledAs returns an error for each key of a link that is probably a misspelling of a missing key.
func misspelledAs(missing string, params []keyValue) []error {
	var errs []error
	for _, p := range params {
		if suggestion := problem.Suggest(p.key, []string{missing}); suggestion != (problem.Empty{}) {
			errs = append(errs, problem.New("%s is not a key%w", p.key, suggestion))
		}
	}
	return errs
}

// maxErrors is the number of errors of a link that are reported one by one.
const maxErrors = 5

// Join combines the errors of a link into one that begins with "link:"; it returns nil if errs is empty. Beyond
// maxErrors only the number of further errors is given.
func Join(errs []error) error {
	var all error
	if n := len(errs) - maxErrors; n > 0 {
		all, errs = problem.New("%d more errors", n), errs[:maxErrors]
	}
	for _, err := range slices.Backward(errs) {
		if all == nil {
			all = err
		} else {
			all = problem.New("%w; besides, %w", err, all)
		}
	}
	if all == nil {
		return nil
	}
	return problem.New("link: %w", all)
}

// keyValue is a key of a link and its value.
type keyValue struct{ key, value string }

// read splits a link: model, methods and view settings go to s, other parameters are returned unchecked. It returns an
// error for each malformed part.
func (s *Spec) read(link string) (params []keyValue, errs []error) {
	seen := map[string]bool{}
	for _, part := range strings.Split(link, "&") {
		part = strings.TrimSpace(part)
		key, value, ok := strings.Cut(part, "=")
		if strings.HasPrefix(strings.ToLower(key), "view.") { // checked by the code that displays the experiment
			s.View = append(s.View, part)
			continue
		}
		if !ok || key == "" {
			errs = append(errs, problem.New("%q is not key=value; write for example seed=7", part))
			continue
		}

		// Decode the value, and store it.
		if value, ok = Unescape(value); !ok {
			errs = append(errs, problem.New(
				"the value of %s is not valid percent-encoding; after a percent sign come two hex digits", key))
		}
		value = strings.TrimSpace(value) // pasted links may contain spaces
		small := strings.ToLower(key)
		switch {
		case !ok:
		case small != key:
			errs = append(errs, problem.New("%s is not a key; keys are in lower case, as %s", key, small))
		case seen[key]:
			errs = append(errs, problem.New("%s is given twice; leave one out", key))
		case key == "v":
			if value != strconv.Itoa(Version) {
				errs = append(errs, problem.New("v=%s is not known here; this lab reads v=%d", value, Version))
			}
		case key == "model":
			s.Model = value
		case key == "method":
			s.Methods = strings.Split(value, ",")
		default:
			params = append(params, keyValue{key, value})
		}
		seen[key] = true
	}
	if !seen["v"] && errs == nil {
		errs = append(errs, problem.New("it must begin with v=%d", Version))
	}
	return params, errs
}

// Unescape decodes percent-encoding, such as %2C; it returns false if a % is not followed by two hex digits.
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

// Exact returns the experiment that computes the exact value of a model, without methods.
func Exact(model string) *Spec {
	return &Spec{Model: model, Seed: DefaultSeed, Replicates: 1, Set: map[string]string{}}
}

// New returns an experiment with all parameters at their defaults, or an error if a name does not exist in the catalog.
func New(model string, methods []string, cat Catalog) (*Spec, error) {
	s := &Spec{Model: model, Methods: methods, Seed: DefaultSeed, Replicates: 1, Set: map[string]string{}}
	return s, s.checkNames(cat)
}

// IsFile reports whether name refers to a user file, file:<12 hex digits>.
func IsFile(model string) bool {
	id, ok := strings.CutPrefix(model, "file:")
	return ok && len(id) == 12 && strings.Trim(id, "0123456789abcdef") == ""
}

// checkNames checks that the model and the methods exist and that no method is repeated.
func (s *Spec) checkNames(cat Catalog) error {
	if !IsFile(s.Model) && !cat.HasModel(s.Model) {
		return problem.New("model %q is not known%w; it must be one of %s, or file:<12 hex digits>", s.Model,
			problem.Suggest(s.Model, cat.ModelNames()), strings.Join(cat.ModelNames(), ", "))
	}
	if len(s.Methods) == 0 {
		return problem.New("no method is chosen; choose one or more of %s", strings.Join(cat.MethodNames(), ", "))
	}
	for i, m := range s.Methods {
		if _, ok := cat.MethodParams(m); !ok {
			if err := cat.RelatedMethod(m); err != nil {
				return err
			}
			return problem.New("method %q is not known%w; it must be one of %s", m, problem.Suggest(m, cat.MethodNames()),
				strings.Join(cat.MethodNames(), ", "))
		}
		if slices.Contains(s.Methods[:i], m) {
			return problem.New("method %s is given twice; leave one out", m)
		}
	}
	return nil
}

// Put sets every link key that a key of the command line stands for (see Keys).
func (s *Spec) Put(cat Catalog, key, value string) error {
	keys, err := s.Keys(cat, key)
	for _, k := range keys {
		if err == nil {
			err = s.PutKey(cat, k, value)
		}
	}
	return err
}

// Keys returns the link keys that a key of the command line stands for. model.NAME stands for the parameter NAME of the
// model; a parameter name alone stands for that parameter of every chosen method that has it; any other key stands for
// itself. A name that both the model and a method have is an error that gives both spellings.
func (s *Spec) Keys(cat Catalog, key string) ([]string, error) {
	modelParams := cat.ModelParams(s.Model)
	if name, ok := strings.CutPrefix(key, "model."); ok {
		if _, ok := find(modelParams, name); !ok {
			return nil, problem.New("%s is not a parameter%w; %s has %s", key, suggestParam(name, modelParams), "model", names(modelParams))
		}
		return []string{name}, nil
	}
	var methodKeys []string
	for _, m := range s.Methods {
		params, _ := cat.MethodParams(m)
		if _, ok := find(params, key); ok {
			methodKeys = append(methodKeys, m+"."+key)
		}
	}
	if _, ok := find(modelParams, key); ok && methodKeys != nil {
		return nil, problem.New("%s may be the model's or the method's; write model.%s or %s", key, key, methodKeys[0])
	} else if methodKeys != nil {
		return methodKeys, nil
	}
	return []string{key}, nil
}

// PutKey sets a key as spelled in links: seed, replicates, target, limit, a parameter of the model, or method.parameter
// of a chosen method.
func (s *Spec) PutKey(cat Catalog, key, value string) error {
	switch key {
	case "seed", "replicates", "target", "limit":
		err := s.putCommon(key, value)
		s.dropTarget(cat)
		return err
	}
	modelParams := cat.ModelParams(s.Model)
	if p, ok := find(modelParams, key); ok {
		return s.put(p, key, value)
	}
	if method, name, ok := strings.Cut(key, "."); ok && len(s.Methods) > 0 {
		if _, known := cat.MethodParams(method); !known {
			return problem.New("%s: there is no method %s; the chosen ones are %s, and parameters of the model are "+
				"written without its name", key, method, strings.Join(s.Methods, ", "))
		}
		if !slices.Contains(s.Methods, method) {
			return problem.New("%s: method %s is not among the chosen ones (%s); add it to method, or leave the key out", key,
				method, strings.Join(s.Methods, ", "))
		}
		params, _ := cat.MethodParams(method)
		if p, ok := find(params, name); ok {
			return s.put(p, key, value)
		}
		if len(params) == 0 {
			return problem.New("%s is not a parameter; %s has none", key, method)
		}
		return problem.New("%s is not a parameter%w; %s has %s", key, suggestParam(name, params), method, names(params))
	}

	// The key is unknown: the error lists the parameters that exist.
	lists, validNames := []string{}, linkKeys(modelParams)
	for _, m := range s.Methods {
		if params, _ := cat.MethodParams(m); len(params) > 0 {
			lists = append(lists, m+": "+names(params))
			for _, p := range params {
				validNames = append(validNames, p.Name, m+"."+p.Name)
			}
		}
	}
	similar := problem.Suggest(key, validNames)
	if len(modelParams) > 0 && modelParams[0].KindUnknown {
		lists = append(lists, "model: those of its kind")
	} else if len(modelParams) > 0 {
		lists = append(lists, "model: "+names(modelParams))
	}
	if len(s.Methods) == 0 {
		return problem.New("%s is not a parameter of this model%w (%s)", key, similar, names(modelParams))
	}
	return problem.New("%s is not a parameter of this model and method%w (%s)", key, similar, strings.Join(lists, "; "))
}

// put sets a parameter, or removes it if the value is its default.
func (s *Spec) put(p Param, key, value string) (err error) {
	if value != p.Default { // the default may be empty, which Canonical would reject
		if value, err = p.Canonical(key, value); err != nil {
			return err
		}
	}
	if value == p.Default && !p.KindUnknown {
		delete(s.Set, key)
	} else {
		s.Set[key] = value
	}
	return nil
}

// find returns the parameter with a name; ok is false if there is none.
func find(params []Param, name string) (Param, bool) {
	for _, p := range params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// linkKeys returns the keys that every link may have, followed by the names of the model's parameters.
func linkKeys(modelParams []Param) []string {
	keys := []string{"model", "method", "seed", "replicates", "target", "limit"}
	for _, p := range modelParams {
		keys = append(keys, p.Name)
	}
	return keys
}

// suggestParam returns the phrase that suggests a parameter for a misspelled name (problem.Suggest).
func suggestParam(misspelled string, params []Param) error {
	var all []string
	for _, p := range params {
		all = append(all, p.Name)
	}
	return problem.Suggest(misspelled, all)
}

// names returns the names of parameters, separated by commas.
func names(params []Param) string {
	var out []string
	for _, p := range params {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}

// Link returns the canonical text of the experiment, without '#' and without view settings.
func (s *Spec) Link() string {
	head := fmt.Sprintf("v=%d&model=%s&method=%s", Version, s.Model, strings.Join(s.Methods, ","))
	return strings.Join(append([]string{head}, s.Settings()...), "&")
}

// Settings returns all settings that differ from their defaults as key=value, in the order of links: seed, parameters
// by key, replicates, target, limit.
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
	if s.Target > 0 {
		all = append(all, "target="+Decimal(s.Target))
	}
	if s.Limit > 0 {
		all = append(all, "limit="+Decimal(s.Limit))
	}
	return all
}

// Only returns the experiment with the given methods only, without the parameters of the others. The results of these
// methods are the same in both experiments.
func (s *Spec) Only(cat Catalog, methods ...string) *Spec {
	o := &Spec{Model: s.Model, Methods: methods, Seed: s.Seed, Replicates: s.Replicates, Target: s.Target,
		Limit: s.Limit, Set: map[string]string{}}
	for k, v := range s.Set {
		if m, _, ok := strings.Cut(k, "."); !ok || slices.Contains(methods, m) {
			o.Set[k] = v
		}
	}
	o.Prune(cat)
	return o
}

// Values returns the parameters of a method (of the model if method is ""), including defaults.
func (s *Spec) Values(params []Param, method string) Values {
	v := Defaults(params)
	for _, p := range params {
		key := p.Name
		if method != "" {
			key = method + "." + key
		}
		if x, ok := s.Set[key]; ok {
			v[p.Name] = x
		}
	}
	return v
}
