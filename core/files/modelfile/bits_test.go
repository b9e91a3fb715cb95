package modelfile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Columns that are not units are reported once, in one note.
func TestReadBitsNote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"id,a,b,label\n1,1,0,7\n2,1,1,3\n":     "columns left out, as they number the rows or are their labels: id, label",
		",a,b\n0,1,0\n1,1,1\n":                 "their labels: 1",
		"PassengerId,a,b\n7,1,0\n2,1,1\n":      "column PassengerId left out, as it names or numbers the rows",
		"a,row_id,b,label\n1,7,0,7\n1,9,1,3\n": "labels: label; column row_id left out",
		"0,1,0\n1,1,1\n2,0,1\n3,1,1\n4,0,0\n":  "column 1 left out, as it names or numbers the rows",
		"a,b\n1,0\n1,1\n":                      "<nil>",
		"1,0\n1,1\n":                           "<nil>",
	} {
		_, _, note, err := ReadBits([]byte(text), math.NaN(), nil)
		if err != nil || !strings.Contains(fmt.Sprint(note), want) {
			t.Errorf("ReadBits(%q): note %v, error %v; want note %q", text, note, err, want)
		}
	}
}

func TestReadBits(t *testing.T) {
	t.Parallel()
	file := NewNPZ()
	file.Array("data", []int32{1, 0, 0, 1, 1, 1}, 2, 3)
	npz, err := file.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	gaps := NewNPZ()
	gaps.Array("data", []float32{0, 2, 1, float32(math.NaN())}, 2, 2)
	gappy, err := gaps.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(&packed)
	z.Write([]byte("1 1:1 \n2 1:1 2:1 3:1 \n"))
	z.Close()
	want, nan := []uint8{1, 0, 0, 1, 1, 1}, math.NaN()
	for name, c := range map[string]struct {
		data      string
		threshold float64
		err       string
	}{
		"csv":          {"1,0,0\n1,1,1\n", nan, ""},
		"names":        {"a;b;c\n1;0;0\n1;1;1\n", nan, ""},
		"pandas":       {",a,b,c\n0,1,0,0\n1,1,1,1\n", nan, ""},
		"no names":     {",0,1,2\n0,1,0,0\n1,1,1,1\n", nan, ""},
		"shuffled":     {"Unnamed: 0\ta\tb\tc\n17\t1\t0\t0\n3\t1\t1\t1\n", nan, ""},
		"Kaggle":       {"label,pixel0,pixel1,pixel2\n7,255,0,100\n1,255,128,200\n", 100.5, ""},
		"label text":   {"id;a;b;c;Class\n1;1;0;0;oak\n2;1;1;1;elm\n", nan, ""},
		"counted wide": {"0,1,0\n1,1,1\n2,0,1\n3,1,1\n4,0,0\n", nan, "2 columns"},
		"Kaggle grey": {"label,pixel0\n7,254\n1,0\n", nan, "column 1 is 254; data to train on must be 0 or 1: give a " +
			"threshold, such as 127"},
		"npz":          {string(npz), nan, ""},
		"libsvm, gzip": {packed.String(), nan, ""},
		"idx":          {"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03\x80\x00\x7f\xff\x80\x81", 128, ""},
		"threshold":    {".6,.2,0\n.5,1,3\n", .5, ""},
		"grey": {"0,200,0\n1,1,1\n", nan, "row 1, column 2 is 200; data to train on must be 0 or 1: give a " +
			"threshold, such as 100"},
		"gaps":     {string(gappy), nan, "give a threshold, such as 1"},
		"nan":      {"1,0,0\n1,nan,1\n", nan, "\"nan\" is not a number"},
		"ragged":   {"1,0,0\n1,1\n", nan, "line 2 has 2 numbers"},
		"word":     {"1,0,0\n1,x,1\n", nan, "\"x\" is not a number"},
		"sparse":   {"1 1:1 0:1\n", nan, "is not index:value"},
		"empty":    {"", nan, "must have rows"},
		"idx long": {"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x01\x01\x01\x00\x01", nan, "cut short"},
		"idx cut":  {"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03\x80", nan, "cut short"},
	} {
		bits, columns, _, err := ReadBits([]byte(c.data), c.threshold, nil)
		switch {
		case c.err == "2 columns":
			if err != nil || columns != 2 || !slices.Equal(bits, []uint8{1, 0, 1, 1, 0, 1, 1, 1, 0, 0}) {
				t.Errorf("%s: %v of %d columns, error %v", name, bits, columns, err)
			}
		case c.err == "" && (err != nil || columns != 3 || !slices.Equal(bits, want)):
			t.Errorf("%s: %v of %d columns, error %v", name, bits, columns, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want %q", name, err, c.err)
		}
	}
}
