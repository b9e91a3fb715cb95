package csv

import (
	"slices"
	"strings"
	"testing"
)

// Text that is not valid UTF-8 is read as Latin-1, which Windows writes.
func TestLatin1(t *testing.T) {
	if got := string(ToUTF8([]byte("H\xf6he;gro\xdf\n"))); got != "Höhe;groß\n" {
		t.Errorf("ToUTF8 = %q", got)
	}
}

// The first lines determine the dialect of a table. Tests of models cover more ways to write tables.
func TestReadTable(t *testing.T) {
	for text, want := range map[string]string{
		"1.5,2,1\n2.5,3,0\n":              "",
		"1,5;2;1\n2,5;3;0\n":              "",
		"# a\tb\ty\n1.5\t2\t1\n2.5\t3\t0": "",
		"sep=|\n1.5|2|1\n2.5|3|0\n":       "",
		"id,y,a,b\n0,1,1.5,2\n1,0,2.5,3":  "",
		"1.5,2,1\n2.5,3\n":                "csv file: the columns differ: line 2 has 2, line 1 has 3",
		"1.5,2,1\n2.5,,0\n":               "csv file: line 2, column 2: the value is missing",
		"1,5;2.5;1\n":                     "csv file: \"1,5\" in line 1, column 1 has a comma, \"2.5\" in",
		"1,500;2;1\n":                     "csv file: line 1, column 1: \"1,500\" may be a decimal",
	} {
		b := Normalize([]byte(text))
		d, err := Sniff(b)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		table, err := ReadTable(b, d, nil)
		switch {
		case want != "":
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: got %v, want %s", text, err, want)
			}
		case err != nil || !slices.EqualFunc(table.Rows, [][]float64{{1.5, 2, 1}, {2.5, 3, 0}}, slices.Equal):
			t.Errorf("%q: %v, error %v", text, table, err)
		}
	}
}

// Columns keep cells unconverted, and OrderByDate reverses a series that begins with its last day.
func TestReadColumns(t *testing.T) {
	c := ReadColumns([]byte("Date;Close\n31/01/2024;2\n30/01/2024;1,5\n"), nil)
	if c == nil || !slices.Equal(c.Names, []string{"date", "close"}) || c.Dates() != 0 || c.Find("close") != 1 {
		t.Fatalf("got %+v", c)
	}
	if err := c.OrderByDate(0); err != nil {
		t.Fatal(err)
	}
	if x, err := c.Numbers(1); err != nil || !slices.Equal(x, []float64{1.5, 2}) || !slices.Equal(c.Lines, []int{3, 2}) {
		t.Errorf("Numbers(1) = %v, lines %v, error %v", x, c.Lines, err)
	}
	if c := ReadColumns([]byte("1,2\n3\n"), nil); c == nil || c.Check() == nil {
		t.Errorf("got %+v", c)
	}
}
