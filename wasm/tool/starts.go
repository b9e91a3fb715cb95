package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"logzlab/core/num/stats"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/lab"
	"logzlab/models"
	"logzlab/models/rbm"
)

// cmdStarts compares the values of the parameter start, the base of the path of an RBM: `starts [-seeds N] [-method
// ais,rts] [-set key=value,...] MODEL...`. A model is the name of a bundled RBM or a file. For each start it prints the
// mean of log Z over seeds, its standard deviation, and, if log Z is known, the root mean squares of the error and of z
// = error/error bar.
func cmdStarts(args []string) error {
	flags := flag.NewFlagSet("starts", flag.ContinueOnError)
	seeds := flags.Int("seeds", 100, "number of seeds")
	methods := flags.String("method", "ais,rts", "methods, separated by commas")
	settings := flags.String("set", "", "parameters of the methods, key=value separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}

	// A line for each model, method and start.
	parameters := strings.FieldsFunc(*settings, func(r rune) bool { return r == ',' })
	for _, name := range flags.Args() {
		path := name
		if !strings.Contains(name, ".") {
			path = filepath.Join("site", "models", name+".npz")
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := catalog.Kinds.ReadFile(data, nil)
		if err != nil {
			return err
		}
		for _, method := range strings.Split(*methods, ",") {
			for _, start := range rbm.Starts {
				m, err := models.FromFile(name, file, map[string]string{"start": start}, nil)
				if err != nil {
					return err
				}
				if err := measureStart(name, method, start, m, *seeds, parameters); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// measureStart prints the line of a model, method and start: statistics of log Z over a number of seeds.
func measureStart(name, method, start string, m models.Model, seeds int, settings []string) error {
	ctx, knownLogZ := context.Background(), math.NaN()
	if _, ok := m.(*rbm.Model).Blocks(models.MaxExactUnits); ok {
		exact, err := engine.Exact(ctx, m, 1)
		if err != nil {
			return err
		}
		knownLogZ = exact.LogZ
	}
	var z []float64
	squares, squaresZ := 0.0, 0.0
	for seed := range seeds {
		r, err := lab.Lab{}.Estimate(ctx, m, method, append(settings, fmt.Sprint("seed=", seed+1))...)
		if err != nil {
			return err
		}
		logZ, se := float64(r.LogZ), float64(r.SE)
		deviation := logZ - knownLogZ
		z, squares, squaresZ = append(z, logZ), squares+deviation*deviation, squaresZ+deviation*deviation/(se*se)
	}
	n := float64(seeds)
	mean, variance := stats.MeanVar(z)
	fmt.Printf("%-20s %-4s %-9s mean %9.3f sd %6.3f rmse %6.3f rms z %5.2f\n", name, method, start, mean,
		math.Sqrt(variance), math.Sqrt(squares/n), math.Sqrt(squaresZ/n))
	return nil
}
