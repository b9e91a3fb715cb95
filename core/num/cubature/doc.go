// Package cubature integrates densities exp(logF) over R^d, d = 1, 2 or 3, in logs.
//
// The coordinates t of a finite cube are mapped to x = mean + root z, z_i = shift_i + scale sinh t_i. The cube reaches
// |x| of about 1e290, so no tail is truncated: a density that decreases as |x|^-(1+a) becomes one that decreases as
// e^(-a|t|). Local maxima of the density, its hills, are found on grids. The heaviest approximately normal ones get
// coordinates of their own, charts, and the density is divided among the charts by a partition of unity. Then the cell
// with the largest error estimate, in any chart, is halved repeatedly. The rule of a cell is Gauss-Kronrod with 7 and
// 15 nodes in one dimension [Piessens1983], and the Genz-Malik rule of degree 7 with an embedded rule of degree 5 in
// two and three dimensions [Genz1980].
//
// The integral is computed at least twice, with different scales, shifts, grids and partitions. The error is the
// difference of two computations plus the smaller of their error estimates.
//
// Files in reading order: integrate.go, the computations and their comparison; space.go, the charts; scan.go, the
// search for hills; cells.go, the partition into cells; rules.go, the rules.
package cubature
