package diag

// Number is the name of a diagnostic number, as it stands in JSON.
type Number string

// Flag is the name of a flag, as it stands in JSON: something that a reader of the result must know.
type Flag string

// Means is what each declared flag means, in a sentence. Only NewFlag writes here.
var Means = map[Flag]string{}

// NewFlag declares a flag. sentence says in plain words what the flag means and what to do. It panics if name is
// declared already. It is not inlined, as it fills package variables: see RATIONALE.md.
//
//go:noinline
func NewFlag(name Flag, sentence string) Flag {
	if Means[name] != "" {
		panic("flag " + name + " is declared twice")
	}
	Means[name] = sentence
	return name
}
