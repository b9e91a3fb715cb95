package report

import (
	"fmt"
	"strings"

	"logzlab/core/spec"
)

// CSV returns the reports as comma-separated values, with a line of column names. Unknown numbers are empty.
func CSV(reports []*Report) string {
	var b strings.Builder
	b.WriteString("model,method,seed,replicates,logz,se,lower,upper,truth,error,bias,sweeps,evaluations,seconds," +
		"verdict,flags,hash,link\n")
	cell := func(x Number) string {
		if !IsNumber(x) {
			return ""
		}
		return spec.Decimal(float64(x))
	}
	for _, r := range reports {
		truth, difference := NaN, NaN
		if r.Truth != nil {
			truth, difference = r.Truth.LogZ, r.LogZ-r.Truth.LogZ
		}
		row := []string{r.Model, r.Method, fmt.Sprint(r.Seed), fmt.Sprint(r.Spec.Replicates), cell(r.LogZ), cell(r.SE),
			cell(r.Lower), cell(r.Upper), cell(truth), cell(difference),
			r.Bias, cell(r.Cost.Sweeps), cell(r.Cost.Evaluations), cell(r.Cost.Seconds), r.Verdict.Level,
			strings.Trim(fmt.Sprint(r.Flags), "[]"), r.Hash, `"` + r.Link + `"`}
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String()
}
