// Package frame has the messages with which a running method reports its state to the display. A frame has the rows of
// one lane (a batch of chains or particles that one worker simulates) or a set of curves. A frame is encoded once into
// one buffer that can be transferred between workers and windows. Go decodes it at the receiver; JavaScript never
// parses it.
//
// frame.go has Frame and its codec. The other files have parts of a frame, each with its codec: weighing.go and
// unresampled.go for methods that weigh particles, growth.go and phase.go for methods that form particles coordinate by
// coordinate, travel.go and plan.go for tempering, path.go for schedules, betas.go and field.go for pictures,
// posterior.go, means.go, noise.go, drawing.go, graph.go, training.go.
//
// Frames never contribute to a result or its hash. Filling a frame must not draw a random number of the run.
package frame
