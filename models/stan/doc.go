// Package stan turns a program of the Stan language and its data into a tape (models/stan/tape). It runs the program once:
// what depends on data alone is computed at once, what depends on parameters becomes operations of the tape, and loops
// are unrolled. Of a condition on parameters both sides are run, and the side that holds counts. All constants of
// densities are kept, also after ~, as the evidence needs them.
//
// Package syntax makes a tree of the text; package lang has values, operators, functions and distributions; package
// shapes the declared types, package priors the search for priors, package ranges what is certain. Read here in this
// order: program.go; check.go, check_assign.go, check_call.go, check_expr.go (names get their places, expressions their
// types); run.go, run_expr.go, branch.go (conditions on parameters), index.go, tilde.go (the tree is walked), unset.go
// (variables without a value), tuple.go (part by part); compile.go (Compile, which calls the rest); constrain.go,
// constraint.go, inverse.go, transform.go (parameters to and from coordinates), data.go, prior.go, cut.go, cut_shape.go,
// cut_unnamed.go (priors, and what declarations cut of them); alone.go (priors without likelihood); drawn.go,
// drawn_cut.go, drawn_write.go (a base that draws from the prior), noncentred.go; pack.go (a program in a link).
//
// It must not know models, and no file but the texts that it is given.
package stan
