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

// MaxDepth is the largest depth of nested lists and objects, which is the limit of package jsontext.
const MaxDepth = 10000

// Value is a JSON value whose syntax has been checked but which is not converted yet. It shares memory with the text
// that was read. The zero Value stands for an absent value.
type Value struct {
	raw   []byte
	meter *meter.Meter // counts the operations of converting the value; may be nil
}

// Object holds the values of an object by name. Absent names give the zero Value.
type Object map[string]Value

var errNull = problem.New("there is a null among the numbers")

// ReadObject reads a text that is a single object. If the text is not JSON, or an object repeats a name, the error
// gives the line and the column, from 1. The meter, which may be nil, counts the operations of reading the text and its
// values; its error stops the reading.
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

// Line returns the line, from 1, on which the value begins; 0 if the value is absent. text is the slice that ReadObject
// read.
func (v Value) Line(text []byte) int {
	if len(v.raw) == 0 {
		return 0
	}
	return 1 + bytes.Count(text[:cap(text)-cap(v.raw)], []byte("\n")) // both slices end where their memory ends
}

// IsNull reports whether the value is null or absent.
func (v Value) IsNull() bool { return len(v.raw) == 0 || string(v.raw) == "null" }

// Object converts the value to an object.
func (v Value) Object() (Object, error) {
	if v.first() != '{' {
		return nil, problem.New("%s is not an object", v.excerpt())
	}
	return newDecoder(v.raw, v.meter, scanOps).object()
}

// Number converts the value to the nearest float64. Overflow is an error, underflow gives 0.
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

// Int converts the value to an integer, however it is written: 1000, 1000.0 or 1e3.
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

// Bool converts the value to a boolean.
func (v Value) Bool() (bool, error) {
	if c := v.first(); c != 't' && c != 'f' {
		return false, problem.New("%s is neither true nor false", v.excerpt())
	}
	return v.raw[0] == 't', nil
}

// Count returns upper bounds for the numbers and the lists within a list, including the list itself; 0 for other
// values.
func (v Value) Count() (numbers, lists int) {
	if v.first() != '[' {
		return 0, 0
	}
	return bytes.Count(v.raw, []byte(",")) + 1, bytes.Count(v.raw, []byte("["))
}

// Numbers converts the value to a list of numbers, which is not nil. Errors count the entries from 0.
func (v Value) Numbers() ([]float64, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list of numbers", v.excerpt())
	}
	n, _ := v.Count()
	return newDecoder(v.raw, v.meter, numberOps).numbers(make([]float64, 0, n))
}

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v.first() == '[' }

// Nested reports whether the value is a list whose first element is a list.
func (v Value) Nested() bool {
	return v.first() == '[' && bytes.HasPrefix(bytes.TrimLeft(v.raw[1:], space), []byte("["))
}

// Table converts the value to a list of lists of numbers, which is not nil; the lists may differ in length. All lists
// share one backing array, to whose end the first list's capacity reaches. Errors count the lists from 0.
func (v Value) Table() ([][]float64, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list of lists of numbers", v.excerpt())
	}
	numbers, lists := v.Count()
	d, out, buffer := newDecoder(v.raw, v.meter, numberOps), make([][]float64, 0, lists), make([]float64, 0, numbers)
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
		row, err := d.numbers(buffer)
		if err != nil {
			if err != errNull && d.stopped() == nil {
				err = problem.New("row %d: %w", len(out), err)
			}
			return err
		}
		out, buffer = append(out, row), buffer[:len(buffer)+len(row)]
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Item returns the nth element of a list, from 0; it is absent if there is none.
func (v Value) Item(n int) (item Value) {
	if v.first() != '[' {
		return Value{}
	}
	d := newDecoder(v.raw, nil, scanOps)
	d.items(func() error {
		next, err := d.next()
		if n--; n < 0 {
			item, err = next, io.EOF // found: stop reading
		}
		return err
	})
	return item
}

// List converts the value to a list of values, which is not nil.
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

// Text converts the value to a string. Invalid UTF-8 and lone surrogates become U+FFFD.
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

// first returns the first byte of the value, 0 if it is absent.
func (v Value) first() byte {
	if len(v.raw) == 0 {
		return 0
	}
	return v.raw[0]
}

// excerpt returns the beginning of the value, for errors.
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
