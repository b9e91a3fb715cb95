// Package tape holds the kind of model whose log density is a program of core/tape: what a compiler made of a user's
// text and data.
//
// Files to read in order: tape.go, the kind and its model; coordinates.go, those in which it moves; pilot.go, how a
// base is found; search.go, the search for modes; climb.go, walk.go and shells.go, what it and the pilot find them by;
// chains.go, which fit the base around each mode; base.go, the base itself, a mixture over the modes, each part a
// normal and a t distribution; tails.go and box.go, how the target falls far out, and whether its integral is finite;
// farther.go, a base that reaches mass far out; heavy.go, one with tails as heavy; prior.go, the prior as a base;
// cubature.go, the integral of few coordinates; notes.go, what a page tells of a program.
//
// It must not know a language: core/stan makes tapes, this package runs them.
package tape
