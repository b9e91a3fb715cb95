package workerapi

import _ "embed"

// Golden are the expected results, in the format of report.Golden, of links that contain programs.
//
//go:embed golden.txt
var Golden string
