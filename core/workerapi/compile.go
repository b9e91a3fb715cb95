package workerapi

// Names of the two programs.
const (
	Compiler = "compiler"
	Reader   = "external"
)

// Compile requests a tape.
type Compile struct {
	N                  int // number of the request
	Name, Source, Data string
	Link               string // a packed program with its data, instead of Source and Data
}

// Compiled is the answer to Compile.
type Compiled struct {
	Compile    // with the unpacked texts; Link is "" if they are too long for a link
	Parameters []string
	Notes      []error // remarks of the compiler

	Err          error // the reason if there is no tape
	Line, Column int   // position of the error, from 1; 0 if it has none
	Excerpt      string
}

// Ending is the extension of tape files.
const Ending = ".tape"
