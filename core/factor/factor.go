package factor

// Factor is a nonnegative table over some variables, in logs: -Inf is a hard constraint.
type Factor struct {
	On    []int     // variables, each once
	Table []float64 // log values, the last variable of On fastest; a factor on nothing has one
}

// Graph is a product of factors over discrete variables; its partition function is
//
//	Z = sum over x of the product over factors of exp Table[x_On].
type Graph struct {
	States  []int // number of states of each variable, at least 1
	Factors []Factor
}
