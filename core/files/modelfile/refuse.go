package modelfile

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/files/json"
	"logzlab/core/problem"
)

// Unsupported are fields that change the model in other programs, and for which a kind has nothing: without them log Z
// would be that of another model, in silence.
type Unsupported struct {
	// Names are in small letters, with nothing between words; one that begins with * is the end of names.
	Names []string
	// Help is a phrase that says what the model is, or what to write.
	Help error
	// Harmless are the numbers, texts and truth values that leave the model as it is; lists may have these numbers alone.
	Harmless []any
}

// unsupportedByAll is what no kind has a place for.
var unsupportedByAll = Unsupported{Names: []string{"zeroinflation", "zeroinflated", "hurdle", "truncation", "truncated",
	"censored", "censoring", "*mask", "energyoffset", "logoffset", "constraint", "constraints"},
	Harmless: []any{0., false, "none"}, Help: problem.New("no kind of model has this")}

// RejectUnsupported makes the first of such fields, in the order of the alphabet, an error.
func (f *Fields) RejectUnsupported(kind string, list []Unsupported) {
	for _, name := range slices.Sorted(maps.Keys(f.Object)) {
		for _, r := range append(list[:len(list):len(list)], unsupportedByAll) {
			if f.Err != nil || f.Object[name].IsNull() || !r.Matches(name) {
				continue
			}
			if f.Err = f.Take(name); f.Err == nil && !r.harmless(f.Object[name]) {
				f.Err = problem.New("%s file: the field %s is not read, and would change the model: %w", kind, f.In+name, r.Help)
			}
		}
	}
}

// PlainName is a name in small letters without what may stand between words.
func PlainName(name string) string {
	return csv.PlainName(name)
}

// Matches reports whether a field of that name is refused.
func (r *Unsupported) Matches(name string) bool {
	name = PlainName(name)
	for _, n := range r.Names {
		if n == name || n[0] == '*' && strings.HasSuffix(name, n[1:]) {
			return true
		}
	}
	return false
}

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

func (r Unsupported) among(list []float64) bool {
	return !slices.ContainsFunc(list, func(x float64) bool { return !slices.Contains(r.Harmless, any(x)) })
}

// descriptionNames are names of fields that only describe, as PlainName has them, where they are no lists of numbers.
var descriptionNames = []string{"name", "names", "title", "label", "comment", "comments", "note", "notes", "description",
	"about", "source", "url", "id", "date", "dates", "time", "created", "version", "author", "authors", "license",
	"citation", "reference", "provenance", "truth", "logz", "seed"}

// isDescription tells whether a field only describes.
func isDescription(name string, v json.Value) bool {
	if !slices.Contains(descriptionNames, PlainName(name)) || !v.IsList() {
		return slices.Contains(descriptionNames, PlainName(name))
	}
	_, err := v.Item(0).Text()
	return err == nil
}

// Unread is a phrase that lists the fields that the kind has not asked for, but for those that only describe; nil:
// there are none.
func (f *Fields) Unread() error {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f.Object)) {
		if v := f.Object[name]; !f.used[name] && !v.IsNull() && !isDescription(name, v) {
			names = append(names, f.In+name)
		}
	}
	return unread(names)
}

func unread(names []string) error {
	if len(names) == 0 {
		return nil
	}
	return problem.New("fields that are not read: %s", strings.Join(names[:min(len(names), 8)], ", "))
}
