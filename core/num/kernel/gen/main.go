package main

import (
	"fmt"
	"os"
)

// moduleFile is the file that core/num/kernel embeds for browsers with SIMD, in the folder in which `go generate` runs
// this command.
const moduleFile = "simd.wasm"

// sources declare the constants that the module shares with Go, relative to core/num/kernel.
var sources = []string{
	"../exp.go", "../log.go", "../normal.go", "../rng/rng.go", "../rng/ziggurat.go",
	"kernel.go", "ladder.go", "pool.go", "rows.go", "simd.go", "simd_filter.go", "tempering.go", "tiles.go",
}

func main() {
	code, err := assemble(".")
	if err == nil {
		err = os.WriteFile(moduleFile, code, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// assemble returns the module; dir is the folder of core/num/kernel.
func assemble(dir string) ([]byte, error) {
	c, err := readConstants(dir, sources...)
	if err != nil {
		return nil, err
	}
	return module([]named{
		{"", drawLayer(c, false)}, {"", drawExactly(c)}, {"", addRows(c, false)}, {"", addRows(c, true)},
		{"", fillPairs(c)}, {"", rareNormal(c)}, {"", exps(c)}, {"", drawLayer(c, true)},
		{"sweep", sweep(c)}, {"rebuild", rebuild()}, {"softplus", softplus(c, false)}, {"softplus32", softplus(c, true)},
		{"ladder", ladder(c)}, {"temper", temper(c)}, {"products", products()}, {"weigh", weigh(c)}, {"pass", pass()},
		{"poolProducts", poolProducts(c)}, {"means", means()}, {"filter", filter(c)},
		{"spins", spins(c)},
	}), nil
}
