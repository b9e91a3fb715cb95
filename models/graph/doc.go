// Package graph has factor graphs over discrete variables as models: spin glasses, Potts models, Bayesian networks,
// constraints.
//
//  1. graph.go: the model
//  2. form.go: the canonical form of a graph, which does not depend on its file
//  3. uai.go, evidence.go, couplings.go, file.go: files
//  4. layout.go, odds.go, rows.go: the population of any graph
//  5. spins.go, units.go, dense.go, small.go: faster populations of graphs of spins: integer sums and their unit, many
//     couplings, sums of few values
//  6. treeblocks.go, treerows.go: blocked Gibbs sampling over trees; start.go: paths that start from a spanning tree
//  7. sequence.go, ahead.go: graphs formed variable by variable; with lookahead
//  8. exact.go, floor.go, between.go, frozen.go: sums and samples by elimination; a lower bound; both bounds; whether
//     chains can move
//  9. grid.go, picture.go, cost.go, builtin.go: pictures of variables, and of the graph; memory and time; built-in models
//
// It must not know methods, nor another family.
package graph
