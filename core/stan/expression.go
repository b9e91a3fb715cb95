package stan

import (
	"strings"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

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
	defer caught(text, &err)
	in := &parser{source: text, tokens: lex(text)}
	p = &Program{source: text, density: in.expression()}
	if in.may(";"); in.now().kind != ended {
		in.expected("an operator or the end of the expression")
	}
	c := &checker{functions: map[string][]*function{}, free: &p.free, block: modelBlock}
	c.push()
	if t := c.expr(p.density); !t.scalar() {
		fail(p.density.at, problem.New("%s was expected, not %s", typ{base: realType}, t))
	}
	if len(p.free) == 0 {
		fail(-1, problem.New("the expression names no variable, such as x"))
	}
	p.slots = c.slots
	return p, nil
}

// single is the tape of a density typed as an expression.
func (r *run) single(p *Program, out *Compiled) {
	r.b = tape.NewBuilder(len(p.free))
	if r.b.Err() != nil {
		fail(-1, r.b.Err())
	}
	for i, x := range r.b.Inputs() {
		s := p.free[i]
		r.frame[s.slot] = realValue(x)
		out.Parameters = append(out.Parameters, Parameter{Variable: Variable{Name: s.name, Type: s.typ.String()}, First: i,
			Free: 1})
		r.b.Show(s.name, x)
	}
	r.add(r.logOf(p.density))
}

// logOf is the log of an expression that is not below 0, taken factor by factor, so that it is right where the
// expression itself is too small to be a number.
func (r *run) logOf(e *expr) tape.Scalar {
	log := func(e *expr) tape.Scalar {
		if positive(e) {
			return r.logOf(e)
		}
		return r.b.Do(tape.Log, r.num(e))
	}
	r.at = e.at
	switch name := e.name; {
	case name == "exp" && len(e.args) == 1:
		return r.num(e.args[0])
	case (name == "*" || name == "/") && (positive(e.args[0]) || positive(e.args[1])):
		code := tape.Add
		if name == "/" {
			code = tape.Sub
		}
		return r.b.Do(code, log(e.args[0]), log(e.args[1]))
	case name == "+" && e.node == binaryNode && positive(e):
		return r.b.Do(tape.LogAddExp, r.logOf(e.args[0]), r.logOf(e.args[1]))
	case name == "^" || name == "pow":
		power := r.num(e.args[1])
		if positive(e.args[0]) {
			return r.b.Do(tape.Mul, power, r.logOf(e.args[0]))
		}
		if even(e.args[1]) {
			return r.b.Do(tape.Mul, power, r.b.Do(tape.Log, r.b.Do(tape.Abs, r.num(e.args[0]))))
		}
	case name == "sqrt":
		return r.b.Do(tape.Mul, tape.Const(.5), log(e.args[0]))
	}
	return r.b.Do(tape.Log, r.num(e))
}

// notBelow are functions whose values are never below 0.
var notBelow = map[string]bool{"exp": true, "sqrt": true, "square": true, "abs": true, "fabs": true, "inv_logit": true,
	"Phi": true, "erfc": true, "step": true, "inv_square": true, "pi": true, "e": true, "cosh": true}

// positive reports whether an expression is never below 0, as far as its form shows.
func positive(e *expr) bool {
	switch {
	case e.node == literalNode:
		return true
	case e.node == callNode && e.name != "pow":
		return notBelow[e.name]
	case e.name == "*" || e.name == "/" || e.name == "+" && e.node == binaryNode:
		return positive(e.args[0]) && positive(e.args[1])
	case e.name == "^" || e.name == "pow":
		return positive(e.args[0]) || even(e.args[1])
	}
	return false
}

// even reports whether an expression is an even whole number.
func even(e *expr) bool {
	return e.node == literalNode && e.typ.base == intType && int(e.num)%2 == 0
}
