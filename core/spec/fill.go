package spec

import (
	"fmt"
	"reflect"
	"strconv"
)

// Fill sets the fields of the struct that into points to. The tag param of a field names the parameter that gives its
// value. A method or a model calls Fill once, when it starts:
//
//	var p struct {
//		Particles int     `param:"particles"`
//		ESS       float64 `param:"ess"`
//		Adaptive  bool    `param:"adaptive"` // yes or no
//		Schedule  string  `param:"schedule"`
//	}
//	v.Fill(&p)
//
// Fields may have type int, float64, string or bool; a bool is true if the value is "yes". The fields of embedded
// structs are set in the same way. The values must have been validated by Param.Canonical. A parameter that is missing
// or empty leaves its field unchanged, so that a caller may set defaults first. Fill panics if into is not a pointer to
// such a struct, which is an error in the program.
func (v Values) Fill(into any) { v.fill(reflect.ValueOf(into).Elem()) }

func (v Values) fill(s reflect.Value) {
	for i := range s.NumField() {
		field, info := s.Field(i), s.Type().Field(i)
		if info.Anonymous {
			v.fill(field)
			continue
		}
		name, tagged := info.Tag.Lookup("param")
		text := v[name]
		if !tagged || text == "" {
			continue
		}
		switch to := field.Addr().Interface().(type) {
		case *int:
			*to, _ = strconv.Atoi(text)
		case *float64:
			*to, _ = strconv.ParseFloat(text, 64)
		case *string:
			*to = text
		case *bool:
			*to = text == "yes"
		default:
			panic(fmt.Sprintf("spec: the parameter %s has a field of type %s", name, info.Type))
		}
	}
}
