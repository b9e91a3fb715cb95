// Package training trains restricted Boltzmann machines and tracks log Z while the weights move ([RTS] section 4.4), so
// that the likelihood of the data is known at every update. A training run has the form of a method, a fold over rounds
// of one lane, but is not in the list of methods: it does not estimate a given model.
//
//  1. recipe.go, link.go: parameters, and the link of a training
//  2. run.go: the fold; a round is 100 updates, its state the weights, the chains and log Zhat
//  3. lane.go: a running round; models/rbm (Trainer) makes the updates in integer arithmetic, in a fixed order
//  4. tracker.go: tempering chains that persist while the weights move
//  5. file.go: the model file with its provenance
//  6. need.go: memory and time
//
// Next checks validation and divergence. The weights are saved every 100 updates; a diverging run stops, and the last
// saved weights remain. The command, tool train, and the page's lane workers (engine/worker.go) use the same run.
//
// The package reads no clock and no file, and must not know the page.
package training
