// Package cubature integrates densities exp(logF) over R^d, d = 1, 2 or 3, in logs.
//
// Coordinates t of a finite cube stand for x = mean + root z, z_i = shift_i + scale sinh t_i. The cube reaches to |x| of
// about 1e290, so no tail is cut off: a density that falls as |x|^-(1+a) becomes one that falls as e^(-a|t|). Grids find
// tops of the density. Each of the heaviest that are about normal gets coordinates of its own, a chart, and the density
// is divided among them by shares that add up to 1 everywhere. Then the cell with the largest error estimate, of any
// chart, is halved again and again. The rule of a cell is Gauss-Kronrod with 7 and 15 nodes in one dimension [Piessens1983] and that of
// Genz and Malik, of degree 7 with an embedded one of degree 5, in two and three [Genz1980].
//
// Everything is done twice, with another scale, shift, scan and partition. The error is the larger of the estimate and
// of the difference of the two.
//
// Files to read in order: integrate.go, the two passes and their verdict; space.go, the charts; scan.go, the search
// for tops; cells.go, the partition; rules.go, the rules.
package cubature
