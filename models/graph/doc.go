// Package graph has models given as factor graphs over discrete variables: spin glasses, Potts models, Bayesian
// networks, constraint satisfaction.
//
//  1. graph.go: the model
//  2. canonical.go: the canonical form of a graph, independent of its file
//  3. uai.go, evidence.go, couplings.go, file.go: files
//  4. layout.go, odds.go, rows.go: the population of any graph
//  5. spins.go, units.go, dense.go, small.go: faster populations of graphs of spins: integer sums and their unit,
//     dense couplings, sums with few values
//  6. treeblocks.go, treerows.go: blocked Gibbs sampling over trees; start.go: a spanning tree as the base
//  7. sequence.go, lookahead.go: graphs formed variable by variable, and with lookahead
//  8. exact.go, floor.go, bounds.go, frozen.go: exact sums and samples by elimination; a lower bound; both bounds; a
//     check whether chains can move
//  9. grid.go, picture.go, cost.go, builtin.go: pictures of variables and of the graph; memory and time; built-in
//     models
//
// The package must not depend on methods or on other kinds of models.
package graph
