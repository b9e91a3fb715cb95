// Package workerpool manages the lane workers: it starts them, sends them model files and units, receives their
// messages, and replaces workers that stop responding.
//
// pool.go has Pool and the units of a job; background_units.go has units of other runs, such as trainings.
//
// It must not depend on reports, words or views.
package workerpool
