// Package rng provides counter-based random numbers. Every random number of an experiment is a pure function of a Key
// (seed, name of the run, replicate) and a counter (phase, slot, step, draw), by the generator Philox4x32-10
// ([Salmon2011]). rng.go has keys, addresses and streams; ziggurat.go and gamma.go have normal, exponential and gamma
// variates.
//
// There is no state to save and no required order of calls, so lanes, workers, pauses and crashes cannot change a
// result.
package rng
