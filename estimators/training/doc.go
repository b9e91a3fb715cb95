// Package training trains restricted Boltzmann machines and follows log Z while the weights move ([RTS] section 4.4),
// so that the likelihood of the data is known at every update. A training run has the shape of a method, a fold over
// rounds of one lane, but is not in the catalogue: it estimates no model that exists before the run.
//
//  1. recipe.go, link.go: parameters, and the link of a training
//  2. run.go: the fold; a round is 100 updates, its state weights, chains and log Zhat
//  3. lane.go: a round at work; models/rbm (Trainer) makes the updates with integers, in one order
//  4. tracker.go: tempering chains that live on while the weights move
//  5. file.go: the model file with its provenance
//  6. need.go: memory and time
//
// Next looks at validation and at divergence. The weights are saved every 100 updates; a diverging run stops, and the
// last saved weights stay. The command, tool train, and the page's lane workers (engine/worker.go) use the same run.
//
// It must not read a clock or a file, nor know the page.
package training
