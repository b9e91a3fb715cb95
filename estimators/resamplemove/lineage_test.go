package resamplemove

import (
	"slices"
	"strconv"
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
)

// Pictures show the true lineage: after resampling a row is the picture of the parent it names, in the previous shown
// frame or an earlier one, with unseen frames in between; the record agrees with the run and its exact values are
// right. Detects parents of the last step only, rows beyond the listed ones treated as their own parents, copies of
// copies assigned to another row, generated rows without a parent, and parents of the rows with a picture only.
func TestLineage(t *testing.T) {
	for _, particles := range []int{60, 150} {
		testFormingLineage(t, particles)
	}
}

func testFormingLineage(t *testing.T, particles int) {
	m, want, _ := sequenceTruth(t, "public_rbm_bas9_cd1")
	var all []*frame.Frame // of a run that is watched all the time
	for _, watch := range []int{1, 2, 3, 5, 7} {
		method, err := estimators.Open(methodtest.Config(t, ARM, m, 3, "particles="+strconv.Itoa(particles), "gamma=0.97",
			"moves=1", "islands=1",
			"absent=off"))
		if err != nil {
			t.Fatal(err)
		}
		round, _ := method.Next(nil, nil)
		u := round.Unit(0)
		u.Watched = true
		var line []int // of each row, in the last frame shown
		i, copied, moved := 0, 0, 0
		for f := range method.Lane(u) {
			shown := u.Watched || f.Step == u.LastStep
			u.Watched = (i+1)%watch == 0
			if shown != (f.Growth != nil) {
				t.Fatalf("frame %d: asked for %v, picture %v", i, shown, f.Growth != nil)
			}
			if watch == 1 {
				g, err := frame.Decode(f.Append(nil))
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, g)
				if g.Phase == "resample" {
					last, size, rows := all[i-1], g.W*g.H, int32(0)
					for _, b := range g.Growth.Record[len(g.Growth.Record)-1].Batches {
						rows += b
					}
					if len(g.Growth.Parents) != max(particles, g.N) {
						t.Errorf("stage %d tells of %d parents", g.Growth.Stage, len(g.Growth.Parents))
					}
					for r, p := range g.Growth.Parents {
						if p < 0 {
							t.Errorf("stage %d: row %d has no parent", g.Growth.Stage, r)
							continue
						}
						if r >= estimators.MaxShown || p >= estimators.MaxShown {
							continue // no picture
						}
						same := slices.Equal(g.Pixels[r*size:(r+1)*size], last.Pixels[int(p)*size:(int(p)+1)*size])
						switch {
						case r != int(p) && same:
							copied++
						case !same && rows > estimators.MaxShown: // by way of a row beyond those shown, a copy that has been moved
							moved++
						case !same:
							t.Errorf("stage %d: row %d is not the picture of its parent %d", g.Growth.Stage, r, p)
						}
					}
				}
				if n := len(g.Growth.Batches); (n > 0) != (g.Phase == "smooth" || g.Phase == "generate") ||
					g.Phase == "generate" && n < 2 {
					t.Errorf("%s: batches under way %v", g.Phase, g.Growth.Batches)
				}
				for n := 1; n <= m.M; n++ {
					methodtest.Near(t, "exact log Z", g.Growth.ExactAt(n), want[n], 1e-6)
				}
			}
			now := make([]int, len(all[i].Growth.Parents))
			for r, p := range all[i].Growth.Parents {
				now[r] = -1
				if p >= 0 && i > 0 {
					now[r] = line[p]
				}
			}
			if line = now; shown {
				for r, p := range f.Growth.Parents {
					if int(p) != line[r] {
						t.Errorf("watching one frame in %d, frame %d (%s): row %d descends from %d, want %d", watch, i, f.Phase, r, p,
							line[r])
					}
				}
				for r := range line {
					line[r] = r
				}
			}
			i++
		}
		g := all[len(all)-1]
		if i != len(all) || watch == 1 && (copied < 30 || moved < 40) || g.Growth.Stage != m.M || g.Phase != "augment" ||
			len(g.Growth.Record) != m.M-1 {
			t.Errorf("%d frames of %d, %d copies, %d moved; the last is %s of stage %d with %d records", i, len(all), copied,
				moved, g.Phase, g.Growth.Stage, len(g.Growth.Record))
		}
	}
}

// Models that cannot be grown are refused with the reason.

// The first island of a run that grows its particles has pictures at evenly spaced stages for a record; no other island
// has them, and none without a record.
func TestFilm(t *testing.T) {
	m := methodtest.RBM(t, 200, 3, .2, false)
	cfg := methodtest.Config(t, RM, m, 1, "particles=8", "islands=2", "moves=1", "absent=off")
	cfg.RoundSweeps = 1000
	method, err := estimators.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	round, err := method.Next(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lane       int
		film       bool
		least, all int
	}{{0, true, filmStages + 2*filmPhaseStages - 6, filmStages + 3*filmPhaseStages + 3}, {0, false, 0, 2}, {1, true, 0, 2}} {
		u := round.Unit(c.lane)
		u.Snapshots = c.film
		n, gap, before := 0, 0, 0
		for f := range method.Lane(u) {
			if f.Growth != nil {
				n, gap, before = n+1, max(gap, f.Growth.Stage-before), f.Growth.Stage
			}
		}
		if n < c.least || n > c.all || c.film && c.lane == 0 && gap > 4 {
			t.Errorf("island %d, record %v: %d pictures, the widest gap is %d of 200 stages", c.lane, c.film, n, gap)
		}
	}
}
