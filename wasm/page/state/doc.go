// Package state holds what the page knows at one moment, as values: the experiment, the settings of the view, how the
// run, a room or a training stands. A Snapshot has all of it; views and scenes are functions of a Snapshot.
//
// Read snapshot.go first; experiment.go and schedule.go are the experiment, edit.go changes of it, settings.go the
// keys view.*, appearance.go and browser.go what surrounds the page. hero.go, lecture.go, program.go, samples.go,
// sharing.go, codes.go, training.go and room.go have the value of the part of the same name; numbers.go how numbers are
// written.
//
// It must not know of workers, of the browser, or of how anything is shown.
package state
