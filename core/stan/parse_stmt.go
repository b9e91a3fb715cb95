package stan

import (
	"logzlab/core/problem"
)

// statement reads a statement, or a declaration, which may be of several variables.
func (p *parser) statement() []*stmt {
	defer p.deeper()()
	t := *p.now()
	if p.declares() {
		return p.declaration()
	}
	s := &stmt{at: t.at, start: t.at}
	switch {
	case t.kind == ended:
		p.expected(quoted("}"))
	case p.may(";"):
	case t.is("{") && !p.listAhead():
		p.take()
		s.action, s.body = blockStmt, p.rest()
	case t.is("profile") && p.next().is("("):
		p.i += 2
		if p.now().kind == text {
			p.take()
		}
		p.must(")")
		p.must("{")
		s.action, s.body = blockStmt, p.rest()
	case p.may("if"):
		s.action, s.left = ifStmt, p.condition()
		s.body = p.statement()
		if p.may("else") {
			s.other = p.statement()
		}
	case p.may("while"):
		s.action, s.left = whileStmt, p.condition()
		s.body = p.statement()
	case p.may("for"):
		p.loop(s)
	case t.is("break"), t.is("continue"):
		s.action = breakStmt
		if t.text == "continue" {
			s.action = continueStmt
		}
		p.take()
		p.must(";")
	case p.may("return"):
		s.action = returnStmt
		if !p.is(";") {
			s.right = p.expression()
		}
		p.must(";")
	case (t.is("print") || t.is("reject") || t.is("fatal_error")) && p.next().is("("):
		s.action = printStmt
		if t.text != "print" {
			s.action = rejectStmt
		}
		p.take()
		p.must("(")
		s.args = p.list(")")
		p.must(";")
	case t.is("target") && p.next().is("+="):
		p.i += 2
		s.action, s.right = targetStmt, p.expression()
		p.must(";")
	case t.is("jacobian") && p.next().is("+="):
		p.i += 2
		s.action, s.text, s.right = targetStmt, t.text, p.expression()
		p.must(";")
	case t.is("increment_log_prob"):
		fail(t.at, problem.New("increment_log_prob(x) is written target += x now"))
	default:
		p.simple(s)
	}
	return []*stmt{s}
}

// listAhead reports whether the brace here begins a list that has a distribution, {a, b} ~ f(x), and no block.
func (p *parser) listAhead() bool {
	open := 0
	for i := p.i; ; i++ {
		switch t := &p.tokens[i]; {
		case t.is("{"):
			open++
		case t.is(";") || t.kind == ended:
			return false
		case t.is("}"):
			if open--; open == 0 {
				return p.tokens[i+1].is("~")
			}
		}
	}
}

// rest is the statements of a block behind its {.
func (p *parser) rest() []*stmt {
	var body []*stmt
	for !p.may("}") {
		body = append(body, p.statement()...)
	}
	return body
}

func (p *parser) condition() *expr {
	p.must("(")
	e := p.expression()
	p.must(")")
	return e
}

// loop reads for (n in 1:N) or for (x in xs).
func (p *parser) loop(s *stmt) {
	p.must("(")
	s.sym = &symbol{fixed: true}
	s.sym.name = p.newName()
	p.must("in")
	s.action, s.left = eachStmt, p.expression()
	if p.may(":") {
		s.action, s.lo, s.left = forStmt, s.left, nil
		s.hi = p.expression()
	}
	p.must(")")
	s.body = p.statement()
}

// assigns are the signs of assignments.
var assigns = map[string]bool{"=": true, "+=": true, "-=": true, "*=": true, "/=": true, ".*=": true, "./=": true}

// simple reads what begins with an expression: an assignment, y ~ f(x), a call.
func (p *parser) simple(s *stmt) {
	s.left = p.expression()
	op := *p.now()
	switch {
	case op.is("<-"):
		fail(op.at, problem.New("an assignment is written = now"))
	case op.kind == sign && assigns[op.text]:
		if s.left.node != nameNode && s.left.node != indexNode {
			fail(s.left.at, problem.New("nothing can be assigned to this; write a variable, or a part of one"))
		}
		p.take()
		s.at, s.action, s.op = op.at, assignStmt, op.text
		s.right = p.expression()
	case p.may("~"):
		p.tilde(s)
	case s.left.node == callNode || s.left.node == densityNode:
		s.action = callStmt
	case op.is(";"):
		fail(s.start, problem.New("an expression by itself is no statement"))
	default:
		p.expected(quoted("=") + " or " + quoted("~"))
	}
	p.must(";")
}

