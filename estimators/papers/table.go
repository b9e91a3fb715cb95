package papers

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/files/disk"
	"logzlab/core/num"
)

// columns are the names of the columns of a table.
var columns = []string{"panel", "series", "model", "method", "parameters", "R", "replicates", "log_mean_exp", "mean",
	"sd", "skewness", "kurtosis", "paired_se", "se", "lower", "upper", "cpu_seconds", "sweeps",
	"reference", "reference_source", "ep", "ep_corrected", "ess", "ess_se", "predicted", "f_linear",
	"noise", "hash", "link"}

// table returns the results as CSV, with a line for each row and empty cells for unknown values.
func (out *Outcome) table() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(columns)
	formatNumber := func(x float64) string {
		if !num.Finite(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	formatCount := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}

	// Rows of this run, then rows of an earlier run for points that are not reached yet.
	for _, r := range slices.Concat(out.Rows, out.pendingRows) {
		formatNonzero := func(x float64) string {
			if x == 0 {
				return ""
			}
			return formatNumber(x)
		}
		w.Write([]string{r.Panel, r.Series, r.Model, r.Method, r.Params, formatCount(r.R), formatCount(r.N), formatNumber(r.LogMeanExp),
			formatNumber(r.Mean), formatNumber(r.SD), formatNumber(r.Skewness), formatNumber(r.Kurtosis), formatNumber(r.Paired), formatNumber(r.SE),
			formatNumber(r.Lower), formatNumber(r.Upper), strconv.FormatFloat(r.Seconds, 'g', 4, 64), formatNumber(r.Sweeps),
			formatNumber(r.Known), r.Source,
			formatNonzero(r.EP), formatNonzero(r.Corrected), formatNonzero(r.ESS), formatNonzero(r.ESSSE), formatNonzero(r.Predicted), formatNonzero(r.FLinear),
			formatNonzero(r.Noise), r.Hash,
			"#" + r.Link})
	}
	w.Flush()
	return b.Bytes()
}

// maxTable is the largest size of a table that is read.
const maxTable = 256 << 20

// readTable reads the rows of a table, up to its last complete line; incomplete reports whether a partial line follows.
// It returns no rows if the file does not exist, and an error if a column is unknown. Fields of a point that are not in
// the table are not set.
func readTable(path string) (out []Row, incomplete bool, err error) {
	b, err := disk.Read(path, maxTable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}

	// Read the complete lines; every column must be one of columns.
	var lines [][]string
	if err == nil {
		b, incomplete = disk.WholeLines(b)
		lines, err = csv.NewReader(bytes.NewReader(b)).ReadAll()
	}
	isUnknown := func(name string) bool { return !slices.Contains(columns, name) }
	if err == nil && len(lines) > 0 && slices.ContainsFunc(lines[0], isUnknown) {
		err = errors.New("its columns are not those of an experiment")
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s cannot be continued: %w; give another folder by -out", path, err)
	}

	// Convert lines to rows; columns may be in any order.
	for _, x := range lines[min(1, len(lines)):] {
		text := func(name string) string {
			if i := slices.Index(lines[0], name); i >= 0 {
				return x[i]
			}
			return "" // a table of an earlier version may lack the column
		}
		parse := func(name string) float64 {
			v, err := strconv.ParseFloat(text(name), 64)
			if err != nil {
				return math.NaN()
			}
			return v
		}
		r := Row{Model: text("model"), Method: text("method"), Params: text("parameters"), N: int(parse("replicates")),
			LogMeanExp: parse("log_mean_exp"), Mean: parse("mean"), SD: parse("sd"), Skewness: parse("skewness"),
			Kurtosis: parse("kurtosis"), Paired: parse("paired_se"), SE: parse("se"),
			Lower: parse("lower"), Upper: parse("upper"),
			Seconds: parse("cpu_seconds"), Sweeps: parse("sweeps"), Known: parse("reference"),
			Source: text("reference_source"),
			Hash:   text("hash")}
		r.Panel, r.Series, r.Link = text("panel"), text("series"), strings.TrimPrefix(text("link"), "#")
		if v := parse("R"); v > 0 {
			r.R = int(v)
		}
		for name, field := range map[string]*float64{"ep": &r.EP, "ep_corrected": &r.Corrected,
			"ess": &r.ESS, "ess_se": &r.ESSSE, "predicted": &r.Predicted, "f_linear": &r.FLinear, "noise": &r.Noise} {
			if v := parse(name); num.NotNaN(v) {
				*field = v
			}
		}
		out = append(out, r)
	}
	return out, incomplete, nil
}
