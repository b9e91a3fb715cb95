package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strings"
)

// The classification of experiment arm-usps: as many threes and fives as in the paper's training set.
const (
	uspsSeed   = 35
	uspsThrees = 406
	uspsFives  = 361
)

// cmdUSPS makes the model file of experiment arm-usps: `usps IN.csv.gz OUT.csv`. IN has a row for each three and five
// of the USPS digits: set, row, digit, and 16 x 16 pixels from -1 to 1. The digits are not bundled.
func cmdUSPS(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: usps IN.csv.gz OUT.csv")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	b, err := uspsModel(in, uspsThrees, uspsFives)
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], b, 0o644)
}

// uspsModel draws the threes and fives in random order: 256 pixels, then the label, 1 for a three, -1 for a five.
func uspsModel(in io.Reader, threes, fives int) ([]byte, error) {
	const before = 3 // columns: set, row, digit
	r := csv.NewReader(in)
	r.FieldsPerRecord = before + pictureSide*pictureSide
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	left := map[string]int{"3": threes, "5": fives}
	label := map[string]string{"3": "1", "5": "-1"}
	var out bytes.Buffer
	for _, i := range randomOrder(uspsSeed, "usps", len(rows)) {
		if digit := rows[i][before-1]; left[digit] > 0 {
			left[digit]--
			fmt.Fprintf(&out, "%s,%s\n", strings.Join(rows[i][before:], ","), label[digit])
		}
	}
	if left["3"] > 0 || left["5"] > 0 {
		return nil, fmt.Errorf("%d threes and %d fives are missing", left["3"], left["5"])
	}
	return out.Bytes(), nil
}
