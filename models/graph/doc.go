// Package graph has products of tables over discrete variables, of which log Z is wanted: spin glasses, Potts models,
// networks of facts and constraints.
//
//  1. graph.go: the model
//  2. form.go: the one form of a graph, which does not depend on the file it came from
//  3. uai.go, evidence.go, couplings.go, file.go: files
//  4. spins.go: rows of spins with couplings between pairs, in whole numbers
//  5. layout.go, rows.go: rows of any graph
//  6. sequence.go, ahead.go: graphs formed variable by variable; with a view of the variables to come
//  7. exact.go, floor.go, frozen.go: sums and samples by elimination; a lower bound; whether chains can move
//  8. grid.go, cost.go, builtin.go: pictures; memory and time; models that come with the lab
//
// It must not know methods, nor another family.
package graph
