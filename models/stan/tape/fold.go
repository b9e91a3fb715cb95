package tape

// fold computes an elementwise operation on constants.
func (b *Builder) fold(code Code, n int, args [][]Scalar) []Scalar {
	var values [3][]float64
	for i, a := range args {
		values[i] = make([]float64, n)
		for k := range values[i] {
			values[i][k] = a[min(k, len(a)-1)].value
		}
	}
	out := make([]float64, n)
	forwardElementwise(code, out, values[0], values[1], values[2])
	return Consts(out...)
}

// foldShaped computes an operation on vectors or matrices of constants.
func (b *Builder) foldShaped(o op) []Scalar {
	m := &Evaluator{t: &b.t, maxPoints: 1, n: 1, vals: make([]float64, o.n)}
	m.forward(&o)
	return Consts(m.vals...)
}
