package models_test

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"logzlab/core/num/rng"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/models/gpc"
)

// inUTF16 encodes a text in UTF-16 with a byte order mark.
func inUTF16(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

// numberedTable returns a table of six lines under a header, whose first column counts the lines from the number from
// on.
func numberedTable(header string, from int) string {
	for i := range 6 {
		header += fmt.Sprintf("%d,%d.5,%d\n", from+i, i*i, i%2)
	}
	return header
}

// Tables in common formats are read correctly, or rejected with an error that names the column and the line.
func TestReadTable(t *testing.T) {
	want := [][]float64{{1.5, 2, 1}, {2.25, -3, -1}} // features and label, unless a case says otherwise
	squares := [][]float64{{.5, -1}, {1.5, 1}, {4.5, -1}, {9.5, 1}, {16.5, -1}, {25.5, 1}}
	var counted [][]float64
	for i, row := range squares {
		counted = append(counted, []float64{float64(i), row[0], row[1]})
	}
	for name, c := range map[string]struct {
		text string
		want any // rows, or words of the error
	}{
		"plain":                     {"1.5,2,1\n2.25,-3,0\n", want},
		"no last line end":          {"1.5,2,1\n2.25,-3,0", want},
		"CRLF":                      {"1.5,2,1\r\n2.25,-3,0\r\n", want},
		"CR":                        {"1.5,2,1\r2.25,-3,0\r", want},
		"blank lines":               {"\n1.5,2,1\n\n  \n2.25,-3,0\n\n", want},
		"blanks around cells":       {" 1.5 , 2 ,1\n2.25,\u00a0-3,0 \n", want},
		"exponents and signs":       {"15e-1,+2,1\n.225E1,-3.,0\n", want},
		"labels -1 and 1":           {"1.5,2,1.0\n2.25,-3,-1.0\n", want},
		"header":                    {"a,b,c\n1.5,2,1\n2.25,-3,0\n", want},
		"header in quotes":          {"\"a,1\",\"b\",\"c\"\n1.5,2,1\n2.25,-3,0\n", want},
		"numbers in quotes":         {"\"1.5\",\"2\",\"1\"\n\"2.25\",\"-3\",\"0\"\n", want},
		"blanks before quotes":      {"\"1.5\", \"2\", \"1\"\n\"2.25\", \"-3\", \"0\"\n", want},
		"byte order mark":           {"\ufeffa,b,label\n1.5,2,1\n2.25,-3,0\n", want},
		"tabs":                      {"1.5\t2\t1\n2.25\t-3\t0\n", want},
		"tabs, header with index":   {"\ta\tb\tlabel\n0\t1.5\t2\t1\n1\t2.25\t-3\t0\n", want},
		"semicolons, points":        {"1.5;2;1\n2.25;-3;0\n", want},
		"semicolons, commas":        {"1,5;2;1\n2,25;-3;0\n", want},
		"bars":                      {"1.5|2|1\n2.25|-3|0\n", want},
		"German Excel":              {"\ufeffsep=;\r\nGröße;Länge;Klasse\r\n1,5;2,0;1\r\n2,25;-3,0;0\r\n", want},
		"Excel, declared commas":    {"\"sep=,\"\n1.5,2,1\n2.25,-3,0\n", want},
		"Windows-1252":              {"Gr\xf6\xdfe;L\xe4nge;Klasse\r\n1,5;2;1\r\n2,25;-3;0\r\n", want},
		"Unicode text of Excel":     {inUTF16("a\tb\tlabel\r\n1,5\t2\t1\r\n2,25\t-3\t0\r\n", false), want},
		"UTF-16, big-endian":        {inUTF16("a;😀;label\n1,5;2;1\n2,25;-3;0\n", true), want},
		"decimal commas in quotes":  {"x,b,label\n\"1,5\",2,1\n\"2,25\",-3,0\n", want},
		"decimal comma, exponent":   {"15,0e-1;2;1\n2,25;-3;0\n", want},
		"one of three digits":       {"1,500;2;1\n2,25;-3;0\n", want},
		"comments":                  {"# made today, by me\n1.5,2,1\n# it's \"half\"\n2.25,-3,0\n", want},
		"header in a comment":       {"# label,b,x\n1,1.5,2\n0,2.25,-3\n", want},
		"pandas":                    {",a,b,label\n0,1.5,2,1\n1,2.25,-3,0\n", want},
		"pandas, shuffled":          {",a,b,label\n17,1.5,2,1\n3,2.25,-3,0\n", want},
		"pandas, read and written":  {"Unnamed: 0,a,b,label\n0,1.5,2,1\n1,2.25,-3,0\n", want},
		"pandas without names":      {",0,1,2\n0,1.5,2,1\n1,2.25,-3,0\n", want},
		"names are numbers":         {"0,1,2\n1.5,2,1\n2.25,-3,0\n", want},
		"names of rows, as of R":    {"\"\",\"a\",\"b\",\"label\"\n\"Anna\",1.5,2,1\n\"Ben\",2.25,-3,0\n", want},
		"index":                     {"index,a,b,c\n0,1.5,2,1\n1,2.25,-3,0\n", want},
		"keys in the middle":        {"a,ID,b,c\n1.5,17,2,1\n2.25,16,-3,0\n", want},
		"keys by any name":          {"PassengerId,a,store_id,b,c\n7,1.5,17,2,1\n5,2.25,16,-3,0\n", want},
		"patients, a row each":      {"patient,a,b,label\n17,1.5,2,1\n22,2.25,-3,0\n", want},
		"samples that count":        {numberedTable("sample,x,c\n", 1), squares},
		"humid counts":              {numberedTable("humid,x,c\n", 0), squares},
		"humid does not count":      {"humid,b,c\n1.5,2,1\n2.25,-3,0\n", want},
		"index from 1":              {"ID,a,b,c\n1,1.5,2,1\n2,2.25,-3,0\n", want},
		"column that counts, named": {numberedTable("t,x,c\n", 0), counted},
		"column that counts, alone": {"0,1\n1,1\n2,0\n3,0\n4,1\n", [][]float64{{0, 1}, {1, 1}, {2, -1}, {3, -1}, {4, 1}}},
		"index that counts":         {numberedTable("row,x,c\n", 1), squares},
		"label first":               {"label,a,b\n1,1.5,2\n0,2.25,-3\n", want},
		"label in the middle":       {"a,Class,b\n1.5,1,2\n2.25,0,-3\n", want},
		"label first, numbers":      {"label,0,1\n1,1.5,2\n0,2.25,-3\n", want},
		"label after an index":      {",target,a,b\n0,1,1.5,2\n1,0,2.25,-3\n", want},
		"y first":                   {"y,x1,x2\n1,1.5,2\n0,2.25,-3\n", want},
		"y as a coordinate":         {"x,y,label\n1.5,2,1\n2.25,-3,0\n", want},
		"y as a coordinate, first":  {"y,x,label\n1.5,2,1\n2.25,-3,0\n", want},
		"separators at line ends":   {"a,b,label,\n1.5,2,1,\n2.25,-3,0,\n", want},
		"the same, no header":       {"1.5,2,1,,\n2.25,-3,0,,\n", want},
		"separators in the header":  {"a;b;label;;\n1,5;2;1\n2,25;-3;0;;\n;;;;\n", want},
		"one row":                   {"5,1\n", [][]float64{{5, 1}}},
		"keys of a database":        {"id,x,label\n17,1.5,1\n22,2.25,0\n", [][]float64{{1.5, 1}, {2.25, -1}}},
		"index without a name":      {numberedTable("", 0), squares},
		"from 1 without a name":     {numberedTable("", 1), squares},
		"rownames of Rdatasets":     {"rownames,a,b,label\n1,1.5,2,1\n2,2.25,-3,0\n", want},
		"row.names, semicolons":     {"\"row.names\";a;b;label\n\"7\";1,5;2;1\n\"3\";2,25;-3;0\n", want},
		"write.table of R":          {"\"a\"\t\"b\"\t\"label\"\n\"1\"\t1.5\t2\t1\n\"2\"\t2.25\t-3\t0\n", want},
		"write.table, commas":       {"\"a\",\"b\",\"label\"\n\"1\",1.5,2,1\n\"2\",2.25,-3,0\n", want},
		"write.table, names":        {"a b\tc\tlabel\nMazda RX4\t1.5\t2\t1\nFiat 128\t2.25\t-3\t0\n", want},
		"names of rows only":        {"a,b\n\"Anna\",1.5,1\n", [][]float64{{1.5, 1}}},
		"readr":                     {"...1,a,b,label\n1,1.5,2,1\n2,2.25,-3,0\n", want},
		"names under a name":        {"model,a,b,label\nMazda,1.5,2,1\nFiat,2.25,-3,0\n", want},
		"names without a header":    {"Mazda,1.5,2,1\nFiat,2.25,-3,0\n", want},
		"text labels":               {"a,b\n1.5,yes\n2.25,no\n", [][]float64{{1.5, 1}, {2.25, -1}}},
		"text labels, no header":    {"1.5,2,virginica\n2.25,-3,setosa\n", want},
		"TRUE and FALSE of R":       {"\"\",\"a\",\"b\",\"label\"\n\"1\",1.5,2,TRUE\n\"2\",2.25,-3,FALSE\n", want},
		"text labels first":         {"class;a;b\nsick;1,5;2\nhealthy;2,25;-3\n", want},

		"empty cell":             {"1.5,,1\n2.25,-3,0\n", "line 1, column 2: the value is missing"},
		"NaN":                    {"a,b\n1.5,1\nNaN,0\n", "line 3, column 1: the value is missing"},
		"NA first":               {"NA,1\n1.5,0\n", "line 1, column 1: the value is missing"},
		"label missing":          {"a,label\n1.5,1\n2,\n", "line 3, column 2: the value is missing"},
		"infinity":               {"inf,1\n2,0\n", `line 1, column 1: "inf" is not a finite number`},
		"letter for a digit":     {"O.5,0,1\n1.5,2,0\n", `line 1, column 1: "O.5" is not a finite number`},
		"one text label":         {"5.1,3.5,setosa\n4.9,3.0,setosa\n", "line 1, column 3: labels must be 0 and 1, -1 and"},
		"three text labels":      {"a,b\n1.5,x\n2,y\n3,z\n", "or two texts; the column has x, y, z"},
		"texts and numbers":      {"a,b\n1.5,x\n2,1\n", "or two texts; the column has 1, x"},
		"three classes":          {"a,label\n1.5,0\n2.25,1\n3,2\n", "label of line 4 = 2: labels must be"},
		"no label":               {"id,survived,fare\n1,0,7.5\n2,1,8\n", "or the one called label. A table of a series has"},
		"labels 0, 1 and -1":     {"a,label\n1.5,0\n2.25,1\n3,-1\n", "label of line 4 = -1, but label of line 2 = 0: labels"},
		"labels 1 and 2":         {"label,a\n1,1.5\n2,2.25\n", "label of line 3 = 2: labels must be"},
		"thousands, English":     {"\"1,234.5\",1\n2.5,0\n", `line 1, column 1: "1,234.5" is not a finite number`},
		"thousands, German":      {"1.234,5;1\n2,5;0\n", `line 1, column 1: "1.234,5" is not a finite number`},
		"thousands, Swiss":       {"1'234.5;1\n2.5;0\n", `line 1, column 1: "1'234.5" is not a finite number`},
		"thousands, blanks":      {"1\u202f234,5;1\n2,5;0\n", "line 1, column 1:"},
		"comma of either kind":   {"1,234;0\n2,500;1\n", `line 1, column 1: "1,234" may be a decimal or have`},
		"point and comma":        {"1.5;0\n2,5;1\n", `"2,5" in line 2, column 1 has a comma, "1.5" in line 1,`},
		"commas everywhere":      {"a,label\n1,5,1\n2,25,0\n", "line 2 has 3, line 1 has 2; if the numbers have"},
		"ragged":                 {"1,2,1\n3,4,5,0\n", "line 2 has 4, line 1 has 3"},
		"short":                  {"1,2,1\n3,0\n", "line 2 has 2, line 1 has 3"},
		"long header":            {"a,b,c,label\n1.5,2,1\n", "line 2 has 3, line 1 has 4"},
		"feature without a name": {"a,b\n0.5,1.5,1\n", "line 2 has 3, line 1 has 2"},
		"numbers without a name": {"a,b\n1,5,1\n2,25,0\n3,1,1\n", "line 2 has 3, line 1 has 2"},
		"names twice":            {"n,a,b\nAnna,1.5,1\nAnna,2,0\n", `line 2, column 1: "Anna" is not a finite number`},
		"title":                  {"My data\n\na,b,label\n1.5,2,1\n", "line 3 has 3, line 1 has 1"},
		"units":                  {"a,label\n(cm),\n1.5,1\n", `line 2, column 1: "(cm)" is not a finite number`},
		"two of one name":        {"x,x,label\n1.5,2,1\n", "columns 1 and 2 are both called x; leave one out"},
		"two labels":             {"label,a,target\n1,1.5,1\n", "line 1: both label and target may be the label"},
		"one column":             {"1.5\n2.25\n", "line 1 has one column"},
		"one named column":       {"label\n1\n0\n", "line 2 has one column"},
		"an index and a label":   {"id,label\n1,1\n2,0\n", "no feature is left: column id left out"},
		"blanks":                 {"1.5 2 1\n2.25 -3 0\n", "line 1 has blanks or colons between its columns"},
		"a feature called index": {"index,a,c\n1.5,2,1\n2.25,-3,0\n", "column index seems to number the rows"},
		"an id of fractions":     {"a,ID,label\n1,1.5,1\n0,2.5,0\n", "column ID seems to number the rows"},
		"colons":                 {"x1:x2:label\n0.5:2:1\n0.25:3:0\n", "line 2 has blanks or colons between its columns"},
		"keys twice":             {"id,x,label\n17,1.5,1\n17,2.25,0\n", "column id seems to number the rows"},
		"open quote":             {"1.5,\"2,1\n2.25,-3,0\n", "damaged"},
		"quote within":           {"5\" pipe,label\n1.5,1\n", "damaged (parse error on line 1"},
		"header only":            {"a,b,label\n", "csv file: it has only names (a, b, label)"},
		"UTF-16 without mark":    {inUTF16("1.5,1\n", false)[2:], "neither .npz nor a JSON object nor a table"},
		"HTML":                   {"\n<!DOCTYPE html>\n<table><tr><td>1</td></tr></table>", "line 2: it is a page of HTML"},
		"list of JSON":           {"[1,2,3]\n", "line 1: it is a list of JSON"},
		"records of pandas":      {`[{"x":1,"label":0}]`, "line 1: it is a list of JSON"},
		"indented list":          {"[\n {\"x\": 1}\n]", "line 1: it is a list of JSON"},
		"a section":              {"[model]\nkind = 3\n", "neither .npz"},
		"R dump":                 {"N <- 3\ny <-\nc(1, 2, 3)\n", "line 1: it is an R dump"},
		"a program":              {"// mine\ndata {\n  int N;\n}\n", "line 2: it is a program of the Stan language"},
		"Weka":                   {"% iris\n@RELATION iris\n@DATA\n1,0\n", "line 2: it is a table of Weka"},
		"libsvm":                 {"+1 1:0.5 3:1.2\n-1 2:0.4\n", "line 1: it is a table of libsvm"},
		"fields of spins":        {"i,h\n0,1\n1,-1\n2,1\n", "line 1: the header is i,h; of couplings it must be i,j,J"},
		"fields by another name": {"i;bias\n0;1\n1;-1\n", "line 1: the header is i,bias; of couplings"},
		"pairs alone":            {"u,v\n0,1\n1,-1\n", "line 1: the header is u,v; of couplings"},
		"couplings alone":        {"# a ring\n0,1,1\n1,2,-1\n2,0,1\n", "line 2: these may be couplings or features"},
		"couplings from 1":       {"1\t2\t1\n2\t3\t-1\n", "line 1: these may be couplings or features"},
		"rows of pixels":         {"0,1,1\n1,0,0\n0,1,0\n", "line 1: all numbers are 0 or 1, without names above; give rows"},
		"MNIST, label first":     {"1,0.5,0\n0,0.25,0\n", "line 1, column 3: this label and all others are 0; if another"},
		"weights":                {"x,sample_weight,label\n1.5,1,0\n2,2,1\n", "column sample_weight is not read, and would"},
		"decimals in JSON":       {`{"kind":"gpc","y":[1],"X":[1,5,`, "not valid JSON"},
	} {
		file, err := catalog.Kinds.ReadFile([]byte(c.text), nil)
		if says, bad := c.want.(string); bad {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, error %v; want an error with %q", name, file, err, says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g, got := file.(gpc.Params), [][]float64(nil)
		for i := range g.N {
			got = append(got, append(append([]float64(nil), g.X[i*g.D:(i+1)*g.D]...), g.Y[i]))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A table has the same content with any separator, decimal commas, quotes, line ends, byte order marks and encodings,
// an index, the label in any column, comments, blank lines and separators at line ends.
func TestTableDialects(t *testing.T) {
	for i := range 400 {
		s := rng.NewKey(1, "table", i).Stream(0, 0, 0)
		flip := func() bool { return s.Intn(2) == 0 }
		rows, d := 2+s.Intn(6), 1+s.Intn(4)
		separator := string("\t;|,"[s.Intn(4)])
		commas, quotes, index, label := flip(), flip(), flip(), s.Intn(d+1)
		named := index || label < d || flip()
		write := func(cells []string) string {
			for j, c := range cells {
				if quotes || strings.Contains(c, separator) {
					cells[j] = `"` + c + `"`
				}
			}
			return strings.Join(cells, separator)
		}
		var lines []string
		want := &gpc.Params{N: rows, D: d}
		if named {
			var names []string
			for j := range d + 1 {
				names = append(names, map[bool]string{true: "label", false: fmt.Sprint("x,", j)}[j == label])
			}
			if index {
				names = append([]string{[]string{"", "index", "Unnamed: 0", "ID"}[s.Intn(4)]}, names...)
			}
			lines = append(lines, write(names))
		}
		for r := range rows {
			var cells []string
			for range d {
				x := float64(s.Intn(4000)-2000)/8 + .5 // at least one digit after the point, never three of thousands
				want.X = append(want.X, x)
				c := strconv.FormatFloat(x, 'f', 1+s.Intn(2)*5, 64)
				want.X[len(want.X)-1], _ = strconv.ParseFloat(c, 64)
				if commas {
					c = strings.Replace(c, ".", ",", 1)
				}
				cells = append(cells, c)
			}
			y := s.Intn(2)
			if r == 1 { // both classes, as a column of one may be no label
				y = int(1-want.Y[0]) / 2
			}
			want.Y = append(want.Y, float64(2*y-1))
			cells = slices.Insert(cells, label, strconv.Itoa(y))
			if index {
				cells = append([]string{strconv.Itoa(r)}, cells...)
			}
			lines = append(lines, write(cells))
		}
		if flip() {
			for k := range lines {
				lines[k] += separator
			}
		}
		if flip() {
			lines = slices.Insert(lines, s.Intn(len(lines)+1), "# it's a \"comment\"", "")
		}
		if flip() {
			lines = append([]string{"sep=" + separator}, lines...)
		}
		text := strings.Join(lines, []string{"\n", "\r\n", "\r"}[s.Intn(3)])
		switch s.Intn(4) {
		case 0:
			text = "\ufeff" + text
		case 1:
			text = inUTF16(text, flip())
		}
		got, err := catalog.Kinds.ReadFile([]byte(text), nil)
		if g, ok := got.(gpc.Params); ok {
			g.ReadNote = nil
			got = g
		}
		if err != nil || !reflect.DeepEqual(got, models.File(*want)) {
			t.Fatalf("%q\ngives %+v, error %v\nwant  %+v", text, got, err, *want)
		}
	}
}

// Info.Understood describes how a table was read: features, label, classes, and the column left out.
func TestTableDescriptions(t *testing.T) {
	for text, want := range map[string]string{
		"rownames,x,label\n1,0.3,0\n2,-0.2,1\n": "2 data with 1 features; features x, label label; column rownames " +
			"left out, as it names or numbers the rows; kernel rbf, amplitude 1, length 0.5; probit link",
		numberedTable("", 1):           "label in column 3; column 1 left out",
		"a,kind\n1.5,ripe\n2.25,raw\n": "features a, label kind; raw is -1, ripe is 1; kernel",
		"1.5,2,1\n2.25,-3,0\n":         "2 data with 2 features; label in column 3; kernel",
	} {
		f, err := catalog.Kinds.ReadFile([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.FromFile("own", f, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Info().Understood.Error(); !strings.Contains(got, want) {
			t.Errorf("%q is described as %q, want %q", text, got, want)
		}
	}
}

// Errors about values name the column of the file, not of the features.
func TestTableColumns(t *testing.T) {
	_, err := catalog.Kinds.ReadFile([]byte(",label,a,b\n0,1,5,2\n1,0,2,1e12\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "line 3, column 4 = 1e+12 must be") {
		t.Errorf("%v", err)
	}
}
