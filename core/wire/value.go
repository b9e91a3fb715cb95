package wire

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
)

// Value appends a value made of booleans, integers, floats, strings, slices (of bytes, too), maps with texts as keys,
// pointers and structs without unexported fields: all of the value, bit for bit, and always the same bytes. Other types
// are a mistake of the program, which panics.
func (w *Writer) Value(x any) { w.value(reflect.ValueOf(x)) }

func (w *Writer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		w.Bool(v.Bool())
	case reflect.Int, reflect.Int32, reflect.Int64:
		w.Int(int(v.Int()))
	case reflect.Uint32, reflect.Uint64:
		w.Uint(v.Uint())
	case reflect.Float64:
		w.Float(v.Float())
	case reflect.String:
		w.String(v.String())

	// Pointers, slices, maps and structs: what they hold, one after the other.
	case reflect.Pointer:
		if w.Bool(!v.IsNil()); !v.IsNil() {
			w.value(v.Elem())
		}
	case reflect.Slice:
		if v.IsNil() {
			w.Uint(0)
			return
		}
		w.Uint(uint64(v.Len()) + 1)
		if v.Type().Elem().Kind() == reflect.Uint8 {
			w.B = append(w.B, v.Bytes()...)
			return
		}
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		sort.SliceStable(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		w.Uint(uint64(len(keys)))
		for _, k := range keys {
			w.String(k.String())
			w.value(v.MapIndex(k))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("wire: a %s cannot be written", v.Type()))
	}
}

// Value reads what Writer.Value has written into what to points to, a zero value of the same type.
func (r *Reader) Value(to any) { r.value(reflect.ValueOf(to).Elem()) }

func (r *Reader) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.Bool())
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Int()))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint())
	case reflect.Float64:
		v.SetFloat(r.Float())
	case reflect.String:
		v.SetString(r.String())

	// Pointers, slices, maps and structs: what they hold, one after the other.
	case reflect.Pointer:
		if r.Bool() {
			v.Set(reflect.New(v.Type().Elem()))
			r.value(v.Elem())
		}
	case reflect.Slice:
		n := r.Uint()
		if n == 0 {
			return
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(slices.Clone(r.take(n - 1)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		for i := 0; uint64(i) < n-1 && r.Err == nil; i++ { // grows with what is there, whatever n says
			v.Grow(1)
			v.SetLen(i + 1)
			r.value(v.Index(i))
		}
	case reflect.Map:
		n := r.Uint()
		if n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for i := uint64(0); i < n && r.Err == nil; i++ {
			key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.value(key)
			r.value(item)
			v.SetMapIndex(key, item)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			r.value(v.Field(i))
		}
	default:
		panic(fmt.Sprintf("wire: a %s cannot be read", v.Type()))
	}
}
