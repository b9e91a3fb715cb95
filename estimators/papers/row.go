package papers

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/models/gpc"
)

// Row is the result of one series of a point.
type Row struct {
	Point
	Model, Method, Params string
	R                     int // particles of an island, 0 if there are none
	N                     int // number of independent estimates
	// LogMeanExp is the log of the mean of the estimates of Z; Mean and SD are the mean and the standard deviation of the
	// estimates of log Z, in nats. They are NaN if not known.
	LogMeanExp, Mean, SD float64
	// Skewness and Kurtosis (3 for a normal distribution) are those of the estimates of log Z; they determine the
	// precision of SD and RMS. NaN if not known.
	Skewness, Kurtosis float64
	// Paired is the standard error of log(RMS / RMS of the first series of the same run). The estimates of the two series
	// are correlated, which it takes into account. It is 0 for the first series, NaN if not known.
	Paired       float64
	SE           float64 // standard error of log Z from all estimates
	Lower, Upper float64 // bounds of log Z by annealing in both directions
	Seconds      float64 // processor time of one estimate
	Sweeps       float64 // kernel applications of one estimate
	EP           float64 // log Z by expectation propagation, 0 if none
	Corrected    float64 // log Z by expectation propagation with the second-order correction, 0 if none
	ESS, ESSSE   float64 // mean effective sample size of one estimate, and its standard error; 0 if none
	// Predicted is the variance of the log weights that perfect moves would give on the ladder of an estimate, in the
	// mean over the estimates; 0 if not known.
	Predicted float64
	// FLinear is F of the linear schedule, measured by the pilots, in the mean over the runs: K-1 times the variance of
	// the log weights that perfect moves would give on an evenly spaced ladder of K temperatures ([VAROPT] Theorem 1); 0
	// if not known.
	FLinear float64
	Noise   float64 // mean variance of estimated log likelihoods; 0 if none
	Known   float64 // value that log Z is compared with, NaN if none
	Source  string  // source of Known
	Hash    string

	// Not in tables:
	Ladders   [][]estimators.Rung // by replicate
	Estimates []float64           // log Z by replicate
	More      any                 // data of the experiment
}

// NewRow returns the row of a series of point p, with the results of report r, or without results if r is nil.
func NewRow(p Point, s *spec.Spec, r *report.Report) Row {
	nan := math.NaN()
	row := Row{Point: p, Model: s.Model, Method: s.Methods[0], N: s.Replicates, LogMeanExp: nan, Mean: nan, SD: nan,
		Skewness: nan, Kurtosis: nan, Paired: nan, SE: nan, Lower: nan, Upper: nan, Known: nan}
	row.Params = LinkParams(p.Link, row.Method)
	method, _ := catalog.Method(row.Method)
	values := s.Values(method.Params, row.Method)
	if _, ok := values["particles"]; ok {
		row.R = values.Int("particles")
	}
	if r == nil {
		return row
	}

	// The estimate, and the known log Z.
	row.Hash, row.SE, row.Lower, row.Upper = r.Hash, float64(r.SE), float64(r.Lower), float64(r.Upper)
	row.EP, row.Corrected = float64(r.Diagnostics[gpc.DiagLogZEP]), float64(r.Diagnostics[gpc.DiagLogZCorrected])
	if r.Truth != nil {
		row.Known, row.Source = float64(r.Truth.LogZ), r.Truth.Source
	}

	// The spread over replicates, or over islands.
	switch {
	case r.Summary != nil:
		row.LogMeanExp, row.Mean, row.SD = float64(r.Summary.LogMeanExp), float64(r.Summary.Mean), float64(r.Summary.SD)
		for _, z := range r.Replicates {
			row.Estimates = append(row.Estimates, float64(z))
		}
		row.Skewness, row.Kurtosis = Shape(row.Estimates)
	case r.Diagnostics[estimators.DiagIslands] > 1:
		row.N, row.SD = int(r.Diagnostics[estimators.DiagIslands]), float64(r.Diagnostics[estimators.DiagIslandsSD])
		if method.Unbiased {
			row.LogMeanExp = float64(r.LogZ)
		} else {
			row.Mean = float64(r.LogZ)
		}
	default:
		row.LogMeanExp, row.Mean = float64(r.LogZ), float64(r.LogZ)
	}
	row.Sweeps = float64(r.Cost.Sweeps) / float64(row.N)
	return row
}

