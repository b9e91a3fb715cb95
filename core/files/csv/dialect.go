package csv

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Normalize is a text as UTF-8 without a byte order mark, its lines ended by \n. UTF-16 is known by its mark.
func Normalize(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		b = fromUTF16(b[2:], binary.LittleEndian)
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		b = fromUTF16(b[2:], binary.BigEndian)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if !bytes.Contains(b, []byte("\n")) && bytes.Contains(b, []byte("\r")) {
		b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n")) // as old Macs end lines
	}
	return b
}

// ToUTF8 is the text in UTF-8. Where it is not, it is taken for Latin-1.
func ToUTF8(b []byte) []byte {
	if utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 { // with zeros it is no text
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for _, c := range b {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

func fromUTF16(b []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(b)/2)
	for ; len(b) > 1; b = b[2:] {
		r := rune(order.Uint16(b))
		if utf16.IsSurrogate(r) && len(b) > 3 {
			r = utf16.DecodeRune(r, rune(order.Uint16(b[2:])))
			b = b[2:]
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// Dialect is how a table is written.
type Dialect struct {
	Comma  rune     // between columns; 0: it is no table
	Header []string // names from a comment before the first line that is none; of no table, the cells of its first line
}

// reader reads lines, of which those with # are comments.
func (d Dialect) reader(b io.Reader) *csv.Reader {
	r := csv.NewReader(b)
	r.Comma, r.Comment, r.FieldsPerRecord, r.ReuseRecord = d.Comma, '#', -1, true
	r.TrimLeadingSpace = d.Comma != '\t' // which is a space itself
	return r
}

// Sniff finds out how a table is written, from its first five lines: the separator is what a line "sep=;" says, or the
// tab, semicolon, bar or comma, in this order, that gives a line several cells with a number among them.
func Sniff(b []byte) (d Dialect, err error) {
	var lines [][]byte
	var comment []byte
	var at []int // their numbers

	// The first lines, without blanks and comments.
	for n := 1; len(b) > 0 && len(lines) < 5; n++ {
		var text []byte
		text, b, _ = bytes.Cut(b, []byte("\n"))
		switch {
		case len(bytes.TrimSpace(text)) == 0:
			continue
		case text[0] == '#':
			if len(lines) == 0 {
				comment = text[1:]
			}
			continue
		}
		if s := declaredSeparator(string(text[:min(len(text), 9)])); s != 0 {
			return Dialect{Comma: s}, nil
		}
		lines, at = append(lines, text), append(at, n)
	}

	// The separator, by a line of several cells with a number.
	for _, d.Comma = range "\t;|," { // the comma last, for it may stand within a number or a name
		for i, line := range lines {
			cells, _ := d.reader(bytes.NewReader(line)).Read()
			if len(cells) < 2 || !slices.ContainsFunc(cells, IsNumber) {
				continue
			}
			names, _ := d.reader(bytes.NewReader(comment)).Read()
			if i == 0 && len(names) == len(cells) && !slices.ContainsFunc(names, IsNumber) {
				d.Header = slices.Clone(names)
			}
			return d, nil
		}
	}

	// Numbers apart by blanks, and single columns.
	for i, line := range lines {
		line := strings.TrimSpace(string(line[:min(len(line), 200)]))
		switch {
		case spaceSeparated(line):
			return d, errBlanks(at[i])
		case IsNumber(line):
			return d, problem.New("csv file: line %d has one column; each line needs features and, last, the label", at[i])
		}
	}

	// A table of texts alone.
	if len(lines) > 0 && !bytes.ContainsAny(lines[0], "{}[]<>\x00") {
		for _, d.Comma = range "\t;|," {
			if cells, _ := d.reader(bytes.NewReader(lines[0])).Read(); len(cells) > 1 {
				return Dialect{Header: slices.Clone(cells)}, nil
			}
		}
	}
	return Dialect{}, nil
}

// spaceSeparated tells whether a text has several numbers apart by blanks or colons, the first at its beginning.
func spaceSeparated(text string) bool {
	cells := strings.Fields(strings.ReplaceAll(text, ":", " "))
	return len(cells) > 1 && IsNumber(cells[0]) && IsNumber(cells[1])
}

func errBlanks(line int) error {
	return problem.New("csv file: line %d has blanks or colons between its columns; put commas, semicolons or tabs there",
		line)
}

// declaredSeparator is the separator that a line "sep=;" of Excel declares, 0 where the line is another.
func declaredSeparator(text string) rune {
	s, ok := strings.CutPrefix(strings.Trim(strings.TrimRight(text, "\r"), `"`), "sep=")
	if c := []rune(s); ok && len(c) == 1 {
		return c[0]
	}
	return 0
}

// decimalMark is how a number marks its fraction.
type decimalMark int

const (
	whole     decimalMark = iota // or written with an exponent only
	point                        // 1.5
	comma                        // 1,5
	thousands                    // 1,500: a decimal comma, unless it separates thousands
)

// number reads a cell.
func number(cell string) (float64, decimalMark, error) {
	x, err := num.Parse(cell)
	if err == nil && strings.Contains(cell, ".") {
		return x, point, nil
	}
	before, after, cut := strings.Cut(strings.TrimLeft(cell, "+-"), ",")
	if err == nil || !cut || strings.Contains(cell, ".") {
		return x, whole, err
	}
	kind := comma
	if len(after) == 3 && len(before) <= 3 && !strings.HasPrefix(before, "0") && before != "" {
		kind = thousands
	}
	x, err = num.Parse(strings.Replace(cell, ",", ".", 1))
	return x, kind, err
}

// IsNumber reports whether a cell is a number, with a point or a comma.
func IsNumber(cell string) bool { _, _, err := number(strings.TrimSpace(cell)); return err == nil }

// marks are the first number of each kind in a table.
type marks [4]struct {
	line, column int
	text         string
}

// add takes a number of a kind.
func (d *marks) add(kind decimalMark, line, column int, text string) {
	if s := &d[kind]; s.line == 0 {
		s.line, s.column, s.text = line, column, strings.Clone(text)
	}
}

// check refuses commas beside points, and commas that may all separate thousands.
func (d *marks) check() error {
	a, b := d[comma], d[point]
	if a.line == 0 {
		a = d[thousands]
	}
	switch {
	case a.line > 0 && b.line > 0:
		return problem.New("csv file: %q in line %d, column %d has a comma, %q in line %d, column %d a point; write "+
			"all numbers as 1234.5", a.text, a.line, a.column, b.text, b.line, b.column)
	case d[comma].line == 0 && a.line > 0:
		return problem.New("csv file: line %d, column %d: %q may be a decimal or have a separator of thousands; write "+
			"all numbers as 1234.5", a.line, a.column, a.text)
	}
	return nil
}

// Header is the cells of a first line of names, nil where that line has a number that is not a name.
func Header(b []byte) []string {
	line, rest, _ := bytes.Cut(Normalize(b[:min(len(b), 1<<20)]), []byte("\n"))
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	for _, comma := range "\t;|," {
		cells, err := Dialect{Comma: comma}.reader(bytes.NewReader(line)).Read()
		if err != nil || len(cells) < 2 {
			continue
		}
		after, _ := Dialect{Comma: comma}.reader(bytes.NewReader(next)).Read()
		for j, c := range cells {
			cells[j] = strings.TrimSpace(c)
		}
		if isHeader(cells, after) {
			return cells
		}
	}
	return nil
}
