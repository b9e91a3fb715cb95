package state

import (
	"logzlab/estimators/report"
	"logzlab/models/stan/program"
)

// Program is the Stan program that the user edits, with its data.
type Program struct {
	Name, Source, Data string
	Example            string // the ready example it came from, "" for the user's own
	Busy               bool   // it is being compiled
	FitsLink           bool   // it fits into a link

	Parameters []string // of the tape
	Notes      []error  // remarks of the compiler
	Err        error    // error of the compiler
	Line       int      // line of the error, from 1; 0 if it has none
	Excerpt    string   // that line, with a caret below it
}

// Example is a ready program of the site, with or without data.
type Example struct {
	Name  string
	Data  bool
	Rival string // another example for the same data, or ""
}

// Examples are the ready programs of the site.
var Examples = []Example{{"coin", true, ""}, {"line", true, "parabola"}, {"parabola", true, "line"},
	{"radiata", true, "radiata_adjusted"}, {"radiata_adjusted", true, "radiata"}, {"schools", true, "schools_centred"},
	{"schools_centred", true, "schools"}, {"pima", true, ""}, {"probit_re", true, ""}, {"galaxy", true, ""},
	{"changepoint", true, ""}, {"funnel", false, ""}, {"density", false, ""}}

// MaxEditableData is the largest size of data, in bytes, that the user can edit in the page.
const MaxEditableData = 64 << 10

// IsProgram reports whether a result is that of a Stan program.
func IsProgram(r *report.Report) bool { return r.Kind == program.Kind.Name }
