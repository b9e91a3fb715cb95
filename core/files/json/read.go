package json

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// MaxDepth is how deep lists and objects may be nested; it is the limit of package jsontext.
const MaxDepth = 10000

// Value is one JSON value, not converted yet; its syntax has been checked. It shares memory with the text it was read
// from. The zero Value stands for an absent value.
type Value struct {
	raw   []byte
	meter *meter.Meter // counts the work of converting it; may be nil
}

// Object holds the values of an object by name. Absent names give the zero Value.
type Object map[string]Value

var errNull = problem.New("there is a null among the numbers")

// ReadObject reads a text that is one object. An error names the line and the column, from 1, where the text is not
// JSON, or where an object repeats a name. The meter, which may be nil, counts the reading of the text and of its values;
// its error ends them.
func ReadObject(b []byte, m *meter.Meter) (Object, error) {
	m.Expect((scanOps + scanOps + numberOps) * float64(len(b)))
	d := newDecoder(b, m, scanOps)
	if d.PeekKind() != '{' {
		return nil, d.syntaxErr(len(b) - len(bytes.TrimLeft(b, space)))
	}
	o, err := d.object()
	if err != nil {
		return nil, err
	}
	if rest := bytes.TrimLeft(b[d.InputOffset():], space); len(rest) > 0 {
		return nil, d.syntaxErr(len(b) - len(rest))
	}
	return o, nil
}

// Line is the line, from 1, where a value begins; 0: it is not there. text is the slice that ReadObject was given.
func (v Value) Line(text []byte) int {
	if len(v.raw) == 0 {
		return 0
	}
	return 1 + bytes.Count(text[:cap(text)-cap(v.raw)], []byte("\n")) // both end where their memory does
}

// IsNull reports whether the value is null or absent.
func (v Value) IsNull() bool { return len(v.raw) == 0 || string(v.raw) == "null" }

// Object is the value as an object.
func (v Value) Object() (Object, error) {
	if v.first() != '{' {
		return nil, problem.New("%s is not an object", v.excerpt())
	}
	return newDecoder(v.raw, v.meter, scanOps).object()
}

// Number is the float64 nearest to the value. One beyond the greatest float64 is
// an error; one below the smallest is 0.
func (v Value) Number() (float64, error) {
	if c := v.first(); c != '-' && (c < '0' || c > '9') {
		if string(v.raw) == "null" {
			return 0, errNull
		}
		return 0, problem.New("%s is not a number", v.excerpt())
	}
	x, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil {
		return 0, problem.New("%s is too large a number", v.excerpt())
	}
	return x, nil
}

// Int is the value as a whole number, however it is written: 1000, 1000.0 or 1e3.
func (v Value) Int() (int, error) {
	n, err := strconv.Atoi(string(v.raw))
	if err == nil {
		return n, nil
	}
	x, err := v.Number()
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, problem.New("%s is not a whole number, or has more than 15 digits", v.excerpt())
	}
	return int(x), nil
}

// Bool is true or false.
func (v Value) Bool() (bool, error) {
	if c := v.first(); c != 't' && c != 'f' {
		return false, problem.New("%s is neither true nor false", v.excerpt())
	}
	return v.raw[0] == 't', nil
}

// Count bounds how many numbers and lists a list has, the list itself and what is within counted; 0 for other values.
func (v Value) Count() (numbers, lists int) {
	if v.first() != '[' {
		return 0, 0
	}
	return bytes.Count(v.raw, []byte(",")) + 1, bytes.Count(v.raw, []byte("["))
}

// Numbers is a list of numbers, not nil. Errors count the entries from 0.
func (v Value) Numbers() ([]float64, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list of numbers", v.excerpt())
	}
	n, _ := v.Count()
	return newDecoder(v.raw, v.meter, numberOps).numbers(make([]float64, 0, n))
}

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v.first() == '[' }

// Nested reports whether the value is a list whose first item is a list.
func (v Value) Nested() bool {
	return v.first() == '[' && bytes.HasPrefix(bytes.TrimLeft(v.raw[1:], space), []byte("["))
}

// Table is a list of lists of numbers, not nil; the lists may differ in length. All lists share one backing array,
// which the first list reaches through. Errors count the lists from 0.
func (v Value) Table() ([][]float64, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list of lists of numbers", v.excerpt())
	}
	numbers, lists := v.Count()
	d, out, all := newDecoder(v.raw, v.meter, numberOps), make([][]float64, 0, lists), make([]float64, 0, numbers)
	err := d.items(func() error {
		if kind := d.PeekKind(); kind != '[' {
			item, err := d.next()
			switch {
			case err != nil:
				return err
			case kind == 'n':
				return errNull
			}
			return problem.New("row %d: %w", len(out), problem.New("%s is not a list of numbers", item.excerpt()))
		}
		row, err := d.numbers(all)
		if err != nil {
			if err != errNull && d.stopped() == nil {
				err = problem.New("row %d: %w", len(out), err)
			}
			return err
		}
		out, all = append(out, row), all[:len(all)+len(row)]
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Item is the nth value of a list, counted from 0; it is absent if there is none.
func (v Value) Item(n int) (item Value) {
	if v.first() != '[' {
		return Value{}
	}
	d := newDecoder(v.raw, nil, scanOps)
	d.items(func() error {
		next, err := d.next()
		if n--; n < 0 {
			item, err = next, io.EOF // found: no more is read
		}
		return err
	})
	return item
}

// List is a list of values, not nil.
func (v Value) List() ([]Value, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list", v.excerpt())
	}
	d, out := newDecoder(v.raw, v.meter, scanOps), []Value{}
	err := d.items(func() error {
		item, err := d.next()
		out = append(out, item)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Text is a string, its escapes resolved. Invalid UTF-8 and halves of surrogate pairs become U+FFFD.
func (v Value) Text() (string, error) {
	if v.first() != '"' {
		return "", problem.New("%s is not a text", v.excerpt())
	}
	token, err := newDecoder(v.raw, v.meter, scanOps).ReadToken()
	if err != nil {
		return "", err
	}
	return token.String(), nil
}

func (v Value) first() byte {
	if len(v.raw) == 0 {
		return 0
	}
	return v.raw[0]
}

// excerpt is the beginning of the value, for errors.
func (v Value) excerpt() string {
	n := 0
	for n < len(v.raw) && n < 24 && v.raw[n] >= ' ' && v.raw[n] < utf8.RuneSelf {
		n++
	}
	if n < len(v.raw) {
		return string(v.raw[:n]) + "..."
	}
	return string(v.raw)
}
