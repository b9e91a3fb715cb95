package syntax

import (
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
)

// statement parses a statement, or a declaration of one or more variables.
func (p *parser) statement() []*Stmt {
	defer p.enter()()
	t := *p.current()
	if p.atDeclaration() {
		return p.declaration()
	}
	s := &Stmt{Pos: t.pos, Start: t.pos}
	switch {
	case t.kind == endToken:
		p.failExpected(Quoted("}"))
	case p.accept(";"):
	case t.is("{") && !p.atArrayStatement():
		p.advance()
		s.Kind, s.Body = BlockStmt, p.blockBody()
	case t.is("profile") && p.peek().is("("):
		p.i += 2
		if p.current().kind == stringToken {
			p.advance()
		}
		p.expect(")")
		p.expect("{")
		s.Kind, s.Body = BlockStmt, p.blockBody()

	// Branches and loops.
	case p.accept("if"):
		s.Kind, s.Left = IfStmt, p.condition()
		s.Body = p.statement()
		if p.accept("else") {
			s.Else = p.statement()
		}
	case p.accept("while"):
		s.Kind, s.Left = WhileStmt, p.condition()
		s.Body = p.statement()
	case p.accept("for"):
		p.loop(s)

	// Jumps.
	case t.is("break"), t.is("continue"):
		s.Kind = BreakStmt
		if t.text == "continue" {
			s.Kind = ContinueStmt
		}
		p.advance()
		p.expect(";")
	case p.accept("return"):
		s.Kind = ReturnStmt
		if !p.is(";") {
			s.Right = p.expression()
		}
		p.expect(";")

	// Messages.
	case (t.is("print") || t.is("reject") || t.is("fatal_error")) && p.peek().is("("):
		s.Kind = PrintStmt
		if t.text != "print" {
			s.Kind = RejectStmt
		}
		p.advance()
		p.expect("(")
		s.Args = p.exprList(")")
		p.expect(";")

	// Terms of the density.
	case t.is("target") && p.peek().is("+="):
		p.i += 2
		s.Kind, s.Right = TargetStmt, p.expression()
		p.expect(";")
	case t.is("jacobian") && p.peek().is("+="):
		p.i += 2
		s.Kind, s.Text, s.Right = TargetStmt, t.text, p.expression()
		p.expect(";")
	case t.is("increment_log_prob"):
		lang.Fail(t.pos, problem.New("increment_log_prob(x) was removed from Stan; write target += x"))
	default:
		p.exprStatement(s)
	}
	return []*Stmt{s}
}

// atArrayStatement reports whether the current brace begins an array expression, as in {a, b} ~ f(x), rather than a
// block.
func (p *parser) atArrayStatement() bool {
	openBraces := 0
	for i := p.i; ; i++ {
		switch t := &p.tokens[i]; {
		case t.is("{"):
			openBraces++
		case t.is(";") || t.kind == endToken:
			return false
		case t.is("}"):
			if openBraces--; openBraces == 0 {
				return p.tokens[i+1].is("~")
			}
		}
	}
}

// blockBody parses the statements of a block after its opening brace.
func (p *parser) blockBody() []*Stmt {
	var body []*Stmt
	for !p.accept("}") {
		body = append(body, p.statement()...)
	}
	return body
}

// condition parses an expression in parentheses.
func (p *parser) condition() *Expr {
	p.expect("(")
	e := p.expression()
	p.expect(")")
	return e
}

// loop parses for (n in 1:N) or for (x in xs).
func (p *parser) loop(s *Stmt) {
	p.expect("(")
	s.Sym = &Symbol{ReadOnly: true}
	s.Sym.Name = p.declaredName()
	p.expect("in")
	s.Kind, s.Left = ForEachStmt, p.expression()
	if p.accept(":") {
		s.Kind, s.Lo, s.Left = ForStmt, s.Left, nil
		s.Hi = p.expression()
	}
	p.expect(")")
	s.Body = p.statement()
}

// assignmentOps holds the assignment operators.
var assignmentOps = map[string]bool{"=": true, "+=": true, "-=": true, "*=": true, "/=": true, ".*=": true, "./=": true}

// exprStatement parses a statement that begins with an expression: an assignment, y ~ f(x), or a call.
func (p *parser) exprStatement(s *Stmt) {
	s.Left = p.expression()
	op := *p.current()
	switch {
	case op.is("<-"):
		lang.Fail(op.pos, problem.New("assignments are written with ="))
	case op.kind == operatorToken && assignmentOps[op.text]:
		if n := s.Left.Kind; n != NameNode && n != IndexNode && n != TuplePartNode && (n != TupleNode || op.text != "=") {
			lang.Fail(s.Left.Pos, problem.New("this cannot be assigned to; write a variable or an element of one"))
		}
		p.advance()
		s.Pos, s.Kind, s.Op = op.pos, AssignStmt, op.text
		s.Right = p.expression()
	case p.accept("~"):
		p.tilde(s)
	case s.Left.Kind == CallNode || s.Left.Kind == DensityNode:
		s.Kind = CallStmt
	case op.is(";"):
		lang.Fail(s.Start, problem.New("an expression alone is not a statement"))
	default:
		p.failExpected(Quoted("=") + " or " + Quoted("~"))
	}
	p.expect(";")
}

