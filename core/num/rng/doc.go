// Package rng makes addressable random numbers. Every random number of an experiment is a pure function of a Key (seed,
// name of the run, replicate) and a counter (phase, slot, step, draw), by the counter-based generator Philox4x32-10
// ([Salmon2011]). rng.go has keys, addresses and streams, ziggurat.go and gamma.go normal, exponential and gamma
// numbers.
//
// There must be no state to save and no order of calls, so lanes, workers, pauses and crashes cannot change a digit.
package rng
