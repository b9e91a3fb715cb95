package modelfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/files/json"
	"logzlab/core/meter"
	"logzlab/core/problem"
)

// MaxInflated is the size in bytes of the largest model file, after decompression. MaxNumbers is the number of elements
// of the largest array or table, which at eight bytes each take as much memory.
const (
	MaxInflated = 256 << 20
	MaxNumbers  = MaxInflated / 8
)

// reserve reserves memory for numbers, and for lists of them, before they are read. name is the name of the array or
// table in errors.
func reserve(m *meter.Meter, name string, numbers, lists int) error {
	if numbers > MaxNumbers {
		const million = 1_000_000
		return problem.New("%s has %d million numbers; at most %d million are read: give a smaller model", name,
			(numbers+million-1)/million, MaxNumbers/million)
	}
	return m.Take(float64(8*numbers+24*lists), problem.New("model file: %s with %d numbers", name, numbers),
		problem.New("give a smaller model"))
}

// ID returns the name by which links refer to a file: file:<first 12 hex digits of the SHA-256 of its bytes>.
func ID(b []byte) string {
	h := sha256.New()
	for chunk := range slices.Chunk(b, 1<<18) {
		meter.Pulse(8 * float64(len(chunk)))
		h.Write(chunk)
	}
	return "file:" + hex.EncodeToString(h.Sum(nil)[:6])
}

// Reader reads the files of one kind of model. A nil function means that the kind has no such files.
type Reader[T any] struct {
	Kind   string // value of the field "kind" in its JSON files
	Fields func(*Fields) (T, error)
	Arrays func(*Arrays) (T, error)
	Table  func(*csv.Table) (T, error)
	// Text reads a text in a format of its own, which may be gzipped; mine is false for other texts. It is called
	// before the readers of tables.
	Text func([]byte, *meter.Meter) (x T, isOfKind bool, err error)
	// Parts reads several files that belong together (see PartsMark).
	Parts func([]Part, *meter.Meter) (T, error)
	// Columns reads a table of any cells, up to 4 MB; mine is false if the table is not of this kind. Kinds with
	// Columns are tried before those with Table.
	Columns func(*csv.Columns) (x T, isOfKind bool, err error)
}

// Read reads a model file with the reader of its kind. Files of arrays and tables do not state their kind; the first
// reader that accepts them reads them. Errors say what is wrong and where. The meter, which may be nil, limits memory
// and counts operations.
func Read[T any](b []byte, readers []Reader[T], m *meter.Meter) (T, error) {
	var none T
	if len(b) > MaxInflated {
		return none, problem.New("model file: %d MB is more than the limit of 256 MB", len(b)>>20)
	}
	if err := m.Take(float64(len(b)), problem.New("model file: its text"),
		problem.New("give a smaller model")); err != nil {
		return none, err
	}

	// Recognised formats that are not supported.
	if err := unsupported(b); err != nil {
		return none, problem.New("model file: %w", err)
	}

	// Several files in one, and gzipped files.
	if bytes.HasPrefix(b, []byte(PartsMark)) {
		return readParts(b, readers, m)
	}
	if bytes.HasPrefix(b, []byte("\x1f\x8b")) {
		if !isGzippedGraph(b) {
			return none, problem.New("model file: it is packed by gzip; unpack it first, as gunzip FILE")
		}
		var err error
		if b, err = gunzip(b, m); err != nil {
			return none, problem.New("model file: it is damaged or cut short: %v", err)
		}
	}

	// Files of arrays.
	if open := arrayOpener(b); open != nil {
		for _, r := range readers {
			if r.Arrays != nil {
				a, err := open(b, m)
				if err != nil {
					return none, err
				}
				return r.Arrays(a)
			}
		}
	}
	if bytes.HasPrefix(b, []byte("\x93NUMPY")) {
		return none, problem.New(
			"model file: a single array of NumPy; save W and the biases together by numpy.savez, as .npz, or give three .npy " +
				"at once")
	}

	// Texts: JSON, a format of one kind of model, or tables.
	b = csv.Normalize(b)
	t := bytes.TrimSpace(b)
	if len(t) == 0 {
		return none, problem.New("model file: it is empty")
	}
	if bytes.HasPrefix(t, []byte("# Created by Octave")) {
		return none, problem.New("model file: Octave's own text; save it again as save -v7 model.mat W b c")
	}
	if t[0] == '{' {
		return readJSON(b, readers, m)
	}
	if err := unsupportedText(b); err != nil {
		return none, err
	}
	for _, r := range readers {
		if r.Text == nil {
			continue
		}
		if x, isOfKind, err := r.Text(b, m); isOfKind {
			return x, err
		}
	}
	if x, isTable, err := readTables(b, readers, m); isTable {
		return x, err
	}
	return none, problem.New("model file: neither .npz nor a JSON object nor a table of numbers nor .mat nor "+
		".safetensors (it starts with %q)", string(t[:min(len(t), 8)]))
}