// tilde parses the distribution after ~, with its truncation.
func (p *parser) tilde(s *Stmt) {
	s.Kind, s.Pos = TildeStmt, p.current().pos
	if p.current().kind != wordToken {
		p.failExpected("the name of a distribution")
	}
	s.Text = p.advance().text
	p.expect("(")
	s.Args = p.exprList(")")
	if p.is("T") && p.peek().is("[") {
		s.Truncation = &Truncation{Pos: p.advance().pos}
		p.expect("[")
		if !p.is(",") && !p.is("]") {
			s.Truncation.Lo = p.expression()
		}
		if p.accept(",") && !p.is("]") {
			s.Truncation.Hi = p.expression()
		}
		p.expect("]")
	}
}

// atDeclaration reports whether a declaration begins at the current token.
func (p *parser) atDeclaration() bool {
	t := p.current()
	if t.kind != wordToken {
		return false
	}
	p.checkTypeSupported(*t)
	_, ok := typeWords[t.text]
	return ok || t.text == "array" && p.peek().is("[")
}

// declaration parses a declaration of one or more variables.
func (p *parser) declaration() []*Stmt {
	var dims []*Expr
	start := p.current().pos
	arrays := p.accept("array")
	if arrays {
		p.expect("[")
		dims = p.exprList("]")
		lang.CheckDepth(p.current().pos, len(dims))
	}

	first := p.declaredType()

	// The variables, separated by commas.
	var out []*Stmt
	for {
		variable := first
		variable.Pos, variable.Dims = p.current().pos, dims
		variable.Name = p.declaredName()
		if p.is("[") {
			at := p.advance().pos
			if arrays {
				lang.Fail(at, problem.New("the sizes of an array come first: array[N] real x;"))
			}
			variable.Dims = p.exprList("]")
			lang.CheckDepth(at, len(variable.Dims))
		}
		variable.Type.Depth = uint8(len(variable.Dims))
		if variable.InitPos = p.current().pos; p.accept("=") {
			variable.Init = p.expression()
		}
		out = append(out, &Stmt{Kind: DeclareStmt, Pos: variable.Pos, Start: start, Decl: &variable})
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
	return out
}

// declaredType parses a type with its bounds and sizes.
func (p *parser) declaredType() Decl {
	t := p.advance()
	p.checkTypeSupported(t)
	d, ok := typeWords[t.text]
	if t.kind != wordToken || !ok {
		p.i--
		p.failExpected("a type, such as real or vector")
	}
	first := Decl{Start: t.pos, BoundsPos: p.current().pos, Constraint: d.shape}
	if t.is("tuple") {
		p.tupleType(&first)
		return first
	}
	first.Type.Base = d.base
	p.bounds(&first)

	// The sizes of a vector or matrix.
	if d.sizes > 0 {
		at := p.expect("[").pos
		first.Sizes = p.exprList("]")
		if n := len(first.Sizes); n > d.sizes || n == 0 || d.sizes == 2 && d.shape != CholeskyCov && n != 2 {
			lang.Fail(at, problem.New("%s has %d sizes, not %d", t.text, d.sizes, n))
		}
		if d.base == lang.MatrixType && len(first.Sizes) == 1 {
			first.Sizes = append(first.Sizes, first.Sizes[0])
		}
	}
	return first
}

// tupleType parses the types of the parts of a tuple.
func (p *parser) tupleType(d *Decl) {
	defer p.enter()()
	var types []lang.Type
	for p.expect("("); ; p.expect(",") {
		var dims []*Expr
		at := p.current().pos
		if p.accept("array") {
			p.expect("[")
			dims = p.exprList("]")
			lang.CheckDepth(at, len(dims))
		}
		part := p.declaredType()
		part.Pos, part.Dims = at, dims
		part.Type.Depth = uint8(len(dims))
		d.Parts, types = append(d.Parts, &part), append(types, part.Type)
		if p.accept(")") {
			break
		}
	}
	d.Type = lang.TupleOf(d.Start, types)
}

// bounds parses <lower=0, upper=1>.
func (p *parser) bounds(d *Decl) {
	if !p.accept("<") {
		return
	}
	for {
		t := p.advance()
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
			p.failExpected("lower, upper, offset or multiplier")
		}

		// Each bound may be given once, and only for types that allow it.
		if *to != nil {
			lang.Fail(t.pos, problem.New("%s is given twice; leave one out", t.text))
		}
		if d.Constraint != NoConstraint || d.Type.Base == lang.IntType && (t.text == "offset" || t.text == "multiplier") {
			lang.Fail(t.pos, problem.New("%s is not allowed for this type", t.text))
		}
		p.expect("=")
		*to = p.binary(additiveLevel)
		if !p.accept(",") {
			break
		}
	}

	// Bounds exclude offset and multiplier.
	p.expect(">")
	if (d.Lower != nil || d.Upper != nil) && (d.Offset != nil || d.Multiplier != nil) {
		lang.Fail(p.current().pos, problem.New("bounds cannot be combined with offset and multiplier"))
	}
}
