package syntax

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
)

// levels are the operators with two sides, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"},
	{"*", "/", "%", "%/%", ".*", "./"}, {"\\"}}

// sumLevel is the level of + in levels; bounds in < > have none below.
const sumLevel = 4

// expression reads an expression.
func (p *parser) expression() *Expr {
	defer p.deeper()()
	e := p.level(0)
	if !p.is("?") {
		return e
	}
	at := p.take().at
	yes := p.expression()
	p.must(":")
	return p.made(&Expr{Node: TernaryNode, At: at}, e, yes, p.expression())
}

// made gives an expression its parts.
func (p *parser) made(e *Expr, args ...*Expr) *Expr {
	if e.Args, e.Start = args, e.At; len(args) > 0 && args[0].Start < e.At && e.Node != CallNode && e.Node != DensityNode {
		e.Start = args[0].Start
	}
	for _, a := range args {
		e.nested = max(e.nested, a.nested+1)
	}
	if e.nested > maxChain {
		lang.Fail(e.At, problem.New("the expression has more than %d operators in a row", maxChain))
	}
	return e
}

// level reads operators of a level, and of those that bind more.
func (p *parser) level(n int) *Expr {
	if n == len(levels) {
		return p.prefix()
	}
	e := p.level(n + 1)
	for {
		t := p.now()
		if t.kind != sign || !contains(levels[n], t.text) {
			return e
		}
		p.take()
		if again := p.now(); again.is(t.text) && again.at == t.at+1 && p.next().is(";") {
			lang.Fail(t.at, problem.New("%s is not a Stan operator; write x += 1 or x -= 1", Quoted(t.text+t.text)))
		}
		e = p.made(&Expr{Node: BinaryNode, At: t.at, Name: t.text}, e, p.level(n+1))
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// prefix reads -x, +x and !x.
func (p *parser) prefix() *Expr {
	t := p.now()
	if !p.is("-") && !p.is("+") && !p.is("!") {
		return p.power()
	}
	defer p.deeper()()
	p.take()
	return p.made(&Expr{Node: UnaryNode, At: t.at, Name: t.text}, p.prefix())
}

// power reads x^y, which binds more than a sign in front, and from the right.
func (p *parser) power() *Expr {
	e := p.postfix()
	if t := p.now(); p.is("^") || p.is(".^") {
		defer p.deeper()()
		p.take()
		e = p.made(&Expr{Node: BinaryNode, At: t.at, Name: t.text}, e, p.prefix())
	}
	return e
}

// postfix reads x[...], x.1 and x'.
func (p *parser) postfix() *Expr {
	e := p.primary()
	for {
		t := p.now()
		switch {
		case p.may("'"):
			e = p.made(&Expr{Node: TransposeNode, At: t.at}, e)
		case t.kind == number && e.Node != LiteralNode && partNumber(t.text) > 0:
			p.take()
			e = p.made(&Expr{Node: PartNode, At: t.at, Num: partNumber(t.text)}, e)
		case p.may("["):
			x := p.made(&Expr{Node: IndexNode, At: t.at}, e)
			x.Idx = p.indices(x)
			e = x
		default:
			return e
		}
	}
}

// partNumber is 2 of .2, as it stands behind a tuple; 0 of other numbers.
func partNumber(text string) float64 {
	digits, ok := strings.CutPrefix(text, ".")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || digits[0] == '0' {
		return 0
	}
	return float64(n)
}

func (p *parser) indices(x *Expr) []Index {
	var list []Index
	below := func(e *Expr) *Expr {
		x.nested = max(x.nested, e.nested+1)
		return e
	}
	for {
		var i Index
		if !p.is(":") && !p.is(",") && !p.is("]") {
			i.Lo = below(p.expression())
		}
		if p.may(":") {
			i.Slice = true
			if !p.is(",") && !p.is("]") {
				i.Hi = below(p.expression())
			}
		}
		list = append(list, i)
		if !p.may(",") {
			p.must("]")
			if len(list) > lang.MaxDepth+2 {
				lang.Fail(x.At, problem.New("arrays may have at most %d dimensions", lang.MaxDepth))
			}
			return list
		}
	}
}

// list reads expressions with commas between them, up to the sign that ends them.
func (p *parser) list(end string) []*Expr {
	var out []*Expr
	for !p.may(end) {
		if len(out) > 0 {
			if !p.may(",") {
				p.expected(Quoted(",") + " or " + Quoted(end))
			}
		}
		if t := p.now(); t.kind == text {
			p.take()
			out = append(out, &Expr{Node: TextNode, At: t.at, Start: t.at, Name: strings.Trim(t.text, `"`)})
			continue
		}
		out = append(out, p.expression())
	}
	return out
}

// primary reads a number, a name, a call, what stands in brackets.
func (p *parser) primary() *Expr {
	t := p.take()
	e := &Expr{At: t.at, Start: t.at}
	switch {
	case t.kind == whole || t.kind == number:
		return literalOf(t)

	case t.kind == imaginary:
		p.refuse(t.at, problem.New("complex numbers are not supported"))
		e.Type.Base = lang.AnyType
		return e

	// Lists and expressions in brackets.
	case t.is("("):
		defer p.deeper()()
		inner := p.expression()
		if !p.may(",") {
			p.must(")")
			return inner
		}
		e.Node = TupleNode
		return p.made(e, append([]*Expr{inner}, p.list(")")...)...)
	case t.is("{"):
		e.Node = ArrayNode
		return p.made(e, p.list("}")...)
	case t.is("["):
		e.Node = RowNode
		return p.made(e, p.list("]")...)

	// Names and calls.
	case t.is("target") && p.is("("):
		p.take()
		p.must(")")
		e.Node = TargetNode
		return e
	case t.kind == word && !keywords[t.text]:
		if e.Name = t.text; !p.may("(") {
			if _, ok := declared[t.text]; ok {
				break
			}
			return e.as(NameNode)
		}
		return p.call(e)
	}

	// No expression begins here.
	if t.kind != ended {
		p.i--
	}
	p.expected("an expression")
	return nil
}

func (e *Expr) as(n Node) *Expr {
	e.Node = n
	return e
}

// call reads f(a, b) or f(y | a, b) behind its bracket.
func (p *parser) call(e *Expr) *Expr {
	defer p.deeper()()
	e.Node = CallNode
	var args []*Expr
	for !p.may(")") {
		if len(args) == 1 && p.may("|") {
			e.Node = DensityNode
			if p.may(")") {
				break
			}
		} else if _, _, ok := lang.CutSuffix(e.Name); ok && len(args) == 1 && !strings.HasSuffix(e.Name, "_cdf") {
			p.expected(Quoted("|"))
		} else if len(args) > 0 && !p.may(",") {
			p.expected(Quoted(",") + " or " + Quoted(")"))
		}
		args = append(args, p.expression())
	}
	return p.made(e, args...)
}

func literalOf(t token) *Expr {
	e := &Expr{Node: LiteralNode, At: t.at, Start: t.at, Type: lang.Type{Base: lang.RealType}}
	v, err := num.Parse(strings.ReplaceAll(t.text, "_", ""))
	if t.kind == whole {
		e.Type.Base = lang.IntType
		if err == nil && v > math.MaxInt32 {
			lang.Fail(t.at, problem.New("the integer %s is out of range; write it with a decimal point", t.text))
		}
	}
	if err != nil {
		lang.Fail(t.at, problem.New("the number %s is out of range", Quoted(t.text)))
	}
	e.Num = v
	return e
}
