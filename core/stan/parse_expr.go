package stan

import (
	"math"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// levels are the operators with two sides, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"},
	{"*", "/", "%", "%/%", ".*", "./"}, {"\\"}}

// sumLevel is the level of + in levels; bounds in < > have none below.
const sumLevel = 4

// expression reads an expression.
func (p *parser) expression() *expr {
	defer p.deeper()()
	e := p.level(0)
	if !p.is("?") {
		return e
	}
	at := p.take().at
	yes := p.expression()
	p.must(":")
	return p.made(&expr{node: ternaryNode, at: at}, e, yes, p.expression())
}

// made gives an expression its parts.
func (p *parser) made(e *expr, args ...*expr) *expr {
	if e.args, e.start = args, e.at; len(args) > 0 && args[0].start < e.at && e.node != callNode && e.node != densityNode {
		e.start = args[0].start
	}
	for _, a := range args {
		e.nested = max(e.nested, a.nested+1)
	}
	if e.nested > maxChain {
		fail(e.at, problem.New("the expression has more than %d operators in a row", maxChain))
	}
	return e
}

// level reads operators of a level, and of those that bind more.
func (p *parser) level(n int) *expr {
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
			fail(t.at, problem.New("%s is not of the language; write x += 1 or x -= 1", quoted(t.text+t.text)))
		}
		e = p.made(&expr{node: binaryNode, at: t.at, name: t.text}, e, p.level(n+1))
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
func (p *parser) prefix() *expr {
	t := p.now()
	if !p.is("-") && !p.is("+") && !p.is("!") {
		return p.power()
	}
	defer p.deeper()()
	p.take()
	return p.made(&expr{node: unaryNode, at: t.at, name: t.text}, p.prefix())
}

// power reads x^y, which binds more than a sign in front, and from the right.
func (p *parser) power() *expr {
	e := p.postfix()
	if t := p.now(); p.is("^") || p.is(".^") {
		defer p.deeper()()
		p.take()
		e = p.made(&expr{node: binaryNode, at: t.at, name: t.text}, e, p.prefix())
	}
	return e
}

// postfix reads x[...] and x'.
func (p *parser) postfix() *expr {
	e := p.primary()
	for {
		t := p.now()
		switch {
		case p.may("'"):
			e = p.made(&expr{node: transposeNode, at: t.at}, e)
		case p.may("["):
			x := p.made(&expr{node: indexNode, at: t.at}, e)
			x.idx = p.indices(x)
			e = x
		default:
			return e
		}
	}
}

func (p *parser) indices(x *expr) []index {
	var list []index
	below := func(e *expr) *expr {
		x.nested = max(x.nested, e.nested+1)
		return e
	}
	for {
		var i index
		if !p.is(":") && !p.is(",") && !p.is("]") {
			i.lo = below(p.expression())
		}
		if p.may(":") {
			i.slice = true
			if !p.is(",") && !p.is("]") {
				i.hi = below(p.expression())
			}
		}
		list = append(list, i)
		if !p.may(",") {
			p.must("]")
			if len(list) > maxDepth+2 {
				fail(x.at, problem.New("arrays have at most %d dimensions here", maxDepth))
			}
			return list
		}
	}
}

// list reads expressions with commas between them, up to the sign that ends them.
func (p *parser) list(end string) []*expr {
	var out []*expr
	for !p.may(end) {
		if len(out) > 0 {
			if !p.may(",") {
				p.expected(quoted(",") + " or " + quoted(end))
			}
		}
		if t := p.now(); t.kind == text {
			p.take()
			out = append(out, &expr{node: textNode, at: t.at, start: t.at, name: strings.Trim(t.text, `"`)})
			continue
		}
		out = append(out, p.expression())
	}
	return out
}

// primary reads a number, a name, a call, what stands in brackets.
func (p *parser) primary() *expr {
	t := p.take()
	e := &expr{at: t.at, start: t.at}
	switch {
	case t.kind == whole || t.kind == number:
		return literalOf(t)
	case t.is("("):
		defer p.deeper()()
		inner := p.expression()
		p.must(")")
		return inner
	case t.is("{"):
		e.node = arrayNode
		return p.made(e, p.list("}")...)
	case t.is("["):
		e.node = rowNode
		return p.made(e, p.list("]")...)
	case t.is("target") && p.is("("):
		p.take()
		p.must(")")
		e.node = targetNode
		return e
	case t.kind == word && !keywords[t.text]:
		if e.name = t.text; !p.may("(") {
			if _, ok := declared[t.text]; ok {
				break
			}
			return e.as(nameNode)
		}
		return p.call(e)
	}
	if t.kind != ended {
		p.i--
	}
	p.expected("an expression")
	return nil
}

func (e *expr) as(n node) *expr {
	e.node = n
	return e
}

// call reads f(a, b) or f(y | a, b) behind its bracket.
func (p *parser) call(e *expr) *expr {
	defer p.deeper()()
	e.node = callNode
	var args []*expr
	for !p.may(")") {
		if len(args) == 1 && p.may("|") {
			e.node = densityNode
			if p.may(")") {
				break
			}
		} else if _, _, ok := cutSuffix(e.name); ok && len(args) == 1 && !strings.HasSuffix(e.name, "_cdf") {
			p.expected(quoted("|"))
		} else if len(args) > 0 && !p.may(",") {
			p.expected(quoted(",") + " or " + quoted(")"))
		}
		args = append(args, p.expression())
	}
	return p.made(e, args...)
}

func literalOf(t token) *expr {
	e := &expr{node: literalNode, at: t.at, start: t.at, typ: typ{base: realType}}
	v, err := num.Parse(strings.ReplaceAll(t.text, "_", ""))
	if t.kind == whole {
		e.typ.base = intType
		if err == nil && v > math.MaxInt32 {
			fail(t.at, problem.New("the whole number %s is beyond 2147483647; write it with a point", t.text))
		}
	}
	if err != nil {
		fail(t.at, problem.New("%s is no number that can be kept", quoted(t.text)))
	}
	e.num = v
	return e
}
