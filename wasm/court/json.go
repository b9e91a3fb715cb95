package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// encoded is x as encoding/json writes it, by the tags of structs, without its 80 kB: every reader would wait for them.
// A test compares both.
func encoded(x any) string {
	var b strings.Builder
	encode(&b, reflect.ValueOf(x))
	return b.String()
}

func encode(b *strings.Builder, v reflect.Value) {
	if m, ok := v.Interface().(interface{ MarshalJSON() ([]byte, error) }); ok && v.Kind() != reflect.Pointer {
		text, _ := m.MarshalJSON()
		b.Write(text)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("null")
		} else {
			encode(b, v.Elem())
		}
	case reflect.Struct:
		encodeFields(b, v)
	case reflect.Slice:
		if v.IsNil() {
			b.WriteString("null")
			return
		}
		list(b, "[]", v.Len(), func(i int) { encode(b, v.Index(i)) })
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("null")
			return
		}
		keys := v.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
		list(b, "{}", len(keys), func(i int) {
			quote(b, keys[i].String())
			b.WriteByte(':')
			encode(b, v.MapIndex(keys[i]))
		})

	// Values without parts.
	case reflect.String:
		quote(b, v.String())
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int:
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Float64: // of factors, which are small
		b.WriteString(strconv.FormatFloat(v.Float(), 'f', -1, 64))
	default:
		panic("court: no JSON of a " + v.Kind().String())
	}
}

// list writes n things between brackets.
func list(b *strings.Builder, brackets string, n int, item func(i int)) {
	b.WriteByte(brackets[0])
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		item(i)
	}
	b.WriteByte(brackets[1])
}

func encodeFields(b *strings.Builder, v reflect.Value) {
	var at []int
	for i := range v.NumField() {
		name, more, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != "-" && !(more == "omitempty" && isEmpty(v.Field(i))) {
			at = append(at, i)
		}
	}
	list(b, "{}", len(at), func(i int) {
		name, _, _ := strings.Cut(v.Type().Field(at[i]).Tag.Get("json"), ",")
		quote(b, name)
		b.WriteByte(':')
		encode(b, v.Field(at[i]))
	})
}

// isEmpty tells what omitempty leaves out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	}
	return v.IsZero()
}

// quote writes a string.
func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == utf8.RuneError && s[i] != '\xEF': // no UTF-8
			b.WriteString(`\ufffd`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < ' ' || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// encodedAll is one report as an object, several as an array, as court.JSON has them.
func encodedAll[R any](reports []*R) string {
	if len(reports) == 1 {
		return encoded(reports[0])
	}
	return encoded(reports)
}
