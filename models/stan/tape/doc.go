// Package tape runs programs that compute log densities: lists of operations on numbers, in one order, without loops or
// conditions. A front end (models/stan) unrolls its program into a tape with a Builder; data become constants. An
// Evaluator computes the target of a tape and its gradient, by reverse accumulation, for many points at once.
//
// Files to read in order: tape.go, a tape; code.go, the operations; build.go, how tapes are made; fold.go, operations
// on constants; finish.go, how tapes are made shorter; evaluator.go and reverse.go, how they run; made.go, what is
// known of a number while a tape is built; differences.go, points at which differences are 0; element.go and linear.go,
// operations by element and on matrices; point.go, a tape at a few points; copy.go and change.go, parts of a tape on
// another one, and a tape in other coordinates; file.go, the bytes of a tape.
//
// A tape gives the same digits everywhere, whatever the number of points that are evaluated at once: core/num has the
// functions, sums have one order, and no product is fused with a sum. The package knows no models and no languages.
package tape
