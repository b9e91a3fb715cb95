package report

import (
	"fmt"
	"strings"

	"logzlab/core/spec"
)

// CSV returns the results as a table for spreadsheets and programs.
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
		truth, off := NaN, NaN
		if r.Truth != nil {
			truth, off = r.Truth.LogZ, r.LogZ-r.Truth.LogZ
		}
		row := []string{r.Model, r.Method, fmt.Sprint(r.Seed), fmt.Sprint(r.Spec.Replicates), cell(r.LogZ), cell(r.SE),
			cell(r.Lower), cell(r.Upper), cell(truth), cell(off),
			r.Bias, cell(r.Cost.Sweeps), cell(r.Cost.Evaluations), cell(r.Cost.Seconds), r.Verdict.Level,
			strings.Trim(fmt.Sprint(r.Flags), "[]"), r.Hash, `"` + r.Link + `"`}
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String()
}
