// Package lecture shows a deck, step by step, and lets the user keep it as one file. It must not know how experiments
// run.
package lecture
