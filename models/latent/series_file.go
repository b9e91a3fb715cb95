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

// Names of columns, as plainName returns them, the most specific first. The names in weakReturns and weakPrices may
// have another meaning in a table of several columns without dates.
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
	counterNames    = []string{"t", "step", "i", "n", "obs", "no", "nr", "index", "id"}
	priceTableNames = []string{"open", "high", "low", "close", "adjclose", "volume", "vol", "change", "change%", "dividends",
		"stocksplits", "capitalgains", "openint", "openinterest", "turnover", "ticker", "symbol", "currency", "per", "name",
		"trades", "amount", "vwap", "adjopen", "adjhigh", "adjlow", "adjvolume"}
)

// plainName returns a name in lower case, without characters other than letters, digits and %, and without leading
// digits.
func plainName(name string) string {
	keep := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' {
			return unicode.ToLower(r)
		}
		return -1
	}
	return strings.TrimLeft(strings.Map(keep, name), "0123456789")
}

// minReturns is the smallest number of lines with which a single column of numbers without a name is read as a series.
const minReturns = 10

// seriesTable is a table of prices or returns with the roles of its columns.
type seriesTable struct {
	*csv.Columns
	dates, column int   // indices of the columns of dates and of the series; -1 if absent
	hasReturns    bool  // the column has returns, not prices
	isWeak        bool  // the column was found by a name of weakReturns or weakPrices
	others        []int // indices of columns other than dates, times and row numbers
	times         []int // indices of columns of times and counters
	indexNote     error // phrase about a first column of row numbers
}

// newSeriesTable finds the roles of the columns by their names.
func newSeriesTable(c *csv.Columns) (*seriesTable, error) {
	s := &seriesTable{Columns: c, dates: c.Dates(), column: -1}
	var err error
	if len(c.Rows[0]) > 1 && s.dates != 0 && !slices.Contains(dateNames, s.plainName(0)) {
		if s.indexNote, err = c.Index(); err != nil {
			return nil, err
		}
	}
	for j := range c.Rows[0] {
		switch name := s.plainName(j); {
		case j == s.dates || j == 0 && s.indexNote != nil:
		case slices.Contains(dateNames, name), slices.Contains(counterNames, name):
			s.times = append(s.times, j)
		default:
			s.others = append(s.others, j)
		}
	}
	for i, names := range [][]string{returnNames, priceNames, weakReturns, weakPrices} {
		for _, name := range names {
			j := slices.IndexFunc(s.others, func(j int) bool { return s.plainName(j) == name })
			if j >= 0 && s.column < 0 {
				s.column, s.hasReturns, s.isWeak = s.others[j], i%2 == 0, i > 1
			}
		}
	}
	return s, nil
}

// plainName returns plainName of the name of column j, "" if the columns have no names.
func (s *seriesTable) plainName(j int) string {
	if s.Names == nil {
		return ""
	}
	return plainName(s.Names[j])
}

// isSeries reports whether the table is a series: it has dates, or a single column, or a named column of prices or
// returns and no other column that may be a feature or a label.
func (s *seriesTable) isSeries() bool {
	if s.dates >= 0 {
		return true
	}
	if len(s.Rows[0]) == 1 {
		return s.column >= 0 || len(s.Rows) >= minReturns
	}
	if s.column < 0 || s.isWeak && s.indexNote == nil && s.times == nil {
		return false
	}
	return s.unknownColumns() == nil && !s.isLabel(s.column) && !s.isLabel(len(s.Rows[0])-1)
}

// unknownColumns returns the names of the columns that tables of prices do not usually have. They may be features or
// labels.
func (s *seriesTable) unknownColumns() []string {
	return s.columnsExcept(priceTableNames, returnNames, priceNames)
}

// columnsExcept returns the names of the columns, other than the series, that are in none of the lists.
func (s *seriesTable) columnsExcept(lists ...[]string) (names []string) {
	for _, j := range s.others {
		isKnown := j == s.column || s.Names == nil
		for _, list := range lists {
			isKnown = isKnown || slices.Contains(list, s.plainName(j))
		}
		if !isKnown {
			names = append(names, s.Names[j])
		}
	}
	return names
}

// isLabel reports whether a column has two classes as numbers.
func (s *seriesTable) isLabel(j int) bool {
	_, err := s.Numbers(j)
	return err == nil && s.isBinary(j)
}

// isBinary reports whether a column has two classes, as the numbers 0 or -1 and 1 or as texts.
func (s *seriesTable) isBinary(j int) bool {
	x, _, err := s.Outcomes(j)
	return err == nil && !slices.ContainsFunc(x, func(v float64) bool { return v != 0 && v != 1 && v != -1 }) &&
		slices.Min(x) < slices.Max(x)
}

