package papers

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/stats"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/core/disk"
	"logzlab/estimators/report"
	"logzlab/estimators/training"
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
	ESS, ESSSE   float64 // effective sample size of one estimate, in the mean, and its standard error; 0: none
	Noise        float64 // variance of estimated log likelihoods, in the mean; 0: none
	Known        float64 // what log Z is compared with, NaN: nothing
	Source       string  // where Known comes from
	Hash         string

	// What a table cannot keep.
	Pictures []Picture
	Ladders  [][]estimators.Rung // of each replicate
	Guesses  []guess             // the same
	logZ     []float64           // the same
	Checks   []checked           // the same
	Trained  *training.Log       // of the first
}

// newRow describes a finished line of a point.
func newRow(p Point, s *spec.Spec, r *report.Report) Row {
	nan := math.NaN()
	row := Row{Point: p, Model: s.Model, Method: s.Methods[0], N: s.Replicates, LogMeanExp: nan, Mean: nan, SD: nan,
		Skewness: nan, Kurtosis: nan, Paired: nan, SE: nan, Lower: nan, Upper: nan, Known: nan}
	row.Params = named(p.Link, row.Method)
	method, _ := catalog.Method(row.Method)
	values := s.Values(method.Params, row.Method)
	if _, ok := values["particles"]; ok {
		row.R = values.Int("particles")
	}
	if r == nil {
		return row
	}
	row.Hash, row.SE, row.Lower, row.Upper = r.Hash, float64(r.SE), float64(r.Lower), float64(r.Upper)
	row.EP = float64(r.Diagnostics[gpc.DiagLogZEP])
	if r.Truth != nil {
		row.Known, row.Source = float64(r.Truth.LogZ), r.Truth.Source
	}
	switch {
	case r.Summary != nil:
		row.LogMeanExp, row.Mean, row.SD = float64(r.Summary.LogMeanExp), float64(r.Summary.Mean), float64(r.Summary.SD)
		for _, z := range r.Replicates {
			row.logZ = append(row.logZ, float64(z))
		}
		row.Skewness, row.Kurtosis = shape(row.logZ)
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
	var ess, noise stats.Welford
	for _, x := range results {
		r.Ladders = append(r.Ladders, x.Ladder)
		if e, ok := x.Diagnostics[estimators.DiagESS]; ok {
			ess.Add(e)
		}
		if v, ok := x.Diagnostics[estimators.DiagNoise]; ok {
			noise.Add(v)
		}
	}
	r.Noise = noise.Mean
	if len(results) > 1 && ess.Mean > 0 {
		r.ESS, r.ESSSE = ess.Mean, math.Sqrt(ess.Var()/float64(len(results)))
	}
}

// other makes the row that of another estimate of log Z, which is a diagnostic of each run.
func (r *Row) other(results []*estimators.Result, name diag.Number) {
	r.logZ = nil
	for _, x := range results {
		r.logZ = append(r.logZ, x.Diagnostics[name])
	}
	mean, v := stats.MeanVar(r.logZ)
	r.LogMeanExp, r.Mean, r.SD = math.NaN(), mean, math.Sqrt(v)
	r.Skewness, r.Kurtosis = shape(r.logZ)
}

// LogZ is the row's estimate: the log of the mean of Z, or the mean of log Z.
func (r *Row) LogZ() float64 {
	if num.Known(r.LogMeanExp) {
		return r.LogMeanExp
	}
	return r.Mean
}

// RMS is the error of one estimate: its spread and its distance from what is known.
func (r *Row) RMS() float64 {
	d := r.Mean - r.Known
	return math.Sqrt(r.SD*r.SD + d*d)
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

// lines are the points of the methods of a link that has several: each with its own series and link.
func (p Point) lines() []Point {
	if p.Other != "" {
		second := p
		second.Series = p.OtherSeries
		return []Point{p, second}
	}
	if len(p.Readers) == 0 {
		return []Point{p}
	}
	methods := strings.Split(value(p.Link, "method"), ",")
	out := make([]Point, len(p.Readers))
	for i, series := range p.Readers {
		out[i] = p
		out[i].Series, out[i].Link = series, only(p.Link, methods, methods[i])
	}
	return out
}

// value is that of a key in a link, "" without it.
func value(link, key string) string {
	for _, part := range strings.Split(link, "&") {
		if v, ok := strings.CutPrefix(part, key+"="); ok {
			return v
		}
	}
	return ""
}

// only is the link of one of its methods, with all that it says of it.
func only(link string, methods []string, method string) string {
	parts := slices.DeleteFunc(strings.Split(link, "&"), func(part string) bool {
		of, _, _ := strings.Cut(part, ".")
		return of != method && slices.Contains(methods, of)
	})
	for i, part := range parts {
		if strings.HasPrefix(part, "method=") {
			parts[i] = "method=" + method
		}
	}
	return strings.Join(parts, "&")
}

// refer gives the rows of each panel its reference, where they have no truth, and EP's log Z, where they have none.
func refer(rows []Row) {
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
				rows[i].EP = ref.EP
			}
		}
	}
}

