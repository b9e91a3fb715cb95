package diag

// Number is the name of a diagnostic number, as in the JSON of a result.
type Number string

// Flag is the name of a flag, as in the JSON of a result: a fact that a reader of the result must know.
type Flag string

// Meanings maps each declared flag to a sentence that explains it. Only NewFlag writes to it.
var Meanings = map[Flag]string{}

// NewFlag declares a flag. The sentence says in plain words what the flag means and what to do. NewFlag panics if the
// name is already declared. It is not inlined because it initialises package variables: see RATIONALE.md.
//
//go:noinline
func NewFlag(name Flag, sentence string) Flag {
	if Meanings[name] != "" {
		panic("flag " + name + " is declared twice")
	}
	Meanings[name] = sentence
	return name
}
