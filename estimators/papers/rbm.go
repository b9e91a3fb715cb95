package papers

import (
	"bytes"
	"fmt"

	"logzlab/models/rbm"
)

// RBM is an RBM of the experiments.
type RBM struct {
	Panel, Model string
	Sweep        float64 // CPU seconds per chain and sweep
	Replicates   int     // replicates of a point, as many as an hour allows; a third at the largest number of sweeps
	Exact        bool    // log Z is known exactly
}

// RBMs of several papers.
var (
	RBM100 = RBM{Panel: "100 hidden units", Model: "rbm-pcd-100", Sweep: 8e-6, Replicates: 45}
	RBM500 = RBM{Panel: "500 hidden units", Model: "rbm-cd25-500", Sweep: 2e-5, Replicates: 60}
)

// Reference appends a long annealing run as the reference of the panel, unless log Z is known exactly.
func (m RBM) Reference(points []Point, size Size) []Point {
	if m.Exact {
		return points
	}
	chains, temps := map[Size]int{Small: 2, Normal: 200, Full: 1000}[size],
		map[Size]int{Small: 4, Normal: 50000, Full: 200000}[size]
	p := Sandwich(m.Panel, m.Model, chains, temps)
	p.Cost = 2 * m.Sweep * float64(chains*temps)
	return append(points, p)
}

// sandwichCost is the CPU seconds per chain and temperature of annealing in both directions.
const sandwichCost = 2.5e-5

// Sandwich returns the reference point of an RBM: a long annealing run in both directions, which bounds log Z from
// below and above.
func Sandwich(panel, model string, chains, temps int) Point {
	return Point{Panel: panel, Series: "AIS", Reference: true, Cost: sandwichCost * float64(chains*temps),
		Link: fmt.Sprintf("v=1&model=%s&method=ais&ais.chains=%d&ais.temperatures=%d", model, chains, temps)}
}

// ByAuto returns the reference point of a panel whose log Z is not known: method auto, with a target standard error of
// 0.04 nats.
func ByAuto(panel, model string) Point {
	return Point{Panel: panel, Series: "auto to 0.04 nat", Reference: true, Cost: 60,
		Link: fmt.Sprintf("v=1&model=%s&method=auto&target=0.04", model)}
}

// Published is the id of the RBM of [Salakhutdinov2008], a file that the user provides. Its pixels are in column order
// and it has no base rates, so the rates come from the rows of DigitsByColumns, whose id is PublishedRows.
const (
	Published     = "file:5b29b4a5eda7"
	PublishedRows = "26ad2c434d0c"
)

// DigitsByColumns returns the bundled digit images as a CSV file with a row for each image, with pixels in column
// order.
func DigitsByColumns(load Load) ([]byte, error) {
	const side = 28
	digits, err := Digits(load)
	var out bytes.Buffer
	for _, d := range digits {
		for i := range d {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteByte('0' + d[i%side*side+i/side])
		}
		out.WriteByte('\n')
	}
	return out.Bytes(), err
}

// Digits reads the bundled digit images: images x pixels, 0 or 1.
func Digits(load Load) ([][]uint8, error) {
	b, err := load(rbm.DigitsFile)
	if err != nil {
		return nil, err
	}
	return rbm.ReadDigits(b, 28*28, nil)
}
