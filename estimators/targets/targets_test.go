package targets

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"logzlab/core/num"
	"logzlab/estimators/engine"
	"logzlab/models"
)

// Every target opens, has the kind that it states, and its exact value agrees with an enumeration if that is possible.
func TestTargets(t *testing.T) {
	load := func(file string) ([]byte, error) {
		return os.ReadFile(filepath.Join("..", "..", "site", "models", file))
	}
	seen, often := map[string]bool{}, 0
	for _, x := range All() {
		m, exact, err := x.Open(load)
		if err != nil {
			t.Errorf("%s: %v", x.Name, err)
			continue
		}
		if seen[x.Name] || x.Kind != m.Info().Kind || !num.Finite(exact) || x.About == "" {
			t.Errorf("%s of kind %s, log Z %v: %+v", x.Name, x.Kind, exact, m.Info())
		}
		seen[x.Name] = true
		if x.Cheap {
			often++
		}
		if e := models.CapabilitiesOf(m).Exact.Sum; e != nil && m.Info().Dim <= 120 {
			if _, ok := e.Blocks(16); !ok {
				continue
			}
			sum, err := engine.Exact(t.Context(), hidden{e}, 2)
			if err != nil || !(math.Abs(sum.LogZ-exact) < 1e-6) {
				t.Errorf("%s: log Z %v, by enumeration %v, %v", x.Name, exact, sum, err)
			}
		}
	}
	if often != 8 {
		t.Errorf("%d targets have many replicates", often)
	}
}

// hidden is a model that does not know its log Z.
type hidden struct{ models.Sum }

func (h hidden) Capabilities() models.Capabilities {
	return models.Capabilities{Exact: models.Exact{Sum: h.Sum}}
}

func (hidden) Info() models.Info                        { return models.Info{} }
func (hidden) LogZ0() float64                           { return 0 }
func (hidden) New(int, []float64) (p models.Population) { return p }

// Closed forms of seeded models against plain sums.
func TestTwoHills(t *testing.T) {
	_, got := TwoHills()
	sum, choose := 0.0, 1.0
	for k := range 27 {
		sum += choose * math.Exp(-3.8*float64(k)) * math.Pow(1+math.Exp(-3.9+.3*float64(k)), 26)
		choose *= float64(26-k) / float64(k+1)
	}
	if !(math.Abs(got-math.Log(sum)) < 1e-9) {
		t.Errorf("log Z = %v, want %v", got, math.Log(sum))
	}
}
