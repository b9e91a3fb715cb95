package papers

import (
	"fmt"

	"logzlab/models/rbm"
)

// machine is a Boltzmann machine of the experiments.
type machine struct {
	panel, model string
	sweep        float64 // CPU seconds of a sweep of a chain
	replicates   int     // of a point, as many as an hour allows: a third of them where it has most sweeps
	exact        bool
}

var (
	machine100 = machine{panel: "100 hidden units", model: "rbm-pcd-100", sweep: 8e-6, replicates: 45, exact: false}
	machine500 = machine{panel: "500 hidden units", model: "rbm-cd25-500", sweep: 2e-5, replicates: 60, exact: false}
)

// reference adds a long annealing where log Z is not known.
func (m machine) reference(points []Point, size Size) []Point {
	if m.exact {
		return points
	}
	chains, temps := map[Size]int{Small: 2, Normal: 200, Full: 1000}[size],
		map[Size]int{Small: 4, Normal: 50000, Full: 200000}[size]
	p := sandwich(m.panel, m.model, chains, temps)
	p.Cost = 2 * m.sweep * float64(chains*temps)
	return append(points, p)
}

// costRung is the CPU seconds of a temperature of a chain of annealing and its reverse.
const costRung = 2.5e-5

// sandwich is the reference of a Boltzmann machine.
func sandwich(panel, model string, chains, temps int) Point {
	return Point{Panel: panel, Series: "AIS", Reference: true, Cost: costRung * float64(chains*temps),
		Link: fmt.Sprintf("v=1&model=%s&method=ais&ais.chains=%d&ais.temperatures=%d", model, chains, temps)}
}

// testDigits reads the bundled digits, a bit a pixel.
func testDigits(load Load) ([][]uint8, error) {
	b, err := load(rbm.DigitsFile)
	if err != nil {
		return nil, err
	}
	return rbm.ReadDigits(b, 28*28, nil)
}
