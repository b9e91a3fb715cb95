// Package graph has products of tables over discrete variables, of which log Z is wanted: spin glasses, Potts models,
// networks of facts and constraints.
//
//  1. graph.go: the model
//  2. form.go: the one form of a graph, which does not depend on the file it came from
//  3. uai.go, evidence.go, couplings.go, file.go: files
//  4. spins.go, units.go, dense.go, small.go: rows of spins with couplings between pairs, in whole numbers; the unit of
//     these; sums by rows of matrices; small sums
//  5. layout.go, odds.go, rows.go: rows of any graph; trees.go, boughs.go: blocks of trees that are drawn at once;
//     start.go: paths that start from a tree
//  6. sequence.go, ahead.go: graphs formed variable by variable; with a view of the variables to come
//  7. exact.go, floor.go, between.go, frozen.go: sums and samples by elimination; a lower bound; an interval that
//     narrows; whether chains can move
//  8. grid.go, picture.go, cost.go, builtin.go: pictures of variables, and of the graph; memory and time; models that
//     come with the lab
//
// It must not know methods, nor another family.
package graph