// tilde reads what stands behind ~.
func (p *parser) tilde(s *stmt) {
	s.action, s.at = tildeStmt, p.now().at
	if p.now().kind != word {
		p.expected("the name of a distribution")
	}
	s.text = p.take().text
	p.must("(")
	s.args = p.list(")")
	if p.is("T") && p.next().is("[") {
		s.trunc = &truncation{at: p.take().at}
		p.must("[")
		if !p.is(",") && !p.is("]") {
			s.trunc.lo = p.expression()
		}
		if p.may(",") && !p.is("]") {
			s.trunc.hi = p.expression()
		}
		p.must("]")
	}
}

// declares reports whether a declaration begins here.
func (p *parser) declares() bool {
	t := p.now()
	if t.kind != word {
		return false
	}
	p.refuseType(*t)
	_, ok := declared[t.text]
	return ok || t.text == "array" && p.next().is("[")
}

// declaration reads a declaration of one or more variables.
func (p *parser) declaration() []*stmt {
	var dims []*expr
	start := p.now().at
	arrays := p.may("array")
	if arrays {
		p.must("[")
		dims = p.list("]")
		checkDepth(p.now().at, len(dims))
	}
	t := p.take()
	p.refuseType(t)
	d, ok := declared[t.text]
	if t.kind != word || !ok {
		p.i--
		p.expected("a type, as real or vector,")
	}
	first := decl{start: t.at, limit: p.now().at, shape: d.shape}
	first.typ.base = d.base
	p.bounds(&first)
	if d.sizes > 0 {
		at := p.must("[").at
		first.sizes = p.list("]")
		if n := len(first.sizes); n > d.sizes || n == 0 || d.sizes == 2 && d.shape != covFactorShape && n != 2 {
			fail(at, problem.New("%s has %d sizes, not %d", t.text, d.sizes, n))
		}
		if d.base == matrixType && len(first.sizes) == 1 {
			first.sizes = append(first.sizes, first.sizes[0])
		}
	}
	var out []*stmt
	for {
		one := first
		one.at, one.dims = p.now().at, dims
		one.name = p.newName()
		if p.is("[") {
			at := p.take().at
			if arrays {
				fail(at, problem.New("the sizes of an array stand in front: array[N] real x;"))
			}
			one.dims = p.list("]")
			checkDepth(at, len(one.dims))
		}
		one.typ.depth = uint8(len(one.dims))
		if one.value = p.now().at; p.may("=") {
			one.init = p.expression()
		}
		out = append(out, &stmt{action: declareStmt, at: one.at, start: start, decl: &one})
		if !p.may(",") {
			break
		}
	}
	p.must(";")
	return out
}

// bounds reads <lower=0, upper=1>.
func (p *parser) bounds(d *decl) {
	if !p.may("<") {
		return
	}
	for {
		t := p.take()
		var to **expr
		switch t.text {
		case "lower":
			to = &d.lower
		case "upper":
			to = &d.upper
		case "offset":
			to = &d.offset
		case "multiplier":
			to = &d.multiplier
		default:
			p.i--
			p.expected("lower, upper, offset or multiplier")
		}
		if *to != nil {
			fail(t.at, problem.New("%s is given twice; leave one out", t.text))
		}
		if d.shape != plainShape || d.typ.base == intType && (t.text == "offset" || t.text == "multiplier") {
			fail(t.at, problem.New("%s does not go with this type", t.text))
		}
		p.must("=")
		*to = p.level(sumLevel)
		if !p.may(",") {
			break
		}
	}
	p.must(">")
	if (d.lower != nil || d.upper != nil) && (d.offset != nil || d.multiplier != nil) {
		fail(p.now().at, problem.New("bounds do not go with offset and multiplier"))
	}
}
