package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/models/stan"
)

// BenchmarkSweep measures a sweep of 16 rows at one rung, and a transition of the pilot's chains, for a small and a
// large program.
func BenchmarkSweep(b *testing.B) {
	for _, name := range []string{"schools", "pima-m1_unit"} {
		m := program(b, name)
		p := m.New(chainsPerMode, []float64{.5})
		key, rung := rng.NewKey(1, "bench", 0), make([]int32, chainsPerMode)
		p.Draw(rng.At{Key: key})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range uint32(b.N) {
				p.Move(rng.At{Key: key, Step: i + 1}, rung, false)
			}
		})
		c := newChains(m.t, m.fittedPilot().metric, key, 0, chainsPerMode)
		b.Run(name+"/pilot", func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				c.transitions++
				c.transition(m.fittedPilot().stepSize)
			}
		})
	}
}

// program returns the model of a program in models/stan.
func program(b *testing.B, name string) *Model {
	b.Helper()
	read := func(file string) []byte {
		text, err := os.ReadFile(filepath.Join("../testdata/programs", file))
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	source, _, _ := strings.Cut(name, "-")
	c, err := stan.Compile(string(read(source+".stan")), read(name+".json"), nil)
	if err != nil {
		b.Fatal(err)
	}
	m, err := Params{c.Tape}.Open(name, "", spec.Values{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	return m.(*Model)
}
