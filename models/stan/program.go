package stan

import (
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// Program is a Stan program whose names and types have been checked.
type Program struct {
	*syntax.Program
	states map[*syntax.Expr]string // terms that may state a prior, by how they do
	free   map[*syntax.Expr]bool   // terms of the density that depend on no parameter
}

// Parse reads a program, and checks its names and types.
func Parse(source string) (p *Program, err error) {
	defer lang.Caught(source, &err)
	p = &Program{Program: syntax.Parse(source)}
	check(p)
	return p, nil
}

// Read reads a program, or a density typed as one expression: a text without a block.
func Read(text string) (*Program, error) {
	if strings.Contains(text, "{") {
		return Parse(text)
	}
	return Expression(text)
}

// Expression reads a density that is typed as one expression, as exp(-x^2/2) * (1 + sin(3*x)^2). Its names are real
// parameters, in the order in which they appear; pi and e are the numbers.
func Expression(text string) (p *Program, err error) {
	defer lang.Caught(text, &err)
	p = &Program{Program: syntax.Expression(text)}
	c := &checker{functions: map[string][]*syntax.Function{}, free: &p.Free, block: syntax.ModelBlock}
	c.push()
	if t := c.expr(p.Density); !t.Scalar() {
		lang.Fail(p.Density.At, problem.New("expected %s, found %s", lang.Type{Base: lang.RealType}, t))
	}
	if len(p.Free) == 0 {
		lang.Fail(-1, problem.New("the expression has no variable, such as x"))
	}
	p.Slots = c.slots
	return p, nil
}

// single is the tape of a density typed as an expression.
func (r *run) single(p *Program, out *Compiled) {
	if r.Start(len(p.Free)); r.B.Err() != nil {
		lang.Fail(-1, r.B.Err())
	}
	for i, x := range r.B.Inputs() {
		s := p.Free[i]
		r.frame[s.Slot] = lang.RealValue(x)
		out.Parameters = append(out.Parameters, Parameter{Variable: Variable{Name: s.Name, Type: s.Type.String()}, First: i,
			Free: 1})
		r.B.Output(s.Name, x)
	}
	r.add(r.logOf(p.Density))
}

// logOf is the log of an expression that is not below 0, taken factor by factor, so that it is right where the
// expression itself is too small to be a number.
func (r *run) logOf(e *syntax.Expr) tape.Scalar {
	log := func(e *syntax.Expr) tape.Scalar {
		if positive(e) {
			return r.logOf(e)
		}
		return r.B.Do(tape.Log, r.num(e))
	}

	// Rules of logs, for operations on positive factors.
	r.At = e.At
	switch name := e.Name; {
	case name == "exp" && len(e.Args) == 1:
		return r.num(e.Args[0])
	case (name == "*" || name == "/") && (positive(e.Args[0]) || positive(e.Args[1])):
		code := tape.Add
		if name == "/" {
			code = tape.Sub
		}
		return r.B.Do(code, log(e.Args[0]), log(e.Args[1]))
	case name == "+" && e.Node == syntax.BinaryNode && positive(e):
		return r.B.Do(tape.LogAddExp, r.logOf(e.Args[0]), r.logOf(e.Args[1]))

	// Powers and roots.
	case name == "^" || name == "pow":
		power := r.num(e.Args[1])
		if positive(e.Args[0]) {
			return r.B.Do(tape.Mul, power, r.logOf(e.Args[0]))
		}
		if even(e.Args[1]) {
			return r.B.Do(tape.Mul, power, r.B.Do(tape.Log, r.B.Do(tape.Abs, r.num(e.Args[0]))))
		}
	case name == "sqrt":
		return r.B.Do(tape.Mul, tape.Const(.5), log(e.Args[0]))
	}
	return r.B.Do(tape.Log, r.num(e))
}

// notBelow are functions whose values are never below 0.
var notBelow = map[string]bool{"exp": true, "sqrt": true, "square": true, "abs": true, "fabs": true, "inv_logit": true,
	"Phi": true, "erfc": true, "step": true, "inv_square": true, "pi": true, "e": true, "cosh": true}

// positive reports whether an expression is never below 0, as far as its form shows.
func positive(e *syntax.Expr) bool {
	switch {
	case e.Node == syntax.LiteralNode:
		return true
	case e.Node == syntax.CallNode && e.Name != "pow":
		return notBelow[e.Name]
	case e.Name == "*" || e.Name == "/" || e.Name == "+" && e.Node == syntax.BinaryNode:
		return positive(e.Args[0]) && positive(e.Args[1])
	case e.Name == "^" || e.Name == "pow":
		return positive(e.Args[0]) || even(e.Args[1])
	}
	return false
}

// even reports whether an expression is an even whole number.
func even(e *syntax.Expr) bool {
	return e.Node == syntax.LiteralNode && e.Type.Base == lang.IntType && int(e.Num)%2 == 0
}
