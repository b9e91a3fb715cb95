// Package training trains restricted Boltzmann machines and tracks log Z while the weights move ([RTS] section 4.4), so
// that the likelihood of the data is known at every update. A training run has the form of a method (see package
// estimators): rounds of work for a single lane, whose results are combined in order. It is not in the list of methods
// because it does not estimate log Z of a given model.
//
//  1. recipe.go, link.go: parameters, and the link of a training
//  2. run.go: the rounds; a round is 100 updates, and its state has the weights, the chains and log Zhat
//  3. lane.go: a running round; models/rbm (Trainer) makes the updates in integer arithmetic, in a fixed order
//  4. tracker.go: tempering chains that persist while the weights move
//  5. file.go: the model file with its provenance
//  6. need.go: memory and time
//
// Run.Next checks validation and divergence after each round. A diverging run stops and keeps the weights of its last
// complete round. The command, the program tool train and the workers of the page (engine/worker.go) all use Run.
//
// The package reads no clock and no file, and it must not depend on the page.
package training
