package json

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// scanner reads a text from front to back.
type scanner struct {
	b     []byte
	at    int
	meter *meter.Meter
	cost  float64 // operations for each byte
	did   int     // bytes that the meter knows of
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// peek is the current byte, 0 at the end; no JSON text has a byte 0.
func (s *scanner) peek() byte {
	if s.at < len(s.b) {
		return s.b[s.at]
	}
	return 0
}

// space moves to the next byte that is not white space.
func (s *scanner) space() byte {
	for {
		switch c := s.peek(); c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
}

// take moves past c if it is the current byte, and reports whether it was.
func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) fail() error {
	if s.at >= len(s.b) {
		return problem.New("it ends too early, at %w", s.place())
	}
	for _, word := range [...]string{"nan", "inf"} {
		if rest := s.b[s.at:]; len(rest) >= len(word) && strings.EqualFold(string(rest[:len(word)]), word) {
			return problem.New("there is a NaN or Infinity at %w; numbers must be finite", s.place())
		}
	}
	return problem.New("%q cannot stand at %w", string(s.b[s.at:s.at+1]), s.place())
}

// place is a phrase that says where the current byte stands, in characters from 1.
func (s *scanner) place() error {
	before := s.b[:min(s.at, len(s.b))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return problem.New("line %d, column %d", 1+bytes.Count(before, []byte{'\n'}), 1+utf8.RuneCount(line))
}

// Operations for each byte of a text: to check its syntax, and to convert it to numbers too.
const (
	scanOps   = 3
	numberOps = 10
)

// count tells the meter, now and then, what has been read.
func (s *scanner) count() error {
	n := s.at - s.did
	if s.meter == nil || n < 1<<12 {
		return nil
	}
	s.did = s.at
	return s.meter.Did(s.cost * float64(n))
}

// items visits the items between the current bracket and its end.
func (s *scanner) items(end byte, item func() error) error {
	s.at++
	if s.space() == end {
		s.at++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if err := s.count(); err != nil {
			return err
		}
		if s.space() == end {
			s.at++
			return nil
		}
		if !s.take(',') {
			return s.fail()
		}
		s.space()
	}
}

// next is the current value, nested in depth lists and objects.
func (s *scanner) next(depth int) (Value, error) {
	from := s.at
	if err := s.value(depth); err != nil {
		return Value{}, err
	}
	return Value{s.b[from:s.at], s.meter}, nil
}

// member is one name of an object, still in quotes, and its value.
func (s *scanner) member(depth int) (name, value Value, err error) {
	from := s.at
	if err := s.text(); err != nil {
		return name, value, err
	}
	name = Value{raw: s.b[from:s.at]}
	if s.space(); !s.take(':') {
		return name, value, s.fail()
	}
	s.space()
	value, err = s.next(depth)
	return name, value, err
}

// object is the current object, nested in depth others.
func (s *scanner) object(depth int) (Object, error) {
	o := Object{}
	err := s.items('}', func() error {
		quoted, value, err := s.member(depth + 1)
		if err != nil {
			return err
		}
		name, err := quoted.Text()
		if err != nil {
			return err
		}
		if _, twice := o[name]; twice {
			return problem.New("the field %s is given twice, again before %w", quoted.glimpse(), s.place())
		}
		o[name] = value
		return nil
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// value moves past the current value.
func (s *scanner) value(depth int) error {
	switch c := s.peek(); {
	case c == '"':
		return s.text()
	case c == '-' || digit(c):
		return s.number()
	case (c == '[' || c == '{') && depth >= MaxDepth:
		return problem.New("it is nested more than %d deep at %w", MaxDepth, s.place())
	case c == '[':
		return s.items(']', func() error { return s.value(depth + 1) })
	case c == '{':
		return s.items('}', func() error { _, _, err := s.member(depth + 1); return err })
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if bytes.HasPrefix(s.b[s.at:], []byte(word)) {
			s.at += len(word)
			return nil
		}
	}
	return s.fail()
}

// number moves past a number: no sign but -, no zeros in front, digits on both
// sides of the point.
func (s *scanner) number() error {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return s.fail()
	}
	if s.take('.') && !s.digits() {
		return s.fail()
	}
	if s.take('e') || s.take('E') {
		if !s.take('-') {
			s.take('+')
		}
		if !s.digits() {
			return s.fail()
		}
	}
	return nil
}

// digits moves past at least one digit.
func (s *scanner) digits() bool {
	from := s.at
	for digit(s.peek()) {
		s.at++
	}
	return s.at > from
}

// text moves past a string.
func (s *scanner) text() error {
	if !s.take('"') {
		return s.fail()
	}
	for !s.take('"') {
		c := s.peek()
		if c < ' ' { // among them the end
			return s.fail()
		}
		s.at++
		if c != '\\' {
			continue
		}
		if bytes.IndexByte([]byte(`"\/bfnrtu`), s.peek()) < 0 {
			return s.fail()
		}
		if s.take('u') {
			for range 4 {
				if c := s.peek(); !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
					return s.fail()
				}
				s.at++
			}
			continue
		}
		s.at++
	}
	return nil
}
