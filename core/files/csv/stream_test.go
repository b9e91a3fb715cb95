package csv

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A stream has any separator; infinities are allowed in free columns only.
func TestStream(t *testing.T) {
	for text, want := range map[string]string{
		"# made by x\npower\tlogL\n0\t-inf\n# half\n1\t-2.5\n": "[power logL] 3:[0 -Inf] 5:[1 -2.5] half",
		"0 -1\n[x]\n1   2\n":                        "[] 1:[0 -1] 3:[1 2]",
		"power;\"log;L\";\n0;-1;\n1;nan\n":          "[power log;L ] 2:[0 -1] a.txt, line 3 has 2 columns, the lines before it have 3",
		"power,log L\n\"0\",-1\n1,nan,\n":           "[power log L] 2:[0 -1] 3:[1 -Inf]",
		"power,logL\n0,x\n":                         "[power logL] a.txt, line 2: column logL has \"x\", which is not",
		"power,logL\nnan,1\n":                       "[power logL] a.txt, line 2: column power has \"nan\", which is not",
		"power,logL\n0,inf\n":                       "[power logL] a.txt, line 2: column logL has \"inf\", which is not",
		"power,logL\n0,1,2\n":                       "[power logL] a.txt, line 2 has 3 columns, the lines before it have 2",
		"power,logL\n" + strings.Repeat("0,1\n", 2): "[power logL] 2:[0 1] 3:[0 1]",
	} {
		s := OpenStream("a.txt", []byte(text), nil)
		got, remarks := fmt.Sprint(s.Names), ""
		s.Comment = func(comment []byte) { remarks += " " + strings.Trim(string(comment), "[# x]") }
		err := s.Rows([]int{0, 1}, []int{1}, 0, func(line int, x []float64) error {
			got += fmt.Sprintf(" %d:%v", line, x)
			return nil
		})
		if err != nil {
			got += " " + err.Error()
		}
		if got += strings.TrimRight(remarks, " "); !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if OpenStream("a.txt", []byte("# nothing\n\n"), nil) != nil {
		t.Error("OpenStream of a file of comments is not nil")
	}
	s := OpenStream("a.txt", []byte("u\nkT\nInf\n"), nil)
	s.Energies = true
	var x float64
	if err := s.Rows([]int{0}, []int{0}, 1, func(_ int, row []float64) error { x = row[0]; return nil }); err != nil ||
		!math.IsInf(x, 1) {
		t.Errorf("energy = %v, error %v; want +Inf", x, err)
	}
}
