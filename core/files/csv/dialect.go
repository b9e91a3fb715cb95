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

// Normalize returns a text as UTF-8 without a byte order mark and with \n line ends. UTF-16 is recognised by its byte
// order mark.
func Normalize(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		b = fromUTF16(b[2:], binary.LittleEndian)
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		b = fromUTF16(b[2:], binary.BigEndian)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if !bytes.Contains(b, []byte("\n")) && bytes.Contains(b, []byte("\r")) {
		b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n")) // line ends of classic Mac OS
	}
	return b
}

// ToUTF8 returns the text as UTF-8; text that is not valid UTF-8 is taken for Latin-1.
func ToUTF8(b []byte) []byte {
	if utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 { // zero bytes: not a text
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for _, c := range b {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

// fromUTF16 converts UTF-16 to UTF-8.
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

// Dialect is the notation of a table.
type Dialect struct {
	Comma  rune     // column separator; 0: not a table of numbers
	Header []string // names from a comment above the first row; if Comma is 0, the cells of the first line
}

// reader returns a reader of lines; lines that begin with # are comments.
func (d Dialect) reader(b io.Reader) *csv.Reader {
	r := csv.NewReader(b)
	r.Comma, r.Comment, r.FieldsPerRecord, r.ReuseRecord = d.Comma, '#', -1, true
	r.TrimLeadingSpace = d.Comma != '\t' // a tab is a space
	return r
}

// Sniff detects the dialect of a table from its first five lines. The separator is the one that a line "sep=;"
// declares, or else the first of tab, semicolon, bar and comma that splits a line into several cells with a number
// among them.
func Sniff(b []byte) (d Dialect, err error) {
	var lines [][]byte
	var comment []byte
	var at []int // line numbers

	// The first lines that are not blank or comments.
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

	// The separator is one that gives a line several cells, one of them a number.
	for _, d.Comma = range "\t;|," { // the comma comes last because numbers and names may contain it
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

	// Errors: numbers separated by blanks, and single columns.
	for i, line := range lines {
		line := strings.TrimSpace(string(line[:min(len(line), 200)]))
		switch {
		case spaceSeparated(line):
			return d, errBlanks(at[i])
		case IsNumber(line):
			return d, problem.New("csv file: line %d has one column; each line needs features and, last, the label", at[i])
		}
	}

	// A table without numbers.
	if len(lines) > 0 && !bytes.ContainsAny(lines[0], "{}[]<>\x00") {
		for _, d.Comma = range "\t;|," {
			if cells, _ := d.reader(bytes.NewReader(lines[0])).Read(); len(cells) > 1 {
				return Dialect{Header: slices.Clone(cells)}, nil
			}
		}
	}
	return Dialect{}, nil
}

// spaceSeparated reports whether a text begins with two numbers separated by blanks or colons.
func spaceSeparated(text string) bool {
	cells := strings.Fields(strings.ReplaceAll(text, ":", " "))
	return len(cells) > 1 && IsNumber(cells[0]) && IsNumber(cells[1])
}

// errBlanks is the error of a line with blanks or colons between its columns.
func errBlanks(line int) error {
	return problem.New("csv file: line %d has blanks or colons between its columns; put commas, semicolons or tabs there",
		line)
}

// declaredSeparator returns the separator that a line "sep=;" of Excel declares, 0 for any other line.
func declaredSeparator(text string) rune {
	s, ok := strings.CutPrefix(strings.Trim(strings.TrimRight(text, "\r"), `"`), "sep=")
	if c := []rune(s); ok && len(c) == 1 {
		return c[0]
	}
	return 0
}

// decimalMark says how a number marks its fraction.
type decimalMark int

const (
	whole     decimalMark = iota // no fraction, or written with an exponent only
	point                        // 1.5
	comma                        // 1,5
	thousands                    // 1,500: a decimal comma or a thousands separator
)

// number parses a cell with a decimal point or comma.
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

// IsNumber reports whether a cell is a number, with a decimal point or comma.
func IsNumber(cell string) bool { _, _, err := number(strings.TrimSpace(cell)); return err == nil }

// marks records the first number with each decimal mark in a table.
type marks [4]struct {
	line, column int
	text         string
}

// add records a number.
func (d *marks) add(kind decimalMark, line, column int, text string) {
	if s := &d[kind]; s.line == 0 {
		s.line, s.column, s.text = line, column, strings.Clone(text)
	}
}

// check returns an error if numbers have both commas and points, or only commas that may separate thousands.
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

// Header returns the cells of a first line that is a header, nil if it is not one.
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
