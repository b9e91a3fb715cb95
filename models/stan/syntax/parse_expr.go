package syntax

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
)

// precedence holds the binary operators by precedence, the lowest first.
var precedence = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"},
	{"*", "/", "%", "%/%", ".*", "./"}, {"\\"}}

// additiveLevel is the level of + in precedence. Bounds in < > allow no operator of a lower level.
const additiveLevel = 4

// expression parses an expression.
func (p *parser) expression() *Expr {
	defer p.enter()()
	e := p.binary(0)
	if !p.is("?") {
		return e
	}
	at := p.advance().pos
	yes := p.expression()
	p.expect(":")
	return p.withArgs(&Expr{Kind: TernaryNode, Pos: at}, e, yes, p.expression())
}

// withArgs sets the operands of e, its start and its depth.
func (p *parser) withArgs(e *Expr, args ...*Expr) *Expr {
	if e.Args, e.Start = args, e.Pos; len(args) > 0 && args[0].Start < e.Pos && e.Kind != CallNode && e.Kind != DensityNode {
		e.Start = args[0].Start
	}
	for _, a := range args {
		e.depth = max(e.depth, a.depth+1)
	}
	if e.depth > maxChain {
		lang.Fail(e.Pos, problem.New("the expression has more than %d operators in a row", maxChain))
	}
	return e
}

// binary parses binary operators of level n and higher.
func (p *parser) binary(n int) *Expr {
	if n == len(precedence) {
		return p.prefix()
	}
	e := p.binary(n + 1)
	for {
		t := p.current()
		if t.kind != operatorToken || !contains(precedence[n], t.text) {
			return e
		}
		p.advance()
		if next := p.current(); next.is(t.text) && next.pos == t.pos+1 && p.peek().is(";") {
			lang.Fail(t.pos, problem.New("%s is not a Stan operator; write x += 1 or x -= 1", Quoted(t.text+t.text)))
		}
		e = p.withArgs(&Expr{Kind: BinaryNode, Pos: t.pos, Name: t.text}, e, p.binary(n+1))
	}
}

// contains reports whether s is in the list.
func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// prefix parses -x, +x and !x.
func (p *parser) prefix() *Expr {
	t := p.current()
	if !p.is("-") && !p.is("+") && !p.is("!") {
		return p.power()
	}
	defer p.enter()()
	p.advance()
	return p.withArgs(&Expr{Kind: UnaryNode, Pos: t.pos, Name: t.text}, p.prefix())
}

// power parses x^y, which is right-associative and binds more than a sign.
func (p *parser) power() *Expr {
	e := p.postfix()
	if t := p.current(); p.is("^") || p.is(".^") {
		defer p.enter()()
		p.advance()
		e = p.withArgs(&Expr{Kind: BinaryNode, Pos: t.pos, Name: t.text}, e, p.prefix())
	}
	return e
}

// postfix parses x[...], x.1 and x'.
func (p *parser) postfix() *Expr {
	e := p.primary()
	for {
		t := p.current()
		switch {
		case p.accept("'"):
			e = p.withArgs(&Expr{Kind: TransposeNode, Pos: t.pos}, e)
		case t.kind == realToken && e.Kind != LiteralNode && tupleIndex(t.text) > 0:
			p.advance()
			e = p.withArgs(&Expr{Kind: TuplePartNode, Pos: t.pos, Num: tupleIndex(t.text)}, e)
		case p.accept("["):
			x := p.withArgs(&Expr{Kind: IndexNode, Pos: t.pos}, e)
			x.Indices = p.indices(x)
			e = x
		default:
			return e
		}
	}
}

// tupleIndex returns 2 for the token .2 of x.2, and 0 for other numbers.
func tupleIndex(text string) float64 {
	digits, ok := strings.CutPrefix(text, ".")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || digits[0] == '0' {
		return 0
	}
	return float64(n)
}

