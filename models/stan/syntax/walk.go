package syntax

// Walk calls f for all statements.
func Walk(list []*Stmt, f func(s *Stmt)) {
	for _, s := range list {
		f(s)
		Walk(s.Body, f)
		Walk(s.Other, f)
	}
}

// Names calls f for all variables of an expression.
func Names(e *Expr, f func(s *Symbol)) {
	if e == nil {
		return
	}
	if e.Node == NameNode && e.Sym != nil { // nil: of a function that is refused
		f(e.Sym)
	}
	for _, a := range e.Args {
		Names(a, f)
	}
	for _, i := range e.Idx {
		Names(i.Lo, f)
		Names(i.Hi, f)
	}
}

// Root is the variable of which an expression is a part.
func Root(e *Expr) *Expr {
	for e.Node == IndexNode || e.Node == PartNode {
		e = e.Args[0]
	}
	return e
}

// Terms are the terms of a sum.
func Terms(e *Expr) []*Expr {
	if e.Node == BinaryNode && (e.Name == "+" || e.Name == "-") {
		return append(Terms(e.Args[0]), Terms(e.Args[1])...)
	}
	return []*Expr{e}
}
