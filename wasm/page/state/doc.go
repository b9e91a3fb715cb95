// Package state holds what the page knows at one moment, as values: the experiment, the settings of the view, how the
// run, a room or a training stands. A Snapshot has all of it; views and scenes are functions of a Snapshot.
//
// It must not know of workers, of the browser, or of how anything is shown.
package state
