package papers

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A table stores effective sample sizes, and a table without these columns, of an earlier version, can be read.
func TestTableWithoutESSColumnsIsRead(t *testing.T) {
	row := Row{Point: Point{Panel: "p", Series: "s"}, N: 9, R: 10, Seconds: 1, SD: 1, Mean: -10, LogMeanExp: -10,
		Known: -10, EP: -10, Corrected: -10.5, ESS: 40, ESSSE: 2, Hash: "abc"}
	path := filepath.Join(t.TempDir(), "t.csv")
	writeAndRead := func(drop ...string) Row {
		all, err := csv.NewReader(bytes.NewReader((&Outcome{Rows: []Row{row}}).table())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		for _, line := range all {
			var short []string
			for i, x := range line {
				if !slices.Contains(drop, all[0][i]) {
					short = append(short, x)
				}
			}
			w.Write(short)
		}
		w.Flush()
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		rows, _, err := readTable(path)
		if err != nil || len(rows) != 1 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		return rows[0]
	}
	if r := writeAndRead(); r.ESS != 40 || r.ESSSE != 2 || r.EP != -10 || r.Corrected != -10.5 || r.Hash != "abc" {
		t.Errorf("r = %+v", r)
	}
	if r := writeAndRead("ess", "ess_se"); r.ESS != 0 || r.SD != 1 || r.Hash != "abc" {
		t.Errorf("r = %+v", r)
	}
}
