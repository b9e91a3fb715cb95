package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// unset is what a variable has before its first value: a NaN of its own, so that NaN may be assigned on purpose.
var unset = tape.Const(math.Float64frombits(unsetBits))

// unsetInt is that of a whole number.
var unsetInt = tape.Const(math.MinInt32)

const unsetBits = 0x7ff8_0000_5e7a_0000

func isUnset(x tape.Scalar) bool {
	c, known := x.Const()
	return known && math.Float64bits(c) == unsetBits
}

// use is a number of a variable that is read; one without a value is refused.
func (r *run) use(e *syntax.Expr, x tape.Scalar) tape.Scalar {
	if isUnset(x) || x == unsetInt && e.Type.Base == lang.IntType {
		r.unset(e, "")
	}
	return x
}

// selects are functions that only choose or arrange elements: a result is checked where the program uses it.
var selects = map[string]bool{"head": true, "tail": true, "segment": true, "row": true, "col": true, "block": true,
	"sub_row": true, "sub_col": true, "append_row": true, "append_col": true, "append_array": true, "reverse": true,
	"to_vector": true, "to_row_vector": true, "to_matrix": true, "to_array_1d": true, "to_array_2d": true}

// useAll is the same of the elements of what an operation or function reads.
func (r *run) useAll(e *syntax.Expr, v lang.Value) lang.Value {
	for i, x := range v.X {
		if isUnset(x) {
			element := ""
			if e.Node == syntax.NameNode {
				element = elementName(v.Dims, i)
			}
			r.unset(e, element)
		}
	}
	return v
}

func (r *run) unset(e *syntax.Expr, element string) {
	if of := syntax.Root(e); of.Node == syntax.NameNode {
		lang.Fail(e.Start, problem.New("%s has no value here", of.Name+element))
	}
}
