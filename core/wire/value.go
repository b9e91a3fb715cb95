package wire

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
)

var errorType = reflect.TypeFor[error]()

// Value appends x, or the value that the pointer x points to. Its type may be made of bool, int, int32, int64, uint32,
// uint64, float64, string, slices (also of bytes), maps with string keys, pointers, error (see Problem) and structs
// without unexported fields. The encoding is deterministic and keeps every bit, but an empty map is decoded as nil.
// Value panics for other types, which is an error in the program.
func (w *Writer) Value(x any) { w.value(reflect.Indirect(reflect.ValueOf(x))) }

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

	// Errors, pointers, slices, maps and structs: their elements in turn.
	case reflect.Interface:
		if v.Type() != errorType {
			panic(fmt.Sprintf("wire: a %s cannot be written", v.Type()))
		}
		if w.Bool(!v.IsNil()); !v.IsNil() {
			w.Problem(v.Interface().(error))
		}
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

// Value decodes a value encoded by Writer.Value into out, which must point to a zero value of the same type.
func (r *Reader) Value(out any) { r.value(reflect.ValueOf(out).Elem()) }

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

	// Errors, pointers, slices, maps and structs: their elements in turn.
	case reflect.Interface:
		if v.Type() != errorType {
			panic(fmt.Sprintf("wire: a %s cannot be read", v.Type()))
		}
		if r.Bool() {
			v.Set(reflect.ValueOf(r.Problem()))
		}
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
		if n-1 > uint64(len(r.B)) { // each element takes at least one byte
			r.Fail()
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), int(n-1), int(n-1)))
		for i := 0; i < v.Len() && r.Err == nil; i++ {
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
