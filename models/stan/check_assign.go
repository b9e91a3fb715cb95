package stan

import (
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// assignment checks a = b and a[i] += b.
func (c *checker) assignment(s *syntax.Stmt) {
	to := c.exprType(s.Left)
	c.assignable(s.Left)
	t := c.exprType(s.Right)
	if s.Op != "=" {
		op := strings.TrimSuffix(s.Op, "=")
		result, ok := lang.BinaryType(op, to, t)
		if !ok {
			lang.Fail(s.Pos, problem.New("%s cannot be applied to %s and %s", syntax.Quoted(s.Op), to, t))
		}
		t = result
	}
	if !to.Accepts(t) {
		lang.Fail(s.Right.Start, problem.New("%s cannot be assigned to %s", t, to))
	}
	if s.Left.Kind == syntax.TupleNode {
		c.unpack(s)
	}
}

// assignable fails if e is not a variable, or a part of one, that may be assigned to here.
func (c *checker) assignable(e *syntax.Expr) {
	if e.Kind == syntax.TupleNode {
		for _, a := range e.Args {
			c.assignable(a)
		}
		return
	}
	root := syntax.Root(e)
	if root.Kind != syntax.NameNode {
		lang.Fail(e.Pos, problem.New("this cannot be assigned to; write a variable or an element of one"))
	}
	switch sym := root.Sym; {
	case sym.ReadOnly:
		lang.Fail(root.Pos, problem.New("%s is a loop variable or an argument, which cannot be assigned to", sym.Name))
	case sym.Block != c.block:
		lang.Fail(root.Pos, problem.New("%s belongs to the block %s and cannot be assigned to in the block %s", sym.Name,
			syntax.BlockNames[sym.Block], syntax.BlockNames[c.block]))
	}
}

// unpack replaces (a, b) = c by an assignment to an unnamed tuple and assignments of its parts.
func (c *checker) unpack(s *syntax.Stmt) {
	left := s.Left
	s.Left = &syntax.Expr{Kind: syntax.NameNode, Pos: left.Pos, Start: left.Start, Type: left.Type}
	s.Left.Sym = &syntax.Symbol{Type: left.Type, Slot: c.slots, Block: c.block}
	c.slots++
	for i, a := range left.Args {
		part := &syntax.Expr{Kind: syntax.TuplePartNode, Pos: s.Right.Pos, Start: s.Right.Start, Num: float64(i + 1), Type: a.Type,
			Args: []*syntax.Expr{s.Left}}
		one := &syntax.Stmt{Kind: syntax.AssignStmt, Pos: s.Pos, Start: s.Start, Op: "=", Left: a, Right: part}
		if s.Body = append(s.Body, one); a.Kind == syntax.TupleNode {
			c.unpack(one)
		}
	}
}
