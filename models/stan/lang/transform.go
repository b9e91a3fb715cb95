package lang

// Ends of the names of functions that compute the transforms of declared types: from coordinates, from them with the
// Jacobian added to the density, and to coordinates.
const (
	ConstrainSuffix   = "_constrain"
	JacobianSuffix    = "_jacobian"
	UnconstrainSuffix = "_unconstrain"
)

// transformFunctions declares the functions of transforms with their types. Package stan computes them, because they
// may add to the density.
var transformFunctions = transforms()

// elementTransforms holds the elementwise transforms, with the number of their arguments. constrainedTransforms holds
// those of vectors and matrices, with the types of the coordinates (from) and of the constrained value (to), and the
// number of size arguments.
var (
	elementTransforms     = map[string]int{"lower_bound": 2, "upper_bound": 2, "lower_upper_bound": 3, "offset_multiplier": 3}
	constrainedTransforms = map[string]struct {
		from, to Base
		sizes    int
	}{
		"ordered": {VectorType, VectorType, 0}, "positive_ordered": {VectorType, VectorType, 0},
		"simplex": {VectorType, VectorType, 0}, "unit_vector": {VectorType, VectorType, 0},
		"sum_to_zero": {VectorType, VectorType, 0}, "corr_matrix": {VectorType, MatrixType, 1},
		"cov_matrix": {VectorType, MatrixType, 1}, "cholesky_factor_corr": {VectorType, MatrixType, 1},
		"cholesky_factor_cov": {VectorType, MatrixType, 2}, "stochastic_column": {MatrixType, MatrixType, 0},
		"stochastic_row": {MatrixType, MatrixType, 0},
	}
)

// transforms returns the transform functions with their type rules.
func transforms() (out []Builtin) {
	for name, n := range elementTransforms {
		takes := "EEEEE"[:n] + ":E"
		for _, end := range []string{ConstrainSuffix, JacobianSuffix, UnconstrainSuffix} {
			out = append(out, Builtin{names: name + end, reservedFor: neverReserved, TypeRule: func(args []Type) (Type, bool) {
				t, ok := MatchSignature(takes, args)
				return t, ok && t == args[0].Promoted()
			}})
		}
	}
	for name, s := range constrainedTransforms {
		for _, end := range []string{ConstrainSuffix, JacobianSuffix, UnconstrainSuffix} {
			from, to, n := s.from, s.to, s.sizes
			if end == UnconstrainSuffix {
				from, to, n = to, from, 0
			}
			out = append(out, Builtin{names: name + end, reservedFor: neverReserved, TypeRule: func(args []Type) (t Type, ok bool) {
				if len(args) != n+1 {
					return t, false
				}
				for _, a := range args[1:] {
					if a != (Type{Base: IntType}) {
						return t, false
					}
				}
				t = args[0]
				if name == "sum_to_zero" && t.Base == MatrixType {
					return t, true
				}
				ok = t.Base == from
				t.Base = to
				return t, ok
			}})
		}
	}
	return out
}
