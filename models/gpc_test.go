package models

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/spec"
)

// gpcTruth are the fields of a gpc truth file.
type gpcTruth struct {
	N      int
	Prefix []float64 `json:"logZ_prefix"`
	EP     float64   `json:"logZ_EP"`
	LogZ   float64   `json:"logZ"`
}

var gpcFiles = []string{"public_gpc_n2", "public_gpc_n3", "public_gpc_ou10", "public_gpc_rbf8"}

func openGPC(t testing.TB, name string, set spec.Values) (*GPC, gpcTruth) {
	f := readTruth(t, name)
	var g gpcTruth
	if err := json.Unmarshal(f.content, &g); err != nil {
		t.Fatal(err)
	}
	return f.open(t, set).(*GPC), g
}

func TestGPCTmp(t *testing.T) {
	for _, name := range gpcFiles {
		m, g := openGPC(t, name, nil)
		e := m.ep()
		fmt.Println(name, m.n, m.know[:min(3, m.n)], g.Prefix[:min(3, m.n)], "EP", e.logZ, g.EP, e.sweeps)
		p := m.NewParticles()
		R := 2000
		p.Resize(R)
		z := p.Init(rng.At{Key: rng.NewKey(1, "x", 0)})
		w := make([]float64, R)
		for n := 1; n < m.n; n++ {
			p.Move(rng.At{Key: rng.NewKey(1, "x", 0), Phase: uint32(n)}, 0, R, 2)
			p.LogW(0, R, w)
			z += num.LogMeanExp(w)
			// multinomial
			s := rng.NewKey(2, "y", 0).Stream(uint32(n), 0, 0)
			q := p.(*gpcRows)
			old := append([]float64(nil), q.z...)
			for r := range R {
				k := s.Categorical(w)
				copy(q.row(r), old[k*m.n:k*m.n+n])
			}
			p.Augment(rng.At{Key: rng.NewKey(1, "x", 0), Phase: uint32(n), Step: 100})
			fmt.Printf("%d %.4f %.4f\n", n+1, z, g.Prefix[n])
		}
	}
}

var _ = math.Pi
