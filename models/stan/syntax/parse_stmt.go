package syntax

import (
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
)

// statement reads a statement, or a declaration, which may be of several variables.
func (p *parser) statement() []*Stmt {
	defer p.deeper()()
	t := *p.now()
	if p.declares() {
		return p.declaration()
	}
	s := &Stmt{At: t.at, Start: t.at}
	switch {
	case t.kind == ended:
		p.expected(Quoted("}"))
	case p.may(";"):
	case t.is("{") && !p.listAhead():
		p.take()
		s.Action, s.Body = BlockStmt, p.rest()
	case t.is("profile") && p.next().is("("):
		p.i += 2
		if p.now().kind == text {
			p.take()
		}
		p.must(")")
		p.must("{")
		s.Action, s.Body = BlockStmt, p.rest()

	// Branches and loops.
	case p.may("if"):
		s.Action, s.Left = IfStmt, p.condition()
		s.Body = p.statement()
		if p.may("else") {
			s.Other = p.statement()
		}
	case p.may("while"):
		s.Action, s.Left = WhileStmt, p.condition()
		s.Body = p.statement()
	case p.may("for"):
		p.loop(s)

	// The ways out.
	case t.is("break"), t.is("continue"):
		s.Action = BreakStmt
		if t.text == "continue" {
			s.Action = ContinueStmt
		}
		p.take()
		p.must(";")
	case p.may("return"):
		s.Action = ReturnStmt
		if !p.is(";") {
			s.Right = p.expression()
		}
		p.must(";")

	// Messages.
	case (t.is("print") || t.is("reject") || t.is("fatal_error")) && p.next().is("("):
		s.Action = PrintStmt
		if t.text != "print" {
			s.Action = RejectStmt
		}
		p.take()
		p.must("(")
		s.Args = p.list(")")
		p.must(";")

	// Terms of the density.
	case t.is("target") && p.next().is("+="):
		p.i += 2
		s.Action, s.Right = TargetStmt, p.expression()
		p.must(";")
	case t.is("jacobian") && p.next().is("+="):
		p.i += 2
		s.Action, s.Text, s.Right = TargetStmt, t.text, p.expression()
		p.must(";")
	case t.is("increment_log_prob"):
		lang.Fail(t.at, problem.New("increment_log_prob(x) was removed from Stan; write target += x"))
	default:
		p.simple(s)
	}
	return []*Stmt{s}
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
func (p *parser) rest() []*Stmt {
	var body []*Stmt
	for !p.may("}") {
		body = append(body, p.statement()...)
	}
	return body
}

func (p *parser) condition() *Expr {
	p.must("(")
	e := p.expression()
	p.must(")")
	return e
}

// loop reads for (n in 1:N) or for (x in xs).
func (p *parser) loop(s *Stmt) {
	p.must("(")
	s.Sym = &Symbol{Fixed: true}
	s.Sym.Name = p.newName()
	p.must("in")
	s.Action, s.Left = EachStmt, p.expression()
	if p.may(":") {
		s.Action, s.Lo, s.Left = ForStmt, s.Left, nil
		s.Hi = p.expression()
	}
	p.must(")")
	s.Body = p.statement()
}

// assigns are the signs of assignments.
var assigns = map[string]bool{"=": true, "+=": true, "-=": true, "*=": true, "/=": true, ".*=": true, "./=": true}

// simple reads what begins with an expression: an assignment, y ~ f(x), a call.
func (p *parser) simple(s *Stmt) {
	s.Left = p.expression()
	op := *p.now()
	switch {
	case op.is("<-"):
		lang.Fail(op.at, problem.New("assignments are written with ="))
	case op.kind == sign && assigns[op.text]:
		if n := s.Left.Node; n != NameNode && n != IndexNode && n != PartNode && (n != TupleNode || op.text != "=") {
			lang.Fail(s.Left.At, problem.New("this cannot be assigned to; write a variable or an element of one"))
		}
		p.take()
		s.At, s.Action, s.Op = op.at, AssignStmt, op.text
		s.Right = p.expression()
	case p.may("~"):
		p.tilde(s)
	case s.Left.Node == CallNode || s.Left.Node == DensityNode:
		s.Action = CallStmt
	case op.is(";"):
		lang.Fail(s.Start, problem.New("an expression alone is not a statement"))
	default:
		p.expected(Quoted("=") + " or " + Quoted("~"))
	}
	p.must(";")
}

// tilde reads what stands behind ~.
func (p *parser) tilde(s *Stmt) {
	s.Action, s.At = TildeStmt, p.now().at
	if p.now().kind != word {
		p.expected("the name of a distribution")
	}
	s.Text = p.take().text
	p.must("(")
	s.Args = p.list(")")
	if p.is("T") && p.next().is("[") {
		s.Trunc = &Truncation{At: p.take().at}
		p.must("[")
		if !p.is(",") && !p.is("]") {
			s.Trunc.Lo = p.expression()
		}
		if p.may(",") && !p.is("]") {
			s.Trunc.Hi = p.expression()
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
func (p *parser) declaration() []*Stmt {
	var dims []*Expr
	start := p.now().at
	arrays := p.may("array")
	if arrays {
		p.must("[")
		dims = p.list("]")
		lang.CheckDepth(p.now().at, len(dims))
	}

	first := p.typed()

	// The variables, separated by commas.
	var out []*Stmt
	for {
		one := first
		one.At, one.Dims = p.now().at, dims
		one.Name = p.newName()
		if p.is("[") {
			at := p.take().at
			if arrays {
				lang.Fail(at, problem.New("the sizes of an array come first: array[N] real x;"))
			}
			one.Dims = p.list("]")
			lang.CheckDepth(at, len(one.Dims))
		}
		one.Type.Depth = uint8(len(one.Dims))
		if one.Value = p.now().at; p.may("=") {
			one.Init = p.expression()
		}
		out = append(out, &Stmt{Action: DeclareStmt, At: one.At, Start: start, Decl: &one})
		if !p.may(",") {
			break
		}
	}
	p.must(";")
	return out
}

// typed reads the type of a declaration, with its bounds and sizes.
func (p *parser) typed() Decl {
	t := p.take()
	p.refuseType(t)
	d, ok := declared[t.text]
	if t.kind != word || !ok {
		p.i--
		p.expected("a type, such as real or vector")
	}
	first := Decl{Start: t.at, Limit: p.now().at, Shape: d.shape}
	if t.is("tuple") {
		p.tuple(&first)
		return first
	}
	first.Type.Base = d.base
	p.bounds(&first)

	// The sizes of a vector or matrix.
	if d.sizes > 0 {
		at := p.must("[").at
		first.Sizes = p.list("]")
		if n := len(first.Sizes); n > d.sizes || n == 0 || d.sizes == 2 && d.shape != CovFactorShape && n != 2 {
			lang.Fail(at, problem.New("%s has %d sizes, not %d", t.text, d.sizes, n))
		}
		if d.base == lang.MatrixType && len(first.Sizes) == 1 {
			first.Sizes = append(first.Sizes, first.Sizes[0])
		}
	}
	return first
}

// tuple reads the types of a tuple's parts.
func (p *parser) tuple(d *Decl) {
	defer p.deeper()()
	var types []lang.Type
	for p.must("("); ; p.must(",") {
		var dims []*Expr
		at := p.now().at
		if p.may("array") {
			p.must("[")
			dims = p.list("]")
			lang.CheckDepth(at, len(dims))
		}
		part := p.typed()
		part.At, part.Dims = at, dims
		part.Type.Depth = uint8(len(dims))
		d.Parts, types = append(d.Parts, &part), append(types, part.Type)
		if p.may(")") {
			break
		}
	}
	d.Type = lang.TupleOf(d.Start, types)
}

// bounds reads <lower=0, upper=1>.
func (p *parser) bounds(d *Decl) {
	if !p.may("<") {
		return
	}
	for {
		t := p.take()
		var to **Expr
		switch t.text {
		case "lower":
			to = &d.Lower
		case "upper":
			to = &d.Upper
		case "offset":
			to = &d.Offset
		case "multiplier":
			to = &d.Multiplier
		default:
			p.i--
			p.expected("lower, upper, offset or multiplier")
		}

		// Once each, and only for types that allow bounds.
		if *to != nil {
			lang.Fail(t.at, problem.New("%s is given twice; leave one out", t.text))
		}
		if d.Shape != PlainShape || d.Type.Base == lang.IntType && (t.text == "offset" || t.text == "multiplier") {
			lang.Fail(t.at, problem.New("%s is not allowed for this type", t.text))
		}
		p.must("=")
		*to = p.level(sumLevel)
		if !p.may(",") {
			break
		}
	}

	// The end: bounds or scales, not both.
	p.must(">")
	if (d.Lower != nil || d.Upper != nil) && (d.Offset != nil || d.Multiplier != nil) {
		lang.Fail(p.now().at, problem.New("bounds cannot be combined with offset and multiplier"))
	}
}
