// Package problem makes errors that keep what they were made of, so that they can be translated and sent to another
// worker.
//
// It must not know a language but English.
package problem
