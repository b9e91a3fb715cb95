package state

import (
	"logzlab/estimators/report"
	"logzlab/models/stan/program"
)

// Program is the program of the Stan language that the user works at, with its data.
type Program struct {
	Name, Source, Data string
	Example            string // the ready one that it was, "": an own one
	Busy               bool   // the compiler has it
	Packed             bool   // a link can hold it

	Parameters []string // of the tape
	Notes      []error  // what a reader must know of it
	Err        error    // what is wrong with it
	Line       int      // where, from 1; 0: no place in the program
	Excerpt    string   // that line, and a caret below it
}

// Example is a ready program, with data or without.
type Example struct {
	Name  string
	Data  bool
	Rival string // another one on the same data, if there is one
}

// Examples are the ready programs on the site.
var Examples = []Example{{"coin", true, ""}, {"line", true, "parabola"}, {"parabola", true, "line"},
	{"radiata", true, "radiata_adjusted"}, {"radiata_adjusted", true, "radiata"}, {"schools", true, "schools_centred"},
	{"schools_centred", true, "schools"}, {"pima", true, ""}, {"probit_re", true, ""}, {"galaxy", true, ""},
	{"changepoint", true, ""}, {"funnel", false, ""}, {"density", false, ""}}

// MostTyped is the greatest number of bytes of data that the page lets the user edit.
const MostTyped = 64 << 10

// IsProgram reports whether a result is of a program.
func IsProgram(r *report.Report) bool { return r.Kind == program.Kind.Name }
