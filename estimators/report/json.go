package report

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"logzlab/core/spec"
)

// Number is a number that may be unknown.
type Number float64

// NaN is a number that is not known.
var NaN = Number(math.NaN())

// IsNumber reports whether x is finite, so not null in JSON.
func IsNumber(x Number) bool { return x-x == 0 }

// JSON is one object, or an array where there are several methods.
func JSON(reports []*Report) []byte {
	if len(reports) == 1 {
		return Encode(reports[0])
	}
	return Encode(reports)
}

// Encode is x as JSON on one line, the fields of structs by their tags, as encoding/json has it but for these: every
// float64 is its shortest decimal, the same as in links, or null when it is NaN or infinite; a text with the tag
// empty:"null" is null when it is empty; <, > and & stand as they are. It knows the kinds of values that are sent, in
// a tenth of encoding/json's code, which would delay the page's first number.
func Encode(x any) []byte { return encode(nil, reflect.ValueOf(x)) }

// encode appends x.
func encode(out []byte, x reflect.Value) []byte {
	switch kind := x.Kind(); kind {
	case reflect.Bool:
		return strconv.AppendBool(out, x.Bool())
	case reflect.Int:
		return strconv.AppendInt(out, x.Int(), 10)
	case reflect.Uint32:
		return strconv.AppendUint(out, x.Uint(), 10)
	case reflect.Float64:
		if f := x.Float(); f-f == 0 {
			return append(out, spec.Decimal(f)...)
		}
		return append(out, "null"...)
	case reflect.String:
		return encodeText(out, x.String())
	case reflect.Struct:
		return encodeFields(out, x)
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if x.IsNil() {
			return append(out, "null"...)
		}
		switch kind {
		case reflect.Pointer:
			return encode(out, x.Elem())
		case reflect.Slice:
			out = append(out, '[')
			for i := range x.Len() {
				out = encode(separate(out), x.Index(i))
			}
			return append(out, ']')
		}
		out = append(out, '{')
		values := map[string]reflect.Value{}
		for all := x.MapRange(); all.Next(); {
			values[all.Key().String()] = all.Value()
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			out = encode(append(encodeText(separate(out), key), ':'), values[key])
		}
		return append(out, '}')
	}
	panic(fmt.Sprintf("report: no JSON for %s", x.Type()))
}

// encodeFields appends a struct.
func encodeFields(out []byte, x reflect.Value) []byte {
	out = append(out, '{')
	for i := range x.NumField() {
		field, tag := x.Field(i), x.Type().Field(i).Tag
		name, option, _ := strings.Cut(tag.Get("json"), ",")
		if name == "" || name == "-" || option == "omitempty" && empty(field) {
			continue
		}
		out = append(encodeText(separate(out), name), ':')
		if tag.Get("empty") == "null" && empty(field) {
			out = append(out, "null"...)
		} else {
			out = encode(out, field)
		}
	}
	return append(out, '}')
}

// empty reports whether a text or list has nothing in it, or a pointer leads nowhere.
func empty(x reflect.Value) bool {
	if x.Kind() == reflect.Pointer {
		return x.IsNil()
	}
	return x.Len() == 0
}

// separate appends the comma before an item that is not the first.
func separate(out []byte) []byte {
	if last := out[len(out)-1]; last == '[' || last == '{' {
		return out
	}
	return append(out, ',')
}

// What JSON writes as a letter after a backslash, and the letters.
const special, letters = "\b\f\n\r\t\"\\", `bfnrt"\`

// encodeText appends a text in quotes.
func encodeText(out []byte, s string) []byte {
	out = append(out, '"')
	s = strings.ToValidUTF8(s, "\ufffd")
	done := 0
	for i, r := range s {
		if r >= ' ' && r != '"' && r != '\\' && r != '\u2028' && r != '\u2029' { // JavaScript had these as ends of lines
			continue
		}
		out = append(out, s[done:i]...)
		if letter := strings.IndexRune(special, r); letter >= 0 {
			out = append(out, '\\', letters[letter])
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		done = i + utf8.RuneLen(r)
	}
	return append(append(out, s[done:]...), '"')
}
