package latent

import (
	"slices"
	"strings"
	"unicode"

	"logzlab/core/files/csv"
	"logzlab/core/files/modelfile"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models"
)

// Names of columns as plainName has them, those that say more first. Weak ones may mean something else in a table of
// several columns without dates.
var (
	returnNames = []string{"logreturn", "logreturns", "logret", "logrets", "return", "returns", "ret", "rets", "rendite",
		"renditen", "dailyreturn", "dailyreturns", "weeklyreturn", "monthlyreturn", "simplereturn", "pctchange", "pctchg",
		"pctreturn", "returnpct", "returnspct", "retpct", "percentreturn", "returnpercent", "return%", "returns%", "ret%",
		"returnfraction", "returnsfraction", "retfraction"}
	priceNames = []string{"adjclose", "adjustedclose", "adjcloseprice", "close", "closelast", "closeprice", "closingprice",
		"price", "schluss", "schlusskurs", "kurs", "preis", "zamkniecie", "settle", "nav"}
	weakReturns = []string{"y"}
	weakPrices  = []string{"rate", "value", "wert", "last"}
	dateNames   = []string{"date", "datum", "data", "time", "timestamp", "day", "week", "month", "quarter", "year",
		"period", "observationdate", "tradedate"}
	counterNames = []string{"t", "step", "i", "n", "obs", "no", "nr", "index", "id"}
	besidePrices = []string{"open", "high", "low", "close", "adjclose", "volume", "vol", "change", "change%", "dividends",
		"stocksplits", "capitalgains", "openint", "openinterest", "turnover", "ticker", "symbol", "currency", "per", "name",
		"trades", "amount", "vwap", "adjopen", "adjhigh", "adjlow", "adjvolume"}
)

// plainName is a name in small letters without anything but letters, digits that do not begin it, and %.
func plainName(name string) string {
	keep := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' {
			return unicode.ToLower(r)
		}
		return -1
	}
	return strings.TrimLeft(strings.Map(keep, name), "0123456789")
}

// fewestReturns is from how many lines on a column of numbers alone is a series.
const fewestReturns = 10

// seriesTable is a table of prices or returns, as its columns are understood.
type seriesTable struct {
	*csv.Columns
	dates, at int // columns, -1 without
	returns   bool
	weak      bool  // only a weak name says so
	rest      []int // columns beside those of dates, of times and of numbers of rows
	times     []int
	left      error // a phrase about the first column
}

// newSeriesTable finds the columns by their names; the one of numbers may also be the only one beside dates and times.
func newSeriesTable(c *csv.Columns) (*seriesTable, error) {
	s := &seriesTable{Columns: c, dates: c.Dates(), at: -1}
	var err error
	if len(c.Rows[0]) > 1 && s.dates != 0 && !slices.Contains(dateNames, s.plain(0)) {
		if s.left, err = c.Index(); err != nil {
			return nil, err
		}
	}
	for j := range c.Rows[0] {
		switch name := s.plain(j); {
		case j == s.dates || j == 0 && s.left != nil:
		case slices.Contains(dateNames, name), slices.Contains(counterNames, name):
			s.times = append(s.times, j)
		default:
			s.rest = append(s.rest, j)
		}
	}
	for i, names := range [][]string{returnNames, priceNames, weakReturns, weakPrices} {
		for _, name := range names {
			j := slices.IndexFunc(s.rest, func(j int) bool { return s.plain(j) == name })
			if j >= 0 && s.at < 0 {
				s.at, s.returns, s.weak = s.rest[j], i%2 == 0, i > 1
			}
		}
	}
	return s, nil
}

func (s *seriesTable) plain(j int) string {
	if s.Names == nil {
		return ""
	}
	return plainName(s.Names[j])
}

// mine reports whether the table is a series, or nothing else: it has dates; or one column; or a name says so, and no
// column beside it may be a feature or a label.
func (s *seriesTable) mine() bool {
	if s.dates >= 0 {
		return true
	}
	if len(s.Rows[0]) == 1 {
		return s.at >= 0 || len(s.Rows) >= fewestReturns
	}
	if s.at < 0 || s.weak && s.left == nil && s.times == nil {
		return false
	}
	return s.others() == nil && !s.labels(s.at) && !s.labels(len(s.Rows[0])-1)
}

// others names the columns that may be features or labels: no series has such beside prices and returns.
func (s *seriesTable) others() []string { return s.beside(besidePrices, returnNames, priceNames) }

// beside names the columns beside that of the series whose names are in none of some lists.
func (s *seriesTable) beside(lists ...[]string) (names []string) {
	for _, j := range s.rest {
		known := j == s.at || s.Names == nil
		for _, list := range lists {
			known = known || slices.Contains(list, s.plain(j))
		}
		if !known {
			names = append(names, s.Names[j])
		}
	}
	return names
}

// labels tells whether a column has the numbers of two classes, so that it may be a label.
func (s *seriesTable) labels(j int) bool {
	_, err := s.Numbers(j)
	return err == nil && s.classes(j)
}

// classes is labels for two texts, too.
func (s *seriesTable) classes(j int) bool {
	x, _, err := s.Outcomes(j)
	return err == nil && !slices.ContainsFunc(x, func(v float64) bool { return v != 0 && v != 1 && v != -1 }) &&
		slices.Min(x) < slices.Max(x)
}

