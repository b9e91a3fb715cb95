package latent

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"logzlab/internal/labtest"
	"logzlab/models"
)

// priceTable returns a table of n consecutive dates and prices from a formula.
func priceTable(n int, sep string) string {
	text := "Date" + sep + "Open" + sep + "Close\n"
	for i := range n {
		text += fmt.Sprintf("2024-01-%02d%s1%s%.4f\n", i+1, sep, sep, 100+10*math.Sin(float64(i*i)))
	}
	return text
}

// Tables of prices and returns are read correctly: headers, several date formats, the price among other columns, newest
// first, a single column, decimal commas. Prices become centred log returns in percent.
func TestReadReturns(t *testing.T) {
	read := func(text string) []float64 {
		t.Helper()
		f, err := kinds.ReadFile([]byte(text), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return f.(SVParams).Y
	}
	want := read(priceTable(12, ","))
	mean := 0.
	for i, y := range want {
		p, q := 100+10*math.Sin(float64(i*i)), 100+10*math.Sin(float64((i+1)*(i+1)))
		labtest.Near(t, "return", y-want[0], 100*math.Log(q/p)-100*math.Log((100+10*math.Sin(1))/100), 1e-3)
		mean += y
	}
	if len(want) != 11 || math.Abs(mean) > 1e-9 {
		t.Fatalf("%d returns, mean %v", len(want), mean/11)
	}
	header, body, _ := strings.Cut(priceTable(12, ","), "\n")
	lines := strings.Split(strings.TrimSpace(body), "\n")
	for i := range len(lines) / 2 {
		lines[i], lines[len(lines)-1-i] = lines[len(lines)-1-i], lines[i]
	}
	column := ""
	for _, line := range strings.Split(strings.TrimSpace(body), "\n") {
		column += line[strings.LastIndex(line, ",")+1:] + "\n"
	}
	for name, text := range map[string]string{
		"semicolons":   strings.ReplaceAll(priceTable(12, ";"), ".", ","),
		"newest first": header + "\n" + strings.Join(lines, "\n"),
		"a column":     column, "a named column": "price\n" + column,
	} {
		if got := read(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	returns := read("date;return\n31.12.2023;0,5\n01.01.2024;-1,5\n02.01.2024;1\n")
	if !reflect.DeepEqual(returns, []float64{.5, -1.5, 1}) {
		t.Errorf("returns %v", returns)
	}
	for _, dates := range [][3]string{{"11/01/2024", "12/01/2024", "13/01/2024"}, {"1/30/2024", "1/31/2024", "2/1/2024"}} {
		text := fmt.Sprintf("date,return\n%s,0.5\n%s,-1.5\n%s,1\n", dates[0], dates[1], dates[2])
		if got := read(text); !reflect.DeepEqual(got, []float64{.5, -1.5, 1}) {
			t.Errorf("%v: returns %v", dates, got)
		}
	}
	if y := poundDollar(t); len(y) != 945 {
		t.Errorf("%d returns of the Pound", len(y))
	}
}

// Faulty series and groups give errors that name the fault; a single group, or groups of one row each, are not grouped
// data.
func TestSeriesErrors(t *testing.T) {
	good := priceTable(12, ",")
	for _, c := range [][3]string{
		{"2024-01-03,1,", "2024-01-02,1,", "line 4: the date 2024-01-02 is not after the date of line 3"},
		{"2024-01-12,1,", "2024-03-12,1,", "61 days are missing between line 12 and line 13"},
		{"2024-01-02,1,", "2024-13-02,1,", `line 3: "2024-13-02" is not a date`},
		{"2024-01-01,1,", "2023-02-29,1,", `line 2: "2023-02-29" is not a date`},
		{"2024-01-02,1,", "2024-01-02,1,-", "line 3: a price must be positive, not -1"},
		{"2024-01-02,1,", "2024-01-02,1,NaN\n#", "line 3, column 3: the value is missing"},
		{"2024-01-02,1,", "2024-01-02,1,x", "line 3, column 3: \"x1"},
		{"Open,Close", "a,b", "which column has the prices?"},
		{"2024-01-05,1,", "2024-01-05,1,1,", "line 6 has 4 columns, the first line 3"},
		{"Open,Close", "Close,Close", "columns 2 and 3 are both called close"},
	} {
		text := strings.Replace(good, c[0], c[1], 1)
		if _, err := kinds.ReadFile([]byte(text), nil); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%q for %q: %v does not contain %q", c[1], c[0], err, c[2])
		}
	}
	for text, want := range map[string]string{
		"return\n" + strings.Repeat("0.3\n", 12):                      "all 12 returns are 0.3; they must vary",
		"price\n7\n8\n":                                               "2 values are no series",
		"price\n7\n":                                                  "1 values are no series",
		"price\n" + strings.Repeat("7\n", 12):                         "all 11 returns are 0; they must vary",
		`{"kind":"sv","y":[1,1,1]}`:                                   "all 3 returns are 1; they must vary",
		`{"kind":"sv","y":[]}`:                                        "y has 0 values",
		`{"kind":"sv","y":[1,2],"prior_mean":[0,1]}`:                  "prior_mean has 2 values; it must have 3",
		`{"kind":"sv","y":[1,2],"prior_sd":[0,1,1]}`:                  "prior_sd[0] = 0 must be between",
		`{"kind":"lgssm","y":[1,2],"phi":1}`:                          "phi = 1 must be between -0.9999 and 0.9999",
		`{"kind":"lgssm","y":[1,2],"phi":-1}`:                         "phi = -1 must be between",
		`{"kind":"lgssm","y":[1,2]}`:                                  "phi is missing",
		glmmText(`[[0,1],[]]`, `[[0,1],[]]`):                          "group 1 is empty",
		glmmText(`[[0,1]]`, `[[0,1],[1]]`):                            "x has 1 groups, y has 2",
		glmmText(`[[0,1],[2,3]]`, `[[0,1],[1]]`):                      "group 1 has 2 values of x and 1 of y",
		glmmText(`[[0,1]]`, `[[0,2]]`):                                "y[0][1] = 2 must be 0 or 1",
		glmmText(`[]`, `[]`):                                          "0 data in all groups",
		"date,label\n2024-01-05,1\n2024-01-06,0\n2024-01-07,1\n":      "column 1 has dates, which cannot be features; leave",
		"x,day,class\n2,2024-01-05,yes\n3,2024-01-06,no\n":            "column 2 has dates, which cannot be features; leave",
		"group,y,x\na,1,0.5\nb,0,\n":                                  "line 3, column 3: the value is missing",
		"group,y,x\na,1,0.5\n,0,2\n":                                  "line 3, column 1: the value is missing",
		"group,y,x\na,1,0.5\nb,3,2\n":                                 "line 3, column 2: the outcome 3 is neither",
		"group,y,x\na,1,0.5\nb,oops,2\n":                              `line 3, column 2: "oops" is not a finite number`,
		strings.Replace(glmmText(`[[1]]`, `[[1]]`), `:2,`, `:-2,`, 1): "prior_sd = -2",
	} {
		if _, err := kinds.ReadFile([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not contain %q", text, err, want)
		}
	}
	for _, c := range [][2]string{
		{"date,EUR\n2024-01-01,0\n" + "2024-01-02,9\n" + datedNumbers(20),
			"line 2: a price must be positive, not 0"},
		{"date;close\n2024-01-01;1,496\n2024-01-02;1,503\n2024-01-03;1,5\n2024-01-04;1.5\n",
			`a comma`},
		{"date;close\n2024-01-01;1,496\n2024-01-02;1,503\n",
			`"1,496" may be a decimal or have a separator of thousands`},
		{"price\n" + growingPrices(30),
			"they must vary"},
		{"group,y,x\na,1,0.5\nb,0\n",
			"line 3 has 2 columns, the first line 3"},
		{"group,y,x,outcome\na,1,0.5,1\nb,0,2,0\n",
			"columns 2 and 4 may both be the outcome"},
		{"group,y,x,x\na,1,0.5,1\nb,0,2,0\n",
			"columns 3 and 4 are both called x"},
		{"id,group,y,x\n7,a,1,0.5\n7,b,0,2\n",
			"column id seems to number the rows"},
		{"group;y;x\na;1;1,100\nb;0;2\n",
			`"1,100" may be a decimal`},
	} {
		if _, err := kinds.ReadFile([]byte(c[0]), nil); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v does not contain %q", c[0], err, c[1])
		}
	}
	f, err := kinds.ReadFile([]byte("Group;y;age;dose\nnorth;1;0,5;1\nsouth;0;2;1\nnorth;0;1,5;0\n"), nil)
	want := GLMMParams{P: 2, X: [][]float64{{.5, 1, 1.5, 0}, {2, 1}}, Y: [][]float64{{1, 0}, {0}}, PriorSD: 2.5,
		PsiSD: 1.5, labels: []float64{1, 0, 0}, readNote: describeGroups("group", "y", nil, []string{"age", "dose"}, nil)}
	if err != nil || !reflect.DeepEqual(f, want) {
		t.Errorf("%+v, %v", f, err)
	}
	for _, text := range []string{",group,y,x\n0,a,1,3\n1,b,0,2\n", "id,group,y,x\n1,a,1,3\n2,b,0,2\n"} {
		if f, err := kinds.ReadFile([]byte(text), nil); err != nil || f.(GLMMParams).P != 1 {
			t.Errorf("%s: the number of a row is a covariate: %+v, %v", text, f, err)
		}
	}
	data := func(text string) string {
		f, err := kinds.ReadFile([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.FromFile("own", f, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m.Info().Data
	}
	if a, b := data("group,y,x\na,1,3\nb,0,2\na,0,1\n"), data("school,y\nq,1\nq,0\nr,0\n"); a != b {
		t.Errorf("other groups of the same rows: data %s and %s", a, b)
	}
	for _, text := range []string{glmmText(`[[0,1,2]]`, `[[0,1,1]]`), "group,y\na,1\na,0\nb,1\n"} {
		if f, err := kinds.ReadFile([]byte(text), nil); err != nil {
			t.Error(err)
		} else if m, err := models.FromFile("own", f, nil, nil); err != nil || m.(*Model).Draws() < minInner {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// datedNumbers returns n lines of dates from 2024-01-03 on with positive numbers.
func datedNumbers(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf("2024-01-%02d,%d\n", i+3, 10+i%3)
	}
	return text
}

// growingPrices returns n lines of prices that grow by one percent each.
func growingPrices(n int) (text string) {
	for i := range n {
		text += fmt.Sprintln(100 * math.Pow(1.01, float64(i)))
	}
	return text
}

// glmmText returns a glmm file with the given x and y.
func glmmText(x, y string) string {
	return `{"kind":"glmm","x":` + x + `,"y":` + y + `,"prior_sd":2,"psi_mean":0,"psi_sd":1}`
}