// readParts reads several files that belong together.
func readParts[T any](b []byte, readers []Reader[T], m *meter.Meter) (T, error) {
	var none T
	parts, err := Parts(b)
	if err != nil {
		return none, err
	}
	for _, r := range readers {
		if r.Parts != nil {
			return r.Parts(parts, m)
		}
	}
	return none, problem.New("these files do not make a model together")
}

// readTables reads a table with the first reader that accepts it; mine is false if b is not a table.
func readTables[T any](b []byte, readers []Reader[T], m *meter.Meter) (x T, isTable bool, err error) {
	b = csv.ToUTF8(b)
	if c := csv.ReadColumns(b, m); c != nil {
		for _, r := range readers {
			if r.Columns == nil {
				continue
			}
			if x, isOfKind, err := r.Columns(c); isOfKind {
				return x, true, err
			}
		}
	}
	for _, r := range readers {
		if r.Table != nil {
			table, err := readTable(b, m)
			if err != nil {
				return x, true, err
			}
			if table != nil {
				x, err = r.Table(table)
				return x, true, err
			}
			break
		}
	}
	return x, false, nil
}

// readTable reads a table of numbers; it returns nil if b is not one.
func readTable(b []byte, m *meter.Meter) (*csv.Table, error) {
	d, err := csv.Sniff(b) // b is not trimmed, because leading blanks may be an empty cell
	if err != nil {
		return nil, err
	}
	if d.Comma == 0 {
		if d.Header != nil {
			return nil, problem.New("csv file: it has only names (%s) and no numbers; add a line for each datum "+
				"below them",
				strings.Join(d.Header, ", "))
		}
		return nil, nil
	}
	for range 2 { // as rows, and as the one list that the kind's reader makes of them
		if err := reserve(m, "the table", bytes.Count(b, []byte(string(d.Comma))), 0); err != nil {
			return nil, err
		}
	}
	return csv.ReadTable(b, d, m)
}

// arrayOpener returns the function that opens a file of arrays, recognised by its first bytes; nil for other files.
func arrayOpener(b []byte) func([]byte, *meter.Meter) (*Arrays, error) {
	switch {
	case len(b) > 8 && bytes.Equal(b[5:9], []byte("\x00\x00\x00{")): // safetensors: the header's length, then an object
		return openSafetensors
	case bytes.HasPrefix(b, []byte("PK")):
		return OpenNPZ
	case bytes.HasPrefix(b, []byte("MATLAB ")):
		return openMAT
	}
	return nil
}

// readJSON reads a JSON file with the reader of its kind.
func readJSON[T any](b []byte, readers []Reader[T], m *meter.Meter) (T, error) {
	var none T
	o, err := json.ReadObject(b, m)
	if err != nil {
		return none, problem.New("model file: not valid JSON: %v", err)
	}
	f := &Fields{Object: o, Meter: m}
	kind := Get(f, "kind", json.Value.Text)
	if f.Err != nil {
		return none, f.Err
	}
	var kinds []string
	for _, r := range readers {
		if r.Kind == kind && r.Fields != nil {
			x, err := r.Fields(f)
			if err != nil && bytes.ContainsRune(bytes.TrimSpace(b), '\n') {
				if n := errorSubject(o, err.Error()).Line(b); n > 0 {
					err = problem.New("%w (line %d)", err, n)
				}
			}
			return x, err
		}
		kinds = append(kinds, strconv.Quote(r.Kind))
	}
	list := strings.Join(kinds, ", ")
	if kind == "" {
		return none, problem.New("model file: field \"kind\" is missing; it must be one of %s", list)
	}
	return none, problem.New("model file: unknown kind %q; it must be one of %s", kind, list)
}

