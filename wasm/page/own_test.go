package page

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/runstate"
)

// An own file decides what a link says of it, whether the link or the file comes first: defaults of its kind are left
// out, and what its kind does not have is named, with the rest on offer.
func TestOwnFileKindSelectsParameters(t *testing.T) {
	gpc := []byte(`{"kind":"gpc","y":[1,-1,1],"X":[[0],[1],[2]]}`)
	head := "#v=1&model=" + modelfile.ID(gpc) + "&method=ais"
	for _, c := range []struct{ more, want, says string }{
		{"&order=natural&ais.chains=7&view.theme=dark", "&ais.chains=7&view.theme=dark", ""},
		{"&order=random", "&order=random", ""},
		{"&order=variance", "", `order = "variance" must be one of: natural, random`},
		{"&form=marginal&seed=3", "&seed=3", "form is not a parameter of this model and method"},
		{"&beta=", "", "beta is not a parameter of this model and method"},
	} {
		for _, first := range []string{"link", "file"} {
			p := newPage(t, 1)
			if first == "file" {
				p.controller.File("mine.json", gpc, 1)
			}
			p.controller.Open(head + c.more)
			if first == "link" {
				p.controller.File("mine.json", gpc, 1)
			}
			p.show()
			m := p.view.Message
			if c.says == "" && (m != nil || p.view.Link != head+c.want || p.view.State != runstate.Running) ||
				c.says != "" && (m == nil || !strings.Contains(m.Text, c.says) || m.Action == nil ||
					m.Action.Value != head+c.want || p.view.State != runstate.Failed) {
				t.Errorf("%s, %s first: link %s, state %s, message %+v", c.more, first, p.view.Link, p.view.State, m)
			}
		}
	}
}

// The page says what was read of an own RBM, so that a swapped bias is seen, and its control offers the kinds of files.
func TestOwnFileSummary(t *testing.T) {
	data, err := os.ReadFile("../../models/testdata/field/f32.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t, 1)
	for lang, want := range map[string]string{
		"en": "mine.safetensors. 6 visible and 4 hidden units; weights rbm.W, transposed, from -2.04 to 2.69; visible " +
			"biases rbm.v_bias, mean -1.63; hidden biases rbm.h_bias, mean -0.193; no base rates (p1).",
		"de": "6 sichtbare und 4 verborgene Einheiten; Gewichte rbm.W, transponiert, von -2,04 bis 2,69; sichtbare Biases",
	} {
		p.controller.File("mine.safetensors", data, 1)
		p.controller.Open("#v=1&model=" + modelfile.ID(data) + "&method=ais&view.lang=" + lang)
		p.show()
		if setup := string(p.view.Parts["setup"]); !strings.Contains(setup, want) ||
			!strings.Contains(setup, `accept=".json,.npz,.pt,.pth,.mat,.safetensors,.csv,.npy,`) {
			t.Errorf("%s: %s", lang, setup)
		}
	}
}

// The page says what was read of a table, with the kernel in use, in both languages.
func TestOwnTableSummary(t *testing.T) {
	data := []byte("rownames,x,label\n1,0.3,ripe\n2,-0.2,raw\n")
	p := newPage(t, 1)
	for lang, want := range map[string]string{
		"en": "features x, label label; raw is -1, ripe is 1; column rownames left out, as it names or numbers the rows; " +
			"kernel ou, amplitude 1, length 0.5; probit link",
		"de": "Spalte rownames weggelassen, denn sie benennt oder zählt die Zeilen; Kern ou, Amplitude 1, Länge 0,5; " +
			"Probit-Linkfunktion",
	} {
		p.controller.File("fruit.csv", data, 1)
		p.controller.Open("#v=1&model=" + modelfile.ID(data) + "&kernel=ou&method=ais&ais.chains=10&view.lang=" + lang)
		p.show()
		if setup := string(p.view.Parts["setup"]); !strings.Contains(setup, want) {
			t.Errorf("%s: %s", lang, setup)
		}
	}
}

// A file of data rows that comes while an own RBM is open stands beside it: the link asks for it from then on, its
// workers get it, and the link waits for it where it is not there and refuses another one.
func TestOwnRows(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("../../models/testdata/field/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	model, rows := read("sklearn.npz"), read("rows.npy")
	id := strings.TrimPrefix(modelfile.ID(rows), "file:")
	head := "#v=1&model=" + modelfile.ID(model) + "&method=raise"
	link := head + "&data=" + id + "&raise.chains=40"
	p := newPage(t, 1)
	p.controller.File("mine.npz", model, 1)
	p.controller.Open(head + "&raise.chains=40")
	p.controller.File("rows.npy", rows, 2)
	p.finish()
	if p.view.Link != link || p.controller.Own.Rows.Event != 2 || p.view.State != runstate.Done ||
		!strings.Contains(string(p.parts["setup"]), "40 data rows, mean 0.504") {
		t.Fatalf("link %s, rows %d, state %s, %+v", p.view.Link, p.controller.Own.Rows.Event, p.view.State, p.view.Message)
	}
	if r := p.controller.Reports.All(0)[0]; r.Diagnostics["mean_log_likelihood"] > -3.5 || r.Diagnostics["data"] != 40 {
		t.Errorf("%+v", r.Diagnostics)
	}
	if c := p.controller.Command(); !strings.Contains(c, "-model mine.npz") || !strings.Contains(c, " -data rows.npy ") {
		t.Error(c)
	}
	p = newPage(t, 1)
	p.controller.Open(link)
	p.controller.File("mine.npz", model, 1)
	p.show()
	if m := p.view.Message; p.view.State == runstate.Running || m == nil || !strings.Contains(m.Text, "data rows ("+id+")") {
		t.Errorf("without its rows: %s, %+v", p.view.State, m)
	}
	p.controller.File("rows.csv", read("rows.csv"), 2)
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "the link needs "+id) {
		t.Errorf("other rows: %+v", m)
	}
	p.controller.File("narrow.npy", read("rows.npy")[:100], 3)
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "Data file: ") {
		t.Errorf("damaged rows: %+v", m)
	}
	p.controller.File("rows.npy", rows, 4)
	p.finish()
	if p.view.Link != link || p.view.State != runstate.Done {
		t.Errorf("link %s, state %s, %+v", p.view.Link, p.view.State, p.view.Message)
	}
}

