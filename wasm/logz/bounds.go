package main

import (
	"fmt"
	"io"
	"math"

	"logzlab/core/factor"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
)

// boundsResult is the JSON of `logz bounds`.
type boundsResult struct {
	V     int           `json:"v"`
	Model string        `json:"model"`
	Below report.Number `json:"below"` // nats; null if no state of positive weight was found
	Above report.Number `json:"above"`
}

// boundsCommand prints an interval that certainly contains log Z, and prints it again whenever it becomes narrower.
// With -json it prints only the last interval, also after an interrupt.
func boundsCommand(o *options, stdout, stderr io.Writer) (int, error) {
	if err := o.takeLink(o.args); err != nil {
		return exitUsage, err
	}
	ctx, stop := untilInterrupt()
	defer stop()

	var s *spec.Spec
	var m models.Model
	truth, err := await(ctx, func() (truth *models.Truth, err error) { // finding an elimination order may take long
		var src engine.Source
		if s, src, err = o.experiment(); err == nil {
			m, err = src.Open(s, o.meter)
		}
		if err == nil {
			truth = models.TruthOf(m)
		}
		return truth, err
	})
	if err != nil {
		return inputError(err)
	}
	narrowBounds := models.CapabilitiesOf(m).Bounds.Narrow
	if narrowBounds == nil {
		return exitUsage, fmt.Errorf("%s has no certain bounds from both sides; only graphs have", s.Model)
	}

	last := boundsResult{V: spec.Version, Model: s.Model, Below: report.NaN, Above: report.NaN}
	isRunning := func() bool { return ctx.Err() == nil }
	show := func(below, above float64) bool {
		if last.Above = report.Number(above); !math.IsInf(below, -1) {
			last.Below = report.Number(below)
		}
		if !o.json {
			fmt.Fprintf(stdout, "%s <= log Z <= %s\n", spec.Decimal(below), spec.Decimal(above))
		}
		return isRunning()
	}

	// An exact log Z is both bounds.
	if truth != nil {
		show(truth.LogZ, truth.LogZ)
	}
	narrowBounds(factor.Effort{Entries: models.MaxEntries, Bytes: o.meter.Limit / 2}, isRunning, show)
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(last))
	}
	if !isRunning() {
		return exitInterrupted, errInterrupted
	}
	return exitOK, nil
}
