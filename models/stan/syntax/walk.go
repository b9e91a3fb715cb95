package syntax

// Walk calls f for all statements, including nested ones.
func Walk(list []*Stmt, f func(s *Stmt)) {
	for _, s := range list {
		f(s)
		Walk(s.Body, f)
		Walk(s.Else, f)
	}
}

// WalkVariables calls f for each occurrence of a variable in an expression.
func WalkVariables(e *Expr, f func(s *Symbol)) {
	if e == nil {
		return
	}
	if e.Kind == NameNode && e.Sym != nil { // nil in functions that are not supported
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

// Root returns the expression that is indexed: x for x[1].2.
func Root(e *Expr) *Expr {
	for e.Kind == IndexNode || e.Kind == TuplePartNode {
		e = e.Args[0]
	}
	return e
}

// SumTerms returns the terms of a sum or difference, without their signs.
func SumTerms(e *Expr) []*Expr {
	if e.Kind == BinaryNode && (e.Name == "+" || e.Name == "-") {
		return append(SumTerms(e.Args[0]), SumTerms(e.Args[1])...)
	}
	return []*Expr{e}
}
