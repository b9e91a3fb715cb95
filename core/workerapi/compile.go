package workerapi

// Names of the two programs that the page starts on demand.
const (
	Compiler = "compiler"
	Reader   = "external"
)

// CompileRequest requests the compilation of a Stan program with its data to a tape, the instructions that evaluate its
// log density.
type CompileRequest struct {
	N                  int // number of the request
	Name, Source, Data string
	Link               string // a packed program with its data, instead of Source and Data
}

// CompileAnswer is the answer to CompileRequest.
type CompileAnswer struct {
	CompileRequest // the request, with Source and Data unpacked from Link; Link is "" if the texts are too long for a link
	Parameters     []string
	Notes          []error // remarks of the compiler

	Err          error // the reason if there is no tape
	Line, Column int   // position of the error, from 1; 0 if it has none
	Excerpt      string
}

// TapeExtension is the extension of tape files.
const TapeExtension = ".tape"
