package stan

// node is what an expression does.
type node uint8

const (
	literalNode node = iota
	textNode         // of print and reject
	nameNode
	callNode
	densityNode // f(y | args)
	indexNode
	unaryNode
	binaryNode
	ternaryNode
	transposeNode
	arrayNode // {a, b}
	rowNode   // [a, b]
	targetNode
)

// expr is an expression.
type expr struct {
	node   node
	at     int    // of its operator, name or bracket
	start  int    // of its first token
	name   string // of a variable, function or operator; a text
	num    float64
	args   []*expr
	idx    []index
	nested int // how deep expressions below it are nested

	// What the checker finds.
	typ  typ
	sym  *symbol
	fn   *builtin
	user *function

	// Of a density that is the prior of a parameter: which, and what is added to it, or subtracted.
	prior *symbol
	shift *expr
	less  bool
	trunc *truncation // of the prior, nil without
}

// index is one of x[a, b:c, ].
type index struct {
	lo, hi *expr // nil where they are left out
	slice  bool  // lo:hi; else lo alone
}

// action is what a statement does.
type action uint8

const (
	emptyStmt action = iota
	declareStmt
	assignStmt
	tildeStmt
	targetStmt
	callStmt
	printStmt
	rejectStmt
	ifStmt
	whileStmt
	forStmt
	eachStmt
	breakStmt
	continueStmt
	returnStmt
	blockStmt
)

// stmt is a statement.
type stmt struct {
	action action
	at     int // of the sign or word that matters
	start  int
	decl   *decl
	op     string // of an assignment
	left   *expr  // what is assigned to, left of ~, a condition, a container that is walked over
	right  *expr  // what is assigned, the distribution, the value returned
	args   []*expr
	lo, hi *expr
	body   []*stmt // of a loop, a block, of if
	other  []*stmt // of else
	sym    *symbol // the variable of a loop
	trunc  *truncation
	text   string // of a distribution: its name; of reject
}

// truncation is T[lo, hi].
type truncation struct {
	at     int
	lo, hi *expr

	// Logs of probabilities that the checker finds: below hi, below lo, above lo where there is no hi.
	below, less, above *expr
}

// decl declares a variable.
type decl struct {
	at    int // of the name
	start int // of the type
	limit int // of the bounds
	value int // of = before a first value
	name  string
	typ   typ
	shape shape
	dims  []*expr // of arrays
	sizes []*expr // of vectors and matrices
	lower, upper,
	offset, multiplier *expr
	init *expr
	sym  *symbol
}

// function is a function of the program's own.
type function struct {
	at     int
	name   string
	result typ
	params []param
	body   []*stmt // nil: it is only announced
	slots  int     // variables of a call
	calls  []called
	end    int // of its last brace
}

// called is a call of a function.
type called struct {
	f  *function
	at int
}

type param struct {
	at   int
	data bool // it must not depend on parameters
	name string
	typ  typ
	sym  *symbol
}

// symbol is a variable.
type symbol struct {
	name  string
	typ   typ
	slot  int
	block block
	decl  *decl // nil for loop variables and arguments
	fixed bool  // a loop variable or argument, which cannot be assigned to
}

// block is a block of the program, in its order.
type block uint8

const (
	functionsBlock block = iota
	dataBlock
	transformedData
	parametersBlock
	transformedParameters
	modelBlock
	generatedQuantities
	blocks
)

var blockNames = [blocks]string{"functions", "data", "transformed data", "parameters", "transformed parameters",
	"model", "generated quantities"}

// Program is a Stan program whose names and types have been checked.
type Program struct {
	source    string
	functions []*function
	blocks    [blocks][]*stmt
	begins    [blocks]int // where blocks begin
	slots     int
	density   *expr // of an expression by itself
	free      []*symbol
	priors    map[*symbol][]string // of parameters, by the names of distributions
	freeTerm  bool                 // a term of the density depends on no parameter
}
