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
	priorKinds    map[*syntax.Expr]string // terms that may state a prior, with their kinds
	constantTerms map[*syntax.Expr]bool   // terms of the density that depend on no parameter
}

// Parse parses a program and checks its names and types.
func Parse(source string) (p *Program, err error) {
	defer lang.Recover(source, &err)
	p = &Program{Program: syntax.Parse(source)}
	check(p)
	return p, nil
}

// Read parses a program, or a density given as one expression if the text has no block.
func Read(text string) (*Program, error) {
	if strings.Contains(text, "{") {
		return Parse(text)
	}
	return Expression(text)
}

// Expression parses a density given as one expression, such as exp(-x^2/2) * (1 + sin(3*x)^2). Its variables become
// real parameters, in order of appearance; pi and e are constants.
func Expression(text string) (p *Program, err error) {
	defer lang.Recover(text, &err)
	p = &Program{Program: syntax.Expression(text)}
	c := &checker{functions: map[string][]*syntax.Function{}, freeSymbols: &p.FreeSymbols, block: syntax.ModelBlock}
	c.push()
	if t := c.exprType(p.Density); !t.IsScalar() {
		lang.Fail(p.Density.Pos, problem.New("expected %s, found %s", lang.Type{Base: lang.RealType}, t))
	}
	if len(p.FreeSymbols) == 0 {
		lang.Fail(-1, problem.New("the expression has no variable, such as x"))
	}
	p.Slots = c.slots
	return p, nil
}

// lowerExpressionProgram emits the tape of a density given as one expression.
func (r *lowerer) lowerExpressionProgram(p *Program, out *Compiled) {
	if r.Start(len(p.FreeSymbols)); r.B.Err() != nil {
		lang.Fail(-1, r.B.Err())
	}
	for i, x := range r.B.Inputs() {
		s := p.FreeSymbols[i]
		r.frame[s.Slot] = lang.RealValue(x)
		out.Parameters = append(out.Parameters, Parameter{Variable: Variable{Name: s.Name, Type: s.Type.String()}, First: i,
			Free: 1})
		r.B.Output(s.Name, x)
	}
	r.addTerm(r.logOfExpr(p.Density))
}

// logOfExpr emits the log of a non-negative expression, factor by factor, so that it is accurate if the expression
// underflows.
func (r *lowerer) logOfExpr(e *syntax.Expr) tape.Scalar {
	log := func(e *syntax.Expr) tape.Scalar {
		if isNonNegative(e) {
			return r.logOfExpr(e)
		}
		return r.B.Do(tape.Log, r.scalar(e))
	}

	// Rules of logs, for operations on positive factors.
	r.Pos = e.Pos
	switch name := e.Name; {
	case name == "exp" && len(e.Args) == 1:
		return r.scalar(e.Args[0])
	case (name == "*" || name == "/") && (isNonNegative(e.Args[0]) || isNonNegative(e.Args[1])):
		code := tape.Add
		if name == "/" {
			code = tape.Sub
		}
		return r.B.Do(code, log(e.Args[0]), log(e.Args[1]))
	case name == "+" && e.Kind == syntax.BinaryNode && isNonNegative(e):
		return r.B.Do(tape.LogAddExp, r.logOfExpr(e.Args[0]), r.logOfExpr(e.Args[1]))

	// Powers and roots.
	case name == "^" || name == "pow":
		power := r.scalar(e.Args[1])
		if isNonNegative(e.Args[0]) {
			return r.B.Do(tape.Mul, power, r.logOfExpr(e.Args[0]))
		}
		if isEvenLiteral(e.Args[1]) {
			return r.B.Do(tape.Mul, power, r.B.Do(tape.Log, r.B.Do(tape.Abs, r.scalar(e.Args[0]))))
		}
	case name == "sqrt":
		return r.B.Do(tape.Mul, tape.Const(.5), log(e.Args[0]))
	}
	return r.B.Do(tape.Log, r.scalar(e))
}

// nonNegativeFunctions are functions whose values are never negative.
var nonNegativeFunctions = map[string]bool{"exp": true, "sqrt": true, "square": true, "abs": true, "fabs": true, "inv_logit": true,
	"Phi": true, "erfc": true, "step": true, "inv_square": true, "pi": true, "e": true, "cosh": true}

// isNonNegative reports whether the form of an expression shows that it is not negative.
func isNonNegative(e *syntax.Expr) bool {
	switch {
	case e.Kind == syntax.LiteralNode:
		return true
	case e.Kind == syntax.CallNode && e.Name != "pow":
		return nonNegativeFunctions[e.Name]
	case e.Name == "*" || e.Name == "/" || e.Name == "+" && e.Kind == syntax.BinaryNode:
		return isNonNegative(e.Args[0]) && isNonNegative(e.Args[1])
	case e.Name == "^" || e.Name == "pow":
		return isNonNegative(e.Args[0]) || isEvenLiteral(e.Args[1])
	}
	return false
}

// isEvenLiteral reports whether an expression is an even integer literal.
func isEvenLiteral(e *syntax.Expr) bool {
	return e.Kind == syntax.LiteralNode && e.Type.Base == lang.IntType && int(e.Num)%2 == 0
}
