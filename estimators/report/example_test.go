package report_test

import (
	"context"
	"fmt"
	"log"

	"logzlab/estimators/engine"
	"logzlab/estimators/report"
)

// A link is a whole experiment; a report has the contents of `logz run -json`.
func ExampleRunLink() {
	const link = "v=1&model=mixture2&method=ais,rts&ais.temperatures=100&rts.sweeps=200&rts.temperatures=20"
	noFiles := func(name string) ([]byte, error) { return nil, fmt.Errorf("%s is not bundled", name) }
	reports, err := report.RunLink(context.Background(), link, engine.Source{Load: noFiles}, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range reports {
		fmt.Printf("%s: %.3f +- %.3f, exact %g, hash %s\n", r.Method, r.LogZ, r.SE, r.Truth.LogZ, r.Hash)
	}
	// Output:
	// ais: 2.958 +- 0.055, exact 3, hash 79e84cbafe966add
	// rts: 2.973 +- 0.031, exact 3, hash 941b1e30eb15997d
}
