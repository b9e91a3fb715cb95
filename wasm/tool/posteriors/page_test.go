package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"logzlab/wasm/rooms/room"
)

func sample() []row {
	rows := make([]row, 4)
	for i, name := range []string{"a_b-c_d", "e-f", "g-h", "i-j"} {
		rows[i] = newRow(name, "0123")
		rows[i].Status, rows[i].Verdict = done, "trust"
		rows[i].Dim, rows[i].LogZ, rows[i].SE, rows[i].Seconds = 3, -12.3456, .01, 2.25
		rows[i].SecondLogZ, rows[i].SecondSE, rows[i].SecondVerdict = -12.36, .02, "trust"
		rows[i].Link, rows[i].Hash = "v=1&model=file:0123456789ab&method=auto", "0123456789abcdef"
	}
	rows[1].SecondLogZ = -13 // far
	rows[2].SecondVerdict = "stop"
	for i := range 3 {
		rows[i].SecondSeconds = 1
	}
	rows[3] = newRow("i-j", "4567")
	rows[3].Status, rows[3].Reason = notCompiled, "line 3: a_b | \"c\" is unknown"
	return rows
}

func TestPage(t *testing.T) {
	text := string(page(sample(), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)))
	for _, want := range []string{
		"| posteriors | 4 |\n| not compiled | 1 |\n| compiled | 3 |\n| verdict trust | 3 |\n", "| compared, and trusted | 2 |\n| of these agree | 1 |\n",
		"Builds 0123 (3 rows), 4567 (1 rows), 2026-01-02.",
		"| [a_b-c_d](../index.html#v=1&model=file:0123456789ab&method=auto) | 3 | −12.346 | 0.010 |  | trust | 2.2 | " +
			"−12.360 | 0.020 | yes | `0123456789abcdef` |\n",
		"| −13.000 | 0.020 | **no** |", "| 2.2 | – |  | – |", `| i-j | line 3: a\_b \| "c" is unknown |`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q: %s", want, text)
		}
	}
}

// The page counts the runs that were stopped, by their limits, and the rows without a second method.
func TestPageOfPart(t *testing.T) {
	rows := sample()
	rows[0].Status, rows[0].Reason = overTime, "more than 3 s"
	rows[1].SecondSeconds = math.NaN()
	text := string(page(rows, time.Unix(0, 0)))
	if want := "| over time: more than 3 s | 1 |\n| second method not run | 1 |\n"; !strings.Contains(text, want) {
		t.Errorf("the page has no %q: %s", want, text)
	}
}

// Rows do not change when they are stored and read, a row replaces the row of the same name, and rows of this build are
// not computed again.
func TestRows(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "rows.csv")
	rows := sample()
	for _, i := range []int{2, 0, 3, 1, 0} {
		if err := rows[i].saveTo(file); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readRows(file)
	at := time.Unix(0, 0)
	if err != nil || len(got) != 4 || string(page(got, at)) != string(page(rows, at)) {
		t.Errorf("rows are %+v, %v", got, err)
	}

	for _, name := range []string{"a_b-c_d", "g-h", "i-j", "new"} {
		for _, end := range []string{".stan", ".json"} {
			if err := os.WriteFile(filepath.Join(dir, name+end), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	old := room.Build
	defer func() { room.Build = old }()
	room.Build = "0123"
	for _, c := range []struct {
		limit, second float64
		change        func(r *row)
		want          string
	}{
		{120, 20, func(*row) {}, "new i-j"},
		{120, 20, func(r *row) { r.Status, r.Seconds = overTime, 121 }, "new i-j"},
		{240, 20, func(r *row) { r.Status, r.Seconds = overTime, 121 }, "new g-h i-j"},
		{120, 20, func(r *row) { r.SecondLogZ, r.SecondSeconds = math.NaN(), math.NaN() }, "new i-j g-h*"},
		{120, 0, func(r *row) { r.SecondLogZ, r.SecondSeconds = math.NaN(), math.NaN() }, "new i-j"},
		{120, 20, func(r *row) { r.SecondLogZ, r.SecondReason, r.SecondSeconds = math.NaN(), overTime, 9 }, "new i-j"},
		{120, 30, func(r *row) { r.SecondLogZ, r.SecondReason, r.SecondSeconds = math.NaN(), overTime, 9 }, "new i-j g-h*"},
	} {
		rows := slices.Clone(got)
		c.change(&rows[2])
		todo, err := posteriorsToRun(dir, rows, "", c.limit, c.second)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range todo {
			if p.known.Name != "" {
				p.name += "*"
			}
			names = append(names, p.name)
		}
		if names := strings.Join(names, " "); names != c.want {
			t.Errorf("to do are %s; want %s", names, c.want)
		}
	}
}
