package stan

import (
	"strings"

	"logzlab/core/problem"
)

// parser reads tokens from left to right.
type parser struct {
	source string
	tokens []token
	i      int
	nested int
}

// Limits of how deep a program may be nested.
const maxNested, maxChain = 200, 2000

// Parse reads a program, and checks its names and types.
func Parse(source string) (p *Program, err error) {
	defer caught(source, &err)
	p = (&parser{source: source, tokens: lex(source)}).program()
	check(p)
	return p, nil
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
		p.expected(quoted(text))
	}
	return p.take()
}

// expected fails at the token: something else should stand here.
func (p *parser) expected(what string) {
	fail(p.now().at, problem.New("%s stands where %s was expected", p.found(), what))
}

func (p *parser) found() string {
	if p.now().kind == ended {
		return "the end of the program"
	}
	return quoted(strings.Trim(p.now().text, `"`))
}

// deeper counts nesting; the function that it returns ends it.
func (p *parser) deeper() func() {
	if p.nested++; p.nested > maxNested {
		fail(p.now().at, problem.New("the program is nested more than %d deep here", maxNested))
	}
	return func() { p.nested-- }
}

// blockAt is the block whose name stands at the token, and how many words it has; none: blocks.
func (p *parser) blockAt() (block, int) {
	first, second := p.now().text, p.next().text
	for b := range blocks {
		switch name := blockNames[b]; {
		case name == first:
			return b, 1
		case name == first+" "+second:
			return b, 2
		}
	}
	return blocks, 0
}

func (p *parser) program() *Program {
	out := &Program{source: p.source}
	last := -1
	for p.now().kind != ended {
		at := p.now().at
		b, words := p.blockAt()
		if b == blocks {
			p.expected("the name of a block, as data or model,")
		}
		if int(b) == last {
			fail(at, problem.New("the block %s is given twice", blockNames[b]))
		} else if int(b) < last {
			fail(at, problem.New("the block %s must stand before the block %s", blockNames[b], blockNames[last]))
		}
		last = int(b)
		p.i += words
		out.begins[b] = at
		p.must("{")
		for !p.may("}") {
			if b == functionsBlock {
				out.functions = append(out.functions, p.function())
			} else {
				out.blocks[b] = append(out.blocks[b], p.statement()...)
			}
		}
	}
	if last < 0 {
		fail(p.now().at, problem.New("the program is empty; it needs a block such as model { }"))
	}
	return out
}

func (p *parser) function() *function {
	f := &function{result: p.argType(true)}
	f.at = p.now().at
	f.name = p.newName()
	p.must("(")
	for !p.may(")") {
		if len(f.params) > 0 && !p.may(",") && !(len(f.params) == 1 && p.may("|")) {
			p.expected(quoted(","))
		}
		a := param{data: p.may("data")}
		a.typ = p.argType(false)
		a.at = p.now().at
		a.name = p.newName()
		f.params = append(f.params, a)
	}
	if p.may(";") {
		return f
	}
	p.must("{")
	f.body = append([]*stmt{}, p.rest()...)
	f.end = p.tokens[p.i-1].at
	return f
}

// argType is the type of an argument or result, in both spellings of arrays.
func (p *parser) argType(result bool) typ {
	t := p.take()
	if result && t.is("void") {
		return typ{}
	}
	depth := 0
	if t.is("array") {
		depth = p.emptyDims()
		t = p.take()
	}
	p.refuseType(t)
	d, ok := declared[t.text]
	if t.kind != word || !ok || d.shape != plainShape {
		p.i--
		p.expected("a type, as real or vector,")
	}
	if depth == 0 && p.is("[") {
		depth = p.emptyDims()
	}
	return typ{d.base, uint8(depth)}
}

// emptyDims is the number of sizes of [,].
func (p *parser) emptyDims() int {
	at := p.must("[").at
	n := 1
	for p.may(",") {
		n++
	}
	p.must("]")
	checkDepth(at, n)
	return n
}

// maxDepth is the most dimensions of an array.
const maxDepth = 8

func checkDepth(at, n int) {
	if n > maxDepth {
		fail(at, problem.New("arrays have at most %d dimensions here", maxDepth))
	}
}

func (p *parser) refuseType(t token) {
	if t.kind == word && notOffered[t.text] {
		fail(t.at, problem.New("the type %s is not offered here", t.text))
	}
}

// newName is the name of what is declared.
func (p *parser) newName() string {
	t := p.now()
	if t.kind != word {
		p.expected("a name")
	}
	if _, ok := declared[t.text]; ok || keywords[t.text] {
		fail(t.at, problem.New("%s is a word of the language; choose another name", t.text))
	}
	return p.take().text
}
