package stan

import (
	"strconv"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// Compiled is the result of compiling a program with its data.
type Compiled struct {
	Tape       *tape.Tape
	Parameters []Parameter
	Data       []Variable
	Notes      []error // notes to the user, such as a parameter without a prior
}

// Variable describes a declared variable. Array sizes come first in Dims.
type Variable struct {
	Name string
	Type string // such as simplex or array[] vector
	Dims []int
}

// Parameter describes a parameter, with coordinates First to First+Free-1.
type Parameter struct {
	Variable
	First, Free int
	Improper    bool     // it has no prior and no two bounds, so log Z is undefined
	Priors      []string // names of its priors, such as "normal"
}

// maxShownElements is the largest number of elements of a transformed parameter in the output.
const maxShownElements = 200

// Compile compiles the program with its data: JSON, or a table with variable names; empty if the program has no data.
// Compilation stops with an error if keepGoing, which may be nil, returns false. Other errors name a position in the
// source.
func (p *Program) Compile(data []byte, keepGoing func() bool) (out *Compiled, err error) {
	return p.compile(data, keepGoing, nil)
}

// compile compiles the program; if priors is not nil, it omits the likelihood.
func (p *Program) compile(data []byte, keepGoing func() bool, priors *priorsOnly) (out *Compiled, err error) {
	defer lang.Recover(p.Source, &err)
	r := &lowerer{Emitter: lang.NewEmitter(keepGoing), frame: make([]lang.Value, p.Slots), constantTerms: p.constantTerms, priorsOnly: priors,
		losses: map[*syntax.Symbol]*truncationLoss{}, indirect: indirectDensities{boundedElements: map[tape.Scalar]*syntax.Symbol{},
			elementCount: map[*syntax.Symbol]int{}, byValue: map[tape.Scalar][]truncatedPrior{}, functionValues: map[tape.Scalar]bool{}}}
	out = &Compiled{}
	if p.Density != nil {
		r.lowerExpressionProgram(p, out)
		r.B.Target(r.terms...)
		out.Tape, err = r.B.Finish()
		return out, err
	}

	// Data and transformed data.
	r.loadData(p.Blocks[syntax.DataBlock], data)
	r.lowerBlock(p.Blocks[syntax.TransformedDataBlock])
	for _, s := range p.Blocks[syntax.DataBlock] {
		d := s.Decl
		out.Data = append(out.Data, describeVariable(d, r.frame[d.Sym.Slot].Dims))
	}

	// Parameters and density.
	r.parameters(p, out)
	jacobians := append(lang.Scalars(nil), r.terms...)
	r.lowerBlock(p.Blocks[syntax.TransformedParametersBlock])
	r.lowerBody(p.Blocks[syntax.ModelBlock])
	r.Pos = -1
	if r.B.Err() != nil {
		r.Fail(r.B.Err())
	}

	// Notes on the priors, and the outputs.
	r.reportPriors(p, out, jacobians)
	truncationNote := r.reportLosses(p, out)
	for _, b := range []syntax.Block{syntax.ParametersBlock, syntax.TransformedParametersBlock} {
		r.addOutputs(p.Blocks[b])
	}

	// The tape and its notes.
	if priors != nil && priors.findFlat(r, p, out, len(jacobians)) {
		return out, nil
	}
	r.B.Target(r.terms...)
	if len(data) > 0 {
		r.B.Note(tape.NoteData, modelfile.ID(data))
	}
	if names := out.improper(); names != "" {
		r.B.Note(tape.NoteImproper, names)
	}
	if truncationNote != "" {
		r.B.Note(tape.NoteTruncated, truncationNote)
	}
	if density, draws, why := r.buildPriorSampler(p, out, jacobians); density != nil {
		r.B.Note(tape.NotePrior, string(density.Bytes()))
		r.B.Note(tape.NoteDraws, string(draws.Bytes()))
	} else {
		r.B.Note(tape.NoteNoPrior, why[0]+"\n"+why[1])
	}
	if nonCentred := r.nonCentred(p, out); nonCentred != nil {
		r.B.Note(tape.NoteNonCentred, string(nonCentred.Bytes()))
	}
	if out.Tape, err = r.B.Finish(); err != nil {
		lang.Fail(p.BlockPos[syntax.ModelBlock], err)
	}
	return out, nil
}

// improper returns the names of the parameters without a prior.
func (c *Compiled) improper() string {
	var names []string
	for _, p := range c.Parameters {
		if p.Improper {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Compile parses a program and compiles it with its data, as Program.Compile.
func Compile(source string, data []byte, keepGoing func() bool) (*Compiled, error) {
	p, err := Parse(source)
	if err != nil {
		return nil, err
	}
	return p.Compile(data, keepGoing)
}

// lowerBlock lowers a block of declarations and statements, and validates the declared variables.
func (r *lowerer) lowerBlock(list []*syntax.Stmt) {
	r.lowerBody(list)
	for _, s := range list {
		if s.Kind != syntax.DeclareStmt {
			continue
		}
		v := r.frame[s.Decl.Sym.Slot]
		if s.Decl.Sym.Block == syntax.TransformedParametersBlock {
			r.checkAssigned(s.Decl, v)
		}
		r.validate(s.Decl, v)
	}
}

// checkAssigned fails if an element of a variable has no value at the end of its block.
func (r *lowerer) checkAssigned(d *syntax.Decl, v lang.Value) {
	if d.Parts != nil {
		r.eachPart(d, v, r.checkAssigned)
		return
	}
	for i, s := range v.X {
		if isUninitialised(s) {
			lang.Fail(d.Pos, problem.New("%s has no value at the end of its block", d.Name+elementName(v.Dims, i)))
		}
	}
}

// describeVariable returns the Variable of a declaration with evaluated sizes.
func describeVariable(d *syntax.Decl, dims []int) Variable {
	v := Variable{Name: d.Name, Type: d.Type.String(), Dims: dims}
	if d.Constraint != syntax.NoConstraint {
		v.Type = constraintNames[d.Constraint]
	}
	return v
}

// parameters counts the coordinates, starts the tape and constrains the parameters.
func (r *lowerer) parameters(p *Program, out *Compiled) {
	dim := 0
	for _, s := range p.Blocks[syntax.ParametersBlock] {
		d := s.Decl
		_, dims := r.sizes(d)
		if d.Constraint == syntax.CholeskyCov && dims[d.Type.Depth] < dims[d.Type.Depth+1] {
			r.Fail(problem.New("a cholesky_factor_cov has at least as many rows as columns"))
		}
		if size, ok := simplexSize(d.Constraint, dims[d.Type.Depth:]); ok && size == 0 {
			r.Fail(problem.New("a simplex needs at least one element"))
		}
		r.CheckSize(dims...)
		n := lang.Product(dims[:d.Type.Depth]) * freeCount(d, dims)
		out.Parameters = append(out.Parameters, Parameter{Variable: describeVariable(d, dims), First: dim, Free: n})
		if dim += n; dim > tape.MaxDim {
			break
		}
	}

	// A tape with an input for each coordinate.
	r.Pos = p.BlockPos[syntax.ModelBlock]
	if list := p.Blocks[syntax.ParametersBlock]; len(list) > 0 {
		r.Pos = list[0].Decl.Pos
	}
	if r.dim = dim; dim == 0 {
		r.Fail(problem.New("the program has no parameters; there is nothing to integrate over"))
	}
	if r.Start(dim); r.B.Err() != nil {
		r.Fail(r.B.Err())
	}

	// The parameters, constrained from the inputs.
	r.stated = statedPriors{elements: priors.Elements{}, kinds: p.priorKinds, families: make([][]string, dim), soleTerms: map[int]lang.Scalars{},
		inSharedTerm: map[int]bool{}, inJointDensity: map[int]bool{}, isOutcome: map[int]bool{}}
	u := r.B.Inputs()
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q := &out.Parameters[i]
		r.frame[s.Decl.Sym.Slot] = r.constrain(s.Decl, s.Decl.Type, q.Dims, u[q.First:q.First+q.Free])
		r.registerElements(s.Decl, q)
		r.registerBounded(s.Decl)
	}
}

// simplexSize returns the number of elements of each simplex in a constrained type. ok is false for other types.
func simplexSize(s syntax.Constraint, dims []int) (n int, ok bool) {
	switch s {
	case syntax.Simplex, syntax.ColumnStochastic:
		return dims[0], true
	case syntax.RowStochastic:
		return dims[1], true
	}
	return 0, false
}

// addOutputs adds declared variables to the outputs of the tape, in the order of CmdStan: the first index varies
// fastest.
func (r *lowerer) addOutputs(list []*syntax.Stmt) {
	for _, s := range list {
		if s.Kind != syntax.DeclareStmt {
			continue
		}
		d := s.Decl
		v := r.frame[d.Sym.Slot]
		if d.Sym.Block == syntax.TransformedParametersBlock && len(v.X) > maxShownElements {
			continue
		}
		r.addOutput(d, v)
	}
}

// tupleName turns x[2].1 into CmdStan's x.2:1.
var tupleName = strings.NewReplacer("[", ".", "].", ":", ",", ".", ".", ":")

// addOutput adds the numbers of a variable, or of each part of a tuple, to the outputs of the tape.
func (r *lowerer) addOutput(d *syntax.Decl, v lang.Value) {
	if d.Parts != nil {
		r.eachPart(d, v, func(p *syntax.Decl, v lang.Value) {
			p.Name = d.Name + tupleName.Replace(p.Name[len(d.Name):])
			r.addOutput(p, v)
		})
		return
	}
	for n := range len(v.X) {
		name, at := element(d.ShownName(), v.Dims, n)
		r.B.Output(name, v.X[at])
	}
}

// element returns the name of element n of a variable in CmdStan's order, and its index in the value.
func element(name string, dims []int, n int) (full string, at int) {
	stride := lang.Product(dims)
	for _, size := range dims {
		stride /= size
		name += "." + strconv.Itoa(n%size+1)
		at += n % size * stride
		n /= size
	}
	return name, at
}
