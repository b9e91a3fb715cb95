package json

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// space is JSON's white space.
const space = " \t\r\n"

// Operations per byte for checking the syntax, and for also converting numbers.
const (
	scanOps   = 3
	numberOps = 10
)

// decoder reads the tokens of a text.
type decoder struct {
	*jsontext.Decoder
	text   []byte
	source *source
}

// source feeds a text to a decoder in pieces, so that the meter can yield in between.
type source struct {
	rest  []byte
	meter *meter.Meter
	ops   float64 // operations per byte
	err   error   // from the meter
}

// newDecoder returns a decoder that reports ops operations for each byte.
func newDecoder(text []byte, m *meter.Meter, ops float64) *decoder {
	s := &source{rest: text, meter: m, ops: ops}
	return &decoder{jsontext.NewDecoder(s, jsontext.AllowInvalidUTF8(true)), text, s}
}

func (s *source) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	s.err = s.meter.Did(s.ops * float64(n))
	return n, s.err
}

// stopped returns the error of the meter, nil if it has not ended the work.
func (d *decoder) stopped() error { return d.source.err }

// next skips the next value and returns it.
func (d *decoder) next() (Value, error) {
	start := d.InputOffset()
	if err := d.SkipValue(); err != nil {
		return Value{}, d.wrapErr(err)
	}
	return Value{bytes.TrimLeft(d.text[start:d.InputOffset()], space+",:"), d.source.meter}, nil
}

// items calls item before each element of the next list; item must read the element.
func (d *decoder) items(item func() error) error {
	if _, err := d.ReadToken(); err != nil {
		return d.wrapErr(err)
	}
	for d.PeekKind() != ']' {
		if err := item(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return d.wrapErr(err)
}

// object reads the next value, an object.
func (d *decoder) object() (Object, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, d.wrapErr(err)
	}
	o := Object{}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, d.wrapErr(err)
		}
		name := token.String()
		if o[name], err = d.next(); err != nil {
			return nil, err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, d.wrapErr(err)
	}
	return o, nil
}

// numbers reads the next value, a list of numbers. It appends the numbers to room and returns the appended part.
func (d *decoder) numbers(buffer []float64) ([]float64, error) {
	out := buffer[len(buffer):]
	err := d.items(func() error {
		if d.PeekKind() != '0' {
			item, err := d.next()
			if err == nil {
				if _, err = item.Number(); err != errNull {
					err = problem.New("entry %d: %w", len(out), err)
				}
			}
			return err
		}
		token, err := d.ReadToken()
		if err != nil {
			return d.wrapErr(err)
		}
		x := token.Float()
		if math.Abs(x) == math.MaxFloat64 { // also returned for larger numbers
			if _, err := strconv.ParseFloat(token.String(), 64); err != nil {
				return problem.New("entry %d: %w", len(out), problem.New("%s is too large a number", token.String()))
			}
		}
		out = append(out, x)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// wrapErr words an error of the decoder; it returns nil for nil.
func (d *decoder) wrapErr(err error) error {
	if err == nil || d.stopped() != nil {
		return d.stopped()
	}
	offset := len(d.text)
	var wrong *jsontext.SyntacticError
	if errors.As(err, &wrong) {
		offset = min(int(wrong.ByteOffset), offset)
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		offset = len(d.text)
	case errors.Is(err, jsontext.ErrDuplicateName):
		return problem.New("the field %q is given twice, again at %w", wrong.JSONPointer.LastToken(), d.position(offset))
	case d.StackDepth() >= MaxDepth:
		return problem.New("it is nested more than %d deep at %w", MaxDepth, d.position(offset))
	}
	return d.syntaxErr(offset)
}

// syntaxErr is the error of a byte that is invalid at its position.
func (d *decoder) syntaxErr(offset int) error {
	if offset >= len(d.text) {
		return problem.New("it ends too early, at %w", d.position(offset))
	}
	for _, word := range [...]string{"nan", "inf"} {
		if rest := d.text[offset:]; len(rest) >= len(word) && strings.EqualFold(string(rest[:len(word)]), word) {
			return problem.New("there is a NaN or Infinity at %w; numbers must be finite", d.position(offset))
		}
	}
	return problem.New("unexpected %q at %w", string(d.text[offset:offset+1]), d.position(offset))
}

// place returns a phrase with the line and the column of an offset, both from 1, the column in characters.
func (d *decoder) position(offset int) error {
	before := d.text[:offset]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return problem.New("line %d, column %d", 1+bytes.Count(before, []byte{'\n'}), 1+utf8.RuneCount(line))
}
