package engine

import (
	"testing"

	"logzlab/core/num"
	"logzlab/estimators/labtest"
)

// The lanes of one device give an estimate of their own while the round goes on, and nothing when it is over; the job's
// estimate stays as it is.
func TestPortion(t *testing.T) {
	t.Parallel()
	j, err := NewJob(labtest.Parse(t, "ais&ais.temperatures=50&ais.chains=60"), labtest.HillsModel(t, 2, 3, 3, 1, 1),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []*Task
	for k := j.Take(); k != nil; k = j.Take() {
		for range j.Lane(k) {
		}
		if k.Replicate() >= 0 {
			all = append(all, k)
		}
	}
	if len(all) < 3 {
		t.Fatalf("%d lanes", len(all))
	}
	var own Portion
	if own.Result("ais") != nil {
		t.Error("nothing gives something")
	}
	for i, k := range all[:len(all)-1] {
		j.Done(k)
		if i%2 == 0 {
			own.Add(k)
		}
	}
	whole := j.Standing("ais").Results[0].LogZ
	mine := own.Result("ais")
	if mine == nil || !num.Known(mine.LogZ) || mine.LogZ == whole {
		t.Errorf("own %+v, all %v", mine, whole)
	}
	if again := j.Standing("ais").Results[0].LogZ; again != whole {
		t.Errorf("the estimate of all was %v and is %v", whole, again)
	}
	if own.Result("rts") != nil {
		t.Error("another method has a result")
	}
	last := all[len(all)-1]
	if last.Replicate() != 0 || j.Replicates("ais")[0] != nil {
		t.Error("replicates")
	}
	if j.Done(last); own.Result("ais") != nil {
		t.Error("a round that is over gives something")
	}
}
