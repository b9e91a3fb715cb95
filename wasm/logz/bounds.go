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

// bounds is the JSON of an interval.
type bounds struct {
	V     int           `json:"v"`
	Model string        `json:"model"`
	Below report.Number `json:"below"` // nats; null where no state of weight was found
	Above report.Number `json:"above"`
}

// boundsCommand prints an interval that has log Z for certain, a line whenever it has got narrower; with -json the last
// one, also after an interrupt.
func boundsCommand(o *options, stdout, stderr io.Writer) (int, error) {
	if err := o.linked(o.names); err != nil {
		return exitUsage, err
	}
	ctx, stop := untilInterrupt()
	defer stop()

	// The model, and its exact log Z if the model knows the number.
	var s *spec.Spec
	var m models.Model
	truth, err := unless(ctx, func() (truth *models.Truth, err error) { // the order of elimination may take long
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
		return refused(err)
	}
	between := models.Can(m).Bounds.Narrow
	if between == nil {
		return exitUsage, fmt.Errorf("%s has no bounds from both sides that hold for certain; only graphs have", s.Model)
	}

	// Every interval is shown, and the narrowest kept.
	last := bounds{V: spec.Version, Model: s.Model, Below: report.NaN, Above: report.NaN}
	going := func() bool { return ctx.Err() == nil }
	show := func(below, above float64) bool {
		if last.Above = report.Number(above); !math.IsInf(below, -1) {
			last.Below = report.Number(below)
		}
		if !o.json {
			fmt.Fprintf(stdout, "%s <= log Z <= %s\n", spec.Decimal(below), spec.Decimal(above))
		}
		return going()
	}

	// An exact log Z is both bounds. Else bounds close in.
	if truth != nil {
		show(truth.LogZ, truth.LogZ)
	}
	between(factor.Effort{Entries: models.MaxEntries, Bytes: o.meter.Limit / 2}, going, show)
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(last))
	}
	if !going() {
		return exitInterrupted, errInterrupted
	}
	return exitOK, nil
}
