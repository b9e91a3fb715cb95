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

// columns are the columns of a table.
var columns = []string{"panel", "series", "model", "method", "parameters", "R", "replicates", "log_mean_exp", "mean",
	"sd", "skewness", "kurtosis", "paired_se", "se", "lower", "upper", "cpu_seconds", "sweeps",
	"reference", "reference_source", "ep", "ep_corrected", "ess", "ess_se", "predicted", "f_linear",
	"noise", "hash", "link"}

// table makes the CSV: a line for each row, with empty cells for unknown values.
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

	// Rows of this run, then remaining rows of an earlier one.
	for _, r := range slices.Concat(out.Rows, out.pendingRows) {
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
			given(r.EP), given(r.Corrected), given(r.ESS), given(r.ESSSE), given(r.Predicted), given(r.FLinear),
			given(r.Noise), r.Hash,
			"#" + r.Link})
	}
	w.Flush()
	return b.Bytes()
}

// maxTable is the largest size of a table that is read.
const maxTable = 256 << 20

// readTable reads the rows of a table, up to its last complete line; torn reports that there is more after it. A
// missing file has no rows. The texts of a point that are not in the table come from the experiment.
func readTable(path string) (out []Row, torn bool, err error) {
	b, err := disk.Read(path, maxTable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}

	// Read complete lines; all columns must be known.
	var lines [][]string
	if err == nil {
		b, torn = disk.WholeLines(b)
		lines, err = csv.NewReader(bytes.NewReader(b)).ReadAll()
	}
	strange := func(name string) bool { return !slices.Contains(columns, name) }
	if err == nil && len(lines) > 0 && slices.ContainsFunc(lines[0], strange) {
		err = errors.New("its columns are not those of an experiment")
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s cannot be continued: %w; give another folder by -out", path, err)
	}

	// Convert lines to rows; columns are found by name.
	for _, x := range lines[min(1, len(lines)):] {
		text := func(name string) string {
			if i := slices.Index(lines[0], name); i >= 0 {
				return x[i]
			}
			return "" // the table is older than the column
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
		for name, to := range map[string]*float64{"ep": &r.EP, "ep_corrected": &r.Corrected,
			"ess": &r.ESS, "ess_se": &r.ESSSE, "predicted": &r.Predicted, "f_linear": &r.FLinear, "noise": &r.Noise} {
			if v := number(name); num.NotNaN(v) {
				*to = v
			}
		}
		out = append(out, r)
	}
	return out, torn, nil
}
