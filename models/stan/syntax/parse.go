package syntax

import (
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
)

// parser reads tokens from left to right.
type parser struct {
	source string
	tokens []token
	i      int
	nested int
	inside *Function // that is read; nil in blocks
}

// Limits of how deep a program may be nested.
const maxNested, maxChain = 200, 2000

// Parse reads a program. What is wrong ends it by lang.Fail.
func Parse(source string) *Program { return (&parser{source: source, tokens: lex(source)}).program() }

// Expression reads a density that is one expression.
func Expression(source string) *Program {
	p := &parser{source: source, tokens: lex(source)}
	out := &Program{Source: source, Density: p.expression()}
	if p.may(";"); p.now().kind != ended {
		p.expected("an operator or the end of the expression")
	}
	return out
}

func (p *parser) now() *token { return &p.tokens[p.i] }

func (p *parser) next() *token {
	if p.i+1 < len(p.tokens) {
		return &p.tokens[p.i+1]
	}
	return p.now()
}

// take moves on behind a token.
func (p *parser) take() token {
	t := *p.now()
	if t.kind != ended {
		p.i++
	}
	return t
}

// is reports whether the token is a sign or word.
func (p *parser) is(text string) bool { return p.now().is(text) }

func (t *token) is(text string) bool { return (t.kind == sign || t.kind == word) && t.text == text }

// may moves on behind a sign or word, if it is there.
func (p *parser) may(text string) bool {
	if !p.is(text) {
		return false
	}
	p.i++
	return true
}

// must moves on behind a sign or word, which must be there.
func (p *parser) must(text string) token {
	if !p.is(text) {
		p.expected(Quoted(text))
	}
	return p.take()
}

// expected fails at the token: something else should stand here.
func (p *parser) expected(what string) {
	lang.Fail(p.now().at, problem.New("found %s, expected %s", p.found(), what))
}

func (p *parser) found() string {
	if p.now().kind == ended {
		return "the end of the program"
	}
	return Quoted(strings.Trim(p.now().text, `"`))
}

// deeper counts nesting; the function that it returns ends it.
func (p *parser) deeper() func() {
	if p.nested++; p.nested > maxNested {
		lang.Fail(p.now().at, problem.New("the program is nested more than %d deep here", maxNested))
	}
	return func() { p.nested-- }
}

// blockAt is the block whose name stands at the token, and how many words it has; none: blocks.
func (p *parser) blockAt() (Block, int) {
	first, second := p.now().text, p.next().text
	for b := range blocks {
		switch name := BlockNames[b]; {
		case name == first:
			return b, 1
		case name == first+" "+second:
			return b, 2
		}
	}
	return blocks, 0
}

func (p *parser) program() *Program {
	out := &Program{Source: p.source}
	last := -1
	for p.now().kind != ended {
		at := p.now().at
		b, words := p.blockAt()

		// The blocks keep their order.
		if b == blocks {
			p.expected("the name of a block, such as data or model")
		}
		if int(b) == last {
			lang.Fail(at, problem.New("the block %s is given twice", BlockNames[b]))
		} else if int(b) < last {
			lang.Fail(at, problem.New("the block %s must come before the block %s", BlockNames[b], BlockNames[last]))
		}
		last = int(b)
		p.i += words
		out.Begins[b] = at

		// What the block holds.
		p.must("{")
		for !p.may("}") {
			if b != FunctionsBlock && p.may(";") {
				continue
			}
			if b == FunctionsBlock {
				out.Functions = append(out.Functions, p.function())
			} else {
				out.Blocks[b] = append(out.Blocks[b], p.statement()...)
			}
		}
	}
	if last < 0 {
		lang.Fail(p.now().at, problem.New("the program is empty; it needs a block such as model { }"))
	}
	return out
}

func (p *parser) function() *Function {
	f := &Function{}
	p.inside = f
	defer func() { p.inside = nil }()
	f.Result = p.argType(true)
	f.At = p.now().at
	f.Name = p.newName()
	p.must("(")
	for !p.may(")") {
		if len(f.Params) > 0 && !p.may(",") && !(len(f.Params) == 1 && p.may("|")) {
			p.expected(Quoted(","))
		}
		a := Param{Data: p.may("data")}
		a.Type = p.argType(false)
		a.At = p.now().at
		a.Name = p.newName()
		f.Params = append(f.Params, a)
	}
	if p.may(";") {
		return f
	}
	p.must("{")
	f.Body = append([]*Stmt{}, p.rest()...)
	f.End = p.tokens[p.i-1].at
	return f
}

// argType is the type of an argument or result, in both spellings of arrays.
func (p *parser) argType(result bool) lang.Type {
	defer p.deeper()()
	t := p.take()
	if result && t.is("void") {
		return lang.Type{}
	}
	depth := 0
	if t.is("array") {
		depth = p.emptyDims()
		t = p.take()
	}

	// A tuple, of such types.
	if t.is("tuple") {
		var parts []lang.Type
		for p.must("("); ; p.must(",") {
			if parts = append(parts, p.argType(false)); p.may(")") {
				break
			}
		}
		of := lang.TupleOf(t.at, parts)
		of.Depth = uint8(depth)
		return of
	}

	// Any other type.
	p.refuseType(t)
	d, ok := declared[t.text]
	if t.kind != word || !ok || d.shape != PlainShape {
		p.i--
		p.expected("a type, such as real or vector")
	}
	if depth == 0 && p.is("[") {
		depth = p.emptyDims()
	}
	return lang.Type{Base: d.base, Depth: uint8(depth)}
}

// emptyDims is the number of sizes of [,].
func (p *parser) emptyDims() int {
	at := p.must("[").at
	n := 1
	for p.may(",") {
		n++
	}
	p.must("]")
	lang.CheckDepth(at, n)
	return n
}

// refuseType refuses a type that is not offered.
func (p *parser) refuseType(t token) {
	if t.kind == word && declared[t.text].base == lang.AnyType {
		p.refuse(t.at, problem.New("the type %s is not supported", t.text))
	}
}

// refuse refuses what is not offered at a byte of the program: within a function where it is called, else at once.
func (p *parser) refuse(at int, why error) {
	if p.inside == nil {
		lang.Fail(at, why)
	}
	if p.inside.Refused == nil {
		p.inside.Refused, p.inside.RefusedAt = why, at
	}
}

// newName is the name of what is declared.
func (p *parser) newName() string {
	t := p.now()
	if t.kind != word {
		p.expected("a name")
	}
	if _, ok := declared[t.text]; ok || keywords[t.text] {
		lang.Fail(t.at, problem.New("%s is a reserved word; choose another name", t.text))
	}
	return p.take().text
}