// readReturns reads a table of prices or returns: a column of dates and a column of numbers, a column of numbers alone,
// or a column whose name tells. Prices become differences of logarithms in percent; the mean of the returns is taken
// away, as the model has none.
func readReturns(c *csv.Columns) (models.File, bool, error) {
	yahoo(c)
	s, err := newSeriesTable(c)
	if err != nil || !s.mine() {
		return nil, false, nil
	}
	p, err := s.read()
	if err != nil {
		return nil, true, err
	}
	return p, true, nil
}

// yahoo takes away the second and third line of the names that yfinance writes: Ticker and, empty but for its first
// cell, Date, which is what the first column has.
func yahoo(c *csv.Columns) {
	if c.Names == nil || c.Names[0] != "price" || len(c.Rows) < 3 || !strings.EqualFold(c.Rows[0][0], "ticker") ||
		!strings.EqualFold(c.Rows[1][0], "date") {
		return
	}
	c.Names[0], c.Rows, c.Lines = "date", c.Rows[2:], c.Lines[2:]
}

func (s *seriesTable) read() (models.File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := len(s.rest)
	if s.at < 0 && n == 1 && !slices.Contains(besidePrices, s.plain(s.rest[0])) {
		s.at = s.rest[0]
	}
	switch {
	case s.dates >= 0 && n == 1 && s.Names != nil && s.classes(s.rest[0]) &&
		!slices.Contains(returnNames, s.plain(s.rest[0])) && !slices.Contains(priceNames, s.plain(s.rest[0])):
		return nil, problem.New("%w. If this is a series, call its column price or return", csv.ErrDateColumn(s.dates))
	case s.dates >= 0 && n > 0 && s.Names != nil && s.others() != nil && (s.at >= 0 || s.classes(s.rest[n-1])):
		return nil, problem.New("%w. If this is a series, call its column price or return, and leave out what is neither "+
			"(%s)", csv.ErrDateColumn(s.dates), models.ColumnList(s.others()))
	case s.at < 0:
		return nil, problem.New("csv file: which column has the prices? Call it price, or return if it has returns")
	}

	// The order of the lines.
	if s.dates >= 0 {
		if err := s.OrderByDate(s.dates); err != nil {
			return nil, err
		}
	} else if err := s.rising(); err != nil {
		return nil, err
	}
	var first error
	if s.returns && csv.IsMissing(s.Rows[0][s.at]) && len(s.Rows) > 1 { // the first price of a series has no return
		first = problem.New("the first line has none")
		s.Rows, s.Lines = s.Rows[1:], s.Lines[1:]
	}
	x, err := s.Numbers(s.at)
	if err != nil {
		return nil, err
	}

	// Returns.
	name := s.plain(s.at)
	prices := !s.returns && (slices.Contains(priceNames, name) || slices.Contains(weakPrices, name) || mostlyPositive(x))
	y, mean, err := returnsOf(x, prices, s.Lines)
	if err != nil {
		return nil, err
	}
	if len(y) < 1 || len(y) > maxSeries {
		return nil, problem.New("%s file: y has %d values; there must be between 1 and %d", "sv", len(y), maxSeries)
	}
	p := SVParams{Y: y, Unit: unitPrices, from: models.JoinPhrases(s.said(prices, mean), first)}
	if !prices {
		if s.Names != nil {
			name = s.Names[s.at]
		}
		p.Unit = unitOf(name, y, mean)
	}
	return p, p.varies()
}

// rising refuses times that do not rise.
func (s *seriesTable) rising() error {
	for _, j := range s.times {
		x, err := s.Numbers(j)
		if err != nil && slices.Contains(dateNames, s.plain(j)) {
			return problem.New("csv file: line %d: %q is not a date as 2024-12-31", s.Lines[0], s.Rows[0][j])
		}
		for i := 1; i < len(x); i++ {
			if x[i] <= x[i-1] {
				return problem.New("csv file: line %d: %s is %v after %v; sort the lines", s.Lines[i], s.Names[j], x[i], x[i-1])
			}
		}
	}
	return nil
}

// mostlyPositive reports whether numbers are prices, with an error among them perhaps: nine in ten are positive.
func mostlyPositive(x []float64) bool {
	n := 0
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return 10*n >= 9*len(x)
}

// returnsOf makes returns less their mean.
func returnsOf(x []float64, prices bool, lines []int) (out []float64, mean float64, err error) {
	y := x
	if prices {
		y = nil
		for i, v := range x {
			if v <= 0 {
				return nil, 0, problem.New("csv file: line %d: a price must be positive, not %v; if these are returns, call the "+
					"column return", lines[i], v)
			}
			if i > 0 {
				y = append(y, num.Mul(100, num.Log(v)-num.Log(x[i-1])))
			}
		}
	}
	if len(y) < 2 {
		return nil, 0, problem.New("csv file: %d values are no series; give more", len(x))
	}
	lo, hi := slices.Min(y), slices.Max(y)
	if hi-lo <= num.Mul(1e-9, max(hi, -lo)) { // refused later; no rounding may hide it
		return slices.Repeat(y[:1], len(y)), 0, nil
	}
	out = make([]float64, len(y))
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for i, v := range y {
		out[i] = v - mean
	}
	return out, mean, modelfile.Within("sv", "y", -1e6, 1e6, out...)
}
