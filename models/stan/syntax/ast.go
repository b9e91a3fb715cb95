package syntax

import (
	"logzlab/models/stan/lang"
)

// Node is what an expression does.
type ExprKind uint8

const (
	LiteralNode ExprKind = iota
	StringNode           // of print and reject
	NameNode
	CallNode
	DensityNode // f(y | args)
	IndexNode
	UnaryNode
	BinaryNode
	TernaryNode
	TransposeNode
	ArrayNode     // {a, b}
	RowNode       // [a, b]
	TupleNode     // (a, b)
	TuplePartNode // a.1; Num is the number
	TargetNode
)

// Expr is an expression.
type Expr struct {
	Kind    ExprKind
	Pos     int    // of its operator, name or bracket
	Start   int    // of its first token
	Name    string // of a variable, function or operator; a text
	Num     float64
	Args    []*Expr
	Indices []Index
	depth   int // how deep expressions below it are nested

	// What the checker finds.
	Type    lang.Type
	Sym     *Symbol
	Builtin *lang.Builtin
	User    *Function

	// Of a density that is the prior of a parameter: which, and what is added to it, or subtracted.
	Prior           *Symbol
	Shift           *Expr
	ShiftSubtracted bool
	Truncation      *Truncation // of the prior, nil without
}

// Index is one of x[a, b:c, ].
type Index struct {
	Lo, Hi *Expr // nil where they are left out
	Slice  bool  // lo:hi; else lo alone
}

// Action is what a statement does.
type StmtKind uint8

const (
	EmptyStmt StmtKind = iota
	DeclareStmt
	AssignStmt
	TildeStmt
	TargetStmt
	CallStmt
	PrintStmt
	RejectStmt
	IfStmt
	WhileStmt
	ForStmt
	ForEachStmt
	BreakStmt
	ContinueStmt
	ReturnStmt
	BlockStmt
)

// Stmt is a statement.
type Stmt struct {
	Kind       StmtKind
	Pos        int // of the sign or word that matters
	Start      int
	Decl       *Decl
	Op         string // of an assignment
	Left       *Expr  // what is assigned to, left of ~, a condition, a container that is walked over
	Right      *Expr  // what is assigned, the distribution, the value returned
	Args       []*Expr
	Lo, Hi     *Expr
	Body       []*Stmt // of a loop, a block, of if; of (a, b) = c the assignments of its parts
	Else       []*Stmt // of else
	Sym        *Symbol // the variable of a loop
	Truncation *Truncation
	Text       string // of a distribution: its name; of reject
}

// Truncation is T[lo, hi].
type Truncation struct {
	Pos    int
	Lo, Hi *Expr

	// Logs of probabilities that the checker finds: below hi, below lo, above lo, above hi; nil where others do.
	LogCDFHi, LogCDFLo, LogCCDFLo, LogCCDFHi *Expr

	// Where each element of the outcome is truncated by itself: variables that the logs are of, for the arguments of the
	// distribution, and then lo and hi; nil where these are left out.
	ElementSymbols []*Symbol
}

// Decl declares a variable.
type Decl struct {
	Pos        int // of the name
	Start      int // of the type
	BoundsPos  int // of the bounds
	InitPos    int // of = before a first value
	Name       string
	Type       lang.Type
	Constraint Constraint
	Dims       []*Expr // of arrays
	Sizes      []*Expr // of vectors and matrices
	Lower, Upper,
	Offset, Multiplier *Expr
	Init        *Expr
	Sym         *Symbol
	Parts       []*Decl // of a tuple
	CmdStanName string  // its name as CmdStan writes it, where that is not Name
}

// ShownName returns the name of a variable as CmdStan writes it.
func (d *Decl) ShownName() string {
	if d.CmdStanName != "" {
		return d.CmdStanName
	}
	return d.Name
}

// Function is a function of the program's own.
type Function struct {
	Pos    int
	Name   string
	Result lang.Type
	Params []Param
	Body   []*Stmt // nil: it is only announced
	Slots  int     // variables of a call
	Calls  []CallSite
	EndPos int // of its last brace

	Checked        bool  // it is called from what is compiled
	Unsupported    error // why it cannot be compiled, at a byte of the program; nil: no reason was found
	UnsupportedPos int
}

// Called is a call of a function.
type CallSite struct {
	Function *Function
	Pos      int
}

type Param struct {
	Pos  int
	Data bool // it must not depend on parameters
	Name string
	Type lang.Type
	Sym  *Symbol
}

// Symbol is a variable.
type Symbol struct {
	Name     string
	Type     lang.Type
	Slot     int
	Block    Block
	Decl     *Decl     // nil for loop variables and arguments
	Parts    []*Symbol // of a tuple of parameters, which are variables of their own
	ReadOnly bool      // a loop variable or argument, which cannot be assigned to
}

// Block is a block of the program, in its order.
type Block uint8

const (
	FunctionsBlock Block = iota
	DataBlock
	TransformedDataBlock
	ParametersBlock
	TransformedParametersBlock
	ModelBlock
	generatedQuantitiesBlock
	blockCount
)

var BlockNames = [blockCount]string{"functions", "data", "transformed data", "parameters", "transformed parameters",
	"model", "generated quantities"}

// Program is a program as it is written; the checker fills in what names mean.
type Program struct {
	Source      string
	Functions   []*Function
	Blocks      [blockCount][]*Stmt
	BlockPos    [blockCount]int // where blocks begin
	Slots       int
	Density     *Expr // of an expression by itself
	FreeSymbols []*Symbol
}

func (f *Function) ParamTypes() []lang.Type {
	var out []lang.Type
	for _, a := range f.Params {
		out = append(out, a.Type)
	}
	return out
}

// Adds is how a statement that adds to the density begins.
func (s *Stmt) TargetKeyword() string {
	if s.Text != "" {
		return JacobianKeyword
	}
	return "target +="
}

// IsParameter reports whether a variable is declared as one.
func (s *Symbol) IsParameter() bool { return s.Block == ParametersBlock && !s.ReadOnly }

// JacobianAdds adds to the density of transformed parameters.
const JacobianKeyword = "jacobian +="
