// Package lessons holds the pages of the lessons, which the lab also shows beside the experiment. `tool lessons` makes
// them from the Markdown beside them.
package lessons

import "embed"

// Pages are the English lessons. Those of other languages come with their words (wasm/tool/translations).
//
//go:embed *.html
var Pages embed.FS
