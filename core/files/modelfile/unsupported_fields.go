package modelfile

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/files/json"
	"logzlab/core/problem"
)

// Unsupported describes fields that change the model in other programs but that a kind does not support: ignoring them
// would silently give log Z of another model.
type Unsupported struct {
	// Names are plain names (see PlainName); a name that begins with * matches as a suffix.
	Names []string
	// Help is a phrase that describes the model, or says what to write instead.
	Help error
	// Harmless lists the numbers, texts and booleans that leave the model unchanged; lists may contain only these
	// numbers.
	Harmless []any
}

// unsupportedByAll lists the fields that no kind supports.
var unsupportedByAll = Unsupported{Names: []string{"zeroinflation", "zeroinflated", "hurdle", "truncation", "truncated",
	"censored", "censoring", "*mask", "energyoffset", "logoffset", "constraint", "constraints"},
	Harmless: []any{0., false, "none"}, Help: problem.New("no kind of model has this")}

// RejectUnsupported sets Err for the first unsupported field, in alphabetical order.
func (f *Fields) RejectUnsupported(kind string, list []Unsupported) {
	for _, name := range slices.Sorted(maps.Keys(f.Object)) {
		for _, r := range append(list[:len(list):len(list)], unsupportedByAll) {
			if f.Err != nil || f.Object[name].IsNull() || !r.Matches(name) {
				continue
			}
			if f.Err = f.Take(name); f.Err == nil && !r.harmless(f.Object[name]) {
				f.Err = problem.New("%s file: the field %s is not read, and would change the model: %w", kind, f.Prefix+name, r.Help)
			}
		}
	}
}

// PlainName returns a name in lower case without spaces and punctuation.
func PlainName(name string) string {
	return csv.PlainName(name)
}

// Matches reports whether a field name is unsupported.
func (r *Unsupported) Matches(name string) bool {
	name = PlainName(name)
	for _, n := range r.Names {
		if n == name || n[0] == '*' && strings.HasSuffix(name, n[1:]) {
			return true
		}
	}
	return false
}

// harmless reports whether a value leaves the model unchanged.
func (r Unsupported) harmless(v json.Value) bool {
	if rows, err := v.Table(); err == nil {
		return !slices.ContainsFunc(rows, func(row []float64) bool { return !r.among(row) })
	}
	if list, err := v.Numbers(); err == nil {
		return r.among(list)
	}
	if x, err := v.Number(); err == nil {
		return slices.Contains(r.Harmless, any(x))
	}
	if text, err := v.Text(); err == nil {
		return slices.Contains(r.Harmless, any(PlainName(text)))
	}
	is, err := v.Bool()
	return err == nil && slices.Contains(r.Harmless, any(is))
}

// among reports whether all numbers of a list are harmless.
func (r Unsupported) among(list []float64) bool {
	return !slices.ContainsFunc(list, func(x float64) bool { return !slices.Contains(r.Harmless, any(x)) })
}

// descriptionNames are plain names of fields that only describe the model, unless they are lists of numbers.
var descriptionNames = []string{"name", "names", "title", "label", "comment", "comments", "note", "notes", "description",
	"about", "source", "url", "id", "date", "dates", "time", "created", "version", "author", "authors", "license",
	"citation", "reference", "provenance", "truth", "logz", "seed"}

// isDescription reports whether a field only describes the model.
func isDescription(name string, v json.Value) bool {
	if !slices.Contains(descriptionNames, PlainName(name)) || !v.IsList() {
		return slices.Contains(descriptionNames, PlainName(name))
	}
	_, err := v.Item(0).Text()
	return err == nil
}

// Unread returns a phrase that lists the fields that were not read, except descriptions; nil if there are none.
func (f *Fields) Unread() error {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f.Object)) {
		if v := f.Object[name]; !f.used[name] && !v.IsNull() && !isDescription(name, v) {
			names = append(names, f.Prefix+name)
		}
	}
	return unread(names)
}

// unread returns a phrase that lists names, nil if there are none.
func unread(names []string) error {
	if len(names) == 0 {
		return nil
	}
	return problem.New("fields that are not read: %s", strings.Join(names[:min(len(names), 8)], ", "))
}
