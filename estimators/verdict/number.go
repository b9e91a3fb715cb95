package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"logzlab/core/num"
	"logzlab/core/spec"
)

// Number is a float64 that is encoded in JSON as its shortest decimal, as in links, or as null if it is NaN or
// infinite.
type Number float64

// NaN is an unknown number.
var NaN = Number(math.NaN())

// IsNumber reports whether x is finite. Other values are null in JSON.
func IsNumber(x Number) bool { return num.Finite(float64(x)) }

// MarshalJSON writes the number or null.
func (x Number) MarshalJSON() ([]byte, error) {
	return []byte(spec.JSONNumber(float64(x))), nil
}

// Numbers is a list of float64 that is encoded in JSON as a list of Number.
type Numbers []float64

// MarshalJSON writes a list of numbers and nulls.
func (x Numbers) MarshalJSON() ([]byte, error) {
	if x == nil {
		return []byte("null"), nil
	}
	out := []byte{'['}
	for i, v := range x {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, spec.JSONNumber(v)...)
	}
	return append(out, ']'), nil
}

// Encode encodes x as JSON on one line, by its struct tags, without escaping <, > and &. It panics if x contains a
// value that JSON lacks: a float64 that may be NaN must be a Number.
func Encode(x any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		panic(fmt.Sprintf("verdict: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
