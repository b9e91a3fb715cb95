// Package state defines everything the page knows at one moment, as plain values: the experiment, view settings, and
// the state of the run, a room or a training. A Snapshot holds all of it; views and scenes are functions of a Snapshot.
//
// Read snapshot.go first. experiment.go and schedule.go have the experiment, edit.go changes of it, settings.go the
// keys view.*, appearance.go and browser.go language, theme and browser. hero.go, lecture.go, program.go, samples.go,
// sharing.go, codes.go, training.go and room.go have the state of the part of the same name; numbers.go formats
// numbers.
//
// This package must not depend on workers, the browser, or how anything is displayed.
package state
