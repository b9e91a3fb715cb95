package diag

import "slices"

// Number is the name of a diagnostic number, as it stands in JSON.
type Number string

// Flag is the name of a flag, as it stands in JSON: something that a reader of the result must know.
type Flag string

// means holds the sentence of each flag.
var means = map[Flag]string{}

// NewFlag declares a flag. sentence says in plain words what the flag means and what to do. It panics if name is
// declared already.
//
//go:noinline
func NewFlag(name Flag, sentence string) Flag {
	if means[name] != "" {
		panic("flag " + name + " is declared twice")
	}
	means[name] = sentence
	return name
}

// Means is the sentence of a flag, "" for names that were not declared.
func (f Flag) Means() string { return means[f] }

// Flags lists all flags that have been declared, sorted.
func Flags() []Flag {
	var out []Flag
	for f := range means {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}
