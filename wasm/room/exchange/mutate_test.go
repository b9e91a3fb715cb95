//go:build !js

package exchange

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"logzlab/core/labtest/tier"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
)

// parcel is a unit as it travels.
type parcel struct{ common, own []byte }

// mutated is a parcel of which some bytes are others, missing or new: mostly those of the plan, which stands last in
// what units share, and of the lane's number, which stands first in the unit's own part.
func (p parcel) mutated(r *rand.Rand) parcel {
	p = parcel{bytes.Clone(p.common), bytes.Clone(p.own)}
	for range 1 + r.Intn(2) {
		b, n := &p.own, len(p.own)
		i := r.Intn(n)
		if r.Intn(2) == 0 {
			b, n = &p.common, len(p.common)
			i = max(n-1-int(r.ExpFloat64()*30), 0)
		} else if r.Intn(2) == 0 {
			i = min(int(r.ExpFloat64()*6), n-1)
		}
		switch r.Intn(4) {
		case 0:
			(*b)[i] ^= 1 << r.Intn(8)
		case 1:
			(*b)[i] = byte(r.Intn(256))
		case 2:
			*b = append([]byte{}, (*b)[:max(i, 1)]...)
		case 3:
			*b = append((*b)[:i:i], append([]byte{byte(r.Intn(256))}, (*b)[i:]...)...)
		}
	}
	return p
}

// survive runs a unit for a short time. The unit may be refused, by an error or by estimators.Must and Refuse, but an
// error of Go's is a mistake of a decoder, and so is memory beyond that of real units.
func survive(w *engine.Worker, p parcel) (err error) {
	defer func() {
		if bad, ours := recover().(runtime.Error); ours {
			err = bad
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<30 {
			err = fmt.Errorf("%d MB were allocated", took>>20)
		}
	}()
	if _, err := w.Control(engine.UnitMessage(1, false, p.common, p.own)); err != nil {
		return nil
	}
	r, refused := w.Start(nil)
	if refused != nil {
		return nil
	}
	from := time.Now()
	for range r.Frames {
		if time.Since(from) > 10*time.Millisecond {
			break
		}
	}
	return nil
}

// collected are some units of each round of a job, of the first two hundred that are handed out.
func collected(t *testing.T, link string, w *engine.Worker) (out []parcel) {
	j, err := open(t, link)()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for n := 0; n < 200 && !j.Finished(); n++ {
		k := j.Take()
		if k == nil {
			break
		}
		p := parcel{}
		p.common, p.own = j.Parcel(k)
		if round := fmt.Sprint(k.Unit.Round, k.Unit.Work); seen[round] < 3 {
			seen[round]++
			out = append(out, p)
		}
		b, err := compute(context.Background(), w, p.common, p.own)
		if err == nil {
			err = Finish(j, k, b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// trained are units of a training, and its rows are given to the worker.
func trained(t *testing.T, w *engine.Worker) (out []parcel) {
	bits, m := training.Bars(300)
	l, err := training.ParseLink("v=1&train=bars&rows=300&hidden=5&updates=300&batch=30&chains=20&temperatures=8&" +
		"check=300")
	if err != nil {
		t.Fatal(err)
	}
	run, err := l.Open(bits, m)
	if err == nil {
		err = Files(w, map[string][]byte{engine.TrainingRows: engine.TrainingFile(bits, m)})
	}
	if err != nil {
		t.Fatal(err)
	}
	var partials, states [][]byte
	for {
		round, err := run.Next(partials, states)
		if err != nil {
			t.Fatal(err)
		}
		if round == nil {
			return out
		}
		u := round.Unit(0)
		p := parcel{}
		p.common, p.own = engine.TrainingParcel(l.String(), u)
		out = append(out, p)
		partials, states = round.Run(run)
	}
}

// Units of every method and of a training, with bytes that are wrong, are refused or computed: no decoder indexes,
// divides or allocates by a number that cannot be.
func TestMutatedUnits(t *testing.T) {
	tier.Test(t)
	golden, err := os.ReadFile("../../../estimators/report/testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	worker := func() *engine.Worker {
		w := engine.NewWorker()
		w.Load = load
		return w
	}
	r := rand.New(rand.NewSource(45))
	lines := strings.Split(strings.TrimSpace(string(golden)), "\n")
	every, times := tier.Size(25, 9, 1), tier.Size(5, 10, 60)
	try := func(name string, w *engine.Worker, units []parcel) {
		for _, p := range units {
			for range times {
				x := p.mutated(r)
				if err := survive(w, x); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	for i := 0; i < len(lines); i += every {
		link, _, _ := strings.Cut(lines[i], "\t")
		w := worker()
		try(link, w, collected(t, link, w))
	}
	w := worker()
	try("training", w, trained(t, w))
}
