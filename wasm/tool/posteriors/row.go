package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"

	"logzlab/core/files/disk"
)

// Values of row.Status: the outcome of the first method.
const (
	done        = "done"
	overTime    = "over time"
	notCompiled = "not compiled"
	failed      = "failed" // no result, for any reason
)

// row has the results for a posterior. The names of its fields are those of the columns of the table; NaN is an empty
// cell.
type row struct {
	Name, Build, Status, Reason string
	Dim, Operations             float64
	LogZ, SE, ParetoK           float64
	Verdict, Flags, Checks      string // Checks: the checks that fail
	Seconds                     float64
	Link, Hash                  string
	SecondLogZ, SecondSE        float64
	SecondVerdict, SecondReason string
	SecondSeconds               float64
}

// newRow returns a row without results: its status is failed and its numbers are NaN.
func newRow(name, build string) row {
	r := row{Name: name, Build: build, Status: failed}
	v := reflect.ValueOf(&r).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Float64 {
			v.Field(i).SetFloat(math.NaN())
		}
	}
	return r
}

// compiled reports whether the program is known to compile; the time may be over before that.
func (r row) compiled() bool { return r.Status == done || r.Status == overTime && isFinite(r.Dim) }

// hasSecond reports whether the second method has a usable result.
func (r row) hasSecond() bool { return r.SecondSE <= maxSecondSE && r.SecondVerdict != "stop" }

// compared reports whether both methods have a result.
func (r row) compared() bool {
	return r.Status == done && isFinite(r.LogZ) && isFinite(r.SE) && r.hasSecond()
}

// agrees reports whether both methods agree: within four joint error bars, or within 0.1 nat.
func (r row) agrees() bool {
	return math.Abs(r.LogZ-r.SecondLogZ) <= max(4*math.Hypot(r.SE, r.SecondSE), .1)
}

// maxSecondSE is the largest error bar of a usable result of the second method.
const maxSecondSE = .5

// isFinite reports whether x is neither NaN nor infinite.
func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// line formats a row as text.
func (r row) line() string {
	if !r.compiled() {
		return fmt.Sprintf("%s: %s: %s", r.Name, r.Status, r.Reason)
	}
	agrees := "-"
	if r.compared() {
		agrees = map[bool]string{true: "agree", false: "DISAGREE"}[r.agrees()]
	}
	return fmt.Sprintf("%s: %.4f ± %.2g %s %s, %.1f s; second %.4f ± %.2g %s %s, %.1f s: %s", r.Name, r.LogZ, r.SE, r.Verdict,
		r.Status, r.Seconds, r.SecondLogZ, r.SecondSE, r.SecondVerdict, r.SecondReason, r.SecondSeconds, agrees)
}

// readRows reads a table, which may be missing.
func readRows(file string) (rows []row, err error) {
	b, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	table, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, cells := range table[min(1, len(table)):] {
		r := newRow("", "")
		v := reflect.ValueOf(&r).Elem()
		for i, name := range table[0] {
			f := v.FieldByName(name)
			switch {
			case !f.IsValid():
				return nil, fmt.Errorf("%s has the column %s, which is not known", file, name)
			case f.Kind() == reflect.String:
				f.SetString(cells[i])
			case cells[i] != "":
				x, err := strconv.ParseFloat(cells[i], 64)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", file, err)
				}
				f.SetFloat(x)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// saveTo stores the row in the table of a file, in place of the row with the same name.
func (r row) saveTo(file string) error {
	rows, err := readRows(file)
	if err != nil {
		return err
	}
	rows = append(slices.DeleteFunc(rows, func(o row) bool { return o.Name == r.Name }), r)
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	t := reflect.TypeFor[row]()
	var cells []string
	for i := range t.NumField() {
		cells = append(cells, t.Field(i).Name)
	}
	_ = w.Write(cells) // to memory; see Error below
	for _, r := range rows {
		v := reflect.ValueOf(r)
		for i := range cells {
			switch f := v.Field(i); {
			case f.Kind() == reflect.String:
				cells[i] = f.String()
			case isFinite(f.Float()):
				cells[i] = strconv.FormatFloat(f.Float(), 'g', -1, 64)
			default:
				cells[i] = ""
			}
		}
		_ = w.Write(cells)
	}
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	return disk.Write(file, out.Bytes())
}
