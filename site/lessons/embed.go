// Package lessons holds the pages of the lessons, which the lab also shows beside the experiment.
package lessons

import "embed"

// Pages are the English lessons. Those of other languages come with their words (wasm/tool/translations).
//
//go:embed *.html
var Pages embed.FS
