package syntax

import (
	"logzlab/models/stan/lang"
)

// ExprKind is the kind of an expression.
type ExprKind uint8

const (
	LiteralNode ExprKind = iota
	StringNode           // a string in print or reject
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
	TuplePartNode // a.1; Num is the index
	TargetNode
)

// Expr is an expression. Positions are byte offsets in the source.
type Expr struct {
	Kind    ExprKind
	Pos     int    // position of the operator, name or bracket
	Start   int    // position of the first token
	Name    string // name of a variable, function or operator; or a string
	Num     float64
	Args    []*Expr
	Indices []Index
	depth   int // nesting depth of the subexpressions

	// Set by the checker.
	Type    lang.Type
	Sym     *Symbol
	Builtin *lang.Builtin
	User    *Function

	// For a density that is the prior of a parameter, set by package priors: the parameter, and the constant that is
	// added to the parameter in the outcome, or subtracted if ShiftSubtracted is set.
	Prior           *Symbol
	Shift           *Expr
	ShiftSubtracted bool
	Truncation      *Truncation // truncation of the prior, or nil
}

// Index is one index of x[a, b:c, ].
type Index struct {
	Lo, Hi *Expr // nil if omitted
	Slice  bool  // Lo:Hi, otherwise the index Lo
}

// StmtKind is the kind of a statement.
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

// Stmt is a statement. The use of the fields depends on Kind.
type Stmt struct {
	Kind       StmtKind
	Pos        int // position of the operator or keyword
	Start      int
	Decl       *Decl
	Op         string // assignment operator
	Left       *Expr  // assignment target, outcome of ~, condition, or container of a loop
	Right      *Expr  // assigned value, density of ~ (set by the checker), or returned value
	Args       []*Expr
	Lo, Hi     *Expr
	Body       []*Stmt // body of a loop, block or if; for (a, b) = c the assignments of the parts
	Else       []*Stmt // statements of else
	Sym        *Symbol // loop variable
	Truncation *Truncation
	Text       string // name of the distribution after ~; "jacobian" for jacobian +=
}

// Truncation is T[lo, hi] after a distribution.
type Truncation struct {
	Pos    int
	Lo, Hi *Expr

	// Calls of distribution functions at the bounds, set by the checker; nil if not needed.
	LogCDFHi, LogCDFLo, LogCCDFLo, LogCCDFHi *Expr

	// If each element is truncated by itself: the variables in these calls that hold an element of each argument, of lo
	// and of hi; nil for an omitted bound.
	ElementSymbols []*Symbol
}

// Decl is the declaration of one variable.
type Decl struct {
	Pos        int // position of the name
	Start      int // position of the type
	BoundsPos  int // position of the bounds
	InitPos    int // position of = before the initial value
	Name       string
	Type       lang.Type
	Constraint Constraint
	Dims       []*Expr // array dimensions
	Sizes      []*Expr // sizes of a vector or matrix
	Lower, Upper,
	Offset, Multiplier *Expr
	Init        *Expr
	Sym         *Symbol
	Parts       []*Decl // parts of a tuple
	CmdStanName string  // name in CmdStan's output, if not Name
}

// ShownName returns the name of the variable in CmdStan's output.
func (d *Decl) ShownName() string {
	if d.CmdStanName != "" {
		return d.CmdStanName
	}
	return d.Name
}

// Function is a user-defined function.
type Function struct {
	Pos    int
	Name   string
	Result lang.Type
	Params []Param
	Body   []*Stmt // nil for a forward declaration
	Slots  int     // number of variables in a call
	Calls  []CallSite
	EndPos int // position of the closing brace

	Checked        bool  // the body has been checked because compiled code calls it
	Unsupported    error // the unsupported feature that it uses, or nil
	UnsupportedPos int
}

// CallSite is a call of a user-defined function.
type CallSite struct {
	Function *Function
	Pos      int
}

// Param is a parameter of a user-defined function.
type Param struct {
	Pos  int
	Data bool // declared as data: must not depend on parameters
	Name string
	Type lang.Type
	Sym  *Symbol
}

// Symbol is a variable: declared, loop variable or function argument.
type Symbol struct {
	Name     string
	Type     lang.Type
	Slot     int
	Block    Block
	Decl     *Decl     // nil for loop variables and arguments
	Parts    []*Symbol // parts of a tuple of parameters, which are separate variables
	ReadOnly bool      // a loop variable or function argument
}

// Block is a block of a program. Values are in the order that Stan requires.
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

// BlockNames holds the names of the blocks as they are written.
var BlockNames = [blockCount]string{"functions", "data", "transformed data", "parameters", "transformed parameters",
	"model", "generated quantities"}

// Program is the syntax tree of a program.
type Program struct {
	Source      string
	Functions   []*Function
	Blocks      [blockCount][]*Stmt
	BlockPos    [blockCount]int // positions of the blocks
	Slots       int
	Density     *Expr // a density given as one expression, or nil
	FreeSymbols []*Symbol
}

// ParamTypes returns the types of the function's parameters.
func (f *Function) ParamTypes() []lang.Type {
	var out []lang.Type
	for _, a := range f.Params {
		out = append(out, a.Type)
	}
	return out
}

// TargetKeyword returns the keyword of a statement that adds to the density: "target +=" or "jacobian +=".
func (s *Stmt) TargetKeyword() string {
	if s.Text != "" {
		return JacobianKeyword
	}
	return "target +="
}

// IsParameter reports whether the symbol is declared in the block parameters.
func (s *Symbol) IsParameter() bool { return s.Block == ParametersBlock && !s.ReadOnly }

// JacobianKeyword begins a statement that adds a Jacobian in the block transformed parameters.
const JacobianKeyword = "jacobian +="
