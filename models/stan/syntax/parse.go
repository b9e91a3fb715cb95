package syntax

import (
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
)

// parser is a recursive-descent parser.
type parser struct {
	source          string
	tokens          []token
	i               int       // index of the current token
	depth           int       // nesting depth, see enter
	currentFunction *Function // the function being parsed, or nil
}

// maxNesting limits the nesting of statements and brackets, maxChain the depth of an expression tree.
const maxNesting, maxChain = 200, 2000

// Parse parses a program. A syntax error panics by lang.Fail; see lang.Recover.
func Parse(source string) *Program { return (&parser{source: source, tokens: lex(source)}).program() }

// Expression parses a density that is given as one expression.
func Expression(source string) *Program {
	p := &parser{source: source, tokens: lex(source)}
	out := &Program{Source: source, Density: p.expression()}
	if p.accept(";"); p.current().kind != endToken {
		p.failExpected("an operator or the end of the expression")
	}
	return out
}

// current returns the next unread token.
func (p *parser) current() *token { return &p.tokens[p.i] }

// peek returns the token after the current one.
func (p *parser) peek() *token {
	if p.i+1 < len(p.tokens) {
		return &p.tokens[p.i+1]
	}
	return p.current()
}

// advance returns the current token and moves to the next.
func (p *parser) advance() token {
	t := *p.current()
	if t.kind != endToken {
		p.i++
	}
	return t
}

// is reports whether the current token is the operator or word text.
func (p *parser) is(text string) bool { return p.current().is(text) }

// is reports whether the token is the operator or word text.
func (t *token) is(text string) bool {
	return (t.kind == operatorToken || t.kind == wordToken) && t.text == text
}

// accept moves past the operator or word text if it is the current token, and reports whether it is.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.i++
	return true
}

// expect moves past the operator or word text; another token is an error.
func (p *parser) expect(text string) token {
	if !p.is(text) {
		p.failExpected(Quoted(text))
	}
	return p.advance()
}

// failExpected reports that the current token is not what the grammar requires here.
func (p *parser) failExpected(what string) {
	lang.Fail(p.current().pos, problem.New("found %s, expected %s", p.describeCurrent(), what))
}

// describeCurrent returns the current token as it is named in errors.
func (p *parser) describeCurrent() string {
	if p.current().kind == endToken {
		return "the end of the program"
	}
	return Quoted(strings.Trim(p.current().text, `"`))
}

// enter counts one level of nesting; the returned function leaves it.
func (p *parser) enter() func() {
	if p.depth++; p.depth > maxNesting {
		lang.Fail(p.current().pos, problem.New("the program is nested more than %d deep here", maxNesting))
	}
	return func() { p.depth-- }
}

// blockHeader returns the block whose name begins at the current token, and the number of words of the name, or
// blockCount.
func (p *parser) blockHeader() (Block, int) {
	first, second := p.current().text, p.peek().text
	for b := range blockCount {
		switch name := BlockNames[b]; {
		case name == first:
			return b, 1
		case name == first+" "+second:
			return b, 2
		}
	}
	return blockCount, 0
}

// program parses all blocks.
func (p *parser) program() *Program {
	out := &Program{Source: p.source}
	previous := -1
	for p.current().kind != endToken {
		at := p.current().pos
		b, words := p.blockHeader()

		// Check that the blocks are in Stan's order.
		if b == blockCount {
			p.failExpected("the name of a block, such as data or model")
		}
		if int(b) == previous {
			lang.Fail(at, problem.New("the block %s is given twice", BlockNames[b]))
		} else if int(b) < previous {
			lang.Fail(at, problem.New("the block %s must come before the block %s", BlockNames[b], BlockNames[previous]))
		}
		previous = int(b)
		p.i += words
		out.BlockPos[b] = at

		// Parse the contents of the block.
		p.expect("{")
		for !p.accept("}") {
			if b != FunctionsBlock && p.accept(";") {
				continue
			}
			if b == FunctionsBlock {
				out.Functions = append(out.Functions, p.function())
			} else {
				out.Blocks[b] = append(out.Blocks[b], p.statement()...)
			}
		}
	}
	if previous < 0 {
		lang.Fail(p.current().pos, problem.New("the program is empty; it needs a block such as model { }"))
	}
	return out
}

// function parses a user-defined function or a forward declaration.
func (p *parser) function() *Function {
	f := &Function{}
	p.currentFunction = f
	defer func() { p.currentFunction = nil }()
	f.Result = p.argType(true)
	f.Pos = p.current().pos
	f.Name = p.declaredName()
	p.expect("(")
	for !p.accept(")") {
		if len(f.Params) > 0 && !p.accept(",") && !(len(f.Params) == 1 && p.accept("|")) {
			p.failExpected(Quoted(","))
		}
		a := Param{Data: p.accept("data")}
		a.Type = p.argType(false)
		a.Pos = p.current().pos
		a.Name = p.declaredName()
		f.Params = append(f.Params, a)
	}
	if p.accept(";") {
		return f
	}
	p.expect("{")
	f.Body = append([]*Stmt{}, p.blockBody()...)
	f.EndPos = p.tokens[p.i-1].pos
	return f
}

// argType parses the type of a function argument or result, in the old and the new array syntax.
func (p *parser) argType(result bool) lang.Type {
	defer p.enter()()
	t := p.advance()
	if result && t.is("void") {
		return lang.Type{}
	}
	depth := 0
	if t.is("array") {
		depth = p.arrayDepth()
		t = p.advance()
	}

	// A tuple of argument types.
	if t.is("tuple") {
		var parts []lang.Type
		for p.expect("("); ; p.expect(",") {
			if parts = append(parts, p.argType(false)); p.accept(")") {
				break
			}
		}
		tuple := lang.TupleOf(t.pos, parts)
		tuple.Depth = uint8(depth)
		return tuple
	}

	// Any other type.
	p.checkTypeSupported(t)
	d, ok := typeWords[t.text]
	if t.kind != wordToken || !ok || d.shape != NoConstraint {
		p.i--
		p.failExpected("a type, such as real or vector")
	}
	if depth == 0 && p.is("[") {
		depth = p.arrayDepth()
	}
	return lang.Type{Base: d.base, Depth: uint8(depth)}
}

// arrayDepth parses [,] and returns the number of dimensions.
func (p *parser) arrayDepth() int {
	at := p.expect("[").pos
	n := 1
	for p.accept(",") {
		n++
	}
	p.expect("]")
	lang.CheckDepth(at, n)
	return n
}

// checkTypeSupported rejects types that are not supported.
func (p *parser) checkTypeSupported(t token) {
	if t.kind == wordToken && typeWords[t.text].base == lang.UnsupportedType {
		p.unsupported(t.pos, problem.New("the type %s is not supported", t.text))
	}
}

// unsupported reports an unsupported feature. In a user-defined function the error is raised only if compiled code
// calls the function.
func (p *parser) unsupported(at int, why error) {
	if p.currentFunction == nil {
		lang.Fail(at, why)
	}
	if p.currentFunction.Unsupported == nil {
		p.currentFunction.Unsupported, p.currentFunction.UnsupportedPos = why, at
	}
}

// declaredName parses the name in a declaration.
func (p *parser) declaredName() string {
	t := p.current()
	if t.kind != wordToken {
		p.failExpected("a name")
	}
	if _, ok := typeWords[t.text]; ok || keywords[t.text] {
		lang.Fail(t.pos, problem.New("%s is a reserved word; choose another name", t.text))
	}
	return p.advance().text
}