// setReplicates sets the ladders and the means of diagnostics over all replicates.
func (r *Row) setReplicates(results []*estimators.Result) {
	var ess, noise, predicted, linear stats.Welford
	for _, x := range results {
		r.Ladders = append(r.Ladders, x.Ladder)
		if e, ok := x.Diagnostics[estimators.DiagESS]; ok {
			ess.Add(e)
		}
		if v, ok := x.Diagnostics[estimators.DiagNoise]; ok {
			noise.Add(v)
		}
		if v, ok := x.Diagnostics[estimators.DiagVarPredicted]; ok {
			predicted.Add(v)
		}
		if f, ok := x.Diagnostics[estimators.DiagPathLinear]; ok {
			linear.Add(f)
		}
	}
	r.Noise, r.Predicted, r.FLinear = noise.Mean, predicted.Mean, linear.Mean
	if len(results) > 1 && ess.Mean > 0 {
		r.ESS, r.ESSSE = ess.Mean, math.Sqrt(ess.Var()/float64(len(results)))
	}
}

// setOther replaces the estimates of log Z by those of a diagnostic of each run.
func (r *Row) setOther(results []*estimators.Result, name diag.Number) {
	r.Estimates = nil
	for _, x := range results {
		r.Estimates = append(r.Estimates, x.Diagnostics[name])
	}
	mean, v := stats.MeanVar(r.Estimates)
	r.LogMeanExp, r.Mean, r.SD = math.NaN(), mean, math.Sqrt(v)
	r.Skewness, r.Kurtosis = Shape(r.Estimates)
}

// LogZ returns the estimate: the log of the mean of Z if known, or the mean of log Z.
func (r *Row) LogZ() float64 {
	if num.NotNaN(r.LogMeanExp) {
		return r.LogMeanExp
	}
	return r.Mean
}

// RMS returns the root mean squared error of one estimate of log Z, sqrt(SD^2 + (Mean - Known)^2).
func (r *Row) RMS() float64 {
	d := r.Mean - r.Known
	return math.Sqrt(r.SD*r.SD + d*d)
}

// SecondsTo returns the processor seconds until the error of log Z is a number of nats, assuming that the error falls
// with the root of the time.
func (r *Row) SecondsTo(nats float64) float64 {
	x := r.RMS() / nats
	return r.Seconds * x * x
}

// same reports whether both rows belong to the same point and series.
func (r *Row) same(other Row) bool {
	return other.Panel == r.Panel && other.Series == r.Series && canonical(other.Link) == canonical(r.Link)
}

// cost returns the position of the row on the axis of its figure: At if set, else the processor seconds.
func (r *Row) cost() float64 {
	if r.At > 0 {
		return r.At
	}
	return r.Seconds
}

// produces reports whether row r is a result of point p, which has a single series.
func (p *Point) produces(r Row) bool {
	return r.Panel == p.Panel && r.Series == p.Series && canonical(r.Link) == canonical(p.Link)
}

// Lines returns a point for each series of p, with the link of that series.
func (p Point) Lines() []Point {
	if p.Other != "" {
		second := p
		second.Series = p.OtherSeries
		return []Point{p, second}
	}
	if len(p.Readers) == 0 {
		return []Point{p}
	}
	methods := strings.Split(LinkValue(p.Link, "method"), ",")
	out := make([]Point, len(p.Readers))
	for i, series := range p.Readers {
		out[i] = p
		out[i].Series, out[i].Link = series, onlyMethod(p.Link, methods, methods[i])
	}
	return out
}

// SetReferences sets Known, in rows without an exact log Z, to log Z of the reference of the panel. In rows without EP
// and Corrected it sets these to the values of the reference.
func SetReferences(rows []Row) {
	for i := range rows {
		for k := range rows {
			ref := &rows[k]
			if !ref.Reference || ref.Panel != rows[i].Panel {
				continue
			}
			if rows[i].Source == "" || rows[i].Source == ref.Series {
				rows[i].Known, rows[i].Source = ref.LogZ(), ref.Series
			}
			if rows[i].EP == 0 {
				rows[i].EP, rows[i].Corrected = ref.EP, ref.Corrected
			}
		}
	}
}

// Series returns the rows of a series of a panel, sorted by cost.
func Series(rows []Row, panel, name string) []Row {
	var out []Row
	for _, r := range rows {
		if r.Panel == panel && r.Series == name {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Row) int { return cmp.Compare(a.cost(), b.cost()) })
	return out
}

// Distinct returns the distinct values of a function of the rows, in order of appearance.
func Distinct(rows []Row, value func(*Row) string) []string {
	var out []string
	for i := range rows {
		if s := value(&rows[i]); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Panels returns the names of the plots that have rows, in order.
func Panels(rows []Row) []string { return Distinct(rows, func(r *Row) string { return r.Panel }) }

// Reference returns the row that the other rows of the panel are compared with, nil if there is none yet.
func Reference(rows []Row, panel string) *Row {
	for i := range rows {
		if rows[i].Reference && rows[i].Panel == panel {
			return &rows[i]
		}
	}
	return nil
}
