package stan

import (
	"strconv"
	"strings"

	"logzlab/core/modelfile"
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// Compiled is a program with its data.
type Compiled struct {
	Tape       *tape.Tape
	Parameters []Parameter
	Data       []Variable
	Notes      []error // phrases: what a reader must know, as that a parameter has no prior
}

// Variable is a declared variable with its sizes, arrays first.
type Variable struct {
	Name string
	Type string // as simplex, or array[] vector
	Dims []int
}

// Parameter is a parameter: coordinates First to First+Free-1.
type Parameter struct {
	Variable
	First, Free int
	Improper    bool     // no prior was found for it, and it is not bounded on both sides: log Z has no meaning
	Priors      []string // the distributions by which the program states it, as "normal"
}

// maxShown is the most elements of a transformed parameter that are shown.
const maxShown = 200

// Compile runs a program with its data: JSON, or a table with the names of variables; empty where the program has none.
// going is asked now and then whether to go on; it may be nil.
func (p *Program) Compile(data []byte, going func() bool) (out *Compiled, err error) {
	defer caught(p.source, &err)
	r := &run{b: tape.NewBuilder(0), going: going, frame: make([]value, p.slots), pause: pauseSteps, outer: -1}
	out = &Compiled{}
	if p.density != nil {
		r.single(p, out)
		r.b.Target(r.terms...)
		out.Tape, err = r.b.Finish()
		return out, err
	}
	r.load(p.blocks[dataBlock], data)
	r.finish(p.blocks[transformedData])
	for _, s := range p.blocks[dataBlock] {
		d := s.decl
		out.Data = append(out.Data, variable(d, r.frame[d.sym.slot].dims))
	}
	r.parameters(p, out)
	jacobians := append(numbers(nil), r.terms...)
	r.finish(p.blocks[transformedParameters])
	r.body(p.blocks[modelBlock])
	r.at = -1
	if r.b.Err() != nil {
		r.fail(r.b.Err())
	}
	r.tellPriors(p, out)
	cut := r.tellCuts(p, out)
	for _, b := range []block{parametersBlock, transformedParameters} {
		r.show(p.blocks[b])
	}
	r.b.Target(r.terms...)
	if len(data) > 0 {
		r.b.Note(tape.NoteData, modelfile.ID(data))
	}
	if names := out.improper(); names != "" {
		r.b.Note(tape.NoteImproper, names)
	}
	if cut != "" {
		r.b.Note(tape.NoteCut, cut)
	}
	if density, draws, why := r.prior(p, out, jacobians); density != nil {
		r.b.Note(tape.NotePrior, string(density.Bytes()))
		r.b.Note(tape.NoteDraws, string(draws.Bytes()))
	} else {
		r.b.Note(tape.NoteNoPrior, why[0]+"\n"+why[1])
	}
	if other := r.nonCentred(p, out); other != nil {
		r.b.Note(tape.NoteNonCentred, string(other.Bytes()))
	}
	if out.Tape, err = r.b.Finish(); err != nil {
		fail(p.begins[modelBlock], err)
	}
	return out, nil
}

// improper are the names of the parameters without a prior.
func (c *Compiled) improper() string {
	var names []string
	for _, p := range c.Parameters {
		if p.Improper {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Compile parses a program and runs it with its data.
func Compile(source string, data []byte, going func() bool) (*Compiled, error) {
	p, err := Parse(source)
	if err != nil {
		return nil, err
	}
	return p.Compile(data, going)
}

// finish runs a block of declarations and statements, and checks what it has declared.
func (r *run) finish(list []*stmt) {
	r.body(list)
	for _, s := range list {
		if s.action != declareStmt {
			continue
		}
		v := r.frame[s.decl.sym.slot]
		if s.decl.sym.block == transformedParameters {
			r.assigned(s.decl, v)
		}
		r.obey(s.decl, v)
	}
}

// assigned refuses a variable that has an element without a value at the end of its block.
func (r *run) assigned(d *decl, v value) {
	for i, s := range v.x {
		if c, ok := s.Const(); ok && c != c {
			fail(d.at, problem.New("%s has no value at the end of its block", d.name+elementName(v.dims, i)))
		}
	}
}

func variable(d *decl, dims []int) Variable {
	v := Variable{Name: d.name, Type: d.typ.String(), Dims: dims}
	if d.shape != plainShape {
		v.Type = shapeNames[d.shape]
	}
	return v
}

// parameters counts the coordinates, starts the tape and makes the parameters of them.
func (r *run) parameters(p *Program, out *Compiled) {
	dim := 0
	for _, s := range p.blocks[parametersBlock] {
		d := s.decl
		_, dims := r.sizes(d)
		if d.shape == covFactorShape && dims[d.typ.depth] < dims[d.typ.depth+1] {
			r.fail(problem.New("a cholesky_factor_cov has at least as many rows as columns"))
		}
		if size, ok := simplexSize(d.shape, dims[d.typ.depth:]); ok && size == 0 {
			r.fail(problem.New("a simplex has at least one element"))
		}
		r.room(dims...)
		n := product(dims[:d.typ.depth]) * free(d, dims)
		out.Parameters = append(out.Parameters, Parameter{Variable: variable(d, dims), First: dim, Free: n})
		if dim += n; dim > tape.MaxDim {
			break
		}
	}
	r.at = p.begins[modelBlock]
	if list := p.blocks[parametersBlock]; len(list) > 0 {
		r.at = list[0].decl.at
	}
	if r.dim = dim; dim == 0 {
		r.fail(problem.New("the program has no parameters; there is nothing to integrate over"))
	}
	if r.b = tape.NewBuilder(dim); r.b.Err() != nil {
		r.fail(r.b.Err())
	}
	u := r.b.Inputs()
	for i, s := range p.blocks[parametersBlock] {
		q := &out.Parameters[i]
		r.frame[s.decl.sym.slot] = r.constrained(s.decl, s.decl.typ, q.Dims, u[q.First:q.First+q.Free])
	}
}

// simplexSize is the number of elements of a simplex that a type has.
func simplexSize(s shape, dims []int) (n int, ok bool) {
	switch s {
	case simplexShape, columnSimplexShape:
		return dims[0], true
	case rowSimplexShape:
		return dims[1], true
	}
	return 0, false
}

// show names the numbers of declared variables, as CmdStan does: the first index moves first.
func (r *run) show(list []*stmt) {
	for _, s := range list {
		if s.action != declareStmt {
			continue
		}
		d := s.decl
		v := r.frame[d.sym.slot]
		if d.sym.block == transformedParameters && len(v.x) > maxShown {
			continue
		}
		for n := range len(v.x) {
			name, at := element(d.name, v.dims, n)
			r.b.Show(name, v.x[at])
		}
	}
}

// element is the n-th number of a variable as CmdStan orders them, its name there and its place in a value.
func element(name string, dims []int, n int) (full string, at int) {
	stride := product(dims)
	for _, size := range dims {
		stride /= size
		name += "." + strconv.Itoa(n%size+1)
		at += n % size * stride
		n /= size
	}
	return name, at
}
