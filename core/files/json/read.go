package json

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// MaxDepth is how deep lists and objects may be nested, as in encoding/json.
const MaxDepth = 10000

// Value is one JSON value, not decoded yet; its syntax has been checked. It
// shares memory with the text it was read from. The zero Value stands for what
// is not there.
type Value struct {
	raw   []byte
	meter *meter.Meter // counts the work of reading it; may be nil
}

// Object holds the values of an object by name. Absent names give the zero Value.
type Object map[string]Value

var errNull = problem.New("there is a null among the numbers")

// ReadObject reads a text that is one object. An error says at which byte, from 0,
// the text stops being JSON. The meter, which may be nil, counts the reading of the text and of its values; its error
// ends them.
func ReadObject(b []byte, m *meter.Meter) (Object, error) {
	m.Expect((scanOps + scanOps + numberOps) * float64(len(b)))
	s := scanner{b: b, meter: m, cost: scanOps}
	if s.space() != '{' {
		return nil, s.fail()
	}
	o, err := s.object(0)
	if err != nil {
		return nil, err
	}
	if s.space(); s.at < len(b) {
		return nil, s.fail()
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

// Null reports whether the value is null or absent.
func (v Value) Null() bool { return len(v.raw) == 0 || string(v.raw) == "null" }

// Object is the value as an object.
func (v Value) Object() (Object, error) {
	if v.first() != '{' {
		return nil, problem.New("%s is not an object", v.glimpse())
	}
	s := scanner{b: v.raw, meter: v.meter, cost: scanOps}
	return s.object(0)
}

// Number is the float64 nearest to the value. One beyond the greatest float64 is
// an error; one below the smallest is 0.
func (v Value) Number() (float64, error) {
	if c := v.first(); c != '-' && !digit(c) {
		if string(v.raw) == "null" {
			return 0, errNull
		}
		return 0, problem.New("%s is not a number", v.glimpse())
	}
	x, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil {
		return 0, problem.New("%s is too large a number", v.glimpse())
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
		return 0, problem.New("%s is not a whole number, or has more than 15 digits", v.glimpse())
	}
	return int(x), nil
}

// Bool is true or false.
func (v Value) Bool() (bool, error) {
	if c := v.first(); c != 't' && c != 'f' {
		return false, problem.New("%s is neither true nor false", v.glimpse())
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
	n, _ := v.Count()
	return v.numbers(make([]float64, 0, n))
}

// numbers appends the list to room, and returns what it has appended.
func (v Value) numbers(room []float64) ([]float64, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list of numbers", v.glimpse())
	}
	s, out := scanner{b: v.raw, meter: v.meter, cost: numberOps}, room[len(room):]
	err := s.items(']', func() error {
		item, err := s.next(0)
		if err != nil {
			return err
		}
		x, err := item.Number()
		if err != nil && err != errNull {
			err = problem.New("entry %d: %w", len(out), err)
		}
		out = append(out, x)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v.first() == '[' }

// Nested reports whether the value is a list whose first item is a list.
func (v Value) Nested() bool {
	s := scanner{b: v.raw, at: 1}
	return v.first() == '[' && s.space() == '['
}

// Table is a list of lists of numbers, not nil; the lists may differ in length. All lists share one backing array,
// which the first list reaches through. Errors count the lists from 0.
func (v Value) Table() ([][]float64, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list of lists of numbers", v.glimpse())
	}
	numbers, lists := v.Count()
	s := scanner{b: v.raw, meter: v.meter, cost: scanOps}
	out, all := make([][]float64, 0, lists), make([]float64, 0, numbers)
	err := s.items(']', func() error {
		item, err := s.next(0)
		if err != nil {
			return err
		}
		if string(item.raw) == "null" {
			return errNull
		}
		row, err := item.numbers(all)
		if err != nil && err != errNull {
			err = problem.New("row %d: %w", len(out), err)
		}
		out, all = append(out, row), all[:len(all)+len(row)]
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Item is the nth value of a list, counted from 0; absent where there is none.
func (v Value) Item(n int) (item Value) {
	if v.first() != '[' {
		return Value{}
	}
	s := scanner{b: v.raw}
	s.items(']', func() error {
		next, err := s.next(0)
		if n--; n < 0 {
			item, err = next, errNull // found: no more is read
		}
		return err
	})
	return item
}

// List is a list of values, not nil.
func (v Value) List() ([]Value, error) {
	if v.first() != '[' {
		return nil, problem.New("%s is not a list", v.glimpse())
	}
	s, out := scanner{b: v.raw, meter: v.meter, cost: scanOps}, []Value{}
	err := s.items(']', func() error {
		item, err := s.next(0)
		out = append(out, item)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Text is a string, its escapes resolved. Invalid UTF-8 and halves of surrogate
// pairs become U+FFFD.
func (v Value) Text() (string, error) {
	if v.first() != '"' {
		return "", problem.New("%s is not a text", v.glimpse())
	}
	b := v.raw[1 : len(v.raw)-1]
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		if b[0] != '\\' {
			r, n := utf8.DecodeRune(b)
			out, b = utf8.AppendRune(out, r), b[n:]
			continue
		}

		// An escape. Two halves of a surrogate pair are a character.
		r := rune(b[1])
		switch r {
		case 'b':
			r = '\b'
		case 'f':
			r = '\f'
		case 'n':
			r = '\n'
		case 'r':
			r = '\r'
		case 't':
			r = '\t'
		case 'u':
			r = hex(b[2:6])
			b = b[4:]
			if utf16.IsSurrogate(r) && len(b) >= 8 && b[2] == '\\' && b[3] == 'u' {
				if pair := utf16.DecodeRune(r, hex(b[4:8])); pair != utf8.RuneError {
					r, b = pair, b[6:]
				}
			}
		}
		out, b = utf8.AppendRune(out, r), b[2:]
	}
	return string(out), nil
}

func hex(b []byte) rune {
	n, _ := strconv.ParseUint(string(b), 16, 32)
	return rune(n)
}

func (v Value) first() byte {
	if len(v.raw) == 0 {
		return 0
	}
	return v.raw[0]
}

// glimpse is the beginning of the value, for errors.
func (v Value) glimpse() string {
	n := 0
	for n < len(v.raw) && n < 24 && v.raw[n] >= ' ' && v.raw[n] < utf8.RuneSelf {
		n++
	}
	if n < len(v.raw) {
		return string(v.raw[:n]) + "..."
	}
	return string(v.raw)
}