// series are the rows of a line of a panel, along its axis.
func series(rows []Row, panel, name string) []Row {
	var out []Row
	for _, r := range rows {
		if r.Panel == panel && r.Series == name {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Row) int { return cmp.Compare(a.cost(), b.cost()) })
	return out
}

// names are the distinct values of f over rows, in order.
func names(rows []Row, f func(*Row) string) []string {
	var out []string
	for i := range rows {
		if s := f(&rows[i]); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func panels(rows []Row) []string { return names(rows, func(r *Row) string { return r.Panel }) }

// reference is the row that others of the panel are compared with, nil while there
// is none.
func reference(rows []Row, panel string) *Row {
	for i := range rows {
		if rows[i].Reference && rows[i].Panel == panel {
			return &rows[i]
		}
	}
	return nil
}

var columns = []string{"panel", "series", "model", "method", "parameters", "R", "replicates", "log_mean_exp", "mean",
	"sd", "skewness", "kurtosis", "paired_se", "se", "lower", "upper", "cpu_seconds", "sweeps",
	"reference", "reference_source", "ep", "ess", "ess_se", "noise", "hash", "link"}

// table is the CSV: a row for each point, empty where something is not known.
func (out *Outcome) table() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(columns)
	number := func(x float64) string {
		if !num.Finite(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	count := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	for _, r := range slices.Concat(out.Rows, out.rest) {
		given := func(x float64) string {
			if x == 0 {
				return ""
			}
			return number(x)
		}
		w.Write([]string{r.Panel, r.Series, r.Model, r.Method, r.Params, count(r.R), count(r.N), number(r.LogMeanExp),
			number(r.Mean), number(r.SD), number(r.Skewness), number(r.Kurtosis), number(r.Paired), number(r.SE),
			number(r.Lower), number(r.Upper), strconv.FormatFloat(r.Seconds, 'g', 4, 64), number(r.Sweeps),
			number(r.Known), r.Source,
			given(r.EP), given(r.ESS), given(r.ESSSE), given(r.Noise), r.Hash, "#" + r.Link})
	}
	w.Flush()
	return b.Bytes()
}

// readTable reads the rows of a table back, up to its last whole line; torn tells that there was more. A file that is
// not there has none. The words of a point that are not in the table come from the experiment.
func readTable(path string) (out []Row, torn bool, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	var lines [][]string
	if err == nil {
		b, torn = disk.Whole(b)
		lines, err = csv.NewReader(bytes.NewReader(b)).ReadAll()
	}
	strange := func(name string) bool { return !slices.Contains(columns, name) }
	if err == nil && len(lines) > 0 && slices.ContainsFunc(lines[0], strange) {
		err = errors.New("its columns are not those of an experiment")
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s cannot be continued: %w; give another folder by -out", path, err)
	}
	for _, x := range lines[min(1, len(lines)):] {
		text := func(name string) string {
			if i := slices.Index(lines[0], name); i >= 0 {
				return x[i]
			}
			return "" // a table that was made before there was such a column
		}
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(text(name), 64)
			if err != nil {
				return math.NaN()
			}
			return v
		}
		r := Row{Model: text("model"), Method: text("method"), Params: text("parameters"), N: int(number("replicates")),
			LogMeanExp: number("log_mean_exp"), Mean: number("mean"), SD: number("sd"), Skewness: number("skewness"),
			Kurtosis: number("kurtosis"), Paired: number("paired_se"), SE: number("se"),
			Lower: number("lower"), Upper: number("upper"),
			Seconds: number("cpu_seconds"), Sweeps: number("sweeps"), Known: number("reference"),
			Source: text("reference_source"),
			Hash:   text("hash")}
		r.Panel, r.Series, r.Link = text("panel"), text("series"), strings.TrimPrefix(text("link"), "#")
		if v := number("R"); v > 0 {
			r.R = int(v)
		}
		for name, to := range map[string]*float64{"ep": &r.EP, "ess": &r.ESS, "ess_se": &r.ESSSE, "noise": &r.Noise} {
			if v := number(name); num.Known(v) {
				*to = v
			}
		}
		out = append(out, r)
	}
	return out, torn, nil
}

// named are the parameters that a link names, those of the method without its name.
func named(link, method string) string {
	var out []string
	for _, part := range strings.Split(link, "&") {
		switch key, _, _ := strings.Cut(part, "="); key {
		case "v", "model", "method", "seed", "replicates":
		default:
			out = append(out, strings.TrimPrefix(part, method+"."))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// canonical is the one spelling of a link, which depends on today's defaults. One that
// cannot be read stays as it is, and fails when it is run.
func canonical(link string) string {
	if s, err := spec.ParseLink(link, catalog.Names{}); err == nil {
		return s.Link()
	}
	return link
}

// kept are the rows of an earlier run that the point would make again, nil if one is missing.
func kept(rows []Row, p Point) (out []Row) {
	if (p.Make != nil || p.Seeds > 0) && !p.Kept {
		return nil
	}
	for _, line := range p.lines() {
		i := slices.IndexFunc(rows, line.makes)
		if i < 0 {
			return nil
		}
		row := rows[i]
		row.Point, row.Params = line, named(line.Link, row.Method)
		out = append(out, row)
	}
	return out
}
