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
// of the USPS digits, with the columns set, row, digit, and 16 x 16 pixels from -1 to 1. The digits are not bundled.
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

// uspsModel returns the model file with numbers of threes and fives that are drawn at random from the rows of in. A
// line has 256 pixels, then the label: 1 for a three, -1 for a five. It returns an error if in has too few digits.
func uspsModel(in io.Reader, threes, fives int) ([]byte, error) {
	const infoColumns = 3 // columns: set, row, digit
	r := csv.NewReader(in)
	r.FieldsPerRecord = infoColumns + pictureSide*pictureSide
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	needed := map[string]int{"3": threes, "5": fives}
	label := map[string]string{"3": "1", "5": "-1"}
	var out bytes.Buffer
	for _, i := range randomOrder(uspsSeed, "usps", len(rows)) {
		if digit := rows[i][infoColumns-1]; needed[digit] > 0 {
			needed[digit]--
			fmt.Fprintf(&out, "%s,%s\n", strings.Join(rows[i][infoColumns:], ","), label[digit])
		}
	}
	if needed["3"] > 0 || needed["5"] > 0 {
		return nil, fmt.Errorf("%d threes and %d fives are missing", needed["3"], needed["5"])
	}
	return out.Bytes(), nil
}
