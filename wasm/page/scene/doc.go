// Package scene describes the scenes of the picture for the page: key, tab, condition, captions, legend and tables.
// Package render draws scenes of the same names.
//
// Read scene.go first. The other files have the scenes of methods (ladder.go, travel.go, schedule.go, race.go,
// trace.go, resampling.go, formation.go, means.go), of models (plane.go, units.go, graph.go, function.go,
// posterior.go), and of noise and training (lab.go, training.go). tables.go has the tables of numbers.
//
// All functions take a state.Snapshot and do not modify it.
package scene
