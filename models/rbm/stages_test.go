package rbm

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// TestBundledStages checks the exact log Z_n of bundled models, in the order of their files, by variance before
// clipping, and in the fitted sequence: the last value is the truth, the first ones agree with enumeration of the first
// visible units, and they are not used for another order.
func TestBundledStages(t *testing.T) {
	load := func(file string) ([]byte, error) {
		return os.ReadFile(filepath.Join(labtest.Root(t), "site/models", file))
	}
	for _, name := range []string{"rbm-cd1-20", "rbm-cd25-20", "rbm-pcd-20"} {
		open := func(order string) *Model {
			m, err := kinds.Open(name, spec.Values{"order": order}, load, nil)
			if err != nil {
				t.Fatal(err)
			}
			return m.(*Model)
		}
		m := open("variance")
		z := m.StageLogZ()
		labtest.Near(t, name+" log Z", z[m.M-1], m.Truth().LogZ, 1e-8)
		var s *sequence
		for _, absent := range []string{models.Sampled, "off"} {
			s = sequenceOf(m, absent)
			given := s.StageLogZ()
			labtest.Near(t, name+" log Z, absent "+absent, given[m.M-1], m.Truth().LogZ, 1e-8)
			s.logZ = make([]float64, m.M)
			s.enumerateVisible()
			for n := range 15 {
				labtest.Near(t, fmt.Sprint(name, " absent ", absent, " log Z_", n+1), given[n], s.logZ[n], 1e-9)
			}
		}
		if s.logZ[14] == 0 || m.order[0] == 0 || slices.Equal(m.order, open("natural").order) {
			t.Errorf("%s: %d stages, order %v", name, len(z), m.order[:9])
		}
		other := open("random").StageLogZ()
		if num.NotNaN(other[300]) || other[m.M-1] != m.Truth().LogZ {
			t.Errorf("%s in random order: log Z_301 %v, log Z %v", name, other[300], other[m.M-1])
		}
	}
	if _, err := kinds.Open("rbm-pcd-20", nil, func(file string) ([]byte, error) {
		if strings.HasSuffix(file, stagesSuffix) {
			return make([]byte, 80), nil
		}
		return load(file)
	}, nil); err == nil || !strings.Contains(err.Error(), "exact log Z_n") {
		t.Errorf("truncated stages: error %v", err)
	}
}