// Of two files that come together the rows may be the first: packed or not they are read again when their model is
// there. Another model that came before is none of its rows, and nobody is told; rows of another width are an error.
func TestOwnFilesTogether(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("../../models/testdata/field/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(read("rows.idx"))
	_ = z.Close()
	model := read("sklearn.npz")
	link := "#v=1&model=" + modelfile.ID(model) + "&method=raise"
	for name, rows := range map[string][]byte{"rows.npy": read("rows.npy"), "rows.csv": read("rows.csv"),
		"t10k-images-idx3-ubyte.gz": packed.Bytes()} {
		with := link + "&data=" + strings.TrimPrefix(modelfile.ID(rows), "file:") + "&raise.chains=20"
		p := newPage(t, 1)
		p.controller.Open(with)
		p.controller.File(name, rows, 4)
		p.controller.File("mine.npz", model, 5)
		p.finish()
		if p.view.Link != with || p.view.State != runstate.Done || p.controller.Own.Rows.Event != 4 || p.view.Filed != 5 {
			t.Errorf("%s first: link %s, state %s, rows %d, filed %d, %+v", name, p.view.Link, p.view.State,
				p.controller.Own.Rows.Event, p.view.Filed, p.view.Message)
		}
	}
	p := newPage(t, 1)
	p.controller.Open(link + "&raise.chains=20")
	p.controller.File("other.safetensors", read("f32.safetensors"), 1)
	p.controller.File("mine.npz", model, 2)
	p.finish()
	if p.view.Message != nil || p.controller.Own.Rows.ID != "" || p.controller.Own.Name != "mine.npz" {
		t.Errorf("after another model: %+v, rows %s", p.view.Message, p.controller.Own.Rows.ID)
	}
	p.controller.File("narrow.npy", read("rows.npy")[:100], 3)
	p.controller.File("mine.npz", model, 4)
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "narrow.npy") ||
		!strings.Contains(m.Text, "Data file: ") {
		t.Errorf("damaged rows first: %+v", m)
	}
}

// Several .npy files that are dropped together are read as one model.
func TestOwnArrayFilesAreJoined(t *testing.T) {
	npy := func(shape string, x ...byte) []byte {
		head := "{'descr': '|i1', 'fortran_order': False, 'shape': " + shape + ", }\n"
		return append(append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0), append([]byte(head), x...)...)
	}
	w, a, b := npy("(3, 2)", 1, 2, 3, 1, 1, 2), npy("(3,)", 1, 0, 1), npy("(2,)", 1, 1)
	link := ""
	for _, order := range [][]string{{"W", "a", "b"}, {"b", "W", "a"}} {
		head, data := modelfile.PartsMark+"\n", ""
		for _, name := range order {
			x := map[string][]byte{"W": w, "a": a, "b": b}[name]
			head, data = head+strconv.Itoa(len(x))+" "+name+".npy\n", data+string(x)
		}
		p := newPage(t, 1)
		p.controller.File(strings.Join(order, ","), []byte(head+"\n"+data), 1)
		p.finish()
		if p.view.State != runstate.Done || link != "" && p.view.Link != link || p.view.Filed != 1 {
			t.Errorf("%v: %s, %s, %+v", order, p.view.State, p.view.Link, p.view.Message)
		}
		link = p.view.Link
		p.controller.File("x", []byte(modelfile.PartsMark+"\n5 W.npy\n\n"), 2)
		p.show()
		if m := p.view.Message; m == nil || !strings.Contains(m.Text, "damaged or cut short") || p.view.Filed != 2 {
			t.Errorf("damaged: %+v", m)
		}
	}
}

// A graph and its evidence that are dropped together are one model, known by what remains of the graph.
func TestOwnGraphWithEvidence(t *testing.T) {
	const uai, evidence = "MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n", "1 0 1"
	data := fmt.Sprintf("%s\n%d a.uai\n%d a.evid\n\n%s%s", modelfile.PartsMark, len(uai), len(evidence), uai, evidence)
	p := newPage(t, 1)
	p.controller.File("a.uai,a.evid", []byte(data), 1)
	p.show()
	id := modelfile.ID([]byte(`{"kind":"graph","states":[3],"factors":[` + "\n" +
		`{"on":[0],"log":[1.3862943611198906,1.6094379124341003,1.791759469228055]}]}` + "\n"))
	if setup := string(p.view.Parts["setup"]); !strings.Contains(setup, "1 known by evidence") ||
		!strings.Contains(p.view.Link, id) {
		t.Errorf("link %s, want %s: %s", p.view.Link, id, setup)
	}
}
