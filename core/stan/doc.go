// Package stan turns a program of the Stan language and its data into a tape (core/tape). It runs the program once:
// what depends on data alone is computed at once, what depends on parameters becomes operations of the tape, and loops
// are unrolled. So a condition must depend on data alone. All constants of densities are kept, also after ~, as the
// evidence needs them.
//
// Package syntax makes a tree of the text; package lang has values, operators, functions and distributions. Read here
// in this order: program.go, check*.go (names get their places, expressions their types), run*.go, index.go, tilde.go
// (the tree is walked), constrain.go (parameters), data.go, prior.go, cut.go (priors), compile.go.
//
// It must not know models, and no file but the texts that it is given.
package stan