// readReturns reads a table of prices or returns: a column of dates and a column of numbers, a single column of
// numbers, or a column identified by its name. Prices are converted to differences of logarithms in percent; returns
// are centred, because the model has no mean. The result ok is false if the table is not a series.
func readReturns(c *csv.Columns) (models.File, bool, error) {
	stripYahooHeader(c)
	s, err := newSeriesTable(c)
	if err != nil || !s.isSeries() {
		return nil, false, nil
	}
	p, err := s.read()
	if err != nil {
		return nil, true, err
	}
	return p, true, nil
}

// stripYahooHeader removes the second and third header lines that yfinance writes, Ticker and Date.
func stripYahooHeader(c *csv.Columns) {
	if c.Names == nil || c.Names[0] != "price" || len(c.Rows) < 3 || !strings.EqualFold(c.Rows[0][0], "ticker") ||
		!strings.EqualFold(c.Rows[1][0], "date") {
		return
	}
	c.Names[0], c.Rows, c.Lines = "date", c.Rows[2:], c.Lines[2:]
}

// read returns the series of the table. The error says which column is missing or ambiguous, or which line is wrong.
func (s *seriesTable) read() (models.File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := len(s.others)
	if s.column < 0 && n == 1 && !slices.Contains(priceTableNames, s.plainName(s.others[0])) {
		s.column = s.others[0]
	}
	switch {
	case s.dates >= 0 && n == 1 && s.Names != nil && s.isBinary(s.others[0]) &&
		!slices.Contains(returnNames, s.plainName(s.others[0])) && !slices.Contains(priceNames, s.plainName(s.others[0])):
		return nil, problem.New("%w. If this is a series, call its column price or return", csv.ErrDateColumn(s.dates))
	case s.dates >= 0 && n > 0 && s.Names != nil && s.unknownColumns() != nil && (s.column >= 0 || s.isBinary(s.others[n-1])):
		return nil, problem.New("%w. If this is a series, call its column price or return, and leave out what is neither "+
			"(%s)", csv.ErrDateColumn(s.dates), models.ColumnList(s.unknownColumns()))
	case s.column < 0:
		return nil, problem.New("csv file: which column has the prices? Call it price, or return if it has returns")
	}

	// Check the order of the lines.
	if s.dates >= 0 {
		if err := s.OrderByDate(s.dates); err != nil {
			return nil, err
		}
	} else if err := s.checkIncreasing(); err != nil {
		return nil, err
	}
	var firstNote error
	if s.hasReturns && csv.IsMissing(s.Rows[0][s.column]) && len(s.Rows) > 1 { // as is usual
		firstNote = problem.New("the first line has none")
		s.Rows, s.Lines = s.Rows[1:], s.Lines[1:]
	}
	x, err := s.Numbers(s.column)
	if err != nil {
		return nil, err
	}

	name := s.plainName(s.column)
	isPrices := !s.hasReturns && (slices.Contains(priceNames, name) || slices.Contains(weakPrices, name) || mostlyPositive(x))
	y, mean, err := centredReturns(x, isPrices, s.Lines)
	if err != nil {
		return nil, err
	}
	if len(y) < 1 || len(y) > maxSeries {
		return nil, problem.New("%s file: y has %d values; there must be between 1 and %d", "sv", len(y), maxSeries)
	}
	p := SVParams{Y: y, Unit: unitPrices, readNote: models.JoinPhrases(s.describe(isPrices, mean), firstNote)}
	if !isPrices {
		if s.Names != nil {
			name = s.Names[s.column]
		}
		p.Unit = unitOf(name, y, mean)
	}
	return p, p.checkVaries()
}

// checkIncreasing returns an error if a column of times does not increase from line to line.
func (s *seriesTable) checkIncreasing() error {
	for _, j := range s.times {
		x, err := s.Numbers(j)
		if err != nil && slices.Contains(dateNames, s.plainName(j)) {
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

// mostlyPositive reports whether at least nine of ten numbers are positive. The column then has prices, perhaps with
// errors.
func mostlyPositive(x []float64) bool {
	n := 0
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return 10*n >= 9*len(x)
}

// centredReturns returns returns minus their mean, and the mean. x are the returns, or prices, which are converted to
// 100 (log p_t - log p_{t-1}). lines are line numbers for errors.
func centredReturns(x []float64, isPrices bool, lines []int) (out []float64, mean float64, err error) {
	y := x
	if isPrices {
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
	// checkVaries rejects constant returns; rounding errors of the mean must not hide that they are constant.
	if hi-lo <= num.Mul(1e-9, max(hi, -lo)) {
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
