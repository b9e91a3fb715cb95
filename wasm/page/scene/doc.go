// Package scene describes the scenes of the picture for the page: key, tab, when each applies, captions, legend and
// tables. Package render draws them under the same names.
//
// A scene is a function of a state.Snapshot, which it never changes.
package scene
