// Package cubature integrates densities exp(logF) over R^d, d = 1, 2 or 3, in logs.
//
// The coordinates t of a finite cube stand for x = mean + root z, z_i = shift_i + scale sinh t_i. The cube reaches to
// |x| of about 1e290, so no tail is cut off: a density that falls as |x|^-(1+a) becomes one that falls as e^(-a|t|).
// Grids find local maxima of the density, its hills. The heaviest ones that are about normal get coordinates of their
// own, charts, and the density is divided among the charts by shares that add up to 1 everywhere (a partition of
// unity). Then the cell with the largest error estimate, of any chart, is halved again and again. The rule of a cell
// is Gauss-Kronrod with 7 and 15 nodes in one dimension [Piessens1983], and in two and three that of Genz and Malik,
// of degree 7 with an embedded one of degree 5 [Genz1980].
//
// The integral is computed at least twice, with different scales, shifts, grids and partitions. The error is the sum of
// the difference of two computations and of the smaller of their error estimates.
//
// Files to read in order: integrate.go, the computations and their comparison; space.go, the charts; scan.go, the
// search for hills; cells.go, the partition into cells; rules.go, the rules.
package cubature
