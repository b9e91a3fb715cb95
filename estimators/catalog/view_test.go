package catalog

import (
	"iter"
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/smc"
	"logzlab/estimators/temper"
	"logzlab/internal/methodtest"
)

// An unwatched lane still shows its chains once at every temperature of a record that is kept, and at its end; a lane
// that waits for frames at full speed stays empty between its ends. The annealing pass of temper.RTS does the same; its
// hopping chains are shown 32 times in the final run.
func TestFilmIsWhole(t *testing.T) {
	rbm := methodtest.RBM(t, 9, 4, .3, false)
	info := rbm.Info()
	film, _ := frame.SnapshotBetas(info.W, info.H)
	for _, c := range []struct {
		info  estimators.Info
		round string
		set   []string
	}{
		{anneal.AIS, "forward", []string{"chains=20", "temperatures=101"}},
		{anneal.AIS, "forward", []string{"chains=20", "temperatures=101", "sweeps=3"}},
		{temper.RTS, "annealing pass", []string{"chains=20", "temperatures=101"}},
	} {
		hops := 0
		lanesOf(t, c.info, methodtest.Config(t, c.info, rbm, 1, c.set...),
			func(round string, start func() (*estimators.Unit, iter.Seq[*frame.Frame])) {
				u, lane := start()
				for f := range lane {
					if len(f.Beta) > 0 && f.Step != u.LastStep {
						t.Errorf("%s: a picture of sweep %d, and nobody keeps a record", round, f.Step)
					}
				}
				u, lane = start()
				u.Snapshots = true
				var shown []float64
				last := -1
				for f := range lane {
					if len(f.Beta) > 0 {
						shown, last = append(shown, float64(f.Beta[0])), f.Step
					}
				}
				if round != c.round {
					if round == "final" {
						hops += len(shown)
					} else if c.info.Name == "ais" && len(shown) > 1 {
						t.Errorf("%s: %d pictures that nobody asked for", round, len(shown))
					}
					return
				}
				if last != u.LastStep {
					t.Errorf("%s: the last picture is of sweep %d, not %d", c.info.Name, last, u.LastStep)
				}
				if c.info.Name == "ais" && shown[len(shown)-1] != 1 {
					t.Errorf("the last picture is at beta = %v: it is not weighted for the target", shown[len(shown)-1])
				}
				if len(shown) > len(film)+2 { // after the last sweep, and weighted for the target
					t.Errorf("%s: %d pictures, but %d are in the record", c.info.Name, len(shown), len(film))
				}
				for _, beta := range film {
					near := math.Inf(1)
					for _, b := range shown {
						near = min(near, math.Abs(b-beta))
					}
					// The pass shows no chain before its first sweep.
					if near > .0101 && !(c.info.Name == "rts" && beta == 0) {
						t.Errorf("%s: nearest picture to beta %v is %v off", c.info.Name, beta, near)
					}
				}
			})
		if c.info.Name == "rts" && (hops < 32 || hops > 32+9) { // one more for each of its nine cuts
			t.Errorf("%d pictures of chains that hop, want 32", hops)
		}
	}
}

// Frames of smc have the parents of each row in the previous frame, so that pictures can show resampling: points of a
// copy equal those of its parent if nothing has moved in between.
func TestViewParents(t *testing.T) {
	m := methodtest.Mixture(t, 2, 3)
	s, err := estimators.Open(methodtest.Config(t, smc.SMC, m, 1, "particles=30", "islands=1", "temperatures=12",
		"moves=1", "ess=0.9", "schedule=linear"))
	if err != nil {
		t.Fatal(err)
	}
	round, err := s.Next(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := round.Unit(0)
	u.Watched = true
	told := 0
	for f := range s.Lane(u) {
		if len(f.Parents) == 0 {
			continue
		}
		told++
		kept := map[int32]bool{}
		for _, p := range f.Parents {
			if p < 0 || int(p) >= f.N {
				t.Fatalf("parent %d of %d rows", p, f.N)
			}
			kept[p] = true
		}
		if len(kept) == f.N {
			t.Errorf("step %d: rows were resampled and all have a child", f.Step)
		}
	}
	if told == 0 {
		t.Error("no frame tells of resampling")
	}
}
