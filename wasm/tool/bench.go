package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"logzlab/core/rng"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/models"
)

// benchChains is the size of a lane of ais and rts.
const benchChains = 10

// cmdBench prints how many chain-sweeps (h given v, then v given h) a second
// one core makes of two bundled models, bare and with what ais and rts compute
// besides: the median of 5 runs each.
func cmdBench(args []string) error {
	if len(args) != 0 {
		return errors.New("bench takes no arguments")
	}
	fmt.Println("chain-sweeps a second on one core, native, median of 5")
	fmt.Printf("%-14s %10s %10s %10s\n", "model", "gibbs", "ais", "rts")
	for _, name := range []string{"rbm-pcd-20", "rbm-cd25-500"} {
		m, err := bundled(name)
		if err != nil {
			return err
		}
		fmt.Printf("%-14s", name)
		for _, rungs := range []int{0, 2, 101} { // whose log densities each sweep computes
			rate, err := sweepRate(m, rungs)
			if err != nil {
				return err
			}
			fmt.Printf(" %10.0f", rate)
		}
		fmt.Println()
	}
	return nil
}

// bundled loads a model of the site.
func bundled(name string) (models.Model, error) {
	path := filepath.Join("site", "models", name+".npz")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; run ./build.sh models", err)
	}
	f, err := spec.ReadModelFile(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := f.RBM
	return models.NewRBM(models.RBMParams{Name: name, M: r.M, J: r.J, W: r.W, C: r.C, B: r.B, P1: r.P1})
}

// sweepRate is the number of chain-sweeps a second at beta = 1, each with log f
// at the given number of rungs.
func sweepRate(m models.Model, rungs int) (float64, error) {
	ladder, err := schedule.Parse("linear", 101)
	if err != nil {
		return 0, err
	}
	key := rng.NewKey(1, "bench", 0)
	p := m.New(benchChains, ladder)
	at := rng.At{Key: key}
	p.Draw(at)
	top := make([]int32, benchChains)
	for r := range top {
		top[r] = int32(len(ladder) - 1)
	}
	logf := make([]float64, benchChains*rungs)
	step := func() {
		at.Step++
		if rungs > 0 {
			p.LogF(len(ladder)-rungs, rungs, logf)
		}
		p.Move(at, top, false)
	}
	for range 200 { // to where the chains live, and to warm up
		step()
	}
	var rates []float64
	for range 5 {
		start, n := time.Now(), 0
		for time.Since(start) < 400*time.Millisecond {
			step()
			n += benchChains
		}
		rates = append(rates, float64(n)/time.Since(start).Seconds())
	}
	slices.Sort(rates)
	return rates[2], nil
}
