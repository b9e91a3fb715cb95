package workerapi

import _ "embed"

// Golden are promised digits, as report.Golden has them, of links that bring programs along.
//
//go:embed golden.txt
var Golden string
