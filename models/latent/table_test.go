package latent

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// openTable returns the model of a table.
func openTable(t *testing.T, text string, v spec.Values) models.Model {
	t.Helper()
	f, err := kinds.ReadFile([]byte(text), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := models.FromFile("own", f, v, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// table returns a header and twelve lines, line(0) to line(11).
func table(header string, line func(i int) string) string {
	for i := range 12 {
		header += line(i) + "\n"
	}
	return header
}

// twelveReturns are the returns of the tables.
var twelveReturns = []float64{.5, -1.2, .1, .3, -.4, .8, -.2, .6, -.9, .1, .2, -.3}

// Series are found in tables as written by pandas, R, Yahoo, stooq, Investing, FRED and Nasdaq, with the same returns.
func TestSeriesTables(t *testing.T) {
	price := func(i int) float64 { return 1200 + 100*math.Sin(float64(i*i)) }
	ret := func(i int) float64 { return twelveReturns[i] }
	for name, text := range map[string]string{
		"counter":    table("t,return\n", func(i int) string { return fmt.Sprint(i, ",", ret(i)) }),
		"pandas":     table(",ret\n", func(i int) string { return fmt.Sprint(i, ",", ret(i)) }),
		"names of R": table("\"ret\"\n", func(i int) string { return fmt.Sprintf("\"%d\",%v", i+1, ret(i)) }),
		"rownames, time": table("rownames,time,log_return\n", func(i int) string {
			return fmt.Sprint(i+1, ",", 1990+i, ",", ret(i))
		}),
		"log returns":   table("Log-Return\n", func(i int) string { return fmt.Sprint(ret(i)) }),
		"compact dates": table("date,open,ret\n", func(i int) string { return fmt.Sprintf("202401%02d,7,%v", i+1, ret(i)) }),
		"no header":     table("", func(i int) string { return fmt.Sprintf("202401%02d,%v", i+1, ret(i)) }),
		"index and dates": table(",Date,Return\n", func(i int) string {
			return fmt.Sprintf("%d,2024-01-%02d,%v", i, i+1, ret(i))
		}),
		"two columns": table("close,ret,t\n", func(i int) string { return fmt.Sprint(price(i), ",", ret(i), ",", i) }),
		"pct_change": table(",pct_change\n2023-12,\n", func(i int) string {
			return fmt.Sprintf("%d-%02d,%v", 2024+i/12, i%12+1, ret(i))
		}),
		"weak, counter": table("index;y\n", func(i int) string { return fmt.Sprint(i, ";", ret(i)) }),
		"percent sign": table("date\treturn %\n", func(i int) string {
			return fmt.Sprintf("Jan %02d, 2024\t%v", i+1, ret(i))
		}),
		"quotes, BOM": table("\ufeff\"t\";\"ret\"\n", func(i int) string {
			return strings.ReplaceAll(fmt.Sprintf("\"%d\";\"%v\"", i, ret(i)), ".", ",")
		}),
	} {
		f, err := kinds.ReadFile([]byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, ok := f.(SVParams)
		if !ok || len(p.Y) != 12 {
			t.Errorf("%s: %+v", name, f)
			continue
		}
		for i, y := range p.Y {
			labtest.Near(t, name, y-p.Y[0], ret(i)-ret(0), 1e-12)
		}
	}

	// Prices.
	want := openTable(t, table("price\n", func(i int) string { return fmt.Sprintf("%.2f", price(i)) }), nil).Info().Data
	grouped := func(i int) string { return fmt.Sprintf("1,%06.2f", price(i)-1000) }
	for name, text := range map[string]string{
		"Yahoo": table("Date,Open,High,Low,Close,Adj Close,Volume\n", func(i int) string {
			return fmt.Sprintf("2024-01-%02d,1,2,1,3,%.2f,100", i+1, price(i))
		}),
		"yfinance": table("Price,Close,High,Low\nTicker,AAPL,AAPL,AAPL\nDate,,,\n", func(i int) string {
			return fmt.Sprintf("2024-01-%02d,%.2f,9,8", i+1, price(i))
		}),
		"stooq": table("<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n", func(i int) string {
			return fmt.Sprintf("A.US,D,202401%02d,000000,1,2,1,%.2f,5,0", i+1, price(i))
		}),
		"Investing, newest first": table("\"Date\",\"Price\",\"Open\",\"Vol.\",\"Change %\"\n", func(i int) string {
			return fmt.Sprintf("\"01/%02d/2024\",\"%s\",\"1,201.00\",\"1.2M\",\"-0.85%%\"", 12-i, grouped(11-i))
		}),
		"Nasdaq": table("Date,Close/Last,Volume\n", func(i int) string {
			return fmt.Sprintf("01/%02d/2024,\"$%s\",100", i+1, grouped(i))
		}),
		"FRED": table("observation_date,SP500\n", func(i int) string {
			return fmt.Sprintf("2024-01-%02d,%.2f", i+1, price(i))
		}),
		"R, counter": table("rownames,time,value\n", func(i int) string {
			return fmt.Sprintf("%d,%d,%.2f", i+1, 1900+i, price(i))
		}),
		"index and OHLC": table(",Open,High,Low,Close\n", func(i int) string {
			return fmt.Sprintf("%d,1,2,3,%.2f", i, price(i))
		}),
	} {
		if got := openTable(t, text, nil).Info().Data; got != want {
			t.Errorf("%s: other returns", name)
		}
	}

	// A label of two classes makes the table a classification, whatever its features are called.
	for _, text := range []string{"price,change\n10.5,1\n11.5,0\n", "t,y\n1,0\n2,1\n", "price,label\n10,1\n11,0\n",
		"return,rooms,label\n0.1,2,1\n0.2,3,0\n", "price,rooms\n0.1,1\n0.2,0\n"} {
		if f, err := kinds.ReadFile([]byte(text), nil); err == nil {
			t.Errorf("%q: %+v", text, f)
		}
	}

	// Tables that are not a series, or not sorted, give an error.
	for text, says := range map[string]string{
		"t,return\n0,0.5\n2,-1.2\n1,0.1\n":                           "line 4: t is 1 after 2; sort the lines",
		"date,close\n2024-01-05 09:30:00,7\n2024-01-05 09:31:00,8\n": "line 2 and line 3 have the same date; times of day",
		"date,close\nspring,7\nsummer,8\n":                           `line 2: "spring" is not a date`,
		"date,volume\n2024-01-05,7\n2024-01-06,8\n":                  "which column has the prices?",
		"date,x,value,label\n2024-01-05,.3,7,0\n2024-01-06,.2,8,1\n": "column 1 has dates, which cannot be features; leave",
		"date,id,y,x\n2024-01-05,7,0,.5\n2024-01-06,8,1,.3\n":        "price or return, and leave out what is neither (x)",
		"date;kurs\n01.01.2024;\"1.234,50\"\n02.01.2024;7\n":         "write 1234.5, without signs of thousands or percent",
		"date,ret\n20240101,0.04%\n20240102,0.1%\n":                  "write 1234.5, without signs of thousands or percent",
		table("x1 x2 label\n", func(int) string { return "1 2 0" }):  "line 2 has blanks or colons between its columns",
		"date,close,gdp\n2024-01-05,7,1\n2024-01-06,8,2\n":           "and leave out what is neither (gdp)",
		"observation_date,SP500\n2024-01-01,.\n2024-01-02,7\n":       "line 2, column 2: the value is missing",
		"date,ret\n20240101,6\n20240102,NA\n":                        "line 3, column 2: the value is missing",
		"date,close\n20240101,NA\n20240102,7\n":                      "line 2, column 2: the value is missing",
		"ret\n0.5\n?\n0.2\n":                                         "line 3, column 1: the value is missing",
		"t,return\n0,0.5\n1,\n":                                      "line 3, column 2: the value is missing",
	} {
		if f, err := kinds.ReadFile([]byte(text), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v; want %q", text, f, err, says)
		}
	}
}

// Returns as small as fractions are converted to percent, and the description names the unit of log Z. A name of the
// column or the parameter unit overrides the size; JSON is never converted.
func TestReturnUnits(t *testing.T) {
	series := func(name string, scale float64) string {
		return table("t,"+name+"\n", func(i int) string { return fmt.Sprint(i, ",", scale*twelveReturns[i]) })
	}
	inJSON := func(scale float64) string {
		return fmt.Sprintf(`{"kind":"sv","y":[%v,%v,%v]}`, scale*.5, scale*-1.2, scale*.1)
	}
	percent, fraction := "log Z is in percent", fmt.Sprintf("for fractions it is %.6f higher", 12*math.Log(100))
	for _, c := range []struct {
		text, units string
		factor      float64
		says        string
	}{
		{series("return", 1), "", 1, percent},
		{series("return", .01), "", 100, fraction},
		{series("pct_change", .01), "auto", 100, fraction},
		{series("return %", .01), "", 1, percent},
		{series("return_fraction", 1), "", 100, fraction},
		{series("return", .01), "percent", 1, percent},
		{series("return", 1), "fraction", 100, fraction},
		{inJSON(1), "", 1, "log Z is in the unit of the file"},
		{inJSON(.01), "", 1, "as small as fractions, and the default prior is made for percent: unit = fraction"},
		{inJSON(.01), "fraction", 100, fmt.Sprintf("it is %.6f higher", 3*math.Log(100))},
	} {
		f, err := kinds.ReadFile([]byte(c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		p := f.(SVParams)
		said, err := p.toPercent(c.units)
		if err != nil || !strings.Contains(said.Error(), c.says) {
			t.Errorf("%s, units %q: %v, %v, want %q", c.text, c.units, said, err, c.says)
		}
		got, raw := slices.Max(p.Y), slices.Max(f.(SVParams).Y)
		labtest.Near(t, c.text, got/raw, c.factor, 1e-9)
		if m := openTable(t, c.text, spec.Values{"unit": c.units}); m.Info().Data != models.DataID(models.DataNumbers, p.Y...) {
			t.Errorf("%s: the model has other returns", c.text)
		}
	}
	f, err := kinds.ReadFile([]byte(table("price\n", func(i int) string { return fmt.Sprint(7 + i%3) })), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := models.FromFile("own", f, spec.Values{"unit": "percent"}, nil); err == nil {
		t.Error("prices have a unit")
	}

	// The described shift: prior x likelihood of percent equals that of fractions, whose level is lower by 2 log 100.
	x := []float64{-.5, 1, -2}
	likelihood := func(y []float64, mu float64) (sum float64) {
		for _, v := range y {
			sum += -float64((num.Log2Pi+mu)/2) - v*v*math.Exp(-mu)/2
		}
		return sum
	}
	hundred := make([]float64, len(twelveReturns))
	for i, v := range twelveReturns {
		hundred[i] = 100 * v
	}
	labtest.Near(t, "log p of fractions", likelihood(twelveReturns, x[0]), likelihood(hundred, x[0]+2*math.Log(100))+
		12*math.Log(100), 1e-9)
}

// Groups with other names are found in a table with an outcome, and two texts are an outcome; the description names the
// columns. Ambiguous tables give an error that names the columns.
func TestGroupTables(t *testing.T) {
	for text, want := range map[string]string{
		"patient,y,x\n0,0,0.0\n0,1,0.5\n1,0,1.0\n": "3 data in 2 groups, 1 covariates and an intercept; groups " +
			"by patient, outcome y, covariates x; logistic link; priors b ~ N(0, 2.5^2)",
		"rownames,y,week,ID\n1,y,0,X01\n2,n,2,X01\n3,y,0,X02": "groups by id, outcome y, covariates week; n is 0, " +
			"y is 1; column rownames left out",
		"patientID;outcome;time\n1;1;0,5\n1;0;1,5\n2;0;2,5": "3 data in 2 groups, 1 covariates and an intercept; " +
			"groups by patientid, outcome outcome",
		"herd,died\n1,yes\n1,no\n2,no\n":                     "groups by herd, outcome died; no is 0, yes is 1; logistic",
		"district,age,use\n1,20.5,0\n1,30.1,1\n2,33.3,0\n":   "groups by district, outcome use, covariates age",
		"patient,y,visit_id,x\n1,0,7,2\n1,1,8,3\n2,1,9,1\n":  "groups by patient, outcome y, covariates x; column visit_id",
		"id,male,died,dose\n0,0,0,0.4\n0,1,1,0.3\n1,1,0,1\n": "groups by id, outcome died, covariates male, dose",
		"id,y,x\n1,0,0.5\n1,1,1.5\n2,1,2\n":                  "groups by id, outcome y, covariates x",
		"\"\",\"subject\",\"y\"\n\"1\",7,0\n\"2\",7,1\n":     "groups by subject, outcome y; column 1 left out",
	} {
		m := openTable(t, text, nil)
		if got := m.Info(); got.Kind != "glmm" || !strings.Contains(got.Understood.Error(), want) {
			t.Errorf("%q: %s, %v; want %q", text, got.Kind, got.Understood, want)
		}
	}
	for text, says := range map[string]string{
		"district,use,urban\n1,0,1\n1,1,0\n2,0,1\n": "district may name groups, but which column is the " +
			"outcome? Call it y",
		"rownames,distance,Subject,Sex\n1,26.3,M1,Male\n2,24.3,M1,Male\n3,22,F1,Female\n": "subject may name groups, but " +
			"which column is the outcome? Call it y for a mixed model, or label for a classifier (distance, sex)",
		"patient,age,sex\n1,30,0\n1,31,0\n2,35,1\n":                "which column is the outcome?",
		"rownames,herd,size,period\n1,1,10,1\n2,1,11,2\n3,2,9,1\n": "(size, period)",
		"patient,patientid,y,x\n1,10,0,2\n1,10,1,3\n2,12,0,1\n":    "columns 1 and 2 both name groups",
		"herd,y,x\n1,0,2.5\n2,1,1.5\n":                             "each herd has one row; groups have several",
		"patient,admission,y\n1,2024-01-10,0\n1,2024-01-11,1\n":    "column 2 has dates, which cannot be features; leave",
		"patient,y,trt\n1,0,drug\n1,1,placebo\n2,0,drug\n":         `line 2, column 3: "drug" is not a finite number`,
		"patient,y,x\n1,0,NA\n1,1,2\n2,0,2\n":                      "line 2, column 3: the value is missing",
		"patient,y,x\n1,none,1\n1,some,2\n2,some,2\n":              "line 2, column 2: the value is missing",
		"patient,y,x,n_trials\n1,0,1,9\n1,1,2,9\n2,0,2,9\n":        "column n_trials is not read, and would change the model",
		"patient,offset,y\n1,0,1\n1,1,0\n2,0,1\n":                  "column offset is not read, and would change the model",
		"herd,y\n1,3\n1,0\n2,0\n":                                  "line 2, column 2: the outcome 3 is neither 0 nor 1",
		"patient,y,x\n1,sick,1\n1,well,2\n2,dead,2\n":              "line 2, column 2: labels must be 0 and 1",
	} {
		if f, err := kinds.ReadFile([]byte(text), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v; want %q", text, f, err, says)
		}
	}
}
