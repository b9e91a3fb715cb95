package papers

import (
	"context"
	"math"

	"logzlab/core/cpu"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
)

// Measure runs one point and returns its rows.
func Measure(ctx context.Context, p Point, o Options, progress func(share float64)) ([]Row, error) {
	if p.Make != nil {
		return p.Make(ctx, p, o.Load, progress)
	}

	// Open the link; a point with seeds runs it once for each seed.
	before := cpu.Seconds()
	src := engine.Source{Load: o.Load, File: o.File}
	if p.File != nil {
		src.File = p.File
	}
	s, m, err := OpenLink(p.Link, src)
	if err != nil {
		return nil, err
	}
	if p.Seeds > 0 {
		return runSeeds(ctx, p, s, m, o.Workers, progress)
	}

	// One job runs all series of the point.
	j, err := engine.NewJob(s, m, engine.Options{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	err = engine.Run(ctx, j, o.Workers, func(j *engine.Job) { progress(j.Progress()) })
	if err != nil {
		return nil, err
	}

	// A row for each series; they share the processor time of the run.
	cost := cpu.Seconds() - before
	var rows []Row
	reports := report.New(j).All(0)
	for i, line := range p.Lines() {
		r := reports[min(i, len(reports)-1)]
		if r.Err != nil {
			return nil, r.Err
		}
		row := NewRow(line, s.Only(catalog.Names{}, r.Method), r)
		row.setReplicates(j.Status(r.Method).Results)
		if i > 0 && p.Other != "" {
			row.setOther(j.Status(r.Method).Results, p.Other)
		}
		row.Seconds = cost / float64(row.N)
		if p.Counted > 0 {
			row.Seconds *= p.Counted
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// runSeeds returns one row for p.Seeds runs of a spec with consecutive seeds, starting with the seed of the spec.
func runSeeds(ctx context.Context, p Point, s *spec.Spec, m models.Model, workers int, progress func(float64)) ([]Row,
	error) {
	before := cpu.Seconds()
	var row Row
	var results []*estimators.Result
	cache := map[string][][]byte{} // exact samples, shared by all seeds

	// Run the link with each seed.
	for i := range p.Seeds {
		j, err := engine.NewJob(s, m, engine.Options{Workers: workers, Cache: cache})
		if err == nil {
			err = engine.Run(ctx, j, workers, func(j *engine.Job) {
				progress((float64(i) + j.Progress()) / float64(p.Seeds))
			})
		}
		if err != nil {
			return nil, err
		}
		r := report.New(j).All(0)[0]
		if r.Err != nil {
			return nil, r.Err
		}
		if i == 0 {
			row = NewRow(p, s, r)
			row.Estimates = nil
		}
		row.Estimates = append(row.Estimates, float64(r.LogZ))
		results = append(results, j.Status(row.Method).Results[0])
		s.Seed++
	}

	// Statistics over all runs.
	row.N = p.Seeds
	var v float64
	row.Mean, v = stats.MeanVar(row.Estimates)
	row.LogMeanExp, row.SD, row.SE = num.LogMeanExp(row.Estimates), math.Sqrt(v), math.Sqrt(v/float64(row.N))
	row.Skewness, row.Kurtosis = Shape(row.Estimates)
	row.setReplicates(results)
	row.Seconds = (cpu.Seconds() - before) / float64(row.N)
	return []Row{row}, nil
}

// OpenLink parses a link and returns its spec and its model. The user's file in src is used only if the link refers to
// a file.
func OpenLink(link string, src engine.Source) (*spec.Spec, models.Model, error) {
	names := catalog.Names{}
	if !spec.IsFile(LinkValue(link, "model")) {
		src.File = nil // the file belongs to other points
	}
	if src.File != nil {
		names.File, names.Kind = LinkValue(link, "model"), src.File.Kind()
	}
	s, err := spec.ParseLink(link, names)
	if err != nil {
		return nil, nil, err
	}
	m, err := src.Open(s, nil)
	return s, m, err
}
