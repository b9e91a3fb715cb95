// Package crew keeps the lane workers: it starts them, gives them model files and units, takes their messages, and
// replaces those that are silent.
//
// It must not know of reports, words or views.
package crew
