package stan

import (
	"strconv"

	"logzlab/core/files/json"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// tupleOfParameters declares the parts of a tuple of parameters as separate parameters.
func (c *checker) tupleOfParameters(d *syntax.Decl) {
	if d.Type.Depth > 0 {
		lang.Fail(d.Start, problem.New("an array of tuples of parameters is not supported; declare an array for each "+
			"element of the tuple"))
	}
	d.Sym = c.declare(d.Pos, &syntax.Symbol{Name: d.Name, Type: d.Type, Decl: d})
	for k, part := range d.Parts {
		n := strconv.Itoa(k + 1)
		part.Pos, part.Name, part.CmdStanName = d.Pos, d.Name+"."+n, d.ShownName()+":"+n
		c.declaration(part)
		d.Sym.Parts = append(d.Sym.Parts, part.Sym)
	}
}

// flattenTuples replaces declarations of tuples by those of their parts.
func flattenTuples(list []*syntax.Stmt) (out []*syntax.Stmt) {
	for _, s := range list {
		if s.Decl.Parts == nil {
			out = append(out, s)
			continue
		}
		var parts []*syntax.Stmt
		for _, part := range s.Decl.Parts {
			one := *s
			one.Decl = part
			parts = append(parts, &one)
		}
		out = append(out, flattenTuples(parts)...)
	}
	return out
}

// expandTuple replaces the name of a tuple of parameters by a tuple of their names.
func expandTuple(e *syntax.Expr, tuple *syntax.Symbol) {
	e.Kind, e.Name, e.Sym, e.Type, e.Args = syntax.TupleNode, tuple.Name, nil, tuple.Type, nil
	for _, s := range tuple.Parts {
		part := &syntax.Expr{Kind: syntax.NameNode, Pos: e.Pos, Start: e.Start, Name: s.Name, Type: s.Type, Sym: s}
		if s.Parts != nil {
			expandTuple(part, s)
		}
		e.Args = append(e.Args, part)
	}
}

// eachPart calls f for the parts of a tuple, or of each tuple of an array, with names such as x[2].1.
func (r *lowerer) eachPart(d *syntax.Decl, v lang.Value, f func(d *syntax.Decl, v lang.Value)) {
	arrays := v.Dims[:d.Type.Depth]
	one := lang.Value{T: d.Type, Dims: v.Dims[d.Type.Depth:]}
	one.T.Depth = 0
	size := one.T.ElementCount(one.Dims)
	for i := range lang.Product(arrays) {
		one.X = v.X[i*size : (i+1)*size]
		for k, part := range d.Parts {
			p := *part
			p.Pos, p.Name = d.Pos, d.Name+elementName(arrays, i)+"."+strconv.Itoa(k+1)
			f(&p, one.Part(k))
		}
	}
}

// loadTuples reads tuples from JSON: objects with the names 1, 2 and so on, nested in lists for arrays.
func (r *lowerer) loadTuples(from source, d *syntax.Decl, name string) lang.Value {
	t, dims := r.sizes(d)
	fail := func(err error) {
		r.Pos = d.Pos
		r.Fail(problem.New("the data for %s cannot be read: %w", name, err))
	}
	o, ok := from.(jsonData)
	if r.CheckSize(dims[:t.Depth]...) == 0 {
		return lang.Value{T: t, Dims: dims} // the data may omit variables without elements
	}
	if !ok || o[d.Name].IsNull() {
		r.Pos = d.Pos
		r.Fail(problem.New("the data lack %s, which is declared as %s", name, declaredAs(t, dims)))
	}

	// The objects, in the order of the array.
	items := []json.Value{o[d.Name]}
	for _, n := range dims[:t.Depth] {
		var inner []json.Value
		for _, v := range items {
			list, err := v.List()
			if err == nil && len(list) != n {
				err = errShape
			}
			if err != nil {
				fail(err)
			}
			inner = append(inner, list...)
		}
		items = inner
	}

	// Their parts.
	out := lang.Value{T: t, Dims: dims}
	for _, v := range items {
		object, err := v.Object()
		if err != nil {
			fail(err)
		}
		for k, part := range d.Parts {
			p := *part
			p.Pos, p.Name = d.Pos, strconv.Itoa(k+1)
			out.X = append(out.X, r.loadVariable(jsonData(object), &p, name+"."+p.Name).X...)
		}
	}
	return out
}