// errorSubject returns the value that an error is about: a field, or an element within it, as in "y[1] = 3: labels must
// be", "factors[0].table[5] is negative" and "W: row 1: entry 0: x is not a number". It is absent if the error names no
// field.
func errorSubject(o json.Object, text string) json.Value {
	_, text, _ = strings.Cut(text, " file: ")
	name, rest := cutWord(strings.TrimPrefix(text, "the field "))
	v := o[name]
	for {
		var next json.Value
		if field, ok := strings.CutPrefix(rest, "."); ok {
			inner, _ := v.Object()
			name, rest = cutWord(field)
			next = inner[name]
		} else {
			for _, before := range []string{"[", ": row ", ": entry "} {
				if number, ok := strings.CutPrefix(rest, before); ok {
					name, rest = cutWord(number)
					n, err := strconv.Atoi(name)
					if rest = strings.TrimPrefix(rest, "]"); err == nil {
						next = v.Item(n)
					}
					break
				}
			}
		}
		if next.IsNull() {
			return v
		}
		v = next
	}
}

// cutWord splits a text after its first name or number.
func cutWord(text string) (word, after string) {
	end := strings.IndexAny(text, " .:[]=")
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// Fields reads the fields of a JSON object. Each kind reads only its own fields; others are ignored. The first error
// stays in Err, and later reads return zero values.
type Fields struct {
	json.Object
	Prefix string // prefix of names in errors, such as "kernel."
	Err    error
	// Meter, which may be nil, limits memory and counts operations.
	Meter *meter.Meter

	used map[string]bool // names of fields that were read
}

// Value returns an unconverted field. If the object has a field whose name differs only in case or, if this field is
// missing, by one missing letter or by two swapped letters, that is an error, because the misspelled field would
// otherwise be ignored silently.
func (f *Fields) Value(name string) json.Value {
	if f.used == nil {
		f.used = map[string]bool{"kind": true}
	}
	f.used[name] = true
	v, ok := f.Object[name]
	if f.Err == nil {
		for other := range f.Object {
			if other != name && (strings.EqualFold(other, name) || !ok && mistyped(other, name)) {
				f.Err = problem.New("model file: the field %s must be written %s", f.Prefix+other, f.Prefix+name)
			}
		}
	}
	return v
}

// mistyped reports whether text is name, of four letters or more, with one letter missing or with two neighbouring
// letters swapped. Added or replaced letters do not count, because they may make another word: betas and meta next to
// beta.
func mistyped(text, name string) bool {
	if len(name) < 4 {
		return false
	}
	for len(text) > 0 && len(name) > 0 && text[0] == name[0] {
		text, name = text[1:], name[1:]
	}
	for len(text) > 0 && len(name) > 0 && text[len(text)-1] == name[len(name)-1] {
		text, name = text[:len(text)-1], name[:len(name)-1]
	}
	return len(text) == 0 && len(name) == 1 || len(text) == 2 && len(name) == 2 && text[0] == name[1] && text[1] == name[0]
}

// Get reads a field; null and missing fields give the zero T.
func Get[T any](f *Fields, name string, read func(json.Value) (T, error)) T {
	var x T
	if v := f.Value(name); f.Err == nil && !v.IsNull() {
		if f.Err = f.Take(name); f.Err != nil {
			return x
		}
		if x, f.Err = read(v); f.Err != nil {
			f.Err = problem.New("model file: %s: %w", f.Prefix+name, f.Err)
		}
	}
	return x
}

// Take reserves memory for the numbers of a field; Get does so itself.
func (f *Fields) Take(name string) error {
	numbers, lists := f.Object[name].Count()
	return reserve(f.Meter, f.Prefix+name, numbers, lists)
}

// GetOptional is Get for fields that may be missing: it returns nil if the field is null or missing.
func GetOptional[T any](f *Fields, name string, read func(json.Value) (T, error)) *T {
	if f.Value(name).IsNull() {
		return nil
	}
	x := Get(f, name, read)
	return &x
}
