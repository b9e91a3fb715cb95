// Package stan turns a program of the Stan language and its data into a tape (core/tape). It runs the program once:
// what depends on data alone is computed at once, what depends on parameters becomes operations of the tape, and loops
// are unrolled. So a condition must depend on data alone. All constants of densities are kept, also after ~, as the
// evidence needs them.
//
// Read in this order: lex.go, ast.go, parse*.go (a text becomes a tree), types.go, check*.go, library.go (names get
// their places, expressions their types), value.go, run*.go, index.go, operator.go (the tree is walked), lib_*.go
// (functions), density.go (distributions), constrain.go (parameters), data.go, prior.go, cut.go
// (priors), expression.go.
//
// It must not know models, and no file but the texts that it is given.
package stan
