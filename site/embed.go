//go:build !js

// Package site is the static page. Natively it also carries the bundled models,
// so that the command needs no files beside it.
package site

import "embed"

// Models holds models/NAME.npz, models/digits.zip and data in models/*.csv.
//
//go:embed models/*.csv models/*.npz models/*.bin models/*.zip
var Models embed.FS
