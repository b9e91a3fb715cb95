// Package models holds what all models share. A Model is immutable and may be shared by goroutines: a path of densities
// f_beta from a base to the target whose log Z is wanted. A Population holds the rows (particles or chains) of one
// lane, in whatever layout suits the model: Draw from f_0, Move each row one sweep at its rung, LogF of a row at any
// rungs, Read a picture, Append and Load a row's state. Row r takes its random numbers from (key, phase, slot of r,
// step), so grouping and order change nothing.
//
// Files in reading order:
//
//  1. model.go: Model and Population, which every model provides
//  2. capabilities.go: Capabilities, all that only some models can do, in one table; Can asks for them
//  3. sequence.go: Sequence and Particles, for methods that form a model coordinate by coordinate
//  4. estimated.go: likelihoods that are only estimated
//  5. floor.go: lower bounds of log Z that hold for certain
//  6. kind.go, kinds.go: a Kind describes a family: its files, parameters, built-in models and traits
//  7. cost.go, data.go: memory and time of rows; data told apart by their bits
//  8. bundled.go: files of the site, checked by their SHA-256
//
// It must not know a family, a method or a scene. The list of kinds is in estimators/catalog.
package models
