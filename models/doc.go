// Package models defines the interfaces that all models implement. A Model is a path of densities f_beta from a base to
// a target whose log Z is wanted; it is immutable and goroutines may share it. A Population holds the rows (particles
// or chains) of one lane in a layout that the model chooses. Row r takes its random numbers from (key, phase, slot of r,
// step), so results do not depend on how rows are grouped or ordered.
//
// Files in reading order:
//
//  1. model.go: Model and Population, which every model provides
//  2. capabilities.go: Capabilities lists everything that only some models can do; CapabilitiesOf returns them for a model
//  3. sequence.go: Sequence and Particles, for methods that build a model coordinate by coordinate
//  4. estimated.go: unbiased estimates of a likelihood
//  5. floor.go: certain lower and upper bounds of log Z
//  6. kind.go, kinds.go: Kind describes a family of models: its files, parameters, built-in models and traits
//  7. cost.go, data.go: memory and time of rows; IDs of data
//  8. bundled.go: files of the site, verified by their SHA-256
//
// The package imports no family of models, no method and no scene. The list of kinds is in estimators/catalog.
package models
