package syntax

// Walk calls f for all statements.
func Walk(list []*Stmt, f func(s *Stmt)) {
	for _, s := range list {
		f(s)
		Walk(s.Body, f)
		Walk(s.Else, f)
	}
}

// Names calls f for all variables of an expression.
func WalkVariables(e *Expr, f func(s *Symbol)) {
	if e == nil {
		return
	}
	if e.Kind == NameNode && e.Sym != nil { // nil: of a function that is refused
		f(e.Sym)
	}
	for _, a := range e.Args {
		WalkVariables(a, f)
	}
	for _, i := range e.Indices {
		WalkVariables(i.Lo, f)
		WalkVariables(i.Hi, f)
	}
}

// Root is the variable of which an expression is a part.
func Root(e *Expr) *Expr {
	for e.Kind == IndexNode || e.Kind == TuplePartNode {
		e = e.Args[0]
	}
	return e
}

// Terms are the terms of a sum.
func SumTerms(e *Expr) []*Expr {
	if e.Kind == BinaryNode && (e.Name == "+" || e.Name == "-") {
		return append(SumTerms(e.Args[0]), SumTerms(e.Args[1])...)
	}
	return []*Expr{e}
}
