package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"logzlab/core/files/disk"
	"logzlab/core/files/modelfile"
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators/auto"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/estimators/training"
	"logzlab/models"
	"logzlab/models/rbm"
)

// trainResult is the JSON of `logz train`.
type trainResult struct {
	V          int             `json:"v"`
	File       string          `json:"file"`
	ID         string          `json:"id"`
	Update     int             `json:"update"`
	LogZ       report.Number   `json:"logz"`
	SE         report.Number   `json:"se"`
	Verdict    *report.Verdict `json:"verdict"`
	Exact      report.Number   `json:"exact"`
	Train      report.Number   `json:"train"`
	Validation report.Number   `json:"validation"`
	Points     []trackedPoint  `json:"points"`
	Checks     []aisCheck      `json:"checks"`
}

// trackedPoint has the estimates that the training has updated step by step, at one update.
type trackedPoint struct {
	Update     int           `json:"update"`
	LogZ       report.Number `json:"logz"`
	SE         report.Number `json:"se"`
	Train      report.Number `json:"train"`
	Validation report.Number `json:"validation"`
}

// aisCheck is an independent estimate of log Z by AIS, at one update.
type aisCheck struct {
	Update int           `json:"update"`
	LogZ   report.Number `json:"logz"`
	SE     report.Number `json:"se"`
	Lower  report.Number `json:"lower"`
	Upper  report.Number `json:"upper"`
}

// finish rounds the weights w of the given update, estimates log Z of the model, writes the model to -out, and prints
// the result.
func (o *trainOptions) finish(ctx context.Context, stdout io.Writer, run *training.Run, w *rbm.Weights,
	update int) error {
	if o.bits > 0 {
		w.Round(o.bits)
	}

	// The model, with all its rows.
	d := run.Data
	means, rows := rbm.Means(d.Train, d.M), slices.Concat(d.Train, d.Test)
	var data [][]uint8
	for row := range slices.Chunk(rows, d.M) {
		data = append(data, row)
	}
	m, err := rbm.New(rbm.Params{Name: o.name, M: w.M, J: w.J, W: w.W, C: w.C, B: w.B,
		P1: training.StoredRates(means), Data: data}, newMeter())
	if err != nil {
		return err
	}

	// log Z by auto, and by enumeration if one layer is small.
	r, err := measure(ctx, m, o.seed)
	if err != nil {
		return err
	}
	if p, ok := run.At(update); ok {
		r.CompareWithTracked(p.LogZ, p.SE)
	}
	logz, se := float64(r.LogZ), float64(r.SE)
	z := training.LogZ{Lower: logz - 2*se, Upper: logz + 2*se, Value: logz, Source: auto.AUTO.Name}
	note, exact := "auto: lower and upper are two standard errors away.", math.NaN()
	if _, ok := m.Blocks(models.MaxExactUnits); ok {
		truth, err := engine.Exact(ctx, m, 1)
		if err != nil {
			return err
		}
		exact = truth.LogZ
		z, note = training.LogZ{Lower: exact, Upper: exact, Value: exact, Source: "exact"}, "By enumeration."
	}

	// Mean log-likelihoods of both sets of rows.
	n := len(d.Train) / d.M
	likelihood := training.Likelihood{Train: models.MeanLogF(m, 0, n) - z.Value}
	validation := models.MeanLogF(m, n, len(data)-n) - z.Value // NaN if there are no such rows
	if len(d.Test) > 0 {
		likelihood.Test = &validation
	}

	p := training.Provenance{Name: o.name, Note: "Trained by logz train.", WeightBits: o.bits, Update: update,
		LogZNote: "auto found no number.",
		Data:     training.Origin{Name: o.data, Source: "file", Rule: o.bitRule(), Train: o.trainID, Test: o.testID}}
	if num.NotNaN(z.Lower) { // without an estimate, the weights are written all the same
		p.LogLikelihood, p.LogZ, p.LogZNote = likelihood, z, note
	}
	b, err := training.Pack(w, d.Train, training.Recipe(o.values, o.seed), p)
	if err != nil {
		return err
	}
	if err := disk.Write(o.out, b); err != nil {
		return err
	}
	e := trainedModel{r, run, update, exact, likelihood, validation}
	if o.json {
		o.encode(stdout, e, modelfile.ID(b))
	} else {
		o.print(stdout, w, e)
	}
	return nil
}

// trainedModel has the results for a trained model: the report on its log Z, and its mean log-likelihoods in nats.
type trainedModel struct {
	*report.Report
	run               *training.Run
	update            int
	exact             float64
	meanLogLikelihood training.Likelihood
	validation        float64
}

// encode prints the result as JSON.
func (o *trainOptions) encode(stdout io.Writer, e trainedModel, id string) {
	t := trainResult{V: spec.Version, File: o.out, ID: id, Update: e.update, LogZ: e.LogZ, SE: e.SE,
		Verdict: e.Verdict, Exact: report.Number(e.exact), Train: report.Number(e.meanLogLikelihood.Train),
		Validation: report.Number(e.validation), Points: []trackedPoint{}, Checks: []aisCheck{}}
	for _, p := range e.run.Points {
		t.Points = append(t.Points, trackedPoint{p.Update, report.Number(p.LogZ), report.Number(p.SE), report.Number(p.Train),
			report.Number(p.Validation)})
	}
	for _, c := range e.run.Checks {
		t.Checks = append(t.Checks, aisCheck{c.Update, report.Number(c.LogZ), report.Number(c.SE), report.Number(c.Lower),
			report.Number(c.Upper)})
	}
	fmt.Fprintf(stdout, "%s\n", report.Encode(t))
}

// print prints the result as text.
func (o *trainOptions) print(stdout io.Writer, w *rbm.Weights, e trainedModel) {
	number := func(x float64) string {
		if !num.NotNaN(x) {
			return "none"
		}
		return format.ASCII(format.Fixed(x, 4))
	}
	fmt.Fprintf(stdout, "%s: %d x %d units after %d updates\n  log Z       %s +- %s (%s)", o.out, w.M, w.J, e.update,
		number(float64(e.LogZ)), number(float64(e.SE)), auto.AUTO.Name)
	if num.NotNaN(e.exact) {
		fmt.Fprintf(stdout, ", exact %s", number(e.exact))
	}
	if p, ok := e.run.At(e.update); ok {
		fmt.Fprintf(stdout, ", followed %s +- %s", number(p.LogZ), number(p.SE))
	}
	fmt.Fprintf(stdout, "\n  likelihood  train %s", number(e.meanLogLikelihood.Train))
	if e.meanLogLikelihood.Test != nil {
		fmt.Fprintf(stdout, ", validation %s", number(e.validation))
	}
	fmt.Fprint(stdout, " nats a row\n")
	printVerdict(stdout, e.Report)
}

// measure estimates log Z of a model by auto.
func measure(ctx context.Context, m models.Model, seed uint32) (*report.Report, error) {
	s, err := spec.New("file:"+strings.Repeat("0", 12), []string{auto.AUTO.Name}, catalog.Names{})
	if err != nil {
		return nil, err
	}
	s.Seed = seed
	j, err := engine.NewJob(s, m, engine.Options{})
	if err != nil {
		return nil, err
	}
	if err := engine.Run(ctx, j, runtime.NumCPU(), nil); err != nil {
		return nil, err
	}
	r := report.New(j).All(0)[0]
	return r, r.Err
}
