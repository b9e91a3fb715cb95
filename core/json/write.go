package json

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Writer makes a JSON text. It puts commas by itself; the caller sees to it that
// brackets match and that each value of an object has a Key. Methods return their
// Writer, so that calls can be chained.
type Writer struct{ b []byte }

// Bytes is the text so far.
func (w *Writer) Bytes() []byte { return w.b }

// put appends a value, after a comma where one is due.
func (w *Writer) put(s string) *Writer {
	if n := len(w.b); n > 0 && w.b[n-1] != '{' && w.b[n-1] != '[' && w.b[n-1] != ':' {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, s...)
	return w
}

// Object begins an object, List a list.
func (w *Writer) Object() *Writer { return w.put("{") }
func (w *Writer) List() *Writer   { return w.put("[") }

// EndObject and EndList end what Object and List began.
func (w *Writer) EndObject() *Writer { w.b = append(w.b, '}'); return w }
func (w *Writer) EndList() *Writer   { w.b = append(w.b, ']'); return w }

// Key names the value that comes next.
func (w *Writer) Key(name string) *Writer {
	w.Text(name)
	w.b = append(w.b, ':')
	return w
}

// Null writes null.
func (w *Writer) Null() *Writer { return w.put("null") }

// Bool writes true or false.
func (w *Writer) Bool(x bool) *Writer { return w.put(strconv.FormatBool(x)) }

// Int writes a whole number.
func (w *Writer) Int(x int) *Writer { return w.put(strconv.Itoa(x)) }

// Number writes a number, null for one that is not finite.
func (w *Writer) Number(x float64) *Writer {
	if x-x != 0 {
		return w.Null()
	}
	return w.put(Decimal(x))
}

// Decimal is the shortest decimal that reads back as x; -0 is 0. A finite x gives
// a JSON number.
func Decimal(x float64) string {
	if x == 0 {
		x = 0
	}
	if math.Abs(x) >= 1e-5 && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Text writes a string. Bytes that are not UTF-8 become U+FFFD.
func (w *Writer) Text(s string) *Writer {
	w.put(`"`)
	from := 0 // s[from:i] goes as it is
	for i := 0; i < len(s); {
		c, n := s[i], 1
		escaped := ""
		switch {
		case c == '"' || c == '\\':
			escaped = "\\" + string(rune(c))
		case c == '\n':
			escaped = `\n`
		case c < ' ':
			escaped = `\u00` + string("01"[c>>4]) + string("0123456789abcdef"[c&15])
		case c >= utf8.RuneSelf:
			var r rune
			if r, n = utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && n == 1 {
				escaped = `\ufffd`
			}
		}
		if escaped != "" {
			w.b = append(append(w.b, s[from:i]...), escaped...)
			from = i + n
		}
		i += n
	}
	w.b = append(append(w.b, s[from:]...), '"')
	return w
}

// PutList writes a list, each of its items by put; nil is null.
func PutList[T any](w *Writer, list []T, put func(T)) {
	if list == nil {
		w.Null()
		return
	}
	w.List()
	for _, x := range list {
		put(x)
	}
	w.EndList()
}

// PutMap writes an object, its names sorted, each of its values by put; nil is null.
func PutMap[T any](w *Writer, m map[string]T, put func(T)) {
	if m == nil {
		w.Null()
		return
	}
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	w.Object()
	for _, name := range names {
		w.Key(name)
		put(m[name])
	}
	w.EndObject()
}
