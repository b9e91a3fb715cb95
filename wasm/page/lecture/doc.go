// Package lecture shows a deck step by step, and saves it as a single file. It must not know how experiments run.
package lecture
