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

// Row is the result of a point.
type Row struct {
	Point
	Model, Method, Params string
	R                     int // particles of an island, 0 where there are none
	N                     int // independent estimates
	// LogMeanExp is the log of the mean of the estimates of Z, Mean and SD those of
	// their logarithms (nats). NaN: not known.
	LogMeanExp, Mean, SD float64
	// Skewness and Kurtosis (3 for normal ones) of the logarithms: how sure SD and RMS are. NaN: not known.
	Skewness, Kurtosis float64
	// Paired is the standard error of log(RMS / RMS of the first line of the same run): estimates of one run rise and
	// fall together. 0 for the first line, NaN without one.
	Paired       float64
	SE           float64 // of the estimate as a whole
	Lower, Upper float64 // sandwich
	Seconds      float64 // processor time of one estimate
	Sweeps       float64 // kernel applications of one estimate
	EP           float64 // expectation propagation's log Z, 0: none
	Corrected    float64 // the same, corrected to second order, 0: none
	ESS, ESSSE   float64 // effective sample size of one estimate, in the mean, and its standard error; 0: none
	// Predicted is Var(log w) that perfect moves would have on the ladder of one estimate, in the mean; 0: not known.
	Predicted float64
	// FLinear is F of the linear schedule by the pilots of the runs, in the mean: K-1 times the same variance on an even
	// ladder of K temperatures ([VAROPT] Theorem 1); 0: not known.
	FLinear float64
	Noise   float64 // variance of estimated log likelihoods, in the mean; 0: none
	Known   float64 // what log Z is compared with, NaN: nothing
	Source  string  // where Known comes from
	Hash    string

	// What a table cannot keep.
	Ladders   [][]estimators.Rung // of each replicate
	Estimates []float64           // the same
	More      any                 // what only the row's own experiment reads
}

// NewRow describes a finished line of a point.
func NewRow(p Point, s *spec.Spec, r *report.Report) Row {
	nan := math.NaN()
	row := Row{Point: p, Model: s.Model, Method: s.Methods[0], N: s.Replicates, LogMeanExp: nan, Mean: nan, SD: nan,
		Skewness: nan, Kurtosis: nan, Paired: nan, SE: nan, Lower: nan, Upper: nan, Known: nan}
	row.Params = Named(p.Link, row.Method)
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

	// The spread, of replicates or of islands.
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

// take keeps what is known of each replicate beside its log Z.
func (r *Row) take(results []*estimators.Result) {
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

// other fills the row with another estimate of log Z, a diagnostic of each run.
func (r *Row) other(results []*estimators.Result, name diag.Number) {
	r.Estimates = nil
	for _, x := range results {
		r.Estimates = append(r.Estimates, x.Diagnostics[name])
	}
	mean, v := stats.MeanVar(r.Estimates)
	r.LogMeanExp, r.Mean, r.SD = math.NaN(), mean, math.Sqrt(v)
	r.Skewness, r.Kurtosis = Shape(r.Estimates)
}

// LogZ is the row's estimate: the log of the mean of Z, or the mean of log Z.
func (r *Row) LogZ() float64 {
	if num.Known(r.LogMeanExp) {
		return r.LogMeanExp
	}
	return r.Mean
}

// RMS is the error of one estimate: spread and distance from the known value together.
func (r *Row) RMS() float64 {
	d := r.Mean - r.Known
	return math.Sqrt(r.SD*r.SD + d*d)
}

// Need is how many seconds it takes until the error of log Z is this many nats.
func (r *Row) Need(nats float64) float64 {
	x := r.RMS() / nats
	return r.Seconds * x * x
}

// same reports whether a point and a line have made another row, too.
func (r *Row) same(other Row) bool {
	return other.Panel == r.Panel && other.Series == r.Series && canonical(other.Link) == canonical(r.Link)
}

// cost is where the row stands on the axis of its figure.
func (r *Row) cost() float64 {
	if r.At > 0 {
		return r.At
	}
	return r.Seconds
}

// makes reports whether a point of one line makes the row.
func (p *Point) makes(r Row) bool {
	return r.Panel == p.Panel && r.Series == p.Series && canonical(r.Link) == canonical(p.Link)
}

// Lines are the points of the methods of a link that has several: each with its own series and link.
func (p Point) Lines() []Point {
	if p.Other != "" {
		second := p
		second.Series = p.OtherSeries
		return []Point{p, second}
	}
	if len(p.Readers) == 0 {
		return []Point{p}
	}
	methods := strings.Split(Value(p.Link, "method"), ",")
	out := make([]Point, len(p.Readers))
	for i, series := range p.Readers {
		out[i] = p
		out[i].Series, out[i].Link = series, only(p.Link, methods, methods[i])
	}
	return out
}

// Refer gives the rows of each panel its reference, where they have no truth, and EP's log Z, where they have none.
func Refer(rows []Row) {
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

// Series are the rows of a line of a panel, along its axis.
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

// Distinct are the distinct values of f over rows, in order.
func Distinct(rows []Row, f func(*Row) string) []string {
	var out []string
	for i := range rows {
		if s := f(&rows[i]); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Panels are the plots of the figure that have rows, in order.
func Panels(rows []Row) []string { return Distinct(rows, func(r *Row) string { return r.Panel }) }

// Reference is the row that others of the panel are compared with, nil while there
// is none.
func Reference(rows []Row, panel string) *Row {
	for i := range rows {
		if rows[i].Reference && rows[i].Panel == panel {
			return &rows[i]
		}
	}
	return nil
}
