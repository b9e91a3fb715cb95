package papers

import (
	"bytes"
	"fmt"

	"logzlab/models/rbm"
)

// Machine is a Boltzmann machine of the experiments.
type Machine struct {
	Panel, Model string
	Sweep        float64 // CPU seconds of a sweep of a chain
	Replicates   int     // of a point, as many as an hour allows: a third of them where it has most sweeps
	Exact        bool
}

// Machines of several papers.
var (
	Machine100 = Machine{Panel: "100 hidden units", Model: "rbm-pcd-100", Sweep: 8e-6, Replicates: 45}
	Machine500 = Machine{Panel: "500 hidden units", Model: "rbm-cd25-500", Sweep: 2e-5, Replicates: 60}
)

// Reference adds a long annealing where log Z is not known.
func (m Machine) Reference(points []Point, size Size) []Point {
	if m.Exact {
		return points
	}
	chains, temps := map[Size]int{Small: 2, Normal: 200, Full: 1000}[size],
		map[Size]int{Small: 4, Normal: 50000, Full: 200000}[size]
	p := Sandwich(m.Panel, m.Model, chains, temps)
	p.Cost = 2 * m.Sweep * float64(chains*temps)
	return append(points, p)
}

// costRung is the CPU seconds of a temperature of a chain of annealing and its reverse.
const costRung = 2.5e-5

// Sandwich is the reference of a Boltzmann machine.
func Sandwich(panel, model string, chains, temps int) Point {
	return Point{Panel: panel, Series: "AIS", Reference: true, Cost: costRung * float64(chains*temps),
		Link: fmt.Sprintf("v=1&model=%s&method=ais&ais.chains=%d&ais.temperatures=%d", model, chains, temps)}
}

// ByAuto is the reference of a panel whose log Z is not known: auto, to an error of 0.04 nat.
func ByAuto(panel, model string) Point {
	return Point{Panel: panel, Series: "auto to 0.04 nat", Reference: true, Cost: 60,
		Link: fmt.Sprintf("v=1&model=%s&method=auto&target=0.04", model)}
}

// Published is the machine of [Salakhutdinov2008], an own file. Its pixels go by columns, and it has no
// base rates, so DigitsByColumns stand beside it, by the id PublishedRows.
const (
	Published     = "file:5b29b4a5eda7"
	PublishedRows = "26ad2c434d0c"
)

// DigitsByColumns are the bundled digits as a file of rows, each column of a picture after the other.
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

// Digits reads the bundled digits, a bit a pixel.
func Digits(load Load) ([][]uint8, error) {
	b, err := load(rbm.DigitsFile)
	if err != nil {
		return nil, err
	}
	return rbm.ReadDigits(b, 28*28, nil)
}