// indices parses the indices of x, after the opening bracket.
func (p *parser) indices(x *Expr) []Index {
	var list []Index
	withDepth := func(e *Expr) *Expr {
		x.depth = max(x.depth, e.depth+1)
		return e
	}
	for {
		var i Index
		if !p.is(":") && !p.is(",") && !p.is("]") {
			i.Lo = withDepth(p.expression())
		}
		if p.accept(":") {
			i.Slice = true
			if !p.is(",") && !p.is("]") {
				i.Hi = withDepth(p.expression())
			}
		}
		list = append(list, i)
		if !p.accept(",") {
			p.expect("]")
			if len(list) > lang.MaxDepth+2 {
				lang.Fail(x.Pos, problem.New("arrays may have at most %d dimensions", lang.MaxDepth))
			}
			return list
		}
	}
}

// exprList parses expressions separated by commas, up to the closing bracket.
func (p *parser) exprList(end string) []*Expr {
	var out []*Expr
	for !p.accept(end) {
		if len(out) > 0 {
			if !p.accept(",") {
				p.failExpected(Quoted(",") + " or " + Quoted(end))
			}
		}
		if t := p.current(); t.kind == stringToken {
			p.advance()
			out = append(out, &Expr{Kind: StringNode, Pos: t.pos, Start: t.pos, Name: strings.Trim(t.text, `"`)})
			continue
		}
		out = append(out, p.expression())
	}
	return out
}

// primary parses a number, name, call or bracketed expression.
func (p *parser) primary() *Expr {
	t := p.advance()
	e := &Expr{Pos: t.pos, Start: t.pos}
	switch {
	case t.kind == intToken || t.kind == realToken:
		return literalOf(t)

	case t.kind == imaginaryToken:
		p.unsupported(t.pos, problem.New("complex numbers are not supported"))
		e.Type.Base = lang.UnsupportedType
		return e

	// Lists and expressions in brackets.
	case t.is("("):
		defer p.enter()()
		inner := p.expression()
		if !p.accept(",") {
			p.expect(")")
			return inner
		}
		e.Kind = TupleNode
		return p.withArgs(e, append([]*Expr{inner}, p.exprList(")")...)...)
	case t.is("{"):
		e.Kind = ArrayNode
		return p.withArgs(e, p.exprList("}")...)
	case t.is("["):
		e.Kind = RowNode
		return p.withArgs(e, p.exprList("]")...)

	// Names and calls.
	case t.is("target") && p.is("("):
		p.advance()
		p.expect(")")
		e.Kind = TargetNode
		return e
	case t.kind == wordToken && !keywords[t.text]:
		if e.Name = t.text; !p.accept("(") {
			if _, ok := typeWords[t.text]; ok {
				break
			}
			return e.as(NameNode)
		}
		return p.call(e)
	}

	// No expression begins here.
	if t.kind != endToken {
		p.i--
	}
	p.failExpected("an expression")
	return nil
}

// as sets the kind of e and returns it.
func (e *Expr) as(n ExprKind) *Expr {
	e.Kind = n
	return e
}

// call parses f(a, b) or f(y | a, b), after its opening bracket.
func (p *parser) call(e *Expr) *Expr {
	defer p.enter()()
	e.Kind = CallNode
	var args []*Expr
	for !p.accept(")") {
		if len(args) == 1 && p.accept("|") {
			e.Kind = DensityNode
			if p.accept(")") {
				break
			}
		} else if _, _, ok := lang.CutDensitySuffix(e.Name); ok && len(args) == 1 && !strings.HasSuffix(e.Name, "_cdf") {
			p.failExpected(Quoted("|"))
		} else if len(args) > 0 && !p.accept(",") {
			p.failExpected(Quoted(",") + " or " + Quoted(")"))
		}
		args = append(args, p.expression())
	}
	return p.withArgs(e, args...)
}

// literalOf returns the expression of a number, and fails if the number is out of range.
func literalOf(t token) *Expr {
	e := &Expr{Kind: LiteralNode, Pos: t.pos, Start: t.pos, Type: lang.Type{Base: lang.RealType}}
	v, err := num.Parse(strings.ReplaceAll(t.text, "_", ""))
	if t.kind == intToken {
		e.Type.Base = lang.IntType
		if err == nil && v > math.MaxInt32 {
			lang.Fail(t.pos, problem.New("the integer %s is out of range; write it with a decimal point", t.text))
		}
	}
	if err != nil {
		lang.Fail(t.pos, problem.New("the number %s is out of range", Quoted(t.text)))
	}
	e.Num = v
	return e
}
