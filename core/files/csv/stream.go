package csv

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// Stream reads a table of numbers row by row, with or without a header. Columns may also be separated by blanks. Lines
// that begin with # or [ are comments, as BEAST and MrBayes write them.
type Stream struct {
	Name  string   // of the file, for errors
	Names []string // of the columns, as spelled in the file; nil without a header
	Line  int      // number of the header line, or of the line before the first row; then of the last row read

	Comment  func(comment []byte) // receives the comments between the rows; may be nil
	Energies bool                 // columns in free (see Rows) may contain +inf, and not -inf

	rest  []byte // not read yet
	comma rune   // column separator; ' ' means any blanks
	meter *meter.Meter
}

// RowOps is the number of operations that a meter.Meter counts for each byte of a row.
const RowOps = 15

// OpenStream returns a stream of the rows of text. The first line that is not a comment is the header if it contains a
// cell that is not a number. It returns nil if the text has only comments.
func OpenStream(file string, text []byte, m *meter.Meter) *Stream {
	s := &Stream{Name: file, rest: text, meter: m}
	for len(s.rest) > 0 {
		before := s.rest
		line := s.next()
		if IsComment(line) {
			continue
		}
		s.comma = separator(line, "\t,;", ' ')
		if cells := s.cells(line); slices.ContainsFunc(cells, func(c string) bool { return !isStreamNumber(c) }) {
			s.Names = cells
		} else {
			s.rest, s.Line = before, s.Line-1
		}
		return s
	}
	return nil
}

// separator returns the first of several characters that occurs in a line, or otherwise if none does.
func separator(line []byte, of string, otherwise rune) rune {
	for _, c := range of {
		if bytes.ContainsRune(line, c) {
			return c
		}
	}
	return otherwise
}

// next returns the next line.
func (s *Stream) next() []byte {
	line, rest, _ := bytes.Cut(s.rest, []byte("\n"))
	s.rest = rest
	s.Line++
	return bytes.TrimRight(line, "\r")
}

// IsComment reports whether a line is blank or a comment.
func IsComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || line[0] == '['
}

// cells splits a line into cells.
func (s *Stream) cells(line []byte) []string {
	if s.comma == ' ' {
		return strings.Fields(string(line))
	}
	if bytes.IndexByte(line, '"') >= 0 {
		r := Dialect{Comma: s.comma}.reader(bytes.NewReader(line))
		r.LazyQuotes, r.TrimLeadingSpace, r.Comment = true, false, 0
		if cells, err := r.Read(); err == nil {
			return cells
		}
	}
	cells := strings.Split(string(line), string(s.comma))
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

// Width returns the number of cells in the next line that is not a comment, without reading it.
func (s *Stream) Width() int {
	ahead := *s
	for len(ahead.rest) > 0 {
		if line := ahead.next(); !IsComment(line) {
			return len(ahead.cells(line))
		}
	}
	return 0
}

// isStreamNumber reports whether a cell is a number, minus infinity or empty.
func isStreamNumber(cell string) bool {
	_, err := num.Parse(cell)
	return err == nil || isMinusInfinity(cell)
}

// isMinusInfinity reports whether a cell is minus infinity or NaN, as programs write them, or empty.
func isMinusInfinity(cell string) bool {
	switch strings.ToLower(cell) {
	case "-inf", "-infinity", "nan", "":
		return true
	}
	return false
}

// IsPlusInfinity reports whether a cell is plus infinity: the energy of a configuration that is impossible in a state.
func IsPlusInfinity(cell string) bool {
	switch strings.ToLower(cell) {
	case "inf", "+inf", "infinity", "+infinity":
		return true
	}
	return false
}

// Rows calls row with the numbers in some columns of each remaining line. free lists positions in columns whose cells
// may be -inf or nan, both read as minus infinity; elsewhere these are errors. At the beginning, up to skip lines
// without a number in the first of these columns are skipped.
func (s *Stream) Rows(columns []int, free []int, skip int, row func(line int, x []float64) error) error {
	width := 0
	x := make([]float64, len(columns))
	s.meter.Expect(RowOps * float64(len(s.rest)))
	for len(s.rest) > 0 {
		line := s.next()
		if err := s.meter.Did(RowOps * float64(len(line)+1)); err != nil {
			return err
		}

		// Skip comments, and lines before the first row.
		if IsComment(line) {
			if s.Comment != nil {
				s.Comment(line)
			}
			continue
		}
		cells := s.cells(line)
		if skip > 0 && len(cells) > columns[0] {
			cell := cells[columns[0]]
			if cell == "" || !isStreamNumber(cell) {
				skip--
				continue
			}
		}
		skip = 0

		// All lines must have the same width.
		if width == 0 {
			if width = len(cells); s.Names != nil && width != len(s.Names) {
				width = len(s.Names)
			}
		}
		for len(cells) > width && cells[len(cells)-1] == "" { // a trailing separator
			cells = cells[:len(cells)-1]
		}
		if len(cells) != width {
			return problem.New("%s, line %d has %d columns, the lines before it have %d; the file may be cut short", s.Name,
				s.Line, len(cells), width)
		}

		// The numbers; infinities are allowed in free columns.
		for i, j := range columns {
			v, err := num.Parse(cells[j])
			if err != nil && slices.Contains(free, i) {
				switch {
				case s.Energies && strings.HasPrefix(cells[j], "-"): // not a valid energy
				case isMinusInfinity(cells[j]):
					v, err = math.Inf(-1), nil
				case s.Energies && IsPlusInfinity(cells[j]):
					v, err = math.Inf(1), nil
				}
			}
			if err != nil {
				return problem.New("%s, line %d: column %s has %q, which is not a finite number; mend the line or leave it out",
					s.Name, s.Line, s.name(j), Truncate(cells[j]))
			}
			x[i] = v
		}
		if err := row(s.Line, x); err != nil {
			return err
		}
	}
	return nil
}

// name returns the name of a column for errors.
func (s *Stream) name(j int) string {
	if s.Names != nil && s.Names[j] != "" {
		return s.Names[j]
	}
	return strconv.Itoa(j + 1)
}

// Truncate shortens a text to 200 characters, for errors.
func Truncate(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + " ..."
	}
	return s
}
