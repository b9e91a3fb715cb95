package workerapi

// Names of the two programs.
const (
	Compiler = "compiler"
	Reader   = "external"
)

// Compile asks for a tape.
type Compile struct {
	N                  int // counts the orders
	Name, Source, Data string
	Link               string // a packed program with its data, in place of these
}

// Compiled is what became of an order.
type Compiled struct {
	Compile    // with the texts that a link had packed; Link is "" where texts are too long for one
	Parameters []string
	Notes      []error // what a reader must know

	Err          error // why there is no tape
	Line, Column int   // where, from 1; 0: no place in the program
	Excerpt      string
}

// Ending is that of the files of tapes.
const Ending = ".tape"
