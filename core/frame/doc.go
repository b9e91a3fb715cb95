// Package frame is what a running estimator shows: a view of the rows of one lane, or a set of curves. A frame is
// encoded once into one buffer that can be transferred between workers and windows; Go decodes it on the other side and
// JavaScript never parses it.
//
// frame.go has Frame and its codec. The other files are parts of a frame, each with its codec: weighing.go and
// unresampled.go for methods that weigh particles, growth.go and phase.go for those that form them, travel.go and
// plan.go for tempering, path.go for schedules, film.go and scenery.go for pictures, posterior.go, means.go, noise.go,
// drawing.go, graph.go, training.go.
//
// Frames never enter a result or its hash. Filling a frame must not draw a random number of the run.
package frame
