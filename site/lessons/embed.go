// Package lessons holds the pages of the lessons, which the lab also shows beside the experiment.
package lessons

import "embed"

// Pages are the English lessons, and the German ones of the same names in de.
//
//go:embed *.html de/*.html
var Pages embed.FS
