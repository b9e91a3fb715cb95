// Package scene describes the scenes of the picture for the page: key, tab, when each applies, captions, legend and
// tables. Package render draws them under the same names.
//
// Read scene.go first. Each other file has the scenes of one way to look: of methods (ladder.go,
// travel.go, schedule.go, race.go, trace.go, resampling.go, formation.go, means.go), of models (plane.go, units.go,
// graph.go, function.go, posterior.go) and of noise and training (lab.go, training.go). tables.go has the numbers.
//
// A scene is a function of a state.Snapshot, which it never changes.
package scene
